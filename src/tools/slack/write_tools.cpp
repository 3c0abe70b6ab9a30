// post_slack_message and add_slack_reaction.
#include <fmt/format.h>

#include "base/text.h"
#include "base/waiting.h"
#include "clients/slack/errors.h"
#include "clients/slack/message.h"
#include "tools/common_steps.h"
#include "tools/slack/messages.h"
#include "tools/slack/slack_tools.h"

namespace deputy::tools::slack {

// post_slack_message = [ preview, AWAIT APPROVAL, post ]

namespace {

constexpr std::size_t kMaxText = 4000;            // characters; Slack cuts much longer ones silently
constexpr std::size_t kMaxLookedThrough = 1000;   // messages among which a post is looked for
constexpr std::chrono::minutes kClocksDiffer{5};  // at most, ours and Slack's
constexpr std::chrono::seconds kUnknownWait{1};   // where Slack does not say how long a rate limit holds
constexpr std::chrono::seconds kToPost{5};        // what a post may take
constexpr std::string_view kMetadataType = "deputy_call";

struct PostParams {
  std::string channel;
  std::string text;
  std::string thread_ts;

  template <class Fields>
  static void fields(Fields& f) {
    using P = PostParams;
    channel_field(f, &P::channel);
    f.required(
         &P::text, "text",
         "The message in Slack's own format: *bold*, _italic_, `code`, <https://example.com|a link>, <@U012AB3CD>")
        .characters(1, kMaxText);
    f.optional(&P::thread_ts, "thread_ts", "Timestamp of the first message of the thread to answer in")
        .characters(0, 30);
  }
};

/// Whom a text in Slack's format notifies beyond those who follow the channel: "@channel", "U012AB3CD".
std::vector<std::string> notified_by(std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t open = text.find('<'); open != std::string_view::npos; open = text.find('<', open + 1)) {
    const std::size_t close = text.find('>', open);
    if (close == std::string_view::npos) break;
    std::string_view token = text.substr(open + 1, close - open - 1);
    token = token.substr(0, token.find('|'));
    if (token.starts_with("!subteam^"))
      names.push_back("group " + std::string(token.substr(9)));
    else if (token == "!here" || token == "!channel" || token == "!everyone")
      names.push_back("@" + std::string(token.substr(1)));
    else if (token.starts_with('@'))
      names.emplace_back(token.substr(1));
  }
  return names;
}

// A broadcast or a group: people who may not follow the channel at all.
bool notifies_many(const json::object& arguments) {
  return std::ranges::any_of(notified_by(text_at(arguments, "text")), [](const std::string& name) {
    return name.starts_with('@') || name.starts_with("group ");
  });
}

Task<Result<toolkit::Step>> preview_post(Workspace workspace, PostParams params, toolkit::CallContext& context) {
  CO_TRY(toolkit::Step step, co_await aim_at(workspace, {"Post to", params.thread_ts}, context));
  auto* shown = std::get_if<toolkit::Output>(&step);
  if (const auto notified = notified_by(params.text); shown != nullptr && !notified.empty())
    shown->text += fmt::format("This notifies {}\n", cut_with_mark(join(notified, ", "), 500));
  co_return step;
}

toolkit::Output posted(const Aimed& aimed, const std::string& ts) {
  std::string display = fmt::format("Posted to {} ({}), ts {}", aimed.name, aimed.channel, ts);
  json::object data{{"display", display}, {"channel", aimed.channel}, {"ts", ts}};
  return {std::move(display), std::move(data)};
}

// By this a post is found again whose reply was lost. A call's id alone is not enough: a child run in the same
// conversation counts from the beginning.
std::string key_of(const PostParams& params, const toolkit::CallContext& context) {
  const json::array parts{context.facts.conversation, context.call_id, params.text, params.thread_ts};
  return sha256_hex(json::serialize(parts));
}

json::object metadata_of(const PostParams& params, const toolkit::CallContext& context) {
  json::object metadata = clients::slack::metadata_with(kMetadataType, key_of(params, context));
  json::object& payload = metadata["event_payload"].get_object();
  payload["call"] = context.call_id;
  payload["run"] = context.facts.run;
  payload["asked_by"] = context.facts.requester.person;
  payload["approved_by"] = context.facts.approved_by;
  return metadata;
}

Task<Result<toolkit::Step>> post(Workspace workspace, PostParams params, toolkit::CallContext& context) {
  CO_TRY(const Aimed aimed, aimed_at(context));
  const clients::slack::OutgoingMessage message{.channel = aimed.channel,
                                                .thread = params.thread_ts,
                                                .text = params.text,
                                                .metadata = metadata_of(params, context)};
  for (;;) {
    const Result<clients::slack::Sent> sent = co_await clients::slack::post_message(workspace->api(), message);
    if (sent) co_return posted(aimed, sent->ts);
    // Somebody said yes to this post, and a refusal for the rate means that it did not happen: it waits its turn.
    const std::chrono::milliseconds wait = sent.error().retry_after.value_or(kUnknownWait);
    if (sent.error().kind != ErrorKind::rate_limit || wait + kToPost > context.time_left())
      co_return std::unexpected(sent.error());
    co_await sleep_before_retry(sent.error(), wait);
  }
}

Task<Result<toolkit::Looked>> look_for_post(Workspace workspace, PostParams params, toolkit::CallContext& context) {
  CO_TRY(const Aimed aimed, aimed_at(context));
  const clients::slack::Range range{.oldest = clients::slack::ts_of(context.begun_at - kClocksDiffer),
                                    .most = kMaxLookedThrough};
  Result<clients::slack::Messages> read;
  if (params.thread_ts.empty())
    read = co_await clients::slack::read_channel(workspace->api(), aimed.channel, range);
  else
    read = co_await clients::slack::read_thread(workspace->api(), aimed.channel, params.thread_ts, range);
  if (!read) co_return std::unexpected(read.error());
  const std::string key = key_of(params, context);
  for (const json::value& message : read->messages) {
    if (message.is_object() && clients::slack::key_in(message.get_object(), kMetadataType) == key)
      co_return toolkit::Looked{toolkit::Looked::Answer::done, posted(aimed, text_at(message.get_object(), "ts"))};
  }
  using enum toolkit::Looked::Answer;
  const bool saw_all = !read->has_more && read->left_out == 0;
  co_return toolkit::Looked{saw_all ? not_done : cannot_tell};
}

}  // namespace

Tool post_slack_message(const Workspace& workspace) {
  toolkit::ToolSpec spec = slack_spec(
      workspace, "post_slack_message",
      "Posts a message to a Slack channel or thread, for other people than those of this conversation: your answer "
      "goes "
      "here by itself. A person sees it and approves it first. Put longer texts into a file with upload_slack_file.",
      toolkit::Effect::write);
  spec.primary_param = "channel";
  spec.always_asks_for = notifies_many;
  spec.topics = {.words = {"slack message"}, .verbs = {"post"}, .working = "Posting to {channel}"};
  return toolkit::make_tool<PostParams>(
      std::move(spec), [workspace](const PostParams& params) -> Result<toolkit::Pipeline> {
        if (trim(params.channel).empty())
          return fail(ErrorKind::invalid_input, "the channel cannot be empty", "name a channel, such as #ops");
        if (trim(params.text).empty())
          return fail(ErrorKind::invalid_input, "the text cannot be empty", "write some text");
        TRY(check_ts("thread_ts", params.thread_ts));
        toolkit::Pipeline pipeline;
        pipeline
            .then({.name = "preview",
                   .repeatable = true,
                   .call =
                       [workspace, params](toolkit::CallContext& context) {
                         return as_step(preview_post(workspace, params, context));
                       }})
            .await_approval()
            .then({.name = "post",
                   .call = [workspace, params](
                               toolkit::CallContext& context) { return as_step(post(workspace, params, context)); },
                   .look = [workspace, params](
                               toolkit::CallContext& context) { return look_for_post(workspace, params, context); }});
        return pipeline;
      });
}

// add_slack_reaction = [ preview, AWAIT APPROVAL, react ]

namespace {

struct ReactionParams {
  std::string channel;
  std::string timestamp;
  std::string emoji;

  template <class Fields>
  static void fields(Fields& f) {
    using P = ReactionParams;
    channel_field(f, &P::channel);
    f.required(&P::timestamp, "timestamp", "Timestamp of the message, such as 1700000000.000100").characters(1, 30);
    f.required(&P::emoji, "emoji", "Name of the emoji, such as white_check_mark").characters(1, 100);
  }

  std::string name() const {
    std::string_view inside = trim(emoji);
    while (inside.starts_with(':')) inside.remove_prefix(1);
    while (inside.ends_with(':')) inside.remove_suffix(1);
    return std::string(inside);
  }
};

Task<Result<toolkit::Step>> preview_reaction(Workspace workspace, ReactionParams params,
                                             toolkit::CallContext& context) {
  CO_TRY(toolkit::Step step, co_await aim_at(workspace, {fmt::format("Add :{}: in", params.name()), ""}, context));
  auto* shown = std::get_if<toolkit::Output>(&step);
  if (shown == nullptr) co_return step;
  Result<json::object> message = co_await message_at(*workspace, text_at(shown->data, "channel"), params.timestamp);
  if (!message && message.error().kind == ErrorKind::not_found) {
    co_return fail(ErrorKind::not_found, "there is no such message", "check channel and timestamp");
  }
  if (!message) co_return std::unexpected(std::move(message).error());
  const std::string words = co_await quoted(*workspace, *std::move(message));
  shown->text += fmt::format("to the message of {}\n", words);
  co_return step;
}

Task<Result<toolkit::Step>> add_reaction(Workspace workspace, ReactionParams params, toolkit::CallContext& context) {
  CO_TRY(const Aimed aimed, aimed_at(context));
  CO_TRY((co_await clients::slack::react(workspace->api(), aimed.channel, params.timestamp, params.name(),
                                         clients::slack::Reacted::on)));
  co_return toolkit::Output{fmt::format("Added :{}: to the message {} in {} ({})", params.name(), params.timestamp,
                                        aimed.name, aimed.channel),
                            {{"channel", aimed.channel}, {"ts", params.timestamp}}};
}

}  // namespace

Tool add_slack_reaction(const Workspace& workspace) {
  toolkit::ToolSpec spec = slack_spec(
      workspace, "add_slack_reaction",
      "Adds an emoji reaction to a message in a Slack channel. A person approves it first.", toolkit::Effect::write);
  spec.primary_param = "channel";
  spec.pins = {"channel", "emoji"};
  spec.topics = {.words = {"slack reaction"}, .verbs = {"react"}, .working = "Adding a reaction in {channel}"};
  return toolkit::make_tool<ReactionParams>(
      std::move(spec), [workspace](const ReactionParams& params) -> Result<toolkit::Pipeline> {
        TRY(check_ts("timestamp", params.timestamp));
        if (params.name().empty())
          return fail(ErrorKind::invalid_input, "there is no emoji of that name",
                      "use a name without colons, such as white_check_mark");
        toolkit::Pipeline pipeline;
        pipeline
            .then({.name = "preview",
                   .repeatable = true,
                   .call =
                       [workspace, params](toolkit::CallContext& context) {
                         return as_step(preview_reaction(workspace, params, context));
                       }})
            .await_approval()
            // A second reaction of the same emoji is none.
            .then({.name = "react", .repeatable = true, .call = [workspace, params](toolkit::CallContext& context) {
                     return as_step(add_reaction(workspace, params, context));
                   }});
        return pipeline;
      });
}

}  // namespace deputy::tools::slack
