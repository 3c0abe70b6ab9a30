#include "tools/shown.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace deputy::tools {

std::string shown(std::string_view text, std::size_t most, const toolkit::Redact& redact) {
  std::string line = to_valid_utf8(std::string(trim(text)));
  std::ranges::replace_if(line, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  if (count_characters(line) > most) line = toolkit::redact_or_withhold(line, redact);
  return cut_with_mark(line, most);
}

std::set<std::string> words_in(std::string_view text) {
  std::set<std::string> words;
  std::string word;
  for (const char c : to_lower(text) + " ") {
    if (is_letter_or_digit(c) || static_cast<unsigned char>(c) >= 0x80) {
      word += c;
    } else if (!word.empty()) {
      words.insert(std::exchange(word, {}));
    }
  }
  return words;
}

}  // namespace deputy::tools
