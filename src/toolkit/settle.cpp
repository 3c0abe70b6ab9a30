#include "toolkit/settle.h"

#include <fmt/format.h>

#include <optional>

#include "base/text.h"
#include "net/url.h"

namespace deputy::toolkit {

Result<> settle(const ToolSpec& spec, json::object& arguments) {
  for (const auto& [parameter, kind] : spec.kinds) {
    json::value* value = arguments.if_contains(parameter);
    if (value == nullptr || !value->is_string()) continue;
    if (kind == Kind::path) {
      TRY(const std::string path, normal_path(as_view(value->get_string())));
      *value = path;
    } else if (kind == Kind::url) {
      TRY(const net::Url url, net::parse_url(as_view(value->get_string())));
      *value = url.text;
    } else if (kind == Kind::channel) {
      *value = channel_name(as_view(value->get_string()));
    }
  }
  return {};
}

std::string other_spelling(Kind kind, std::string_view settled) {
  if (kind != Kind::url) return {};
  const Result<net::Url> url = net::parse_url(settled);
  if (!url) return {};
  // As many servers read it: every escape decoded, slashes single.
  std::string plain;
  const std::size_t path = settled.find("://") + 3;
  for (std::size_t i = 0; i < settled.size(); ++i) {
    const std::optional<char> escaped = net::escaped_at(settled, i);
    const char next = escaped.value_or(settled[i]);
    if (escaped) i += 2;
    if (next != '/' || i < path || !plain.ends_with('/')) plain += next;
  }
  return plain == settled ? "" : plain;
}

std::string shown_path(std::string_view path) {
  return fmt::format("`{}`", cut_with_mark(to_valid_utf8(std::string(cut_bytes(path, 1000))), 200));
}

namespace {

// A control character could fake lines where a path is shown, such as in a diff or a list.
bool has_control(std::string_view path) {
  while (!path.empty()) {
    const CodePoint point = decode_utf8(path);
    const char32_t c = point.value;
    if (c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x2028 || c == 0x2029) return true;
    path.remove_prefix(point.bytes);
  }
  return false;
}

}  // namespace

std::string channel_name(std::string_view given) {
  given = trim(given);
  // As people write a mention of it: `<#C012AB3CD|ops>`.
  if (given.starts_with("<#") && given.ends_with('>'))
    given = given.substr(2, std::min(given.find('|'), given.size() - 1) - 2);
  if (given.starts_with('#')) given.remove_prefix(1);
  return std::string(given);
}

Result<std::string> normal_path(std::string_view path) {
  constexpr auto kHint = "give a relative path, such as src/main.cpp";
  if (path.size() > kMaxPath) return fail(ErrorKind::invalid_input, "the path is too long", kHint);
  if (has_control(path)) return fail(ErrorKind::invalid_input, "a path cannot contain a control character", kHint);
  if (path.starts_with('/')) {
    return fail(ErrorKind::permission, fmt::format("{} is an absolute path", shown_path(path)), kHint);
  }
  std::string normal;
  for (const std::string_view part : split(path, "/")) {
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      return fail(ErrorKind::permission, fmt::format("{} contains `..`", shown_path(path)), kHint);
    }
    normal += normal.empty() ? "" : "/";
    normal += part;
  }
  return normal.empty() ? "." : normal;
}

}  // namespace deputy::toolkit
