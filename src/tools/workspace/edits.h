// Edits of a text: each names a passage that must stand in it exactly once. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "base/result.h"

namespace deputy::tools {

struct Edit {
  std::string old_string;
  std::string new_string;

  bool operator==(const Edit&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&Edit::old_string, "old_string", "The passage to replace, exactly as it stands in the file, once");
    f.required(&Edit::new_string, "new_string", "What to put in its place");
  }
};

/// The text after all edits, made one after the other. The error names the first edit that cannot be made: its passage
/// is empty, is not there, stands there several times, or is to be replaced by itself.
Result<std::string> apply_edits(std::string text, const std::vector<Edit>& edits);

}  // namespace deputy::tools
