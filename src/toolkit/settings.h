// What settings say of tools: by category, then by tool. A family of tools with settings of its own derives from
// CategorySettings and lists them beside the shared ones:
//
//   struct LogToolsSettings : toolkit::CategorySettings {
//     CoralogixSettings coralogix;
//     template <class Fields> static void fields(Fields& f) {
//       f.optional(&LogToolsSettings::coralogix, "coralogix", "Where Coralogix is, and the key to it");
//       f.template shared<toolkit::CategorySettings>();
//     }
//   };
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/fields.h"
#include "base/json.h"
#include "toolkit/spec.h"

namespace deputy::toolkit {

struct RateLimits {
  int per_minute = 60;
  int burst = 10;

  bool operator==(const RateLimits&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    using R = RateLimits;
    f.required(&R::per_minute, "per_minute", "How many calls of the tool may start in a minute").in_range(1, 6000);
    f.optional(&R::burst, "burst", "How many of them may start at once").in_range(1, 1000);
  }
};

/// What may be said of a tool for one environment: in place of what is said of it in general.
struct ToolOverrides {
  std::optional<bool> enabled;
  std::optional<int> timeout_seconds;
  json::object parameters;
  std::optional<RateLimits> rate_limits;

  template <class Fields>
  static void fields(Fields& f) {
    using O = ToolOverrides;
    f.optional(&O::enabled, "enabled", "Whether the tool may be used");
    f.optional(&O::timeout_seconds, "timeout_seconds", "How long one step of the tool may take, in seconds")
        .in_range(std::chrono::duration<double>(kShortestTimeout).count(),
                  std::chrono::duration<double>(kLongestTimeout).count());
    f.optional(&O::parameters, "parameters", "Arguments that a call has unless it gives its own");
    f.optional(&O::rate_limits, "rate_limits", "How often the tool may be called");
  }
};

struct ToolSettings : ToolOverrides {
  std::map<std::string, ToolOverrides> environments;

  template <class Fields>
  static void fields(Fields& f) {
    ToolOverrides::fields(f);
    f.optional(&ToolSettings::environments, "environments",
               "What differs for calls whose `environment` argument is that name");
  }
};

struct CategorySettings {
  std::optional<bool> enabled;
  std::string backend;
  std::map<std::string, ToolSettings> tools;

  /// Last in a family's own list: what no other field names is a tool.
  template <class Fields>
  static void fields(Fields& f) {
    using C = CategorySettings;
    f.optional(&C::enabled, "enabled", "Whether tools of this category may be used");
    f.optional(&C::backend, "backend", "Where tools of this category get their data");
    f.rest(&C::tools, "<tool>", "What holds for one tool");
  }
};

/// By the name of the category.
using ToolsSettings = std::map<std::string, CategorySettings, std::less<>>;

/// What holds for one call.
struct CallSettings {
  bool enabled = true;
  std::chrono::milliseconds timeout{};
  json::object arguments;  // as given, with the parameters of settings where it gives none
  std::optional<RateLimits> rate_limits;
  std::string rate_bucket;  // whose calls are counted together
};

/// Category, then tool, then the tool's overrides for the environment the call names. A category that is off is off for
/// all of its tools.
CallSettings settings_for(const ToolsSettings& settings, const ToolSpec& spec, const json::object& arguments);

/// Whether the tool may be used where no environment says otherwise, and if not, the setting that says so.
struct Enabled {
  bool yes = true;
  std::string setting;  // "tools.log_tools.enabled"
};
Enabled is_enabled(const ToolsSettings& settings, const ToolSpec& spec);

}  // namespace deputy::toolkit
