#include "tools/logs/elasticsearch/elasticsearch.h"

#include <fmt/format.h>

#include <array>
#include <set>

#include "base/json_pointer.h"
#include "base/text.h"
#include "base/workers.h"
#include "clients/rest/api.h"
#include "tools/logs/paged_backend.h"

namespace deputy::tools::elasticsearch {

namespace {

namespace rest = clients::rest;
using std::chrono::milliseconds;

constexpr std::size_t kMaxReply = 64UL * 1024 * 1024;
constexpr std::int64_t kFirstNanos = 100'000'000'000'000;  // a larger time is in nanoseconds

constexpr auto kElasticsearchErrors = std::to_array<rest::Meaning>({
    {.code = "index_not_found_exception",
     .kind = ErrorKind::not_found,
     .message = "there is no such index",
     .hint = "check tools.log_tools.elasticsearch.index"},
    {.status = 400,
     .code = "search_phase_execution_exception",
     .kind = ErrorKind::invalid_input,
     .hint =
         "check that the service, environment and level fields of tools.log_tools.elasticsearch are keyword fields"},
    {.status = 403,
     .kind = ErrorKind::permission,
     .message = "the account may not read these logs",
     .hint = "give the account of tools.log_tools.elasticsearch the index privilege `read` for its index"},
});

std::vector<std::string> keys_in(const json::value& reply, std::string_view pointer) {
  std::set<std::string> keys;
  for (const json::value& bucket : items_in(reply, pointer)) {
    if (std::string key = text_in(bucket, "/key"); !trim(key).empty()) keys.insert(to_valid_utf8(std::move(key)));
  }
  return {keys.begin(), keys.end()};
}

class ElasticsearchBackend final : public logs::PagedBackend {
 public:
  ElasticsearchBackend(ElasticsearchSettings settings, net::HttpClient& http, const Clock& clock)
      : PagedBackend({.name = "Elasticsearch",
                      .source = "index",
                      .plural = "indexes",
                      .page = 1000},  // an index allows 10,000 unless it is told otherwise
                     clock),
        settings_(std::move(settings)),
        api_({.vendor = {.name = "Elasticsearch",
                         .address_setting = "tools.log_tools.elasticsearch.url",
                         .token_setting = "tools.log_tools.elasticsearch.api_key",
                         .meanings = kElasticsearchErrors},
              .base_url = settings_.url,
              .auth = settings_.user.empty() ? rest::header("Authorization", "ApiKey ", settings_.api_key)
                                             : rest::basic(settings_.user, settings_.password)},
             http, clock) {}

  std::string_view name() const override { return "elasticsearch"; }
  json::object target() const override {
    return {{"backend", "elasticsearch"}, {"url", api_.base_url()}, {"index", settings_.index}};
  }

  Task<Result<std::string>> diagnose(milliseconds limit) override {
    CO_TRY(const auto found, co_await services(limit));
    co_return fmt::format("Elasticsearch at {}: {} in `{}` in the last day", api_.base_url(),
                          count_of(static_cast<std::int64_t>(found.size()), "service"), settings_.index);
  }

 private:
  /// A search. Its answer may be of a part of the data only, which `notes` then say.
  Task<Result<json::value>> ask(json::object body, Deadline deadline, std::vector<std::string>* notes) {
    CO_TRY(const std::string path, rest::path_of({settings_.index, "_search"}));
    const milliseconds limit = left_until(deadline);
    // It stops by itself before we do, and gives what it has.
    body["timeout"] = fmt::format("{}ms", std::max<std::int64_t>(limit.count() * 3 / 4, 1));
    CO_TRY(json::value reply, co_await api_.call({.method = "POST",
                                                  .path = path,
                                                  .query = {{"ignore_unavailable", "true"}},
                                                  .body = std::move(body),
                                                  .only_reads = true,
                                                  .limit = limit,
                                                  .most = kMaxReply}));
    const auto shards = whole_in(reply, "/_shards/total");
    if (!shards || find_in(reply, "/hits/hits") == nullptr)
      co_return std::unexpected(rest::unusable(api_.vendor(), "did not answer as Elasticsearch does"));
    if (*shards == 0) {
      co_return fail(
          ErrorKind::not_found,
          fmt::format("no index of Elasticsearch that the account can see has a name like `{}`", settings_.index),
          "check tools.log_tools.elasticsearch.index and the index privileges of the account");
    }
    if (notes != nullptr) add_partial(reply, *shards, *notes);
    co_return reply;
  }

  static void add_partial(const json::value& reply, std::int64_t shards, std::vector<std::string>& notes) {
    const auto note = [&](std::string text) {
      if (!contains(notes, text)) notes.push_back(std::move(text));
    };
    if (is_true_in(reply, "/timed_out")) note("Elasticsearch ran out of time: these are a part of what there is");
    if (const auto failed = whole_in(reply, "/_shards/failed").value_or(0); failed > 0) {
      note(fmt::format("{} of {} shards failed, so entries are missing: {}", failed, shards,
                       cut_with_mark(text_in(reply, "/_shards/failures/0/reason/reason"), 200)));
    }
  }

  Task<Result<Known>> there(TimeSpan span, const LogQuery* query, Deadline deadline) override {
    CO_TRY(const json::value reply, co_await ask(services_query(settings_, span, query), deadline, nullptr));
    Known known{keys_in(reply, "/aggregations/services/buckets"), keys_in(reply, "/aggregations/environments/buckets")};
    const bool has_all = !known.services.empty() && !known.environments.empty();
    const bool has_entries = whole_in(reply, "/hits/total/value").value_or(0) > 0;
    if (query != nullptr || has_all || !has_entries) co_return known;
    const bool has_services = !known.services.empty();
    co_return fail(ErrorKind::not_configured,
                   fmt::format("no entry in `{}` has the field `{}`", settings_.index,
                               has_services ? settings_.environment_field : settings_.service_field),
                   fmt::format("set tools.log_tools.elasticsearch.{} to the field that has it",
                               has_services ? "environment_field" : "service_field"));
  }

  Task<Result<Page>> page(SearchPointer search, std::int64_t until, std::size_t most) override {
    json::object body{{"size", most},
                      {"track_total_hits", false},
                      {"query", search_query(settings_, search->query, search->services, from_millis(until))},
                      {"sort", json::array{json::object{{settings_.time_field, json::object{{"order", "desc"}}}}}},
                      {"_source", json::array{settings_.message_field, settings_.level_field, settings_.service_field,
                                              kErrorMessageField}}};
    CO_TRY(json::value reply, co_await ask(std::move(body), search->deadline, &search->notes));
    const std::size_t size = items_in(reply, "/hits/hits").empty() ? 0 : kMaxOnLoop + 1;
    auto read = [reply = std::move(reply), settings = settings_]() -> Result<Page> {
      return read_page(reply, settings);
    };
    co_return co_await off_loop_if_large<Page>(size, std::move(read));
  }

  static Page read_page(const json::value& reply, const ElasticsearchSettings& settings) {
    Page page;
    for (const json::value& hit : items_in(reply, "/hits/hits")) {
      ++page.count;
      const auto sort = whole_in(hit, "/sort/0");
      const json::value* source = find_in(hit, "/_source");
      if (!sort || source == nullptr || !source->is_object()) continue;
      const std::int64_t at = *sort < kFirstNanos ? *sort : *sort / 1'000'000;
      const std::string index = text_in(hit, "/_index");
      page.sources.insert(to_valid_utf8(index));
      const json::object& document = source->get_object();
      page.entries.push_back(
          {at,
           fmt::format("{}\n{}", index, text_in(hit, "/_id")),
           {from_millis(at), field_text(document, settings.service_field), text_of(settings, document),
            level_of_field(field_text(document, settings.level_field))}});
    }
    return page;
  }

  Task<Result<logs::Unfetched>> count(SearchPointer search) override {
    const LogQuery& query = search->query;
    LogCourse course = LogCourse::over(query.span);
    json::object body{{"size", 0},
                      {"track_total_hits", true},
                      {"query", search_query(settings_, query, search->services, query.span.to)},
                      {"aggs", counts_of(settings_, query, course)}};
    CO_TRY(const json::value reply, co_await ask(std::move(body), search->deadline, &search->notes));
    const auto total = whole_in(reply, "/hits/total/value");
    const bool all_say_their_level =
        query.least == LogLevel::none || whole_in(reply, "/aggregations/leveled/doc_count") == total;
    if (!all_say_their_level) co_return logs::Unfetched{};
    for (const json::value& bucket : items_in(reply, "/aggregations/course/buckets")) {
      const auto key = whole_in(bucket, "/key");
      if (!key || !query.span.contains(from_millis(*key))) continue;
      course.counts[course.step_of(query.span, from_millis(*key))] += whole_in(bucket, "/doc_count").value_or(0);
    }
    co_return logs::Unfetched{.total = total, .course = std::move(course)};
  }

  ElasticsearchSettings settings_;
  rest::Api api_;
};

}  // namespace

std::shared_ptr<LogBackend> make(const ElasticsearchSettings& settings, net::HttpClient& http, const Clock& clock) {
  if (settings.url.empty()) return nullptr;
  return std::make_shared<ElasticsearchBackend>(settings, http, clock);
}

}  // namespace deputy::tools::elasticsearch
