// YAML (and so JSON) to a document, by yaml-cpp's events. A settings file is plain data: anchors, aliases, tags, merge
// keys and a second document are problems. Whatever the bytes are, the time and memory it takes is bounded.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "config/document.h"

namespace deputy::config {

inline constexpr std::size_t kLargestFile = 1'000'000;  // bytes

struct ParsedFile {
  Document document;  // empty when the file breaks off in a problem
  std::vector<LocatedProblem> problems;
};

ParsedFile parse_yaml(std::string_view text, const std::shared_ptr<const Source>& source);

}  // namespace deputy::config
