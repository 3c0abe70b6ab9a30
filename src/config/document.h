// A settings document: a tree of JSON in which every scalar is text (YAML's null is null), and where each of its paths
// came from. It knows no setting; what its text means is for the fields that read it.
#pragma once

#include <span>
#include <string>

#include "base/json.h"
#include "config/origin.h"

namespace deputy::config {

inline constexpr std::size_t kDeepest = 32;
inline constexpr std::size_t kMostPathBytes =
    8'000'000;  // of the paths of a document: deep ones under long keys add up

struct Document {
  json::object root;
  Origins origins;
};

/// Lays `over` on `under`: objects merge key by key, everything else replaces. Laying documents from the lowest
/// precedence to the highest gives the effective one.
void merge(Document& under, const Document& over);

/// Writes one value at a path of keys, with the objects around it. False when a value that is no object stands in the
/// way, or the path is empty or too deep.
bool set_value(Document& document, std::span<const std::string> keys, std::string_view text, const Origin& origin);

}  // namespace deputy::config
