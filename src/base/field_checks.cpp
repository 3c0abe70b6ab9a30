#include "base/field_checks.h"

namespace deputy {

void at_least_a_second(const std::chrono::milliseconds& time, FieldReader& reader) {
  if (time < std::chrono::seconds(1)) reader.problem("it must be at least a second", "write a time such as 15m");
}

}  // namespace deputy
