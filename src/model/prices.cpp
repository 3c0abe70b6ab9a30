#include "model/prices.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/families.h"

namespace deputy::model {

const Prices& list_prices() {
  static const Prices prices{
      {"claude-sonnet-5-5", {2, 10, 0.2, 2.5}},
      {"claude-haiku-5-5", {0.1, 0.5, 0.01, 0.125, LongPromptPrice{100'000, 0.5, 2.5, 0.05, 0.625}}},
      {"claude-opus-5-5", {4, 20, 0.2, 5}},
      {"claude-sonnet-5", {2, 10, 0.2, 2.5}},
      {"claude-haiku-4-5", {1, 5, 0.1, 1.25}},
      {"claude-sonnet-4-5", {3, 15, 0.3, 3.75}},
      {"claude-opus-4-5", {5, 25, 0.5, 6.25}},
      {"gpt-6.1-sol", {2, 10}},
      {"gpt-6.1-terra", {1, 5}},
      {"gpt-6-luna", {0.1, 0.5, 0.01}},
      {"gpt-6-astra", {10, 50}},
      {"gpt-4.1", {2, 8, 0.5}},
      {"gpt-4.1-mini", {0.4, 1.6, 0.1}},
      {"gpt-4o", {2.5, 10, 1.25}},
      {"gpt-4o-mini", {0.15, 0.6, 0.075}},
      {"gpt-5", {1.25, 10, 0.125}},
      {"gpt-5-mini", {0.25, 2, 0.025}},
  };
  return prices;
}

std::optional<Price> find_price(const Prices& prices, std::string_view model) {
  const std::pair<const std::string, Price>* best = nullptr;
  for (const auto& entry : prices) {
    const bool is_longer = best == nullptr || entry.first.size() > best->first.size();
    if (is_longer && is_named(entry.first, model)) best = &entry;
  }
  if (best == nullptr) return std::nullopt;
  return best->second;
}

std::int64_t cost_of(const Price& price, const Usage& usage) {
  const auto part = [](std::int64_t tokens, double dollars_a_million) {
    return static_cast<double>(std::max<std::int64_t>(tokens, 0)) * dollars_a_million;
  };
  Price rates = price;
  const std::int64_t prompt = usage.tokens() - usage.output_tokens;
  if (const auto& longer = price.long_prompt; longer && prompt > longer->over)
    rates = {longer->input, longer->output, longer->cache_read, longer->cache_write};
  // A dollar per million tokens is a millionth of a dollar per token.
  const double millionths = part(usage.input_tokens, rates.input) + part(usage.output_tokens, rates.output) +
                            part(usage.cache_read_tokens, rates.cache_read.value_or(rates.input)) +
                            part(usage.cache_write_tokens, rates.cache_write.value_or(rates.input));
  constexpr double kMax = 1e18;
  return static_cast<std::int64_t>(std::ceil(std::min(millionths, kMax)));
}

}  // namespace deputy::model
