// One line of JSON, read as far as a log search needs: its top-level keys and their values as they stand there. It
// makes no tree, follows no depth and takes any bytes: a line that breaks off gives the fields before the break.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace deputy::tools::files {

struct JsonField {
  std::string_view key;    // as written, escapes and all
  std::string_view value;  // the same, without its quotes
  bool is_text = false;    // it had quotes
};

class JsonLine {
 public:
  explicit JsonLine(std::string_view line);

  /// The next field, or nothing at the end.
  std::optional<JsonField> next();

 private:
  void skip_space();
  std::optional<std::string_view> take_text();
  std::string_view take_other();

  std::string_view line_;
  std::size_t at_ = 0;
};

/// The text that a JSON string means. What is no good escape stays as it is.
std::string unescape(std::string_view raw);

}  // namespace deputy::tools::files
