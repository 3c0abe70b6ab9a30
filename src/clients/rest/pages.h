// Lists that a vendor gives in pages: by a Link header, by a URL in the body, by a cursor, or by a rule of the caller.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "clients/rest/api.h"

namespace deputy::clients::rest {

/// The call for the next page, or nothing after the last.
using NextPage = std::function<std::optional<Call>(const Call& asked, const Reply& reply)>;

/// `Link: <url>; rel="next"`, as GitHub does.
NextPage next_by_link();
/// A URL, whole or relative to the base URL, at a JSON pointer of the body: "/next", "/_links/next".
NextPage next_by_url(std::string pointer);
/// A cursor at a JSON pointer of the body, sent back as a parameter of the query: "/metadata/continue" as "continue".
NextPage next_by_cursor(std::string pointer, std::string parameter);

struct Pages {
  json::array items;
  bool has_more = false;  // there were more than asked for, or than is read
};

inline constexpr int kMaxPages = 50;
inline constexpr std::size_t kMaxPagesBytes = 32UL << 20;  // after that no further page is read

/// The items of all pages, at most `most`. `items` is the JSON pointer of the list in a page; empty: the page is the
/// list. A page without one is an error of kind `upstream`. The limit of `first` holds for all pages together.
Task<Result<Pages>> read_pages(Api& api, Call first, std::string items, NextPage next, std::size_t most);

}  // namespace deputy::clients::rest
