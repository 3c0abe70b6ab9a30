#include "clients/aws/left_out.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace deputy::clients::aws {

namespace {

struct Signs {
  std::vector<std::string_view> keys;
  std::string_view name;
};

Signs signs_of(LeftOut way) {
  switch (way) {
    case LeftOut::single_sign_on:
      return {{"sso_session", "sso_start_url", "sso_account_id"}, "single sign-on"};
    case LeftOut::login:
      return {{"login_session"}, "`aws login`"};
    case LeftOut::process:
      break;
  }
  return {{"credential_process"}, "`credential_process`"};
}

}  // namespace

Result<> refuse(LeftOut way, const Profiles& profiles, std::string_view profile) {
  const Signs signs = signs_of(way);
  const bool asks =
      std::ranges::any_of(signs.keys, [&](std::string_view key) { return !profiles.value(profile, key).empty(); });
  if (!asks) return {};
  return fail(
      ErrorKind::not_configured,
      fmt::format("the AWS profile `{}` uses {}, which Deputy does not do", cut_with_mark(profile, 60), signs.name),
      "name a profile with keys or a role, or give keys in the environment");
}

}  // namespace deputy::clients::aws
