// The settings reference, from the same lists that read the settings.
#pragma once

#include <span>
#include <string>

#include "base/fields.h"

namespace deputy::config {

/// A Markdown table: one row for each setting, in the order of the lists.
std::string reference_markdown(std::span<const FieldDoc> docs);

}  // namespace deputy::config
