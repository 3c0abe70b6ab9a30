// `deputy chat` on a terminal of its own, in a home and a workspace of its own.
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "base/process.h"
#include "e2e/chat/pty.h"
#include "support/loop.h"
#include "support/results.h"
#include "support/temporary_folder.h"

namespace deputy {

namespace fs = std::filesystem;
using test::Pty;

inline constexpr std::string_view kChoices = "[y]es / [n]o / [a]lways / e(x)plain";

inline std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// Processes of this machine whose command line has that word.
inline std::size_t processes_with(const std::string& word) {
  std::size_t found = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (text_of(entry.path() / "cmdline").contains(word)) ++found;
  }
  return found;
}

/// How often a text contains a part.
inline std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

class Chat : public testing::Test {
 protected:
  Chat() {
    fs::create_directories(workspace());
    // Where Deputy is root, commands run as the folder's owner or as nobody: they need the way to it.
    fs::permissions(folder_.path(), fs::perms(0755));
    fs::permissions(workspace(), fs::perms(0755));
    folder_.write("home/.config/deputy/deputy.yaml",
                  fmt::format("tools: {{workspace_tools: {{root: {}}}}}\nmodels: {{fast: {{provider: offline}}}}\n",
                              workspace().string()));
  }

  fs::path workspace() const { return folder_ / "workspace"; }
  std::vector<std::string> environment() const {
    std::vector<std::string> all{"HOME=" + (folder_ / "home").string(), "PATH=/usr/bin:/bin", "TERM=xterm",
                                 "NO_COLOR=1"};
    all.insert(all.end(), variables_.begin(), variables_.end());
    return all;
  }
  std::unique_ptr<Pty> chat(std::vector<std::string> more = {}) const {
    test::PtySpec spec{{DEPUTY_PROGRAM, "chat"}, environment(), workspace().string()};
    spec.arguments.insert(spec.arguments.end(), more.begin(), more.end());
    auto pty = std::make_unique<Pty>(spec);
    pty->expect("/help lists the commands.");
    return pty;
  }
  std::string command(std::vector<std::string> arguments) const { return end_of(std::move(arguments)).output; }
  ProcessEnd end_of(std::vector<std::string> arguments) const {
    ProcessSpec spec;
    spec.arguments = {DEPUTY_PROGRAM};
    spec.arguments.insert(spec.arguments.end(), arguments.begin(), arguments.end());
    spec.environment = environment();
    spec.working_dir = workspace().string();
    const Result<ProcessEnd> end = test::run(run_process(std::move(spec)));
    EXPECT_OK(end);
    return end.value_or(ProcessEnd{});
  }
  // An approval of an edit of notes.txt, which is up when it returns.
  inline static const std::string kEdit =
      R"(/call edit_file {"path": "notes.txt", "edits": [{"old_string": "alpha", "new_string": "beta"}]})"
      "\r";
  fs::path ask_to_edit(Pty& pty) const {
    fs::path notes = folder_.write("workspace/notes.txt", "alpha\n");
    pty.type(kEdit);
    pty.expect(kChoices);
    return notes;
  }
  // What is typed before the card stands there again is discarded. The old prompt may be drawn once more before it.
  static void expect_card_again(Pty& pty) {
    pty.expect("asks because edit_file changes something");
    pty.expect(kChoices);
  }
  // Answers an approval with a no.
  static void deny(Pty& pty) {
    pty.type("n");
    pty.expect("reason, or Enter for none");
    pty.type("not today\r");
  }
  static void deny_edit(Pty& pty) {
    deny(pty);
    pty.expect("⊘ edit_file");
  }
  static void leave(Pty& pty) {
    pty.type("\x04");
    EXPECT_EQ(pty.end(), 0) << test::without_sequences(pty.raw());
    EXPECT_TRUE(pty.is_in_line_mode());
  }

  test::TemporaryFolder folder_;
  std::vector<std::string> variables_;  // beside the usual ones
};

}  // namespace deputy
