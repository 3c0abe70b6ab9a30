// Builders for the tests of policy: settings from text, people, places and calls with names.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "policy/check.h"
#include "policy/identity.h"
#include "policy/policy.h"
#include "policy/settings.h"

namespace deputy::test {}
namespace deputy::policy::test {
using namespace deputy::test;  // `test::` means both here

/// What the tests know beside settings: three environments, a few categories and tools.
Known known();

/// Reads settings from JSON and checks them; problems come as "path: message".
std::vector<std::string> problems_of(std::string_view text);
Settings settings(std::string_view text);
Policy policy(std::string_view text);

/// ana and bo are joined on two platforms; cy, and everyone else, is an account of its own.
constexpr std::string_view kPeople =
    R"("people": {"ana": {"slack": "T1/U1", "telegram": "42", "email": "ana@example.com"},
                                                   "bo": {"slack": "T1/U2", "telegram": "43"}})";
/// { people, then `rest` }.
std::string with_people(std::string_view rest);

Identity member(std::string_view id, std::set<std::string> groups = {});  // of the platform "slack"
Identity ana();
Identity bo();
Identity cy();
Identity ana_on_telegram();
Identity guest();
Identity outsider();
Identity bot();
Identity local_user();
Identity service(std::set<std::string> roles = {});
Identity deactivated(Identity identity);
Identity in_group(Identity identity);  // "S1"

Place channel(std::string_view id = "C1");
Place direct_message();
Place terminal();
Place telegram();

/// A read of log_tools, a write of pipeline_tools, a shell command.
Call search_logs(std::optional<std::string> environment = "prod");
Call run_pipeline(std::optional<std::string> environment = "prod");
Call shell(std::string_view command);
/// A call with only this value, of the primary parameter.
Call call_of(std::string_view tool, std::string_view value, ValueKind kind = ValueKind::plain);

template <class Param>
std::string name_of(const testing::TestParamInfo<Param>& info) {
  return info.param.name;
}

}  // namespace deputy::policy::test

namespace deputy::policy {
struct Ruling;
void PrintTo(const Ruling& ruling, std::ostream* out);
}  // namespace deputy::policy
