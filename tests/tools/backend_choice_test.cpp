#include "tools/backend_choice.h"

#include <gmock/gmock.h>

#include "support/results.h"

namespace deputy::tools {
namespace {

using testing::HasSubstr;

struct ChoiceRow {
  std::string name;
  std::string usual;
  std::vector<std::string> set_up;
  std::string of_service;
  std::string chosen;  // empty: an error of this kind, with this in it
  ErrorKind kind = ErrorKind::internal;
  std::string says = {};
};
class BackendChoiceRule : public testing::TestWithParam<ChoiceRow> {};

TEST_P(BackendChoiceRule, TakesTheServicesThenTheFamilysThenTheOnlyOne) {
  const ChoiceRow& row = GetParam();
  Service service{.key = "shop"};
  if (!row.of_service.empty()) service.backends["logs"] = row.of_service;
  const BackendChoice choice{"logs", "log_tools", row.usual, "tools.log_tools.loki.url (LOKI_URL)"};
  const auto chosen = choose_backend(choice, row.set_up, &service);
  if (!row.chosen.empty()) {
    EXPECT_EQ(chosen, row.chosen);
    return;
  }
  ASSERT_FALSE(chosen.has_value());
  EXPECT_EQ(chosen.error().kind, row.kind);
  EXPECT_THAT(describe(chosen.error()), HasSubstr(row.says));
}
INSTANTIATE_TEST_SUITE_P(
    Rules, BackendChoiceRule,
    testing::Values(
        ChoiceRow{"ServiceFirst", "files", {"files", "loki"}, "loki", "loki"},
        ChoiceRow{"ThenFamily", "files", {"files", "loki"}, "", "files"},
        ChoiceRow{"ThenTheOnlyOne", "", {"loki"}, "", "loki"},
        ChoiceRow{"ElseItAsks", "", {"files", "loki"}, "", "", ErrorKind::invalid_input, "`files` and `loki`"},
        ChoiceRow{"NothingSetUp", "", {}, "", "", ErrorKind::not_configured, "set tools.log_tools.loki.url (LOKI_URL)"},
        ChoiceRow{"ServiceNamesOneThatIsNot",
                  "",
                  {"files"},
                  "loki",
                  "",
                  ErrorKind::not_configured,
                  "entry of `shop` names the backend `loki`"},
        ChoiceRow{"SettingsNameOneThatIsNot",
                  "loki",
                  {"files"},
                  "",
                  "",
                  ErrorKind::not_configured,
                  "tools.log_tools.backend names the backend `loki`"}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace deputy::tools
