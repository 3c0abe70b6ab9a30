#include "policy/patterns.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include "base/text.h"

namespace deputy::policy {

namespace {

using re2::RE2;
using re2::StringPiece;

StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

std::shared_ptr<const RE2> compiled(const std::string& text) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_never_capture(true);
  return std::make_shared<const RE2>(text, options);
}

}  // namespace

Result<Pattern> Pattern::compile(std::string_view text) {
  Pattern pattern;
  pattern.text_ = text;
  pattern.whole_ = compiled(pattern.text_);
  if (!pattern.whole_->ok()) {
    return fail(ErrorKind::invalid_input,
                fmt::format("`{}` is no pattern: {}", cut_with_mark(text, 80), pattern.whole_->error()),
                "patterns are RE2: no look-around, no back-references");
  }
  // Both flags only add matches, and RE2 knows no negation around them.
  pattern.search_ = compiled("(?sm)" + pattern.text_);
  if (!pattern.search_->ok()) {
    return fail(ErrorKind::invalid_input, fmt::format("`{}` is too large a pattern", cut_with_mark(text, 80)));
  }
  pattern.may_be_anchored_ = text.find('^') != std::string_view::npos || text.find("\\A") != std::string_view::npos;
  return pattern;
}

bool Pattern::matches_whole(std::string_view value) const {
  return whole_->Match(piece(value), 0, value.size(), RE2::ANCHOR_BOTH, nullptr, 0);
}

bool Pattern::is_found_in(std::string_view value) const {
  return search_->Match(piece(value), 0, value.size(), RE2::UNANCHORED, nullptr, 0);
}

bool Pattern::is_found_at_start_of(std::string_view value) const {
  return search_->Match(piece(value), 0, value.size(), RE2::ANCHOR_START, nullptr, 0);
}

}  // namespace deputy::policy
