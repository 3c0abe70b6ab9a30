#include "tools/tickets/jira/jira.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>

#include "base/json_pointer.h"
#include "base/text.h"
#include "clients/atlassian/adf.h"
#include "clients/rest/pages.h"

namespace deputy::tools::jira {

namespace {

namespace atlassian = clients::atlassian;
namespace rest = clients::rest;
using std::chrono::milliseconds;

constexpr std::size_t kPage = 100;           // issues Jira gives at once with fields
constexpr int kComments = 5;                 // the newest that are shown
constexpr int kCommentsLookedThrough = 100;  // Jira's page
constexpr std::size_t kCreatedLookedThrough = 100;
constexpr std::string_view kApi = "rest/api/3/";

constexpr std::string_view kOpenCves =
    "text ~ \"CVE*\" AND statusCategory != Done ORDER BY priority DESC, updated DESC";

json::array fields(std::initializer_list<std::string_view> more = {}) {
  json::array list{"summary", "status", "assignee", "priority", "issuetype", "labels", "updated"};
  for (const std::string_view name : more) list.emplace_back(std::string(name));
  return list;
}

std::string comma_list(const json::array& names) {
  std::vector<std::string> texts;
  for (const json::value& name : names) texts.push_back(as_text(name));
  return join(texts, ",");
}

/// Pages of /search/jql are named by a token in the body.
rest::NextPage next_by_token() {
  return [](const rest::Call& asked, const rest::Reply& reply) -> std::optional<rest::Call> {
    std::string token = text_in(reply.body, "/nextPageToken");
    if (token.empty() || is_true_in(reply.body, "/isLast")) return std::nullopt;
    rest::Call next = asked;
    next.body->get_object()["nextPageToken"] = std::move(token);
    return next;
  };
}

Task<Result<rest::Pages>> search(std::shared_ptr<rest::Api> api, std::string jql, json::array wanted, std::size_t most,
                                 milliseconds limit) {
  json::object body{{"jql", std::move(jql)}, {"maxResults", std::min(most, kPage)}, {"fields", std::move(wanted)}};
  rest::Call call{.method = "POST",
                  .path = std::string(kApi) + "search/jql",
                  .body = std::move(body),
                  .only_reads = true,
                  .limit = limit};
  co_return co_await rest::read_pages(*api, std::move(call), "/issues", next_by_token(), most);
}

Task<Result<json::value>> read_issue(std::shared_ptr<rest::Api> api, std::string key, json::array wanted,
                                     milliseconds limit) {
  CO_TRY(const std::string path, rest::path_of({"rest", "api", "3", "issue", key}));
  CO_TRY(json::value issue,
         co_await api->call({.path = path, .query = {{"fields", comma_list(wanted)}}, .limit = limit}));
  if (text_in(issue, "/key").empty())
    co_return std::unexpected(rest::unusable(api->vendor(), "answered with an issue that has no key"));
  co_return issue;
}

Task<Result<json::value>> read_comments(std::shared_ptr<rest::Api> api, std::string key, int most, milliseconds limit) {
  CO_TRY(const std::string path, rest::path_of({"rest", "api", "3", "issue", key, "comment"}));
  co_return co_await api->call(
      {.path = path, .query = {{"orderBy", "-created"}, {"maxResults", std::to_string(most)}}, .limit = limit});
}

std::string page_of(std::string_view site, std::string_view key) {
  return site.empty() || key.empty() ? std::string() : fmt::format("{}/browse/{}", site, key);
}

std::string list_page(std::string_view site, const std::string& jql) {
  if (site.empty()) return {};
  return fmt::format("{}/issues/?{}", site, net::build_form(std::array{net::FormField{"jql", jql}}));
}

std::string text_of(const json::value& document, std::string_view pointer) {
  const json::value* found = find_in(document, pointer);
  return found == nullptr ? std::string() : atlassian::markdown_from_adf(*found);
}

class Tickets final : public TicketBackend {
 public:
  Tickets(std::shared_ptr<rest::Api> api, std::string site) : api_(std::move(api)), site_(std::move(site)) {}

  std::string_view name() const override { return "jira"; }
  json::object target() const override { return {{"url", api_->base_url()}}; }

  Task<Result<FoundTickets>> find(TicketQuery query, std::size_t most, milliseconds limit) override {
    const bool about_cves = query.kind == TicketQuery::Kind::cves;
    const json::array wanted = about_cves ? fields({"description"}) : fields();
    CO_TRY(std::string jql, jql_of(query));
    Result<rest::Pages> pages = co_await search(api_, jql, wanted, most, limit);
    // UTF-8 and SHA-256 look like keys, and a key that does not exist is an error in JQL.
    if (!pages && pages.error().kind == ErrorKind::invalid_input && query.kind == TicketQuery::Kind::keys) {
      query.kind = TicketQuery::Kind::words;
      CO_TRY(jql, jql_of(query));
      pages = co_await search(api_, jql, wanted, most, limit);
    }
    if (!pages) co_return std::unexpected(pages.error());
    // To a token that is no longer valid Jira answers as to a stranger, who sees nothing.
    if (pages->items.empty()) CO_TRY(co_await me(limit));
    FoundTickets found{.has_more = pages->has_more, .searched = jql, .link = list_page(site_, jql)};
    for (const json::value& issue : pages->items) {
      found.tickets.push_back(ticket_from(issue, site_));
      if (about_cves) found.tickets.back().description = text_of(issue, "/fields/description");
    }
    co_return found;
  }

  Task<Result<TicketDetails>> get(std::string key, milliseconds limit) override {
    CO_TRY(
        const json::value issue,
        co_await read_issue(api_, key, fields({"description", "reporter", "resolution", "created", "parent"}), limit));
    TicketDetails details{.ticket = ticket_from(issue, site_)};
    details.ticket.description = text_of(issue, "/fields/description");
    details.reporter = text_in(issue, "/fields/reporter/displayName");
    details.resolution = text_in(issue, "/fields/resolution/name");
    details.created = atlassian::parse_time(text_in(issue, "/fields/created"));
    details.parent = text_in(issue, "/fields/parent/key");
    if (const std::string summary = text_in(issue, "/fields/parent/fields/summary"); !summary.empty())
      details.parent += " " + summary;
    const Result<json::value> comments = co_await read_comments(api_, details.ticket.key, kComments, limit);
    if (!comments) {
      details.notes.push_back(fmt::format("the comments could not be read: {}", comments.error().message));
      co_return details;
    }
    for (const json::value& comment : items_in(*comments, "/comments")) {
      details.comments.push_back({text_in(comment, "/author/displayName"),
                                  atlassian::parse_time(text_in(comment, "/created")), text_of(comment, "/body")});
      if (details.comments.size() == kComments) break;
    }
    std::ranges::reverse(details.comments);
    details.all_comments = std::max<std::int64_t>(whole_in(*comments, "/total").value_or(0),
                                                  static_cast<std::int64_t>(details.comments.size()));
    co_return details;
  }

  Task<Result<std::string>> diagnose(milliseconds limit) override {
    CO_TRY(const std::string name, co_await me(limit));
    co_return fmt::format("Jira at {} as {}", api_->base_url(), cut_with_mark(name, 60));
  }

 private:
  Task<Result<std::string>> me(milliseconds limit) {
    CO_TRY(const json::value account, co_await api_->call({.path = std::string(kApi) + "myself", .limit = limit}));
    if (text_in(account, "/accountId").empty())
      co_return std::unexpected(rest::unusable(api_->vendor(), "did not say whose account this is"));
    co_return text_in(account, "/displayName");
  }

  std::shared_ptr<rest::Api> api_;
  std::string site_;
};

class Writer final : public TicketWriter {
 public:
  Writer(std::shared_ptr<rest::Api> api, std::string site, const Clock& clock)
      : api_(std::move(api)), site_(std::move(site)), clock_(clock) {}

  std::string_view name() const override { return "jira"; }
  json::object target() const override { return {{"url", api_->base_url()}}; }

  Task<Result<TicketPlace>> place(std::string project, std::string type, milliseconds limit) override {
    CO_TRY(const std::string project_path, rest::path_of({"rest", "api", "3", "project", project}));
    CO_TRY(const std::string types_path,
           rest::path_of({"rest", "api", "3", "issue", "createmeta", project, "issuetypes"}));
    CO_TRY(const json::value found, co_await api_->call({.path = project_path, .limit = limit}));
    CO_TRY(const json::value types,
           co_await api_->call({.path = types_path, .query = {{"maxResults", "100"}}, .limit = limit}));
    TicketPlace place{.project = text_in(found, "/key"), .project_name = text_in(found, "/name")};
    std::vector<std::string> names;
    for (const json::value& one : items_in(types, "/issueTypes")) {
      if (is_true_in(one, "/subtask")) continue;  // it would need a parent
      const std::string name = text_in(one, "/name");
      if (to_lower(name) == to_lower(type)) {
        place.type = name;
        place.type_id = text_in(one, "/id");
      }
      if (names.size() < 30) names.push_back(cut_with_mark(name, 60));
    }
    if (names.empty())
      co_return fail(ErrorKind::permission, fmt::format("Deputy's account may not create tickets in `{}`", project),
                     "give it the permission Create issues in this project");
    if (place.type_id.empty())
      co_return fail(ErrorKind::invalid_input,
                     fmt::format("the project `{}` has no ticket type `{}`", project, cut_with_mark(type, 60)),
                     "types: " + list_names(names));
    co_return place;
  }

  Task<Result<Ticket>> ticket(std::string key, milliseconds limit) override {
    CO_TRY(const json::value issue, co_await read_issue(api_, key, fields(), limit));
    co_return ticket_from(issue, site_);
  }

  Task<Result<WrittenTicket>> create(TicketPlace place, std::string summary, std::string description,
                                     milliseconds limit) override {
    json::object body{{"fields", json::object{{"project", json::object{{"key", place.project}}},
                                              {"issuetype", json::object{{"id", place.type_id}}},
                                              {"summary", std::move(summary)},
                                              {"description", atlassian::adf_from_markdown(description)}}}};
    CO_TRY(const json::value created,
           co_await api_->call(
               {.method = "POST", .path = std::string(kApi) + "issue", .body = std::move(body), .limit = limit}));
    const std::string key = text_in(created, "/key");
    co_return WrittenTicket{key, page_of(site_, key)};
  }

  Task<Result<>> comment(std::string key, std::string text, milliseconds limit) override {
    CO_TRY(const std::string path, rest::path_of({"rest", "api", "3", "issue", key, "comment"}));
    json::object body{{"body", atlassian::adf_from_markdown(text)}};
    CO_TRY(co_await api_->send({.method = "POST", .path = path, .body = std::move(body), .limit = limit}));
    co_return Result<>{};
  }

  Task<Result<std::optional<WrittenTicket>>> find_created(std::string project, std::string mark, Timestamp since,
                                                          milliseconds limit) override {
    // Times in JQL are in the account's time zone; minutes ago are not.
    const auto minutes = std::chrono::ceil<std::chrono::minutes>(clock_.now() - since).count() + 1;
    const std::string jql = fmt::format("project = {} AND created >= -{}m ORDER BY created DESC",
                                        atlassian::quoted(project), std::max<std::int64_t>(minutes, 1));
    CO_TRY(const rest::Pages pages,
           co_await search(api_, jql, json::array{"description"}, kCreatedLookedThrough, limit));
    for (const json::value& issue : pages.items) {
      const std::string key = text_in(issue, "/key");
      if (text_of(issue, "/fields/description").contains(mark)) co_return WrittenTicket{key, page_of(site_, key)};
    }
    if (pages.has_more)
      co_return fail(ErrorKind::upstream, "too many tickets were created since to look through all of them");
    co_return std::optional<WrittenTicket>{};
  }

  Task<Result<std::optional<bool>>> has_comment(std::string key, std::string mark, Timestamp since,
                                                milliseconds limit) override {
    CO_TRY(const json::value comments, co_await read_comments(api_, key, kCommentsLookedThrough, limit));
    bool saw_all = whole_in(comments, "/total").value_or(0) <= kCommentsLookedThrough;
    for (const json::value& comment : items_in(comments, "/comments")) {
      if (text_of(comment, "/body").contains(mark)) co_return std::optional(true);
      const auto at = atlassian::parse_time(text_in(comment, "/created"));
      if (at && *at < since) saw_all = true;  // the rest is older still
    }
    co_return saw_all ? std::optional(false) : std::nullopt;
  }

 private:
  std::shared_ptr<rest::Api> api_;
  std::string site_;
  const Clock& clock_;
};

std::string_view and_state(TicketState state) {
  if (state == TicketState::all) return "";
  return state == TicketState::open ? " AND statusCategory != Done" : " AND statusCategory = Done";
}

bool has_order(const std::string& jql) {
  static const RE2 pattern(R"((?i)\border\s+by\b)");
  return RE2::PartialMatch(jql, pattern);
}

}  // namespace

Result<std::string> jql_of(const TicketQuery& query) {
  switch (query.kind) {
    case TicketQuery::Kind::cves:
      return std::string(kOpenCves);
    case TicketQuery::Kind::query:
      return has_order(query.text) ? query.text : query.text + " ORDER BY updated DESC";
    case TicketQuery::Kind::keys: {
      std::vector<std::string> keys;
      for (const std::string& key : query.keys) keys.push_back(atlassian::quoted(key));
      return fmt::format("key in ({}){} ORDER BY updated DESC", join(keys, ", "), and_state(query.state));
    }
    case TicketQuery::Kind::words:
      break;
  }
  const std::string words = atlassian::search_words(query.text);
  if (words.empty())
    return fail(ErrorKind::invalid_input, "there are no words to search for",
                "write plain words, ticket keys, or JQL such as project = ABC AND status = Open");
  return fmt::format("text ~ {}{} ORDER BY updated DESC", atlassian::quoted(words), and_state(query.state));
}

Ticket ticket_from(const json::value& issue, std::string_view site) {
  Ticket ticket{.key = text_in(issue, "/key"),
                .type = text_in(issue, "/fields/issuetype/name"),
                .status = text_in(issue, "/fields/status/name"),
                .priority = text_in(issue, "/fields/priority/name"),
                .summary = text_in(issue, "/fields/summary"),
                .assignee = text_in(issue, "/fields/assignee/displayName"),
                .updated = atlassian::parse_time(text_in(issue, "/fields/updated"))};
  for (const json::value& label : items_in(issue, "/fields/labels")) ticket.labels.push_back(as_text(label));
  ticket.link = page_of(site, ticket.key);
  return ticket;
}

Made make(const TicketToolsSettings& settings, net::HttpClient& http, const Clock& clock) {
  if (!atlassian::missing_for_jira(settings.jira).empty()) return {};
  const auto api = atlassian::jira(settings.jira, http, clock);
  const std::string site = atlassian::site_of(settings.jira.url);
  return {std::make_shared<Tickets>(api, site), std::make_shared<Writer>(api, site, clock)};
}

}  // namespace deputy::tools::jira
