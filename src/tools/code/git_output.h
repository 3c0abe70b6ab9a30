// What git prints, read: the files of a commit and the contents of blobs. Whatever it prints, these return. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace deputy::tools {

struct TreeFile {
  std::string path;
  std::string blob;  // its id
  std::uint64_t bytes = 0;

  bool operator==(const TreeFile&) const = default;
};

/// Of `git ls-tree -r -z -l`: ordinary files only; lines that are not understood are left out.
std::vector<TreeFile> parse_tree(std::string_view output);

/// Of `git cat-file --batch`: contents by blob id; what was cut off is left out.
std::map<std::string, std::string> parse_blobs(std::string_view output);

/// 40 or 64 hexadecimal digits.
bool is_object_id(std::string_view text);

}  // namespace deputy::tools
