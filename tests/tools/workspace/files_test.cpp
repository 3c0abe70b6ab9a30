// read_file, list_files, search_files, write_file and edit_file, as a run calls them.
#include <sys/stat.h>

#include "toolkit/registry.h"
#include "tools/workspace/workspace_fixture.h"

namespace deputy::tools {
namespace {

namespace fs = std::filesystem;
using Answer = toolkit::Looked::Answer;

TEST_F(WorkspaceTest, AllToolsKeepTheRulesOfATool) {
  toolkit::Registry registry;
  for (const auto& tool : workspace_tools(setup)) EXPECT_OK(registry.add(tool));
  EXPECT_EQ(registry.size(), 7U);
}

TEST_F(WorkspaceTest, WithoutARootSaysWhatToSet) {
  for (const auto& tool : workspace_tools(make_workspace_setup("", {}, workers))) {
    if (tool->spec().name == "fetch_url") continue;  // works without
    EXPECT_EQ(tool->spec().missing, "set tools.workspace_tools.root to the folder to work in");
  }
  const WorkspaceSetup overlapping = make_workspace_setup(work, {work / "data"}, workers);
  EXPECT_TRUE(read_file_tool(overlapping)->spec().missing.contains("contain each other"));
}

TEST_F(WorkspaceTest, ReadsAFileWholeOrInPart) {
  folder.write("work/five.txt", "1\n2\n3\n4\n5\n");
  folder.write("work/empty.txt", "");
  const Tool tool = read_file_tool(setup);
  EXPECT_EQ(text_of(tool, {{"path", "five.txt"}}), "1\n2\n3\n4\n5\n");
  EXPECT_EQ(text_of(tool, {{"path", "five.txt"}, {"start_line", 2}, {"end_line", 3}}), "2\n3\n[lines 2 to 3 of 5]\n");
  EXPECT_EQ(text_of(tool, {{"path", "five.txt"}, {"start_line", 4}}), "4\n5\n[lines 4 to 5 of 5]\n");
  EXPECT_EQ(text_of(tool, {{"path", "five.txt"}, {"start_line", 9}}), "invalid_input: `five.txt` has 5 lines");
  EXPECT_EQ(text_of(tool, {{"path", "empty.txt"}}), "(the file is empty)");
  EXPECT_FAILS(call(tool, {{"path", "five.txt"}, {"start_line", 3}, {"end_line", 2}}), invalid_input);
  EXPECT_FAILS(call(tool, {{"path", "none.txt"}}), not_found);
  EXPECT_FAILS(call(tool, {{"path", "../secret"}}), permission);
}

TEST_F(WorkspaceTest, ReadsTextOnlyAndAlwaysAsUtf8) {
  folder.write("work/binary", std::string("a\0b", 3));
  folder.write("work/latin1", "caf\xe9\n");
  EXPECT_FAILS(call(read_file_tool(setup), {{"path", "binary"}}), invalid_input);
  EXPECT_EQ(text_of(read_file_tool(setup), {{"path", "latin1"}}), "caf\uFFFD\n");
}

TEST_F(WorkspaceTest, ListsAFolderOrWhatMatches) {
  folder.write("work/src/a.cpp", "12345");
  folder.write("work/src/deep/b.cpp", "1");
  folder.write("work/.git/c.cpp", "1");
  fs::create_symlink("/etc", work / "src/out");
  const Tool tool = list_files_tool(setup);
  EXPECT_EQ(text_of(tool, json::object{}), "README.md  7 bytes\nsrc/\n");
  EXPECT_EQ(text_of(tool, {{"path", "src"}}), "src/a.cpp  5 bytes\nsrc/deep/\nsrc/out (link)\n");
  EXPECT_EQ(text_of(tool, {{"glob", "*.cpp"}}), "src/a.cpp  5 bytes\nsrc/deep/b.cpp  1 bytes\n");
  EXPECT_EQ(text_of(tool, {{"glob", "*.java"}}), "no file matches; .git is not searched");
  EXPECT_FAILS(call(tool, {{"path", "src/out"}}), permission);
}

TEST_F(WorkspaceTest, SaysWhenAListIsNotWhole) {
  for (int file = 0; file < 1005; ++file) folder.write("work/many/" + std::to_string(file), "");
  const std::string listed = text_of(list_files_tool(setup), {{"path", "many"}});
  EXPECT_TRUE(listed.ends_with("… there is more: only the first 1000 are listed\n"))
      << listed.substr(listed.size() - 80);
}

TEST_F(WorkspaceTest, SearchesTextFilesByRegularExpression) {
  folder.write("work/src/a.cpp", "int one;\nint two;\n");
  folder.write("work/b.txt", "int one more\n");
  folder.write("work/binary", std::string("int one\0", 8));
  folder.write("work/.git/config", "int one\n");
  test::TemporaryFolder elsewhere;
  elsewhere.write("x", "int one\n");
  fs::create_directory_symlink(elsewhere.path(), work / "link");
  const Tool tool = search_files_tool(setup);
  EXPECT_EQ(text_of(tool, {{"pattern", "int o.e"}}),
            "b.txt:1: int one more\nsrc/a.cpp:1: int one;\n… 1 file could not be read as text\n");
  EXPECT_EQ(text_of(tool, {{"pattern", "two"}, {"glob", "*.cpp"}, {"path", "src"}}), "src/a.cpp:2: int two;\n");
  EXPECT_EQ(text_of(tool, {{"pattern", "three"}, {"glob", "*.cpp"}}), "no line matches in 1 file\n");
  EXPECT_FAILS(call(tool, {{"pattern", "(a"}}), invalid_input);
}

TEST_F(WorkspaceTest, SearchEndsAfterSoManyMatchesAndSaysSo) {
  std::string text;
  for (int line = 0; line < 300; ++line) text += "hit\n";
  folder.write("work/hits", text);
  EXPECT_TRUE(text_of(search_files_tool(setup), {{"pattern", "hit"}})
                  .ends_with("hits:200: hit\n… there is more: the search ended after 200 matches\n"));
}

TEST_F(WorkspaceTest, SaysWhenThereIsTooMuchToLookAt) {
  constexpr const char* kNotAll =
      "… there may be more: only 3 files and folders were looked at; give a path below this one\n";
  for (const char* name : {"a", "b", "c/d"}) folder.write(std::string("work/") + name, "text\n");  // and README.md
  setup.max_walked = 3;
  const Tool search = search_files_tool(setup);
  EXPECT_TRUE(text_of(search, {{"pattern", "none"}}).ends_with(kNotAll));
  EXPECT_EQ(text_of(search, {{"pattern", "none"}, {"path", "c"}}), "no line matches in 1 file\n");
  const Tool list = list_files_tool(setup);
  EXPECT_EQ(text_of(list, {{"glob", "*.none"}}), kNotAll);
  const std::string listed = text_of(list, {});
  EXPECT_TRUE(listed.ends_with(kNotAll)) << listed;
  EXPECT_FALSE(listed.contains("only the first")) << listed;
}

TEST_F(WorkspaceTest, WritesAFileAfterShowingWhatChanges) {
  const Tool tool = write_file_tool(setup);
  const json::object arguments{{"path", "notes/a.txt"}, {"content", "one\n"}};
  EXPECT_EQ(text_of(tool, arguments), "wrote `notes/a.txt`");
  EXPECT_EQ(outputs["preview"].text,
            "`notes/a.txt` is a new file\n--- notes/a.txt\n+++ notes/a.txt\n@@ -0,0 +1 @@\n+one\n");
  EXPECT_EQ(test::read_file(work / "notes/a.txt"), "one\n");
  EXPECT_FAILS(call(tool, {{"path", "../a.txt"}, {"content", "x"}}), permission);
  EXPECT_FALSE(fs::exists(folder / "a.txt"));
}

TEST_F(WorkspaceTest, ChangesNothingBeforeTheGate) {
  const Tool tool = write_file_tool(setup);
  const auto wrote = call(tool, {{"path", "README.md"}, {"content", "new\n"}},
                          [&] { EXPECT_EQ(test::read_file(work / "README.md"), "# Work\n"); });
  ASSERT_OK(wrote);
  EXPECT_EQ(test::read_file(work / "README.md"), "new\n");
}

TEST_F(WorkspaceTest, EditsPassagesThatStandOnce) {
  folder.write("work/a.txt", "one\ntwo\nthree\n");
  ASSERT_EQ(chmod((work / "a.txt").c_str(), 0754), 0);
  const json::array edits{{{"old_string", "two"}, {"new_string", "2"}}, {{"old_string", "three"}, {"new_string", "3"}}};
  EXPECT_EQ(text_of(edit_file_tool(setup), {{"path", "a.txt"}, {"edits", edits}}), "wrote `a.txt`");
  EXPECT_EQ(outputs["preview"].text, "--- a.txt\n+++ a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n-three\n+2\n+3\n");
  EXPECT_EQ(test::read_file(work / "a.txt"), "one\n2\n3\n");
  EXPECT_EQ(fs::status(work / "a.txt").permissions(), fs::perms{0754});
}

TEST_F(WorkspaceTest, RefusesAnEditThatCannotBeMadeBeforeTheGate) {
  bool asked = false;
  const auto refused =
      call(edit_file_tool(setup), {{"path", "README.md"}, {"edits", {{{"old_string", "none"}, {"new_string", "x"}}}}},
           [&] { asked = true; });
  EXPECT_FAILS(refused, invalid_input);
  EXPECT_FALSE(asked);
  EXPECT_FAILS(
      call(edit_file_tool(setup), {{"path", "no.md"}, {"edits", {{{"old_string", "a"}, {"new_string", "b"}}}}}),
      not_found);
}

TEST_F(WorkspaceTest, RefusesToWriteALinkBeforeTheGate) {
  fs::create_symlink("README.md", work / "inside");
  fs::create_symlink("none", work / "nowhere");
  fs::create_symlink("../secret", work / "outside");
  for (const char* path : {"inside", "nowhere", "outside"}) {
    bool asked = false;
    const auto refused = call(write_file_tool(setup), {{"path", path}, {"content", "x"}}, [&] { asked = true; });
    ASSERT_FALSE(refused) << path;
    EXPECT_TRUE(refused.error().message.contains(" is a link")) << refused.error().message;
    EXPECT_FALSE(asked) << path;
  }
  EXPECT_EQ(test::read_file(work / "README.md"), "# Work\n");
}

TEST_F(WorkspaceTest, RefusesToWriteThroughALinkedFolderBeforeTheGate) {
  folder.write("work/.git/hooks/sample", "");
  fs::create_directories(work / "notes");
  fs::create_symlink("../.git/hooks", work / "notes/hooks");
  bool asked = false;
  const auto refused =
      call(write_file_tool(setup), {{"path", "notes/hooks/pre-commit"}, {"content", "x"}}, [&] { asked = true; });
  EXPECT_FAILS(refused, invalid_input);
  EXPECT_FALSE(asked);
  EXPECT_FALSE(fs::exists(work / ".git/hooks/pre-commit"));
}

TEST_F(WorkspaceTest, AFolderThatBecameALinkSinceItWasShownIsAConflict) {
  folder.write("work/.git/hooks/sample", "");
  for (const char* path : {"notes/new", "notes/deep/new"}) {
    fs::create_directories(work / "notes/deep");
    const auto written = call(write_file_tool(setup), {{"path", path}, {"content", "x"}}, [&] {
      fs::remove_all(work / "notes");
      fs::create_symlink(".git/hooks", work / "notes");
    });
    EXPECT_FAILS(written, conflict) << path;
    fs::remove(work / "notes");
  }
  EXPECT_FALSE(fs::exists(work / ".git/hooks/new"));
}

TEST_F(WorkspaceTest, ReadsWhereALinkLedWhenItWasJudgedAndNowhereElse) {
  folder.write("work/deep/a.txt", "inside");
  fs::create_symlink("deep", work / "folder");
  EXPECT_EQ(text_of(read_file_tool(setup), {{"path", "folder/a.txt"}}), "inside\n");
  EXPECT_EQ(text_of(list_files_tool(setup), {{"path", "folder"}}), "deep/a.txt  6 bytes\n");
  toolkit::CallContext unjudged{.arguments = {{"path", "folder/a.txt"}}};
  auto chain = read_file_tool(setup)->compose(unjudged.arguments);
  ASSERT_OK(chain);
  auto link = std::move(*chain).take("read");
  ASSERT_OK(link);
  const toolkit::Step step = test::run_on(loop, link->handler.call(unjudged));
  EXPECT_TRUE(std::holds_alternative<Error>(step)) << "it followed a link that nobody judged";
}

TEST_F(WorkspaceTest, WhatMayNotBeReadIsNeitherListedNorSearched) {
  folder.write("work/secrets/prod.txt", "blue heron\n");
  folder.write("work/notes.txt", "blue heron\n");
  fs::create_hard_link(work / "secrets/prod.txt", work / "copy.txt");
  may_read = [](std::string_view path, bool several_names) { return !several_names && !path.starts_with("secrets/"); };
  EXPECT_EQ(text_of(search_files_tool(setup), {{"pattern", "heron"}}),
            "notes.txt:1: blue heron\n… left out by the rules of read_file: 2 files\n");
  EXPECT_EQ(text_of(list_files_tool(setup), {{"glob", "*.txt"}}),
            "notes.txt  11 bytes\n… left out by the rules of read_file: 2 files\n");
}

TEST_F(WorkspaceTest, APathMakesNoLinesOfItsOwnInThePreview) {
  EXPECT_FAILS(call(write_file_tool(setup), {{"path", "a\n--- b\n+++ b\n"}, {"content", "x"}}), invalid_input);
}

TEST_F(WorkspaceTest, AFileThatChangedAfterItWasShownIsAConflict) {
  const json::object edit{{"path", "README.md"}, {"edits", {{{"old_string", "Work"}, {"new_string", "Play"}}}}};
  const auto changed = call(edit_file_tool(setup), edit, [&] { folder.write("work/README.md", "# Work!\n"); });
  EXPECT_FAILS(changed, conflict);
  EXPECT_EQ(test::read_file(work / "README.md"), "# Work!\n");
  const json::object write{{"path", "new.txt"}, {"content", "mine"}};
  EXPECT_FAILS(call(write_file_tool(setup), write, [&] { folder.write("work/new.txt", "theirs"); }), conflict);
  EXPECT_EQ(test::read_file(work / "new.txt"), "theirs");
}

TEST_F(WorkspaceTest, TellsByLookingWhetherAChangeWasMade) {
  const Tool tool = write_file_tool(setup);
  const json::object arguments{{"path", "README.md"}, {"content", "new\n"}};
  ASSERT_OK(call(tool, arguments));
  EXPECT_EQ(look(tool, arguments)->answer, Answer::done);
  folder.write("work/README.md", "# Work\n");
  EXPECT_EQ(look(tool, arguments)->answer, Answer::not_done);
  folder.write("work/README.md", "something else");
  EXPECT_EQ(look(tool, arguments)->answer, Answer::cannot_tell);
}

}  // namespace
}  // namespace deputy::tools
