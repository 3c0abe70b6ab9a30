#include "model/openai/openai.h"

#include "base/contains.h"
#include "base/text.h"
#include "model/openai/errors.h"
#include "model/openai/reply_reader.h"

namespace deputy::model::openai {

namespace {

std::string url_of(std::string_view base) {
  base = trim(base);
  while (base.ends_with('/')) base.remove_suffix(1);
  const std::size_t scheme = base.find("://");
  const bool has_path = scheme != std::string_view::npos && base.find('/', scheme + 3) != std::string_view::npos;
  return join_url(base, has_path ? "chat/completions" : "v1/chat/completions");
}

}  // namespace

OpenAiProvider::OpenAiProvider(net::HttpClient& http, const Clock& clock, Options options)
    : http_(http),
      clock_(clock),
      options_(std::move(options)),
      name_("openai/" + options_.model),
      url_(url_of(options_.base_url)),
      dialect_(dialect_of(options_.base_url)) {}

Task<Result<Reply>> OpenAiProvider::attempt(Request request, OnText on_text) {
  ReplyReader reader(request.calls, std::move(on_text));
  std::vector<Dialect> tried{dialect_};
  while (true) {
    CO_TRY(const auto refused, co_await exchange(http_, post(request, tried.back()), reader));
    if (!refused) break;
    if (is_overflow(refused->status, refused->body)) co_return Reply{.stop = Stop::overflow};
    const auto other = other_dialect(tried.back(), refused->status, refused->body);
    if (!other || contains(tried, *other))
      co_return std::unexpected(error_of(refused->status, refused->headers, refused->body, clock_.now()));
    tried.push_back(*other);
  }
  dialect_ = tried.back();
  CO_TRY(Reply reply, reader.finish());
  if (reply.usage == Usage{} && reply.stop != Stop::overflow) reply.usage = estimated_usage(request, reply);
  co_return reply;
}

net::Request OpenAiProvider::post(const Request& request, const Dialect& dialect) const {
  json::object body = completions_body(request, dialect);
  body["model"] = options_.model;
  if (options_.temperature) body["temperature"] = *options_.temperature;
  net::Request post = json_post(url_, body, options_.timeouts);
  if (!options_.api_key.empty()) post.headers.push_back({"authorization", "Bearer " + options_.api_key.reveal()});
  return post;
}

}  // namespace deputy::model::openai
