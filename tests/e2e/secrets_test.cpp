// Parts of a private key on their way to the model, through the whole engine: nothing of it may arrive.
#include <gmock/gmock.h>

#include "e2e/engine.h"
#include "tools/logs/log_folder.h"
#include "tools/workspace/workspace.h"

namespace deputy::test {
namespace {

using testing::HasSubstr;

class Secrets : public Engine {
 protected:
  Secrets() {
    std::uint32_t random = 11;
    constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int line = 0; line < 12; ++line) {
      std::string text;
      while (text.size() < (line == 11 ? 30U : 64U)) {
        random = random * 1664525 + 1013904223;
        text += kAlphabet[random >> 26];
      }
      key_.push_back(text);
    }
    std::string file = "-----BEGIN RSA PRIVATE KEY-----\n";
    for (const std::string& line : key_) file += line + "\n";
    file += "-----END RSA PRIVATE KEY-----\nlast line\n";
    folder_.write("work/id_rsa", file);
    folder_.write("work/notes.txt", "first\nsecond\n");
    setup_ = tools::make_workspace_setup(folder_ / "work", {}, workers_);
    for (const auto& tool : {tools::read_file_tool(setup_), tools::search_files_tool(setup_)})
      EXPECT_OK(registry_.add(tool));
  }

  /// What the model got for the call.
  std::string shown_for(const std::string& tool, const json::object& arguments) {
    const auto model = script(ModelScript().calls(tool, arguments).says("Done."));
    says("U1", "please look");
    until_finished();
    return result_of("call_1");
  }

  std::string leaked(std::string_view text) const {
    for (const std::string& line : key_) {
      if (text.contains(line.substr(10, 12))) return line;
    }
    return {};
  }

  std::vector<std::string> key_;
  Workers workers_{"files", {}};
  tools::WorkspaceSetup setup_;
};

TEST_F(Secrets, AKeyReadFromItsSecondLineIsRedacted) {
  const std::string shown = shown_for("read_file", {{"path", "id_rsa"}, {"start_line", 2}, {"end_line", 4}});
  EXPECT_EQ(leaked(shown), "") << shown;
  EXPECT_THAT(shown, HasSubstr("[redacted:pem#"));
  EXPECT_THAT(shown, HasSubstr("[lines 2 to 4 of 15]"));
}

TEST_F(Secrets, LinesAfterAKeyKeepTheirNumbers) {
  EXPECT_EQ(shown_for("read_file", {{"path", "id_rsa"}, {"start_line", 15}}), "last line\n[lines 15 to 15 of 15]\n");
}

TEST_F(Secrets, ASearchShowsNoLineOfAKey) {
  const std::string shown = shown_for("search_files", {{"pattern", key_[5].substr(4, 6) + "|second"}});
  EXPECT_EQ(leaked(shown), "") << shown;
  EXPECT_EQ(shown, "notes.txt:2: second\n") << "a hit would tell that the key contains it";
}

TEST_F(Secrets, AKeyLoggedOneLineAnEntryIsRedacted) {
  tools::LogFolder logs;
  std::string text;
  for (const std::string& line : key_) text += "2026-11-15T04:00:00Z INFO loaded " + line + "\n";
  logs.write("prod/orders.log", text);
  for (const auto& tool : tools::log_tools(logs.parts())) EXPECT_OK(registry_.add(tool));
  set([](policy::Settings& settings) { settings.channels["C1"].categories.reset(); });
  for (const json::object& arguments :
       std::vector<json::object>{{{"service", "orders"}, {"environment", "prod"}},
                                 {{"service", "orders"}, {"environment", "prod"}, {"limit", 1}}}) {
    const std::string shown = shown_for("get_service_logs", arguments);
    EXPECT_EQ(leaked(shown), "") << shown;
    EXPECT_THAT(shown, HasSubstr("[redacted:pem#")) << shown;
  }
}

}  // namespace
}  // namespace deputy::test
