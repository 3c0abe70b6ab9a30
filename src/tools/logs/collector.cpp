#include "tools/logs/collector.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "tools/logs/shape.h"

namespace deputy::tools::logs {

namespace {

constexpr std::size_t kKeyHead = sizeof(std::size_t) + 1;  // service and level stand before the shape

std::string readable(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  return to_valid_utf8(std::string(text));
}

/// More than is shown, so that the report can redact a secret that crosses the end of what it shows.
std::string_view beginning(std::string_view text, std::size_t most) { return text.substr(0, most * 4); }

}  // namespace

void Collector::widen(Group& group, std::optional<Timestamp> first, std::optional<Timestamp> last) {
  if (first && (!group.first || *first < *group.first)) group.first = first;
  if (last && (!group.last || *last > *group.last)) group.last = last;
}

void Collector::add(const Entry& entry, std::string_view text, std::size_t service, EntryPosition place) {
  ++matched_;
  if (!entry.at) ++without_time_;
  if (entry.at && span_.contains(*entry.at)) ++course_.counts[course_.step_of(span_, *entry.at)];
  key_.assign(reinterpret_cast<const char*>(&service), sizeof(service));
  key_ += static_cast<char>(entry.level);
  append_shape(entry.message, key_);
  auto found = groups_.find(std::string_view(key_));
  if (found == groups_.end() && groups_.size() < kMaxShapes) {
    Group group{service, entry.level, 0, entry.at, entry.at, place, {}, {}};
    group.message = beginning(entry.message, kMaxMessage);
    group.example = beginning(text.substr(0, text.find('\n')), kMaxExample);
    found = groups_.emplace(key_, std::move(group)).first;
  }
  if (found == groups_.end()) {
    ++ungrouped_;
  } else {
    ++found->second.count;
    widen(found->second, entry.at, entry.at);
  }
  if (max_newest_ == 0) return;
  if (newest_.size() == max_newest_ && std::tie(entry.at, place) < newest_.front().rank()) return;
  keep({entry.at, place, service, std::string(beginning(text, kMaxShown))});
}

void Collector::keep(Kept kept) {
  if (newest_.size() == max_newest_) {
    if (max_newest_ == 0 || kept.rank() < newest_.front().rank()) return;
    std::ranges::pop_heap(newest_, std::greater{}, &Kept::rank);
    newest_.back() = std::move(kept);
  } else {
    newest_.push_back(std::move(kept));
  }
  std::ranges::push_heap(newest_, std::greater{}, &Kept::rank);
}

void Collector::merge(Collector other) {
  matched_ += other.matched_;
  ungrouped_ += other.ungrouped_;
  without_time_ += other.without_time_;
  for (std::size_t at = 0; at < course_.counts.size(); ++at) course_.counts[at] += other.course_.counts[at];
  for (auto& [key, group] : other.groups_) {
    const auto found = groups_.find(key);
    if (found == groups_.end()) {
      if (groups_.size() < kMaxShapes) {
        groups_.emplace(key, std::move(group));
      } else {
        ungrouped_ += group.count;
      }
      continue;
    }
    Group& mine = found->second;
    mine.count += group.count;
    widen(mine, group.first, group.last);
    if (group.example_place < mine.example_place) {
      mine.example_place = group.example_place;
      mine.message = std::move(group.message);
      mine.example = std::move(group.example);
    }
  }
  for (Kept& kept : other.newest_) keep(std::move(kept));
}

void Collector::report(const std::vector<std::string>& services, LogFindings& into) const {
  into.matched = matched_;
  into.ungrouped = ungrouped_;
  into.course = course_;
  std::vector<const Groups::value_type*> most_first;
  most_first.reserve(groups_.size());
  for (const Groups::value_type& one : groups_) most_first.push_back(&one);
  const auto rank = [&](const Groups::value_type* one) {
    return std::tuple(-one->second.count, std::string_view(one->first).substr(kKeyHead),
                      std::string_view(services[one->second.service]));
  };
  std::ranges::sort(most_first, {}, rank);
  for (const auto* one : most_first) {
    const Group& group = one->second;
    into.groups.push_back({readable(group.message), services[group.service], group.level, group.count, group.first,
                           group.last, readable(group.example)});
  }
  if (into.groups.size() > kMaxGroupsReported) {
    for (std::size_t at = kMaxGroupsReported; at < into.groups.size(); ++at) into.ungrouped += into.groups[at].count;
    into.groups.resize(kMaxGroupsReported);
  }
  std::vector<const Kept*> kept;
  kept.reserve(newest_.size());
  for (const Kept& one : newest_) kept.push_back(&one);
  std::ranges::sort(kept, [](const Kept* a, const Kept* b) { return a->rank() < b->rank(); });
  for (const Kept* one : kept) into.newest.push_back({one->at, services[one->service], readable(one->text)});
  if (without_time_ > 0) {
    into.notes.push_back(
        without_time_ == 1
            ? "1 entry has no time; it counts because its file was written in or after the time range"
            : fmt::format("{} entries have no time; they count because their files were written in or after the time "
                          "range",
                          without_time_));
  }
}

}  // namespace deputy::tools::logs
