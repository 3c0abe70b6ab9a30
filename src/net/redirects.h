// Following redirects, each a request of its own that the caller may refuse.
#pragma once

#include <functional>
#include <string>

#include "net/http.h"
#include "net/url.h"

namespace deputy::net {

struct RedirectRules {
  int most = 5;
  /// Whether this hop may be made.
  std::function<bool(const Url& from, const Url& to)> may_follow;
};

struct Followed {
  Response response;                            // still a redirect when a hop was refused
  Url url;                                      // where it is from
  std::optional<Url> points_to = std::nullopt;  // the refused hop
};

/// GET and HEAD only: what changes something is not sent to a second place. Headers of the request go along only
/// within one origin, and never from https to http, a hop that is always refused. More than `most` hops, or one that
/// leads nowhere, is an error of kind `upstream`.
Task<Result<Followed>> send_following(HttpClient& client, Request request, RedirectRules rules);

}  // namespace deputy::net
