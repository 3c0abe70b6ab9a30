// The words in code: findUserById, find_user_by_id and FIND_USER are found by "find user". Pure, linear.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace deputy::tools {

/// In the order of the text, small letters: each identifier's parts, and the whole where it has several.
std::vector<std::string> words_of_code(std::string_view text);

}  // namespace deputy::tools
