// Effective settings for a person: YAML that reads back, with where each value came from beside it.
#pragma once

#include <functional>
#include <string>

#include "base/json.h"
#include "config/origin.h"

namespace deputy::config {

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

}  // namespace deputy::config
