// The AWS files of a person or a machine, ~/.aws/credentials and ~/.aws/config, as data. Reading them is bounded and
// never blocks.
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

/// The profiles by name; when a section occurs twice, the later keys win. Indented lines belong to settings of single
/// services and are skipped. Errors give the line number, never its content.
Result<Sections> parse_profiles(std::string_view text, ProfileFile file);

struct Profiles {
  Sections credentials;
  Sections config;
  std::string chosen;     // the profile in use
  bool is_named = false;  // set explicitly; otherwise it is `default`, which need not exist

  bool has(std::string_view profile) const;
  /// The value of a key of this profile, from the credentials file first; empty when there is none.
  std::string value(std::string_view profile, std::string_view key) const;
};

/// Reads AWS_SHARED_CREDENTIALS_FILE and AWS_CONFIG_FILE, else the usual files below HOME. A missing file counts as
/// empty. A named profile that does not exist is an error of kind `not_configured`.
Result<Profiles> read_profiles(const config::Environment& environment, const Settings& settings);

/// The region from settings, else AWS_DEFAULT_REGION, else the profile; an error of kind `not_configured` when none is
/// set.
Result<std::string> find_region(const config::Environment& environment, const Settings& settings);

}  // namespace deputy::clients::aws
