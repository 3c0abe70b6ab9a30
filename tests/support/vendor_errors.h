// The errors that every vendor's API can answer with, and the test that each becomes the right category with a hint. A
// backend gives one call that only reads, and what it reads differently from the defaults:
//
//   TEST(GithubErrors, EachHasACategoryAndAHint) {
//     test::expect_vendor_errors([](net::HttpClient& http) { return list_runs(http); },
//                                {{.name = "Http404", .answer = {.status = 404}, .kind = ErrorKind::not_found,
//                                  .hint = "owner/name"}});
//   }
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "base/task.h"
#include "support/scripted_http.h"

namespace deputy::test {

struct VendorErrorRow {
  std::string name;
  std::variant<ScriptedResponse, Error> answer;  // a response, or a connection that fails
  ErrorKind kind = ErrorKind::upstream;
  std::string hint = {};  // a part of the hint; there always is one
};

/// 401, 403, 404, 410, 429, 500, 502, 503, 504, malformed, truncated, timeout, refused, redirected.
std::vector<VendorErrorRow> usual_vendor_errors();

/// Makes the call once for each of the usual rows and `own` ones; one of the same name replaces the usual row. No error
/// may contain kVendorToken, which some rows send back.
void expect_vendor_errors(const std::function<Task<Result<>>(net::HttpClient& http)>& call,
                          std::vector<VendorErrorRow> own = {});

/// What a test sets as the token of a vendor: it is looked for in every error.
inline constexpr std::string_view kVendorToken = "vendor-token-0123456789";

}  // namespace deputy::test
