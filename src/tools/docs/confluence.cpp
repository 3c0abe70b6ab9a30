#include "tools/docs/confluence.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "base/json_pointer.h"
#include "base/text.h"
#include "base/workers.h"
#include "tools/docs/storage_markdown.h"

namespace deputy::tools {

namespace {

namespace atlassian = clients::atlassian;
namespace rest = clients::rest;
using std::chrono::milliseconds;

constexpr std::size_t kMaxSpaces = 1000;

std::string link_to(std::string_view base, std::string_view path) {
  if (path.empty() || base.empty()) return {};
  return fmt::format("{}{}{}", base, path.starts_with('/') ? "" : "/", path);
}

/// Words that matched stand between marks, and entities are encoded.
std::string excerpt_of(std::string text) {
  static const RE2 marks("@@@(?:end)?hl@@@");
  RE2::GlobalReplace(&text, marks, "");
  return markdown_from_storage(text);
}

std::string in_space(std::string_view space) {
  return trim(space).empty() ? "" : fmt::format(" and space = {}", atlassian::quoted(trim(space)));
}

/// People's pages: the reply names their address, which is another than the API's for a token with scopes.
std::string pages_base(const json::value& reply, const rest::Api& api) {
  const std::string base = text_in(reply, "/_links/base");
  const bool is_web = base.starts_with("https://") || base.starts_with("http://");
  return is_web ? base : api.base_url();
}

}  // namespace

Result<std::string> cql_for_words(std::string_view words, std::string_view space) {
  const std::string cleaned = atlassian::search_words(words);
  if (cleaned.empty())
    return fail(ErrorKind::invalid_input, "there are no words to search for", "write words of the page or its title");
  return fmt::format("siteSearch ~ {} and type = page{}", atlassian::quoted(cleaned), in_space(space));
}

std::string cql_for_updates(std::string_view space, int days) {
  return fmt::format("type = page and lastmodified >= now(\"-{}d\"){} order by lastmodified desc", days,
                     in_space(space));
}

DocPage page_from(const json::value& result, std::string_view base) {
  DocPage page{.id = text_in(result, "/content/id"),
               .title = text_in(result, "/content/title"),
               .space = text_in(result, "/resultGlobalContainer/title"),
               .author = text_in(result, "/content/version/by/displayName"),
               .excerpt = excerpt_of(text_in(result, "/excerpt")),
               .updated = atlassian::parse_time(text_in(result, "/lastModified")),
               .link = link_to(base, text_in(result, "/url"))};
  if (page.title.empty()) page.title = excerpt_of(text_in(result, "/title"));
  return page;
}

std::string page_id_in(std::string_view text) {
  static const RE2 pattern(R"((?:.*/pages/(?:viewpage\.action\?pageId=)?|.*[?&]pageId=)?(\d{1,20})(?:[/?#&].*)?)");
  std::string id;
  return RE2::FullMatch(std::string(trim(text)), pattern, &id) ? id : std::string();
}

Task<Result<FoundPages>> Confluence::search(std::string cql, std::size_t most, milliseconds limit) {
  CO_TRY(const json::value reply, co_await api_->call({.path = "rest/api/search",
                                                       .query = {{"cql", std::move(cql)},
                                                                 {"limit", std::to_string(most)},
                                                                 {"excerpt", "highlight"},
                                                                 {"expand", "content.version"}},
                                                       .limit = limit}));
  const json::value* results = find_in(reply, "/results");
  if (results == nullptr || !results->is_array())
    co_return std::unexpected(rest::unusable(api_->vendor(), "answered with a page that has no list"));
  FoundPages found{.has_more = !text_in(reply, "/_links/next").empty() || results->get_array().size() > most};
  for (const json::value& result : results->get_array()) {
    if (found.pages.size() < most) found.pages.push_back(page_from(result, pages_base(reply, *api_)));
  }
  // To a token that is no longer valid it answers as to a stranger.
  if (found.pages.empty()) CO_TRY(co_await diagnose(limit));
  co_return found;
}

Task<Result<DocPage>> Confluence::page(std::string id, milliseconds limit) {
  CO_TRY(const std::string path, rest::path_of({"api", "v2", "pages", id}));
  CO_TRY(const json::value reply,
         co_await api_->call({.path = path, .query = {{"body-format", "storage"}}, .limit = limit}));
  if (text_in(reply, "/id").empty())
    co_return std::unexpected(rest::unusable(api_->vendor(), "answered with a page that has no id"));
  DocPage page{.id = text_in(reply, "/id"),
               .title = text_in(reply, "/title"),
               .updated = atlassian::parse_time(text_in(reply, "/version/createdAt")),
               .link = link_to(pages_base(reply, *api_), text_in(reply, "/_links/webui"))};
  std::string storage = text_in(reply, "/body/storage/value");
  const std::size_t bytes = storage.size();
  auto convert = [text = std::move(storage)]() -> Result<std::string> { return markdown_from_storage(text); };
  CO_TRY(page.text, co_await off_loop_if_large<std::string>(bytes, std::move(convert)));
  co_return page;
}

Task<Result<FoundSpaces>> Confluence::spaces(milliseconds limit) {
  rest::Call first{.path = "api/v2/spaces", .query = {{"limit", "250"}, {"status", "current"}}, .limit = limit};
  CO_TRY(const rest::Pages pages, co_await rest::read_pages(*api_, std::move(first), "/results",
                                                            atlassian::next_in_confluence("/_links/next"), kMaxSpaces));
  if (pages.items.empty()) CO_TRY(co_await diagnose(limit));
  FoundSpaces found{.has_more = pages.has_more};
  for (const json::value& space : pages.items)
    found.spaces.push_back({text_in(space, "/key"), text_in(space, "/name"), text_in(space, "/type")});
  std::ranges::sort(found.spaces, {}, &DocSpace::key);
  co_return found;
}

Task<Result<std::string>> Confluence::diagnose(milliseconds limit) {
  CO_TRY(const json::value user, co_await api_->call({.path = "rest/api/user/current", .limit = limit}));
  if (text_in(user, "/type") == "anonymous")
    co_return fail(ErrorKind::authentication, "Confluence does not accept the email and the API token",
                   "check JIRA_EMAIL and JIRA_API_TOKEN: the token may have expired");
  co_return fmt::format("Confluence at {} as {}", api_->base_url(), cut_with_mark(text_in(user, "/displayName"), 60));
}

}  // namespace deputy::tools
