// The doc tools over the stand-in of Confluence, through a real socket.
#include "tools/docs/doc_tools.h"

#include <gmock/gmock.h>

#include "net/client.h"
#include "support/atlassian.h"
#include "support/manual_clock.h"
#include "support/vendor_errors.h"
#include "tools/call_tool.h"

namespace deputy::tools {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

class ConfluenceTools : public testing::Test, public test::OnLoop {
 protected:
  Result<std::string> call(const std::string& name, const json::object& arguments) {
    const clients::atlassian::Settings account{peer_.url(), test::kAtlassianEmail, Secret(test::kAtlassianToken)};
    for (const auto& tool : doc_tools(make_doc_backends({}, account, http_, clock_))) {
      if (tool->spec().name != name) continue;
      Result<toolkit::Output> output = await(test::call_chain(*tool, arguments));
      if (!output) return std::unexpected(output.error());
      return output->text;
    }
    return fail(ErrorKind::internal, "no such tool");
  }

  test::AtlassianPeer peer_{"confluence.js"};
  SystemClock clock_;
  net::Client http_{loop_.get_executor(), {}};
};

TEST_F(ConfluenceTools, SearchPages) {
  EXPECT_EQ(*call("search_confluence", {{"query", "payment gateway"}}),
            "1 page for `payment gateway`\n- The payment gateway does not answer (id 98306) in Operations, updated "
            "2026-11-18 09:00:00 UTC by Ana Lopez: about the payment gateway & more "
            "https://example.atlassian.net/wiki/spaces/OPS/pages/98306\n");
  EXPECT_THAT(*call("search_confluence", {{"query", "payment"}, {"limit", 1}}), HasSubstr("raise `limit`"));
  EXPECT_THAT(*call("search_confluence", {{"query", "payment"}, {"space_key", "HR"}}),
              AllOf(StartsWith("1 page for `payment` in the space HR\n"), HasSubstr("98307")));
  EXPECT_THAT(*call("search_confluence", {{"query", "zebra"}}), StartsWith("No page for `zebra`"));
  const auto nowhere = call("search_confluence", {{"query", "payment"}, {"space_key", "NO"}});
  ASSERT_FAILS(nowhere, invalid_input);
  EXPECT_THAT(nowhere.error().hint, HasSubstr("list_confluence_spaces"));
  EXPECT_FAILS(call("search_confluence", {{"query", "?"}}), invalid_input);
}

TEST_F(ConfluenceTools, ReadAPageAsMarkdown) {
  const std::string expected =
      "The payment gateway does not answer\nUpdated 2026-11-18 09:00:00 UTC\n"
      "https://example.atlassian.net/wiki/spaces/OPS/pages/98306\n\nLook at the **errors** & call payments.\n\n"
      "```bash\ngrep \"<timeout>\" app.log\n```\n\n[macro `jira` left out]\n";
  EXPECT_EQ(*call("get_confluence_page", {{"page_id", "98306"}}), expected);
  EXPECT_EQ(
      *call("get_confluence_page", {{"page_id", "https://example.atlassian.net/wiki/spaces/OPS/pages/98306/Payment"}}),
      expected);
  EXPECT_FAILS(call("get_confluence_page", {{"page_id", "1"}}), not_found);
  EXPECT_FAILS(call("get_confluence_page", {{"page_id", "../x"}}), invalid_input);
}

TEST_F(ConfluenceTools, ListSpacesOfAllPages) {
  EXPECT_EQ(*call("list_confluence_spaces", {}),
            "2 spaces\n- HR: People\n- OPS: Operations\n1 space of people left out\n");
}

TEST_F(ConfluenceTools, ListWhatChanged) {
  EXPECT_THAT(*call("recent_confluence_updates", {}),
              AllOf(StartsWith("2 pages changed in the last 7 days\n- The payment"), HasSubstr(" by Ana Lopez "),
                    Not(HasSubstr("& more"))));
  EXPECT_THAT(*call("recent_confluence_updates", {{"space_key", "OPS"}}),
              StartsWith("1 page changed in the last 7 days in the space OPS\n"));
}

TEST(ConfluenceErrors, EachHasACategoryAndAHint) {
  const test::ManualClock clock;
  const clients::atlassian::Settings account{"https://example.atlassian.net", "a@example.com",
                                             Secret(std::string(test::kVendorToken))};
  const auto search = [&](net::HttpClient& http) -> Task<Result<>> {
    const auto tools = doc_tools(make_doc_backends({}, account, http, clock));
    CO_TRY(const toolkit::Output output, co_await test::call_chain(*tools.front(), {{"query", "x"}}));
    co_return Result<>{};
  };
  test::expect_vendor_errors(
      search,
      {{"Http400", test::ScriptedResponse{.status = 400, .pieces = {R"({"message": "Could not parse cql"})"}},
        ErrorKind::invalid_input, "list_confluence_spaces"},
       {"Http401", test::ScriptedResponse{.status = 401}, ErrorKind::authentication, "JIRA_API_TOKEN"},
       {"Http410", test::ScriptedResponse{.status = 410}, ErrorKind::not_found, "tools.doc_tools.confluence.url"},
       {"NotConfluence", test::ScriptedResponse{.pieces = {R"({"hello": "you"})"}}, ErrorKind::upstream,
        "tools.doc_tools.confluence.url"}});
}

TEST(DocTools, KeepTheRulesOfAToolAndSayWhatToSet) {
  const test::ManualClock clock;
  test::ScriptedHttp http;
  const auto tools = doc_tools(make_doc_backends({}, {}, http, clock));
  EXPECT_THAT(tools, SizeIs(4));
  for (const auto& tool : tools) {
    EXPECT_THAT(toolkit::check_spec(tool->spec()), SizeIs(0)) << tool->spec().name;
    EXPECT_THAT(tool->spec().missing, AllOf(HasSubstr("CONFLUENCE_URL"), HasSubstr("JIRA_API_TOKEN")));
  }
}

TEST(ConfluenceAddress, FollowsThatOfJira) {
  using clients::atlassian::confluence_url_of;
  EXPECT_EQ(confluence_url_of("https://example.atlassian.net/"), "https://example.atlassian.net/wiki");
  EXPECT_EQ(confluence_url_of("https://api.atlassian.com/ex/jira/11-22"),
            "https://api.atlassian.com/ex/confluence/11-22/wiki");
}

}  // namespace
}  // namespace deputy::tools
