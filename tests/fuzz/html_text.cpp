// A web page of any bytes: the text made of it is UTF-8 without control characters, and no longer than the page allows.

#include "tools/workspace/html_text.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace deputy;
  const std::string_view page(reinterpret_cast<const char*>(data), size);
  const std::string text = tools::html_to_text(page);
  if (!is_valid_utf8(text)) std::abort();
  // A byte that is not UTF-8 becomes three.
  if (text.size() > 3 * page.size()) std::abort();
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t') || c == '\x7f') std::abort();
  }
  const std::size_t line = page.find('\n');
  if (line == std::string_view::npos) return 0;
  const auto read = tools::web_text(page.substr(0, line), page.substr(line + 1));
  if (read && !is_valid_utf8(*read)) std::abort();
  if (!read && !is_valid_utf8(describe(read.error()))) std::abort();
  return 0;
}
