#include "model/prices.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/characters.h"

namespace deputy::model {

namespace {

bool only_a_version_follows(std::string_view rest) {
  if (rest.empty()) return true;
  if (rest.size() < 2 || !std::string_view("-:@").contains(rest[0])) return false;
  return is_digit(rest[1]) || (rest[1] == 'v' && rest.size() > 2 && is_digit(rest[2]));
}

bool fits(std::string_view key, std::string_view model) {
  if (key.empty()) return false;
  for (std::size_t at = model.find(key); at != std::string_view::npos; at = model.find(key, at + 1)) {
    if (only_a_version_follows(model.substr(at + key.size()))) return true;
  }
  return false;
}

}  // namespace

const Prices& list_prices() {
  static const Prices prices{
      {"claude-haiku-4-5", {1, 5, 0.1, 1.25}},
      {"claude-sonnet-4", {3, 15, 0.3, 3.75}},
      {"claude-sonnet-4-5", {3, 15, 0.3, 3.75}},
      {"claude-opus-4-1", {15, 75, 1.5, 18.75}},
      {"claude-opus-4-5", {5, 25, 0.5, 6.25}},
      {"gpt-4.1", {2, 8, 0.5}},
      {"gpt-4.1-mini", {0.4, 1.6, 0.1}},
      {"gpt-4.1-nano", {0.1, 0.4, 0.025}},
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
    if (is_longer && fits(entry.first, model)) best = &entry;
  }
  if (best == nullptr) return std::nullopt;
  return best->second;
}

std::int64_t cost_of(const Price& price, const Usage& usage) {
  const auto part = [](std::int64_t tokens, double dollars_a_million) {
    return static_cast<double>(std::max<std::int64_t>(tokens, 0)) * dollars_a_million;
  };
  // A dollar for a million tokens is a millionth of a dollar for one.
  const double millionths = part(usage.input_tokens, price.input) + part(usage.output_tokens, price.output) +
                            part(usage.cache_read_tokens, price.cache_read.value_or(price.input)) +
                            part(usage.cache_write_tokens, price.cache_write.value_or(price.input));
  constexpr double kMost = 1e18;
  return static_cast<std::int64_t>(std::ceil(std::min(millionths, kMost)));
}

}  // namespace deputy::model
