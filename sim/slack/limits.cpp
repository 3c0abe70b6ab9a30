#include "sim/slack/limits.h"

#include <algorithm>
#include <cmath>

namespace deputy::sim::slack {

using std::chrono::milliseconds;

int Limits::per_minute(std::string_view method, Tier tier) const {
  if (const auto own = methods_.find(method); own != methods_.end()) return own->second;
  switch (tier) {
    case Tier::one:
      return tiers_.at("1");
    case Tier::two:
      return tiers_.at("2");
    case Tier::three:
      return tiers_.at("3");
    case Tier::four:
    case Tier::special:
      return tiers_.at("4");
  }
  return tiers_.at("1");
}

std::optional<int> Limits::call(std::string_view method, Tier tier, Timestamp now) {
  Minute& minute = minutes_[std::string(method)];
  if (now - minute.began >= std::chrono::minutes(1)) minute = {now, 0};
  if (minute.calls >= per_minute(method, tier)) {
    const auto left = minute.began + std::chrono::minutes(1) - now;
    return static_cast<int>(std::chrono::ceil<std::chrono::seconds>(left).count());
  }
  ++minute.calls;
  return std::nullopt;
}

std::optional<int> Limits::post(std::string_view channel, Timestamp now) {
  const auto [place, is_new] = posts_.try_emplace(std::string(channel), Posts{now, post_burst_});
  Posts& posts = place->second;
  const double seconds = std::chrono::duration<double>(now - posts.last).count();
  posts.left = std::min(post_burst_, posts.left + seconds * posts_per_second_);
  posts.last = now;
  if (posts.left < 1) return std::max(1, static_cast<int>(std::ceil((1 - posts.left) / posts_per_second_)));
  posts.left -= 1;
  return std::nullopt;
}

void Limits::flood(std::string_view channel, std::chrono::seconds time, Timestamp now) {
  posts_.insert_or_assign(std::string(channel), Posts{now, 1 - static_cast<double>(time.count()) * posts_per_second_});
}

Result<> Limits::set(const json::object& changes) {
  const auto number = [&](const json::value& value, double current) -> Result<double> {
    if (!value.is_number()) return fail(ErrorKind::invalid_input, "A limit is a number");
    const double wanted = value.to_number<double>();
    if (!(wanted > 0 && wanted <= 1e9)) return fail(ErrorKind::invalid_input, "A limit is between 0 and 1e9");
    raised_ = raised_ || wanted > current;
    return wanted;
  };
  for (const auto& [part, value] : changes) {
    const json::object* values = value.if_object();
    if (values == nullptr) return fail(ErrorKind::invalid_input, "Each part of the limits is an object");
    for (const auto& [name, wanted] : *values) {
      const std::string key(name);
      if (part == "tiers" && tiers_.contains(key)) {
        TRY(const double calls, number(wanted, tiers_[key]));
        tiers_[key] = static_cast<int>(calls);
      } else if (part == "methods") {
        TRY(const double calls, number(wanted, methods_.contains(key) ? methods_[key] : tiers_.at("4")));
        methods_[key] = static_cast<int>(calls);
      } else if (part == "posts" && (key == "per_second" || key == "burst")) {
        double& limit = key == "burst" ? post_burst_ : posts_per_second_;
        TRY(limit, number(wanted, limit));
      } else {
        return fail(ErrorKind::invalid_input, "Unknown limit `" + std::string(part) + "." + key + "`");
      }
    }
  }
  minutes_.clear();
  posts_.clear();
  return {};
}

json::object Limits::show() const {
  json::object tiers;
  for (const auto& [tier, calls] : tiers_) tiers[tier] = calls;
  json::object methods;
  for (const auto& [method, calls] : methods_) methods[method] = calls;
  return {{"tiers", std::move(tiers)},
          {"methods", std::move(methods)},
          {"posts", {{"per_second", posts_per_second_}, {"burst", post_burst_}}},
          {"raised", raised_}};
}

}  // namespace deputy::sim::slack
