// How long the store keeps things. Older rows are removed in small batches; see docs/settings.md.
#pragma once

#include <chrono>

#include "base/fields.h"
#include "store/rows.h"

namespace deputy::store {

struct RetentionSettings {
  std::chrono::milliseconds results = std::chrono::days(30);
  std::chrono::milliseconds runs = std::chrono::days(180);
  std::chrono::milliseconds audit = std::chrono::days(400);
  std::chrono::milliseconds inbox_keys = std::chrono::days(7);

  template <class Fields>
  static void fields(Fields& f) {
    using S = RetentionSettings;
    f.optional(&S::results, "results", "How long large tool results are kept").check_with(a_day_or_more);
    f.optional(&S::runs, "runs", "How long finished runs and their journals are kept").check_with(a_day_or_more);
    f.optional(&S::audit, "audit", "How long the audit trail and model costs are kept").check_with(a_day_or_more);
    f.optional(&S::inbox_keys, "inbox_keys", "How long messages are remembered, to detect duplicates")
        .check_with(a_day_or_more);
  }

 private:
  static void a_day_or_more(const std::chrono::milliseconds& kept, FieldReader& reader) {
    if (kept < std::chrono::days(1)) reader.problem("this must be at least 1d, not " + format_duration(kept));
  }
};

/// The argument of `remove_old`.
inline Retention retention_of(const RetentionSettings& settings) {
  return {settings.results, settings.runs, settings.audit, settings.inbox_keys};
}

}  // namespace deputy::store
