// Texts generated from the same field lists that read the settings: the reference, the starter file, the effective
// settings, and hints for problems.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/fields.h"
#include "base/json.h"
#include "config/document.h"

namespace deputy::config {

/// A Markdown table with one row per setting, in the order of the lists.
std::string reference_markdown(std::span<const FieldDoc> docs);

/// The file that `deputy config init` writes: every setting with its description and default, commented out. `defaults`
/// is to_json of default settings. A line of prose is "# text"; a setting is "#" and then its YAML, so that removing
/// the "#" sets it.
std::string starter_yaml(const json::object& defaults, std::span<const FieldDoc> docs);

/// One key of settings written as JSON: an object (its keys follow), or a value.
struct SettingRow {
  std::size_t depth = 0;
  std::string_view key;
  const std::string& path;
  const json::value& value;

  bool is_branch() const { return value.is_object() && !value.get_object().empty(); }
};

/// Visits every key of `settings`, objects before their contents.
void walk_settings(const json::object& settings, const std::function<void(const SettingRow&)>& visit);

/// "  level: info", without a newline; "log:" for an object.
std::string yaml_line(const SettingRow& row);

/// The effective settings as YAML that can be read back, with the origin of each value beside it. `settings` comes from
/// to_json, which hides secrets.
std::string show_yaml(const json::object& settings, const Origins& provenance);

/// The same for programs: [{path, value, from}], one row for each value that is not an object.
json::array show_json(const json::object& settings, const Origins& provenance);

/// A hint for a problem without one: what is expected at `path`, from the field lists; never empty.
std::string what_belongs(std::string_view path, std::span<const FieldDoc> docs);

}  // namespace deputy::config
