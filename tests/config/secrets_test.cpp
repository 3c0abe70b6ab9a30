#include "config/secrets.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "config/sample_settings.h"
#include "support/results.h"

namespace deputy::config {
namespace {

using test::lines_of;
using test::SampleWorld;

const std::string kLiteral = "xoxb-1234-very-secret";

std::string all_text(const LoadReport& report) {
  std::string text;
  for (const auto& problem : report.problems) text += describe(problem) + problem.hint + "\n";
  for (const auto& notice : report.notices) text += notice + "\n";
  return text;
}

void write_token(const SampleWorld& world, const std::string& token) {
  world.write_user("channels: {slack: {bot_token: '" + token + "'}}\n");
}

const std::string& token_of(const Loaded<test::SampleSettings>& loaded) {
  return loaded.settings.channels.slack.bot_token.reveal();
}

TEST(SecretByReference, ComesFromTheEnvironment) {
  SampleWorld world;
  write_token(world, "env:TOKEN");
  EXPECT_EQ(lines_of(world.load().problems),
            std::vector<std::string>{world.user_file().string() +
                                     ":1: `channels.slack.bot_token`: the environment variable TOKEN is not set"});
  world.environment["TOKEN"] = kLiteral;
  EXPECT_EQ(token_of(world.load()), kLiteral);
}

TEST(SecretByReference, ComesFromAFileBesideTheSettings) {
  const SampleWorld world;
  write_token(world, "file:secrets/token");
  const auto before = world.load();
  ASSERT_EQ(before.problems.size(), 1) << "it is not there yet";
  EXPECT_EQ(before.problems[0].hint,
            "put the secret there, or correct the path: a relative one starts at the settings file");
  EXPECT_TRUE(before.secret_missing);
  world.folder.write("home/secrets/token", kLiteral + "\n");
  EXPECT_EQ(token_of(world.load()), kLiteral) << "without the newline";
}

TEST(SecretByReference, RefusesAFileThatOthersCanRead) {
  const SampleWorld world;
  const auto file = world.folder.write("token", kLiteral);
  write_token(world, "file:" + file.string());
  chmod(file.c_str(), 0644);
  const auto loaded = world.load();
  EXPECT_EQ(lines_of(loaded.problems),
            std::vector<std::string>{world.user_file().string() +
                                     ":1: `channels.slack.bot_token`: others can read the secret in " + file.string()});
  EXPECT_EQ(all_text(loaded).find(kLiteral), std::string::npos);
  EXPECT_NE(loaded.problems[0].hint.find("`defaultMode: 0400` (Kubernetes) or `mode: 0400` (Docker)"),
            std::string::npos);
}

TEST(SecretByReference, RefusesAFileThatOthersCanWrite) {
  const SampleWorld world;
  const auto file = world.folder.write("token", kLiteral);
  write_token(world, "file:" + file.string());
  for (const mode_t mode : {0620, 0602}) {
    chmod(file.c_str(), mode);
    EXPECT_EQ(lines_of(world.load().problems),
              std::vector<std::string>{world.user_file().string() +
                                       ":1: `channels.slack.bot_token`: others can write the secret in " +
                                       file.string() + ", or it belongs to someone else"});
  }
  chmod(file.c_str(), 0400);
  EXPECT_EQ(token_of(world.load()), kLiteral);
}

TEST(SecretByReference, BoundsAFile) {
  const SampleWorld world;
  world.folder.write("home/token", std::string(64'001, 'x'));
  write_token(world, "file:token");
  EXPECT_EQ(world.load().problems.size(), 1);
  world.folder.write("home/token", "\n");
  EXPECT_EQ(world.load().problems.size(), 1) << "an empty secret is none";
  write_token(world, "file:/dev/zero");
  EXPECT_EQ(world.load().problems.size(), 1);
}

TEST(SecretByReference, ComesFromACommandRunBesideTheSettings) {
  SampleWorld world;
  world.environment["PATH"] = "/usr/bin:/bin";
  world.environment["PART"] = "two";
  world.folder.write("home/part", "one");
  write_token(world, "cmd:cat part; echo \"-$PART\"");
  EXPECT_EQ(token_of(world.load()), "one-two");
}

TEST(SecretByReference, RunsNoProgramThatOthersCanWrite) {
  const SampleWorld world;
  const auto script = world.folder.write("home/get/token.sh", "#!/bin/sh\necho " + kLiteral + "\n");
  ASSERT_EQ(chmod(script.c_str(), 0755), 0);
  for (const char* const command : {"cmd:./get/token.sh", "cmd:sh get/token.sh", "cmd:true && get/token.sh | cat"}) {
    write_token(world, command);
    ASSERT_EQ(chmod(script.c_str(), 0755), 0);
    ASSERT_EQ(chmod(script.parent_path().c_str(), 0755), 0);
    EXPECT_EQ(token_of(world.load()), kLiteral) << command;
    ASSERT_EQ(chmod(script.c_str(), 0777), 0);
    const auto open_script = world.load();
    ASSERT_EQ(open_script.problems.size(), 1U) << command;
    EXPECT_TRUE(open_script.problems[0].message.contains("others can write")) << open_script.problems[0].message;
    ASSERT_EQ(chmod(script.c_str(), 0755), 0);
    ASSERT_EQ(chmod(script.parent_path().c_str(), 0777), 0);
    EXPECT_EQ(world.load().problems.size(), 1U) << "its folder is open: " << command;
  }
  write_token(world, "cmd:$PROGRAM token");
  EXPECT_EQ(world.load().problems.size(), 1U) << "the program cannot be told";
}

TEST(SecretByReference, SaysNothingOfWhatAFailedCommandPrinted) {
  SampleWorld world;
  world.environment["PATH"] = "/usr/bin:/bin";
  write_token(world, "cmd:echo leaked-value; echo leaked-value >&2; exit 3");
  const auto loaded = world.load();
  EXPECT_EQ(
      lines_of(loaded.problems),
      std::vector<std::string>{world.user_file().string() +
                               ":1: `channels.slack.bot_token`: the command for this secret ended with exit code 3"});
  EXPECT_EQ(all_text(loaded).find("leaked-value"), std::string::npos);
}

TEST(LiteralSecret, IsRefusedInAFileThatOthersCanRead) {
  const SampleWorld world;
  write_token(world, kLiteral);
  EXPECT_EQ(token_of(world.load()), kLiteral);
  for (const mode_t mode : {0640, 0604, 0644}) {
    chmod(world.user_file().c_str(), mode);
    const auto loaded = world.load();
    EXPECT_EQ(
        lines_of(loaded.problems),
        std::vector<std::string>{world.user_file().string() +
                                 ":1: `channels.slack.bot_token`: this secret is in a file that others can read"});
    EXPECT_EQ(all_text(loaded).find(kLiteral), std::string::npos);
  }
}

TEST(LiteralSecret, AReferenceMayStandWhereOthersRead) {
  SampleWorld world;
  world.environment["TOKEN"] = kLiteral;
  write_token(world, "env:TOKEN");
  chmod(world.user_file().c_str(), 0644);
  EXPECT_TRUE(world.load().ok());
}

TEST(LiteralSecret, FromTheVendorsVariableIsTakenAsItIs) {
  SampleWorld world;
  world.environment["SLACK_BOT_TOKEN"] = "cmd:exit 1";
  EXPECT_EQ(token_of(world.load()), "cmd:exit 1");
}

TEST(LiteralSecret, OnTheCommandLineIsNoticed) {
  SampleWorld world;
  world.flags = {{"--set", "channels.slack.bot_token", kLiteral}};
  const auto loaded = world.load();
  EXPECT_EQ(token_of(loaded), kLiteral);
  EXPECT_EQ(loaded.notices.size(), 1);
  EXPECT_EQ(all_text(loaded).find(kLiteral), std::string::npos);
}

TEST(LiteralSecret, TheMarkOfAHiddenOneIsRefused) {
  const SampleWorld world;
  write_token(world, "(secret)");
  EXPECT_EQ(lines_of(world.load().problems),
            std::vector<std::string>{
                world.user_file().string() +
                ":1: `channels.slack.bot_token`: this is the placeholder for a hidden secret, not a secret"});
}

TEST(LiteralSecret, NeverShowsInSettingsWrittenAsJson) {
  const SampleWorld world;
  write_token(world, kLiteral);
  EXPECT_EQ(json::serialize(to_json(world.load().settings)).find(kLiteral), std::string::npos);
}

}  // namespace
}  // namespace deputy::config
