#include "model/families.h"

#include <algorithm>

#include "base/text.h"

namespace deputy::model {

namespace {

constexpr std::int64_t kMillion = 1'000'000;
constexpr std::int64_t kOpenAiContext = 1'050'000;

constexpr auto kFamilies = std::to_array<Family>({
    {.name = "claude-sonnet-5-5",
     .context_tokens = kMillion,
     .takes_effort = true,
     .takes_format = true,
     .takes_adaptive = true,
     .least_thinking = "between_tools"},
    {.name = "claude-opus-5-5",  // it always thinks
     .context_tokens = kMillion,
     .takes_effort = true,
     .takes_format = true,
     .takes_adaptive = true,
     .least_thinking = "adaptive"},
    {.name = "claude-haiku-5-5",
     .context_tokens = kMillion,
     .takes_effort = true,
     .takes_format = true,
     .takes_adaptive = true,
     .least_thinking = "disabled"},
    {.name = "claude-sonnet-5",
     .context_tokens = kMillion,
     .takes_effort = true,
     .takes_format = true,
     .takes_adaptive = true,
     .least_thinking = "disabled"},
    {.name = "claude-haiku-4-5", .context_tokens = 200'000, .takes_temperature = true},
    {.name = "claude-sonnet-4-5", .context_tokens = 200'000, .takes_temperature = true, .ends = "2026-11-30"},
    {.name = "gpt-6.1-sol",
     .context_tokens = kOpenAiContext,
     .takes_effort = true,
     .takes_format = true,
     .least_thinking = "none"},
    {.name = "gpt-6.1-terra",
     .context_tokens = kOpenAiContext,
     .takes_effort = true,
     .takes_format = true,
     .least_thinking = "none"},
    {.name = "gpt-6-luna",
     .context_tokens = kOpenAiContext,
     .takes_effort = true,
     .takes_format = true,
     .least_thinking = "none"},
    {.name = "gpt-6-astra",
     .context_tokens = kOpenAiContext,
     .takes_effort = true,
     .takes_format = true,
     .least_thinking = "none"},
});

// "-20250929", "-2025-04-14", "-v1:0", ":0", "@001"; not "-5" or "-mini", which name another model.
bool only_a_version_follows(std::string_view rest) {
  constexpr std::size_t kDigitsOfADate = 4;
  if (rest.empty()) return true;
  if (rest.size() < 2 || !std::string_view("-:@").contains(rest[0])) return false;
  if (rest[1] == 'v') return rest.size() > 2 && is_digit(rest[2]);
  const std::string_view digits = rest.substr(1, kDigitsOfADate);
  const bool is_date = digits.size() == kDigitsOfADate && std::ranges::all_of(digits, is_digit);
  return rest[0] == '-' ? is_date : is_digit(rest[1]);
}

}  // namespace

std::string_view word_for(Effort effort) {
  for (const auto& [value, word] : choices_of(Effort{})) {
    if (value == effort) return word;
  }
  return "high";
}

bool is_named(std::string_view key, std::string_view model) {
  if (key.empty()) return false;
  for (std::size_t at = model.find(key); at != std::string_view::npos; at = model.find(key, at + 1)) {
    if (only_a_version_follows(model.substr(at + key.size()))) return true;
  }
  return false;
}

const Family* find_family(std::string_view model) {
  const auto* found = std::ranges::find_if(kFamilies, [&](const Family& one) { return is_named(one.name, model); });
  return found == kFamilies.end() ? nullptr : found;
}

}  // namespace deputy::model
