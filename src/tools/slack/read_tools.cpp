// list_slack_messages, list_slack_replies and read_slack_file.
#include <fmt/format.h>

#include "base/text.h"
#include "base/workers.h"
#include "toolkit/cut.h"
#include "tools/common_steps.h"
#include "tools/slack/messages.h"
#include "tools/slack/slack_tools.h"

namespace deputy::tools::slack {

// list_slack_messages = [ read ]

namespace {

struct ListMessagesParams {
  std::string channel;
  int limit = 15;
  std::optional<double> since_hours;

  template <class Fields>
  static void fields(Fields& f) {
    using P = ListMessagesParams;
    channel_field(f, &P::channel);
    f.optional(&P::limit, "limit", "How many messages at most, the newest").in_range(1, 100).kind(toolkit::Kind::count);
    f.optional(&P::since_hours, "since_hours", "Only messages of so many hours before now")
        .in_range(0, 24 * 365)
        .kind(toolkit::Kind::hours);
  }
};

Task<Result<toolkit::Step>> list_messages(Workspace workspace, ListMessagesParams params,
                                          toolkit::CallContext& context) {
  CO_TRY(UsableChannel found, co_await usable_channel(*workspace, context));
  if (auto* question = std::get_if<toolkit::Delegate>(&found)) co_return std::move(*question);
  const ExcerptBounds bounds{.most = static_cast<std::size_t>(params.limit), .since_hours = params.since_hours};
  CO_TRY(const Excerpt read,
         co_await read_excerpt(*workspace, context, std::get<ChannelInfo>(std::move(found)), bounds));
  co_return toolkit::Output{read.range() + "\n" + joined(read.lines),
                            {{"channel", read.channel.id}, {"messages", read.lines.size()}}};
}

}  // namespace

Tool list_slack_messages(const Workspace& workspace) {
  toolkit::ToolSpec spec =
      slack_spec(workspace, "list_slack_messages",
                 "Returns the newest messages of a Slack channel with writer, time and timestamp, oldest first. The "
                 "first line says which range was really read. Replies in threads are read with list_slack_replies.",
                 toolkit::Effect::read);
  spec.primary_param = "channel";
  spec.topics = {.words = {"slack messages"}, .working = "Reading {channel}"};
  return toolkit::make_tool<ListMessagesParams>(std::move(spec), [workspace](const ListMessagesParams& params) {
    toolkit::Pipeline pipeline;
    pipeline.then({.name = "read", .repeatable = true, .call = [workspace, params](toolkit::CallContext& context) {
                     return as_step(list_messages(workspace, params, context));
                   }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  });
}

// list_slack_replies = [ read ]

namespace {

struct ListRepliesParams {
  std::string channel;
  std::string thread_ts;
  int limit = 20;

  template <class Fields>
  static void fields(Fields& f) {
    using P = ListRepliesParams;
    channel_field(f, &P::channel);
    f.required(&P::thread_ts, "thread_ts", "Timestamp of the first message of the thread").characters(1, 30);
    f.optional(&P::limit, "limit", "How many messages at most: the first and the newest")
        .in_range(1, 200)
        .kind(toolkit::Kind::count);
  }
};

Task<Result<toolkit::Step>> list_replies(Workspace workspace, ListRepliesParams params, toolkit::CallContext& context) {
  CO_TRY(UsableChannel found, co_await usable_channel(*workspace, context));
  if (auto* question = std::get_if<toolkit::Delegate>(&found)) co_return std::move(*question);
  const ChannelInfo& channel = std::get<ChannelInfo>(found);
  const clients::slack::Range range{.most = static_cast<std::size_t>(params.limit)};
  CO_TRY(clients::slack::Messages read,
         co_await clients::slack::read_thread(workspace->api(), channel.id, params.thread_ts, range));
  CO_TRY(const std::vector<MessageLine> lines, co_await lines_of(*workspace, context, std::move(read.messages)));
  std::string text = fmt::format("{}, of a thread in {} ({})", counted(lines), shown_name(channel), channel.id);
  if (read.left_out > 0) {
    text += fmt::format("; {} between the first and the next are not shown",
                        count_of(static_cast<std::int64_t>(read.left_out), "message"));
  }
  text += read.has_more ? "; there are newer ones that were not read.\n" : ".\n";
  co_return toolkit::Output{text + joined(lines), {{"channel", channel.id}, {"messages", lines.size()}}};
}

}  // namespace

Tool list_slack_replies(const Workspace& workspace) {
  toolkit::ToolSpec spec =
      slack_spec(workspace, "list_slack_replies",
                 "Returns the messages of one Slack thread: the first and the newest, with writer, time and timestamp. "
                 "The first line says which range was really read.",
                 toolkit::Effect::read);
  spec.primary_param = "channel";
  spec.topics = {.words = {"slack thread"}, .working = "Reading a thread in {channel}"};
  return toolkit::make_tool<ListRepliesParams>(
      std::move(spec), [workspace](const ListRepliesParams& params) -> Result<toolkit::Pipeline> {
        TRY(check_ts("thread_ts", params.thread_ts));
        toolkit::Pipeline pipeline;
        pipeline.then({.name = "read", .repeatable = true, .call = [workspace, params](toolkit::CallContext& context) {
                         return as_step(list_replies(workspace, params, context));
                       }});
        return pipeline;
      });
}

// read_slack_file = [ read ]

namespace {

constexpr std::size_t kMaxFile = 1'000'000;  // bytes
constexpr std::size_t kMaxPlaces = 20;       // conversations of a file that are looked at

struct ReadFileParams {
  std::string file_id;
  int offset = 0;

  template <class Fields>
  static void fields(Fields& f) {
    using P = ReadFileParams;
    f.required(&P::file_id, "file_id", "ID of the file, such as F012AB3CD; messages are listed with their files")
        .characters(1, 100)
        .kind(toolkit::Kind::id);
    f.optional(&P::offset, "offset", "Character to start from").in_range(0, kMaxFile);
  }
};

// The same whether there is no such file or the call may not use it.
Error no_such_file() {
  return {ErrorKind::not_found, "there is no such file, or not one that may be used in this conversation",
          "use the file's ID; a file is as visible as the conversations it is shared in"};
}

Task<Result<std::string>> page_of_file(std::string content, int offset, toolkit::CallContext& context) {
  const std::size_t bytes = content.size();
  auto cut = [content = std::move(content), offset, redact = context.redact]() -> Result<std::string> {
    const std::string text = toolkit::redact_or_withhold(to_valid_utf8(content), redact);
    return text.substr(cut_characters(text, static_cast<std::size_t>(offset)).size());
  };
  co_return co_await off_loop_if_large<std::string>(bytes, std::move(cut));
}

Task<Result<toolkit::Step>> read_file(Workspace workspace, ReadFileParams params, toolkit::CallContext& context) {
  const Result<clients::slack::FileInfo> info = co_await clients::slack::file_info(workspace->api(), params.file_id);
  if (!info && info.error().kind == ErrorKind::not_found) co_return std::unexpected(no_such_file());
  if (!info) co_return std::unexpected(info.error());
  std::vector<ChannelInfo> places;
  for (const std::string& id : info->channels) {
    if (places.size() == kMaxPlaces) break;
    // One that cannot be looked up counts as private.
    const Result<ChannelInfo> place = co_await workspace->channel(id);
    places.push_back(place.value_or(ChannelInfo{.id = id, .name = "", .is_private = true}));
  }
  if (!context.answer) co_return which_are_visible(places);
  CO_TRY(const std::set<std::string> visible, visible_in(*context.answer));
  const bool may_read = std::ranges::any_of(info->channels, [&](const auto& id) { return visible.contains(id); });
  if (!may_read) co_return std::unexpected(no_such_file());
  const std::string name = in_one_line(info->name, 200);
  if (std::cmp_greater(info->size, kMaxFile)) {
    co_return fail(ErrorKind::invalid_input, fmt::format("{} is larger than 1 MB", name), "say that it was not read");
  }
  CO_TRY(std::string content, co_await workspace->api().download(info->url, kMaxFile));
  if (content.contains('\0')) {
    co_return fail(ErrorKind::invalid_input, fmt::format("{} is not text", name), "say that it was not read");
  }
  const std::size_t bytes = content.size();
  CO_TRY(const std::string text, co_await page_of_file(std::move(content), params.offset, context));
  const std::string from = params.offset > 0 ? fmt::format(", from character {}", params.offset) : "";
  co_return toolkit::Output{fmt::format("{}, {}{}\n{}", name, count_of(static_cast<std::int64_t>(bytes), "byte"), from,
                                        text.empty() ? "(there is no more text)\n" : text),
                            {{"file", info->id}}};
}

}  // namespace

Tool read_slack_file(const Workspace& workspace) {
  toolkit::ToolSpec spec = slack_spec(workspace, "read_slack_file",
                                      "Returns a text file that is shared in Slack, up to 1 MB, from the given "
                                      "character on. Files are listed with the messages they came with.",
                                      toolkit::Effect::read);
  spec.primary_param = "file_id";
  spec.timeout = std::chrono::minutes(2);
  spec.topics = {.words = {"slack file"}, .working = "Reading file {id}"};
  return toolkit::make_tool<ReadFileParams>(std::move(spec), [workspace](const ReadFileParams& params) {
    toolkit::Pipeline pipeline;
    pipeline.then({.name = "read", .repeatable = true, .call = [workspace, params](toolkit::CallContext& context) {
                     return as_step(read_file(workspace, params, context));
                   }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  });
}

}  // namespace deputy::tools::slack
