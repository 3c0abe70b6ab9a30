// The settings of pipeline tools, seen in calls made by hand and in `doctor`, through the real program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/program.h"
#include "support/child.h"
#include "support/node.h"
#include "support/temporary_folder.h"

namespace deputy {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

constexpr const char* kToken = "pipelines-token-0123456789";

class PipelineSettingsAtWork : public testing::Test {
 protected:
  static std::string address(test::Child& peer) {
    return "http://127.0.0.1:" + peer.read_line().value_or("port 0").substr(5);
  }
  std::string repo(const std::string& name) const {
    const ProcessEnd end = deputy_.run({"tools", "call", "get_repo", "{\"repo\": \"" + name + "\"}"});
    return end.output + end.errors;
  }
  std::string doctor() const { return deputy_.run({"doctor"}).output; }

  test::Program deputy_;
  test::TemporaryFolder folder_;
};

TEST_F(PipelineSettingsAtWork, UrlAndTokenSayHowGitHubIsReached) {
  EXPECT_THAT(repo("acme/shop"), HasSubstr("GITHUB_TOKEN"));
  test::Child peer(test::node_program("github.js", {"{\"token\": \"" + std::string(kToken) + "\"}"}));
  deputy_.variables["GITHUB_API_URL"] = address(peer);
  deputy_.variables["GITHUB_TOKEN"] = kToken;
  EXPECT_THAT(repo("acme/shop"), HasSubstr("default branch main, TypeScript"));
  EXPECT_THAT(doctor(), ContainsRegex("pipelines +ok"));
  deputy_.variables["GITHUB_TOKEN"] = "another";
  EXPECT_THAT(repo("acme/shop"), HasSubstr("GitHub answered 401"));
}

TEST_F(PipelineSettingsAtWork, UrlEmailTokenAndWorkspaceSayHowBitbucketIsReached) {
  const std::string options = "{\"token\": \"" + std::string(kToken) + "\", \"email\": \"ana@example.com\"}";
  test::Child peer(test::node_program("bitbucket.js", {options}));
  deputy_.variables["BITBUCKET_API_URL"] = address(peer);
  deputy_.variables["BITBUCKET_API_TOKEN"] = kToken;
  EXPECT_THAT(repo("acme/shop"), HasSubstr("Bitbucket answered 401"));
  deputy_.variables["BITBUCKET_EMAIL"] = "ana@example.com";
  EXPECT_THAT(repo("acme/shop"), HasSubstr("default branch main, typescript"));
  EXPECT_THAT(repo("shop"), HasSubstr("bitbucket.workspace"));
  deputy_.write_user("tools: {pipeline_tools: {bitbucket: {workspace: acme}}}\n");
  EXPECT_THAT(repo("shop"), HasSubstr("default branch main, typescript"));
  EXPECT_THAT(doctor(), ContainsRegex("pipelines +ok"));
}

TEST_F(PipelineSettingsAtWork, FileSaysWhatIsReadAndBackendWhichIsUsed) {
  const std::string file =
      folder_.write("pipelines.json", R"({"repositories": [{"repo": "acme/shop", "default_branch": "trunk"}]})")
          .string();
  deputy_.write_user("tools: {pipeline_tools: {files: {file: " + file + "}}}\n");
  EXPECT_THAT(repo("acme/shop"), HasSubstr("default branch trunk"));
  deputy_.variables["GITHUB_TOKEN"] = kToken;
  EXPECT_THAT(repo("acme/shop"), HasSubstr("several backends for pipelines"));
  deputy_.write_user("tools: {pipeline_tools: {backend: files, files: {file: " + file + "}}}\n");
  EXPECT_THAT(repo("acme/shop"), HasSubstr("default branch trunk"));
  deputy_.write_user("tools: {pipeline_tools: {backend: jenkins}}\n");
  EXPECT_THAT(repo("acme/shop"), HasSubstr("there is no backend `jenkins` for these tools"));
}

}  // namespace
}  // namespace deputy
