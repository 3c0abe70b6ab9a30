#include "tools/logs/loki/loki.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include "base/json_pointer.h"
#include "base/text.h"
#include "base/workers.h"
#include "clients/rest/api.h"
#include "tools/logs/paged_backend.h"

namespace deputy::tools::loki {

namespace {

namespace rest = clients::rest;
using std::chrono::milliseconds;

constexpr std::size_t kMaxReply = 32UL * 1024 * 1024;
constexpr std::size_t kMaxLabelsNamed = 40;
constexpr std::int64_t kNanos = 1'000'000;  // in a millisecond

constexpr auto kLokiErrors = std::to_array<rest::Meaning>({
    {.status = 400,
     .kind = ErrorKind::invalid_input,
     .hint = "ask for a shorter time range, or change the query as the message says"},
    {.status = 401,
     .kind = ErrorKind::authentication,
     .message = "it does not accept the credentials or the tenant",
     .hint = "check tools.log_tools.loki.token (LOKI_TOKEN), .user and .tenant"},
    {.status = 499, .kind = ErrorKind::upstream, .message = "it broke the query off"},
});

/// Nanoseconds end in the year 2262.
std::int64_t nanos(Timestamp at) { return std::clamp<std::int64_t>(to_millis(at), 0, 9'000'000'000'000) * kNanos; }

/// From its first moment to its last: Loki leaves the end out.
struct NanoSpan {
  std::int64_t start;
  std::int64_t end;

  explicit NanoSpan(const TimeSpan& span) : start(nanos(span.from)), end(nanos(span.to) + kNanos) {}
};

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

double number_in(const json::value& document, std::string_view pointer) {
  const std::string text = text_in(document, pointer);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return std::isfinite(value) && value > 0 && value < 1e15 ? value : 0;
}

class LokiBackend final : public logs::PagedBackend {
 public:
  LokiBackend(LokiSettings settings, net::HttpClient& http, const Clock& clock)
      : PagedBackend({.name = "Loki",
                      .source = "stream",
                      .plural = "streams",
                      .names_sources = false,
                      .page = 1000,  // servers allow 5000 unless they are told otherwise
                      .ticks = kNanos,
                      .matches_regex = true,
                      .finds_substrings = true},
                     clock),
        settings_(std::move(settings)),
        api_(account(settings_), http, clock) {}

  std::string_view name() const override { return "loki"; }
  json::object target() const override {
    json::object target{{"backend", "loki"}, {"url", api_.base_url()}};
    if (!settings_.tenant.empty()) target["tenant"] = settings_.tenant;
    return target;
  }

  Task<Result<std::string>> diagnose(milliseconds limit) override {
    CO_TRY(const auto found, co_await services(limit));
    co_return fmt::format("Loki at {}: {} in the last day", api_.base_url(),
                          count_of(static_cast<std::int64_t>(found.size()), "service"));
  }

 private:
  static rest::Account account(const LokiSettings& settings) {
    std::vector<net::Header> headers;
    if (!settings.tenant.empty()) headers.push_back({"X-Scope-OrgID", settings.tenant});
    return {.vendor = {.name = "Loki",
                       .address_setting = "tools.log_tools.loki.url",
                       .token_setting = "tools.log_tools.loki.token",
                       .meanings = kLokiErrors},
            .base_url = settings.url,
            .auth = settings.user.empty() ? rest::bearer(settings.token) : rest::basic(settings.user, settings.token),
            .headers = std::move(headers)};
  }

  /// A success whose body is not Loki's is an error. An empty list of names may be left out.
  Task<Result<json::value>> ask(rest::Call call) {
    call.path = "loki/api/v1/" + call.path;
    call.most = kMaxReply;
    CO_TRY(json::value reply, co_await api_.call(std::move(call)));
    if (text_in(reply, "/status") != "success")
      co_return std::unexpected(rest::unusable(api_.vendor(), "did not answer as Loki does"));
    co_return reply;
  }

  /// The names under a path: `labels`, or the values of one of them.
  Task<Result<std::vector<std::string>>> names_of(std::string path, TimeSpan span, std::string selector,
                                                  Deadline deadline) {
    const NanoSpan within(span);
    CO_TRY(const json::value reply, co_await ask({.path = std::move(path),
                                                  .query = {{"start", std::to_string(within.start)},
                                                            {"end", std::to_string(within.end)},
                                                            {"query", std::move(selector)}},
                                                  .limit = left_until(deadline)}));
    std::set<std::string> names;
    for (const json::value& name : items_in(reply, "/data")) {
      if (names.size() < kMaxServices && !trim(as_text(name)).empty()) names.insert(to_valid_utf8(as_text(name)));
    }
    co_return std::vector<std::string>(names.begin(), names.end());
  }

  // Labels have the names of identifiers, so they stand in a path as they are.
  static std::string values_of(const std::string& label) { return "label/" + label + "/values"; }

  Task<Result<Known>> there(TimeSpan span, const LogQuery* query, Deadline deadline) override {
    Known known;
    const std::string selector = query == nullptr ? "" : environment_selector(settings_, *query);
    CO_TRY(known.services, co_await names_of(values_of(settings_.service_label), span, selector, deadline));
    if (query != nullptr) co_return known;
    CO_TRY(known.environments, co_await names_of(values_of(settings_.environment_label), span, "", deadline));
    if (!known.services.empty() && !known.environments.empty()) co_return known;
    CO_TRY(const auto labels, co_await names_of("labels", span, "", deadline));
    if (labels.empty()) co_return known;  // there are no logs at all
    const bool has_services = !known.services.empty();
    const std::span few(labels.begin(), std::min(labels.size(), kMaxLabelsNamed));
    co_return fail(
        ErrorKind::not_configured,
        fmt::format("Loki has no label `{}`", has_services ? settings_.environment_label : settings_.service_label),
        fmt::format("set tools.log_tools.loki.{} to one of those it has: {}",
                    has_services ? "environment_label" : "service_label", list_names(few)));
  }

  Task<Result<Page>> page(SearchPointer search, std::int64_t until, std::size_t most) override {
    search->asked = log_query(settings_, search->query, search->services);
    // Loki leaves the end out.
    CO_TRY(json::value reply, co_await ask({.path = "query_range",
                                            .query = {{"query", search->asked},
                                                      {"start", std::to_string(nanos(search->query.span.from))},
                                                      {"end", std::to_string(until + 1)},
                                                      {"limit", std::to_string(most)},
                                                      {"direction", "backward"}},
                                            .limit = left_until(search->deadline)}));
    if (text_in(reply, "/data/resultType") != "streams")
      co_return std::unexpected(rest::unusable(api_.vendor(), "did not answer with streams"));
    const std::size_t size = items_in(reply, "/data/result").empty() ? 0 : kMaxOnLoop + 1;
    auto read = [reply = std::move(reply), settings = settings_]() -> Result<Page> {
      return read_page(reply, settings);
    };
    co_return co_await off_loop_if_large<Page>(size, std::move(read));
  }

  static Page read_page(const json::value& reply, const LokiSettings& settings) {
    Page page;
    for (const json::value& one : items_in(reply, "/data/result")) {
      const json::value* stream = find_in(one, "/stream");
      if (stream == nullptr || !stream->is_object()) continue;
      const json::object& labels = stream->get_object();
      const std::string name = json::serialize(labels);
      const std::string level = settings.level_label.empty() ? "" : text_at(labels, settings.level_label);
      page.sources.insert(name);
      for (const json::value& value : items_in(one, "/values")) {
        ++page.count;
        const auto at = whole_number(text_in(value, "/0"));
        const json::value* text = find_in(value, "/1");
        if (!at || text == nullptr || !text->is_string()) continue;
        page.entries.push_back({*at,
                                fmt::format("{}\n{}", name, as_view(text->get_string())),
                                {from_millis(*at / kNanos), text_at(labels, settings.service_label), as_text(*text),
                                 level_of_field(level)}});
      }
    }
    // Each stream is sorted for itself only. Entries of one time keep their order.
    std::vector<std::size_t> order(page.entries.size());
    for (std::size_t at = 0; at < order.size(); ++at) order[at] = at;
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
      return page.entries[a].at != page.entries[b].at ? page.entries[a].at > page.entries[b].at : a < b;
    });
    std::vector<PageEntry> sorted;
    sorted.reserve(order.size());
    for (const std::size_t at : order) sorted.push_back(std::move(page.entries[at]));
    page.entries = std::move(sorted);
    return page;
  }

  Task<Result<logs::Unfetched>> count(SearchPointer search) override {
    const LogQuery& query = search->query;
    // Without a label for it, Loki does not know which entries are errors.
    if (query.least != LogLevel::none && settings_.level_label.empty()) co_return logs::Unfetched{};
    const auto counting = [&](milliseconds over) {
      const auto seconds = std::max(std::chrono::ceil<std::chrono::seconds>(over), std::chrono::seconds(1));
      return fmt::format("sum(count_over_time({} [{}s]))", search->asked, seconds.count());
    };
    CO_TRY(const json::value total, co_await ask({.path = "query",
                                                  .query = {{"query", counting(query.span.to - query.span.from)},
                                                            {"time", std::to_string(NanoSpan(query.span).end)}},
                                                  .limit = left_until(search->deadline)}));
    logs::Unfetched counted{.total = std::llround(number_in(total, "/data/result/0/value/1"))};
    LogCourse course = LogCourse::over(query.span);
    const std::size_t full = course.counts.size() - 1;
    if (!query.grouped || full == 0) co_return counted;
    // A sample counts the step that ends with it. The last step may be a short one: it gets what is left.
    const auto end_of = [&](std::size_t step) {
      return std::to_string(nanos(query.span.from + course.step * (step + 1)));
    };
    CO_TRY(const json::value steps,
           co_await ask({.path = "query_range",
                         .query = {{"query", counting(course.step)},
                                   {"start", end_of(0)},
                                   {"end", end_of(full - 1)},
                                   {"step", fmt::format("{}s", course.step / std::chrono::seconds(1))}},
                         .limit = left_until(search->deadline)}));
    std::int64_t left = *counted.total;
    for (const json::value& sample : items_in(steps, "/data/result/0/values")) {
      const Timestamp end = from_millis(std::llround(number_in(sample, "/0") * 1000));
      const auto step = (end - query.span.from) / course.step - 1;
      if (step < 0 || step >= static_cast<std::int64_t>(full)) continue;
      const std::int64_t entries = std::llround(number_in(sample, "/1"));
      course.counts[static_cast<std::size_t>(step)] = entries;
      left -= entries;
    }
    course.counts.back() = std::max<std::int64_t>(left, 0);
    counted.course = std::move(course);
    co_return counted;
  }

  LokiSettings settings_;
  rest::Api api_;
};

}  // namespace

std::shared_ptr<LogBackend> make(const LokiSettings& settings, net::HttpClient& http, const Clock& clock) {
  if (settings.url.empty()) return nullptr;
  return std::make_shared<LokiBackend>(settings, http, clock);
}

}  // namespace deputy::tools::loki
