// All tools of this process, by name and alias, and the check of settings against them. It knows which tools exist and
// which are turned off in settings; policy decides which a run may use, and the run knows which it has withdrawn.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "base/result.h"
#include "toolkit/settings.h"
#include "toolkit/tool.h"

namespace deputy::toolkit {

/// One line of `deputy tools list --json`.
struct ToolListing {
  std::string name;
  std::string description;
  std::string category;
  std::string effect;
  json::object params;  // as offered to models
  bool enabled = true;
  bool configured = true;
  std::string missing;  // the setting to add before it is configured

  template <class Fields>
  static void fields(Fields& f) {
    using L = ToolListing;
    f.required(&L::name, "name", "Its wire name");
    f.required(&L::description, "description", "What it does");
    f.required(&L::category, "category", "Its category");
    f.required(&L::effect, "effect", "read, write or by_arguments");
    f.required(&L::params, "params", "JSON Schema of its parameters");
    f.required(&L::enabled, "enabled", "True if settings allow it");
    f.required(&L::configured, "configured", "True if nothing is missing in settings");
    f.optional(&L::missing, "missing", "What to set before it is configured");
  }
};

class Registry {
 public:
  /// Refuses a tool that breaks a rule of check_spec, or whose name or alias is taken. The error lists every problem.
  Result<> add(std::shared_ptr<const Tool> tool);

  /// Looks up a tool by name or alias, on or off. For an unknown name the not_found error suggests the nearest name and
  /// lists the choices.
  Result<std::shared_ptr<const Tool>> find(std::string_view name) const;

  /// The same for a call: a tool that is off is an error too, and only tools that are on are suggested. Settings for
  /// one environment are applied later, by `settings_for`, which knows the arguments.
  Result<std::shared_ptr<const Tool>> find_enabled(std::string_view name, const ToolsSettings& settings) const;

  /// The tool's name for a name or an alias; `word` itself if unknown.
  std::string name_of(std::string_view word) const;

  /// Sorted by name, so that the tools' part of a prompt stays the same.
  std::vector<std::shared_ptr<const Tool>> tools() const;
  std::vector<std::shared_ptr<const Tool>> enabled_tools(const ToolsSettings& settings) const;
  std::vector<std::string> enabled_names(const ToolsSettings& settings) const;
  /// Those that are on, as requests are matched with them.
  std::vector<intent::KnownTool> known_tools(const ToolsSettings& settings) const;
  std::vector<ToolListing> list(const ToolsSettings& settings) const;
  std::size_t size() const { return tools_.size(); }

 private:
  std::map<std::string, std::shared_ptr<const Tool>, std::less<>> tools_;    // by name
  std::map<std::string, std::shared_ptr<const Tool>, std::less<>> by_word_;  // by name and alias
};

/// Checks the settings of tools against the registry, at start and on every reload. Reports every problem with its path
/// under `tools`: categories, tools and environments that do not exist, each with the nearest known name, and
/// parameters that break their tool's schema. Tool names are not checked in a category for which the registry has no
/// tools.
std::vector<Problem> check_settings(const ToolsSettings& settings, const Registry& registry,
                                    const std::vector<std::string>& environments);

}  // namespace deputy::toolkit
