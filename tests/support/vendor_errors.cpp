#include "support/vendor_errors.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "support/loop.h"

namespace deputy::test {

namespace {

constexpr int kMostTries = 5;

ScriptedResponse status(int status, std::vector<net::Header> headers = {}) {
  // A careless vendor repeats what it was sent.
  const std::string body = R"({"message": "you sent )" + std::string(kVendorToken) + "\"}";
  return {.status = status, .headers = std::move(headers), .pieces = {status == 401 ? body : ""}};
}

}  // namespace

std::vector<VendorErrorRow> usual_vendor_errors() {
  const std::vector<net::Header> soon = {{"retry-after-ms", "1"}};
  return {
      {"Http401", status(401), ErrorKind::authentication},
      {"Http403", status(403), ErrorKind::permission},
      {"Http404", status(404), ErrorKind::not_found},
      {"Http410", status(410), ErrorKind::not_found},
      {"Http429", status(429, {{"retry-after", "60"}}), ErrorKind::rate_limit},
      {"Http500", status(500), ErrorKind::upstream},
      {"Http502", status(502, soon), ErrorKind::upstream},
      {"Http503", status(503, soon), ErrorKind::upstream},
      {"Http504", status(504, soon), ErrorKind::timeout},
      {"Malformed", ScriptedResponse{.pieces = {R"({"a": )"}}, ErrorKind::upstream},
      {"SignInPage", ScriptedResponse{.pieces = {"<!doctype html><title>Sign in</title>"}}, ErrorKind::upstream},
      {"Truncated",
       ScriptedResponse{.pieces = {"["}, .breaks = Error{ErrorKind::network, "the connection closed", "", true}},
       ErrorKind::network},
      {"TooLarge", Error{ErrorKind::upstream, "the response is larger than 8 bytes"}, ErrorKind::upstream, "less"},
      {"Timeout", Error{ErrorKind::timeout, "no answer in time", "", true}, ErrorKind::timeout},
      {"Refused", Error{ErrorKind::network, "cannot connect", "check that it runs", true}, ErrorKind::network},
      {"Redirected", status(302, {{"location", "https://elsewhere.example/"}}), ErrorKind::upstream},
  };
}

void expect_vendor_errors(const std::function<Task<Result<>>(net::HttpClient& http)>& call,
                          std::vector<VendorErrorRow> own) {
  for (VendorErrorRow& usual : usual_vendor_errors()) {
    if (std::ranges::find(own, usual.name, &VendorErrorRow::name) == own.end()) own.push_back(std::move(usual));
  }
  for (const VendorErrorRow& row : own) {
    SCOPED_TRACE(row.name);
    ScriptedHttp http;
    for (int tries = 0; tries < kMostTries; ++tries) {
      if (const auto* response = std::get_if<ScriptedResponse>(&row.answer)) {
        http.answers(*response);
      } else {
        http.fails(std::get<Error>(row.answer));
      }
    }
    const Result<> got = run(call(http));
    if (got) {
      ADD_FAILURE() << "it succeeded";
      continue;
    }
    const Error& error = got.error();
    EXPECT_EQ(name(error.kind), name(row.kind)) << describe(error);
    EXPECT_THAT(error.hint, testing::Not(testing::IsEmpty())) << describe(error);
    EXPECT_THAT(error.hint, testing::HasSubstr(row.hint)) << describe(error);
    EXPECT_THAT(describe(error), testing::Not(testing::HasSubstr(std::string(kVendorToken))));
    EXPECT_EQ(error.retry_after.has_value(), error.kind == ErrorKind::rate_limit) << describe(error);
  }
}

}  // namespace deputy::test
