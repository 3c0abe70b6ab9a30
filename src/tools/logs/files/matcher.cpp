#include "tools/logs/files/matcher.h"

#include <re2/re2.h>

#include <algorithm>

namespace deputy::tools::files {

Matcher::Matcher(const TextQuery& query) {
  if (!query.regex.empty()) {
    RE2::Options options;
    options.set_log_errors(false);
    options.set_never_nl(true);  // a match stays within its line, so that a search through many never runs on
    expression_ = std::make_shared<const RE2>("(?m:" + query.regex + ")", options);  // ^ and $ are a line's
  }
  const auto longest = std::ranges::max_element(query.words, {}, &std::string::size);
  for (auto word = query.words.begin(); word != query.words.end(); ++word) {
    if (word == longest) {
      needle_.emplace(*word);
    } else {
      others_.emplace_back(*word);
    }
  }
}

std::size_t Matcher::find(std::string_view bytes, std::size_t from) const {
  if (needle_) return needle_->find(bytes, from);
  re2::StringPiece found;
  const re2::StringPiece text(bytes.data(), bytes.size());
  if (!expression_->Match(text, from, bytes.size(), RE2::UNANCHORED, &found, 1)) return npos;
  return static_cast<std::size_t>(found.data() - bytes.data());
}

bool Matcher::matches(std::string_view entry) const {
  return std::ranges::all_of(others_, [&](const Needle& needle) { return needle.is_in(entry); });
}

}  // namespace deputy::tools::files
