#include "model/anthropic/anthropic.h"

#include <algorithm>
#include <array>

#include "base/json.h"
#include "base/text.h"
#include "model/anthropic/messages.h"
#include "model/api_error.h"
#include "model/thinking.h"

namespace deputy::model::anthropic {

namespace {

constexpr int kMaxPauses = 5;

// People write it with or without /v1.
std::string base_of(std::string_view address) {
  address = trim(address);
  while (address.ends_with('/')) address.remove_suffix(1);
  if (address.ends_with("/v1")) address.remove_suffix(3);
  return std::string(address);
}

struct TypeOfError {
  std::string_view type;
  int status;
};
constexpr auto kTypes = std::to_array<TypeOfError>({
    {"invalid_request_error", 400},
    {"authentication_error", 401},
    {"billing_error", 402},
    {"permission_error", 403},
    {"not_found_error", 404},
    {"conflict_error", 409},
    {"request_too_large", 413},
    {"rate_limit_error", 429},
    {"api_error", 500},
    {"timeout_error", 504},
    {"overloaded_error", 529},
});

int status_of(std::string_view type) {
  const auto* found = std::ranges::find(kTypes, type, &TypeOfError::type);
  return found == kTypes.end() ? 500 : found->status;
}

constexpr auto kUnpaid = std::to_array<std::string_view>({"credit balance", "spend limit", "enforced_spend_limit"});
constexpr auto kOverflows =
    std::to_array<std::string_view>({"exceed context limit", "exceeds the maximum number of tokens"});

ApiError read(int status, std::string_view body) {
  ApiError said{.status = status};
  if (const auto object = parse_json_object(body)) {
    if (const json::object* error = find_object(*object, "error")) {
      said.code = text_at(*error, "type");
      said.words = text_at(*error, "message");
    }
  }
  if (status >= 200 && status < 300) said.status = status_of(said.code);
  said.is_paid_up = !has_any(said.words, kUnpaid);
  return said;
}

}  // namespace

AnthropicProvider::AnthropicProvider(net::HttpClient& http, const Clock& clock, Options options)
    : http_(http),
      clock_(clock),
      options_(std::move(options)),
      name_("anthropic/" + options_.manner.model),
      origin_(origin_of(name_, options_.base_url, options_.api_key.reveal())),
      base_(base_of(options_.base_url)) {}

Task<Result<Reply>> AnthropicProvider::attempt(Request request, OnText on_text) {
  SecondTry second_try = second_try_;
  second_try.begin();
  for (;;) {
    ReplyReader reader(request.calls, on_text);
    MessagesBody written = messages_body(
        request,
        {.manner = options_.manner, .second_try = second_try, .shows_thinking = static_cast<bool>(on_text.thinking)});
    CO_TRY(const auto refused, co_await exchange_pauses(std::move(written.body), reader));
    if (!refused) {
      CO_TRY(Reply reply, reader.finish());
      if (reply.usage == Usage{} && reply.stop != Stop::overflow) reply.usage = estimated_usage(request, reply);
      reply.thinking_was_refused = second_try.dropped_thinking();
      second_try_ = second_try;
      co_return reply;
    }
    if (is_overflow(refused->status, refused->body)) co_return Reply{.stop = Stop::overflow};
    if (!second_try.may_help(refused->status, refused->body, written.sent, request))
      co_return std::unexpected(error_of(refused->status, refused->headers, refused->body, clock_.now()));
  }
}

Task<Result<std::optional<Refused>>> AnthropicProvider::exchange_pauses(json::object body, ReplyReader& reader) {
  body["model"] = options_.manner.model;
  body["stream"] = true;
  const std::size_t asked = body["messages"].as_array().size();
  for (int pauses = 0;; ++pauses) {
    CO_TRY(auto refused, co_await exchange(http_, post(body), reader));
    // The text before the pause has been streamed, so do not start over.
    if (refused && pauses > 0)
      co_return std::unexpected(error_of(refused->status, refused->headers, refused->body, clock_.now()));
    if (refused || !reader.is_paused() || pauses == kMaxPauses) co_return refused;
    json::array& messages = body["messages"].as_array();
    messages.erase(messages.begin() + static_cast<std::ptrdiff_t>(asked), messages.end());
    if (const json::array& content = reader.go_on(); !content.empty()) messages.push_back(assistant_message(content));
  }
}

net::Request AnthropicProvider::post(const json::object& body) const {
  net::Request request = json_post(join_url(base_, "v1/messages"), body, options_.timeouts);
  add_headers(request);
  return request;
}

void AnthropicProvider::add_headers(net::Request& request) const {
  request.headers.push_back({"anthropic-version", options_.version});
  if (!options_.betas.empty()) request.headers.push_back({"anthropic-beta", join(options_.betas, ",")});
  if (!options_.api_key.empty()) request.headers.push_back({"x-api-key", options_.api_key.reveal()});
}

Task<Result<std::vector<std::string>>> AnthropicProvider::list_models() {
  net::Request request = json_get(join_url(base_, "v1/models?limit=1000"));
  add_headers(request);
  return read_model_list(http_, std::move(request));
}

Error error_of(int status, const std::vector<net::Header>& headers, std::string_view body, Timestamp now) {
  Error error = model::error_of(read(status, body), headers, now);
  if (error.kind == ErrorKind::authentication) error.hint = "set a valid key, for example in ANTHROPIC_API_KEY";
  return error;
}

bool is_overflow(int status, std::string_view body) {
  const ApiError said = read(status, body);
  if (said.status == 413) return true;
  return said.status == 400 && says_it_does_not_fit(said.words, kOverflows);
}

}  // namespace deputy::model::anthropic
