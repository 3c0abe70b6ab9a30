#include "net/redirects.h"

#include "base/text.h"

namespace deputy::net {

namespace {

bool is_redirect(const Response& response) {
  switch (response.status) {
    case 301:
    case 302:
    case 303:
    case 307:
    case 308:
      return find_header(response.headers, "location").has_value();
    default:
      return false;
  }
}

}  // namespace

Task<Result<Followed>> send_following(HttpClient& client, Request request, RedirectRules rules) {
  if (request.method != "GET" && request.method != "HEAD") {
    co_return fail(ErrorKind::invalid_input, "redirects are followed for GET and HEAD only");
  }
  CO_TRY(Url url, parse_url(request.url));
  for (int hops = 0;; ++hops) {
    request.url = url.text;
    auto answered = co_await client.send(request);
    CO_TRY(Response response, std::move(answered));
    if (!is_redirect(response)) co_return Followed{std::move(response), std::move(url)};
    Result<Url> next = resolve_url(url, find_header(response.headers, "location").value_or(""));
    if (!next) {
      co_return fail(ErrorKind::upstream,
                     fmt::format("`{}` redirects to something that is not an http or https URL", url.place()));
    }
    const bool loses_tls = url.scheme == "https" && next->scheme == "http";
    if (loses_tls || !rules.may_follow || !rules.may_follow(url, *next)) {
      co_return Followed{std::move(response), std::move(url), *std::move(next)};
    }
    if (hops >= rules.most) {
      co_return fail(ErrorKind::upstream, fmt::format("`{}` redirects more than {} times", url.place(), rules.most));
    }
    // Another host sees nothing but how much of the document is wanted.
    if (!url.same_origin(*next))
      std::erase_if(request.headers, [](const Header& header) { return to_lower(header.name) != "range"; });
    url = *std::move(next);
  }
}

}  // namespace deputy::net
