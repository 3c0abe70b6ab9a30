// Counters, gauges and histograms of this process, by name and labels, and their text for Prometheus. Names and help
// are given where something is counted; there is no second list. On the loop only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace deputy::observe {

using Labels = std::map<std::string, std::string>;

/// What one metric is called, and what it counts, in one sentence.
struct MetricName {
  std::string name;
  std::string help;
};

class Metrics {
 public:
  /// Series of one metric; a further one is counted with its label values replaced by "other".
  static constexpr std::size_t kMaxSeries = 200;

  Metrics();
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  // A metric exists once one of these was called for it. A name or a label that Prometheus does not accept is logged
  // and not counted.

  void add(const MetricName& counter, const Labels& labels = {}, double by = 1);
  /// For something that is counted elsewhere: raises the counter to this total; a smaller total changes nothing.
  void raise_to(const MetricName& counter, const Labels& labels, double total);
  void set(const MetricName& gauge, const Labels& labels, double value);
  /// Adds one value to the histogram; its buckets, in ascending order, count when it is first used.
  void observe(const MetricName& histogram, const std::vector<double>& buckets, double value);

  /// Called before each `text`, to read what is counted elsewhere.
  void before_text(std::function<void()> read) { read_.push_back(std::move(read)); }

  /// Everything, in Prometheus' text format.
  std::string text();

 private:
  struct Families;

  std::unique_ptr<Families> families_;
  std::vector<std::function<void()>> read_;
};

}  // namespace deputy::observe
