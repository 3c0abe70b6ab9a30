// Any bytes as a request: nothing crashes, and what comes out is bounded and known.

#include "intent/intent.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "intent/suspicion.h"

namespace {

using namespace deputy;

const intent::Vocabulary& words() {
  static const intent::Vocabulary vocabulary = [] {
    intent::Vocabulary made;
    made.services = {{"checkout", "Checkout API", {"cart"}}, {"cast-core", "", {"core", "search"}}};
    made.environments = {{"prod", {"production", "live"}}, {"staging", {"stage"}}};
    using enum intent::ParameterKind;
    made.tools = {
        {"search_logs", {{"logs", "errors"}, {}, {}, ""}, true, {{"query", query, true}, {"in", environment, false}}},
        {"stop_task", {{"background task"}, {"stop"}, {}, ""}, false, {{"task", id, true}}},
        {"get_service_info", {{"about"}, {}, {}, ""}, true, {{"service", service, true}}}};
    made.now = from_millis(1'795'000'000'000);
    made.utc_offset = [](Timestamp at) { return std::chrono::hours(to_millis(at) / 10'000'000'000 % 2); };
    return made;
  }();
  return vocabulary;
}

void must(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view request(reinterpret_cast<const char*>(data), size);
  const intent::Intent found = intent::extract(request, words());
  const intent::TimeRange& time = found.parameters.time_range;
  must(time.from.has_value() == time.to.has_value());
  if (time.from && time.to) must(*time.from <= *time.to && *time.to <= words().now && time.hours_back.value_or(0) >= 1);
  must(found.parameters.message_count.value_or(1) >= 1 && found.parameters.message_count.value_or(1) <= 100);
  must(found.confidence >= 0 && found.confidence <= 1);
  // Its JSON form reads back as the same.
  const auto again = parse_arguments<intent::Intent>(to_json(found));
  must(again.has_value() && *again == found);
  static_cast<void>(intent::suspicious(request));
  return 0;
}
