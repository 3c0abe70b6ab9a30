// Follows redirects. Each hop is a request of its own that the caller may refuse.
#pragma once

#include <functional>
#include <string>

#include "net/http.h"
#include "net/url.h"

namespace deputy::net {

struct RedirectRules {
  int most = 5;
  /// True when this hop is allowed.
  std::function<bool(const Url& from, const Url& to)> may_follow;
};

struct Followed {
  Response response;                            // still a redirect when a hop was refused
  Url url;                                      // where it is from
  std::optional<Url> points_to = std::nullopt;  // the refused hop
};

/// GET and HEAD only: a request that changes something is not sent to a second place. The request's headers are kept
/// only within one origin; another sees `Range` alone. A hop from https to http is always refused. More than `most`
/// hops, or an invalid target, is an error of kind `upstream`.
Task<Result<Followed>> send_following(HttpClient& client, Request request, RedirectRules rules);

}  // namespace deputy::net
