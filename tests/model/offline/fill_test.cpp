// How parameters are filled: by name and type from what the intent names, never by a guess.
#include "model/offline/fill.h"

#include <gtest/gtest.h>

#include "model/offline/world.h"

namespace deputy::model::offline {
namespace {

intent::Intent known() {
  intent::Intent intent;
  intent.type = intent::IntentType::fetch;
  intent.confidence = 0.9;
  intent.parameters.services = {"checkout"};
  intent.parameters.environment = "prod";
  intent.parameters.time_range = {parse_timestamp("2026-11-15T02:00:00Z").value(),
                                  parse_timestamp("2026-11-15T04:00:00Z").value(), 3, "around three"};
  intent.parameters.ticket_ids = {"OPS-1"};
  intent.parameters.pr_ids = {"45"};
  intent.parameters.incident_ids = {"PT4KHLK"};
  intent.parameters.urls = {"https://a.example/x"};
  return intent;
}

std::string filled(std::string_view parameters, std::string request, const intent::Intent& intent = known(),
                   std::string name = "some_tool") {
  const ToolDescription described = tool(std::move(name), "Does something", parameters);
  const Filled result = fill(described, read_conversation(ask(std::move(request), intent, {described})));
  std::string line = canonical_json(result.arguments);
  for (const Missing& missing : result.missing) line += " -" + missing.parameter.name;
  return line;
}

TEST(OfflineFill, NamesAndTypesTellWhatAParameterIs) {
  struct Row {
    std::string_view parameters;
    std::string_view expected;
  };
  for (const Row& row : std::initializer_list<Row>{
           {"service*", R"({"service":"checkout"})"},
           {"serviceName*", R"({"serviceName":"checkout"})"},
           {"services:array*", R"({"services":["checkout"]})"},
           {"env*", R"({"env":"prod"})"},
           {"environment* production|staging", R"({"environment":"production"})"},
           {"environment* blue|green", R"({} -environment)"},
           {"hours_back:integer", R"({"hours_back":3})"},
           {"since_hours:integer", R"({"since_hours":3})"},
           {"days:integer", R"({"days":1})"},
           {"lookback_minutes:integer", R"({"lookback_minutes":180})"},
           {"from:date-time, to:date-time, hours_back:integer",
            R"({"from":"2026-11-15T02:00:00.000Z","to":"2026-11-15T04:00:00.000Z"})"},
           {"start_time, end_time",
            R"({"end_time":"2026-11-15T04:00:00.000Z","start_time":"2026-11-15T02:00:00.000Z"})"},
           {"start:integer, end:integer", "{}"},
           {"issue_key*", R"({"issue_key":"OPS-1"})"},
           {"pr_id:integer*", R"({"pr_id":45})"},
           {"pr_number*", R"({"pr_number":"45"})"},
           {"incident_id*", R"({"incident_id":"PT4KHLK"})"},
           {"url*", R"({"url":"https://a.example/x"})"},
           {"repo*", R"({"repo":"checkout"})"},
           {"dry_run:boolean, issue_type", "{}"},
           {"force:boolean*", "{} -force"},
           {"task_id*", "{} -task_id"},
       }) {
    EXPECT_EQ(filled(row.parameters, "how is it"), row.expected) << row.parameters;
  }
}

TEST(OfflineFill, ABareIdIsThatOfWhatTheToolIsAbout) {
  EXPECT_EQ(filled("id*", "read it", known(), "get_ticket"), R"({"id":"OPS-1"})");
  EXPECT_EQ(filled("id*", "read it", known(), "incident_details"), R"({"id":"PT4KHLK"})");
  EXPECT_EQ(filled("name*", "read it", known(), "get_service"), R"({"name":"checkout"})");
  EXPECT_EQ(filled("id*", "read it", known(), "get_thing"), "{} -id");
}

TEST(OfflineFill, TheRequestsOwnWordsFillTheRest) {
  const intent::Intent none;
  struct Row {
    std::string_view parameters;
    std::string_view request;
    std::string_view expected;
  };
  for (const Row& row : std::initializer_list<Row>{
           {"pipeline_id*", "why did pipeline 812 fail", R"({"pipeline_id":"812"})"},
           {"pipeline_id:integer*", "why did pipeline #812 fail", R"({"pipeline_id":812})"},
           {"alarm_name*", "mute the high-cpu alarm", R"({"alarm_name":"high-cpu"})"},
           {"project*", "a ticket in project OPS", R"({"project":"OPS"})"},
           {"limit:integer", "the last 20 errors", R"({"limit":20})"},
           {"limit:integer", "errors of the last 20 minutes", "{}"},
           {"limit:integer, ref*", "limit=7 ref=main", R"({"limit":7,"ref":"main"})"},
           {"channel*", "post in #ops-alerts", R"({"channel":"#ops-alerts"})"},
           {"channel*", "post in <#C12345|ops>", R"({"channel":"C12345"})"},
           {"path*", "read src/main.cpp", R"({"path":"src/main.cpp"})"},
           {"command*", "run `ls -l /tmp`", R"({"command":"ls -l /tmp"})"},
           {"state ok|alarm", "which are in alarm", R"({"state":"alarm"})"},
           {"description*", "it is slow", R"({"description":"it is slow"})"},
           {"title*", "file a ticket about the login page", R"({"title":"the login page"})"},
           {"query*", "show me", "{} -query"},
           {"service*", "any long-running queries?", "{} -service"},
           {"service*", "restart it", "{} -service"},
       }) {
    EXPECT_EQ(filled(row.parameters, std::string(row.request), none), row.expected) << row.request;
  }
}

TEST(OfflineFill, AnEnvironmentIsNeverGuessed) {
  intent::Intent given;
  given.type = intent::IntentType::fetch;
  given.confidence = 1;
  // Who made the intent knows the environments, and this is none of them.
  EXPECT_EQ(filled("environment*", "errors in live", given), "{} -environment");
  const auto alone = [](std::string request) {
    const ToolDescription described = tool("x", "X", "environment*");
    return canonical_json(fill(described, read_conversation(ask(std::move(request), {described}))).arguments);
  };
  EXPECT_EQ(alone("errors in staging"), R"({"environment":"staging"})");
  EXPECT_EQ(alone("errors in prod and staging"), "{}");
  EXPECT_EQ(alone("the dev team saw errors"), "{}");
  EXPECT_EQ(alone("errors but not in prod"), "{}");
  EXPECT_EQ(alone("errors"), "{}");
}

TEST(OfflineFill, NumbersStayWithinTheSchema) {
  const ToolDescription described{"x", "X",
                                  parse_json_object(R"({"properties":{"hours_back":{"type":"integer",
      "maximum":2},"limit":{"type":"integer","minimum":10}}})")
                                      .value()};
  intent::Intent intent = known();
  const Filled result = fill(described, read_conversation(ask("the last 5 errors", intent, {described})));
  EXPECT_EQ(canonical_json(result.arguments), R"({"hours_back":2,"limit":10})");
}

TEST(OfflineFill, SchemasOfOtherGeneratorsAreRead) {
  const ToolDescription described{"x", "X",
                                  parse_json_object(R"({"properties":{
      "service":{"anyOf":[{"type":"null"},{"type":"string"}]},"environment":{"type":["string","null"],"enum":["prod",null]},
      "mode":{"const":"fast"},"odd":7},"required":["service","mode","unlisted",3]})")
                                      .value()};
  const Filled result = fill(described, read_conversation(ask("how is it", known(), {described})));
  EXPECT_EQ(canonical_json(result.arguments), R"({"environment":"prod","mode":"fast","service":"checkout"})");
  ASSERT_EQ(result.missing.size(), 1U);
  EXPECT_EQ(result.missing[0].parameter.name, "unlisted");
}

}  // namespace
}  // namespace deputy::model::offline
