// The interfaces to where alarms and metrics are kept. A backend knows nothing of people, settings files and models.
//
// To add one: a folder under tools/alarms/ that implements AlarmBackend, MetricsBackend or both, its settings in
// tools/alarms/settings.h, and its case in make_alarm_backends.
#pragma once

#include <array>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "base/task.h"
#include "tools/time_range.h"

namespace deputy::tools {

enum class AlarmState {
  firing,
  pending,   // its condition holds, but not yet for long enough
  silenced,  // it fires, and somebody muted it
  ok,
  no_data,  // it cannot be told
};

constexpr auto choices_of(AlarmState) {
  using S = AlarmState;
  return std::to_array<std::pair<S, std::string_view>>({{S::firing, "firing"},
                                                        {S::pending, "pending"},
                                                        {S::silenced, "silenced"},
                                                        {S::ok, "ok"},
                                                        {S::no_data, "no_data"}});
}

/// Texts are from outside and of any length.
struct Alarm {
  std::string name;
  AlarmState state = AlarmState::firing;
  std::string severity = {};                       // as the vendor spells it; may be empty
  std::string summary = {};                        // what it says for people
  std::map<std::string, std::string> labels = {};  // what it is about: instance, job, dimensions …
  std::optional<Timestamp> since = std::nullopt;   // of this state
  std::string link = {};                           // the vendor's page of it
};

struct AlarmQuery {
  std::optional<AlarmState> state;  // none: all
  std::string prefix;               // of names, ignoring case; empty: all
};

struct FoundAlarms {
  std::vector<Alarm> alarms;
  std::string link;                // the vendor's page of all
  std::vector<std::string> notes;  // each says in a sentence what was left out
};

class AlarmBackend {
 public:
  virtual ~AlarmBackend() = default;

  virtual std::string_view name() const = 0;
  /// Where it reads from, as settings say. It is part of the digest that an approval holds for.
  virtual json::object target() const = 0;
  virtual Task<Result<FoundAlarms>> find(AlarmQuery query, std::chrono::milliseconds limit) = 0;
  /// Makes a harmless read and says in a few words what came back, for `deputy doctor`.
  virtual Task<Result<std::string>> diagnose(std::chrono::milliseconds limit) = 0;
};

struct Sample {
  Timestamp at;
  double value = 0;  // never infinite and never not a number
};

struct MetricSeries {
  std::map<std::string, std::string> labels;
  std::vector<Sample> samples;  // oldest first
};

struct MetricQuery {
  std::string text;  // in the backend's own language, or words where it takes those
  TimeSpan span;
  std::chrono::milliseconds step{};  // between samples
};

inline constexpr std::size_t kMaxSeries = 200;

struct FoundMetrics {
  std::vector<MetricSeries> series;  // at most kMaxSeries
  std::string link;                  // the vendor's page that shows it
  std::vector<std::string> notes;
};

class MetricsBackend {
 public:
  virtual ~MetricsBackend() = default;

  virtual std::string_view name() const = 0;
  virtual json::object target() const = 0;
  /// True: a query is words of names and labels, as people say them.
  virtual bool takes_words() const { return false; }
  /// A query in its language that is right whatever it holds, for `deputy doctor --tools`.
  virtual std::string_view probe() const = 0;
  virtual Task<Result<FoundMetrics>> query(MetricQuery query, std::chrono::milliseconds limit) = 0;
  virtual Task<Result<std::string>> diagnose(std::chrono::milliseconds limit) = 0;
};

}  // namespace deputy::tools
