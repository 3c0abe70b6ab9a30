// Model prices and the cost of a request. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/fields.h"
#include "model/model.h"

namespace deputy::model {

/// Prices for prompts longer than `over` tokens.
struct LongPromptPrice {
  std::int64_t over = 0;
  double input = 0;
  double output = 0;
  std::optional<double> cache_read = {};
  std::optional<double> cache_write = {};

  bool operator==(const LongPromptPrice&) const = default;
};

/// Dollars per million tokens.
struct Price {
  double input = 0;
  double output = 0;
  std::optional<double> cache_read = {};            // same as input if not set
  std::optional<double> cache_write = {};           // same as input if not set
  std::optional<LongPromptPrice> long_prompt = {};  // list prices only

  bool operator==(const Price&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&Price::input, "input", "Dollars per million input tokens").in_range(0, 1'000'000);
    f.required(&Price::output, "output", "Dollars per million output tokens").in_range(0, 1'000'000);
    f.optional(&Price::cache_read, "cache_read",
               "Dollars per million tokens read from the provider's cache; same as input by default")
        .in_range(0, 1'000'000);
    f.optional(&Price::cache_write, "cache_write",
               "Dollars per million tokens written to the provider's cache; same as input by default")
        .in_range(0, 1'000'000);
  }
};

/// Keyed by a part of the model's name (is_named in families.h).
using Prices = std::map<std::string, Price>;

/// List prices at the time of writing. They change, so prices in settings come first.
const Prices& list_prices();

/// Returns the price of the longest matching key.
std::optional<Price> find_price(const Prices& prices, std::string_view model);

/// In millionths of a dollar, rounded up.
std::int64_t cost_of(const Price& price, const Usage& usage);

}  // namespace deputy::model
