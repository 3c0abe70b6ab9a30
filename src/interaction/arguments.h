// Shows the arguments of a call as preformatted plain text on a card. One argument per line, as JSON:
//
//   channel: "C1"
//   text: text of 2 lines, 11 characters
//     | Hello
//     | world
//
// Two different sets of arguments never look the same: text is in quotes or behind bars, nothing hides (escape.h), and
// folded text says how much is missing.
#pragma once

#include <string>

#include "base/json.h"

namespace deputy::interaction {

/// How much of a value a card shows before it folds it.
struct Fold {
  std::size_t line = 160;         // characters of JSON next to a name
  std::size_t lines = 30;         // of one value
  std::size_t characters = 1500;  // of one value
  std::size_t total = 12'000;     // characters in total; values after that are folded
  std::size_t arguments = 60;     // shown at most

  /// For the full text, one click away. Still bounded: arguments are bounded on arrival.
  static Fold nothing();
};

struct Preformatted {
  std::string text;   // lines for a fenced block, fully escaped
  bool whole = true;  // nothing was folded

  bool operator==(const Preformatted&) const = default;
};

Preformatted show_arguments(const json::object& arguments, const Fold& fold);

/// One value: text as lines, anything else as JSON.
Preformatted show_value(const json::value& value, const Fold& fold);

}  // namespace deputy::interaction
