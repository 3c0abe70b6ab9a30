// What a call was given, as preformatted plain text for a card. One argument a line, as JSON:
//
//   channel: "C1"
//   text: text of 2 lines, 11 characters
//     | Hello
//     | world
//
// Two different sets of arguments never look the same: text has quotes or its own bars, nothing hides (escape.h), and
// what is folded says how much is missing.
#pragma once

#include <string>

#include "base/json.h"

namespace deputy::interaction {

/// How much of a value a card shows before it folds.
struct Fold {
  std::size_t line = 160;         // characters of JSON beside a name
  std::size_t lines = 30;         // of one value
  std::size_t characters = 1500;  // of one value
  std::size_t total = 12'000;     // characters of all; values after that are folded away
  std::size_t arguments = 60;     // shown at all

  /// For the full text, one click away. It is still bounded: arguments are, where they come in.
  static Fold nothing();
};

struct Preformatted {
  std::string text;   // lines for a fence, everything escaped
  bool whole = true;  // nothing was folded

  bool operator==(const Preformatted&) const = default;
};

Preformatted show_arguments(const json::object& arguments, const Fold& fold);

/// One value alone: text as its lines, anything else as JSON.
Preformatted show_value(const json::value& value, const Fold& fold);

}  // namespace deputy::interaction
