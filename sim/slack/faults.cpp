#include "sim/slack/faults.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace deputy::sim::slack {

namespace {

constexpr std::size_t kMaxFaults = 1000;
constexpr std::array<std::string_view, 5> kApiKinds = {"delay", "status", "error", "drop", "lose_response"};
constexpr std::array<std::string_view, 4> kDeliveryKinds = {"delay", "drop", "duplicate", "reorder"};
constexpr std::array<std::string_view, 1> kSocketKinds = {"lose_unacknowledged"};

FaultPlace place_of(std::string_view on) {
  if (on == "delivery") return FaultPlace::delivery;
  return on == "socket" ? FaultPlace::socket : FaultPlace::api;
}

std::string_view name_of(FaultPlace place) {
  if (place == FaultPlace::api) return "api";
  return place == FaultPlace::delivery ? "delivery" : "socket";
}

bool has_kind(FaultPlace place, std::string_view kind) {
  if (place == FaultPlace::api) return contains(kApiKinds, kind);
  return place == FaultPlace::delivery ? contains(kDeliveryKinds, kind) : contains(kSocketKinds, kind);
}

int number_at(const json::object& object, std::string_view key, int otherwise) {
  const json::value* value = object.if_contains(key);
  return value != nullptr ? static_cast<int>(as_whole(*value).value_or(otherwise)) : otherwise;
}

}  // namespace

Result<> Faults::add(const json::object& wanted) {
  Fault fault;
  fault.kind = text_at(wanted, "kind");
  fault.place = place_of(text_at(wanted, "on"));
  if (!has_kind(fault.place, fault.kind))
    return fail(ErrorKind::invalid_input, "Unknown fault `" + fault.kind + "` for this place",
                "`on` is api, delivery or socket");
  if (faults_.size() >= kMaxFaults) return fail(ErrorKind::invalid_input, "Too many faults are waiting");
  fault.name = text_at(wanted, "name");
  fault.times = number_at(wanted, "times", 1);
  fault.ms = std::clamp(number_at(wanted, "ms", 0), 0, 600'000);
  fault.status = std::clamp(number_at(wanted, "status", 500), 400, 598);
  fault.retry_after = number_at(wanted, "retry_after", 1);
  fault.error = text_at(wanted, "error");
  faults_.push_back(std::move(fault));
  return {};
}

std::optional<Fault> Faults::take(FaultPlace place, std::string_view name) {
  const auto found = std::ranges::find_if(
      faults_, [&](const Fault& fault) { return fault.place == place && (fault.name.empty() || fault.name == name); });
  if (found == faults_.end()) return std::nullopt;
  Fault taken = *found;
  if (--found->times <= 0) faults_.erase(found);
  return taken;
}

json::array Faults::show() const {
  json::array shown;
  for (const Fault& fault : faults_) {
    shown.push_back({{"on", name_of(fault.place)}, {"kind", fault.kind}, {"name", fault.name}, {"times", fault.times}});
  }
  return shown;
}

}  // namespace deputy::sim::slack
