// Anthropic's API: the Messages API over server-sent events. messages.h has what is said, this how it gets there.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/secret.h"
#include "model/exchange.h"
#include "model/provider.h"

namespace deputy::model::anthropic {

/// The API pings while a model thinks, so silence says earlier here that something broke.
inline constexpr net::Timeouts kTimeouts{
    .connect = kModelTimeouts.connect, .idle = std::chrono::minutes(2), .total = kModelTimeouts.total};

struct Options {
  std::string model;
  Secret api_key = {};
  std::string base_url = "https://api.anthropic.com";  // with or without /v1
  std::string version = "2023-06-01";
  std::vector<std::string> betas = {};
  std::optional<double> temperature = std::nullopt;  // newer models and versions refuse any
  net::Timeouts timeouts = kTimeouts;
};

class AnthropicProvider final : public Provider {
 public:
  /// Client and clock outlive it.
  AnthropicProvider(net::HttpClient& http, const Clock& clock, Options options);

  std::string_view name() const override { return name_; }
  Task<Result<Reply>> attempt(Request request, OnText on_text) override;

 private:
  net::Request post(const json::object& body) const;

  net::HttpClient& http_;
  const Clock& clock_;
  Options options_;
  std::string name_;
  std::string url_;
};

}  // namespace deputy::model::anthropic
