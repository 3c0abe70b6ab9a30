#include "tools/workspace/web_text.h"

#include <fmt/format.h>

#include <array>

#include "base/text.h"
#include "tools/workspace/html_text.h"

namespace deputy::tools {

namespace {

constexpr auto kTexts = std::to_array<std::string_view>(
    {"application/json", "application/xml", "application/javascript", "application/ecmascript", "application/yaml",
     "application/x-yaml", "application/toml", "application/x-ndjson", "application/jsonl", "application/x-sh",
     "application/sql", "application/graphql", "image/svg+xml"});

bool is_text(std::string_view type) {
  return type.starts_with("text/") || type.ends_with("+json") || type.ends_with("+xml") || type.ends_with("+yaml") ||
         contains(kTexts, type);
}

std::string from_latin1(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (const char c : bytes) append_utf8(text, static_cast<unsigned char>(c));
  return text;
}

std::string shown_type(std::string_view type) {
  std::string shown(cut_bytes(type, 100));
  std::erase_if(shown, [](char c) { return c < '!' || c > '~' || c == '`'; });
  return shown.empty() ? "bytes of no known type" : fmt::format("`{}`", shown);
}

}  // namespace

Result<std::string> web_text(std::string_view content_type, std::string_view body) {
  const std::string type = to_lower(trim(content_type.substr(0, content_type.find(';'))));
  const std::string parameters = to_lower(content_type);
  const bool binary = body.contains('\0') || (type.empty() && !is_valid_utf8(body));
  if (binary || (!type.empty() && !is_text(type))) {
    return fail(ErrorKind::invalid_input, fmt::format("what came is {}, which is no text to read", shown_type(type)),
                "ask for a page, JSON or another text");
  }
  const bool latin1 = parameters.contains("charset=iso-8859-1") || parameters.contains("charset=\"iso-8859-1") ||
                      parameters.contains("charset=windows-1252");
  std::string text = latin1 ? from_latin1(body) : to_valid_utf8(std::string(body));
  if (type == "text/html" || type == "application/xhtml+xml") return html_to_text(text);
  return text;
}

}  // namespace deputy::tools
