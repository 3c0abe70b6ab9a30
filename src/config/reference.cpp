#include "config/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/text.h"

namespace deputy::config {

namespace {

std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

std::string type_of(const FieldDoc& doc) {
  std::string type = doc.choices.empty() ? doc.type : fmt::format("{}: {}", doc.type, list_names(doc.choices));
  return doc.required ? type + ", required" : type;
}

std::string default_of(const FieldDoc& doc) {
  if (doc.default_value.is_null()) return {};
  if (const json::string* text = doc.default_value.if_string())
    return text->empty() ? "" : fmt::format("`{}`", as_view(*text));
  if (const double* number = doc.default_value.if_double()) return fmt::format("`{}`", *number);  // 1, not 1E0
  return fmt::format("`{}`", json::serialize(doc.default_value));
}

}  // namespace

std::string reference_markdown(std::span<const FieldDoc> docs) {
  std::string table = "| setting | what it is | type | default | variable |\n|---|---|---|---|---|\n";
  for (const FieldDoc& doc : docs) {
    table += fmt::format("| `{}` | {} | {} | {} | {} |\n", cell(doc.path), cell(doc.doc), cell(type_of(doc)),
                         cell(default_of(doc)), doc.variable.empty() ? "" : fmt::format("`{}`", doc.variable));
  }
  return table;
}

// The starter file.

namespace {

constexpr std::string_view kHead =
    "# Deputy's settings. Every line below is a default. To change one, remove the `#` before it and before the keys "
    "above it.\n"
    "# Write secrets by reference: env:NAME, file:PATH or cmd:COMMAND. `deputy config check` finds every problem.\n";

std::string in_words(const FieldDoc& doc) {
  return doc.choices.empty() ? doc.doc : fmt::format("{}: {}", doc.doc, list_names(doc.choices));
}

// The comment above the line of `path`: its description, and for a key with entries of one's own what each may contain.
std::string prose(std::span<const FieldDoc> docs, const std::string& path) {
  std::string text;
  for (const FieldDoc& doc : docs) {
    const std::string_view below = std::string_view(doc.path).substr(std::min(path.size(), doc.path.size()));
    if (!doc.path.starts_with(path) || !(below.empty() || below.starts_with(".<") || below.starts_with("[]"))) continue;
    const bool is_entry_itself = below.find('.', 1) == std::string_view::npos;  // "log.level", "environments.<name>"
    text += is_entry_itself ? fmt::format("# {}\n", in_words(doc)) : fmt::format("# {}: {}\n", doc.path, in_words(doc));
  }
  return text;
}

}  // namespace

std::string starter_yaml(const json::object& defaults, std::span<const FieldDoc> docs) {
  std::string text(kHead);
  walk_settings(defaults, [&](const SettingRow& row) {
    if (row.depth == 0) text += "\n";
    text += prose(docs, row.path);
    text += fmt::format("#{}\n", yaml_line(row));
  });
  return text;
}

// The effective settings.

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
  if (value.is_double()) return fmt::format("{}", value.get_double());  // 1, not 1E0
  return json::serialize(value);                                        // JSON is YAML
}

// Recursion is as deep as the structs of the settings.
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

// Hints for problems.

namespace {

using Keys = std::vector<std::string_view>;

// `hosts` for `hosts[2]` and for `hosts[]`.
std::string_view name_of(std::string_view key) { return key.substr(0, key.find('[')); }

bool is_open(std::string_view documented) { return documented.starts_with('<'); }

// The number of open keys needed to match `path` with the beginning of `documented`; nothing when it does not match.
std::optional<std::ptrdiff_t> open_keys(const Keys& path, const Keys& documented) {
  const bool begins = path.size() <= documented.size() &&
                      std::ranges::equal(path, std::span(documented).first(path.size()),
                                         [](std::string_view given, std::string_view known) {
                                           return is_open(known) || name_of(given) == name_of(known);
                                         });
  if (!begins) return std::nullopt;
  return std::ranges::count_if(std::span(documented).first(path.size()), is_open);
}

bool is_item(std::string_view key) { return key.ends_with(']'); }

std::string of_value(const FieldDoc& doc, std::string_view key) {
  constexpr std::string_view kList = "list of ";
  std::string_view type = doc.type;
  if (is_item(key) && type.starts_with(kList)) type.remove_prefix(kList.size());
  return fmt::format("expected: {} ({})", doc.choices.empty() ? std::string(type) : "one of " + list_names(doc.choices),
                     doc.doc);
}

std::string of_object(const std::vector<std::string>& names) {
  return fmt::format("expected: an object with {}",
                     names.empty() ? std::string("names that you choose") : list_names(names));
}

}  // namespace

std::string what_belongs(std::string_view path, std::span<const FieldDoc> docs) {
  constexpr std::string_view kElsewhere = "`deputy config reference` lists every setting";
  if (path.empty()) return std::string(kElsewhere);
  const Keys keys = split(path, ".");
  const FieldDoc* value = nullptr;
  std::vector<std::string> inside;  // the names of an object
  bool is_object = false;
  auto fewest_open = static_cast<std::ptrdiff_t>(keys.size()) + 1;  // a documented key wins over an open one
  for (const FieldDoc& doc : docs) {
    const Keys documented = split(doc.path, ".");
    const std::optional<std::ptrdiff_t> open = open_keys(keys, documented);
    if (!open || *open > fewest_open) continue;
    if (*open < fewest_open) {
      fewest_open = *open;
      value = nullptr;
      inside.clear();
      is_object = false;
    }
    if (documented.size() == keys.size()) {
      value = &doc;
      continue;
    }
    is_object = true;
    const std::string name(name_of(documented[keys.size()]));
    if (!is_open(name) && !contains(inside, name)) inside.push_back(name);
  }
  const bool is_object_in_a_list = is_object && is_item(keys.back());
  if (value != nullptr && !is_object_in_a_list) return of_value(*value, keys.back());
  return is_object ? of_object(inside) : std::string(kElsewhere);
}

}  // namespace deputy::config
