#include "config/show.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace deputy::config {

namespace {

constexpr std::size_t kCommentColumn = 48;

bool is_plain(std::string_view text) {
  const auto letter_or_digit = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  const auto harmless = [&](char c) { return letter_or_digit(c) || c == '_' || c == '/' || c == '.' || c == '-'; };
  return !text.empty() && letter_or_digit(text.front()) && std::ranges::all_of(text, harmless) &&
         to_lower(text) != "null";
}

std::string in_yaml(std::string_view text) {
  return is_plain(text) || text == "(secret)" ? std::string(text)
                                              : json::serialize(json::string_view(text.data(), text.size()));
}

std::string in_yaml(const json::value& value) {
  if (const json::string* text = value.if_string()) return in_yaml(as_view(*text));
  if (value.is_double()) return fmt::format("{}", value.get_double());  // 1 and not 1E0
  return json::serialize(value);                                        // JSON is YAML
}

// Settings are as deep as their structs, so this recursion is too.
void walk(const json::object& object, const std::string& path, std::size_t depth,
          const std::function<void(const SettingRow&)>& visit) {
  for (const auto& member : object) {
    const std::string inner = join_path(path, as_view(member.key()));
    const SettingRow row{depth, as_view(member.key()), inner, member.value()};
    visit(row);
    if (row.is_branch()) walk(member.value().get_object(), inner, depth + 1, visit);
  }
}

}  // namespace

void walk_settings(const json::object& settings, const std::function<void(const SettingRow&)>& visit) {
  walk(settings, {}, 0, visit);
}

std::string yaml_line(const SettingRow& row) {
  std::string line = fmt::format("{:{}}{}:", "", row.depth * 2, in_yaml(row.key));
  return row.is_branch() ? line : line + " " + in_yaml(row.value);
}

std::string show_yaml(const json::object& settings, const Origins& provenance) {
  std::string yaml;
  walk_settings(settings, [&](const SettingRow& row) {
    const std::string line = yaml_line(row);
    yaml += row.is_branch() ? line
                            : fmt::format("{:<{}}  # {}", line, kCommentColumn, provenance.of_value(row.path).where());
    yaml += '\n';
  });
  return yaml;
}

json::array show_json(const json::object& settings, const Origins& provenance) {
  json::array rows;
  walk_settings(settings, [&](const SettingRow& row) {
    if (!row.is_branch())
      rows.push_back({{"path", row.path}, {"value", row.value}, {"from", provenance.of_value(row.path).where()}});
  });
  return rows;
}

}  // namespace deputy::config
