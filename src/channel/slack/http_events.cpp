#include "channel/slack/http_events.h"

#include <fmt/format.h>

#include <charconv>

#include "base/log.h"
#include "net/form.h"

namespace deputy::channel::slack {

namespace {

constexpr std::chrono::minutes kMaxAge{5};
constexpr net::FormLimits kForm{.bytes = 1024UL * 1024, .fields = 100};

Error not_signed(std::string message) { return {ErrorKind::authentication, std::move(message), "", false}; }

net::Response plain(int status, std::string text) {
  return {status, {{"Content-Type", "text/plain"}}, std::move(text)};
}

net::Response json_reply(const json::object& object) {
  if (object.empty()) return {200, {}, ""};
  return {200, {{"Content-Type", "application/json; charset=utf-8"}}, json::serialize(object)};
}

/// What Socket Mode would have sent in an envelope.
struct Envelope {
  std::string type;
  json::object payload;
};

Result<Envelope> read_form(std::string_view body) {
  TRY(const std::vector<net::FormField> fields, net::parse_form(body, kForm));
  if (const auto payload = net::find_field(fields, "payload")) {
    TRY(json::object interaction, parse_json_object(*payload));
    return Envelope{"interactive", std::move(interaction)};
  }
  json::object command;
  for (const net::FormField& field : fields) command[field.name] = field.value;
  return Envelope{"slash_commands", std::move(command)};
}

}  // namespace

Result<> check_signature(const Secret& signing_secret, std::string_view timestamp, std::string_view signature,
                         std::string_view body, Timestamp now) {
  // An empty secret would sign anything.
  if (signing_secret.empty()) {
    return fail(ErrorKind::not_configured, "events over HTTP need the app's signing secret",
                "set channels.slack.signing_secret or SLACK_SIGNING_SECRET");
  }
  std::int64_t seconds = 0;
  const char* end = timestamp.data() + timestamp.size();
  const auto [stop, failed] = std::from_chars(timestamp.data(), end, seconds);
  if (timestamp.empty() || timestamp.size() > 15 || failed != std::errc() || stop != end)
    return std::unexpected(not_signed("the request has no valid timestamp"));
  const auto age = now - from_millis(seconds * 1000);
  if (age > kMaxAge || age < -kMaxAge)
    return std::unexpected(not_signed("the request is too old, or a clock is wrong"));
  const std::string expected =
      "v0=" + to_hex(hmac_sha256(signing_secret, fmt::format("v0:{}:{}", timestamp, body)).reveal());
  if (!Secret(expected).equals(signature)) return std::unexpected(not_signed("the signature is wrong"));
  return {};
}

Task<net::Response> answer_request(net::ServerRequest request, Secret signing_secret, Timestamp now,
                                   SocketMode::Handler handler) {
  if (request.method != "POST") co_return plain(405, "Slack sends POST");
  if (request.body.starts_with("ssl_check=1")) co_return plain(200, "");  // Slack tries the certificate, unsigned
  const std::string_view timestamp = net::find_header(request.headers, "x-slack-request-timestamp").value_or("");
  const std::string_view signature = net::find_header(request.headers, "x-slack-signature").value_or("");
  if (const Result<> signed_by_slack = check_signature(signing_secret, timestamp, signature, request.body, now);
      !signed_by_slack) {
    log::warning("a request to the address for Slack was refused",
                 {{"why", describe(signed_by_slack.error())}, {"peer", request.peer}});
    co_return plain(401, "not signed by Slack");
  }
  const std::string_view type = net::find_header(request.headers, "content-type").value_or("");
  Envelope envelope;
  if (type.starts_with("application/json")) {
    Result<json::object> payload = parse_json_object(request.body);
    if (!payload) co_return plain(400, "not JSON");
    if (text_at(*payload, "type") == "url_verification") co_return plain(200, text_at(*payload, "challenge"));
    envelope = {"events_api", *std::move(payload)};
  } else {
    Result<Envelope> form = read_form(request.body);
    if (!form) co_return plain(400, "not a form");
    envelope = *std::move(form);
  }
  const Result<json::object> reply = co_await handler(std::move(envelope.type), std::move(envelope.payload));
  if (!reply) {
    log::warning("a request of Slack gets no receipt", {{"why", describe(reply.error())}});
    co_return plain(503, "not stored; send it again");
  }
  co_return json_reply(*reply);
}

}  // namespace deputy::channel::slack
