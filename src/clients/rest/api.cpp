#include "clients/rest/api.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/base64.h"
#include "base/text.h"
#include "base/waiting.h"
#include "base/workers.h"
#include "net/redirects.h"
#include "net/retry_after.h"
#include "net/sigv4.h"
#include "net/url.h"

namespace deputy::clients::rest {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr int kMaxTries = 3;
constexpr milliseconds kFirstPause{100};
constexpr milliseconds kLongestPause{5000};  // a longer rate limit is answered, not waited for
constexpr milliseconds kConnect{5000};
constexpr milliseconds kLongestCall = std::chrono::minutes(10);

bool is_success(int status) { return status >= 200 && status < 300; }

bool reads_only(const Call& call) { return call.only_reads || call.method == "GET" || call.method == "HEAD"; }

bool is_whole_url(std::string_view path) { return path.starts_with("https://") || path.starts_with("http://"); }

/// Nothing: it is not worth another try.
std::optional<milliseconds> pause_before_retry(const VendorName& vendor, const Result<net::Response>& got, int tried,
                                               Timestamp now) {
  const milliseconds usual = kFirstPause * (tried == 1 ? 1 : 3);
  if (!got)
    return got.error().kind == ErrorKind::network && got.error().retryable ? std::optional(usual) : std::nullopt;
  if (got->status == 502 || got->status == 503 || got->status == 504)
    return net::retry_after(got->headers, now).value_or(usual);
  return rate_limit_wait(vendor, *got, now);
}

}  // namespace

Auth header(std::string name, std::string_view before, const Secret& token) {
  if (token.empty()) return {};
  return {std::move(name), Secret(std::string(before) + token.reveal())};
}

Auth bearer(const Secret& token) { return header("Authorization", "Bearer ", token); }

Auth basic(std::string_view user, const Secret& password) {
  if (password.empty()) return {};
  return {"Authorization", Secret("Basic " + to_base64(std::string(user) + ":" + password.reveal()))};
}

Result<std::string> path_of(std::initializer_list<std::string_view> segments) {
  std::string path;
  for (const std::string_view segment : segments) {
    if (segment.empty() || segment == "." || segment == "..") {
      return fail(ErrorKind::invalid_input, fmt::format("`{}` is not a name", segment), "give the name itself");
    }
    if (!path.empty()) path += '/';
    path += net::percent_encode(segment);
  }
  return path;
}

Api::Api(Account account, net::HttpClient& http, const Clock& clock)
    : account_(std::move(account)), http_(http), clock_(clock) {
  while (account_.base_url.ends_with('/')) account_.base_url.pop_back();
}

Result<net::Request> Api::request_for(const Call& call) const {
  net::Request request{
      .method = call.method, .url = call.path, .headers = account_.headers, .max_body = call.most, .tls = account_.tls};
  if (!is_whole_url(call.path)) {
    request.url = account_.base_url + (call.path.starts_with('/') ? "" : "/") + call.path;
  } else {
    TRY(const net::Url own, net::parse_url(account_.base_url));
    TRY(const net::Url named, net::parse_url(call.path));
    if (!named.same_origin(own)) return std::unexpected(unusable(vendor(), "names a next page on another host"));
  }
  std::vector<net::FormField> query = call.query;
  std::erase_if(query, [](const net::FormField& field) { return field.value.empty(); });
  if (!query.empty()) request.url += (request.url.contains('?') ? "&" : "?") + net::build_form(query);
  request.headers.insert(request.headers.end(), call.headers.begin(), call.headers.end());
  if (!net::find_header(request.headers, "accept")) request.headers.push_back({"Accept", "application/json"});
  if (!account_.auth.value.empty()) request.headers.push_back({account_.auth.header, account_.auth.value.reveal()});
  if (call.body) {
    request.body = json::serialize(*call.body);
    if (!net::find_header(request.headers, "content-type"))
      request.headers.push_back({"Content-Type", "application/json"});
  }
  return request;
}

Task<Result<net::Response>> Api::attempt(net::Request request, Redirects redirects) {
  if (request.method != "GET") co_return co_await http_.send(std::move(request));
  net::RedirectRules rules;
  rules.may_follow = [redirects](const net::Url& from, const net::Url& to) {
    return redirects == Redirects::anywhere || from.same_origin(to);
  };
  CO_TRY(net::Followed followed, co_await net::send_following(http_, std::move(request), std::move(rules)));
  co_return std::move(followed.response);
}

Task<Result<net::Response>> Api::send(Call call) {
  CO_TRY(net::Request request, request_for(call));
  const auto deadline = steady_clock::now() + std::min(call.limit, kLongestCall);
  milliseconds pause{0};
  std::optional<Error> failed;  // the try before
  for (int tried = 1;; ++tried) {
    pause = std::max(pause, std::chrono::ceil<milliseconds>(blocked_until_ - clock_.now()));
    const bool has_to_wait = pause > milliseconds(0);
    if (has_to_wait && (pause > kLongestPause || steady_clock::now() + pause >= deadline))
      co_return std::unexpected(rate_limited(vendor(), pause));
    if (has_to_wait) co_await sleep_before_retry(failed.value_or(rate_limited(vendor(), pause)), pause);
    const auto left = std::chrono::floor<milliseconds>(deadline - steady_clock::now());
    if (left <= milliseconds(0)) co_return std::unexpected(no_response(vendor(), timeout_error(call.limit)));
    request.timeouts = {.connect = std::min(kConnect, left), .idle = left, .total = left};
    Result<net::Response> got = co_await attempt(request, call.redirects);
    if (got && is_success(got->status)) co_return got;
    if (const auto wait = got ? rate_limit_wait(vendor(), *got, clock_.now()) : std::nullopt)
      blocked_until_ = std::max(blocked_until_, clock_.now() + *wait);
    const auto next =
        reads_only(call) && tried < kMaxTries ? pause_before_retry(vendor(), got, tried, clock_.now()) : std::nullopt;
    const bool has_time = next && *next <= kLongestPause && steady_clock::now() + *next < deadline;
    failed = got ? refusal(vendor(), *got, clock_.now()) : no_response(vendor(), got.error());
    if (!has_time) co_return std::unexpected(*std::move(failed));
    pause = *next;
  }
}

Task<Result<Reply>> Api::reply(Call call) {
  CO_TRY(net::Response response, co_await send(std::move(call)));
  const std::size_t bytes = response.body.size();
  Reply reply{std::move(response.headers), nullptr, bytes};
  if (trim(response.body).empty()) co_return reply;
  auto parse = [text = std::move(response.body)] { return parse_json(text); };
  Result<json::value> body = co_await off_loop_if_large<json::value>(bytes, std::move(parse));
  if (!body) co_return std::unexpected(unusable(vendor(), "did not answer with JSON"));
  reply.body = *std::move(body);
  co_return reply;
}

Task<Result<json::value>> Api::call(Call call) {
  CO_TRY(Reply got, co_await reply(std::move(call)));
  co_return std::move(got.body);
}

}  // namespace deputy::clients::rest
