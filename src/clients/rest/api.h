// What the REST APIs of vendors share: addresses, credentials, JSON, bounds, retries, one rate limiter per account, and
// errors that a person can act on. A backend is its endpoints and mappings on top of it:
//
//   constexpr auto kMeanings = std::to_array<rest::Meaning>({
//       {.status = 404, .kind = ErrorKind::not_found, .message = "no such repository", .hint = "write it as
//       owner/name"},
//   });
//   rest::Api api({.vendor = {"GitHub", "tools.pipeline_tools.github.url", "GITHUB_TOKEN", kMeanings},
//                  .base_url = settings.url,
//                  .auth = rest::bearer(settings.token),
//                  .headers = {{"Accept", "application/vnd.github+json"}}},
//                 http, clock);
//   CO_TRY(const std::string path, rest::path_of({"repos", owner, name, "actions", "runs"}));
//   CO_TRY(const json::value runs, co_await api.call({.path = path, .query = {{"per_page", "5"}}, .limit = limit}));
//
// pages.h reads lists that come in pages, base/json_pointer.h picks fields, tests/support/vendor_errors.h has the table
// of errors that every backend is tested with.
//
// A call that only reads is tried again after a lost connection, 502, 503, 504 and a short rate limit, within its
// limit. A call that may change something is sent once. If nobody knows whether it was carried out, its error is of
// kind `network`, `timeout` or `upstream`, from which the toolkit makes `unknown`.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "base/secret.h"
#include "base/task.h"
#include "clients/rest/errors.h"
#include "net/form.h"
#include "net/http.h"

namespace deputy::clients::rest {

/// The header that shows who sends a request. Without a value it is not sent.
struct Auth {
  std::string header;
  Secret value;
};

Auth bearer(const Secret& token);                                             // none when the token is empty
Auth basic(std::string_view user, const Secret& password);                    // none when the password is empty
Auth header(std::string name, std::string_view before, const Secret& token);  // `before` stands before the token

struct Account {
  VendorName vendor;
  std::string base_url;  // with or without a slash at the end; settings have checked it
  Auth auth = {};
  std::vector<net::Header> headers = {};         // of every request
  std::shared_ptr<const net::HostTls> tls = {};  // null: as for every host
};

/// Where a read may be redirected to. Credentials go to the account's own origin only.
enum class Redirects { same_origin, anywhere };

struct Call {
  std::string method = "GET";
  std::string path;  // after the base URL, encoded; or a whole URL of the account's own origin, as a next page is given
  std::vector<net::FormField> query = {};  // fields with an empty value are left out
  std::optional<json::value> body = {};    // sent as JSON unless `headers` name another type
  std::vector<net::Header> headers = {};
  bool only_reads = false;  // for a POST that changes nothing, such as a search; a GET always only reads
  Redirects redirects = Redirects::same_origin;
  std::chrono::milliseconds limit = std::chrono::seconds(30);  // for all tries together; at most 10 minutes
  std::size_t most = 8UL * 1024 * 1024;                        // bytes of the response; more is an error
};

/// A JSON document with the headers it came with.
struct Reply {
  std::vector<net::Header> headers;
  json::value body;       // null when there is none
  std::size_t bytes = 0;  // of the body as it came
};

class Api {
 public:
  /// `http` and `clock` outlive it. There is one for each account: it is the rate limiter.
  Api(Account account, net::HttpClient& http, const Clock& clock);

  /// The response, whose status is a success. Use it for text, or where the body does not matter.
  Task<Result<net::Response>> send(Call call);
  Task<Result<Reply>> reply(Call call);
  /// The body as JSON.
  Task<Result<json::value>> call(Call call);

  const VendorName& vendor() const { return account_.vendor; }
  const std::string& base_url() const { return account_.base_url; }  // without a slash at the end

 private:
  Result<net::Request> request_for(const Call& call) const;
  Task<Result<net::Response>> attempt(net::Request request, Redirects redirects);

  Account account_;
  net::HttpClient& http_;
  const Clock& clock_;
  Timestamp blocked_until_;  // the vendor refused calls until then
};

/// "repos/acme/shop" from segments, each encoded. An empty segment, `.` and `..` are refused as invalid_input: they
/// would name something else than the caller meant.
Result<std::string> path_of(std::initializer_list<std::string_view> segments);

}  // namespace deputy::clients::rest
