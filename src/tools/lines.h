// Some lines of a file, as a tool shows them. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace deputy::tools {

/// The lines from `first` to `last`, counted from 1, in valid UTF-8; a last line says which they are when they are not
/// all. `name` is for messages. What is not text, or has no such line, is an error.
Result<std::string> lines_of_file(std::string_view text, std::string_view name, std::optional<int> first,
                                  std::optional<int> last);

}  // namespace deputy::tools
