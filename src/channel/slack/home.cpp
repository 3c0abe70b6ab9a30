#include "channel/slack/home.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "channel/slack/text.h"
#include "channel/slack/thread.h"

namespace deputy::channel::slack {

namespace {

constexpr std::size_t kMaxWaiting = 30;
constexpr std::size_t kMaxLine = 2'000;  // characters

json::object section(std::string text) {
  return {{"type", "section"},
          {"text", json::object{{"type", "mrkdwn"}, {"text", cut_with_mark(std::move(text), kMaxLine)}}}};
}
json::object header(std::string_view text) {
  return {{"type", "header"}, {"text", json::object{{"type", "plain_text"}, {"text", text}}}};
}

std::string minutes_left(Timestamp until, Timestamp now) {
  const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(until - now).count();
  return minutes < 1 ? "expires now" : "expires in " + count_of(minutes, "minute");
}

json::object waiting_line(const Welcome::Waiting& waiting, const std::string& workspace, Timestamp now) {
  json::object line = section(fmt::format("{}\n_{}_", to_mrkdwn(waiting.text), minutes_left(waiting.expires_at, now)));
  if (const std::string link = link_to(waiting.conversation, workspace); !link.empty()) {
    line["accessory"] = json::object{{"type", "button"},
                                     {"action_id", "open"},
                                     {"text", json::object{{"type", "plain_text"}, {"text", "Open"}}},
                                     {"url", link}};
  }
  return line;
}

}  // namespace

std::string link_to(const ConversationKey& conversation, const std::string& workspace) {
  const Result<Thread> thread = Thread::parse(conversation);
  if (!thread || thread->ts.empty() || workspace.empty()) return "";
  std::string ts = thread->ts;
  std::erase(ts, '.');
  return fmt::format("{}{}archives/{}/p{}", workspace, workspace.ends_with('/') ? "" : "/", thread->channel, ts);
}

json::object draw_home(const Welcome& welcome, const std::string& workspace, Timestamp now) {
  json::array blocks{header("Waiting for you")};
  if (welcome.waiting.empty()) blocks.push_back(section("Nothing waits for your answer."));
  for (const Welcome::Waiting& waiting : welcome.waiting) {
    if (blocks.size() > kMaxWaiting) {
      blocks.push_back(section(fmt::format("_and {} more_", welcome.waiting.size() - kMaxWaiting)));
      break;
    }
    blocks.push_back(waiting_line(waiting, workspace, now));
  }
  blocks.push_back(json::object{{"type", "divider"}});
  blocks.push_back(header("What you can ask"));
  std::string examples = "Mention me in a channel or write to me here. I ask before I change anything.";
  for (const std::string& example : welcome.examples) examples += "\n• " + escape(example);
  blocks.push_back(section(std::move(examples)));
  return {{"type", "home"}, {"blocks", std::move(blocks)}};
}

}  // namespace deputy::channel::slack
