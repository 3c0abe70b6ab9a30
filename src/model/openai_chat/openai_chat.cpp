#include "model/openai_chat/openai_chat.h"

#include <fmt/format.h>

#include "base/text.h"
#include "model/openai_chat/reply_reader.h"
#include "model/openai_errors.h"

namespace deputy::model::openai_chat {

OpenAiChatProvider::OpenAiChatProvider(net::HttpClient& http, const Clock& clock, Options options)
    : http_(http),
      clock_(clock),
      options_(std::move(options)),
      name_("openai_chat/" + options_.manner.model),
      base_(versioned_base(options_.base_url)),
      dialect_(dialect_of(options_.base_url)) {}

Task<Result<Reply>> OpenAiChatProvider::attempt(Request request, OnText on_text) {
  CO_TRY(co_await find_model());
  std::vector<Dialect> tried{dialect_};
  SecondTry second_try = second_try_;
  for (;;) {
    ReplyReader reader(request.calls, on_text);
    CompletionsBody written = completions_body(request, options_.manner, tried.back(), second_try);
    net::Request post = json_post(join_url(base_, "chat/completions"), written.body, options_.timeouts);
    add_key(post);
    CO_TRY(const auto refused, co_await exchange(http_, std::move(post), reader));
    if (!refused) {
      dialect_ = tried.back();
      second_try_ = second_try;
      CO_TRY(Reply reply, reader.finish());
      if (reply.usage == Usage{} && reply.stop != Stop::overflow) reply.usage = estimated_usage(request, reply);
      co_return reply;
    }
    if (openai_errors::is_overflow(refused->status, refused->body)) co_return Reply{.stop = Stop::overflow};
    const auto other = other_dialect(tried.back(), refused->status, refused->body);
    if (other && !contains(tried, *other)) {
      tried.push_back(*other);
    } else if (!second_try.may_help(refused->status, refused->body, written.sent, request)) {
      co_return std::unexpected(
          openai_errors::error_of(refused->status, refused->headers, refused->body, clock_.now()));
    }
  }
}

// A local server often has just one model, and nobody wants to type its name twice.
Task<Result<>> OpenAiChatProvider::find_model() {
  if (!options_.manner.model.empty()) co_return Result<>{};
  constexpr std::size_t kMaxNamed = 10;
  CO_TRY(std::vector<std::string> models, co_await list_models());
  if (models.size() != 1) {
    const std::size_t count = models.size();
    if (count > kMaxNamed) models.resize(kMaxNamed);
    co_return fail(ErrorKind::not_configured,
                   count == 0 ? "the server lists no model"
                              : fmt::format("the server has {} models: {}{}", count, join(models, ", "),
                                            count > kMaxNamed ? " …" : ""),
                   "set `model:` of this model in the settings");
  }
  options_.manner.model = models.front();
  name_ = "openai_chat/" + options_.manner.model;
  co_return Result<>{};
}

Task<Result<std::vector<std::string>>> OpenAiChatProvider::list_models() {
  net::Request request = json_get(join_url(base_, "models"));
  add_key(request);
  return read_model_list(http_, std::move(request));
}

void OpenAiChatProvider::add_key(net::Request& request) const {
  if (!options_.api_key.empty()) request.headers.push_back({"authorization", "Bearer " + options_.api_key.reveal()});
}

}  // namespace deputy::model::openai_chat
