// Markdown to the Atlassian Document Format and back.
#include "clients/atlassian/adf.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "base/json_pointer.h"
#include "base/text.h"

namespace deputy::clients::atlassian {
namespace {

using testing::HasSubstr;

/// What may stand in what, by Atlassian's schema; of the nodes that Deputy writes.
const std::map<std::string, std::set<std::string>> kMayHold{
    {"doc", {"paragraph", "heading", "bulletList", "orderedList", "codeBlock", "blockquote", "rule", "table"}},
    {"paragraph", {"text", "hardBreak"}},
    {"heading", {"text", "hardBreak"}},
    {"bulletList", {"listItem"}},
    {"orderedList", {"listItem"}},
    {"listItem", {"paragraph", "bulletList", "orderedList", "codeBlock"}},
    {"codeBlock", {"text"}},
    {"blockquote", {"paragraph", "bulletList", "orderedList", "codeBlock"}},
    {"table", {"tableRow"}},
    {"tableRow", {"tableHeader", "tableCell"}},
    {"tableHeader", {"paragraph"}},
    {"tableCell", {"paragraph"}},
};
const std::set<std::string> kNeverEmpty{"bulletList", "orderedList", "listItem", "blockquote", "table", "tableRow"};

void problems_in_text(const json::value& node, const std::string& parent, std::vector<std::string>& problems) {
  if (text_in(node, "/text").empty()) problems.emplace_back("an empty text node");
  std::set<std::string> marks;
  for (const json::value& mark : items_in(node, "/marks")) {
    const std::string type = text_in(mark, "/type");
    if (!marks.insert(type).second) problems.push_back("the mark twice: " + type);
    if (type == "link" && text_in(mark, "/attrs/href").empty()) problems.emplace_back("a link to nowhere");
  }
  if (parent == "codeBlock" && !marks.empty()) problems.emplace_back("a mark in a code block");
  if (marks.contains("code") && marks.size() > (marks.contains("link") ? 2U : 1U))
    problems.emplace_back("code with another mark");
}

void problems_in(const json::value& node, std::vector<std::string>& problems) {
  const std::string type = text_in(node, "/type");
  const json::array& content = items_in(node, "/content");
  if (kNeverEmpty.contains(type) && content.empty()) problems.push_back(type + " is empty");
  if (type == "heading" && (whole_in(node, "/attrs/level").value_or(0) < 1 || *whole_in(node, "/attrs/level") > 6))
    problems.emplace_back("no such heading");
  if (type == "listItem" && !content.empty() && text_in(content.front(), "/type") != "paragraph" &&
      text_in(content.front(), "/type") != "codeBlock")
    problems.emplace_back("a list item begins with " + text_in(content.front(), "/type"));
  for (const json::value& child : content) {
    const std::string child_type = text_in(child, "/type");
    const auto may_hold = kMayHold.find(type);
    if (may_hold == kMayHold.end() || !may_hold->second.contains(child_type))
      problems.push_back(child_type + " in " + type);
    if (child_type == "text") problems_in_text(child, type, problems);
    problems_in(child, problems);
  }
}

std::vector<std::string> problems_of(const json::object& document) {
  std::vector<std::string> problems;
  if (document.at("type") != "doc" || document.at("version") != 1) problems.emplace_back("not a document");
  problems_in(document, problems);
  return problems;
}

std::string there_and_back(std::string_view markdown) { return markdown_from_adf(adf_from_markdown(markdown)); }

json::value content_of(std::string_view markdown) { return adf_from_markdown(markdown).at("content"); }

TEST(AdfFromMarkdown, MakesTextWithMarks) {
  EXPECT_EQ(content_of("a **b** `c`"), json::parse(R"([{"type": "paragraph", "content": [
      {"type": "text", "text": "a "},
      {"type": "text", "text": "b", "marks": [{"type": "strong"}]},
      {"type": "text", "text": " "},
      {"type": "text", "text": "c", "marks": [{"type": "code"}]}]}])"));
  EXPECT_EQ(content_of("[docs](https://example.com/a)"), json::parse(R"([{"type": "paragraph", "content": [
      {"type": "text", "text": "docs",
       "marks": [{"type": "link", "attrs": {"href": "https://example.com/a"}}]}]}])"));
}

TEST(AdfFromMarkdown, KeepsLineBreaksAndCode) {
  EXPECT_EQ(content_of("one\ntwo"), json::parse(R"([{"type": "paragraph", "content": [
      {"type": "text", "text": "one"}, {"type": "hardBreak"}, {"type": "text", "text": "two"}]}])"));
  EXPECT_EQ(content_of("```bash\nls  *.log\n\n  x\n```"), json::parse(R"([{"type": "codeBlock",
      "attrs": {"language": "bash"}, "content": [{"type": "text", "text": "ls  *.log\n\n  x"}]}])"));
  EXPECT_EQ(content_of("```\n```"), json::parse(R"([{"type": "codeBlock", "content": []}])"));
}

TEST(AdfFromMarkdown, LinksOnlyWhereALinkMayLead) {
  const std::string made =
      json::serialize(adf_from_markdown("[x](javascript:alert) <https://a.example/b>, (https://c.example)."));
  EXPECT_THAT(made, HasSubstr("[x](javascript:alert)"));
  EXPECT_THAT(made, HasSubstr(R"("href":"https://a.example/b")"));
  EXPECT_THAT(made, HasSubstr(R"("href":"https://c.example")"));
}

struct SameRow {
  std::string name;
  std::string markdown;
};
class StaysTheSame : public testing::TestWithParam<SameRow> {};

TEST_P(StaysTheSame, ThereAndBack) {
  EXPECT_EQ(there_and_back(GetParam().markdown), GetParam().markdown);
  EXPECT_THAT(problems_of(adf_from_markdown(GetParam().markdown)), testing::IsEmpty());
}
INSTANTIATE_TEST_SUITE_P(
    Markdown, StaysTheSame,
    testing::Values(SameRow{"Words", "plain words"}, SameRow{"Heading", "## What **happened**\n\nIt broke."},
                    SameRow{"Lists", "- one\n- two\n  - deeper\n  - still\n- three"},
                    SameRow{"Numbers", "1. one\n2. two"}, SameRow{"Quote", "> said\n> again"},
                    SameRow{"Code", "- do this:\n  ```sh\n  make all\n  ```\n- done"},
                    SameRow{"Table", "| a | b |\n| --- | --- |\n| 1 | `2` |"}, SameRow{"Rule", "above\n\n---\n\nbelow"},
                    SameRow{"Names", "snake_case_name and 2*3*4 and a~b"},
                    SameRow{"Emphasis", "*a* **b** ~~e~~ ***f***"},
                    SameRow{"Links", "see [the page](https://example.com/x_y_z) or https://example.com/y"},
                    SameRow{"Unclosed", "a ** b ` c [d"}),
    [](const auto& row) { return row.param.name; });

TEST(MarkdownFromAdf, KnowsWhatOnlyJiraWrites) {
  const json::value document = json::parse(R"({"type": "doc", "content": [
      {"type": "panel", "attrs": {"panelType": "warning"}, "content": [
        {"type": "paragraph", "content": [{"type": "mention", "attrs": {"id": "1", "text": "@Ana"}},
          {"type": "text", "text": " by "}, {"type": "date", "attrs": {"timestamp": "1794988800000"}},
          {"type": "text", "text": " "}, {"type": "status", "attrs": {"text": "LATE"}},
          {"type": "emoji", "attrs": {"shortName": ":fire:"}}]}]},
      {"type": "taskList", "content": [
        {"type": "taskItem", "attrs": {"state": "DONE"}, "content": [{"type": "text", "text": "look"}]},
        {"type": "taskItem", "attrs": {"state": "TODO"}, "content": [{"type": "text", "text": "act"}]}]},
      {"type": "mediaSingle", "content": [{"type": "media", "attrs": {"id": "7", "alt": "graph.png"}}]},
      {"type": "expand", "attrs": {"title": "More"}, "content": [
        {"type": "paragraph", "content": [{"type": "inlineCard", "attrs": {"url": "https://example.com"}}]}]},
      {"type": "futureBlock", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "kept"}]}]}]})");
  EXPECT_EQ(markdown_from_adf(document),
            "> **warning:** @Ana by 2026-11-18 [LATE]:fire:\n\n- [x] look\n- [ ] act\n\n[attachment: graph.png]\n\n"
            "**More**\n\nhttps://example.com\n\nkept");
  EXPECT_EQ(markdown_from_adf("wiki *text*"), "wiki *text*");
  EXPECT_EQ(markdown_from_adf(nullptr), "");
}

TEST(MarkdownFromAdf, EndsOfCodeDoNotEndItsFence) {
  const json::value document = json::parse(
      R"({"type": "doc", "content": [{"type": "codeBlock", "content": [{"type": "text", "text": "```\nrm\n```"}]}]})");
  EXPECT_EQ(markdown_from_adf(document), "````\n```\nrm\n```\n````");
}

/// Signs that mean something, and a few words between them.
rc::Gen<std::string> some_markdown() {
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(std::vector<std::string>{
                          "word", " ",           "\n",          "\n\n",    "*",    "**", "***",  "_",
                          "~~",   "`",           "```",         "```sh\n", "# ",   "- ", "  - ", "1. ",
                          "> ",   "| a | b |\n", "| - | - |\n", "---\n",   "[",    "](", ")",    "https://example.com/",
                          "<",    ">",           "\\",          "\t",      "\r\n", "é",  "\x01", "\xff",
                          "    "})),
                      [](const std::vector<std::string>& parts) { return join(parts, ""); });
}

RC_GTEST_PROP(AdfProperty, AnyMarkdownMakesAValidDocument, ()) {
  const std::string markdown = *some_markdown();
  const json::object document = adf_from_markdown(markdown);
  RC_LOG() << json::serialize(document);
  const std::vector<std::string> problems = problems_of(document);
  for (const std::string& problem : problems) RC_LOG() << problem;
  RC_ASSERT(problems.empty());
  RC_ASSERT(is_valid_utf8(markdown_from_adf(document)));
}

RC_GTEST_PROP(AdfProperty, NoWordIsLost, ()) {
  const std::string markdown = *some_markdown();
  const auto words_in = [](std::string_view text) { return split(text, "word").size(); };
  // The language of a code block may be cut after its first word.
  RC_PRE(!markdown.contains("```"));
  RC_ASSERT(words_in(there_and_back(markdown)) >= words_in(markdown) || markdown.contains("| a | b |"));
}

json::value any_node(int depth) {
  const auto types = std::vector<std::string>{
      "doc",       "paragraph", "text",  "heading",  "bulletList", "orderedList", "listItem", "table",     "tableRow",
      "tableCell", "codeBlock", "panel", "taskList", "media",      "date",        "mention",  "hardBreak", "x"};
  const auto value = [] {
    return *rc::gen::elementOf(std::vector<json::value>{nullptr, true, -3, 1e300, "text", "", json::array{1},
                                                        json::object{{"level", "x"}, {"order", -1}}});
  };
  json::object node{{"type", *rc::gen::elementOf(types)}, {"text", value()}, {"attrs", value()}, {"marks", value()}};
  json::array content;
  const int children = depth > 0 ? *rc::gen::inRange(0, 4) : 0;
  for (int i = 0; i < children; ++i) content.push_back(*rc::gen::inRange(0, 8) == 0 ? value() : any_node(depth - 1));
  node["content"] = std::move(content);
  return node;
}

RC_GTEST_PROP(AdfProperty, AnyJsonGivesText, ()) {
  const json::value document = any_node(4);
  RC_ASSERT(is_valid_utf8(markdown_from_adf(document)));
}

TEST(MarkdownFromAdf, StopsInTheDepth) {
  json::value node = json::object{{"type", "paragraph"}, {"content", json::array{}}};
  for (int i = 0; i < 2000; ++i) {
    json::array content;
    content.push_back(std::move(node));
    node = json::object{{"type", i % 2 == 0 ? "listItem" : "bulletList"}, {"content", std::move(content)}};
  }
  EXPECT_THAT(markdown_from_adf(node), HasSubstr("[…]"));
}

TEST(AdfFromMarkdown, TakesLinearTime) {
  for (const std::string& part :
       {"*a ", "_a ", "`", "[a ", "[a](b ", "> ", "- ", "| a |\n| - |\n", "<http://", "``a`"}) {
    std::string text;
    while (text.size() < 30'000) text += part;
    EXPECT_THAT(problems_of(adf_from_markdown(text)), testing::IsEmpty()) << part;
  }
}

}  // namespace
}  // namespace deputy::clients::atlassian
