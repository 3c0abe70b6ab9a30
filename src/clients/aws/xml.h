// Parses the XML that AWS sends, strictly and within bounds: elements and their texts. No document type, no entities
// except XML's own five, no namespaces; attributes are skipped.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace deputy::clients::aws {

inline constexpr std::size_t kMaxXml = 256UL * 1024;

/// The text of an element without children, and its path: "Error/Code".
struct XmlText {
  std::string path;
  std::string text;

  bool operator==(const XmlText&) const = default;
};

/// The texts of a whole document, in order. Errors are of kind `upstream` and show nothing of the document.
Result<std::vector<XmlText>> read_xml(std::string_view document);

/// The first text whose path equals `path` or ends in it, at a whole name: "Error/Code", "Code".
std::optional<std::string_view> find_text(const std::vector<XmlText>& texts, std::string_view path);

}  // namespace deputy::clients::aws
