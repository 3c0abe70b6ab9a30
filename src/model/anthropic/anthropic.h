// Anthropic's Messages API over server-sent events: the provider, and the API's errors. messages.h and reply_reader.h
// know the format.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/secret.h"
#include "model/anthropic/reply_reader.h"
#include "model/exchange.h"
#include "model/families.h"
#include "model/model.h"
#include "model/second_try.h"
#include "net/http.h"

namespace deputy::model::anthropic {

/// The API sends pings while a model thinks, so a shorter silence means a broken connection.
inline constexpr net::Timeouts kTimeouts{
    .connect = kModelTimeouts.connect, .idle = std::chrono::minutes(2), .total = kModelTimeouts.total};

struct Options {
  Manner manner;
  Secret api_key = {};
  std::string base_url = "https://api.anthropic.com";  // with or without /v1
  std::string version = "2023-06-01";
  std::vector<std::string> betas = {};
  net::Timeouts timeouts = kTimeouts;
};

class AnthropicProvider final : public Provider {
 public:
  /// The client and the clock must outlive the provider.
  AnthropicProvider(net::HttpClient& http, const Clock& clock, Options options);

  std::string_view name() const override { return name_; }
  std::string_view origin() const override { return origin_; }
  Task<Result<std::vector<std::string>>> list_models() override;

  /// May ask again within the attempt, without what the API refused (second_try.h).
  Task<Result<Reply>> attempt(Request request, OnText on_text) override;

 private:
  net::Request post(const json::object& body) const;
  void add_headers(net::Request& request) const;
  Task<Result<std::optional<Refused>>> exchange_pauses(json::object body, ReplyReader& reader);

  net::HttpClient& http_;
  const Clock& clock_;
  Options options_;
  std::string name_;
  std::string origin_;
  std::string base_;
  SecondTry second_try_;  // what this API refuses
};

// The API's errors. Pure.

/// The error of a response that is not a reply, by its status; for an error event in a stream (status 200), by its
/// type.
Error error_of(int status, const std::vector<net::Header>& headers, std::string_view body, Timestamp now);

/// True when the request does not fit the context. That is a reply (Stop::overflow), not an error.
bool is_overflow(int status, std::string_view body);

}  // namespace deputy::model::anthropic
