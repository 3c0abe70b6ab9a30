#include "tools/logs/coralogix/coralogix.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/json_pointer.h"
#include "base/text.h"
#include "base/workers.h"
#include "clients/rest/api.h"
#include "tools/logs/paged_backend.h"
#include "tools/logs/times.h"

namespace deputy::tools::coralogix {

namespace {

namespace rest = clients::rest;
using std::chrono::milliseconds;

constexpr std::size_t kMaxReply = 64UL * 1024 * 1024;

std::string address_of(const CoralogixSettings& settings) {
  if (!settings.url.empty() || settings.region.empty()) return settings.url;
  if (settings.region == "gov1") return "https://api.gov1.coralogixgov.us";
  return fmt::format("https://api.{}.coralogix.com", settings.region);
}

std::vector<std::string> values_in(const Answer& answer, std::string_view column) {
  std::set<std::string> values;
  for (const Entry& row : answer.entries) {
    if (std::string value = row.at(column); !trim(value).empty()) values.insert(to_valid_utf8(std::move(value)));
  }
  return {values.begin(), values.end()};
}

class CoralogixBackend final : public logs::PagedBackend {
 public:
  CoralogixBackend(CoralogixSettings settings, net::HttpClient& http, const Clock& clock)
      : PagedBackend({.name = "Coralogix", .source = "application", .plural = "applications", .page = 2000}, clock),
        settings_(std::move(settings)),
        api_({.vendor = {.name = "Coralogix",
                         .address_setting = "tools.log_tools.coralogix.region or .url",
                         .token_setting = "tools.log_tools.coralogix.api_key"},
              .base_url = address_of(settings_),
              .auth = rest::bearer(settings_.api_key)},
             http, clock) {}

  std::string_view name() const override { return "coralogix"; }
  json::object target() const override { return {{"backend", "coralogix"}, {"url", api_.base_url()}}; }

  Task<Result<std::string>> diagnose(milliseconds limit) override {
    CO_TRY(const auto found, co_await services(limit));
    co_return fmt::format("Coralogix at {}: {} in the last day", api_.base_url(),
                          count_of(static_cast<std::int64_t>(found.size()), "service"));
  }

 private:
  Task<Result<Answer>> ask(std::string query, TimeSpan span, std::size_t most, Deadline deadline,
                           std::vector<std::string>* notes) {
    json::object body{{"query", std::move(query)},
                      {"metadata",
                       {{"tier", "TIER_FREQUENT_SEARCH"},
                        {"syntax", "QUERY_SYNTAX_DATAPRIME"},
                        {"startDate", format_timestamp(span.from)},
                        {"endDate", format_timestamp(span.to + milliseconds(1))},
                        {"limit", most}}}};
    CO_TRY(net::Response response, co_await api_.send({.method = "POST",
                                                       .path = "api/v1/dataprime/query",
                                                       .body = std::move(body),
                                                       .only_reads = true,
                                                       .limit = left_until(deadline),
                                                       .most = kMaxReply}));
    const std::size_t bytes = response.body.size();
    auto read = [text = std::move(response.body)] { return read_answer(text); };
    Result<Answer> answer = co_await off_loop_if_large<Answer>(bytes, std::move(read));
    if (!answer) co_return std::unexpected(rest::unusable(api_.vendor(), "did not answer with lines of JSON"));
    // A query that fails is a success of HTTP.
    if (!answer->error.empty() && answer->entries.empty()) {
      co_return fail(
          ErrorKind::upstream, "Coralogix did not carry out the query: " + answer->error,
          "check tools.log_tools.coralogix.service_key and .environment_key, or ask for a shorter time range");
    }
    if (!answer->recognized)
      co_return std::unexpected(rest::unusable(api_.vendor(), "did not answer as Coralogix does"));
    if (notes == nullptr) co_return answer;
    const auto note = [&](std::string text) {
      if (!contains(*notes, text)) notes->push_back(std::move(text));
    };
    note("only logs of the tier Frequent Search were searched");
    if (!answer->error.empty()) note("Coralogix broke off, so entries are missing: " + answer->error);
    for (const std::string& warning : answer->warnings) note("Coralogix warns: " + warning);
    co_return answer;
  }

  Task<Result<Known>> there(TimeSpan span, const LogQuery* query, Deadline deadline) override {
    CO_TRY(const Answer answer, co_await ask(services_query(settings_, query), span, kMaxServices, deadline, nullptr));
    Known known{values_in(answer, "service"), values_in(answer, "environment")};
    const bool has_all = !known.services.empty() && !known.environments.empty();
    if (query != nullptr || has_all || answer.entries.empty()) co_return known;
    const bool has_services = !known.services.empty();
    co_return fail(
        ErrorKind::not_configured,
        fmt::format("no entry of Coralogix has `{}`", has_services ? settings_.environment_key : settings_.service_key),
        fmt::format("set tools.log_tools.coralogix.{} to the key that has it",
                    has_services ? "environment_key" : "service_key"));
  }

  Task<Result<Page>> page(SearchPointer search, std::int64_t until, std::size_t most) override {
    search->asked = log_query(settings_, search->query, search->services);
    CO_TRY(Answer answer,
           co_await ask(fmt::format("{} | orderby $m.timestamp desc | limit {}", search->asked, most),
                        {search->query.span.from, from_millis(until)}, most, search->deadline, &search->notes));
    const std::size_t size = answer.entries.empty() ? 0 : kMaxOnLoop + 1;
    auto read = [answer = std::move(answer), settings = settings_]() -> Result<Page> {
      return read_page(answer, settings);
    };
    co_return co_await off_loop_if_large<Page>(size, std::move(read));
  }

  static Page read_page(const Answer& answer, const CoralogixSettings& settings) {
    Page page{.count = answer.entries.size()};
    for (const Entry& entry : answer.entries) {
      const std::optional<Timestamp> at = entry.time();
      if (!at) continue;
      std::string text = entry.text();
      std::string key = entry.at("$m.logid");
      if (key.empty()) key = fmt::format("{}\n{}", json::serialize(entry.labels), text);
      page.sources.insert(to_valid_utf8(entry.at("$l.applicationname")));
      page.entries.push_back(
          {to_millis(*at), std::move(key), {at, entry.at(settings.service_key), std::move(text), entry.level()}});
    }
    return page;
  }

  Task<Result<logs::Unfetched>> count(SearchPointer search) override {
    const LogQuery& query = search->query;
    LogCourse course = LogCourse::over(query.span);
    const std::string counting =
        fmt::format("{} | groupby roundTime($m.timestamp, {}s) as step aggregate count() as entries", search->asked,
                    course.step / std::chrono::seconds(1));
    CO_TRY(const Answer answer, co_await ask(counting, query.span, kMaxServices, search->deadline, &search->notes));
    std::int64_t total = 0;
    for (const Entry& row : answer.entries) {
      const auto at = logs::parse_time(row.at("step"), {});
      const std::int64_t entries = whole_in(row.data, "/entries").value_or(0);
      total += entries;
      if (!at) continue;
      // Their steps begin at round times, ours where the range does: by its middle a step of theirs is in one of ours.
      const Timestamp middle = std::clamp(*at + course.step / 2, query.span.from, query.span.to);
      course.counts[course.step_of(query.span, middle)] += entries;
    }
    co_return logs::Unfetched{.total = total, .course = std::move(course)};
  }

  CoralogixSettings settings_;
  rest::Api api_;
};

}  // namespace

std::shared_ptr<LogBackend> make(const CoralogixSettings& settings, net::HttpClient& http, const Clock& clock) {
  if (settings.api_key.empty() || address_of(settings).empty()) return nullptr;
  return std::make_shared<CoralogixBackend>(settings, http, clock);
}

}  // namespace deputy::tools::coralogix
