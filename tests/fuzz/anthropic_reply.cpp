// A stream of the Messages API, or what a server gives for one (reply_check.h).
#include "model/anthropic/messages.h"
#include "reply_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace deputy::model;
  return fuzz::check_stream<anthropic::ReplyReader>(data, size, [](const Request& request) {
    return anthropic::messages_body(request, {.manner = {}, .second_try = {}}).body;
  });
}
