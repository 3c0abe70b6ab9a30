// The AWS files of a person or a machine, ~/.aws/credentials and ~/.aws/config, as data. Reading them is bounded and
// never waits.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "clients/aws/settings.h"
#include "config/paths.h"

namespace deputy::clients::aws {

using Section = std::map<std::string, std::string, std::less<>>;
using Sections = std::map<std::string, Section, std::less<>>;

enum class ProfileFile {
  credentials,  // [name]
  config,       // [profile name], and [default]
};

/// The sections that are profiles, by name; of one that stands twice the later keys win. Lines that are indented belong
/// to settings of single services and are left out. Errors name the line, never what it holds.
Result<Sections> parse_profiles(std::string_view text, ProfileFile file);

struct Profiles {
  Sections credentials;
  Sections config;
  std::string chosen;     // the profile in use
  bool is_named = false;  // somebody named it; otherwise it is `default`, which need not be there

  bool has(std::string_view profile) const;
  /// The value of a key of this profile, of the credentials file first; empty when there is none.
  std::string value(std::string_view profile, std::string_view key) const;
};

/// AWS_SHARED_CREDENTIALS_FILE and AWS_CONFIG_FILE, else the usual ones below HOME. A file that is not there is empty.
/// A profile that was named and is nowhere is an error of kind `not_configured`.
Result<Profiles> read_profiles(const config::Environment& environment, const Settings& settings);

/// Settings, else AWS_DEFAULT_REGION, else the profile's; an error of kind `not_configured` when none says one.
Result<std::string> find_region(const config::Environment& environment, const Settings& settings);

}  // namespace deputy::clients::aws
