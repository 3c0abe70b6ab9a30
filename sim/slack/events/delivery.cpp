#include "sim/slack/events/delivery.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <boost/asio/redirect_error.hpp>

#include "base/text.h"
#include "net/form.h"
#include "sim/slack/world.h"

namespace deputy::sim::slack {

namespace {

constexpr std::chrono::seconds kMaxHold{5};

std::string_view name_of(EnvelopeKind kind) {
  switch (kind) {
    case EnvelopeKind::events_api:
      return "events_api";
    case EnvelopeKind::interactive:
      return "interactive";
    case EnvelopeKind::slash_commands:
      return "slash_commands";
  }
  return "events_api";
}

/// A random id in the form of Slack's: 8-4-4-4-12 digits.
std::string new_envelope_id(std::string_view seed) {
  const std::string hex = sha256_hex(seed);
  return fmt::format("{}-{}-{}-{}-{}", hex.substr(0, 8), hex.substr(8, 4), hex.substr(12, 4), hex.substr(16, 4),
                     hex.substr(20, 12));
}

std::string form_of(const json::object& payload) {
  std::vector<net::FormField> fields;
  for (const auto& [key, value] : payload) fields.push_back({std::string(key), as_text(value)});
  return net::build_form(fields);
}

std::string reason_of(const Error& error) {
  if (error.kind == ErrorKind::timeout) return "http_timeout";
  return error.kind == ErrorKind::network ? "connection_failed" : "unknown_error";
}

}  // namespace

std::string signature(std::string_view secret, std::string_view timestamp, std::string_view body) {
  const std::string base = fmt::format("v0:{}:{}", timestamp, body);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
       reinterpret_cast<const unsigned char*>(base.data()), base.size(), digest.data(), &size);
  std::string text = "v0=";
  for (unsigned int i = 0; i < size; ++i) text += fmt::format("{:02x}", digest.at(i));
  return text;
}

Deliveries::Deliveries(World& world)
    : sockets(world), world_(world), client_(world.executor, {.user_agent = "Slackbot 1.0 (simulated)"}) {}
Deliveries::~Deliveries() = default;

void Deliveries::send(Envelope envelope) {
  world_.run("slack simulator delivery", [](Deliveries& self, Envelope what) -> Task<> {
    co_await self.deliver(std::move(what));
  }(*this, std::move(envelope)));
}

Task<Acknowledgement> Deliveries::deliver(Envelope envelope) {
  Attempt next;
  while (true) {
    Acknowledgement answer = co_await attempt(envelope, next);
    const bool again =
        envelope.kind == EnvelopeKind::events_api && next.number < static_cast<int>(world_.timing.retries.size());
    if (answer.received || !again || answer.problem == "no_retry" || answer.problem == "lost") {
      if (!answer.received) world_.record.add("delivery_failed", {{"name", envelope.name}, {"reason", answer.problem}});
      co_return answer;
    }
    co_await sleep_for(world_.timing.retries.at(next.number));
    next = {next.number + 1, answer.problem.empty() ? "unknown_error" : answer.problem};
  }
}

Task<Acknowledgement> Deliveries::attempt(const Envelope& envelope, const Attempt& attempt) {
  const std::optional<Fault> fault = world_.faults.take(FaultPlace::delivery, envelope.name);
  if (fault) {
    world_.record.add("fault", {{"on", "delivery"}, {"fault", fault->kind}, {"name", envelope.name}});
    if (fault->kind == "drop") {
      co_await sleep_for(world_.timing.acknowledge);
      co_return Acknowledgement{false, nullptr, "timeout"};
    }
    if (fault->kind == "delay") co_await sleep_for(std::chrono::milliseconds(fault->ms));
    if (fault->kind == "duplicate") {
      world_.run("slack simulator duplicate", [](Deliveries& self, Envelope copy, Attempt same) -> Task<> {
        co_await self.transmit(copy, same);
      }(*this, envelope, attempt));
    }
    if (fault->kind == "reorder") {
      asio::steady_timer timer(world_.executor, kMaxHold);
      const auto place = held_.insert(held_.end(), &timer);
      boost::system::error_code ended;
      co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ended));
      held_.erase(place);
    }
  }
  co_return co_await transmit(envelope, attempt);
}

void Deliveries::let_held_go() {
  for (asio::steady_timer* timer : held_) timer->cancel();
}

Task<Acknowledgement> Deliveries::transmit(const Envelope& envelope, const Attempt& attempt) {
  // Whoever is held goes once this one is on its way: the loop resumes it after this write was queued.
  if (!held_.empty()) asio::post(world_.executor, [this] { let_held_go(); });
  if (!world_.workspace.app.request_url.empty()) co_return co_await post(envelope, attempt);
  json::object frame = {{"envelope_id", new_envelope_id(envelope.name + world_.workspace.next_id("envelope"))},
                        {"type", name_of(envelope.kind)},
                        {"accepts_response_payload", envelope.accepts_response},
                        {"payload", envelope.payload}};
  if (envelope.kind == EnvelopeKind::events_api) {
    frame["retry_attempt"] = attempt.number;
    frame["retry_reason"] = attempt.reason;
  }
  Acknowledgement answer = co_await sockets.send(std::move(frame), world_.timing.acknowledge);
  if (!envelope.accepts_response) answer.payload = nullptr;
  co_return answer;
}

Task<Acknowledgement> Deliveries::post(const Envelope& envelope, const Attempt& attempt) {
  const Workspace& workspace = world_.workspace;
  net::Request request{.method = "POST", .url = workspace.app.request_url, .headers = {}};
  request.timeouts.total = world_.timing.acknowledge;
  const bool is_event = envelope.kind == EnvelopeKind::events_api;
  if (is_event) {
    request.body = json::serialize(envelope.payload);
  } else if (envelope.kind == EnvelopeKind::interactive) {
    request.body = form_of({{"payload", json::serialize(envelope.payload)}});
  } else {
    request.body = form_of(envelope.payload);
  }
  const std::string stamp = std::to_string(to_millis(workspace.clock.now()) / 1000);
  request.headers = {{"Content-Type", is_event ? "application/json" : "application/x-www-form-urlencoded"},
                     {"X-Slack-Request-Timestamp", stamp},
                     {"X-Slack-Signature", signature(workspace.app.signing_secret, stamp, request.body)}};
  if (attempt.number > 0) {
    request.headers.push_back({"X-Slack-Retry-Num", std::to_string(attempt.number)});
    request.headers.push_back({"X-Slack-Retry-Reason", attempt.reason});
  }
  world_.record.add(
      "request",
      {{"name", envelope.name}, {"retry", attempt.number}, {"reason", attempt.reason}, {"payload", envelope.payload}});
  const auto response = co_await client_.send(std::move(request));
  if (!response) {
    world_.record.add("not_acknowledged", {{"name", envelope.name}, {"reason", reason_of(response.error())}});
    co_return Acknowledgement{false, nullptr, reason_of(response.error())};
  }
  const bool accepted = response->status >= 200 && response->status < 300;
  world_.record.add(accepted ? "acknowledged" : "not_acknowledged",
                    {{"name", envelope.name}, {"status", response->status}, {"body", response->body.substr(0, 5000)}});
  if (!accepted)
    co_return Acknowledgement{
        false, nullptr, net::find_header(response->headers, "x-slack-no-retry") == "1" ? "no_retry" : "http_error"};
  Acknowledgement answer{true, nullptr, ""};
  if (!envelope.accepts_response || response->body.empty()) co_return answer;
  if (auto parsed = parse_json(response->body); parsed && parsed->is_object()) {
    answer.payload = *std::move(parsed);
  } else if (envelope.kind == EnvelopeKind::slash_commands) {
    answer.payload = json::object{{"text", response->body}};
  }
  co_return answer;
}

Task<Result<>> Deliveries::verify_request_url(std::string url) {
  const Workspace& workspace = world_.workspace;
  const std::string challenge = sha256_hex(url).substr(0, 40);
  net::Request request{.method = "POST", .url = url, .headers = {}};
  request.timeouts.total = world_.timing.acknowledge;
  request.body = json::serialize(json::object{
      {"token", workspace.app.verification_token}, {"challenge", challenge}, {"type", "url_verification"}});
  const std::string stamp = std::to_string(to_millis(workspace.clock.now()) / 1000);
  request.headers = {{"Content-Type", "application/json"},
                     {"X-Slack-Request-Timestamp", stamp},
                     {"X-Slack-Signature", signature(workspace.app.signing_secret, stamp, request.body)}};
  CO_TRY(const net::Response response, co_await client_.send(std::move(request)));
  const auto parsed = parse_json_object(response.body);
  const std::string said = parsed ? text_at(*parsed, "challenge") : std::string(trim(response.body));
  if (response.status == 200 && said == challenge) co_return Result<>{};
  co_return fail(ErrorKind::upstream,
                 fmt::format("The request URL did not answer the challenge (HTTP {})", response.status));
}

}  // namespace deputy::sim::slack
