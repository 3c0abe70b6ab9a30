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
      {"count", "what belongs here: whole number, 0 to 100 (How many)"},
      {"mode", "what belongs here: one of `ask` and `allow` (How to decide)"},
      {"hosts", "what belongs here: list of text (Which hosts)"},
      {"hosts[3]", "what belongs here: text (Which hosts)"},
      {"log", "what belongs here: an object of `level` and `format`"},
      {"environments", "what belongs here: an object of names that you choose"},
      {"environments.prod", "what belongs here: list of text (Names)"},
      {"channels.slack.address", "what belongs here: text (Where Slack is)"},
      {"channels.slack", "what belongs here: an object of `bot_token` and `address`"},
      {"channels.C1", "what belongs here: an object of `mode` and `token`"},
      {"channels.C1.mode", "what belongs here: text (How it speaks)"},
      {"nowhere.at.all", "`deputy config reference` prints what may be written"},
      {"", "`deputy config reference` prints what may be written"},
  };
  for (const auto& [path, hint] : rows) EXPECT_EQ(what_belongs(path, docs), hint) << path;
}

TEST(WhatBelongs, IsAnObjectInAListOfThem) {
  const std::vector<FieldDoc> docs = describe_fields<RulesSample>();
  EXPECT_EQ(what_belongs("rules", docs), "what belongs here: list of objects (What is refused)");
  EXPECT_EQ(what_belongs("rules[2]", docs), "what belongs here: an object of `tool` and `deny`");
  EXPECT_EQ(what_belongs("rules[2].deny[0]", docs), "what belongs here: text (Patterns)");
}

}  // namespace
}  // namespace deputy::config
