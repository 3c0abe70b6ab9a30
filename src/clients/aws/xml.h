// The little XML that AWS answers with, read strictly and within bounds: elements and their texts. No document type, no
// entities but the five that XML has itself, no names spaces; attributes are passed over.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace deputy::clients::aws {

inline constexpr std::size_t kMostXml = 256UL * 1024;

/// The text of one element that holds no other, and where it stands: "Error/Code".
struct XmlText {
  std::string path;
  std::string text;

  bool operator==(const XmlText&) const = default;
};

/// The texts of a whole document, in order. Errors are of kind `upstream` and show nothing of it.
Result<std::vector<XmlText>> read_xml(std::string_view document);

/// The first text whose path is this one or ends in it, at a whole name: "Error/Code", "Code".
std::optional<std::string_view> find_text(const std::vector<XmlText>& texts, std::string_view path);

}  // namespace deputy::clients::aws
