// The file that `deputy config init` writes: every setting with what it is and its default, commented out.
#pragma once

#include <span>
#include <string>

#include "base/fields.h"

namespace deputy::config {

/// `defaults` is to_json of default settings. A line of prose is "# text"; a setting is "#" and then its YAML, so that
/// removing the "#" sets it.
std::string starter_yaml(const json::object& defaults, std::span<const FieldDoc> docs);

}  // namespace deputy::config
