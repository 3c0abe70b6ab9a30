#include "sim/slack/api/arguments.h"

#include <charconv>

#include "base/text.h"
#include "net/form.h"

namespace deputy::sim::slack {

namespace {

struct Part {
  std::string name;
  std::string bytes;
};

std::string quoted_value(std::string_view header, std::string_view key) {
  const std::string wanted = " " + std::string(key) + "=\"";
  const auto at = header.find(wanted);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = header.substr(at + wanted.size());
  return std::string(rest.substr(0, rest.find('"')));
}

std::optional<std::vector<Part>> parts_of(std::string_view type, std::string_view body) {
  const auto at = type.find("boundary=");
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view boundary = type.substr(at + 9);
  boundary = boundary.substr(0, boundary.find(';'));
  if (boundary.size() >= 2 && boundary.front() == '"') boundary = boundary.substr(1, boundary.size() - 2);
  if (boundary.empty()) return std::nullopt;
  const std::string line = "--" + std::string(boundary);
  std::vector<Part> parts;
  std::size_t position = body.find(line);
  while (position != std::string_view::npos) {
    position += line.size();
    if (body.substr(position, 2) == "--") return parts;
    const auto head_end = body.find("\r\n\r\n", position);
    if (head_end == std::string_view::npos) return std::nullopt;
    const auto next = body.find("\r\n" + line, head_end + 2);
    if (next == std::string_view::npos) return std::nullopt;
    const std::string_view head = body.substr(position, head_end - position);
    const std::size_t begin = head_end + 4;
    parts.push_back({quoted_value(head, "name"), std::string(next > begin ? body.substr(begin, next - begin) : "")});
    position = next + 2;
  }
  return std::nullopt;
}

}  // namespace

std::expected<Arguments, std::string> Arguments::read(const net::ServerRequest& request) {
  Arguments arguments;
  if (auto query = net::parse_form(request.query)) {
    for (net::FormField& field : *query) arguments.values_[field.name] = field.value;
  } else {
    return std::unexpected("invalid_form_data");
  }
  const std::string type(net::find_header(request.headers, "content-type").value_or(""));
  if (request.body.empty()) return arguments;
  if (type.empty()) return std::unexpected("missing_post_type");
  if (type.starts_with("application/json")) {
    auto parsed = parse_json(request.body);
    if (!parsed) return std::unexpected("invalid_json");
    if (!parsed->is_object()) return std::unexpected("json_not_object");
    arguments.is_json_ = true;
    for (auto& [key, value] : parsed->get_object()) {
      if (!value.is_null()) arguments.values_[std::string(key)] = std::move(value);
    }
    return arguments;
  }
  if (type.starts_with("application/x-www-form-urlencoded")) {
    auto fields = net::parse_form(request.body, {.bytes = 4UL << 20, .fields = 1000});
    if (!fields) return std::unexpected("invalid_form_data");
    for (net::FormField& field : *fields) arguments.values_[field.name] = field.value;
    return arguments;
  }
  if (type.starts_with("multipart/form-data")) {
    auto parts = parts_of(type, request.body);
    if (!parts) return std::unexpected("invalid_form_data");
    for (Part& part : *parts) {
      if (!is_valid_utf8(part.bytes)) return std::unexpected("invalid_charset");
      arguments.values_[part.name] = part.bytes;
    }
    return arguments;
  }
  return std::unexpected("invalid_post_type");
}

bool Arguments::has(std::string_view name) const { return values_.find(name) != values_.end(); }

std::string Arguments::text(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::string() : as_text(found->second);
}

bool Arguments::flag(std::string_view name) const {
  const std::string value = text(name);
  return value == "true" || value == "1";
}

std::optional<std::int64_t> Arguments::number(std::string_view name) const {
  const std::string value = text(name);
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (value.empty() || problem != std::errc() || end != value.data() + value.size()) return std::nullopt;
  return number;
}

std::optional<json::value> Arguments::structured(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return std::nullopt;
  const json::string* text = found->second.if_string();
  if (text == nullptr) return found->second;
  if (text->empty()) return std::nullopt;
  auto parsed = parse_json(as_view(*text));
  if (!parsed) return json::value(nullptr);
  return *std::move(parsed);
}

std::optional<std::string> multipart_field(const net::ServerRequest& request, std::string_view name) {
  const std::string type(net::find_header(request.headers, "content-type").value_or(""));
  if (!type.starts_with("multipart/form-data")) return std::nullopt;
  auto parts = parts_of(type, request.body);
  if (!parts) return std::nullopt;
  for (Part& part : *parts) {
    if (name.empty() || part.name == name) return std::move(part.bytes);
  }
  return std::nullopt;
}

}  // namespace deputy::sim::slack
