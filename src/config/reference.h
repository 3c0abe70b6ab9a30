// The settings reference, from the same lists that read the settings.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/fields.h"
#include "base/json.h"
#include "config/document.h"

namespace deputy::config {

/// A Markdown table: one row for each setting, in the order of the lists.
std::string reference_markdown(std::span<const FieldDoc> docs);

// The file that `deputy config init` writes: every setting with what it is and its default, commented out.

/// `defaults` is to_json of default settings. A line of prose is "# text"; a setting is "#" and then its YAML, so that
/// removing the "#" sets it.
std::string starter_yaml(const json::object& defaults, std::span<const FieldDoc> docs);

// Effective settings for a person: YAML that reads back, with where each value came from beside it.

/// One key of settings written as JSON: an object (its keys follow), or a value.
struct SettingRow {
  std::size_t depth = 0;
  std::string_view key;
  const std::string& path;
  const json::value& value;

  bool is_branch() const { return value.is_object() && !value.get_object().empty(); }
};

/// Every key of `settings`, objects before what is in them.
void walk_settings(const json::object& settings, const std::function<void(const SettingRow&)>& visit);

/// "  level: info", without a newline; "log:" for an object.
std::string yaml_line(const SettingRow& row);

/// `settings` is what to_json gives: secrets are hidden in it already.
std::string show_yaml(const json::object& settings, const Origins& provenance);

/// The same for programs: [{path, value, from}], a row for each value that is no object.
json::array show_json(const json::object& settings, const Origins& provenance);

// What to do about a problem that says only what is wrong: from what the lists of fields say of the place it is in.

/// What belongs at `path`; never empty.
std::string what_belongs(std::string_view path, std::span<const FieldDoc> docs);

}  // namespace deputy::config
