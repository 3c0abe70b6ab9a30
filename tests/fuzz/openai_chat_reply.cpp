// A stream of the Chat Completions API, or what a server gives for one (reply_check.h).
#include "model/openai_chat/body.h"
#include "model/openai_chat/reply_reader.h"
#include "reply_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace deputy::model;
  return fuzz::check_stream<openai_chat::ReplyReader>(
      data, size, [](const Request& request) { return openai_chat::completions_body(request, {}, {}, {}).body; });
}
