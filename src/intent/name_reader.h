// Which tokens may be a name that no list knows, and which of them are used up. The readers of services
// (unknown_names.cpp) and of words to look for (sought_text.h) share one, so that no word is read as both.
#pragma once

#include <string>
#include <string_view>

#include "intent/names.h"
#include "intent/unknown_names.h"
#include "intent/vocabulary.h"

namespace deputy::intent {

class NameReader {
 public:
  /// All outlive it; `claims` are what other rules have read.
  NameReader(const Tokens& tokens, const Vocabulary& vocabulary, const Claims& claims)
      : tokens_(tokens), vocabulary_(vocabulary), claims_(claims), taken_(tokens.size(), false) {}

  const Tokens& tokens() const { return tokens_; }
  const UnknownNames& found() const { return found_; }
  UnknownNames take_found() { return std::move(found_); }

  bool claimed(std::size_t at) const { return claims_[at]; }
  bool taken(std::size_t at) const { return taken_[at]; }
  bool unread(std::size_t at) const { return at < tokens_.size() && !claims_[at] && !taken_[at]; }

  /// Behind the name that begins at a token, its parts tied by hyphens.
  std::size_t name_end(std::size_t at) const;
  /// The token that a name begins with whose last part it is.
  std::size_t name_begin(std::size_t at) const;
  bool may_be_name(std::size_t first, std::size_t next) const;
  /// By its form, or because it is nearly the name of a known service.
  bool looks_like_name(std::size_t first, std::size_t next);
  /// Whether what a name is part of ends at the token.
  bool ends(std::size_t at) const;

  /// It is read, and nothing that is kept.
  void take(std::size_t first, std::size_t next);
  void take_service(std::size_t first, std::size_t next);
  void take_text(std::size_t first, std::size_t next, std::string text);
  /// The first text counts.
  void add_text(std::string text);
  /// What must be held beside the first text; a regular expression takes nothing beside it.
  void also_text(std::string_view text);

 private:
  bool stands_alone(std::size_t first, std::size_t next) const;
  bool is_environment_or_slip(std::string_view word) const;
  bool is_near_known(std::string_view word);

  const Tokens& tokens_;
  const Vocabulary& vocabulary_;
  const Claims& claims_;
  Claims taken_;
  std::size_t looked_up_ = 0;
  UnknownNames found_;
};

}  // namespace deputy::intent
