// A struct with every kind of field the engine knows, and an outside judge of arguments for it: valijson over the
// generated JSON Schema. The property test and the fuzzer ask both whether arguments are acceptable, and both must say
// the same.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/fields.h"

namespace deputy::test {

enum class Colour { red, green, dark_blue };

constexpr auto choices_of(Colour) {
  using namespace std::string_view_literals;
  return std::array{std::pair{Colour::red, "red"sv}, std::pair{Colour::green, "green"sv},
                    std::pair{Colour::dark_blue, "dark_blue"sv}};
}

struct RichItem {
  std::string name;
  double weight = 1.0;
  std::vector<std::string> tags;

  bool operator==(const RichItem&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    using P = RichItem;
    f.required(&P::name, "name", "What it is called").characters(1, 10);
    f.optional(&P::weight, "weight", "How heavy it is").in_range(0, 99.5);
    f.optional(&P::tags, "tags", "Marks on it").items(0, 3).one_of({"new", "old", "broken"});
  }
};

struct RichFields {
  std::string query;
  std::optional<int> limit;
  std::int64_t offset = 0;
  unsigned count = 3;
  int plain = 0;
  double ratio = 0.5;
  bool deep = false;
  std::string order = "newest";
  Colour colour = Colour::red;
  std::chrono::milliseconds wait{90'000};
  std::optional<RichItem> item;
  RichItem spare{"spare", 2.5, {}};
  std::vector<RichItem> items;
  std::vector<int> numbers{1};
  std::map<std::string, double> weights;
  std::map<std::string, RichItem> named;
  json::value anything;
  json::object options;

  bool operator==(const RichFields&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    using P = RichFields;
    f.required(&P::query, "query", "Words to look for").characters(1, 20);
    f.optional(&P::limit, "limit", "How many at most").in_range(1, 100).default_is(10);
    f.optional(&P::offset, "offset", "Where to begin").in_range(-5, 1e12);
    f.optional(&P::count, "count", "How many tries");
    f.optional(&P::plain, "plain", "Any whole number");
    f.optional(&P::ratio, "ratio", "Share of all").in_range(0, 1);
    f.optional(&P::deep, "deep", "Look into folders too");
    f.optional(&P::order, "order", "Which first").one_of({"newest", "oldest"});
    f.optional(&P::colour, "colour", "Which colour");
    f.optional(&P::wait, "wait", "How long to wait");
    f.optional(&P::item, "item", "One thing");
    f.optional(&P::spare, "spare", "Another thing");
    f.optional(&P::items, "items", "Many things").items(0, 2);
    f.optional(&P::numbers, "numbers", "Some numbers").items(1, 4).in_range(0, 9);
    f.optional(&P::weights, "weights", "Weights by name").at_least(-1);
    f.optional(&P::named, "named", "Things by name");
    f.optional(&P::anything, "anything", "Whatever it is");
    f.optional(&P::options, "options", "Free-form options");
  }
};

/// True when `arguments` satisfies the JSON Schema of RichFields: what an outside implementation of the standard says
/// of them.
bool judge_accepts(const json::object& arguments);

}  // namespace deputy::test
