#include "sim/slack/page/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/slack/block_samples.h"

namespace deputy::sim::slack {
namespace {

using testing::HasSubstr;
using testing::Not;

SeenMessage said(std::string text) {
  return {.ts = "1700000000.000100", .user_name = "Ann Bell", .text = std::move(text)};
}

std::string page_of(const SeenMessage& message) { return thread_page("#ops", std::span(&message, 1), false); }

/// The page without its style sheet, whose class names would be found.
std::string body_of(const SeenMessage& message) {
  const auto page = page_of(message);
  return page.substr(page.find("</head>"));
}

TEST(SlackPage, ShowsWhoSaidWhatAndWhen) {
  auto message = said("It is *down*");
  message.edited = true;
  const auto body = body_of(message);
  EXPECT_THAT(body, HasSubstr(">AB</div>"));
  EXPECT_THAT(body, HasSubstr("<b>Ann Bell</b><time>22:13</time>"));
  EXPECT_THAT(body, HasSubstr("<p>It is <b>down</b></p>"));
  EXPECT_THAT(body, HasSubstr("(edited)"));
  EXPECT_THAT(body, Not(HasSubstr("APP")));
  EXPECT_THAT(body, Not(HasSubstr("Only visible to you")));
}

TEST(SlackPage, MarksAppsAndWhatOnlyOnePersonSees) {
  auto message = said("hello");
  message.bot = true;
  message.ephemeral = true;
  EXPECT_THAT(body_of(message), HasSubstr(R"(<span class="app">APP</span>)"));
  EXPECT_THAT(body_of(message), HasSubstr("Only visible to you"));
}

TEST(SlackPage, ShowsBlocksInPlaceOfTheText) {
  auto message = said("only for notifications");
  message.blocks = json::array{parsed(R"({"type": "header", "text": {"type": "plain_text", "text": "Report"}})")};
  EXPECT_THAT(body_of(message), HasSubstr("<h3>Report</h3>"));
  EXPECT_THAT(body_of(message), Not(HasSubstr("only for notifications")));
}

TEST(SlackPage, KnowsEveryBlockAndElement) {
  auto message = said("");
  message.blocks = sample_message();
  EXPECT_THAT(body_of(message), Not(HasSubstr("class=\"unknown\"")));
  EXPECT_THAT(view_page(sample_modal(), true), Not(HasSubstr("class=\"unknown\"")));
  message.blocks = json::array{parsed(R"({"type": "banner"})")};
  EXPECT_THAT(body_of(message), HasSubstr("<span class=\"unknown\">banner</span>"));
}

TEST(SlackPage, FoldsTheUpdatesOfAStream) {
  auto message = said("Two **errors**.");
  message.streaming = true;
  message.chunks = parsed(R"([
    {"type": "plan_update", "title": "Looking"},
    {"type": "task_update", "id": "1", "title": "Read logs", "status": "in_progress", "details": "prod"},
    {"type": "task_update", "id": "2", "title": "Compare", "status": "pending"},
    {"type": "plan_update", "title": "Found it"},
    {"type": "task_update", "id": "1", "title": "Read logs", "status": "complete"}])")
                       .as_array();
  const auto body = body_of(message);
  EXPECT_THAT(body, HasSubstr("<div class=\"plan-title\">Found it</div>"));
  EXPECT_THAT(body, Not(HasSubstr("Looking")));
  EXPECT_THAT(body, HasSubstr("<div class=\"task complete\">"));
  EXPECT_THAT(body, HasSubstr("<div class=\"task pending\">"));
  EXPECT_THAT(body, Not(HasSubstr("task in_progress")));
  EXPECT_THAT(body, HasSubstr("<p>prod</p>"));
  EXPECT_THAT(body, HasSubstr("Two <b>errors</b>."));
  EXPECT_THAT(body, HasSubstr("cursor"));
}

TEST(SlackPage, ShowsAttachmentsFilesAndReactions) {
  auto message = said("x");
  message.attachments =
      parsed(R"([{"color": "#D93025", "text": "*bad*"}, {"color": "red; } body {", "text": "odd"}])").as_array();
  message.files =
      parsed(R"([{"name": "a.log", "filetype": "text"}, {"name": "plot.png", "png": "aGk=\""}])").as_array();
  message.reactions =
      parsed(R"([{"name": "eyes", "count": 2, "users": ["U1", "U2"]}, {"name": "none", "users": ["U1"]}])").as_array();
  const auto body = body_of(message);
  EXPECT_THAT(body, HasSubstr("style=\"border-color: #D93025\"><p><b>bad</b></p>"));
  EXPECT_THAT(body, Not(HasSubstr("red;")));
  EXPECT_THAT(body, HasSubstr("<b>a.log</b>"));
  EXPECT_THAT(body, HasSubstr("<img alt=\"plot.png\" src=\"data:image/png;base64,aGk=&quot;\">"));
  EXPECT_THAT(body, HasSubstr(">👀 2</span>"));
  EXPECT_THAT(body, HasSubstr(">:none: 1</span>"));
}

TEST(SlackPage, AModalHasItsTitleAndButtons) {
  const auto page = view_page(sample_modal(), false);
  EXPECT_THAT(page, HasSubstr("<title>Restart a service</title>"));
  EXPECT_THAT(page, HasSubstr("<header>Restart a service"));
  EXPECT_THAT(page, HasSubstr(R"(<span class="button" role="button">Cancel</span>)"));
  EXPECT_THAT(page, HasSubstr(R"(<span class="button primary" role="button">Restart</span>)"));
}

TEST(SlackPage, CountsTheRepliesOfAThread) {
  SeenMessage parent = said("a");
  SeenMessage reply = said("b");
  reply.ts = "1700000001.000100";
  reply.thread_ts = parent.ts;
  EXPECT_THAT(thread_page("t", std::vector{parent, reply}, false), HasSubstr("1 reply<"));
  EXPECT_THAT(thread_page("t", std::vector{parent, reply, reply}, false), HasSubstr("2 replies<"));
}

/// A copy with every string replaced, except those that say what a thing is.
json::value with_strings(const json::value& value, std::string_view text, std::string_view key = "") {
  if (value.is_string())
    return key == "type" || key == "status" || key == "style" || key == "level" ? value
                                                                                : json::value(json::string(text));
  if (value.is_array()) {
    json::array list;
    for (const auto& item : value.get_array()) list.push_back(with_strings(item, text));
    return list;
  }
  if (!value.is_object()) return value;
  json::object object;
  for (const auto& member : value.get_object())
    object[member.key()] = with_strings(member.value(), text, as_view(member.key()));
  return object;
}

TEST(SlackPage, EscapesEveryStringOfEveryBlock) {
  constexpr std::string_view kHostile = R"(</style><script>"'x'</script><img src=x onerror="y">)";
  SeenMessage message = said(std::string(kHostile));
  message.user_name = kHostile;
  message.ts = kHostile;
  message.blocks = with_strings(sample_message(), kHostile).as_array();
  message.attachments = with_strings(parsed(R"([{"color": "c", "pretext": "p", "author_name": "a", "title": "t",
    "title_link": "l", "text": "x", "footer": "f", "fields": [{"title": "t", "value": "v"}]}, {"fallback": "f"}])"),
                                     kHostile)
                            .as_array();
  message.files = with_strings(parsed(R"([{"name": "a", "title": "t", "filetype": "f"}])"), kHostile).as_array();
  message.reactions = with_strings(parsed(R"([{"name": "a", "users": ["u"]}])"), kHostile).as_array();
  message.chunks =
      with_strings(parsed(R"([{"type": "plan_update", "title": "t"}, {"type": "markdown_text", "text": "x"},
    {"type": "task_update", "id": "1", "title": "t", "details": "d", "output": "o", "status": "error",
     "sources": [{"type": "url", "url": "u", "text": "t"}]}])"),
                   kHostile)
          .as_array();
  const auto modal = with_strings(sample_modal(), kHostile);
  const auto home = json::value{{"type", "home"}, {"blocks", modal.at("blocks")}};
  for (const auto& page :
       {thread_page(kHostile, std::span(&message, 1), true), view_page(modal, false), view_page(home, true)}) {
    EXPECT_THAT(page, Not(HasSubstr("<script")));
    EXPECT_THAT(page, Not(HasSubstr("<img")));
    EXPECT_EQ(page.find("</style>"), page.rfind("</style>"));
    EXPECT_THAT(page, HasSubstr("&lt;script&gt;"));
  }
}

TEST(SlackPage, LoadsNothing) {
  SeenMessage message = said("<https://example.com/a.png>");
  message.blocks = sample_message();
  for (const auto& page : {page_of(message), view_page(sample_modal(), true)}) {
    EXPECT_THAT(page, HasSubstr("default-src 'none'; style-src 'unsafe-inline'"));
    for (const auto* const loading : {"src=", "<link", "<script", "<iframe", "url(", "@import"})
      EXPECT_THAT(page, Not(HasSubstr(loading)));
  }
}

TEST(SlackPage, AThreadIsReadableAsText) {
  SeenMessage asked = said("<@U9|deputy> is &lt;billing&gt; down?");
  SeenMessage answered{
      .ts = "1700000002.000100", .thread_ts = asked.ts, .user_name = "deputy", .text = "fallback", .bot = true};
  answered.blocks = parsed(R"([
    {"type": "section", "text": {"type": "mrkdwn", "text": "*Restart* billing?"}, "fields": [{"type": "mrkdwn", "text": "prod"}]},
    {"type": "divider"},
    {"type": "table", "rows": [[{"type": "raw_text", "text": "a"}, {"type": "raw_text", "text": "b"}]]},
    {"type": "actions", "elements": [
      {"type": "button", "text": {"type": "plain_text", "text": "Approve"}},
      {"type": "static_select", "placeholder": {"type": "plain_text", "text": "More"}}]},
    {"type": "rich_text", "elements": [{"type": "rich_text_list", "style": "bullet", "elements": [
      {"type": "rich_text_section", "elements": [{"type": "text", "text": "ask "}, {"type": "user", "user_id": "U1"}]}]}]}])")
                        .as_array();
  answered.ephemeral = true;
  answered.reactions = parsed(R"([{"name": "eyes"}])").as_array();
  EXPECT_EQ(thread_text(std::vector{asked, answered}),
            "Ann Bell\n"
            "  @deputy is <billing> down?\n"
            "deputy (app) (only visible to you)\n"
            "  *Restart* billing?\n"
            "  prod\n"
            "  ---\n"
            "  a | b\n"
            "  [Approve] [More ▾]\n"
            "  • ask @U1\n"
            "  :eyes:\n");
}

TEST(SlackPage, AStreamIsReadableAsText) {
  SeenMessage message{.user_name = "deputy", .bot = true, .streaming = true};
  message.chunks = parsed(R"([{"type": "plan_update", "title": "Looking"},
    {"type": "task_update", "id": "1", "title": "Read logs", "status": "in_progress", "details": "prod"},
    {"type": "markdown_text", "text": "Two "}, {"type": "markdown_text", "text": "errors"}])")
                       .as_array();
  EXPECT_EQ(thread_text(std::span(&message, 1)),
            "deputy (app) (streaming)\n  Looking\n  [in_progress] Read logs\n    prod\n  Two errors\n");
}

}  // namespace
}  // namespace deputy::sim::slack
