#include "tools/logs/paged_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/text.h"
#include "base/workers.h"

namespace deputy::tools::logs {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

namespace {

constexpr std::size_t kMaxSourcesNamed = 10;
constexpr std::size_t kMaxSourceName = 80;

/// Times as vendors count them end in the year 2262.
std::int64_t ticks_of(Timestamp at, std::int64_t ticks) {
  return std::clamp<std::int64_t>(to_millis(at), 0, 9'000'000'000'000) * ticks;
}

}  // namespace

std::set<std::string> spellings(const std::vector<std::string>& names) {
  std::set<std::string> all;
  for (const std::string& name : names) {
    std::string lower = to_lower(name);
    std::string upper = lower;
    for (char& c : upper) c = is_lower(c) ? static_cast<char>(c - 32) : c;
    std::string capital = lower;
    if (!capital.empty()) capital[0] = upper[0];
    all.insert({name, std::move(lower), std::move(upper), std::move(capital)});
  }
  return all;
}

milliseconds PagedBackend::left_until(Deadline deadline) {
  return std::max(std::chrono::floor<milliseconds>(deadline - steady_clock::now()), milliseconds(1));
}

/// What was read so far, and where to go on.
struct PagedBackend::Reading {
  Fetched fetched;
  std::int64_t until;  // in ticks
  // Entries of the last page at its oldest moment: the next page begins with that moment, and has them again.
  std::unordered_set<std::string> again = {};
  std::set<std::string> sources = {};
  bool has_more = true;
  bool skipped = false;

  /// Takes long for a large page.
  void take(Page page, std::size_t asked);
};

void PagedBackend::Reading::take(Page page, std::size_t asked) {
  std::size_t fresh = 0;
  std::optional<std::int64_t> oldest;
  std::unordered_set<std::string> at_oldest;
  for (PageEntry& one : page.entries) {
    if (oldest != one.at) at_oldest.clear();
    oldest = one.at;
    const bool is_again = one.at == until && again.contains(one.key);
    at_oldest.insert(std::move(one.key));
    if (is_again) continue;
    ++fresh;
    fetched.add(std::move(one.entry));
  }
  sources.merge(page.sources);
  has_more = oldest && page.count >= asked;
  if (!oldest) return;
  if (until == *oldest) at_oldest.merge(again);
  until = *oldest;
  again = std::move(at_oldest);
  if (fresh > 0 || !has_more) return;
  // There are more entries of one moment than a page has: the rest of them cannot be reached.
  skipped = true;
  --until;
  again.clear();
}

Task<Result<LogFindings>> PagedBackend::search(LogQuery query, milliseconds limit) {
  const auto search = std::make_shared<Search>(Search{.query = std::move(query), .services = {}, .deadline = {}});
  search->deadline = steady_clock::now() + limit;
  const LogQuery& wanted = search->query;
  if (!wanted.service_names.empty()) {
    CO_TRY(search->services, co_await services_meant(search));
    if (search->services.empty()) {
      LogFindings nothing{.notes = search->notes};
      name_sources({}, nothing.coverage);
      nothing.coverage.none_belongs = true;
      co_return nothing;
    }
  }
  const bool by_backend = wanted.text.regex.empty() || vendor_.matches_regex;
  const auto reading =
      std::make_shared<Reading>(Fetched(wanted, by_backend ? Fetched::Match::by_backend : Fetched::Match::here),
                                ticks_of(wanted.span.to, vendor_.ticks) + vendor_.ticks - 1);
  CO_TRY(co_await read_pages(search, reading));
  Unfetched rest{.more = reading->has_more};
  if (reading->has_more && by_backend) {
    if (Result<Unfetched> counted = co_await count(search)) {
      rest = *std::move(counted);
      rest.more = true;
    } else {
      search->notes.push_back(fmt::format("{} did not count them: {}", vendor_.name, counted.error().message));
    }
  }
  LogFindings findings = reading->fetched.findings(rest);
  if (findings.matched == 0 && search->services.empty()) CO_TRY(co_await explain_nothing(search));
  if (!by_backend)
    search->notes.push_back(
        fmt::format("{} was not asked for the regular expression: it was matched here", vendor_.name));
  if (!wanted.text.words.empty() && !vendor_.finds_substrings)
    search->notes.push_back(fmt::format("{} finds whole words; parts of a word do not match", vendor_.name));
  if (reading->skipped)
    search->notes.push_back(fmt::format("more than {} entries have one time: not all of them were read", vendor_.page));
  findings.notes.insert(findings.notes.end(), search->notes.begin(), search->notes.end());
  name_sources(reading->sources, findings.coverage);
  findings.coverage.asked = search->asked;
  co_return findings;
}

Task<Result<std::vector<std::string>>> PagedBackend::services(milliseconds limit) {
  const Timestamp now = clock_.now();
  CO_TRY(Known known, co_await there({now - kDay, now}, nullptr, steady_clock::now() + limit));
  co_return std::move(known.services);
}

// Of the environment; none where the service has logs elsewhere only, or none at all.
Task<Result<std::vector<std::string>>> PagedBackend::services_meant(SearchPointer search) {
  const LogQuery& query = search->query;
  CO_TRY(const Known here, co_await there(query.span, &query, search->deadline));
  std::vector<std::string> meant = wanted_services(query, here.services);
  if (!meant.empty()) co_return meant;
  CO_TRY(const Known anywhere, co_await there(query.span, nullptr, search->deadline));
  const bool is_known = query.service_is_known || !wanted_services(query, anywhere.services).empty();
  if (!is_known) co_return std::unexpected(unknown_service(query, anywhere.services));
  co_return meant;
}

// Half of the time is for reading, the rest for counting.
Task<Result<>> PagedBackend::read_pages(SearchPointer search, std::shared_ptr<Reading> reading) {
  const auto begun = steady_clock::now();
  const auto enough = begun + (search->deadline - begun) / 2;
  while (reading->has_more && !reading->fetched.is_full() && steady_clock::now() < enough) {
    const std::size_t left = reading->fetched.wanted() - reading->fetched.added();
    const std::size_t asked = std::min(vendor_.page, left + reading->again.size());
    CO_TRY(Page found, co_await page(search, reading->until, asked));
    const std::size_t size = found.entries.empty() ? 0 : kMaxOnLoop + 1;
    auto take = [reading, found = std::move(found), asked]() mutable -> Result<bool> {
      reading->take(std::move(found), asked);
      return true;
    };
    CO_TRY(co_await off_loop_if_large<bool>(size, std::move(take)));
    if (reading->until < ticks_of(search->query.span.from, vendor_.ticks)) reading->has_more = false;
  }
  co_return Result<>{};
}

// Nothing was found in an environment: perhaps it is not known there.
Task<Result<>> PagedBackend::explain_nothing(SearchPointer search) {
  CO_TRY(const Known known, co_await there(search->query.span, nullptr, search->deadline));
  for (const std::string& there : known.environments) {
    for (const std::string& name : search->query.environment_names) {
      if (to_lower(there) == to_lower(name)) co_return Result<>{};
    }
  }
  if (!known.environments.empty()) {
    search->notes.push_back(fmt::format("no {} of that time has the environment {}; there are {}", vendor_.source,
                                        search->query.environment, list_names(known.environments)));
  }
  co_return Result<>{};
}

void PagedBackend::name_sources(const std::set<std::string>& sources, LogCoverage& coverage) const {
  coverage.source = vendor_.source;
  coverage.plural = vendor_.plural;
  coverage.lines_are = "entries";
  coverage.source_count = static_cast<std::int64_t>(sources.size());
  for (const std::string& source : sources) {
    if (!vendor_.names_sources) break;
    if (coverage.sources.size() < kMaxSourcesNamed) coverage.sources.push_back(cut_with_mark(source, kMaxSourceName));
  }
}

}  // namespace deputy::tools::logs
