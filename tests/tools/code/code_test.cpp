// search_code and get_file over real repositories, read by git in the sandbox.
#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <fstream>

#include "base/process.h"
#include "support/loop.h"
#include "support/results.h"
#include "support/temporary_folder.h"
#include "toolkit/registry.h"
#include "tools/code/code_index.h"
#include "tools/code/code_tools.h"
#include "tools/code/repository.h"

namespace deputy::tools {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

TEST(Identifiers, AreSplitIntoTheirWords) {
  EXPECT_EQ(words_of_code("findUserById"), (Words{"find", "user", "by", "id", "finduserbyid"}));
  EXPECT_EQ(words_of_code("find_user(MAX_RETRIES)"),
            (Words{"find", "user", "finduser", "max", "retries", "maxretries"}));
  EXPECT_EQ(words_of_code("HTTPServer2 x"), (Words{"http", "server2", "httpserver2", "x"}));
  EXPECT_EQ(words_of_code("__init__ größe"), (Words{"init", "größe"}));
  EXPECT_EQ(words_of_code(" ;-) "), Words{});
}

TEST(GitOutput, OfATreeGivesOrdinaryFiles) {
  const std::string id(40, 'a');
  const std::string output = "100644 blob " + id + "      12\tsrc/a b.cpp" + std::string(1, '\0') + "120000 blob " +
                             id + "       3\tlink" + std::string(1, '\0') + "160000 commit " + id + "       -\tsub" +
                             std::string(1, '\0') + "nonsense";
  EXPECT_EQ(parse_tree(output), (std::vector<TreeFile>{{"src/a b.cpp", id, 12}}));
}

TEST(GitOutput, OfBlobsGivesTheirContents) {
  const std::string a(40, 'a');
  const std::string b(40, 'b');
  const std::map<std::string, std::string> both{{a, "one\n"}, {b, ""}};
  EXPECT_EQ(parse_blobs(a + " blob 4\none\n\n" + b + " blob 0\n\n"), both);
  EXPECT_EQ(parse_blobs(a + " missing\n" + b + " blob 0\n\n"), (std::map<std::string, std::string>{{b, ""}}));
  EXPECT_TRUE(parse_blobs(a + " blob 400\none").empty());
  EXPECT_TRUE(parse_blobs("nonsense\n").empty());
}

class CodeTest : public testing::Test {
 protected:
  CodeTest() {
    git("init -q -b main");
    commit("src/payment.cpp", "// pays\nint chargeCard(int amount) {\n  return retry_with_backoff(amount);\n}\n");
    setup.repositories = {{"shop", repository}};
    setup.index = std::make_shared<CodeIndex>((folder / "index.sqlite").string());
    setup.workers = &workers;
    setup.programs = find_sandbox_programs();
  }

  void git(const std::string& arguments) {
    ProcessSpec spec;
    spec.arguments = {"/bin/sh", "-c", "git -c user.name=t -c user.email=t@t -c commit.gpgsign=false " + arguments};
    spec.environment = {"PATH=/usr/bin:/bin", "HOME=/nonexistent"};
    spec.working_dir = repository;
    const auto end = test::run(run_process(std::move(spec)));
    ASSERT_OK(end);
    ASSERT_EQ(end->exit_code, 0) << end->errors;
  }
  void commit(const std::string& path, const std::string& text) {
    folder.write("shop/" + path, text);
    git("add -A");
    git("commit -qm change");
  }

  std::string call(const std::shared_ptr<const toolkit::Tool>& tool, const json::object& arguments) {
    const auto complete = tool->complete_arguments(arguments);
    if (!complete) return describe(complete.error());
    toolkit::CallContext context{.call_id = "c1", .arguments = *complete};
    context.may_read = may_read;
    context.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    const auto chain = tool->compose(*complete);
    if (!chain) return describe(chain.error());
    std::string last;
    for (const toolkit::LinkInfo& info : chain->links()) {
      Result<toolkit::Pipeline> again = tool->compose(*complete);
      Result<toolkit::Link> link = std::move(*again).take(info.name);
      toolkit::Step step = test::run_on(loop, link->handler.call(context));
      if (const auto* error = std::get_if<Error>(&step)) return describe(*error);
      if (const auto* output = std::get_if<toolkit::Output>(&step)) {
        context.outputs[info.name] = *output;
        last = output->text;
      }
    }
    return last;
  }
  std::function<bool(std::string_view path, bool several_names)> may_read;
  std::string search(const std::string& query) { return call(search_code_tool(setup), {{"query", query}}); }

  test::TemporaryFolder folder;
  fs::path repository = folder.write("shop/README.md", "# Shop\n").parent_path();
  Workers workers{"code", {}};
  asio::io_context loop;
  CodeSetup setup;
};

TEST_F(CodeTest, ToolsKeepTheRulesOfATool) {
  toolkit::Registry registry;
  for (const auto& tool : code_tools(setup)) EXPECT_OK(registry.add(tool));
  EXPECT_EQ(search_code_tool(setup)->spec().missing, "");
  EXPECT_TRUE(search_code_tool(CodeSetup{})->spec().missing.contains("tools.code_tools.repositories"));
}

TEST_F(CodeTest, KeepsItsIndexForItsOwnerAlone) {
  const auto is_private = [&](const char* name) {
    return fs::status(folder / name).permissions() == (fs::perms::owner_read | fs::perms::owner_write);
  };
  search("charge card");
  for (const char* name : {"index.sqlite", "index.sqlite-wal", "index.sqlite-shm"})
    EXPECT_TRUE(is_private(name)) << name;
  fs::permissions(folder / "index.sqlite", fs::perms(0644));
  setup.index = std::make_shared<CodeIndex>((folder / "index.sqlite").string());
  search("charge card");
  EXPECT_TRUE(is_private("index.sqlite")) << "one that an earlier version made";
}

TEST_F(CodeTest, FindsAnIdentifierByItsWords) {
  const std::string expected =
      "1 place\nshop/src/payment.cpp:1-4\n// pays\nint chargeCard(int amount) {\n  return "
      "retry_with_backoff(amount);\n}\n\n";
  for (const char* query : {"charge card", "chargeCard", "CHARGE_CARD", "retryWithBackoff", "backoff"}) {
    EXPECT_EQ(search(query), expected) << query;
  }
  EXPECT_EQ(search("unrelated"), "nothing in the code matches\n");
  EXPECT_TRUE(search("\" OR ) NEAR(").contains("nothing in the code"));
}

TEST_F(CodeTest, FollowsEachCommit) {
  EXPECT_EQ(search("refund"), "nothing in the code matches\n");
  commit("src/refund.cpp", "void refundOrder();\n");
  EXPECT_EQ(search("refund"), "1 place\nshop/src/refund.cpp:1-1\nvoid refundOrder();\n\n");
  commit("src/refund.cpp", "void giveBack();\n");
  EXPECT_EQ(search("order"), "nothing in the code matches\n");
  EXPECT_EQ(search("give back"), "1 place\nshop/src/refund.cpp:1-1\nvoid giveBack();\n\n");
  git("rm -q src/refund.cpp");
  git("commit -qm gone");
  EXPECT_EQ(search("give back"), "nothing in the code matches\n");
}

TEST_F(CodeTest, RanksTheFileWithMoreOfTheWordsFirst) {
  commit("b.txt", "card\n");
  commit("c.txt", "card charge card charge\n");
  const std::string found = search("charge card amount");
  EXPECT_TRUE(found.starts_with("3 places\nshop/src/payment.cpp:")) << found;
  EXPECT_LT(found.find("c.txt"), found.find("b.txt")) << found;
}

TEST_F(CodeTest, ShowsTheLinesThatMatterOfALongFile) {
  std::string text;
  for (int line = 1; line <= 200; ++line) text += line == 150 ? "int needle_here;\n" : "int other;\n";
  commit("long.cpp", text);
  const std::string found = search("needle");
  EXPECT_TRUE(found.starts_with("1 place\nshop/long.cpp:146-157\n")) << found;
  EXPECT_TRUE(found.contains("needle_here"));
}

TEST_F(CodeTest, SaysHowManyFilesWereNotSearched) {
  commit("empty.cpp", "");
  EXPECT_EQ(search("needle"), "nothing in the code matches\n");
  commit("image.bin", std::string("needle\0", 7));
  commit("large.sql", std::string((1U << 20) + 1, 'x'));
  EXPECT_EQ(search("needle"),
            "nothing in the code matches\n"
            "… not searched, because not text or larger than 1048576 bytes: 2 files\n");
  git("rm -q image.bin large.sql");
  git("commit -qm gone");
  EXPECT_EQ(search("needle"), "nothing in the code matches\n");
}

TEST_F(CodeTest, AnIndexOfAnEarlierVersionIsMadeAgain) {
  search("charge card");
  {
    auto older = sqlite::Connection::open((folder / "index.sqlite").string(), sqlite::Connection::Mode::read_write);
    ASSERT_OK(older);
    ASSERT_OK(
        older->execute("UPDATE words SET text = 'hunter2'; UPDATE chunks SET text = 'hunter2';"
                       "PRAGMA user_version = 0"));
  }
  setup.index = std::make_shared<CodeIndex>((folder / "index.sqlite").string());
  EXPECT_EQ(search("hunter2"), "nothing in the code matches\n");
  EXPECT_TRUE(search("charge card").contains("chargeCard"));
}

TEST(CodeIndex, LooksInNoOtherRepository) {
  const test::TemporaryFolder folder;
  CodeIndex index((folder / "index.sqlite").string());
  const std::string id(40, 'a');
  std::vector<TreeFile> many;
  many.reserve(600);
  for (int file = 0; file < 600; ++file) many.push_back({"needle" + std::to_string(file), id, 7});
  ASSERT_OK(index.add("dropped", many, {{id, "needle needle\n"}}));
  ASSERT_OK(index.add("kept", {{"a", id, 7}}, {{id, "a needle among other words\n"}}));
  const Result<CodeFound> found = index.search("needle", 5, {"kept"});
  ASSERT_OK(found);
  ASSERT_EQ(found->hits.size(), 1U);
  EXPECT_EQ(found->hits.front().repository, "kept");
  EXPECT_FALSE(found->more);
}

TEST(CodeIndex, SaysWhenMorePlacesMatchThanAreLookedAt) {
  const test::TemporaryFolder folder;
  CodeIndex index((folder / "index.sqlite").string());
  const std::string id(40, 'a');
  std::string text;
  for (int line = 0; line < 600 * 40; ++line) text += "needle\n";
  ASSERT_OK(index.add("shop", {{"a", id, text.size()}}, {{id, text}}));
  const Result<CodeFound> found = index.search("needle", 5, {"shop"});
  ASSERT_OK(found);
  EXPECT_EQ(found->hits.size(), 1U);
  EXPECT_TRUE(found->more);
}

TEST(CodeIndex, SaysWhenMoreFilesMatchThanWereAskedFor) {
  const test::TemporaryFolder folder;
  CodeIndex index((folder / "index.sqlite").string());
  const std::string id(40, 'a');
  ASSERT_OK(index.add("shop", {{"a", id, 7}, {"b", id, 7}, {"secret", id, 7}}, {{id, "needle\n"}}));
  const auto may_read = [](std::string_view path) { return path != "secret"; };
  EXPECT_TRUE(index.search("needle", 1, {"shop"}, may_read)->more);
  EXPECT_FALSE(index.search("needle", 2, {"shop"}, may_read)->more);
  EXPECT_TRUE(index.search("needle", 2, {"shop"})->more);
}

TEST_F(CodeTest, MakesAnIndexThatIsNoneAgain) {
  const std::string found = search("charge card");
  EXPECT_TRUE(found.contains("chargeCard")) << found;
  setup.index.reset();
  folder.write("index.sqlite", std::string(20'000, 'x'));
  folder.write("index.sqlite-wal", std::string(20'000, 'y'));
  setup.index = std::make_shared<CodeIndex>((folder / "index.sqlite").string());
  EXPECT_EQ(search("charge card"), found);
}

/// An index of one file, and ways to damage it while nobody has it open.
struct Damageable {
  std::string path() const { return (folder / "index.sqlite").string(); }
  void fill() {
    CodeIndex index(path());
    const std::string id(40, 'a');
    ASSERT_OK(index.begin_update("shop", {{"a", id, 7}}));
    ASSERT_OK(index.add("shop", {{"a", id, 7}}, {{id, "needle\n"}}));
    ASSERT_OK(index.end_update("shop", "c1"));
  }
  void damage(const std::string& table) {
    std::int64_t page = 0;
    std::int64_t size = 0;
    {
      auto connection = sqlite::Connection::open(path(), sqlite::Connection::Mode::read_write);
      ASSERT_OK(connection);
      auto of_table =
          connection->prepare("SELECT rootpage, page_size FROM sqlite_schema, pragma_page_size WHERE name = ?1");
      ASSERT_EQ(of_table.bind(1, std::string_view(table)).step(), true);
      page = of_table.integer(0);
      size = of_table.integer(1);
    }
    std::fstream file(path(), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp((page - 1) * size);
    file << std::string(static_cast<std::size_t>(size), 'x');
    ASSERT_TRUE(file.good());
  }

  test::TemporaryFolder folder;
};

TEST(CodeIndex, IsMadeAgainWhereItCannotSayWhatIsIndexed) {
  Damageable damaged;
  damaged.fill();
  damaged.damage("repositories");
  CodeIndex index(damaged.path());
  EXPECT_EQ(index.commit_of("shop"), "");
  EXPECT_OK(index.search("needle", 5, {"shop"}));
}

TEST(CodeIndex, IsMadeAgainWhereItCannotBeSearchedAndSaysSoOnce) {
  Damageable damaged;
  damaged.fill();
  damaged.damage("chunks");
  CodeIndex index(damaged.path());
  ASSERT_OK(index.begin_update("other", {}));
  EXPECT_EQ(index.commit_of("shop"), "c1");
  const Result<CodeFound> found = index.search("needle", 5, {"shop"});
  ASSERT_FAILS(found, internal);
  EXPECT_EQ(found.error().message, "the code index was damaged and is being rebuilt");
  EXPECT_EQ(index.commit_of("shop"), "");
  EXPECT_FALSE(index.end_update("other", "c1")) << "what came of it went with the file";
  EXPECT_OK(index.search("needle", 5, {"shop"}));
  damaged.fill();
}

TEST_F(CodeTest, ReadsAFileOfTheCommit) {
  const auto tool = get_file_tool(setup);
  EXPECT_EQ(call(tool, {{"repo", "shop"}, {"path", "src/payment.cpp"}, {"start", 2}, {"end", 2}}),
            "int chargeCard(int amount) {\n[lines 2 to 2 of 4]\n");
  EXPECT_EQ(call(tool, {{"repo", "shop"}, {"path", "none"}}),
            "there is no file `none` in `shop` (find it with search_code)");
  EXPECT_EQ(call(tool, {{"repo", "shpo"}, {"path", "a"}}),
            "there is no repository `shpo` (known repositories: `shop`)");
  folder.write("shop/uncommitted", "x");
  EXPECT_TRUE(call(tool, {{"repo", "shop"}, {"path", "uncommitted"}}).contains("there is no file"));
}

TEST_F(CodeTest, WhatMayNotBeReadIsNotFound) {
  may_read = [](std::string_view path, bool) { return !path.starts_with("src/"); };
  for (const char* query : {"chargeCard", "unrelated"}) {
    EXPECT_EQ(search(query), "nothing in the code matches\n… left out by the rules of read_file: 1 file\n") << query;
  }
  EXPECT_EQ(get_file_tool(setup)->spec().path_rules_of, "read_file");
}

TEST_F(CodeTest, LeadsNowhereOutOfTheRepository) {
  folder.write("secret", "the secret\n");
  fs::create_symlink("../secret", repository / "link");
  git("add -A");
  git("commit -qm link");
  const auto tool = get_file_tool(setup);
  for (const char* path : {"../secret", "link/x", "/etc/passwd", "../../etc/passwd"}) {
    EXPECT_FALSE(call(tool, {{"repo", "shop"}, {"path", path}}).contains("secret\n")) << path;
  }
  EXPECT_EQ(call(tool, {{"repo", "shop"}, {"path", "link"}}), "../secret\n") << "the link itself, not what it leads to";
}

TEST_F(CodeTest, RunsNothingARepositoryTellsGitToOutsideTheSandbox) {
  const fs::path touched = folder / "touched";
  folder.write("shop/.git/evil.sh", "#!/bin/sh\ntouch " + touched.string() + "\n");
  fs::permissions(repository / ".git/evil.sh", fs::perms{0755});
  for (const char* key : {"core.fsmonitor", "core.pager", "core.sshCommand", "core.editor", "diff.external"}) {
    git(std::string("config ") + key + " " + (repository / ".git/evil.sh").string());
  }
  EXPECT_TRUE(search("charge").contains("chargeCard"));
  EXPECT_FALSE(fs::exists(touched));
}

TEST_F(CodeTest, SaysWhenARepositoryCannotBeRead) {
  ASSERT_TRUE(search("charge").contains("chargeCard"));
  fs::rename(repository / ".git", repository / "not-git");
  const std::string found = search("charge");
  EXPECT_TRUE(found.contains("chargeCard"));
  EXPECT_TRUE(found.contains("… shop may be out of date: git cannot read the repository `shop`")) << found;
}

}  // namespace
}  // namespace deputy::tools
