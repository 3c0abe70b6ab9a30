// The pipeline tools over a strict stand-in for GitHub (tests/peers/github.js), and what they make of errors.
#include "support/manual_clock.h"
#include "support/vendor_errors.h"
#include "tools/call_tool.h"
#include "tools/pipelines/pipeline_fixture.h"

namespace deputy::tools::pipelines {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const json::object kShop{{"repo", "acme/shop"}};
const json::object kDeploy{
    {"repo", "acme/shop"}, {"ref", "main"}, {"pipeline", "deploy"}, {"variables", {{"environment", "production"}}}};

json::object with(json::object arguments, const std::string& key, json::value value) {
  arguments[key] = std::move(value);
  return arguments;
}

class GitHubTools : public PipelineToolsTest {
 protected:
  void SetUp() override {
    start("github.js", {{"token", std::string(test::kVendorToken)}});
    settings_.github.url = url_;
    settings_.github.token = Secret(std::string(test::kVendorToken));
  }
  /// The chain of run_pipeline up to this handler.
  Result<std::string> run_up_to(std::string_view last) {
    for (const std::string handler : {"preview", "start", "find", "follow"}) {
      TRY(const toolkit::Step step, handle("run_pipeline", kDeploy, handler));
      if (handler == last)
        return std::holds_alternative<toolkit::Output>(step) ? std::get<toolkit::Output>(step).text : std::string();
    }
    return fail(ErrorKind::internal, "no such handler");
  }
};

TEST_F(GitHubTools, ListRunsWithCountsAndTheFailedOnesBefore) {
  const auto text = text_of("get_pipeline_status", with(kShop, "limit", 1));
  ASSERT_OK(text);
  EXPECT_THAT(*text, StartsWith("acme/shop: 4 pipeline runs: 2 failed, 1 succeeded, 1 running\nAs of "));
  EXPECT_THAT(*text, HasSubstr("- running 4705 CI on main at c3c3c3c3 \"Fix rounding\", by ana, 2026-11-18 "
                               "09:50:00 UTC https://github.com/acme/shop/actions/runs/4705\n"
                               "Before these failed:\n- failed 4704 CI on pool"));
  EXPECT_THAT(*text, Not(HasSubstr("4703")));
  EXPECT_THAT(*text_of("get_pipeline_status", kShop), HasSubstr("failed (timed_out) 4702"));
}

TEST_F(GitHubTools, ShowTheStepThatFailedAndTheEndOfItsLogWithoutSecrets) {
  context_.redact_picked = [](std::string_view text) {
    std::string clean(text);
    const std::size_t at = clean.find("kR9vT2mXq8LwZ5cN");
    return at == std::string::npos ? clean : clean.replace(at, 16, "[password]");
  };
  const auto text = text_of("get_pipeline_details", with(kShop, "pipeline_id", "4704"));
  ASSERT_OK(text);
  EXPECT_THAT(*text, StartsWith("acme/shop: failed 4704 CI on pool at b2b2b2b2"));
  EXPECT_THAT(*text, HasSubstr("3 jobs:\n- failed test, took 1m30s, failed in `Run tests` https://github.com/"));
  EXPECT_THAT(*text, HasSubstr("The end of the log of test:\n##[group]Set up\nnpm ci\nFAIL pool.test.js\n"
                               "  DATABASE_PASSWORD=[password]\n##[error]Process completed with exit code 1.\n"));
  EXPECT_THAT(*text, Not(HasSubstr("Post job cleanup")));
}

TEST_F(GitHubTools, WaitForTheEndOfARun) {
  EXPECT_EQ(tell("finish 4705 success"), "finished");
  const auto text = text_of("get_pipeline_details", {{"repo", "acme/shop"}, {"pipeline_id", "4705"}, {"wait", true}});
  ASSERT_OK(text);
  EXPECT_THAT(*text, StartsWith("acme/shop: succeeded 4705"));
}

TEST_F(GitHubTools, ListPullRequestsAndShowOneWithReviewersChecksFilesAndComments) {
  EXPECT_THAT(
      *text_of("list_open_prs", kShop),
      StartsWith("acme/shop: 1 open pull request, the last updated first\n- #42 Bound the pool [open] by bo, pool "
                 "→ main, updated 2026-11-18 09:30:00 UTC https://github.com/acme/shop/pull/42\n"));
  const auto text = text_of("get_pr_details", with(kShop, "pr_id", "#42"));
  ASSERT_OK(text);
  EXPECT_THAT(*text, AllOf(HasSubstr("Merging: blocked: reviews or checks are missing\n"),
                           HasSubstr("Reviewers: cy changes requested, ana approved, dee waiting\n"),
                           HasSubstr("Checks: 1 failed, 1 succeeded, 0 not ended\n- failed CI"),
                           HasSubstr("3 files changed\n- modified pool.js +12 −3\n"),
                           HasSubstr("2 comments, the newest last:\n- cy, 2026-11-18 09:10:00 UTC: Please add a test\n"
                                     "- ana, 2026-11-18 09:20:00 UTC, on pool.js: Why 20?\n")));
  ASSERT_FAILS(text_of("get_pr_details", with(kShop, "pr_id", "43")), not_found);
  ASSERT_FAILS(text_of("get_pr_details", with(kShop, "pr_id", "../1")), invalid_input);
}

TEST_F(GitHubTools, TakeAServiceForItsRepositoryAndAnAddressForItsName) {
  know({{.key = "cart", .aliases = {"basket"}, .repo = "https://github.com/Acme/Shop.git"}, {.key = "bare"}});
  for (const char* name : {"cart", "Basket", "https://github.com/acme/shop/actions", "git@github.com:Acme/Shop.git"})
    EXPECT_EQ(*text_of("get_repo", {{"repo", name}}),
              "acme/shop: private, default branch main, TypeScript, last updated 2026-11-18 08:00:00 UTC "
              "https://github.com/acme/shop\nThe shop\n")
        << name;
  const auto bare = text_of("get_repo", {{"repo", "bare"}});
  ASSERT_FAILS(bare, not_found);
  EXPECT_THAT(bare.error().message, HasSubstr("no repository of `bare`"));
  ASSERT_FAILS(text_of("get_repo", {{"repo", "nobody"}}), invalid_input);
  ASSERT_FAILS(text_of("get_repo", {{"repo", "acme/nope"}}), not_found);
  ASSERT_FAILS(text_of("get_repo", {{"repo", "acme/.."}}), invalid_input);
}

TEST_F(GitHubTools, UseTheBackendThatTheRegistryNamesForTheService) {
  folder_.write("pipelines.json", R"({"repositories": [{"repo": "acme/shop", "default_branch": "trunk"}]})");
  settings_.files.file = folder_ / "pipelines.json";
  ASSERT_FAILS(text_of("get_repo", kShop), invalid_input);
  know({{.key = "cart", .repo = "acme/shop", .backends = {{"pipelines", "files"}}}});
  EXPECT_THAT(*text_of("get_repo", {{"repo", "cart"}}), HasSubstr("default branch trunk"));
  EXPECT_THAT(*text_of("get_repo", kShop), HasSubstr("default branch trunk")) << "its repository is the service's";
  settings_.backend = "github";
  registry_ = nullptr;
  EXPECT_THAT(*text_of("get_repo", kShop), HasSubstr("default branch main"));
}

TEST_F(GitHubTools, RunWhatWasShownAndFollowItToItsEnd) {
  const auto shown = run_up_to("preview");
  ASSERT_OK(shown);
  EXPECT_THAT(
      *shown,
      StartsWith(
          "Run the pipeline `Deploy` of acme/shop on branch main\nEnvironment: prod\n"
          "Commit: a1a1a1a1 → c3c3c3c3 \"Fix rounding\"\nLast successful run, for any environment: succeeded 4703"));
  EXPECT_THAT(*shown, HasSubstr("2 commits since the last successful run:\n- c3c3c3c3 Fix rounding, ana\n"
                                "- b2b2b2b2 Bound the pool, bo\nhttps://github.com/acme/shop/compare/"));
  EXPECT_EQ(text_at(context_.outputs["preview"].data, "change"), "c3c3c3c3");
  EXPECT_EQ(tell("writes"), "writes []");
  context_.begun_at = clock_.now();
  EXPECT_EQ(look("run_pipeline", kDeploy, "start")->answer, toolkit::Looked::Answer::not_done);

  ASSERT_OK(handle("run_pipeline", kDeploy, "start"));
  EXPECT_EQ(
      tell("writes"),
      R"(writes [{"start":{"ref":"main","return_run_details":true,"inputs":{"environment":"production"}},"run":4800}])");
  const auto found = handle("run_pipeline", kDeploy, "find");
  ASSERT_OK(found);
  EXPECT_THAT(std::get<toolkit::Output>(*found).text, AllOf(StartsWith("Started the pipeline `Deploy` of acme/shop\n"),
                                                            HasSubstr("4800 Deploy on main at c3c3c3c3")));
  const auto asked = handle("run_pipeline", kDeploy, "follow");
  ASSERT_OK(asked);
  const json::object payload = std::get<toolkit::Delegate>(*asked).payload;
  EXPECT_EQ(text_at(payload, "tool"), "get_pipeline_details");
  EXPECT_EQ(tell("finish 4800 failure"), "finished");
  EXPECT_THAT(*text_of("get_pipeline_details", payload.at("arguments").as_object()),
              StartsWith("acme/shop: failed 4800"));
  context_.answer = "task-7";
  EXPECT_THAT(*text_of("run_pipeline", kDeploy, "follow"), HasSubstr("followed in the background, task task-7"));
}

TEST_F(GitHubTools, StartNothingAfterTheBranchMovedAndShowTheNewCommitsWhenAskedAgain) {
  ASSERT_OK(run_up_to("preview"));
  EXPECT_EQ(tell("move"), "moved");
  const auto refused = handle("run_pipeline", kDeploy, "start");
  ASSERT_FAILS(refused, conflict);
  EXPECT_THAT(refused.error().message, HasSubstr("main has moved from c3c3c3c3 to d4d4d4d4"));
  EXPECT_EQ(tell("writes"), "writes []");
  EXPECT_THAT(*run_up_to("preview"), HasSubstr("3 commits since the last successful run:\n- d4d4d4d4 Sell shoes"));
  EXPECT_OK(handle("run_pipeline", kDeploy, "start"));
}

TEST_F(GitHubTools, StopARunThatTookAnotherCommitThanTheApprovedOne) {
  EXPECT_EQ(tell("move_at_start"), "ready");
  const auto refused = run_up_to("find");
  ASSERT_FAILS(refused, conflict);
  EXPECT_THAT(refused.error().message,
              HasSubstr("run 4800 has taken commit d4d4d4d4 instead of c3c3c3c3 and was stopped"));
  EXPECT_THAT(tell("writes"), HasSubstr(R"({"stop":4800})"));
}

TEST_F(GitHubTools, FindTheRunThatAnOlderServerDoesNotName) {
  EXPECT_EQ(tell("no_flag"), "ready");
  EXPECT_THAT(*run_up_to("find"), HasSubstr("4800 Deploy on main at c3c3c3c3"));
  EXPECT_THAT(tell("writes"),
              HasSubstr(R"({"start":{"ref":"main","inputs":{"environment":"production"}},"run":4800})"));
}

TEST_F(GitHubTools, FollowNoRunThatMayBeAnothersAndSayThatItsCommitIsNotKnown) {
  EXPECT_EQ(tell("someone c3"), "ready");
  EXPECT_EQ(tell("no_run_id"), "ready");
  EXPECT_THAT(*run_up_to("find"),
              AllOf(HasSubstr("Which run it is cannot be told: whether it took the approved commit c3c3c3c3 is not "
                              "known. Look with get_pipeline_status.\n- running"),
                    HasSubstr("4800 Deploy on main at c3c3c3c3"), HasSubstr("4904 Deploy on main at c3c3c3c3")));
  EXPECT_TRUE(std::holds_alternative<toolkit::Continue>(*handle("run_pipeline", kDeploy, "follow")));
}

TEST_F(GitHubTools, StopNoRunThatTheServerDidNotName) {
  EXPECT_EQ(tell("move_at_start"), "ready");
  EXPECT_EQ(tell("no_run_id"), "ready");
  EXPECT_THAT(*run_up_to("find"), HasSubstr("whether it took the approved commit c3c3c3c3 is not known"));
  EXPECT_THAT(tell("writes"), Not(HasSubstr("stop")));
}

TEST_F(GitHubTools, FollowARunThatIsNotListedYetAndSayThatItsCommitIsNotKnown) {
  EXPECT_EQ(tell("unlisted"), "ready");
  EXPECT_THAT(*run_up_to("find"),
              HasSubstr("run 4800 is not listed yet: whether it took the approved commit c3c3c3c3 is not known"));
  const auto asked = handle("run_pipeline", kDeploy, "follow");
  ASSERT_OK(asked);
  EXPECT_THAT(json::serialize(std::get<toolkit::Delegate>(*asked).payload), HasSubstr(R"("pipeline_id":"4800")"));
}

TEST_F(GitHubTools, FindAStartWhoseAnswerWasLost) {
  ASSERT_OK(run_up_to("preview"));
  context_.begun_at = clock_.now();
  EXPECT_EQ(tell("lose"), "ready");
  ASSERT_FAILS(handle("run_pipeline", kDeploy, "start"), network);
  const auto looked = look("run_pipeline", kDeploy, "start");
  ASSERT_OK(looked);
  EXPECT_EQ(looked->answer, toolkit::Looked::Answer::done);
  EXPECT_EQ(text_at(looked->output.value_or(toolkit::Output{}).data, "run"), "4800");
  context_.begun_at = clock_.now() + std::chrono::minutes(3);
  EXPECT_EQ(look("run_pipeline", kDeploy, "start")->answer, toolkit::Looked::Answer::done) << "our clock is ahead";
  EXPECT_EQ(tell("someone c3"), "ready");
  EXPECT_EQ(look("run_pipeline", kDeploy, "start")->answer, toolkit::Looked::Answer::cannot_tell);
}

TEST_F(GitHubTools, TakeNoStartOfAnotherPersonForTheirs) {
  ASSERT_OK(run_up_to("preview"));
  context_.begun_at = clock_.now();
  EXPECT_EQ(tell("someone c3"), "ready");
  EXPECT_EQ(look("run_pipeline", kDeploy, "start")->answer, toolkit::Looked::Answer::cannot_tell);
}

TEST_F(GitHubTools, TakeNoStartOfTheirsAtAnotherCommitForTheApprovedOne) {
  ASSERT_OK(run_up_to("preview"));
  context_.begun_at = clock_.now();
  EXPECT_EQ(tell("move_at_start"), "ready");
  EXPECT_EQ(tell("lose"), "ready");
  ASSERT_FAILS(handle("run_pipeline", kDeploy, "start"), network);
  EXPECT_EQ(look("run_pipeline", kDeploy, "start")->answer, toolkit::Looked::Answer::cannot_tell);
}

TEST_F(GitHubTools, SayWhichWorkflowsAndRefsThereAre) {
  const auto several = text_of("run_pipeline", {{"repo", "acme/shop"}, {"ref", "main"}}, "preview");
  ASSERT_FAILS(several, invalid_input);
  EXPECT_THAT(several.error().hint, HasSubstr("`ci.yml`, `deploy.yml` and `release-prod.yml`"));
  ASSERT_FAILS(text_of("run_pipeline", with(kDeploy, "pipeline", "old"), "preview"), invalid_input);
  const auto gone = text_of("run_pipeline", with(kDeploy, "ref", "gone"), "preview");
  ASSERT_FAILS(gone, not_found);
  EXPECT_THAT(gone.error().message, HasSubstr("no branch or tag `gone`"));
  EXPECT_THAT(*text_of("run_pipeline", with(kDeploy, "ref", "refs/tags/v1"), "preview"),
              AllOf(HasSubstr("on tag v1"), HasSubstr("The same commit as the last run that succeeded")));
}

TEST_F(GitHubTools, ShowOfTheEnvironmentWhatThePipelineSaysAndWhatOnlyTheCallSays) {
  json::object call{{"repo", "acme/shop"}, {"ref", "main"}, {"pipeline", "deploy"}};
  EXPECT_THAT(*text_of("run_pipeline", call, "preview"), HasSubstr("Environment: the pipeline does not say\n"));
  call["environment"] = "staging";
  EXPECT_THAT(*text_of("run_pipeline", call, "preview"),
              HasSubstr("Environment: staging, as the call says; the pipeline does not say\n"));
  call["pipeline"] = "Ship it";
  const auto other = text_of("run_pipeline", call, "preview");
  ASSERT_FAILS(other, invalid_input);
  EXPECT_EQ(other.error().message, "the pipeline `Ship it` works on prod, and the call says staging");
  EXPECT_EQ(other.error().hint, "call run_pipeline with environment: prod");
  call["environment"] = "prod";
  EXPECT_THAT(*text_of("run_pipeline", call, "preview"), HasSubstr("Environment: prod\n"));
  call["variables"] = {{"note", "staging"}};
  ASSERT_FAILS(text_of("run_pipeline", call, "preview"), invalid_input);
}

TEST_F(GitHubTools, StopARunThatHasNotEnded) {
  const json::object running = with(kShop, "pipeline_id", "4705");
  EXPECT_THAT(*text_of("stop_pipeline", running, "preview"), StartsWith("Stop a pipeline of acme/shop:\nrunning"));
  EXPECT_EQ(look("stop_pipeline", running, "stop")->answer, toolkit::Looked::Answer::cannot_tell);
  EXPECT_THAT(*text_of("stop_pipeline", running, "stop"), StartsWith("Asked to stop"));
  EXPECT_EQ(tell("writes"), R"(writes [{"stop":4705}])");
  EXPECT_EQ(look("stop_pipeline", running, "stop")->answer, toolkit::Looked::Answer::done);
  ASSERT_FAILS(text_of("stop_pipeline", running, "stop"), conflict);
  ASSERT_FAILS(text_of("stop_pipeline", with(kShop, "pipeline_id", "4704"), "preview"), conflict);
}

TEST_F(GitHubTools, NameThePermissionThatIsMissingAndTheRateLimit) {
  EXPECT_EQ(tell("forbid actions=read"), "ready");
  const auto refused = text_of("get_pipeline_status", kShop);
  ASSERT_FAILS(refused, permission);
  EXPECT_THAT(refused.error().hint, HasSubstr("the permission actions=read"));
  const auto backends = make_pipeline_backends(settings_, http_, clock_, workers_);
  EXPECT_THAT(*await(backends.all.all().front()->diagnose(std::chrono::seconds(10))),
              HasSubstr("4990 requests left in this hour"));
  EXPECT_EQ(tell("limited"), "ready");
  const auto limited = text_of("get_pipeline_status", kShop);
  ASSERT_FAILS(limited, rate_limit);
  EXPECT_GT(limited.error().retry_after, std::chrono::minutes(5));
}

TEST(RunPipeline, TakesTheOneEnvironmentThatItsVariablesAndNameSay) {
  const test::ManualClock clock;
  test::ScriptedHttp http;
  Workers workers("test", {.threads = 1});
  PipelineToolParts parts{.backends = make_pipeline_backends({}, http, clock, workers),
                          .clock = &clock,
                          .environments = {{"prod", {"production"}}, {"staging", {"stage"}}}};
  const Tool tool = run_pipeline(std::make_shared<const PipelineToolParts>(std::move(parts)));
  const auto environment = [&](const json::object& more) {
    json::object arguments{{"repo", "acme/shop"}, {"ref", "refs/heads/main"}};
    for (const auto& [key, value] : more) arguments[key] = value;
    const auto complete = tool->complete_arguments(arguments);
    return complete ? text_at(*complete, "environment") : describe(complete.error());
  };
  EXPECT_EQ(environment({}), "");
  EXPECT_EQ(environment({{"environment", "staging"}}), "staging");
  EXPECT_EQ(environment({{"environment", "staging"}, {"variables", {{"target", "Production"}}}}), "prod");
  EXPECT_EQ(environment({{"environment", "staging"}, {"pipeline", "deploy-prod.yml"}}), "prod");
  EXPECT_EQ(environment({{"pipeline", "deploy-prod.yml"}, {"variables", {{"env", "production"}}}}), "prod");
  EXPECT_THAT(environment({{"pipeline", "deploy-prod.yml"}, {"variables", {{"note", "stage"}}}}),
              HasSubstr("several environments: `prod` and `staging`"));
  EXPECT_THAT(environment({{"environment", "staging"}, {"pipeline", "promote-staging-to-prod"}}),
              HasSubstr("several environments"));
  EXPECT_THAT(environment({{"variables", {{"from", "stage"}, {"to", "prod"}}}}), HasSubstr("several environments"));
}

TEST(GitHubListsThatAreCut, SayWhatWasNotRead) {
  const test::ManualClock clock;
  test::ScriptedHttp http;
  Workers workers("test", {.threads = 1});
  PipelineToolsSettings settings;
  settings.github.token = Secret(std::string(test::kVendorToken));
  const auto backends = make_pipeline_backends(settings, http, clock, workers);
  PipelineBackend& github = *backends.all.all().front();
  const auto list = [&](std::size_t count, const std::string& name = "") {
    const json::array items(count, json::object());
    http.answers({.pieces = {name.empty() ? json::serialize(items) : json::serialize(json::object{{name, items}})}});
  };
  const auto seconds = std::chrono::seconds(10);
  http.answers({.pieces = {R"({"id": 7})"}});
  list(301, "jobs");
  EXPECT_THAT(test::run(github.details("acme/shop", "7", seconds))->notes,
              testing::ElementsAre("jobs after the first 300"));
  http.answers({.pieces = {R"({"number": 42, "head": {"sha": "b2"}})"}});
  list(201);
  list(1);
  list(201);
  list(201);
  list(101, "check_runs");
  list(101, "statuses");
  const auto pull = test::run(github.pull_request("acme/shop", "42", seconds));
  ASSERT_OK(pull);
  EXPECT_THAT(pull->notes, testing::ElementsAre("reviews after the first 200",
                                                "comments below it after the first 200, so the newest",
                                                "comments in its files before the last 200",
                                                "checks after the first 100", "checks after the first 100"));
}

TEST(GitHubWaits, GoOnAfterAReadThatFailedForAMoment) {
  const test::ManualClock clock;
  test::ScriptedHttp http;
  Workers workers("test", {.threads = 1});
  PipelineToolsSettings settings;
  settings.github.token = Secret(std::string(test::kVendorToken));
  const auto details_of = [&] {
    const auto tools = pipeline_tools({.backends = make_pipeline_backends(settings, http, clock, workers),
                                       .clock = &clock,
                                       .poll = std::chrono::milliseconds(2)});
    const auto one =
        std::ranges::find(tools, "get_pipeline_details", [](const Tool& tool) { return tool->spec().name; });
    return test::call_tool(**one, {{"repo", "acme/shop"}, {"pipeline_id", "7"}, {"wait", true}});
  };
  const std::string ended = R"({"id": 7, "status": "completed", "conclusion": "success"})";
  http.answers({.pieces = {R"({"id": 7, "status": "in_progress"})"}}).answers({.status = 500});
  http.answers({.pieces = {ended}}).answers({.pieces = {ended}}).answers({.pieces = {R"({"jobs": []})"}});
  const auto followed = details_of();
  ASSERT_OK(followed);
  EXPECT_THAT(followed->text, StartsWith("acme/shop: succeeded 7"));
  http.answers({.pieces = {R"({"id": 7, "status": "in_progress"})"}}).answers({.status = 404});
  EXPECT_FAILS(details_of(), not_found);
}

TEST(GitHubErrors, EachHasACategoryAndAHint) {
  const test::ManualClock clock;
  Workers workers("test", {.threads = 1});
  test::expect_vendor_errors(
      [&](net::HttpClient& http) -> Task<Result<>> {
        PipelineToolsSettings settings;
        settings.github.token = Secret(std::string(test::kVendorToken));
        const auto tools =
            pipeline_tools({.backends = make_pipeline_backends(settings, http, clock, workers), .clock = &clock});
        CO_TRY(const toolkit::Output output, co_await test::call_chain(*tools.front(), kShop));
        co_return Result<>{};
      },
      {{"NoRuns", test::ScriptedResponse{.pieces = {R"({"hello": "you"})"}}, ErrorKind::upstream},
       {"Http404", test::ScriptedResponse{.status = 404}, ErrorKind::not_found, "docs/backends/github.md"},
       {"Permission",
        test::ScriptedResponse{.status = 403, .headers = {{"x-accepted-github-permissions", "actions=read"}}},
        ErrorKind::permission, "give tools.pipeline_tools.github.token (GITHUB_TOKEN) the permission actions=read"},
       {"Http422", test::ScriptedResponse{.status = 422, .pieces = {R"({"message": "Validation Failed"})"}},
        ErrorKind::invalid_input, "correct the arguments"},
       {"Primary", test::ScriptedResponse{.status = 403, .headers = {{"x-ratelimit-remaining", "0"}}},
        ErrorKind::rate_limit},
       {"Secondary", test::ScriptedResponse{.status = 403, .headers = {{"retry-after", "60"}}}, ErrorKind::rate_limit},
       {"SecondaryInWords",
        test::ScriptedResponse{.status = 403,
                               .pieces = {R"({"message": "You have exceeded a secondary rate limit. Please wait."})"}},
        ErrorKind::rate_limit},
       {"Http410", test::ScriptedResponse{.status = 410}, ErrorKind::not_found, "logs are deleted after a time"}});
}

TEST(PipelineToolsNotSetUp, SayWhatToSet) {
  const test::ManualClock clock;
  test::ScriptedHttp http;
  Workers workers("test", {.threads = 1});
  PipelineToolsSettings settings;
  const auto none =
      pipeline_tools({.backends = make_pipeline_backends(settings, http, clock, workers), .clock = &clock});
  EXPECT_EQ(none.size(), 7u);
  for (const auto& tool : none) {
    EXPECT_THAT(tool->spec().missing, AllOf(HasSubstr("(GITHUB_TOKEN)"), HasSubstr("(BITBUCKET_API_TOKEN)")));
    EXPECT_THAT(toolkit::check_spec(tool->spec()), testing::IsEmpty()) << tool->spec().name;
  }
  settings.files.file = "/nowhere/pipelines.json";
  const auto files =
      pipeline_tools({.backends = make_pipeline_backends(settings, http, clock, workers), .clock = &clock});
  for (const auto& tool : files) {
    const bool writes = toolkit::effect_of(tool->spec(), {}) == toolkit::Effect::write;
    EXPECT_EQ(tool->spec().missing.empty(), !writes) << "a file starts nothing: " << tool->spec().name;
  }
}

}  // namespace
}  // namespace deputy::tools::pipelines
