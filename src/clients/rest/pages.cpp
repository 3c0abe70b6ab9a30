#include "clients/rest/pages.h"

#include "base/json_pointer.h"
#include "base/text.h"

namespace deputy::clients::rest {

namespace {

/// The target of the link whose relation is `next`; empty when there is none.
std::string next_link(std::string_view header) {
  while (!header.empty()) {
    const std::size_t open = header.find('<');
    const std::size_t close = header.find('>', open == std::string_view::npos ? header.size() : open);
    if (close == std::string_view::npos) break;
    const std::string_view url = header.substr(open + 1, close - open - 1);
    header.remove_prefix(close + 1);
    const std::string_view parameters = header.substr(0, header.find('<'));  // and the comma before the next one
    for (const std::string_view parameter : split(parameters, ";")) {
      const std::string_view relation = trim(parameter.substr(0, parameter.find(',')));
      if (relation == "rel=\"next\"" || relation == "rel=next") return std::string(url);
    }
  }
  return {};
}

std::optional<Call> at_url(const Call& asked, std::string url) {
  if (url.empty()) return std::nullopt;
  Call next = asked;
  next.path = std::move(url);
  next.query.clear();  // the URL has it
  return next;
}

}  // namespace

NextPage next_by_link() {
  return [](const Call& asked, const Reply& reply) {
    return at_url(asked, next_link(net::find_header(reply.headers, "link").value_or("")));
  };
}

NextPage next_by_url(std::string pointer) {
  return [pointer = std::move(pointer)](const Call& asked, const Reply& reply) {
    return at_url(asked, text_in(reply.body, pointer));
  };
}

NextPage next_by_cursor(std::string pointer, std::string parameter) {
  return [pointer = std::move(pointer), parameter = std::move(parameter)](const Call& asked,
                                                                          const Reply& reply) -> std::optional<Call> {
    std::string cursor = text_in(reply.body, pointer);
    if (cursor.empty()) return std::nullopt;
    Call next = asked;
    std::erase_if(next.query, [&](const net::FormField& field) { return field.name == parameter; });
    next.query.push_back({parameter, std::move(cursor)});
    return next;
  };
}

Task<Result<Pages>> read_pages(Api& api, Call first, std::string items, NextPage next, std::size_t most) {
  const auto deadline = std::chrono::steady_clock::now() + std::min(first.limit, kMaxWait);
  Pages pages;
  std::size_t bytes = 0;
  Call call = std::move(first);
  for (int page = 1;; ++page) {
    CO_TRY(Reply reply, co_await api.reply(call));
    std::optional<Call> following = next(call, reply);
    boost::system::error_code missing;
    json::value* list = reply.body.find_pointer({items.data(), items.size()}, missing);
    if (list == nullptr || !list->is_array())
      co_return std::unexpected(unusable(api.vendor(), "answered with a page that has no list"));
    for (json::value& item : list->get_array()) {
      if (pages.items.size() == most) {
        pages.has_more = true;
        co_return pages;
      }
      pages.items.push_back(std::move(item));
    }
    if (!following) co_return pages;
    bytes += reply.bytes;
    // The same page again would never end.
    const bool goes_on = following->path != call.path || following->query != call.query || following->body != call.body;
    pages.has_more = true;
    if (!goes_on || page == kMaxPages || pages.items.size() >= most || bytes >= kMaxPagesBytes) co_return pages;
    pages.has_more = false;
    call = *std::move(following);
    call.limit = std::chrono::floor<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
  }
}

}  // namespace deputy::clients::rest
