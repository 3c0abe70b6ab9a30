#include "tools/slack/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/workers.h"
#include "clients/slack/message.h"
#include "toolkit/cut.h"

namespace deputy::tools::slack {

namespace {

constexpr std::size_t kMaxMessage = 5000;  // characters
constexpr std::size_t kMaxName = 80;
constexpr std::size_t kMaxQuoted = 200;

std::string writer_of(const SlackWorkspace& workspace, const json::object& message) {
  const std::string user = text_at(message, "user");
  const std::string bot = text_at(message, "bot_id");
  std::string name = user.empty() ? text_at(message, "username") : workspace.name_of(user);
  if (const json::object* profile = find_object(message, "bot_profile"); name.empty() && profile != nullptr)
    name = text_at(*profile, "name");
  if (name.empty()) name = bot.empty() ? "somebody" : bot;
  return in_one_line(name, kMaxName) + (bot.empty() ? "" : " (bot)");
}

// What stands before its text, and what it has beside it.
std::string head_of(const SlackWorkspace& workspace, const json::object& message) {
  const std::string ts = text_at(message, "ts");
  std::string head = fmt::format("{} {} (ts {}", time_of_ts(ts), writer_of(workspace, message), ts);
  const json::value* replies = message.if_contains("reply_count");
  const std::int64_t count = replies == nullptr ? 0 : as_whole(*replies).value_or(0);
  if (count > 0) head += fmt::format(", {} in its thread", count == 1 ? "1 reply" : fmt::format("{} replies", count));
  if (const json::value* files = message.if_contains("files"); files != nullptr && files->is_array()) {
    for (const json::value& file : files->get_array()) {
      const json::object* object = file.if_object();
      if (object != nullptr) head += fmt::format(", file {}", in_one_line(text_at(*object, "id"), kMaxName));
    }
  }
  return head + "): ";
}

std::string indented(std::string_view text) {
  std::string lines;
  for (const std::string_view line : split(text, "\n")) {
    if (!lines.empty()) lines += "\n    ";
    lines += line;
  }
  return lines;
}

}  // namespace

std::string in_one_line(std::string_view text, std::size_t most) {
  std::string line = cut_with_mark(to_valid_utf8(std::string(text)), most);
  std::ranges::replace_if(line, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return line;
}

std::string time_of_ts(std::string_view ts) {
  constexpr std::size_t kUpToSeconds = 19;
  return format_timestamp(clients::slack::time_of(ts)).substr(0, kUpToSeconds) + "Z";
}

bool is_ts(std::string_view text) {
  const std::size_t dot = text.find('.');
  const auto are_digits = [](std::string_view part) {
    return !part.empty() && part.size() <= 12 && std::ranges::all_of(part, is_digit);
  };
  return dot != std::string_view::npos && are_digits(text.substr(0, dot)) && are_digits(text.substr(dot + 1));
}

Task<Result<std::vector<MessageLine>>> lines_of(SlackWorkspace& workspace, const toolkit::CallContext& context,
                                                json::array messages) {
  co_await workspace.learn_names(messages);
  struct Part {
    std::string ts;
    std::string head;
    std::string text;
  };
  std::vector<Part> parts;
  std::size_t bytes = 0;
  for (const json::value& value : messages) {
    const json::object* message = value.if_object();
    if (message == nullptr) continue;
    parts.push_back({text_at(*message, "ts"), head_of(workspace, *message), workspace.text_of(*message)});
    bytes += parts.back().text.size();
  }
  // Each text is redacted before it is cut and indented: after that a secret may not be recognised.
  auto write = [parts = std::move(parts), redact = context.redact]() -> Result<std::vector<MessageLine>> {
    std::vector<MessageLine> lines;
    for (const Part& part : parts) {
      const std::string text = toolkit::redact_or_withhold(to_valid_utf8(part.text), redact);
      lines.push_back({part.ts, part.head + indented(cut_with_mark(text, kMaxMessage))});
    }
    return lines;
  };
  co_return co_await off_loop_if_large<std::vector<MessageLine>>(bytes, std::move(write));
}

std::string joined(const std::vector<MessageLine>& lines) {
  std::string text;
  for (const MessageLine& line : lines) text += line.text + "\n";
  return text;
}

std::string counted(const std::vector<MessageLine>& lines) {
  if (lines.empty()) return "No messages";
  return fmt::format("{}, {} to {}", count_of(std::ssize(lines), "message"), time_of_ts(lines.front().ts),
                     time_of_ts(lines.back().ts));
}

std::string Excerpt::range() const {
  return fmt::format("{}, in {} ({}){}. Replies in threads were not read.", counted(lines), shown_name(channel),
                     channel.id, has_older ? "; older messages were not read" : "");
}

Task<Result<Excerpt>> read_excerpt(SlackWorkspace& workspace, const toolkit::CallContext& context, ChannelInfo channel,
                                   ExcerptBounds bounds) {
  clients::slack::Range range{.most = bounds.most};
  if (bounds.since_hours) {
    const auto since = static_cast<std::int64_t>(std::llround(*bounds.since_hours * 3600));
    range.oldest = fmt::format("{}.000000", to_millis(workspace.clock().now()) / 1000 - since);
  }
  CO_TRY(clients::slack::Messages read,
         co_await clients::slack::read_channel(workspace.api(), channel.id, std::move(range)));
  CO_TRY(std::vector<MessageLine> lines, co_await lines_of(workspace, context, std::move(read.messages)));
  co_return Excerpt{std::move(channel), std::move(lines), read.has_more};
}

Task<Result<json::object>> message_at(SlackWorkspace& workspace, std::string channel, std::string ts) {
  json::object arguments{{"channel", std::move(channel)}, {"ts", ts}, {"limit", 1}};
  CO_TRY(const json::object reply, co_await workspace.api().call("conversations.replies", std::move(arguments)));
  const json::value* messages = reply.if_contains("messages");
  if (messages != nullptr && messages->is_array()) {
    for (const json::value& message : messages->get_array()) {
      if (message.is_object() && text_at(message.get_object(), "ts") == ts) co_return message.get_object();
    }
  }
  co_return fail(ErrorKind::not_found, "there is no such message", "check channel and timestamp");
}

Task<std::string> quoted(SlackWorkspace& workspace, json::object message) {
  co_await workspace.learn_names(json::array{message});
  co_return fmt::format("{}: \"{}\"", writer_of(workspace, message),
                        in_one_line(workspace.text_of(message), kMaxQuoted));
}

}  // namespace deputy::tools::slack
