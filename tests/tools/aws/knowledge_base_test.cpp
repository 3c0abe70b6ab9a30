// search_code over a Bedrock Knowledge Base, with a strict stand-in for AWS, and what it makes of errors.
#include "tools/code/knowledge_base.h"

#include <gmock/gmock.h>

#include "net/client.h"
#include "support/aws_ops.h"
#include "support/manual_clock.h"
#include "support/temporary_folder.h"
#include "support/vendor_errors.h"
#include "tools/call_tool.h"
#include "tools/code/code_tools.h"

namespace deputy::tools {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class KnowledgeBaseTest : public testing::Test, public test::OnLoop {
 protected:
  KnowledgeBaseTest() { setup_.knowledge = std::make_shared<KnowledgeBase>("KB12345678", account_); }
  ~KnowledgeBaseTest() override { EXPECT_THAT(peer_.said(), Each(StartsWith("asked"))); }

  Result<std::string> search(const std::string& query, int most = 5) {
    TRY(const toolkit::Output output,
        await(test::call_chain(*search_code_tool(setup_), {{"query", query}, {"num_results", most}})));
    return output.text;
  }

  test::ManualClock clock_{*parse_timestamp("2026-11-18T10:00:00Z")};
  test::AwsOps peer_{clock_.now()};
  net::Client http_{loop_.get_executor(), {}};
  clients::aws::Account account_{peer_.settings(), test::aws_environment(), http_, clock_, loop_.get_executor()};
  CodeSetup setup_;
};

TEST_F(KnowledgeBaseTest, FindsWhatIsNearestWithItsAddressAndScore) {
  EXPECT_EQ(*search("retry payment"),
            "2 places\ns3://acme-code/shop/payment.py (score 0.91)\ndef retry_payment(order):\n    "
            "gateway.charge(order)\ns3://acme-code/shop/RetryPolicy.java (score 0.62)\nclass RetryPolicy { int tries = "
            "3; }\n");
  EXPECT_THAT(*search("retry payment", 1), StartsWith("1 place\n"));
  EXPECT_EQ(*search("nothing like it"), "nothing in the knowledge base matches\n");
  EXPECT_THAT(peer_.said()[1], HasSubstr("\"numberOfResults\":1"));
}

TEST_F(KnowledgeBaseTest, LeavesOutWhatReadFileMayNotShow) {
  auto chain = search_code_tool(setup_)->compose({{"query", "retry"}, {"num_results", 5}});
  ASSERT_OK(chain);
  ASSERT_EQ(chain->links().front().name, "retrieve");
  toolkit::Link link = *std::move(*chain).take("retrieve");
  toolkit::CallContext context;
  context.may_read = [](std::string_view path, bool) { return path != "shop/payment.py"; };
  const toolkit::Step step = await(link.handler.call(context));
  ASSERT_TRUE(std::holds_alternative<toolkit::Output>(step));
  EXPECT_THAT(
      std::get<toolkit::Output>(step).text,
      testing::AllOf(StartsWith("1 place\ns3://acme-code/shop/RetryPolicy.java"),
                     HasSubstr("… left out by the rules of read_file: 1 file\n"), Not(HasSubstr("payment.py"))));
}

TEST_F(KnowledgeBaseTest, AnIdThatIsNotThereSaysWhatToCheck) {
  setup_.knowledge = std::make_shared<KnowledgeBase>("KBUNKNOWN1", account_);
  const auto found = search("retry");
  ASSERT_FAILS(found, not_found);
  EXPECT_THAT(found.error().hint, HasSubstr("tools.code_tools.bedrock_kb.id"));
}

TEST_F(KnowledgeBaseTest, WithRepositoriesBesideItSettingsSayWhichIsSearched) {
  const test::TemporaryFolder folder;
  setup_.repositories = {{"shop", "/nonexistent"}};
  setup_.index = std::make_shared<CodeIndex>((folder / "index.sqlite").string());
  setup_.programs = find_sandbox_programs();
  ASSERT_FAILS(search("retry"), invalid_input);
  setup_.usual = "bedrock_kb";
  EXPECT_THAT(*search("retry"), StartsWith("2 places\n"));
  EXPECT_EQ(must(setup_.knowledge->diagnose(std::chrono::seconds(5))),
            "knowledge base KB12345678: it answers, with nothing");
}

TEST_F(KnowledgeBaseTest, GetFileSaysThatItReadsLocalRepositoriesOnly) {
  EXPECT_EQ(search_code_tool(setup_)->spec().missing, "");
  EXPECT_THAT(get_file_tool(setup_)->spec().missing, StartsWith("get_file reads local repositories only"));
  EXPECT_THAT(search_code_tool({})->spec().missing, HasSubstr("tools.code_tools.bedrock_kb.id"));
}

TEST(KnowledgeBaseErrors, EachHasACategoryAndAHint) {
  const test::ManualClock clock;
  test::expect_vendor_errors(
      [&](net::HttpClient& http) -> Task<Result<>> {
        const auto loop = co_await asio::this_coro::executor;
        const auto account = test::account_over(http, clock, loop, test::kVendorToken);
        CodeSetup setup;
        setup.knowledge = std::make_shared<KnowledgeBase>("KB12345678", *account);
        CO_TRY(const toolkit::Output output, co_await test::call_chain(*search_code_tool(setup), {{"query", "retry"}}));
        co_return Result<>{};
      },
      {{"Http403", test::ScriptedResponse{.status = 403}, ErrorKind::permission, "bedrock:Retrieve"},
       {"AnotherService", test::ScriptedResponse{.pieces = {R"({"hello": "you"})"}}, ErrorKind::upstream,
        "aws.region"}});
}

}  // namespace
}  // namespace deputy::tools
