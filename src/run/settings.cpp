#include "run/settings.h"

namespace deputy::run {

void LimitSettings::at_most_ten_seconds(const std::chrono::milliseconds& time, FieldReader& reader) {
  if (time > std::chrono::seconds(10)) reader.problem("it must be at most ten seconds", "write a time such as 1500ms");
}

}  // namespace deputy::run
