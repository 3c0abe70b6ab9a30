#include "tools/slack/slack_tools.h"

#include <fmt/format.h>

#include "base/text.h"
#include "clients/slack/errors.h"
#include "tools/slack/messages.h"

namespace deputy::tools::slack {

std::vector<Tool> slack_tools(const Workspace& workspace) {
  return {post_slack_message(workspace),  upload_slack_file(workspace),   add_slack_reaction(workspace),
          list_slack_channels(workspace), list_slack_messages(workspace), list_slack_replies(workspace),
          list_slack_users(workspace),    read_slack_file(workspace),     search_slack_messages(workspace)};
}

toolkit::ToolSpec slack_spec(const Workspace& workspace, std::string name, std::string description,
                             toolkit::Effect effect) {
  toolkit::ToolSpec spec{.name = std::move(name),
                         .version = 1,
                         .description = std::move(description),
                         .category = "slack_tools",
                         .effect = effect,
                         .missing = workspace->missing()};
  if (!spec.missing.empty()) return spec;
  spec.target = {{"slack", workspace->api().settings().api_url}};
  spec.leads_to = [workspace](std::string channel) { return workspace->id_of_channel(std::move(channel)); };
  return spec;
}

namespace {

Error refusal(std::string_view method, std::string_view code) {
  return clients::slack::error_of(*clients::slack::find_method(method), {{"error", code}});
}

// Asking people about what Slack would refuse wastes their time.
Result<> check_open(const clients::slack::Api& api, const ChannelInfo& channel) {
  if (channel.is_archived) return std::unexpected(refusal("chat.postMessage", "is_archived"));
  const bool may_post_anywhere = contains(split(api.scopes(), ","), std::string_view("chat:write.public"));
  if (channel.app_is_outside && !may_post_anywhere)
    return std::unexpected(refusal("chat.postMessage", "not_in_channel"));
  return {};
}

Task<Result<TranscriptStep>> read_transcript(Workspace workspace, toolkit::CallContext& context, std::size_t most,
                                             std::size_t bytes) {
  CO_TRY(UsableChannel found, co_await usable_channel(*workspace, context));
  if (auto* question = std::get_if<toolkit::Delegate>(&found)) co_return std::move(*question);
  CO_TRY(Excerpt read,
         co_await read_excerpt(*workspace, context, std::get<ChannelInfo>(std::move(found)), {.most = most}));
  std::size_t size = 0;
  std::size_t kept = 0;
  while (kept < read.lines.size()) {
    const MessageLine& next = read.lines[read.lines.size() - kept - 1];
    size += json::serialize(json::value(next.text)).size() + 2;
    if (size > bytes) break;
    ++kept;
  }
  if (kept < read.lines.size()) read.has_older = true;
  read.lines.erase(read.lines.begin(), read.lines.end() - static_cast<std::ptrdiff_t>(kept));
  co_return Transcript{read.range(), joined(read.lines)};
}

}  // namespace

ReadTranscript transcript_reader(const Workspace& workspace) {
  return [workspace](toolkit::CallContext& context, std::size_t most, std::size_t bytes) {
    return read_transcript(workspace, context, most, bytes);
  };
}

Task<Result<toolkit::Step>> aim_at(Workspace workspace, Aim aim, toolkit::CallContext& context) {
  CO_TRY(UsableChannel found, co_await usable_channel(*workspace, context));
  if (auto* question = std::get_if<toolkit::Delegate>(&found)) co_return std::move(*question);
  const ChannelInfo& channel = std::get<ChannelInfo>(found);
  CO_TRY(check_open(workspace->api(), channel));
  const std::string name = shown_name(channel);
  std::string text = fmt::format("{} {} ({}), {}{}\n", aim.doing, name, channel.id,
                                 is_public(channel) ? "a public channel" : "private",
                                 channel.is_external ? ", shared with another organisation" : "");
  if (!aim.thread.empty()) {
    CO_TRY(json::object root, co_await message_at(*workspace, channel.id, aim.thread));
    const std::string words = co_await quoted(*workspace, std::move(root));
    text += fmt::format("in the thread of {}\n", words);
  }
  co_return toolkit::Output{std::move(text), {{"channel", channel.id}, {"name", name}, {"change", name}}};
}

Result<Aimed> aimed_at(const toolkit::CallContext& context) {
  const toolkit::Output* shown = context.output_of("preview");
  if (shown == nullptr) return fail(ErrorKind::internal, "what was shown for approval is missing");
  return Aimed{text_at(shown->data, "channel"), text_at(shown->data, "name")};
}

Result<> check_ts(std::string_view parameter, std::string_view ts) {
  if (ts.empty() || is_ts(ts)) return {};
  return fail(ErrorKind::invalid_input, fmt::format("`{}` is not the timestamp of a Slack message", parameter),
              "a timestamp looks like 1700000000.000100");
}

}  // namespace deputy::tools::slack
