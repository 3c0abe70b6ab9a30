#include "clients/slack/api.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/waiting.h"
#include "clients/slack/errors.h"
#include "net/form.h"
#include "net/retry_after.h"
#include "net/url.h"

namespace deputy::clients::slack {

namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMaxReply = 4UL * 1024 * 1024;
constexpr int kMaxTries = 3;
constexpr milliseconds kFirstPause{300};
constexpr milliseconds kUnknownWait{1000};  // Slack refused and did not say for how long
constexpr std::size_t kPageSize = 200;
constexpr net::Timeouts kTimeouts{
    .connect = milliseconds(5000), .idle = milliseconds(15'000), .total = milliseconds(20'000)};
constexpr net::Timeouts kFileTimeouts{
    .connect = milliseconds(5000), .idle = milliseconds(15'000), .total = milliseconds(120'000)};

std::string_view variable_of(Token token) {
  switch (token) {
    case Token::bot:
      return "SLACK_BOT_TOKEN";
    case Token::app:
      return "SLACK_APP_TOKEN";
    case Token::user:
      return "SLACK_USER_TOKEN";
  }
  return "";
}

Error limited(std::string_view method, milliseconds wait) {
  return {ErrorKind::rate_limit, fmt::format("Slack's rate limit for {} is used up", method), "wait and retry", true,
          wait};
}

// Slack itself refuses with status 200. A proxy or a stand-in says with the status that nothing was carried out.
bool is_refusal(int status) { return status == 501 || (status >= 400 && status < 500 && status != 408); }

json::object refusal_without_code(int status) {
  const bool is_unknown = status == 404 || status == 501;
  return {{"error", is_unknown ? "unknown_method" : fmt::format("HTTP status {}", status)}};
}

bool is_limit(std::string_view code) { return code == "ratelimited" || code == "rate_limited"; }

/// Empty if nothing is encrypted on the way there.
std::string secure_host_of(std::string_view url) {
  const Result<net::Url> parsed = net::parse_url(url);
  return parsed && parsed->scheme == "https" ? parsed->host : "";
}

bool is_file_host(std::string_view host) {
  return host == "files.slack.com" || host == "slack-files.com" || host.ends_with(".slack-files.com");
}

}  // namespace

std::string form_of(const json::object& arguments) {
  std::vector<net::FormField> fields;
  for (const auto& [name, value] : arguments) {
    if (!value.is_null()) fields.push_back({std::string(name), as_text(value)});
  }
  return net::build_form(fields);
}

std::string next_cursor(const json::object& reply) {
  const json::object* metadata = find_object(reply, "response_metadata");
  return metadata == nullptr ? "" : text_at(*metadata, "next_cursor");
}

Api::Api(Settings settings, net::HttpClient& http, const Clock& clock)
    : settings_(std::move(settings)), http_(http), clock_(clock) {
  if (!settings_.api_url.ends_with('/')) settings_.api_url += '/';
}

const Secret& Api::secret_of(Token token) const {
  if (token == Token::app) return settings_.app_token;
  return token == Token::user ? settings_.user_token : settings_.bot_token;
}

void Api::keep_action_token(Asker asker, Secret token) {
  constexpr std::size_t kMaxTokens = 1000;
  std::erase_if(action_tokens_, [&](const auto& kept) { return kept.first == asker; });
  action_tokens_.emplace_front(std::move(asker), std::move(token));
  if (action_tokens_.size() > kMaxTokens) action_tokens_.pop_back();
}

const Secret* Api::action_token(const Asker& asker) const {
  const auto found = std::ranges::find(action_tokens_, asker, &std::pair<Asker, Secret>::first);
  return found == action_tokens_.end() ? nullptr : &found->second;
}

Task<Result<json::object>> Api::call(std::string_view name, json::object arguments, CallOptions options) {
  const Method* method = find_method(name);
  if (method == nullptr) co_return fail(ErrorKind::internal, fmt::format("Deputy does not know Slack's {}", name));
  if (!has(options.token)) {
    co_return fail(ErrorKind::not_configured, fmt::format("{} needs a token that is not set", name),
                   fmt::format("set {}", variable_of(options.token)));
  }
  const std::string channel = text_at(arguments, "channel");
  const net::Request request{
      .method = "POST",
      .url = settings_.api_url + std::string(name),
      .headers = {{"Content-Type", "application/x-www-form-urlencoded"},
                  {"Authorization", "Bearer " + secret_of(options.token).reveal()}},
      .body = form_of(arguments),
      .timeouts = kTimeouts,
      .max_body = kMaxReply,
  };
  milliseconds pause = kFirstPause;
  for (int tried = 1;; ++tried, pause *= 3) {
    if (const auto wait = limiter_.take(*method, channel, options.use, clock_.now()))
      co_return std::unexpected(limited(name, *wait));
    Result<json::object> reply = co_await attempt(*method, request, channel, options.token);
    if (reply) co_return reply;
    const ErrorKind kind = reply.error().kind;
    const bool failed_on_the_way = kind == ErrorKind::network || kind == ErrorKind::timeout ||
                                   (kind == ErrorKind::upstream && reply.error().retryable);
    if (!failed_on_the_way || !method->repeatable || tried == kMaxTries) co_return reply;
    co_await sleep_before_retry(reply.error(), pause);
  }
}

Task<Result<json::object>> Api::attempt(const Method& method, net::Request request, std::string channel, Token token) {
  CO_TRY(const net::Response response, co_await http_.send(std::move(request)));
  const auto told = net::retry_after(response.headers, clock_.now());
  if (response.status == 429) {
    const milliseconds wait = std::max(told.value_or(kUnknownWait), milliseconds(1));
    limiter_.refused(method, channel, wait, clock_.now());
    co_return std::unexpected(limited(method.name, wait));
  }
  Result<json::object> reply = parse_json_object(response.body);
  const bool is_refused = is_refusal(response.status);
  if (is_refused && (!reply || text_at(*reply, "error").empty())) reply = refusal_without_code(response.status);
  if ((response.status != 200 && !is_refused) || !reply) {
    Error error{ErrorKind::upstream,
                response.status == 200 ? fmt::format("Slack's reply to {} is not JSON", method.name)
                                       : fmt::format("Slack answered {} with status {}", method.name, response.status),
                "", true};
    if (!method.repeatable) error.kind = ErrorKind::network;  // it may have been carried out
    co_return std::unexpected(std::move(error));
  }
  if (token == Token::bot) {
    if (const auto scopes = net::find_header(response.headers, "x-oauth-scopes")) scopes_ = std::string(*scopes);
  }
  const json::value* ok = reply->if_contains("ok");
  if (!is_refused && ok != nullptr && ok->is_bool() && ok->get_bool()) co_return *reply;
  if (is_limit(text_at(*reply, "error"))) {
    const milliseconds wait = std::max(told.value_or(kUnknownWait), milliseconds(1));
    limiter_.refused(method, channel, wait, clock_.now());
    co_return std::unexpected(limited(method.name, wait));
  }
  co_return std::unexpected(error_of(method, *reply));
}

Task<Result<json::array>> Api::pages(std::string_view method, json::object arguments, std::string_view list,
                                     std::size_t most, CallOptions options) {
  json::array all;
  arguments["limit"] = std::min(most, kPageSize);
  std::string before;
  while (all.size() < most) {
    CO_TRY(json::object reply, co_await call(method, arguments, options));
    json::value* items = reply.if_contains(list);
    if (items == nullptr || !items->is_array())
      co_return fail(ErrorKind::upstream, fmt::format("Slack's reply to {} has no {}", method, list));
    for (json::value& item : items->get_array()) {
      if (all.size() < most) all.push_back(std::move(item));
    }
    std::string cursor = next_cursor(reply);
    // The same page again would never end.
    if (cursor.empty() || cursor == before) break;
    arguments["cursor"] = cursor;
    before = std::move(cursor);
  }
  co_return all;
}

// This machine has several names.
bool Api::is_own_host(std::string_view url) const {
  const Result<net::Url> named = net::parse_url(url);
  const Result<net::Url> api = net::parse_url(settings_.api_url);
  if (!named || !api) return false;
  if (net::is_this_machine(*api)) return net::is_this_machine(*named);
  return named->scheme == "https" && named->host == api->host;
}

Task<Result<>> Api::upload(std::string url, std::string content) {
  if (!is_own_host(url) && !is_file_host(secure_host_of(url)))
    co_return fail(ErrorKind::upstream, "Slack named an upload address on a host that is not its own");
  net::Request request{.method = "POST",
                       .url = std::move(url),
                       .headers = {{"Content-Type", "application/octet-stream"}},
                       .body = std::move(content),
                       .timeouts = kFileTimeouts,
                       .max_body = kMaxReply};
  CO_TRY(const net::Response response, co_await http_.send(std::move(request)));
  if (response.status == 200) co_return Result<>{};
  co_return fail(ErrorKind::upstream, fmt::format("Slack answered an upload with status {}", response.status));
}

Task<Result<std::string>> Api::download(std::string url, std::size_t most) {
  if (!is_own_host(url) && !is_file_host(secure_host_of(url)))
    co_return fail(ErrorKind::permission, "the file is not on Slack's file host, so it is not read");
  net::Request request{.url = std::move(url),
                       .headers = {{"Authorization", "Bearer " + settings_.bot_token.reveal()}},
                       .timeouts = kFileTimeouts,
                       .max_body = most};
  CO_TRY(net::Response response, co_await http_.send(std::move(request)));
  if (response.status != 200)
    co_return fail(ErrorKind::upstream, fmt::format("Slack answered a download with status {}", response.status));
  // Without the right to read it, Slack sends its sign-in page with status 200.
  const std::string_view type = net::find_header(response.headers, "content-type").value_or("");
  if (type.starts_with("text/html") && response.body.contains("slack") && response.body.contains("signin")) {
    co_return fail(ErrorKind::permission, "Slack does not let the app read this file",
                   "add the scope files:read to the app and install it again");
  }
  co_return std::move(response.body);
}

Task<Result<>> Api::respond(std::string url, json::object message) {
  if (!is_own_host(url) && secure_host_of(url) != "hooks.slack.com")
    co_return fail(ErrorKind::upstream, "the address for an answer is not on Slack's host");
  net::Request request{.method = "POST",
                       .url = std::move(url),
                       .headers = {{"Content-Type", "application/json; charset=utf-8"}},
                       .body = json::serialize(message),
                       .timeouts = kTimeouts,
                       .max_body = kMaxReply};
  CO_TRY(const net::Response response, co_await http_.send(std::move(request)));
  if (response.status == 200) co_return Result<>{};
  co_return fail(ErrorKind::upstream, fmt::format("Slack answered a reply with status {}", response.status));
}

}  // namespace deputy::clients::slack
