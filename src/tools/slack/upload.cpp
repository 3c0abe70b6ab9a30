// upload_slack_file = [ content, preview, AWAIT APPROVAL, upload, share ]
#include <fmt/format.h>

#include "base/text.h"
#include "tools/common_steps.h"
#include "tools/slack/messages.h"
#include "tools/slack/slack_tools.h"

namespace deputy::tools::slack {

namespace {

constexpr std::size_t kMaxContent = 200'000;  // characters
constexpr std::size_t kMaxFileName = 200;
constexpr std::chrono::seconds kSharesWithin{30};  // Slack lists the channel of a file some moments after it took it

struct UploadParams {
  std::string channel;
  std::string filename;
  std::string content;
  std::string call_id;
  std::string title;
  std::string thread_ts;

  template <class Fields>
  static void fields(Fields& f) {
    using P = UploadParams;
    channel_field(f, &P::channel);
    f.required(&P::filename, "filename", "Name of the file, such as errors.csv").characters(1, kMaxFileName);
    f.optional(&P::content, "content", "The text of the file").characters(0, kMaxContent);
    f.optional(&P::call_id, "call_id",
               "Instead of content: id of a call of this request whose whole result is the file")
        .characters(0, 200);
    f.optional(&P::title, "title", "Title shown above the file").characters(0, 200);
    f.optional(&P::thread_ts, "thread_ts", "Timestamp of the first message of the thread to share it in")
        .characters(0, 30);
  }

  void check(FieldReader& reader) const {
    if (content.empty() == call_id.empty()) reader.problem("give either `content` or `call_id`, and not an empty one");
  }
};

Result<> check_name(std::string_view name) {
  const bool is_plain = !trim(name).empty() && std::ranges::none_of(name, [](char c) {
    return c == '/' || c == '\\' || static_cast<unsigned char>(c) < ' ';
  });
  if (is_plain) return {};
  return fail(ErrorKind::invalid_input, "this cannot be the name of a file", "use a name such as errors.csv");
}

toolkit::Delegate result_of(const UploadParams& params, std::string_view part) {
  return {toolkit::DelegateKind::result, {{"call_id", params.call_id}, {"part", part}}};
}

/// What the file holds, as the approval shows it.
struct Content {
  std::int64_t bytes = 0;
  std::string digest;
  std::string beginning = {};  // empty: the card shows all of it
};

Content content_of(const UploadParams& params, const toolkit::CallContext& context) {
  if (params.call_id.empty()) return {static_cast<std::int64_t>(params.content.size()), sha256_hex(params.content), ""};
  const toolkit::Output* read = context.output_of("content");
  if (read == nullptr) return {};
  const json::value* bytes = read->data.if_contains("bytes");
  return {bytes == nullptr ? 0 : as_whole(*bytes).value_or(0), text_at(read->data, "digest"),
          text_at(read->data, "beginning")};
}

Task<toolkit::Step> look_at_content(UploadParams params, std::optional<json::value> answer) {
  if (!answer) co_return result_of(params, "beginning");
  Result<json::object> read = parse_json_object(as_text(*answer));
  if (!read) co_return std::move(read).error();
  if (const json::value* bytes = read->if_contains("bytes"); bytes == nullptr || as_whole(*bytes).value_or(0) == 0)
    co_return Error{ErrorKind::invalid_input, "the result of that call is empty", "give the content itself"};
  co_return toolkit::Output{"", *std::move(read)};
}

Task<Result<toolkit::Step>> preview_upload(Workspace workspace, UploadParams params, toolkit::CallContext& context) {
  CO_TRY(toolkit::Step step, co_await aim_at(workspace, {"Share a file in", params.thread_ts}, context));
  auto* shown = std::get_if<toolkit::Output>(&step);
  if (shown == nullptr) co_return step;
  const Content content = content_of(params, context);
  shown->text += fmt::format("{}: {}, SHA-256 {}\n", params.filename, count_of(content.bytes, "byte"), content.digest);
  if (!content.beginning.empty())
    shown->text += fmt::format("The result of {}, which begins:\n{}\n", params.call_id, content.beginning);
  co_return step;
}

// Nobody sees the file before it is shared, so a second upload does no harm.
Task<Result<toolkit::Step>> upload(Workspace workspace, UploadParams params, toolkit::CallContext& context) {
  if (!params.call_id.empty() && !context.answer) co_return result_of(params, "whole");
  std::string content = params.call_id.empty() ? params.content : as_text(*context.answer);
  if (sha256_hex(content) != content_of(params, context).digest)
    co_return fail(ErrorKind::conflict, "the content is not what was shown for approval; nothing was shared");
  CO_TRY(std::string file, co_await clients::slack::store_file(workspace->api(), params.filename, std::move(content)));
  co_return toolkit::Output{fmt::format("Uploaded {}, not shared yet", params.filename), {{"file", std::move(file)}}};
}

std::string file_of(const toolkit::CallContext& context) {
  const toolkit::Output* uploaded = context.output_of("upload");
  return uploaded == nullptr ? "" : text_at(uploaded->data, "file");
}

toolkit::Output shared(const UploadParams& params, const Aimed& aimed, const std::string& file) {
  std::string display = fmt::format("Shared {} in {} ({}), file {}", params.filename, aimed.name, aimed.channel, file);
  json::object data{{"display", display}, {"channel", aimed.channel}, {"file", file}};
  return {std::move(display), std::move(data)};
}

Task<Result<toolkit::Step>> share(Workspace workspace, UploadParams params, toolkit::CallContext& context) {
  CO_TRY(const Aimed aimed, aimed_at(context));
  const std::string file = file_of(context);
  CO_TRY((co_await clients::slack::share_file(workspace->api(), file,
                                              {.channel = aimed.channel,
                                               .thread = params.thread_ts,
                                               .name = params.filename,
                                               .title = params.title,
                                               .content = {}})));
  co_return shared(params, aimed, file);
}

Task<Result<toolkit::Looked>> look_for_share(Workspace workspace, UploadParams params, toolkit::CallContext& context) {
  using enum toolkit::Looked::Answer;
  CO_TRY(const Aimed aimed, aimed_at(context));
  const std::string file = file_of(context);
  const Result<clients::slack::FileInfo> info = co_await clients::slack::file_info(workspace->api(), file);
  if (!info && info.error().kind == ErrorKind::not_found) co_return toolkit::Looked{not_done};
  if (!info) co_return std::unexpected(info.error());
  if (!contains(info->channels, aimed.channel)) co_return toolkit::Looked{not_done};
  co_return toolkit::Looked{done, shared(params, aimed, file)};
}

}  // namespace

Tool upload_slack_file(const Workspace& workspace) {
  toolkit::ToolSpec spec = slack_spec(
      workspace, "upload_slack_file",
      "Shares a text file in a Slack channel or thread: text that you give, or the whole result of an earlier "
      "call of this request by its call_id. A person sees it and approves it first.",
      toolkit::Effect::write);
  spec.primary_param = "channel";
  spec.timeout = std::chrono::minutes(2);
  spec.topics = {.words = {"slack file"}, .verbs = {"upload", "share"}, .working = "Sharing a file in {channel}"};
  return toolkit::make_tool<UploadParams>(
      std::move(spec), [workspace](const UploadParams& params) -> Result<toolkit::Pipeline> {
        if (trim(params.channel).empty())
          return fail(ErrorKind::invalid_input, "the channel cannot be empty", "name a channel, such as #ops");
        TRY(check_name(params.filename));
        TRY(check_ts("thread_ts", params.thread_ts));
        toolkit::Pipeline pipeline;
        if (!params.call_id.empty()) {
          pipeline.then({.name = "content", .repeatable = true, .call = [params](toolkit::CallContext& context) {
                           return look_at_content(params, context.answer);
                         }});
        }
        pipeline
            .then({.name = "preview",
                   .repeatable = true,
                   .call =
                       [workspace, params](toolkit::CallContext& context) {
                         return as_step(preview_upload(workspace, params, context));
                       }})
            .await_approval()
            .then({.name = "upload",
                   .repeatable = true,
                   .call = [workspace, params](
                               toolkit::CallContext& context) { return as_step(upload(workspace, params, context)); }})
            .then({.name = "share",
                   .call = [workspace, params](
                               toolkit::CallContext& context) { return as_step(share(workspace, params, context)); },
                   .look = [workspace, params](
                               toolkit::CallContext& context) { return look_for_share(workspace, params, context); },
                   .look_after = kSharesWithin});
        return pipeline;
      });
}

}  // namespace deputy::tools::slack
