// The compiled patterns: token shapes, phrases and commands. Shared by every redactor of the process, immutable after
// the first use, safe on any thread.
//
// To add a token of a vendor: one row in kTokens (shapes.cpp). Another kind of secret with its own shape: one row in
// kShapes. Each has its cases in the corpus. The pattern must not match white space. The group that took part in a
// match is the secret; without a group the whole match is. For a program that takes a password as an argument: one row
// in kCommands.
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
  /// The next word that may be a secret, or make the rest of its line one. Words without such a hit are clean.
  std::optional<Range> next_suspect(std::string_view text, std::size_t from) const;
  /// True when deciding about `word` needs the rest of its line.
  bool holds_back_line(std::string_view word) const;

  std::optional<Range> next_name_hint(std::string_view text, std::size_t from) const;

  /// A secret recognised by its shape. `resume` is where to search for the next one.
  struct Shape {
    Finding secret;
    std::size_t resume = 0;
  };
  std::optional<Shape> next_shape(std::string_view text, std::size_t from) const;

  /// Appends the secrets recognised by the words before them: `Authorization: Basic …`, `curl -u name:password`.
  void find_phrases(std::string_view text, std::vector<Finding>& found) const;

  /// The kinds in the tables, each once.
  std::vector<std::string_view> kinds() const;

  /// The pattern behind next_suspect, to measure it alone.
  const re2::RE2& suspect() const;

  Patterns();
  ~Patterns();

 private:
  struct Compiled;
  std::unique_ptr<const Compiled> compiled_;
};

const Patterns& patterns();

}  // namespace deputy::redact
