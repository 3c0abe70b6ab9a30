// All tools of this process, by name and alias. It knows what exists and what settings turn off; which tools a run may
// use is policy's to say, and what a run has withdrawn is the run's.
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
  json::object params;  // as models are offered them
  bool enabled = true;
  bool configured = true;
  std::string missing;  // what to set before it is configured

  template <class Fields>
  static void fields(Fields& f) {
    using L = ToolListing;
    f.required(&L::name, "name", "Its wire name");
    f.required(&L::description, "description", "What it does");
    f.required(&L::category, "category", "Its category");
    f.required(&L::effect, "effect", "read, write or by_arguments");
    f.required(&L::params, "params", "JSON Schema of its parameters");
    f.required(&L::enabled, "enabled", "Whether settings let it be used");
    f.required(&L::configured, "configured", "Whether it has what it needs");
    f.optional(&L::missing, "missing", "What to set before it is configured");
  }
};

class Registry {
 public:
  /// Refuses a tool that breaks the rules of check_spec, or whose name or alias is taken; the error names all of it.
  Result<> add(std::shared_ptr<const Tool> tool);

  /// By name or alias, on or off. Unknown: an error of kind not_found that says what was probably meant and what there
  /// is.
  Result<std::shared_ptr<const Tool>> find(std::string_view name) const;

  /// The same, for a call: a tool that is off is an error too, and the choices named are those that are on. Settings
  /// for one environment are looked at by `settings_for`, which knows the arguments.
  Result<std::shared_ptr<const Tool>> find_enabled(std::string_view name, const ToolsSettings& settings) const;

  /// The name of the tool that `word`, its name or an alias, stands for; `word` where there is none.
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

}  // namespace deputy::toolkit
