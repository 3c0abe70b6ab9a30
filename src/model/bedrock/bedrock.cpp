#include "model/bedrock/bedrock.h"

#include <fmt/format.h>

#include "base/workers.h"
#include "model/api_error.h"
#include "model/bedrock/converse.h"
#include "model/bedrock/reply_stream.h"
#include "model/exchange.h"
#include "model/messages.h"
#include "model/thinking.h"

namespace deputy::model::bedrock {

namespace {

// Frames wrap every few characters in headers, base64 and padding.
constexpr std::size_t kMaxStream = 16 * ReplyBuilder::kMaxBytes;
constexpr std::size_t kMaxMessage = 2 * ReplyBuilder::kMaxBytes;
constexpr net::Timeouts kTimeouts{
    .connect = std::chrono::seconds(10), .idle = std::chrono::minutes(2), .total = std::chrono::minutes(10)};
constexpr std::chrono::milliseconds kMaxWaitForTheEnd{200};

MessagesBody messages_body(const Options& options, const Request& request, const MessagesManner& how) {
  MessagesBody written = body_in_messages(request, how);
  json::object& body = written.body;
  body["anthropic_version"] = "bedrock-2023-05-31";
  if (!options.betas.empty()) {
    json::array betas;
    for (const std::string& beta : options.betas) betas.emplace_back(beta);
    body["anthropic_beta"] = std::move(betas);
  }
  return written;
}

std::string_view operation(ApiForm form, Delivery delivery) {
  const bool is_streamed = delivery == Delivery::streamed;
  if (form == ApiForm::messages) return is_streamed ? "invoke-with-response-stream" : "invoke";
  return is_streamed ? "converse-stream" : "converse";
}

Task<Result<json::object>> parse(ApiForm form, net::EventFrame frame) {
  const std::size_t size = frame.payload.size();
  return off_loop_if_large<json::object>(size, [form, frame = std::move(frame)] { return parse_event(form, frame); });
}

Task<Result<>> feed_stream(net::ResponseStream& stream, ApiForm form, ReplyStream& reply, const Clock& clock) {
  while (!reply.has_ended()) {
    const Result<std::string> piece = co_await stream.read();
    if (!piece) {
      if (reply.is_whole()) co_return Result<>{};
      co_return std::unexpected(piece.error());
    }
    if (piece->empty()) co_return Result<>{};
    reply.add(*piece);
    for (;;) {
      CO_TRY(const std::optional<net::EventFrame> frame, reply.next());
      if (!frame) break;
      const Result<json::object> event = co_await parse(form, *frame);
      CO_TRY(reply.read(*frame, event, clock.now()));
    }
  }
  // The end of the body usually arrives with the last frame. Read it, so that the connection can be reused.
  (void)co_await with_timeout(kMaxWaitForTheEnd, stream.read());
  co_return Result<>{};
}

Task<Result<>> feed_whole(net::ResponseStream& stream, ReplyStream& reply) {
  std::string body;
  for (;;) {
    CO_TRY(const std::string piece, co_await stream.read());
    if (piece.empty()) break;
    body += piece;
  }
  const auto message = co_await parse_large_object(std::move(body));
  if (!message) co_return std::unexpected(malformed_reply("it is not a JSON object"));
  co_return reply.read_message(*message);
}

}  // namespace

HttpRequest http_request(const Options& options, ApiForm form, const Request& request, const SecondTry& second_try,
                         bool shows_thinking) {
  std::string_view base = options.endpoint;
  while (base.ends_with('/')) base.remove_suffix(1);
  const bool is_messages = form == ApiForm::messages;
  const bool is_streamed = options.delivery == Delivery::streamed;
  const MessagesManner how{options.manner, second_try, MessagesApi::bedrock, shows_thinking};
  const MessagesBody written = is_messages ? messages_body(options, request, how) : converse_body(request, how);
  net::Request http{.method = "POST",
                    .url = fmt::format("{}/model/{}/{}", base, net::percent_encode(options.manner.model),
                                       operation(form, options.delivery)),
                    .headers = {{"Content-Type", "application/json"},
                                {"Accept", is_streamed ? "application/vnd.amazon.eventstream" : "application/json"}},
                    .body = json::serialize(written.body),
                    .timeouts = kTimeouts,
                    .max_body = is_streamed ? kMaxStream : kMaxMessage,
                    .path = net::UrlPath::as_is};
  if (is_messages && is_streamed) http.headers.push_back({"X-Amzn-Bedrock-Accept", "application/json"});
  return {std::move(http), written.sent};
}

BedrockProvider::BedrockProvider(net::HttpClient& http, clients::aws::CredentialSource& credentials, const Clock& clock,
                                 Options options)
    : http_(http),
      signed_(http, credentials, clock),
      clock_(clock),
      options_(std::move(options)),
      form_(options_.form.value_or(form_of(options_.manner.model))),
      name_("bedrock/" + options_.manner.model),
      origin_(
          origin_of(name_, fmt::format("{} {}", options_.endpoint, options_.region), options_.bearer_token.reveal())) {}

Task<Result<clients::aws::Opened>> BedrockProvider::open(net::Request request) {
  if (options_.bearer_token.empty()) {
    co_return co_await signed_.open(std::move(request), {options_.region, "bedrock"});
  }
  request.headers.push_back({"Authorization", "Bearer " + options_.bearer_token.reveal()});
  CO_TRY(auto stream, co_await http_.open(std::move(request)));
  clients::aws::Opened opened{stream->status(), stream->headers(), {}, {}};
  if (opened.status == 200) {
    opened.stream = std::move(stream);
  } else {
    CO_TRY(opened.refusal, co_await clients::aws::read_refusal(*stream));
  }
  co_return opened;
}

// Removes the key from errors: a refusal or a reply may repeat it.
Task<Result<Reply>> BedrockProvider::attempt(Request request, OnText on_text) {
  Result<Reply> reply = co_await attempt_as_is(std::move(request), std::move(on_text));
  if (!reply) {
    reply.error().message = without_key(std::move(reply.error().message), options_.bearer_token.reveal());
  }
  co_return reply;
}

Task<Result<Reply>> BedrockProvider::attempt_as_is(Request request, OnText on_text) {
  SecondTry second_try = second_try_;
  second_try.begin();
  for (;;) {
    HttpRequest written =
        http_request(options_, form_, request, second_try, /*shows_thinking=*/static_cast<bool>(on_text.thinking));
    CO_TRY(const clients::aws::Opened opened, co_await open(std::move(written.http)));
    if (opened.stream) {
      CO_TRY(Reply reply, co_await read_reply(*opened.stream, request, on_text));
      reply.thinking_was_refused = second_try.dropped_thinking();
      second_try_ = second_try;
      co_return reply;
    }
    const clients::aws::ServiceError refused = clients::aws::read_service_error(opened.headers, opened.refusal);
    Result<Reply> refusal = bedrock::refusal(opened.status, refused, opened.headers, clock_.now());
    if (refusal || !second_try.may_help(opened.status, refused.message, written.sent, request)) co_return refusal;
  }
}

Task<Result<Reply>> BedrockProvider::read_reply(net::ResponseStream& stream, const Request& request, OnText on_text) {
  ReplyStream reply(form_, request.calls, std::move(on_text));
  if (options_.delivery == Delivery::streamed) {
    CO_TRY(co_await feed_stream(stream, form_, reply, clock_));
  } else {
    CO_TRY(co_await feed_whole(stream, reply));
  }
  CO_TRY(Reply read, reply.finish());
  if (read.usage == Usage{} && read.stop != Stop::overflow) read.usage = estimated_usage(request, read);
  co_return read;
}

}  // namespace deputy::model::bedrock
