#include "model/openai/openai.h"

#include "model/openai/body.h"
#include "model/openai/reply_reader.h"
#include "model/openai_errors.h"
#include "model/thinking.h"

namespace deputy::model::openai {

OpenAiProvider::OpenAiProvider(net::HttpClient& http, const Clock& clock, Options options)
    : http_(http),
      clock_(clock),
      options_(std::move(options)),
      name_("openai/" + options_.manner.model),
      origin_(origin_of(name_, options_.base_url, options_.api_key.reveal())),
      base_(versioned_base(options_.base_url)) {}

Task<Result<Reply>> OpenAiProvider::attempt(Request request, OnText on_text) {
  SecondTry second_try = second_try_;
  second_try.begin();
  for (;;) {
    ReplyReader reader(request.calls, on_text);
    const ResponsesBody written =
        responses_body(request, options_.manner, second_try, /*shows_thinking=*/static_cast<bool>(on_text.thinking));
    net::Request post = json_post(join_url(base_, "responses"), written.body, options_.timeouts);
    add_key(post);
    CO_TRY(const auto refused, co_await exchange(http_, std::move(post), reader));
    if (!refused) {
      CO_TRY(Reply reply, reader.finish());
      if (reply.usage == Usage{} && reply.stop != Stop::overflow) reply.usage = estimated_usage(request, reply);
      reply.thinking_was_refused = second_try.dropped_thinking();
      second_try_ = second_try;
      co_return reply;
    }
    if (openai_errors::is_overflow(refused->status, refused->body)) co_return Reply{.stop = Stop::overflow};
    if (!second_try.may_help(refused->status, refused->body, written.sent, request))
      co_return std::unexpected(
          openai_errors::error_of(refused->status, refused->headers, refused->body, clock_.now()));
  }
}

Task<Result<std::vector<std::string>>> OpenAiProvider::list_models() {
  net::Request request = json_get(join_url(base_, "models"));
  add_key(request);
  return read_model_list(http_, std::move(request));
}

void OpenAiProvider::add_key(net::Request& request) const {
  if (!options_.api_key.empty()) request.headers.push_back({"authorization", "Bearer " + options_.api_key.reveal()});
}

}  // namespace deputy::model::openai
