// Settings of tools, by category and tool. A family of tools with its own settings derives from CategorySettings and
// lists them next to the shared ones:
//
//   struct LogToolsSettings : toolkit::CategorySettings {
//     CoralogixSettings coralogix;
//     template <class Fields> static void fields(Fields& f) {
//       f.optional(&LogToolsSettings::coralogix, "coralogix", "Where Coralogix is, and its key");
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

/// Settings of a tool that one environment may override.
struct ToolOverrides {
  std::optional<bool> enabled;
  std::optional<int> timeout_seconds;
  json::object parameters;
  std::optional<RateLimits> rate_limits;

  template <class Fields>
  static void fields(Fields& f) {
    using O = ToolOverrides;
    f.optional(&O::enabled, "enabled", "Turns the tool on or off");
    f.optional(&O::timeout_seconds, "timeout_seconds", "How long one step of the tool may take, in seconds")
        .in_range(std::chrono::duration<double>(kShortestTimeout).count(),
                  std::chrono::duration<double>(kMaxTimeout).count());
    f.optional(&O::parameters, "parameters", "Default arguments of a call");
    f.optional(&O::rate_limits, "rate_limits", "How often the tool may be called");
  }
};

struct ToolSettings : ToolOverrides {
  std::map<std::string, ToolOverrides> environments;

  template <class Fields>
  static void fields(Fields& f) {
    ToolOverrides::fields(f);
    f.optional(&ToolSettings::environments, "environments",
               "Overrides for calls whose `environment` argument has this name");
  }
};

struct CategorySettings {
  std::optional<bool> enabled;
  std::string backend;
  std::map<std::string, ToolSettings> tools;

  /// Last in a family's own list: any key that no other field names is a tool.
  template <class Fields>
  static void fields(Fields& f) {
    using C = CategorySettings;
    f.optional(&C::enabled, "enabled", "Turns the tools of this category on or off");
    f.optional(&C::backend, "backend", "Where tools of this category get their data");
    f.rest(&C::tools, "<tool>", "Settings of one tool");
  }
};

/// Keyed by category.
using ToolsSettings = std::map<std::string, CategorySettings, std::less<>>;

/// The settings for one call.
struct CallSettings {
  bool enabled = true;
  std::chrono::milliseconds timeout{};
  json::object arguments;  // as given, plus defaults from settings
  std::optional<RateLimits> rate_limits;
  std::string rate_bucket;  // calls with the same bucket are counted together
};

/// Applies the category, then the tool, then the tool's overrides for the call's environment. Turning a category off
/// turns off all its tools.
CallSettings settings_for(const ToolsSettings& settings, const ToolSpec& spec, const json::object& arguments);

/// Says if the tool is on when no environment overrides it, and if not, which setting turned it off.
struct Enabled {
  bool yes = true;
  std::string setting;  // "tools.log_tools.enabled"
};
Enabled is_enabled(const ToolsSettings& settings, const ToolSpec& spec);

}  // namespace deputy::toolkit
