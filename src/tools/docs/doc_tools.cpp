#include "tools/docs/doc_tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "base/text.h"
#include "toolkit/cut.h"
#include "tools/common_steps.h"
#include "tools/shown.h"
#include "tools/time_range.h"

namespace deputy::tools {

namespace {

using ToolPtr = std::shared_ptr<const toolkit::Tool>;

constexpr std::size_t kMaxTitle = 160;
constexpr std::size_t kMaxExcerpt = 300;
constexpr std::size_t kMaxPage = 100'000;  // characters; the model sees the beginning and can read on
constexpr std::size_t kMaxSpacesTold = 150;
constexpr int kDays = 7;

toolkit::ToolSpec doc_spec(std::string name, std::string description, const DocBackends& backends) {
  return {.name = std::move(name),
          .version = 1,
          .description = std::move(description),
          .category = "doc_tools",
          .effect = toolkit::Effect::read,
          .timeout = std::chrono::seconds(30),
          .target = backends.target(),
          .missing = backends.missing()};
}

toolkit::Output report(std::string verdict, const FoundPages& found, const toolkit::Redact& redact) {
  std::string text = std::move(verdict) + "\n";
  json::array pages;
  for (const DocPage& page : found.pages) {
    text += fmt::format("- {} (id {})", shown(page.title, kMaxTitle, redact), shown(page.id, 30, redact));
    if (!page.space.empty()) text += fmt::format(" in {}", shown(page.space, kMaxTitle, redact));
    if (page.updated) text += fmt::format(", updated {} UTC", moment(*page.updated));
    if (!page.author.empty()) text += fmt::format(" by {}", shown(page.author, kMaxTitle, redact));
    if (!page.excerpt.empty()) text += ": " + shown(page.excerpt, kMaxExcerpt, redact);
    if (!page.link.empty()) text += " " + page.link;
    text += "\n";
    pages.push_back(json::object{{"id", shown(page.id, 30, redact)}, {"title", shown(page.title, kMaxTitle, redact)}});
  }
  if (found.has_more) text += "There are more: raise `limit`, or search more narrowly\n";
  const std::size_t count = pages.size();
  return {std::move(text), {{"count", count}, {"pages", std::move(pages)}}};
}

std::string in_space(std::string_view space) {
  return trim(space).empty() ? "" : fmt::format(" in the space {}", cut_with_mark(trim(space), 60));
}

std::string counted(const FoundPages& found) {
  return found.pages.empty() ? "No page" : count_of(static_cast<std::int64_t>(found.pages.size()), "page");
}

template <class Fields, class Params>
void space_field(Fields& f, std::string Params::* member) {
  f.optional(member, "space_key", "Only this space, by its key, such as OPS").characters(0, 255);
}

/// A chain of one handler that reads.
template <class Call>
toolkit::Pipeline reading(std::string name, Call call) {
  toolkit::Pipeline pipeline;
  pipeline.then({.name = std::move(name), .repeatable = true, .call = std::move(call)});
  return pipeline;
}

// search_confluence = [ search ]

struct SearchParams {
  std::string query;
  std::string space_key;
  int limit = 10;

  template <class Fields>
  static void fields(Fields& f) {
    using P = SearchParams;
    f.required(&P::query, "query", "Words of the page or its title; a text in quotes is looked for as it is")
        .characters(1, 500)
        .kind(toolkit::Kind::query);
    space_field(f, &P::space_key);
    f.optional(&P::limit, "limit", "How many pages to show at most").in_range(1, 50).kind(toolkit::Kind::count);
  }
};

Task<Result<toolkit::Step>> search(DocBackends backends, SearchParams params, const toolkit::CallContext& context) {
  CO_TRY(const std::shared_ptr<Confluence> confluence, backends.choose());
  CO_TRY(const std::string cql, cql_for_words(params.query, params.space_key));
  CO_TRY(const FoundPages found,
         co_await confluence->search(cql, static_cast<std::size_t>(params.limit), context.time_left()));
  co_return report(fmt::format("{} for `{}`{}", counted(found), shown(params.query, kMaxTitle, context.redact_picked),
                               in_space(params.space_key)),
                   found, context.redact_picked);
}

ToolPtr search_confluence(const DocBackends& backends) {
  toolkit::ToolSpec spec = doc_spec("search_confluence",
                                    "Searches the pages of Confluence by words. Returns title, id, space, time of the "
                                    "last change, excerpt and link of each. Use get_confluence_page to read one.",
                                    backends);
  spec.primary_param = "query";
  spec.topics = {.words = {"confluence", "wiki", "documentation", "runbook"},
                 .examples = {"search confluence for \"{query}\"", "is there a runbook for \"{query}\"?"},
                 .working = "Searching Confluence"};
  return toolkit::make_tool<SearchParams>(std::move(spec),
                                          [backends](const SearchParams& params) -> Result<toolkit::Pipeline> {
                                            return reading("search", [backends, params](toolkit::CallContext& context) {
                                              return as_step(search(backends, params, context));
                                            });
                                          });
}

// get_confluence_page = [ read ]

struct PageParams {
  std::string page_id;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&PageParams::page_id, "page_id", "The id of the page, such as 98306, or its address")
        .characters(1, 2000)
        .kind(toolkit::Kind::id);
  }
};

Task<Result<toolkit::Step>> read_page(DocBackends backends, std::string id, const toolkit::CallContext& context) {
  CO_TRY(const std::shared_ptr<Confluence> confluence, backends.choose());
  CO_TRY(const DocPage page, co_await confluence->page(id, context.time_left()));
  std::string text = shown(page.title, kMaxTitle, context.redact_picked) + "\n";
  if (page.updated) text += fmt::format("Updated {} UTC\n", moment(*page.updated));
  if (!page.link.empty()) text += page.link + "\n";
  std::string body = page.text;
  if (count_characters(body) > kMaxPage)
    body = cut_with_mark(toolkit::redact_or_withhold(body, context.redact), kMaxPage);
  text += trim(body).empty() ? "\nThe page has no text\n" : fmt::format("\n{}\n", body);
  co_return toolkit::Output{
      std::move(text),
      {{"id", page.id}, {"title", shown(page.title, kMaxTitle, context.redact_picked)}, {"link", page.link}}};
}

ToolPtr get_confluence_page(const DocBackends& backends) {
  toolkit::ToolSpec spec = doc_spec(
      "get_confluence_page",
      "Reads one page of Confluence as Markdown, by its id or address. search_confluence finds ids.", backends);
  spec.probe = {{"page_id", "1"}};
  spec.primary_param = "page_id";
  spec.topics = {.words = {"confluence page", "wiki page"}, .working = "Reading a page of Confluence"};
  return toolkit::make_tool<PageParams>(
      std::move(spec), [backends](const PageParams& params) -> Result<toolkit::Pipeline> {
        const std::string id = page_id_in(params.page_id);
        if (id.empty())
          return fail(ErrorKind::invalid_input, "`page_id` is neither the id nor the address of a page",
                      "take it from search_confluence; an id is a number");
        return reading("read", [backends, id](toolkit::CallContext& context) {
          return as_step(read_page(backends, id, context));
        });
      });
}

// list_confluence_spaces = [ list ]

struct NoParams {
  template <class Fields>
  static void fields(Fields&) {}
};

Task<Result<toolkit::Step>> list_spaces(DocBackends backends, const toolkit::CallContext& context) {
  CO_TRY(const std::shared_ptr<Confluence> confluence, backends.choose());
  CO_TRY(FoundSpaces found, co_await confluence->spaces(context.time_left()));
  const std::size_t all = found.spaces.size();
  const auto personal = std::erase_if(found.spaces, [](const DocSpace& space) { return space.type == "personal"; });
  std::string text = all == 0 ? "No space\n"
                              : fmt::format("{}{}\n", count_of(static_cast<std::int64_t>(found.spaces.size()), "space"),
                                            found.has_more ? ", and there are more" : "");
  json::array keys;
  for (const DocSpace& space : found.spaces | std::views::take(kMaxSpacesTold)) {
    const std::string key = shown(space.key, 60, context.redact_picked);
    text += fmt::format("- {}: {}\n", key, shown(space.name, 80, context.redact_picked));
    keys.emplace_back(key);
  }
  if (found.spaces.size() > kMaxSpacesTold) text += fmt::format("and {} more\n", found.spaces.size() - kMaxSpacesTold);
  if (personal > 0)
    text += fmt::format("{} of people left out\n", count_of(static_cast<std::int64_t>(personal), "space"));
  co_return toolkit::Output{std::move(text), {{"count", all}, {"keys", std::move(keys)}}};
}

ToolPtr list_confluence_spaces(const DocBackends& backends) {
  toolkit::ToolSpec spec =
      doc_spec("list_confluence_spaces", "Lists the spaces of Confluence with their keys and names.", backends);
  spec.topics = {.words = {"confluence spaces", "wiki spaces"},
                 .examples = {"list the confluence spaces"},
                 .working = "Listing the spaces of Confluence"};
  return toolkit::make_tool<NoParams>(std::move(spec), [backends](const NoParams&) -> Result<toolkit::Pipeline> {
    return reading("list",
                   [backends](toolkit::CallContext& context) { return as_step(list_spaces(backends, context)); });
  });
}

// recent_confluence_updates = [ search ]

struct UpdatesParams {
  std::string space_key;
  int limit = 15;

  template <class Fields>
  static void fields(Fields& f) {
    space_field(f, &UpdatesParams::space_key);
    f.optional(&UpdatesParams::limit, "limit", "How many pages to show at most")
        .in_range(1, 50)
        .kind(toolkit::Kind::count);
  }
};

Task<Result<toolkit::Step>> look_for_updates(DocBackends backends, UpdatesParams params,
                                             const toolkit::CallContext& context) {
  CO_TRY(const std::shared_ptr<Confluence> confluence, backends.choose());
  CO_TRY(FoundPages found, co_await confluence->search(cql_for_updates(params.space_key, kDays),
                                                       static_cast<std::size_t>(params.limit), context.time_left()));
  for (DocPage& page : found.pages) page.excerpt.clear();  // the beginning of the page says nothing of the change
  co_return report(fmt::format("{} changed in the last {} days{}", counted(found), kDays, in_space(params.space_key)),
                   found, context.redact_picked);
}

ToolPtr recent_confluence_updates(const DocBackends& backends) {
  toolkit::ToolSpec spec = doc_spec(
      "recent_confluence_updates",
      "Lists the pages of Confluence that changed in the last 7 days, the newest first, with who changed each.",
      backends);
  spec.topics = {.words = {"confluence updates", "wiki changes"},
                 .examples = {"recent confluence updates"},
                 .working = "Looking for changes in Confluence"};
  return toolkit::make_tool<UpdatesParams>(
      std::move(spec), [backends](const UpdatesParams& params) -> Result<toolkit::Pipeline> {
        return reading("search", [backends, params](toolkit::CallContext& context) {
          return as_step(look_for_updates(backends, params, context));
        });
      });
}

}  // namespace

DocBackends make_doc_backends(const DocToolsSettings& settings, const clients::atlassian::Settings& account,
                              net::HttpClient& http, const Clock& clock) {
  const std::string missing = clients::atlassian::missing_for_confluence(account, settings.confluence.url);
  std::vector<std::shared_ptr<Confluence>> set_up;
  if (missing.empty())
    set_up.push_back(
        std::make_shared<Confluence>(clients::atlassian::confluence(account, settings.confluence.url, http, clock)));
  return DocBackends({.family = "docs", .category = "doc_tools", .usual = "", .missing = missing}, std::move(set_up));
}

std::vector<ToolPtr> doc_tools(const DocBackends& backends) {
  return {search_confluence(backends), get_confluence_page(backends), list_confluence_spaces(backends),
          recent_confluence_updates(backends)};
}

}  // namespace deputy::tools
