// What models cost. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/fields.h"
#include "model/model.h"

namespace deputy::model {

/// What holds for prompts longer than so many tokens.
struct LongPromptPrice {
  std::int64_t over = 0;
  double input = 0;
  double output = 0;
  std::optional<double> cache_read = {};
  std::optional<double> cache_write = {};

  bool operator==(const LongPromptPrice&) const = default;
};

/// Dollars for a million tokens.
struct Price {
  double input = 0;
  double output = 0;
  std::optional<double> cache_read = {};            // as input where it is not said
  std::optional<double> cache_write = {};           // as input where it is not said
  std::optional<LongPromptPrice> long_prompt = {};  // of list prices only

  bool operator==(const Price&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&Price::input, "input", "Dollars for a million tokens that are sent").in_range(0, 1'000'000);
    f.required(&Price::output, "output", "Dollars for a million tokens of the reply").in_range(0, 1'000'000);
    f.optional(&Price::cache_read, "cache_read", "Of those sent, the ones the provider still had; as input by default")
        .in_range(0, 1'000'000);
    f.optional(&Price::cache_write, "cache_write",
               "Of those sent, the ones the provider was told to keep; as input by default")
        .in_range(0, 1'000'000);
  }
};

/// By a part of the model's name (families.h, is_named).
using Prices = std::map<std::string, Price>;

/// What providers asked for when this was written. They change: settings come first.
const Prices& list_prices();

/// That of the longest key that fits.
std::optional<Price> find_price(const Prices& prices, std::string_view model);

/// In millionths of a dollar, rounded up.
std::int64_t cost_of(const Price& price, const Usage& usage);

}  // namespace deputy::model
