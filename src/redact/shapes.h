// The compiled patterns, shared by every redactor of the process: immutable after the first use, safe on any thread.
//
// To add a kind of secret with a shape of its own: one row in kShapes (patterns.cpp) and its cases in the corpus. The
// pattern must not match white space. The group that took part in a match is the secret; without one the whole match
// is. A program that takes a password as an argument: one row in kCommands.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "redact/marker.h"

namespace re2 {
class RE2;
}

namespace deputy::redact {

class Patterns {
 public:
  /// A word that may be a secret, or make the rest of its line one. Words that hold no such hit are clean.
  std::optional<Range> next_suspect(std::string_view text, std::size_t from) const;
  /// The hits among them after which the rest of the line is needed to tell.
  bool holds_back_line(std::string_view word) const;

  std::optional<Range> next_name_hint(std::string_view text, std::size_t from) const;

  /// A secret that shows by its shape. `resume` is where to look for the next one.
  struct Shape {
    Finding secret;
    std::size_t resume = 0;
  };
  std::optional<Shape> next_shape(std::string_view text, std::size_t from) const;

  /// Adds the secrets that show by the words before them: `Authorization: Basic …`, `curl -u name:password`.
  void find_phrases(std::string_view text, std::vector<Finding>& found) const;

  /// The kinds of the tables, each once.
  std::vector<std::string_view> kinds() const;

  /// The pattern behind next_suspect, for measuring it alone.
  const re2::RE2& suspect() const;

  Patterns();
  ~Patterns();

 private:
  struct Compiled;
  std::unique_ptr<const Compiled> compiled_;
};

const Patterns& patterns();

}  // namespace deputy::redact
