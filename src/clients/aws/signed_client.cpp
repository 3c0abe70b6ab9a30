#include "clients/aws/signed_client.h"

#include "base/log.h"
#include "clients/aws/service_error.h"
#include "net/http_date.h"

namespace deputy::clients::aws {

namespace {

constexpr std::size_t kMostRefusal = 64UL * 1024;

bool is_success(int status) { return status >= 200 && status < 300; }

}  // namespace

Task<Result<std::string>> read_refusal(net::ResponseStream& stream) {
  std::string body;
  while (body.size() < kMostRefusal) {
    CO_TRY(const std::string piece, co_await stream.read());
    if (piece.empty()) break;
    body += piece;
  }
  body.resize(std::min(body.size(), kMostRefusal));
  co_return body;
}

Task<Result<SignedClient::Signed>> SignedClient::sign(net::Request request, net::SigningScope scope,
                                                      net::SigningOptions options) {
  CO_TRY(Credentials credentials, co_await credentials_.get());
  const Timestamp at = clock_.now() + skew_;
  CO_TRY(net::sign(request, credentials.key, scope, at, options));
  co_return Signed{std::move(request), std::move(credentials), at};
}

bool SignedClient::mend(const Signed& sent, const std::vector<net::Header>& headers, std::string_view body) {
  switch (remedy_for(read_service_error(headers, body), headers, sent.at)) {
    case Remedy::renew_credentials:
      credentials_.refused(sent.credentials);
      return true;
    case Remedy::correct_clock: {
      const auto theirs = net::parse_http_date(net::find_header(headers, "date").value_or(""));
      if (!theirs) return false;
      skew_ = *theirs - clock_.now();
      log::warning("the clock is not AWS's", {{"ahead_ms", skew_.count()}});
      return true;
    }
    case Remedy::none:
      break;
  }
  return false;
}

Task<Result<net::Response>> SignedClient::send(net::Request request, net::SigningScope scope,
                                               net::SigningOptions options) {
  CO_TRY(Signed first, co_await sign(request, scope, options));
  CO_TRY(net::Response response, co_await http_.send(first.request));
  if (is_success(response.status) || !mend(first, response.headers, response.body)) co_return response;
  CO_TRY(Signed second, co_await sign(std::move(request), std::move(scope), options));
  co_return co_await http_.send(std::move(second.request));
}

Task<Result<Opened>> SignedClient::open(net::Request request, net::SigningScope scope, net::SigningOptions options) {
  for (bool may_try_again = true;; may_try_again = false) {
    CO_TRY(Signed sent, co_await sign(request, scope, options));
    CO_TRY(auto stream, co_await http_.open(sent.request));
    Opened opened{stream->status(), stream->headers(), {}, {}};
    if (is_success(opened.status)) {
      opened.stream = std::move(stream);
      co_return opened;
    }
    CO_TRY(opened.refusal, co_await read_refusal(*stream));
    if (!may_try_again || !mend(sent, opened.headers, opened.refusal)) co_return opened;
  }
}

}  // namespace deputy::clients::aws
