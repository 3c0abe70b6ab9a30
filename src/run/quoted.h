// Text of others between tags that name it as data. Nothing in it, nor in its writer's name, can end the tag.
#pragma once

#include <string>
#include <string_view>

namespace deputy::run {

/// <tag>, the text, </tag>.
std::string quoted(std::string_view tag, std::string_view text);

/// The same with the writer's name in the first tag.
std::string quoted_from(std::string_view tag, std::string_view writer, std::string_view text);

}  // namespace deputy::run
