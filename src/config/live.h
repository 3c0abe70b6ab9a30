// Settings that follow their files (hot reload). Every poll checks the files that could count. Once they have changed,
// were the same in two readings and nobody has one open for writing, they are loaded on a worker, validated as a whole,
// and only then swapped in. A bad, half-written or removed file keeps the old settings and is reported once.
//
// An open writer is detected when the file is ours (or we are root) and its file system has leases. Elsewhere only the
// two equal readings count, and a writer that pauses between them may seem finished.
//
// Readers take `current()` when they begin something and keep that pointer to its end; it never changes under them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/workers.h"
#include "config/files.h"
#include "config/load.h"

namespace deputy::config {

/// The dotted paths at which two settings differ, sorted: the deepest object both have, then the key. Secrets all look
/// the same as JSON, so their digests are compared as well.
std::vector<std::string> changed_paths(const json::object& before, const json::object& after,
                                       const std::map<std::string, std::string>& secrets_before,
                                       const std::map<std::string, std::string>& secrets_after);

/// True when one of the paths is `part`, inside it or a parent of it: `touches(change.paths, "channels.slack")`.
bool touches(std::span<const std::string> paths, std::string_view part);

/// Decides when to load, from readings alone. Pure.
class StableFiles {
 public:
  enum class Step { nothing, wait, load };

  explicit StableFiles(Fingerprint loaded) : settled_(std::move(loaded)) {}

  /// Takes one reading of the files.
  Step observe(const Fingerprint& now);
  enum class Again { when_changed, after_a_while };
  /// Records the last state that was validated, good or bad: nothing is loaded again before it changes, or, with
  /// Again::after_a_while, before kWhile more readings.
  void settle(Fingerprint judged, Again again);
  static constexpr int kWhile = 30;
  /// Starts over: the files changed while they were read, or could not be read.
  void restart() { previous_.reset(); }
  const Fingerprint& settled() const { return settled_; }

 private:
  Fingerprint settled_;
  std::optional<Fingerprint> previous_;
  std::optional<int> readings_left_;  // until the next load of the settled state; nothing: no load without a change
};

/// The problem that a file has been open for writing for a while, so that it is not loaded yet.
LocatedProblem still_being_written(const std::filesystem::path& file);

/// The reasons why a load that followed `last` must not be swapped in; empty when it may.
std::vector<LocatedProblem> reasons_to_keep(const LoadReport& last, const LoadReport& next);

template <class T>
struct Change {
  std::shared_ptr<const T> before;
  std::shared_ptr<const T> after;
  std::vector<std::string> paths;  // that changed; see `touches`
};

/// Lives on one loop. Subscribers and the alarm must outlive it.
template <HasFields T>
class Live {
 public:
  using Subscriber = std::function<void(const Change<T>&)>;
  /// Called once for each bad state of the files, with every problem.
  using Alarm = std::function<void(const std::vector<LocatedProblem>&)>;

  /// `first` was loaded from `sources` and is ok(). `check` is called on a worker and must own what it uses.
  Live(Workers& workers, Sources sources, Loaded<T> first, Alarm alarm, Check<T> check = {})
      : workers_(workers),
        sources_(std::move(sources)),
        alarm_(std::move(alarm)),
        check_(std::move(check)),
        current_(std::make_shared<const T>(std::move(first.settings))),
        report_(std::move(static_cast<LoadReport&>(first))),
        stillness_(report_.seen) {}

  std::shared_ptr<const T> current() const { return current_; }
  void subscribe(Subscriber subscriber) { subscribers_.push_back(std::move(subscriber)); }

  /// Polls until it is cancelled.
  Task<> run(std::chrono::milliseconds interval = std::chrono::seconds(1)) {
    for (;;) {
      co_await sleep_for(interval);
      co_await poll();
    }
  }

  /// Checks the files once, and loads them when they have changed and stopped changing.
  Task<> poll() {
    const Result<Fingerprint> now = co_await on_worker<Fingerprint>(
        workers_, kLookLimit,
        [last = stillness_.settled()](const std::stop_token&) -> Result<Fingerprint> { return look_again(last); });
    if (!now) co_return report_failure(now.error());
    if (stillness_.observe(*now) != StableFiles::Step::load) co_return;
    Result<Attempt> attempt = co_await on_worker<Attempt>(
        workers_, kLoadLimit,
        [sources = sources_, check = check_, now = *now](const std::stop_token&) -> Result<Attempt> {
          // Check before, so that no secret's command runs for nothing, and after: a writer that has closed the file by
          // then wrote nothing more, or the file did not stay the same.
          if (auto file = being_written(now)) return Attempt{.open_for_writing = *std::move(file)};
          Attempt attempt{.loaded = load<T>(sources, check)};
          if (auto file = being_written(attempt.loaded.seen)) attempt.open_for_writing = *std::move(file);
          attempt.stood_still = look_again(attempt.loaded.seen) == attempt.loaded.seen;
          return attempt;
        });
    if (!attempt) {
      stillness_.restart();  // they were not validated
      co_return report_failure(attempt.error());
    }
    if (!attempt->open_for_writing.empty()) co_return wait_for_writer(attempt->open_for_writing);
    readings_while_written_ = 0;
    // The loaded files must be the ones that were stable before, and still be the same now.
    if (!attempt->stood_still || !agree(*now, attempt->loaded.seen)) co_return stillness_.restart();
    stillness_.settle(attempt->loaded.seen, attempt->loaded.secret_missing ? StableFiles::Again::after_a_while
                                                                           : StableFiles::Again::when_changed);
    judge(std::move(attempt->loaded));
  }

 private:
  static constexpr std::chrono::milliseconds kLookLimit{10'000};
  static constexpr std::chrono::milliseconds kLoadLimit{60'000};

  struct Attempt {
    Loaded<T> loaded = {};
    bool stood_still = false;
    std::filesystem::path open_for_writing = {};  // if set, nothing is validated
  };

  // The next reading checks again. A writer that never closes the file is reported, so that people see why nothing
  // changes.
  void wait_for_writer(const std::filesystem::path& file) {
    if (++readings_while_written_ >= StableFiles::kWhile) report({still_being_written(file)});
  }

  void judge(Loaded<T> next) {
    const std::vector<LocatedProblem> reasons = reasons_to_keep(report_, next);
    if (!reasons.empty()) return report(reasons);
    reported_.clear();
    auto after = std::make_shared<const T>(std::move(next.settings));
    Change<T> change{current_, after,
                     changed_paths(to_json(*current_), to_json(*after), report_.secret_digests, next.secret_digests)};
    report_ = std::move(static_cast<LoadReport&>(next));
    if (change.paths.empty()) return;
    current_ = std::move(after);
    for (const Subscriber& subscriber : subscribers_) subscriber(change);
  }

  void report_failure(const Error& error) {
    if (error.kind == ErrorKind::cancelled) return;  // we are being stopped
    report({{{{}, error.message, error.hint}, {}, 0}});
  }

  void report(const std::vector<LocatedProblem>& problems) {
    if (problems == reported_) return;
    reported_ = problems;
    alarm_(problems);
  }

  Workers& workers_;
  Sources sources_;
  Alarm alarm_;
  Check<T> check_;
  std::shared_ptr<const T> current_;
  LoadReport report_;
  StableFiles stillness_;
  int readings_while_written_ = 0;
  std::vector<Subscriber> subscribers_;
  std::vector<LocatedProblem> reported_;
};

}  // namespace deputy::config
