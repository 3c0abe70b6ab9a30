// A stream of the Responses API, or what a server gives for one (reply_check.h).
#include "model/openai/body.h"
#include "model/openai/reply_reader.h"
#include "reply_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace deputy::model;
  return fuzz::check_stream<openai::ReplyReader>(data, size, [](const Request& request) {
    return openai::responses_body(request, {}, {}, /*shows_thinking=*/false).body;
  });
}
