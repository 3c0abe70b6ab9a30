// The ticket tools over the stand-in of Jira, through a real socket.
#include "tools/tickets/ticket_tools.h"

#include <gmock/gmock.h>

#include "net/client.h"
#include "support/atlassian.h"
#include "tools/call_tool.h"

namespace deputy::tools {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using Answer = toolkit::Looked::Answer;

class JiraTools : public testing::Test, public test::OnLoop {
 protected:
  JiraTools() {
    settings_.jira = {peer_.url() + "/", test::kAtlassianEmail, Secret(test::kAtlassianToken)};
    context_.call_id = "c1";
    context_.facts.run = "r-7";
    context_.facts.requester.person = "ana";
    context_.facts.approved_by = "bo";
    context_.begun_at = clock_.now();
  }
  TicketBackends backends() { return make_ticket_backends(settings_, http_, clock_, workers_); }
  std::shared_ptr<const toolkit::Tool> tool(const std::string& name) {
    for (const auto& one : ticket_tools(backends()))
      if (one->spec().name == name) return one;
    throw std::logic_error(name);
  }
  Result<std::string> call(const std::string& name, const json::object& arguments) {
    Result<toolkit::Output> output = await(test::call_chain(*tool(name), arguments));
    if (!output) return std::unexpected(output.error());
    return output->text;
  }
  toolkit::Link link_of(const std::string& name, const std::string& handler) {
    toolkit::Pipeline pipeline = tool(name)->compose(context_.arguments).value();
    return std::move(pipeline).take(handler).value();
  }
  /// One handler, with what the handlers before it said.
  Result<toolkit::Output> step(const std::string& name, const std::string& handler, const json::object& arguments) {
    context_.arguments = tool(name)->complete_arguments(arguments).value();
    toolkit::Link link = link_of(name, handler);
    const toolkit::Step step = await(link.handler.call(context_));
    if (const Error* error = std::get_if<Error>(&step)) return std::unexpected(*error);
    context_.outputs[handler] = std::get<toolkit::Output>(step);
    return context_.outputs[handler];
  }
  Answer look(const std::string& name, const std::string& handler) {
    toolkit::Link link = link_of(name, handler);
    const Result<toolkit::Looked> looked = await(link.handler.look(context_));
    EXPECT_OK(looked);
    return looked ? looked->answer : Answer::cannot_tell;
  }

  test::AtlassianPeer peer_{"jira.js"};
  SystemClock clock_;
  net::Client http_{loop_.get_executor(), {}};
  Workers workers_{"test", {.threads = 1}};
  TicketToolsSettings settings_;
  toolkit::CallContext context_;
};

TEST_F(JiraTools, SearchByWordsKeysAndJql) {
  const std::string text = *call("jira_search", {{"query", "payments"}});
  EXPECT_THAT(text, StartsWith("3 tickets for `payments`\n- NL-3 [Open, Bug, High]: Payments time out; Ana Lopez; "
                               "updated 2026-11-18 02:00:00 UTC " +
                               peer_.url() + "/browse/NL-3\n"));
  EXPECT_THAT(text, AllOf(HasSubstr("- NL-2 "), HasSubstr("; unassigned;"), HasSubstr("/issues/?jql=text")));
  EXPECT_THAT(*call("jira_search", {{"query", "payments"}, {"max_results", 2}}),
              AllOf(StartsWith("2 tickets for `payments`, and there are more\n"), Not(HasSubstr("- NL-1"))));
  EXPECT_THAT(*call("jira_search", {{"query", "nl-2"}}), HasSubstr("- NL-2 "));
  EXPECT_THAT(*call("jira_search", {{"query", "project = NL AND status = Done"}}), HasSubstr("- NL-1 "));
  EXPECT_THAT(*call("jira_search", {{"query", "nothing like it"}}), StartsWith("No ticket for `nothing like it`\n"));
  EXPECT_FAILS(call("jira_search", {{"query", "color = red"}}), invalid_input);
  EXPECT_THAT(*call("jira_search", {{"query", "payments"}, {"state", "open"}}),
              AllOf(StartsWith("2 open tickets for `payments`\n"), Not(HasSubstr("- NL-1"))));
  EXPECT_THAT(*call("jira_search", {{"query", "payments"}, {"state", "done"}}),
              StartsWith("1 done ticket for `payments`\n- NL-1 [Done"));
  EXPECT_FAILS(call("jira_search", {{"query", "project = NL"}, {"state", "open"}}), invalid_input);
}

TEST_F(JiraTools, ListOpenCves) {
  EXPECT_THAT(*call("jira_cve_tickets", {}),
              StartsWith("1 open ticket about CVEs\n- NL-2 [Open, Bug, High]: Payments fail for CVE-2026-20113 "
                         "(CVE-2026-20113); unassigned"));
}

TEST_F(JiraTools, ReadATicketWithItsLastComments) {
  const std::string text = *call("jira_get_ticket", {{"issue_key", "NL-3"}});
  EXPECT_THAT(text, StartsWith("NL-3 [Open]: Payments time out\nType: Bug\nPriority: High\nAssignee: Ana Lopez\n"));
  EXPECT_THAT(text, AllOf(HasSubstr("Parent: NL-1 Better payments\n"), HasSubstr("\nAbout Payments time out\n"),
                          HasSubstr("The last 5 of 6 comments:\n\n**Ana Lopez**, 2026-11-18 02:00:00 UTC:\nnote 2\n"),
                          Not(HasSubstr("note 1"))));
  const auto none = call("jira_get_ticket", {{"issue_key", "NL-99"}});
  ASSERT_FAILS(none, not_found);
  EXPECT_THAT(none.error().message, HasSubstr("may not see it"));
}

TEST_F(JiraTools, CreateATicketWhereThePreviewSays) {
  const json::object arguments{
      {"project", "nl"}, {"summary", "New"}, {"description", "# What\n- a **b**\n```\nx\n```"}, {"type", "bug"}};
  EXPECT_EQ(step("jira_create_ticket", "preview", arguments)->text,
            "Create a ticket of type Bug in NL (Northlight)\nNew\n");
  EXPECT_EQ(step("jira_create_ticket", "create", arguments)->text, "Created NL-4 " + peer_.url() + "/browse/NL-4");
  EXPECT_THAT(*call("jira_get_ticket", {{"issue_key", "NL-4"}}),
              AllOf(HasSubstr("# What\n\n- a **b**\n\n```\nx\n```"),
                    HasSubstr("Asked by ana, approved by bo, run r-7 (deputy-")));
}

TEST_F(JiraTools, RefuseTypesAndProjectsThatAreNotThere) {
  const auto type =
      call("jira_create_ticket", {{"project", "NL"}, {"summary", "x"}, {"description", "x"}, {"type", "Story"}});
  ASSERT_FAILS(type, invalid_input);
  EXPECT_THAT(type.error().hint, HasSubstr("`Task` and `Bug`"));
  EXPECT_FAILS(call("jira_create_ticket", {{"project", "XX"}, {"summary", "x"}, {"description", "x"}}), not_found);
  EXPECT_FAILS(call("jira_create_ticket", {{"project", "NL"}, {"summary", "x\ny"}, {"description", "x"}}),
               invalid_input);
}

TEST_F(JiraTools, FindATicketWhoseReplyWasLost) {
  const json::object arguments{{"project", "NL"}, {"summary", "LOSE this"}, {"description", "x"}};
  ASSERT_OK(step("jira_create_ticket", "preview", arguments));
  EXPECT_EQ(look("jira_create_ticket", "create"), Answer::not_done);
  EXPECT_FAILS(step("jira_create_ticket", "create", arguments), network);
  EXPECT_EQ(look("jira_create_ticket", "create"), Answer::done);
  context_.call_id = "c2";
  EXPECT_EQ(look("jira_create_ticket", "create"), Answer::not_done) << "another call has another mark";
}

TEST_F(JiraTools, CommentAndFindTheCommentAgain) {
  const json::object arguments{{"issue_key", "NL-2"}, {"text", "LOSE: see *logs*"}};
  EXPECT_EQ(step("jira_add_comment", "preview", arguments)->text,
            "Comment on NL-2 [Open]: Payments fail for CVE-2026-20113\n");
  EXPECT_EQ(look("jira_add_comment", "comment"), Answer::not_done);
  EXPECT_FAILS(step("jira_add_comment", "comment", arguments), network);
  EXPECT_EQ(look("jira_add_comment", "comment"), Answer::done);
}

TEST_F(JiraTools, DoNotCommentOnATicketThatMoved) {
  const json::object arguments{{"issue_key", "NL-2"}, {"text", "x"}};
  ASSERT_OK(step("jira_add_comment", "preview", arguments));
  context_.outputs["preview"].data["status"] = "Done";
  EXPECT_FAILS(step("jira_add_comment", "comment", arguments), conflict);
  context_.outputs["preview"].data["status"] = "Open";
  EXPECT_EQ(step("jira_add_comment", "comment", arguments)->text, "Commented on NL-2");
}

}  // namespace
}  // namespace deputy::tools
