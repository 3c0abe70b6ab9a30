// The exit codes of the program, for scripts: 0 answered, 1 failed, 2 usage, 3 denied or paused and nothing done, 4
// waiting for a human.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/program.h"
#include "base/json.h"

namespace deputy {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kNeedsMore = "investigate the issue";  // which service, which environment
constexpr const char* kAllAsk = "policy.mode=allowlist";
constexpr const char* kDeny = "policy.mode=deny_all";

struct Row {
  std::string name;
  int code;
  Words arguments;           // `WAITS` stands for the interaction that waits
  std::vector<Words> first;  // commands before it
  std::string answers = {};  // the file `answers`
};

class ExitCodeOf : public testing::TestWithParam<Row> {
 protected:
  std::string waiting() const {
    const auto list = parse_json(deputy_.run({"interactions", "list", "--json"}).output);
    EXPECT_OK(list);
    if (!list || list->as_array().empty()) return "none";
    return std::string(as_view(list->at(0).at("interaction").as_string()));
  }

  test::Program deputy_;
};

TEST_P(ExitCodeOf, TheProgram) {
  const Row& row = GetParam();
  deputy_.folder.write("project/answers", row.answers);
  deputy_.folder.write("work/notes.txt", "alpha\n");
  deputy_.write_user(fmt::format("tools: {{workspace_tools: {{root: {}}}}}\n", (deputy_.folder / "work").string()));
  for (const Words& command : row.first) deputy_.run(command);
  Words arguments = row.arguments;
  for (std::string& word : arguments) {
    if (word == "WAITS") word = waiting();
  }
  const ProcessEnd end = deputy_.run(arguments);
  EXPECT_EQ(end.exit_code, row.code) << end.output << end.errors;
}

const Words kWrite{"tools", "call", "write_file", R"({"path": "new.txt", "content": "x"})"};

INSTANTIATE_TEST_SUITE_P(
    Commands, ExitCodeOf,
    testing::Values(
        Row{"Answered", 0, {"ask", "hello"}, {}},
        Row{"AnsweredAfterQuestions", 0, {"ask", kNeedsMore, "--answers", "answers"}, {}, "checkout\nprod\n"},
        Row{"AnEmptyResult", 0, {"tools", "call", "search_history", R"({"query": "zebra"})"}, {}},
        Row{"ACallThatWorked", 0, {"tools", "call", "read_file", R"({"path": "notes.txt"})"}, {}},
        Row{"Approved", 0, {"interactions", "answer", "--run", "WAITS", "yes"}, {kWrite}},
        Row{"Listed", 0, {"runs", "list"}, {}},
        Row{"TheOneCallFailed", 1, {"tools", "call", "read_file", R"({"path": "gone.txt"})"}, {}},
        Row{"EveryCallFailed", 1, {"ask", "read the file gone.txt"}, {}},
        Row{"NoSuchRun", 1, {"runs", "show", "01M7F7M2T84A07M63ZHG8NJ2JA"}, {}}, Row{"NoRequest", 2, {"ask", "  "}, {}},
        Row{"NoSuchCommand", 2, {"aks"}, {}}, Row{"NoAnswersFile", 2, {"ask", "hello", "--answers", "gone"}, {}},
        Row{"WrongArguments", 2, {"tools", "call", "read_file", "path"}, {}},
        Row{"DeniedByARule", 3, {"tools", "call", "read_file", R"({"path": "notes.txt"})", "--set", kDeny}, {}},
        Row{"AllItWantedWasDenied",
            3,
            {"ask", kNeedsMore, "--answers", "answers", "--set", kDeny},
            {},
            "checkout\nprod\n"},
        Row{"DeniedByAPerson", 3, {"interactions", "answer", "--run", "WAITS", "no", "not today"}, {kWrite}},
        Row{"PausedAsk", 3, {"ask", "hello"}, {{"pause"}}},
        Row{"PausedCall", 3, {"tools", "call", "list_sub_runs"}, {{"pause"}}},
        Row{"AQuestionWaits", 4, {"ask", kNeedsMore}, {}}, Row{"AnApprovalWaits", 4, kWrite, {}},
        Row{"ALineThatDoesNotFit",
            4,
            {"tools", "call", "list_sub_runs", "--set", kAllAsk, "--answers", "answers"},
            {},
            "yes\n"},
        Row{"AChatLeavesSomethingWaiting", 4, {"chat", "--resume"}, {{"ask", kNeedsMore}}}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace deputy
