// What to do about a problem that says only what is wrong: from what the lists of fields say of the place it is in.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/fields.h"

namespace deputy::config {

/// What belongs at `path`; never empty.
std::string what_belongs(std::string_view path, std::span<const FieldDoc> docs);

}  // namespace deputy::config
