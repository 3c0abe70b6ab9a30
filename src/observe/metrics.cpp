#include "observe/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <exception>
#include <set>

#include "base/log.h"

namespace deputy::observe {

namespace {

Labels as_other(Labels labels) {
  for (auto& [label, value] : labels) value = "other";
  return labels;
}

}  // namespace

struct Metrics::Families {
  prometheus::Registry registry;
  std::map<std::string, prometheus::Family<prometheus::Counter>*> counters;
  std::map<std::string, prometheus::Family<prometheus::Gauge>*> gauges;
  std::map<std::string, prometheus::Family<prometheus::Histogram>*> histograms;
  std::map<std::string, std::set<Labels>> series;

  /// The labels to count under.
  Labels bounded(const std::string& name, const Labels& labels) {
    std::set<Labels>& known = series[name];
    if (known.contains(labels)) return labels;
    if (known.size() >= kMaxSeries) return as_other(labels);
    known.insert(labels);
    return labels;
  }

  prometheus::Counter& counter(const MetricName& metric, const Labels& labels) {
    auto& family = counters[metric.name];
    if (family == nullptr) family = &prometheus::BuildCounter().Name(metric.name).Help(metric.help).Register(registry);
    return family->Add(bounded(metric.name, labels));
  }

  prometheus::Gauge& gauge(const MetricName& metric, const Labels& labels) {
    auto& family = gauges[metric.name];
    if (family == nullptr) family = &prometheus::BuildGauge().Name(metric.name).Help(metric.help).Register(registry);
    return family->Add(bounded(metric.name, labels));
  }

  prometheus::Histogram& histogram(const MetricName& metric, const std::vector<double>& buckets) {
    auto& family = histograms[metric.name];
    if (family == nullptr)
      family = &prometheus::BuildHistogram().Name(metric.name).Help(metric.help).Register(registry);
    return family->Add({}, buckets);
  }

  // The library throws for a name that is not allowed, or one that is taken by another kind of metric.
  template <class Count>
  static void safely(const MetricName& metric, Count count) {
    try {
      count();
    } catch (const std::exception& refused) {
      log::error("a metric was not counted", {{"metric", metric.name}, {"why", refused.what()}});
    }
  }
};

Metrics::Metrics() : families_(std::make_unique<Families>()) {}
Metrics::~Metrics() = default;

void Metrics::add(const MetricName& counter, const Labels& labels, double by) {
  Families::safely(counter, [&] { families_->counter(counter, labels).Increment(by); });
}

void Metrics::raise_to(const MetricName& counter, const Labels& labels, double total) {
  Families::safely(counter, [&] {
    prometheus::Counter& counted = families_->counter(counter, labels);
    if (total > counted.Value()) counted.Increment(total - counted.Value());
  });
}

void Metrics::set(const MetricName& gauge, const Labels& labels, double value) {
  Families::safely(gauge, [&] { families_->gauge(gauge, labels).Set(value); });
}

void Metrics::observe(const MetricName& histogram, const std::vector<double>& buckets, double value) {
  Families::safely(histogram, [&] { families_->histogram(histogram, buckets).Observe(value); });
}

std::string Metrics::text() {
  for (const auto& read : read_) read();
  return prometheus::TextSerializer().Serialize(families_->registry.Collect());
}

}  // namespace deputy::observe
