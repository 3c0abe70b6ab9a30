// Reads XHTML as far as Confluence writes it into a tree of elements and texts. What is not well-formed is read as far
// as possible: an end without a beginning is ignored, a beginning without an end reaches to the end of its parent.
// Pure.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace deputy::tools {

struct StorageNode {
  std::string name;      // lower case; empty: a text
  std::string text;      // of a text, decoded
  bool literal = false;  // a text from CDATA: its white space counts
  std::map<std::string, std::string> attributes;
  std::vector<StorageNode> children;

  std::string attribute(const std::string& key) const;
  /// The first child with this name, or null.
  const StorageNode* child(std::string_view wanted) const;
  /// All text in it, as it is.
  std::string all_text() const;
};

inline constexpr std::size_t kMaxStorageDepth = 64;  // deeper elements become siblings

StorageNode read_storage(std::string_view storage);

}  // namespace deputy::tools
