// The pipeline tools over a strict stand-in for Bitbucket (tests/peers/bitbucket.js), and what they make of errors.
#include "support/manual_clock.h"
#include "support/vendor_errors.h"
#include "tools/call_tool.h"
#include "tools/pipelines/pipeline_fixture.h"

namespace deputy::tools::pipelines {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

const json::object kShop{{"repo", "acme/shop"}};
const json::object kDeploy{
    {"repo", "acme/shop"}, {"ref", "main"}, {"pipeline", "deploy"}, {"variables", {{"ENVIRONMENT", "prod"}}}};

class BitbucketTools : public PipelineToolsTest {
 protected:
  void SetUp() override { use("ana@example.com"); }
  void use(const std::string& email) {
    json::object options{{"token", std::string(test::kVendorToken)}};
    if (!email.empty()) options["email"] = email;
    start("bitbucket.js", options);
    settings_.bitbucket.url = url_;
    settings_.bitbucket.email = email;
    settings_.bitbucket.token = Secret(std::string(test::kVendorToken));
  }
  Result<std::string> shop(std::string_view name, const std::string& key = {}, const std::string& value = {}) {
    json::object arguments = kShop;
    if (!key.empty()) arguments[key] = value;
    return text_of(name, arguments);
  }
};

TEST_F(BitbucketTools, ListTheNewestRunsFirstWithCounts) {
  const auto text = shop("get_pipeline_status");
  ASSERT_OK(text);
  EXPECT_THAT(*text, StartsWith("acme/shop: 4 pipeline runs: 1 failed, 2 succeeded, 1 running\n"));
  EXPECT_THAT(*text, HasSubstr("UTC\n- running 4 on main at c3c3c3c3, by Ana, 2026-11-18 09:50:00 UTC "
                               "https://bitbucket.org/acme/shop/pipelines/results/4\n- failed 3 on pool"));
  EXPECT_THAT(*text, HasSubstr("- succeeded 2 deploy on main"));
}

TEST_F(BitbucketTools, ShowTheStepThatFailedAndTheEndOfItsLog) {
  const auto text = shop("get_pipeline_details", "pipeline_id", "3");
  ASSERT_OK(text);
  EXPECT_THAT(*text, AllOf(StartsWith("acme/shop: failed 3 on pool at b2b2b2b2"),
                           HasSubstr("3 jobs:\n- failed test, took"), HasSubstr("- stopped (not_run) pack"),
                           HasSubstr("The end of the log of test:\n"), HasSubstr("FAIL pool.test.js\nexit code 1\n")));
  ASSERT_FAILS(shop("get_pipeline_details", "pipeline_id", "99"), not_found);
}

TEST_F(BitbucketTools, ShowAPullRequestWithReviewersChecksFilesAndComments) {
  EXPECT_THAT(*shop("list_open_prs"),
              HasSubstr("- #42 Bound the pool [open] by Bo, pool → main, updated 2026-11-18 09:30:00 "
                        "UTC https://bitbucket.org/acme/shop/pull-requests/42\n"));
  const auto text = shop("get_pr_details", "pr_id", "42");
  ASSERT_OK(text);
  EXPECT_THAT(*text,
              AllOf(HasSubstr("Reviewers: Cy changes requested, Ana approved, Dee waiting\n"),
                    HasSubstr("Checks: 1 failed, 1 succeeded, 0 not ended\n- failed CI https://ci.example/1\n"),
                    HasSubstr("3 files changed\n- modified pool.js +12 −3\n"), HasSubstr("- removed old.js +0 −9\n"),
                    HasSubstr("2 comments, the newest last:\n- Cy, 2026-11-18 09:10:00 UTC: Please add a test\n"
                              "- Ana, 2026-11-18 09:20:00 UTC, on pool.js: Why 20?\n")));
}

TEST_F(BitbucketTools, NameARepositoryWithoutItsWorkspaceWhereSettingsHaveOne) {
  ASSERT_FAILS(text_of("get_repo", {{"repo", "shop"}}), invalid_input);
  settings_.bitbucket.workspace = "acme";
  EXPECT_EQ(*text_of("get_repo", {{"repo", "shop"}}),
            "acme/shop: private, default branch main, typescript, last updated 2026-11-18 08:00:00 UTC "
            "https://bitbucket.org/acme/shop\nThe shop\n");
  ASSERT_FAILS(text_of("get_repo", {{"repo", "nope"}}), not_found);
  const auto backends = make_pipeline_backends(settings_, http_, clock_, workers_);
  EXPECT_THAT(*await(backends.all.all().front()->diagnose(std::chrono::seconds(10))), HasSubstr("of workspace acme"));
}

TEST_F(BitbucketTools, SignInWithAnAccessTokenOrWithTheTokenOfAnAccount) {
  const auto say_who = [&] {
    const auto backends = make_pipeline_backends(settings_, http_, clock_, workers_);
    return await(backends.all.all().front()->diagnose(std::chrono::seconds(10)));
  };
  EXPECT_THAT(*say_who(), HasSubstr("as Deputy"));
  use("");
  EXPECT_THAT(*say_who(), HasSubstr("as Deputy"));
  settings_.bitbucket.email = "ana@example.com";
  const auto wrong = say_who();
  ASSERT_FAILS(wrong, authentication);
  EXPECT_THAT(wrong.error().hint, HasSubstr("BITBUCKET_EMAIL"));
}

TEST_F(BitbucketTools, RunTheCommitThatWasShownAndStopIt) {
  const auto shown = text_of("run_pipeline", kDeploy, "preview");
  ASSERT_OK(shown);
  EXPECT_THAT(*shown, StartsWith("Run the pipeline `deploy` of acme/shop on branch main\nEnvironment: prod\n"
                                 "Commit: a1a1a1a1 → c3c3c3c3 \"Fix rounding\"\nLast successful run, for any "
                                 "environment: succeeded 2 deploy"));
  EXPECT_THAT(*shown,
              HasSubstr("2 commits since the last successful run:\n- c3c3c3c3 Fix rounding, Ana\n- b2b2b2b2 Bound"));
  context_.begun_at = clock_.now();
  EXPECT_EQ(look("run_pipeline", kDeploy, "start")->answer, toolkit::Looked::Answer::not_done);
  ASSERT_OK(handle("run_pipeline", kDeploy, "start"));
  EXPECT_EQ(
      tell("writes"),
      R"(writes [{"start":{"target":{"type":"pipeline_ref_target","ref_type":"branch","ref_name":"main","commit":)"
      R"({"type":"commit","hash":"c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3"},"selector":{"type":"custom","pattern":"deploy"}},)"
      R"("variables":[{"key":"ENVIRONMENT","value":"prod"}]},"number":5}])");
  EXPECT_THAT(*text_of("run_pipeline", kDeploy, "find"), HasSubstr("waiting (pending) 5 deploy on main at c3c3c3c3"));
  const json::object five{{"repo", "acme/shop"}, {"pipeline_id", "5"}};
  EXPECT_OK(text_of("stop_pipeline", five, "preview"));
  EXPECT_OK(text_of("stop_pipeline", five, "stop"));
  ASSERT_FAILS(text_of("stop_pipeline", five, "stop"), conflict);
  EXPECT_EQ(look("stop_pipeline", five, "stop")->answer, toolkit::Looked::Answer::done);
}

TEST_F(BitbucketTools, StartNothingAfterTheBranchMoved) {
  ASSERT_OK(text_of("run_pipeline", kDeploy, "preview"));
  EXPECT_EQ(tell("move"), "moved");
  ASSERT_FAILS(text_of("run_pipeline", kDeploy, "start"), conflict);
  EXPECT_EQ(tell("writes"), "writes []");
}

TEST_F(BitbucketTools, FindAStartWhoseAnswerWasLostAndRefuseAPipelineThatIsNotThere) {
  ASSERT_OK(text_of("run_pipeline", kDeploy, "preview"));
  context_.begun_at = clock_.now();
  EXPECT_EQ(tell("lose"), "ready");
  ASSERT_FAILS(text_of("run_pipeline", kDeploy, "start"), network);
  const auto looked = look("run_pipeline", kDeploy, "start");
  ASSERT_OK(looked);
  EXPECT_EQ(looked->answer, toolkit::Looked::Answer::done);
  EXPECT_EQ(tell("someone"), "ready");
  EXPECT_EQ(look("run_pipeline", kDeploy, "start")->answer, toolkit::Looked::Answer::cannot_tell);
  json::object nope = kDeploy;
  nope["pipeline"] = "nope";
  ASSERT_OK(text_of("run_pipeline", nope, "preview"));
  ASSERT_FAILS(text_of("run_pipeline", nope, "start"), invalid_input);
}

TEST_F(BitbucketTools, TakeNoStartOfAnotherPersonForTheirs) {
  ASSERT_OK(text_of("run_pipeline", kDeploy, "preview"));
  context_.begun_at = clock_.now();
  EXPECT_EQ(tell("someone"), "ready");
  EXPECT_EQ(look("run_pipeline", kDeploy, "start")->answer, toolkit::Looked::Answer::cannot_tell);
}

TEST(BitbucketErrors, EachHasACategoryAndAHint) {
  const test::ManualClock clock;
  Workers workers("test", {.threads = 1});
  test::expect_vendor_errors(
      [&](net::HttpClient& http) -> Task<Result<>> {
        PipelineToolsSettings settings;
        settings.bitbucket.token = Secret(std::string(test::kVendorToken));
        const auto tools =
            pipeline_tools({.backends = make_pipeline_backends(settings, http, clock, workers), .clock = &clock});
        CO_TRY(const toolkit::Output output, co_await test::call_chain(*tools.front(), kShop));
        co_return Result<>{};
      },
      {{"NoPipelines", test::ScriptedResponse{.pieces = {R"({"hello": "you"})"}}, ErrorKind::upstream},
       {"Http401", test::ScriptedResponse{.status = 401}, ErrorKind::authentication, "app passwords no longer work"},
       {"Http403",
        test::ScriptedResponse{.status = 403, .pieces = {R"({"type":"error","error":{"message":"scopes"}})"}},
        ErrorKind::permission, "docs/backends/bitbucket.md"},
       {"Http404", test::ScriptedResponse{.status = 404}, ErrorKind::not_found, "docs/backends/bitbucket.md"}});
}

}  // namespace
}  // namespace deputy::tools::pipelines
