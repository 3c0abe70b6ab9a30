#include "toolkit/settings.h"

#include <gtest/gtest.h>

#include "support/results.h"
#include "support/sample_tools.h"
#include "toolkit/registry.h"

namespace deputy::toolkit {
namespace {

using namespace std::chrono_literals;

const test::World kWorld = std::make_shared<test::SampleWorld>();

/// A family's settings, as it would write them.
struct DocToolsSettings : CategorySettings {
  std::string address = "local";

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&DocToolsSettings::address, "address", "Where the notes are");
    f.template shared<CategorySettings>();
  }
};

template <class S>
S read_settings(std::string_view text) {
  FieldReader reader(FieldReader::Scalars::text, "setting");
  S settings;
  FieldCodec<S>::read_object(parse_json_object(text).value(), settings, reader);
  EXPECT_TRUE(reader.clean()) << describe(as_error(reader.take_problems()));
  return settings;
}

ToolsSettings doc_tools(std::string_view text) { return {{"doc_tools", read_settings<DocToolsSettings>(text)}}; }

constexpr std::string_view kAllShapes = R"({
  "backend": "files", "address": "elsewhere",
  "search_notes": {"timeout_seconds": "60", "parameters": {"limit": "7"}, "rate_limits": {"per_minute": "30", "burst": "5"},
                   "environments": {"prod": {"timeout_seconds": "120", "parameters": {"limit": "9"}, "rate_limits": {"per_minute": "6"}},
                                    "dev": {"enabled": "false"}}}})";

TEST(ToolSettings, AFamilyHasItsOwnBesideTheSharedOnes) {
  const auto settings = read_settings<DocToolsSettings>(kAllShapes);
  EXPECT_EQ(settings.address, "elsewhere");
  EXPECT_EQ(settings.backend, "files");
  ASSERT_TRUE(settings.tools.contains("search_notes"));
  EXPECT_EQ(settings.tools.at("search_notes").timeout_seconds, 60);
}

TEST(ToolSettings, OfACallAreThoseOfCategoryToolAndEnvironment) {
  const ToolsSettings settings = doc_tools(kAllShapes);
  const ToolSpec spec = test::search_notes(kWorld)->spec();
  const CallSettings plain = settings_for(settings, spec, {{"query", "slow"}});
  EXPECT_TRUE(plain.enabled);
  EXPECT_EQ(plain.timeout, 60s);
  EXPECT_EQ(plain.arguments, (json::object{{"query", "slow"}, {"limit", 7}}));
  EXPECT_EQ(plain.rate_limits, (RateLimits{30, 5}));
  EXPECT_EQ(plain.rate_bucket, "search_notes");
  const CallSettings prod = settings_for(settings, spec, {{"query", "slow"}, {"environment", "prod"}});
  EXPECT_EQ(prod.timeout, 120s);
  EXPECT_EQ(prod.arguments, (json::object{{"query", "slow"}, {"environment", "prod"}, {"limit", 9}}));
  EXPECT_EQ(prod.rate_limits, (RateLimits{6, 10}));
  EXPECT_EQ(prod.rate_bucket, "search_notes@prod");
  EXPECT_FALSE(settings_for(settings, spec, {{"environment", "dev"}}).enabled);
  const CallSettings staging = settings_for(settings, spec, {{"environment", "staging"}});
  EXPECT_EQ(staging.timeout, 60s);
  EXPECT_EQ(staging.rate_bucket, "search_notes");
}

TEST(ToolSettings, WhatACallGivesWinsAndNullIsNotGiven) {
  const ToolsSettings settings = doc_tools(kAllShapes);
  const ToolSpec spec = test::search_notes(kWorld)->spec();
  EXPECT_EQ(settings_for(settings, spec, {{"limit", 1}}).arguments, (json::object{{"limit", 1}}));
  EXPECT_EQ(settings_for(settings, spec, {{"limit", nullptr}}).arguments, (json::object{{"limit", 7}}));
}

TEST(ToolSettings, AnEnvironmentThatSettingsGiveCountsAsTheCalls) {
  const ToolsSettings settings = doc_tools(
      R"({"search_notes": {"parameters": {"environment": "prod"}, "environments": {"prod": {"timeout_seconds": "9"}}}})");
  EXPECT_EQ(settings_for(settings, test::search_notes(kWorld)->spec(), {}).timeout, 9s);
}

TEST(ToolSettings, ACategoryThatIsOffIsOffInEveryEnvironment) {
  const ToolsSettings settings = doc_tools(
      R"({"enabled": "false", "search_notes": {"enabled": "true", "environments": {"prod": {"enabled": "true"}}}})");
  const ToolSpec spec = test::search_notes(kWorld)->spec();
  EXPECT_FALSE(settings_for(settings, spec, {{"environment", "prod"}}).enabled);
}

TEST(ToolSettings, WithoutAnyTheSpecHolds) {
  const ToolSpec spec = test::search_notes(kWorld)->spec();
  const CallSettings call = settings_for({}, spec, {{"query", "slow"}});
  EXPECT_TRUE(call.enabled);
  EXPECT_EQ(call.timeout, 10s);
  EXPECT_EQ(call.rate_limits, std::nullopt);
}

struct Row {
  std::string name;
  std::string category;
  std::string text;
  std::vector<Problem> problems;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

class SettingsCheck : public testing::TestWithParam<Row> {};

TEST_P(SettingsCheck, FindsEveryProblem) {
  Registry registry;
  ASSERT_OK(registry.add(test::search_notes(kWorld)));
  ASSERT_OK(registry.add(test::restart_service(kWorld)));
  const ToolsSettings settings{{GetParam().category, read_settings<CategorySettings>(GetParam().text)}};
  EXPECT_EQ(check_settings(settings, registry, {"prod", "staging"}), GetParam().problems);
}

INSTANTIATE_TEST_SUITE_P(
    ToolSettings, SettingsCheck,
    testing::Values(
        Row{"Good",
            "doc_tools",
            R"({"search_notes": {"parameters": {"limit": "7"}, "environments": {"prod": {}}}})",
            {}},
        Row{"UnknownCategory",
            "dok_tools",
            "{}",
            {{"tools.dok_tools", "there is no category `dok_tools`; did you mean `doc_tools`?",
              "known here: " + list_names(known_categories())}}},
        Row{"UnknownTool",
            "doc_tools",
            R"({"serch_notes": {}})",
            {{"tools.doc_tools.serch_notes",
              "there is no tool in doc_tools `serch_notes`; did you mean `search_notes`?",
              "known here: `search_notes`"}}},
        Row{"AnyToolOfACategoryWithoutTools", "log_tools", R"({"search_logs": {"timeout_seconds": "60"}})", {}},
        Row{"ToolOfAnotherCategory",
            "doc_tools",
            R"({"restart_service": {}})",
            {{"tools.doc_tools.restart_service", "`restart_service` is not in doc_tools",
              "move it under tools.service_tools"}}},
        Row{"Alias",
            "doc_tools",
            R"({"find_notes": {}})",
            {{"tools.doc_tools.find_notes", "`find_notes` is another name of `search_notes`",
              "write tools.doc_tools.search_notes"}}},
        Row{"UnknownEnvironment",
            "doc_tools",
            R"({"search_notes": {"environments": {"prd": {}}}})",
            {{"tools.doc_tools.search_notes.environments.prd", "there is no environment `prd`; did you mean `prod`?",
              "known here: `prod` and `staging`"}}},
        Row{"ParametersThatBreakTheSchema",
            "doc_tools",
            R"({"search_notes": {"parameters": {"limit": "700"}, "environments": {"prod": {"parameters": {"lmit": "1"}}}}})",
            {{"tools.doc_tools.search_notes.parameters.limit", "this must be between 1 and 100, not 700", ""},
             {"tools.doc_tools.search_notes.environments.prod.parameters.lmit",
              "there is no parameter `lmit`; did you mean `limit`?",
              "known here: `query`, `limit` and `environment`"}}}),
    [](const auto& info) { return info.param.name; });

TEST(ToolSettings, ATimeoutIsOneTo300Seconds) {
  for (const std::string_view seconds : {"0", "301"}) {
    FieldReader reader(FieldReader::Scalars::text, "setting");
    ToolSettings settings;
    FieldCodec<ToolSettings>::read_object({{"timeout_seconds", json::string_view(seconds.data(), seconds.size())}},
                                          settings, reader);
    EXPECT_FALSE(reader.clean()) << seconds;
  }
}

}  // namespace
}  // namespace deputy::toolkit
