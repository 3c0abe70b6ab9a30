#include "toolkit/step.h"

#include <algorithm>

#include "base/task.h"
#include "base/text.h"

namespace deputy::toolkit {

CallFacts bounded(CallFacts facts) {
  facts.request = cut_with_mark(facts.request, kMaxRequest);
  if (facts.history.size() > kMaxHistory) {
    facts.history.erase(facts.history.begin(), facts.history.end() - kMaxHistory);
  }
  return facts;
}

std::string CallContext::path_of(std::string_view parameter) const {
  if (const auto led = led_to.find(parameter); led != led_to.end()) return led->second;
  const json::value* given = arguments.if_contains(parameter);
  std::string path = given == nullptr ? std::string() : as_text(*given);
  return path.empty() ? "." : path;
}

const Output* CallContext::output_of(std::string_view handler) const {
  const auto found = outputs.find(handler);
  return found == outputs.end() ? nullptr : &found->second;
}

std::chrono::milliseconds CallContext::time_left() const {
  if (deadline == std::chrono::steady_clock::time_point::max()) return kMaxWait;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  return std::clamp(left, std::chrono::milliseconds(0), kMaxWait);
}

}  // namespace deputy::toolkit
