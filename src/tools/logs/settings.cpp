#include "tools/logs/settings.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "tools/backend_choice.h"
#include "tools/logs/files/find_files.h"

namespace deputy::tools {

void LogPathSettings::check(FieldReader& reader) const {
  const auto pattern = files::PathPattern::compile(path);
  if (!pattern) return reader.problem(pattern.error().message, pattern.error().hint);
  const auto once = [&](bool in_path, const std::string& given, const char* name) {
    if (in_path == given.empty()) return;
    reader.problem(in_path ? std::string("`") + name + "` is set twice: in the path and beside it"
                           : std::string("the path does not name the ") + name,
                   in_path ? std::string("leave `") + name + "` out" : std::string("set `") + name + "` beside it");
  };
  once(pattern->names_environment(), environment, "environment");
  once(pattern->names_service(), service, "service");
}

void LokiSettings::check_label(const std::string& label, FieldReader& reader) {
  const auto may_be_in = [](char c) { return is_letter_or_digit(c) || c == '_'; };
  if (!label.empty() && std::ranges::all_of(label, may_be_in) && !is_digit(label.front())) return;
  reader.problem("`" + cut_with_mark(label, 60) + "` is not the name of a label", "use letters, digits and _");
}

void LokiSettings::check_level_label(const std::string& label, FieldReader& reader) {
  if (!label.empty()) check_label(label, reader);
}

void ElasticsearchSettings::check(FieldReader& reader) const {
  const auto named = [&](const std::string& value, const char* name) {
    if (!trim(value).empty()) return;
    const FieldReader::Deeper inside(reader, name);
    reader.problem("it is empty", "leave it out for the usual name");
  };
  named(index, "index");
  named(time_field, "time_field");
  named(message_field, "message_field");
  named(service_field, "service_field");
  named(environment_field, "environment_field");
  named(level_field, "level_field");
}

void CoralogixSettings::check_region(const std::string& region, FieldReader& reader) {
  constexpr auto kRegions =
      std::to_array<std::string_view>({"ap1", "ap2", "ap3", "eu1", "eu2", "gov1", "us1", "us2", "us3"});
  if (region.empty() || contains(kRegions, region)) return;
  reader.problem("Coralogix has no region `" + cut_with_mark(region, 60) + "`",
                 "known here: " + list_names(std::vector<std::string>(kRegions.begin(), kRegions.end())) +
                     "; for another set `url`");
}

void CoralogixSettings::check_key(const std::string& key, FieldReader& reader) {
  const auto may_be_in = [](char c) { return is_letter_or_digit(c) || c == '_' || c == '.'; };
  const bool has_scope = key.starts_with("$l.") || key.starts_with("$d.") || key.starts_with("$m.");
  if (has_scope && key.size() > 3 && std::ranges::all_of(std::string_view(key).substr(3), may_be_in)) return;
  reader.problem("`" + cut_with_mark(key, 60) + "` is not a key of DataPrime",
                 "write it like $l.subsystemname or $d.kubernetes.namespace");
}

void LogGroupSettings::check(FieldReader& reader) const {
  const auto once = [&](std::string_view placeholder, const std::string& given, const char* name) {
    const std::size_t first = group.find(placeholder);
    const bool is_in = first != std::string::npos;
    if (is_in && group.find(placeholder, first + 1) != std::string::npos)
      reader.problem(std::string("the group names the ") + name + " twice", "leave one of them out");
    if (is_in == given.empty()) return;
    reader.problem(is_in ? std::string("`") + name + "` is set twice: in the group and beside it"
                         : std::string("the group does not name the ") + name,
                   is_in ? std::string("leave `") + name + "` out" : std::string("set `") + name + "` beside it");
  };
  once("{environment}", environment, "environment");
  once("{service}", service, "service");
}

void LogToolsSettings::check(FieldReader& reader) const {
  check_backend(backend, {"cloudwatch", "coralogix", "elasticsearch", "files", "loki"}, reader);
}

}  // namespace deputy::tools
