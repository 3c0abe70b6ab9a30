// Facts about models, looked up by name: supported fields, how to ask for thinking, context size, end of life. An
// unknown model gets the plain request; second_try.h handles what its API may still refuse. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace deputy::model {

/// How thoroughly a model works.
enum class Effort { low, medium, high, xhigh, max };

constexpr auto choices_of(Effort) {
  using E = Effort;
  return std::to_array<std::pair<E, std::string_view>>(
      {{E::low, "low"}, {E::medium, "medium"}, {E::high, "high"}, {E::xhigh, "xhigh"}, {E::max, "max"}});
}
std::string_view word_for(Effort effort);

/// How much a model thinks before it answers: as it likes, or as little as it can.
enum class ThinkingAmount { as_it_likes, least };

constexpr auto choices_of(ThinkingAmount) {
  using T = ThinkingAmount;
  return std::to_array<std::pair<T, std::string_view>>({{T::as_it_likes, "auto"}, {T::least, "least"}});
}

struct Family {
  std::string_view name;            // a part of the model's name; only a version may follow it
  std::int64_t context_tokens = 0;  // 0: unknown
  bool takes_temperature = false;   // other sampling parameters are never sent
  bool takes_effort = false;        // output_config.effort, reasoning.effort
  bool takes_format = false;        // structured output, on the vendor's own API
  bool takes_adaptive = false;      // Anthropic: thinking: {type: adaptive, display}
  std::string_view least_thinking;  // Anthropic: the `type`, for efforts up to high; OpenAI: the effort; empty: none
  std::string_view ends = {};       // the day the model stops answering
};

/// Returns null for an unknown name.
const Family* find_family(std::string_view model);

/// How to ask a model, apart from the request itself.
struct Manner {
  std::string model;
  std::optional<double> temperature = {};  // sent only to models that accept it
  std::optional<Effort> effort = {};
  ThinkingAmount thinking = ThinkingAmount::as_it_likes;
};

/// True when `model` is `key`, or contains it followed only by a version: "claude-sonnet-4-5" matches
/// "us.anthropic.claude-sonnet-4-5-20250929-v1:0", but "gpt-5" does not match "gpt-5-mini".
bool is_named(std::string_view key, std::string_view model);

}  // namespace deputy::model
