// The settings of ticket and doc tools, seen in calls made by hand and in `doctor`, through the real program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/program.h"
#include "support/atlassian.h"

namespace deputy {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

class AtlassianSettingsAtWork : public testing::Test {
 protected:
  std::string call(const std::string& tool, const std::string& arguments) const {
    const ProcessEnd end = deputy_.run({"tools", "call", tool, arguments});
    return end.output + end.errors;
  }
  std::string doctor() const { return deputy_.run({"doctor"}).output; }

  test::Program deputy_;
};

TEST_F(AtlassianSettingsAtWork, OneAccountReachesJiraAndConfluence) {
  const test::AtlassianPeer jira("jira.js");
  const test::AtlassianPeer confluence("confluence.js");
  deputy_.variables["JIRA_URL"] = jira.url();
  deputy_.variables["JIRA_EMAIL"] = test::kAtlassianEmail;
  deputy_.variables["JIRA_API_TOKEN"] = test::kAtlassianToken;
  deputy_.variables["CONFLUENCE_URL"] = confluence.url() + "/wiki";
  EXPECT_THAT(call("jira_get_ticket", R"({"issue_key": "NL-3"})"), HasSubstr("NL-3 [Open]: Payments time out"));
  EXPECT_THAT(call("list_confluence_spaces", "{}"), HasSubstr("- OPS: Operations"));
  EXPECT_THAT(doctor(), ContainsRegex("tickets +ok +Jira at http://127[^ ]* as Ana Lopez"));
  EXPECT_THAT(doctor(), ContainsRegex("docs +ok +Confluence at http://127[^ ]* as Ana Lopez"));
  deputy_.variables["JIRA_API_TOKEN"] = "another";
  EXPECT_THAT(call("jira_get_ticket", R"({"issue_key": "NL-3"})"), HasSubstr("Jira answered 401"));
  EXPECT_THAT(call("list_confluence_spaces", "{}"), HasSubstr("Confluence answered 401"));
}

TEST_F(AtlassianSettingsAtWork, TicketsMayBeInAFile) {
  EXPECT_THAT(call("jira_search", R"({"query": "x"})"), HasSubstr("JIRA_URL"));
  deputy_.write_user("tools: {ticket_tools: {files: {file: /nowhere/tickets.json}}}\n");
  EXPECT_THAT(call("jira_search", R"({"query": "x"})"), HasSubstr("there is no file"));
  deputy_.write_user("tools: {ticket_tools: {backend: trello}}\n");
  EXPECT_THAT(deputy_.run({"config", "check"}).output, HasSubstr("there is no backend `trello` for these tools"));
}

}  // namespace
}  // namespace deputy
