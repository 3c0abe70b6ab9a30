// The pipeline tools over a file.
#include "tools/pipelines/pipeline_fixture.h"

namespace deputy::tools::pipelines {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kFile = R"({
  "repositories": [{"repo": "Acme/shop", "description": "The shop", "default_branch": "main", "private": true}],
  "pipelines": [
    {"repo": "acme/shop", "id": 7, "pipeline": "deploy", "ref": "main", "commit": "a1b2c3d4e5f6", "state": "succeeded",
     "environment": "prod", "started": "2026-11-18T09:00:00Z", "seconds": 61, "by": "ana"},
    {"repo": "acme/shop", "id": 8, "ref": "pool", "state": "failed", "started": "2026-11-18T10:00:00Z",
     "jobs": [{"name": "build", "state": "failed", "steps": [{"name": "test", "state": "failed"}], "log": "one\ntwo"}]},
    {"repo": "acme/mail", "id": 9, "ref": "main", "state": "running"}],
  "pull_requests": [
    {"repo": "acme/shop", "id": 42, "title": "Bound the pool", "state": "open", "author": "bo",
     "reviewers": [{"name": "cy", "state": "approved"}], "files": [{"path": "a.c", "status": "added", "added": 1}],
     "comments": [{"author": "cy", "at": "2026-11-18T09:00:00Z", "text": "Good"}],
     "checks": [{"name": "build", "state": "failed"}]},
    {"repo": "acme/shop", "id": 41, "title": "Old", "state": "merged"}]})";

class FilePipelineTools : public PipelineToolsTest {
 protected:
  void SetUp() override {
    folder_.write("pipelines.json", kFile);
    settings_.files.file = folder_ / "pipelines.json";
  }
};

TEST_F(FilePipelineTools, TellRunsJobsAndTheLogOfTheOneThatFailed) {
  const auto text = text_of("get_pipeline_status", {{"repo", "shop"}});
  ASSERT_OK(text);
  EXPECT_THAT(*text, StartsWith("shop: 2 pipeline runs: 1 failed, 1 succeeded\n"));
  EXPECT_THAT(*text, HasSubstr("- failed 8 on pool, 2026-11-18 10:00:00 UTC\n- succeeded 7 deploy on main at a1b2c3d4, "
                               "prod, by ana, 2026-11-18 09:00:00 UTC, took 1m1s\n"));
  EXPECT_THAT(*text_of("get_pipeline_details", {{"repo", "acme/shop"}, {"pipeline_id", "8"}}),
              HasSubstr("- failed build, failed in `test`\nThe end of the log of build:\none\ntwo\n"));
}

TEST_F(FilePipelineTools, TellPullRequestsAndTheRepository) {
  EXPECT_THAT(*text_of("list_open_prs", {{"repo", "acme/shop"}}),
              AllOf(HasSubstr("1 open pull request"), HasSubstr("- #42 Bound the pool [open] by bo\n")));
  EXPECT_THAT(*text_of("list_open_prs", {{"repo", "acme/mail"}}), HasSubstr("no open pull requests"));
  EXPECT_THAT(*text_of("get_pr_details", {{"repo", "acme/shop"}, {"pr_id", "42"}}),
              AllOf(HasSubstr("Reviewers: cy approved\n"), HasSubstr("1 file changed\n- added a.c +1 −0\n"),
                    HasSubstr("- cy, 2026-11-18 09:00:00 UTC: Good\n")));
  EXPECT_THAT(*text_of("get_repo", {{"repo", "acme/shop"}}),
              StartsWith("Acme/shop: private, default branch main\nThe shop\n"));
}

TEST_F(FilePipelineTools, SayWhatIsNotThere) {
  const auto unknown = text_of("get_pipeline_status", {{"repo", "acme/nope"}});
  ASSERT_FAILS(unknown, not_found);
  EXPECT_THAT(unknown.error().hint, HasSubstr("acme/mail"));
  ASSERT_FAILS(text_of("get_pipeline_details", {{"repo", "acme/shop"}, {"pipeline_id", "9"}}), not_found);
  folder_.write("pipelines.json", "[]");
  ASSERT_FAILS(text_of("get_pipeline_status", {{"repo", "acme/shop"}}), invalid_input);
  settings_.files.file = folder_ / "gone.json";
  ASSERT_FAILS(text_of("get_pipeline_status", {{"repo", "acme/shop"}}), not_configured);
}

}  // namespace
}  // namespace deputy::tools::pipelines
