// Confluence's storage format as Markdown.
#include "tools/docs/storage_markdown.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include "base/text.h"

namespace deputy::tools {
namespace {

struct StorageRow {
  std::string name;
  std::string storage;
  std::string markdown;
};
class Storage : public testing::TestWithParam<StorageRow> {};

TEST_P(Storage, BecomesMarkdown) { EXPECT_EQ(markdown_from_storage(GetParam().storage), GetParam().markdown); }
INSTANTIATE_TEST_SUITE_P(
    Pages, Storage,
    testing::Values(
        StorageRow{"Text", "<h2>A  title</h2><p>One<br/>two &lt;3&gt;&nbsp;&euro;</p><hr />",
                   "## A title\n\nOne\ntwo <3> €\n\n---"},
        StorageRow{"Marks", "<p><strong>a </strong><em>b</em> <code>c`d</code> <del>e</del></p>",
                   "**a** *b* ``c`d`` ~~e~~"},
        StorageRow{"Lists", "<ul><li><p>one</p><ol><li>deeper</li></ol></li>\n<li>two</li></ul>",
                   "- one\n  1. deeper\n- two"},
        StorageRow{"Table",
                   "<table><tbody><tr><th>a</th><th><p>b</p></th></tr><tr><td>1</td><td>2</td></tr></tbody></table>",
                   "| a | b |\n| --- | --- |\n| 1 | 2 |"},
        StorageRow{"Code",
                   "<ac:structured-macro ac:name=\"code\"><ac:parameter ac:name=\"language\">sh</ac:parameter>"
                   "<ac:plain-text-body><![CDATA[if a < b\n  x && y]]></ac:plain-text-body></ac:structured-macro>",
                   "```sh\nif a < b\n  x && y\n```"},
        StorageRow{"Panel",
                   "<ac:structured-macro ac:name=\"warning\"><ac:rich-text-body><p>Hot</p><p>Really</p>"
                   "</ac:rich-text-body></ac:structured-macro>",
                   "> **warning:** Hot\n>\n> Really"},
        StorageRow{"UnknownMacro",
                   "<p>a</p><ac:structured-macro ac:name=\"roadmap\"><ac:parameter ac:name=\"x\">y</ac:parameter>"
                   "</ac:structured-macro>",
                   "a\n\n[macro `roadmap` left out]"},
        StorageRow{"Toc", "<ac:structured-macro ac:name=\"toc\" /><p>a</p>", "a"},
        StorageRow{"Links",
                   "<p><a href=\"https://example.com/?a=1&amp;b\">x</a> <a href=\"javascript:f()\">y</a> "
                   "<ac:link><ri:page ri:content-title=\"Deploys\" /></ac:link> <ac:image><ri:attachment "
                   "ri:filename=\"g.png\" /></ac:image></p>",
                   "[x](https://example.com/?a=1&b) y [page: Deploys] [image: g.png]"},
        StorageRow{"Tasks",
                   "<ac:task-list><ac:task><ac:task-id>1</ac:task-id><ac:task-status>complete</ac:task-status>"
                   "<ac:task-body>look</ac:task-body></ac:task><ac:task><ac:task-status>incomplete</ac:task-status>"
                   "<ac:task-body>act</ac:task-body></ac:task></ac:task-list>",
                   "- [x] look\n- [ ] act"},
        StorageRow{"Broken", "<p>a</div> < b <strong>c", "a < b **c**"}),
    [](const auto& row) { return row.param.name; });

TEST(StorageDepth, IsBounded) {
  std::string storage;
  for (int i = 0; i < 5000; ++i) storage += "<div><ul><li>";
  EXPECT_THAT(markdown_from_storage(storage + "deep"), testing::HasSubstr("deep"));
}

RC_GTEST_PROP(StorageProperty, AnyBytesGiveText, ()) {
  const auto parts = *rc::gen::container<std::vector<std::string>>(
      rc::gen::elementOf(std::vector<std::string>{"<p>",
                                                  "</p>",
                                                  "<ul>",
                                                  "<li>",
                                                  "</li>",
                                                  "<table>",
                                                  "<tr>",
                                                  "<td>",
                                                  "<ac:structured-macro ac:name=\"code\">",
                                                  "<ac:plain-text-body>",
                                                  "<![CDATA[",
                                                  "]]>",
                                                  "</",
                                                  "<",
                                                  ">",
                                                  "&amp;",
                                                  "&#0;",
                                                  "word",
                                                  " ",
                                                  "\n",
                                                  "\x01",
                                                  "\xff",
                                                  "<a href='x'",
                                                  "<br/>",
                                                  "<!--",
                                                  "-->",
                                                  "=\"",
                                                  "/"}));
  const std::string text = markdown_from_storage(join(parts, ""));
  RC_ASSERT(is_valid_utf8(text));
  for (const char c : text) RC_ASSERT(static_cast<unsigned char>(c) >= ' ' || c == '\n' || c == '\t');
}

}  // namespace
}  // namespace deputy::tools
