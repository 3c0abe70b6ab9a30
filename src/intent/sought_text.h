// Words that what is found must hold: in quotes, behind "containing" or "search the logs for", "for user 42".
#pragma once

#include "intent/name_reader.h"

namespace deputy::intent {

class SoughtText {
 public:
  /// `names` outlives it.
  explicit SoughtText(NameReader& names) : names_(names), tokens_(names.tokens()) {}

  /// "token" in quotes is looked for; `checkout` in quotes behind "of" is a service.
  void find_quoted();
  /// "containing deadlock", "logs with token".
  void read_cue(std::size_t at);
  /// "for user 42"; whether it stands there.
  bool read_key(std::size_t at);
  /// The words that are looked for, to where something else begins.
  void read_words(std::size_t first);

 private:
  void read_quoted(std::size_t first, std::size_t end);

  NameReader& names_;
  const Tokens& tokens_;
};

/// "search", "grep": what stands behind "for" is looked for.
bool is_searching(std::string_view word);

}  // namespace deputy::intent
