#include "policy/settings.h"

#include "base/clock.h"

namespace deputy::policy {

void GrantSettings::within_a_week(const std::chrono::milliseconds& expiry, FieldReader& reader) {
  if (expiry >= std::chrono::minutes(1) && expiry <= std::chrono::days(7)) return;
  reader.problem("a grant lasts between 1m and 7d, not " + format_duration(expiry));
}

void ApprovalSettings::a_minute_to_a_week(const std::chrono::milliseconds& expiry, FieldReader& reader) {
  if (expiry >= std::chrono::minutes(1) && expiry <= std::chrono::days(7)) return;
  reader.problem("an approval waits between 1m and 7d, not " + format_duration(expiry));
}

}  // namespace deputy::policy
