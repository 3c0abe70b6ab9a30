#include "tools/logs/files/files_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

#include "base/text.h"
#include "tools/logs/files/scan.h"
#include "tools/logs/files/sources.h"
#include "tools/services_registry.h"

namespace deputy::tools::files {

namespace {

constexpr std::size_t kMaxSourcesNamed = 10;
constexpr std::size_t kMaxNotes = 10;

std::string not_followed(const FoundFiles& found) {
  return found.links == 1 ? "1 symbolic link was not followed"
                          : fmt::format("{} symbolic links were not followed", found.links);
}

/// A file to read.
struct OpenLog {
  const LogFile* file = nullptr;
  OpenFile open;
  logs::TimeRules rules;
  std::size_t service = 0;
};

struct PlannedUnit {
  std::size_t log = 0;
  Unit unit;
};

/// One search, from finding the files to the report.
class Search {
 public:
  Search(const FilesOptions& options, const LogQuery& query, const std::stop_token& stop)
      : options_(options), query_(query), stop_(stop), matcher_(query.text) {}

  Result<LogFindings> run() {
    TRY(FoundFiles found, find_files(options_.root, options_.paths, options_.environments, stop_));
    TRY(choose(found));
    for (const LogFile* file : chosen_) {
      if (stop_.stop_requested()) return std::unexpected(cancelled_error());
      plan(*file);
    }
    logs::Collector all(query_.newest, query_.span);
    TRY(read(all));
    all.report(services_, findings_);
    LogCoverage& coverage = findings_.coverage;
    coverage.none_belongs = coverage.source_count == 0 && coverage.outside == 0;
    add_notes(found);
    return std::move(findings_);
  }

 private:
  bool is_wanted(const LogFile& file) const {
    if (query_.service_names.empty()) return true;
    const std::string service = plain_name(file.service);
    return std::ranges::any_of(query_.service_names,
                               [&](const std::string& name) { return plain_name(name) == service; });
  }

  Result<> choose(const FoundFiles& found) {
    bool service_has_files = false;
    std::set<std::string> known(query_.known_services.begin(), query_.known_services.end());
    for (const LogFile& file : found.files) {
      known.insert(file.service);
      if (!is_wanted(file)) continue;
      service_has_files = true;
      if (file.environment == query_.environment) chosen_.push_back(&file);
    }
    if (service_has_files || query_.service_is_known || query_.service_names.empty()) return {};
    return std::unexpected(no_such_service(query_.service_names.front(), {known.begin(), known.end()}));
  }

  void plan(const LogFile& file) {
    if (file.written < query_.span.from - kDisorder) {
      ++findings_.coverage.outside;
      return;
    }
    Result<OpenFile> open = open_regular(file.path);
    if (!open) return note(fmt::format("{} could not be read: {}", file.name, open.error().message));
    OpenLog log{&file, *std::move(open), {options_.utc_offset, file.written}, service_number(file.service)};
    std::vector<Unit> units;
    if (file.is_packed()) {
      units.push_back({});
    } else {
      const Result<FilePlan> planned = plan_plain(log.open, query_.span, log.rules, options_.largest_part);
      if (!planned) return note(fmt::format("{} could not be read: {}", file.name, planned.error().message));
      for (const FilePart& part : planned->parts) units.push_back({0, 0, part.begin, part.end, planned->times});
    }
    if (units.empty()) {
      ++findings_.coverage.outside;
      return;
    }
    for (Unit& unit : units) {
      unit.number = units_.size();
      unit.service = log.service;
      units_.push_back({logs_.size(), unit});
    }
    logs_.push_back(std::move(log));
    LogCoverage& coverage = findings_.coverage;
    ++coverage.source_count;
    if (coverage.sources.size() < kMaxSourcesNamed) coverage.sources.push_back(to_valid_utf8(file.name));
  }

  std::size_t service_number(const std::string& service) {
    const auto found = std::ranges::find(services_, service);
    if (found != services_.end()) return static_cast<std::size_t>(found - services_.begin());
    services_.push_back(to_valid_utf8(service));
    return services_.size() - 1;
  }

  /// What one thread read.
  struct Share {
    explicit Share(const LogQuery& query) : collected(query.newest, query.span) {}
    logs::Collector collected;
    Scanned scanned;
    std::vector<std::string> notes;
    bool cancelled = false;
    std::exception_ptr thrown;
  };

  Result<> read(logs::Collector& all) {
    const std::size_t threads = std::min(static_cast<std::size_t>(std::max(options_.threads, 1)), units_.size());
    std::vector<Share> shares(threads, Share(query_));
    std::atomic<std::size_t> next = 0;
    {
      std::vector<std::jthread> beside;
      for (std::size_t at = 1; at < threads; ++at) {
        beside.emplace_back([&, at] { read_units(next, shares[at]); });
      }
      if (threads > 0) read_units(next, shares.front());
    }
    for (Share& share : shares) {
      if (share.thrown) std::rethrow_exception(share.thrown);
      if (share.cancelled) return std::unexpected(cancelled_error());
      all.merge(std::move(share.collected));
      findings_.coverage.lines += share.scanned.lines;
      findings_.coverage.bytes += share.scanned.bytes;
      cut_entries_ += share.scanned.cut_entries;
      for (std::string& text : share.notes) note(std::move(text));
    }
    return {};
  }

  // Runs on its own thread: changes only its share and reads only what no thread changes.
  void read_units(std::atomic<std::size_t>& next, Share& share) const {
    try {
      Scanner scanner(matcher_, {query_.span, query_.least}, share.collected);
      for (std::size_t at = next++; at < units_.size() && !share.cancelled; at = next++) {
        const PlannedUnit& planned = units_[at];
        const OpenLog& log = logs_[planned.log];
        const auto source = log.file->is_packed() ? gzip_source(log.open.descriptor)
                                                  : plain_source(log.open.descriptor,
                                                                 planned.unit.begin > 0 ? planned.unit.begin - 1 : 0);
        const Result<> done = scanner.scan(*source, planned.unit, log.rules, stop_, share.scanned);
        if (!done && done.error().kind == ErrorKind::cancelled) share.cancelled = true;
        if (!done && share.notes.size() < kMaxNotes) {
          share.notes.push_back(
              fmt::format("{} could not be read to its end: {}", log.file->name, done.error().message));
        }
      }
    } catch (...) {
      share.thrown = std::current_exception();
    }
  }

  void note(std::string text) {
    if (findings_.notes.size() < kMaxNotes) findings_.notes.push_back(to_valid_utf8(std::move(text)));
    if (findings_.notes.size() == kMaxNotes) ++unsaid_;
  }

  void add_notes(const FoundFiles& found) {
    if (unsaid_ > 1) findings_.notes.push_back(fmt::format("{} more such notes are not shown", unsaid_ - 1));
    if (cut_entries_ > 0) {
      findings_.notes.push_back(fmt::format(
          "{} longer than {} KB: only the beginning was looked at",
          cut_entries_ == 1 ? "1 entry is" : fmt::format("{} entries are", cut_entries_), kMaxEntry / 1024));
    }
    if (found.too_many) {
      findings_.notes.push_back(
          fmt::format("the log folder has more than {} files: not all were searched", kMaxFilesSeen));
    }
    if (findings_.coverage.source_count == 0 && found.links > 0) findings_.notes.push_back(not_followed(found));
  }

  const FilesOptions& options_;
  const LogQuery& query_;
  const std::stop_token& stop_;
  logs::Matcher matcher_;
  std::vector<const LogFile*> chosen_;
  std::vector<OpenLog> logs_;
  std::vector<PlannedUnit> units_;
  std::vector<std::string> services_;
  std::int64_t cut_entries_ = 0;
  std::int64_t unsaid_ = 0;
  LogFindings findings_;
};

}  // namespace

Result<LogFindings> search_files(const FilesOptions& options, const LogQuery& query, const std::stop_token& stop) {
  return Search(options, query, stop).run();
}

FilesBackend::FilesBackend(FilesOptions options, Workers& workers)
    : options_(std::make_shared<const FilesOptions>(std::move(options))), workers_(workers) {}

json::object FilesBackend::target() const { return {{"backend", "files"}, {"root", options_->root.string()}}; }

Task<Result<LogFindings>> FilesBackend::search(LogQuery query, std::chrono::milliseconds limit) {
  std::move_only_function<Result<LogFindings>(std::stop_token)> job =
      [options = options_, query = std::move(query)](const std::stop_token& stop) {
        return search_files(*options, query, stop);
      };
  co_return co_await on_worker<LogFindings>(workers_, limit, std::move(job));
}

Task<Result<std::vector<std::string>>> FilesBackend::services(std::chrono::milliseconds limit) {
  auto look = [options = options_](const std::stop_token& stop) -> Result<std::vector<std::string>> {
    TRY(const FoundFiles found, find_files(options->root, options->paths, options->environments, stop));
    std::set<std::string> services;
    for (const LogFile& file : found.files) {
      if (services.size() >= kMaxServices) break;
      if (!trim(file.service).empty() && is_valid_utf8(file.service)) services.insert(file.service);
    }
    return std::vector<std::string>(services.begin(), services.end());
  };
  return on_worker<std::vector<std::string>>(workers_, limit, std::move(look));
}

Task<Result<std::string>> FilesBackend::diagnose(std::chrono::milliseconds limit) {
  auto look = [options = options_](const std::stop_token& stop) -> Result<std::string> {
    TRY(const FoundFiles found, find_files(options->root, options->paths, options->environments, stop));
    if (found.files.empty()) {
      return fail(ErrorKind::not_found,
                  fmt::format("no file under `{}` matches a configured path{}", options->root.string(),
                              found.links > 0 ? "; " + not_followed(found) : ""),
                  "check tools.log_tools.files.paths");
    }
    std::set<std::string> services;
    std::set<std::string> environments;
    for (const LogFile& file : found.files) {
      services.insert(file.service);
      environments.insert(file.environment);
    }
    const auto counted = [](std::size_t count, std::string_view noun) {
      return count_of(static_cast<std::int64_t>(count), noun);
    };
    std::string text = fmt::format("{} of {} in {}", counted(found.files.size(), "file"),
                                   counted(services.size(), "service"), counted(environments.size(), "environment"));
    return found.links > 0 ? text + "; " + not_followed(found) : text;
  };
  return on_worker<std::string>(workers_, limit, std::move(look));
}

}  // namespace deputy::tools::files
