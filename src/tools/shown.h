// Texts from outside: in a line of a result, and compared by their words.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "toolkit/cut.h"

namespace deputy::tools {

/// The text on one line, valid and cut. It is redacted before it is cut: of half a secret nobody can tell that it is
/// one.
std::string shown(std::string_view text, std::size_t most, const toolkit::Redact& redact);

/// Its words in lower case: runs of letters and digits, those of other alphabets too.
std::set<std::string> words_in(std::string_view text);

}  // namespace deputy::tools
