// What Bedrock sends, on its way to a reply, in both forms: whatever it says, and however it is cut, the same reply or
// error comes out, within its limits, and what was streamed is its text. A line each: "x" a frame that is an exception,
// "e" an error, "r" bytes as they are, anything else an event; behind it the type up to a space, then the payload. Of
// Anthropic's form the payload is the event inside of a chunk.
#include <cstdint>

#include "base/text.h"
#include "fuzz/complain.h"
#include "model/bedrock/reply_stream.h"
#include "support/event_frames.h"

namespace {

using namespace deputy;
using namespace deputy::model;
using bedrock::ApiForm;

std::string frame_of(std::string_view line, ApiForm form) {
  const char kind = line.front();
  line.remove_prefix(1);
  if (kind == 'r') return std::string(line);
  const std::size_t space = std::min(line.find(' '), line.size());
  const std::string_view type = line.substr(0, space);
  const std::string_view payload = line.substr(std::min(space + 1, line.size()));
  if (kind == 'x') return test::exception_of_type(type, payload);
  if (kind == 'e')
    return test::event_frame({{":message-type", test::event_text("error")}, {":error-code", test::event_text(type)}},
                             "");
  if (form == ApiForm::converse) return test::event_of_type(type, payload);
  return test::event_of_type("chunk", R"({"bytes":")" + test::to_base64(payload) + "\"}");
}

struct Heard {
  std::optional<Reply> reply;
  std::string streamed;

  bool operator==(const Heard&) const = default;
};

Result<> feed(bedrock::ReplyStream& stream, ApiForm form, std::string_view bytes) {
  stream.add(bytes);
  for (;;) {
    TRY(const auto frame, stream.next());
    if (!frame) return {};
    TRY(stream.read(*frame, bedrock::parse_event(form, *frame), {}));
  }
}

Heard hear(ApiForm form, std::string_view bytes, std::size_t step, Calls calls) {
  Heard heard;
  bedrock::ReplyStream stream(form, calls, [&](std::string_view part) { heard.streamed += part; });
  while (!bytes.empty()) {
    if (!feed(stream, form, bytes.substr(0, step))) return heard;
    bytes.remove_prefix(std::min(step, bytes.size()));
  }
  if (auto reply = stream.finish()) heard.reply = *std::move(reply);
  return heard;
}

void check(ApiForm form, const std::string& bytes, Calls calls) {
  const Heard whole = hear(form, bytes, bytes.size() + 1, calls);
  if (hear(form, bytes, 11, calls) != whole) complain("the cut changes the reply");
  if (!whole.reply) return;
  if (whole.reply->stop != Stop::overflow && text_of(*whole.reply) != whole.streamed)
    complain("the stream is not the text");
  for (const Block& block : whole.reply->blocks) {
    const auto* call = std::get_if<Call>(&block);
    if (call != nullptr && (calls == Calls::none || call->id.empty() || call->tool.empty()))
      complain("a call that is none");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const ApiForm form : {ApiForm::messages, ApiForm::converse}) {
    std::string bytes;
    for (const std::string_view line : split(text, "\n")) {
      if (!line.empty() && line.size() < 60'000) bytes += frame_of(line, form);
    }
    check(form, bytes, Calls::allowed);
    check(form, bytes, Calls::none);
  }
  return 0;
}
