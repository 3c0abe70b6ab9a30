// Ways to credentials that Deputy does not go, by the keys of a profile that ask for them. Inside this folder only.
#pragma once

#include <array>
#include <string_view>

#include "clients/aws/profiles.h"

namespace deputy::clients::aws {

enum class LeftOut { single_sign_on, login, process };

inline constexpr std::array kAllLeftOut{LeftOut::single_sign_on, LeftOut::login, LeftOut::process};

/// An error of kind `not_configured` when the profile asks for it: it must not silently fall through to another
/// identity, such as the machine's own role.
Result<> refuse(LeftOut way, const Profiles& profiles, std::string_view profile);

}  // namespace deputy::clients::aws
