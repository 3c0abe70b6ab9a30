#include "model/anthropic/anthropic.h"

#include "base/text.h"
#include "model/anthropic/messages.h"

namespace deputy::model::anthropic {

namespace {

constexpr int kMostPauses = 5;

std::string url_of(std::string_view base) {
  base = trim(base);
  while (base.ends_with('/')) base.remove_suffix(1);
  if (base.ends_with("/v1")) base.remove_suffix(3);
  return join_url(base, "v1/messages");
}

}  // namespace

AnthropicProvider::AnthropicProvider(net::HttpClient& http, const Clock& clock, Options options)
    : http_(http),
      clock_(clock),
      options_(std::move(options)),
      name_("anthropic/" + options_.model),
      url_(url_of(options_.base_url)) {}

Task<Result<Reply>> AnthropicProvider::attempt(Request request, OnText on_text) {
  json::object body = messages_body(request);
  body["model"] = options_.model;
  body["stream"] = true;
  if (options_.temperature) body["temperature"] = *options_.temperature;
  const json::array messages = body["messages"].as_array();
  ReplyReader reader(request.calls, std::move(on_text));
  for (int pauses = 0;; ++pauses) {
    CO_TRY(const auto refused, co_await exchange(http_, post(body), reader));
    if (refused && is_overflow(refused->status, refused->body)) co_return Reply{.stop = Stop::overflow};
    if (refused) co_return std::unexpected(error_of(refused->status, refused->headers, refused->body, clock_.now()));
    if (!reader.is_paused() || pauses == kMostPauses) break;
    json::array gone_on = messages;
    if (const json::array& content = reader.go_on(); !content.empty()) gone_on.push_back(assistant_message(content));
    body["messages"] = std::move(gone_on);
  }
  CO_TRY(Reply reply, reader.finish());
  if (reply.usage == Usage{} && reply.stop != Stop::overflow) reply.usage = estimated_usage(request, reply);
  co_return reply;
}

net::Request AnthropicProvider::post(const json::object& body) const {
  net::Request request = json_post(url_, body, options_.timeouts);
  request.headers.push_back({"anthropic-version", options_.version});
  if (!options_.betas.empty()) request.headers.push_back({"anthropic-beta", join(options_.betas, ",")});
  if (!options_.api_key.empty()) request.headers.push_back({"x-api-key", options_.api_key.reveal()});
  return request;
}

}  // namespace deputy::model::anthropic
