#include "tools/code/identifiers.h"

#include "base/text.h"

namespace deputy::tools {

namespace {

bool is_lower_or_digit(char c) { return is_lower(c) || is_digit(c); }
bool is_part(char c) {
  return is_upper(c) || is_lower_or_digit(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

// A part begins after a small letter (findUser) and at the last capital of several (HTTPServer).
bool begins_part(std::string_view word, std::size_t at) {
  if (at == 0 || !is_upper(word[at])) return false;
  if (!is_upper(word[at - 1])) return true;
  return at + 1 < word.size() && word[at + 1] >= 'a' && word[at + 1] <= 'z';
}

void add_words(std::string_view identifier, std::vector<std::string>& words) {
  std::string whole;
  std::size_t parts = 0;
  for (const std::string_view piece : split(identifier, "_")) {
    std::string part;
    for (std::size_t at = 0; at < piece.size(); ++at) {
      if (begins_part(piece, at) && !part.empty()) {
        words.push_back(to_lower(part));
        ++parts;
        part.clear();
      }
      part += piece[at];
    }
    if (part.empty()) continue;
    words.push_back(to_lower(part));
    ++parts;
    whole += to_lower(piece);
  }
  if (parts > 1) words.push_back(std::move(whole));
}

}  // namespace

std::vector<std::string> words_of_code(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_part(text[end])) ++end;
    if (end > at) add_words(text.substr(at, end - at), words);
    at = end + 1;
  }
  return words;
}

}  // namespace deputy::tools
