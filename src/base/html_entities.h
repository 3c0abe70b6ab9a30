// Character references of HTML: `&amp;`, `&#8364;`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace deputy {

struct HtmlEntity {
  std::string text;
  std::size_t length = 0;  // of the reference, from & to ;
};

/// The reference that `text` begins with; none if it is not one that is known. A character that cannot be is U+FFFD, a
/// space that does not break is a space.
std::optional<HtmlEntity> html_entity_at(std::string_view text);

}  // namespace deputy
