#include <gtest/gtest.h>

#include "config/reference.h"
#include "config/sample_settings.h"

namespace deputy::config {
namespace {

struct RuleSample {
  std::string tool;
  std::vector<std::string> deny;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&RuleSample::tool, "tool", "Which tool");
    f.optional(&RuleSample::deny, "deny", "Patterns");
  }
};

struct RulesSample {
  std::vector<RuleSample> rules;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&RulesSample::rules, "rules", "What is refused");
  }
};

TEST(WhatBelongs, IsSaidOfEveryPlace) {
  const std::vector<FieldDoc> docs = describe_fields<test::SampleSettings>();
  const std::vector<std::pair<std::string, std::string>> rows{
      {"count", "expected: whole number, 0 to 100 (How many)"},
      {"mode", "expected: one of `ask` and `allow` (How to decide)"},
      {"hosts", "expected: list of text (Which hosts)"},
      {"hosts[3]", "expected: text (Which hosts)"},
      {"log", "expected: an object with `level` and `format`"},
      {"environments", "expected: an object with names that you choose"},
      {"environments.prod", "expected: list of text (Names)"},
      {"channels.slack.address", "expected: text (Where Slack is)"},
      {"channels.slack", "expected: an object with `bot_token` and `address`"},
      {"channels.C1", "expected: an object with `mode` and `token`"},
      {"channels.C1.mode", "expected: text (How it speaks)"},
      {"nowhere.at.all", "`deputy config reference` lists every setting"},
      {"", "`deputy config reference` lists every setting"},
  };
  for (const auto& [path, hint] : rows) EXPECT_EQ(what_belongs(path, docs), hint) << path;
}

TEST(WhatBelongs, IsAnObjectInAListOfThem) {
  const std::vector<FieldDoc> docs = describe_fields<RulesSample>();
  EXPECT_EQ(what_belongs("rules", docs), "expected: list of objects (What is refused)");
  EXPECT_EQ(what_belongs("rules[2]", docs), "expected: an object with `tool` and `deny`");
  EXPECT_EQ(what_belongs("rules[2].deny[0]", docs), "expected: text (Patterns)");
}

}  // namespace
}  // namespace deputy::config
