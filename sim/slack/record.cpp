#include "sim/slack/record.h"

#include <algorithm>
#include <boost/asio/redirect_error.hpp>

namespace deputy::sim::slack {

bool has_all(const json::value& value, const json::value& match) {
  if (!match.is_object()) return value == match;
  if (!value.is_object()) return false;
  return std::ranges::all_of(match.get_object(), [&](const auto& field) {
    const json::value* found = value.get_object().if_contains(field.key());
    return found != nullptr && has_all(*found, field.value());
  });
}

void Record::add(std::string_view kind, json::object what) {
  json::object entry = {{"n", ++count_}, {"at", format_timestamp(clock_.now())}, {"kind", kind}};
  for (auto& [key, value] : what) entry[key] = std::move(value);
  entries_.push_back(std::move(entry));
  if (entries_.size() > kMaxEntries) entries_.pop_front();
  for (asio::steady_timer* timer : waiting_) timer->cancel();
}

const json::object* Record::entry(std::int64_t n) const {
  const std::int64_t first = count_ - static_cast<std::int64_t>(entries_.size()) + 1;
  return n < first || n > count_ ? nullptr : &entries_[static_cast<std::size_t>(n - first)];
}

json::array Record::find(std::int64_t after, std::string_view kind, const json::object& match) const {
  json::array found;
  const std::int64_t first = count_ - static_cast<std::int64_t>(entries_.size()) + 1;
  for (std::int64_t n = std::max(after + 1, first); n <= count_; ++n) {
    const json::object& one = *entry(n);
    if (!kind.empty() && as_view(one.at("kind").as_string()) != kind) continue;
    if (has_all(one, match)) found.push_back(one);
  }
  return found;
}

Task<json::array> Record::wait(std::int64_t after, std::string kind, json::object match,
                               std::chrono::milliseconds limit) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  asio::steady_timer timer(co_await asio::this_coro::executor);
  const auto place = waiting_.insert(waiting_.end(), &timer);
  const auto leave = [this](auto* position) { waiting_.erase(*position); };
  const std::unique_ptr<const std::list<asio::steady_timer*>::iterator, decltype(leave)> guard(&place, leave);
  while (true) {
    json::array found = find(after, kind, match);
    if (!found.empty() || std::chrono::steady_clock::now() >= deadline) co_return found;
    timer.expires_at(deadline);
    boost::system::error_code ended;
    co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ended));
    // A cancelled timer means a new entry; a cancelled task throws at its next await.
  }
}

}  // namespace deputy::sim::slack
