#include "channel/slack/home.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "channel/slack/kit.h"
#include "channel/slack/text.h"
#include "channel/slack/thread.h"

namespace deputy::channel::slack {

namespace {

using namespace kit;

constexpr std::size_t kMaxWaiting = 30;

std::string time_left(Timestamp until, Timestamp now) {
  const auto minutes = std::chrono::ceil<std::chrono::minutes>(until - now).count();
  if (minutes < 1) return "Expires now";
  return "Expires in " + (minutes <= 90 ? count_of(minutes, "minute") : count_of((minutes + 30) / 60, "hour"));
}

void add_waiting(json::array& blocks, const Welcome::Waiting& waiting, const std::string& workspace, Timestamp now) {
  json::object line = section(to_mrkdwn(waiting.text));
  if (const std::string link = link_to(waiting.conversation, workspace); !link.empty()) {
    line["accessory"] = json::object{
        {"type", "button"}, {"action_id", "open"}, {"text", plain_text("Open", kMaxOptionText)}, {"url", link}};
  }
  blocks.push_back(std::move(line));
  const Result<Thread> thread = Thread::parse(waiting.conversation);
  const std::string where = thread && !thread->is_direct() ? fmt::format(" · <#{}>", thread->channel) : "";
  blocks.push_back(context(time_left(waiting.expires_at, now) + where));
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
  if (welcome.waiting.empty()) blocks.push_back(section("Nothing waits for you."));
  for (std::size_t i = 0; i < welcome.waiting.size() && i < kMaxWaiting; ++i)
    add_waiting(blocks, welcome.waiting[i], workspace, now);
  if (welcome.waiting.size() > kMaxWaiting)
    blocks.push_back(context(fmt::format("and {} more", welcome.waiting.size() - kMaxWaiting)));
  blocks.push_back(divider());
  blocks.push_back(header("Ask me"));
  std::string examples = "Mention me in a channel, or write to me under *Messages*.";
  if (!welcome.examples.empty()) examples += " For example:";
  for (const std::string& example : welcome.examples) examples += "\n• _" + as_words(example) + "_";
  blocks.push_back(section(examples));
  blocks.push_back(context("I look things up by myself, and ask before I change anything."));
  return {{"type", "home"}, {"blocks", std::move(blocks)}};
}

}  // namespace deputy::channel::slack
