// Parses YAML (and so JSON) into a document with yaml-cpp's events. A settings file is plain data: anchors, aliases,
// tags, merge keys and a second document are problems. Time and memory are bounded for any bytes.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "config/document.h"

namespace deputy::config {

inline constexpr std::size_t kLargestFile = 1'000'000;  // bytes

struct ParsedFile {
  Document document;  // empty when a problem ended the parsing
  std::vector<LocatedProblem> problems;
};

ParsedFile parse_yaml(std::string_view text, const std::shared_ptr<const Source>& source);

}  // namespace deputy::config
