#include "observe/alerts.h"

#include <fmt/format.h>

#include <exception>

#include "base/log.h"
#include "base/text.h"

namespace deputy::observe {

namespace {

constexpr std::size_t kMaxCause = 200;
constexpr std::string_view kFurther = "further causes";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::string cause_of(std::string_view text) {
  std::string cause;
  bool quoted = false;
  for (const char c : text) {
    if (cause.size() >= kMaxCause) break;
    if (c == '`') quoted = !quoted;
    if (c == '`' || quoted) continue;
    if (!is_digit(c)) cause += c;
    if (is_digit(c) && !cause.ends_with('#')) cause += '#';
  }
  return cause;
}

bool AlertGroups::has_room(Timestamp now) {
  std::erase_if(sent_, [&](Timestamp at) { return now - at >= std::chrono::hours(1) || at > now; });
  if (sent_.size() >= static_cast<std::size_t>(limits_.most_an_hour)) return false;
  sent_.push_back(now);
  return true;
}

bool AlertGroups::take(const std::string& cause, const std::string& text, Timestamp now) {
  const bool is_known = groups_.contains(cause) || groups_.size() < limits_.causes;
  const auto [at, is_new] = groups_.try_emplace(is_known ? cause : std::string(kFurther), Group{now, text});
  if (is_new && has_room(now)) return true;
  at->second.text = text;
  ++at->second.more;
  return false;
}

std::string AlertGroups::say(const Group& group) const {
  return fmt::format("{} ({} within {})", group.text, count_of(group.more, "more time"),
                     format_duration(limits_.window));
}

std::vector<std::string> AlertGroups::due(Timestamp now) {
  std::vector<std::string> texts;
  for (auto at = groups_.begin(); at != groups_.end();) {
    Group& group = at->second;
    // A clock that was set back ends the window too.
    if (now - group.since < limits_.window && group.since <= now) {
      ++at;
    } else if (group.more == 0) {
      at = groups_.erase(at);
    } else if (has_room(now)) {
      texts.push_back(say(group));
      group = {now, group.text};
      ++at;
    } else {
      ++at;  // told when there is room again
    }
  }
  return texts;
}

void Alerts::raise(std::string_view cause, std::string text) noexcept {
  try {
    log::error("alert", {{"cause", cause}, {"text", text}});
    if (!groups_.take(std::string(cause), text, clock_.now())) {
      ++counts_.grouped;
      return;
    }
    ++counts_.sent;
    if (send_) send_(std::move(text));
  } catch (const std::exception& thrown) {
    log::error("an alert could not be raised", {{"why", thrown.what()}});
  }
}

bool Alerts::admit(const std::string& text) {
  const bool now = groups_.take(cause_of(text), text, clock_.now());
  ++(now ? counts_.sent : counts_.grouped);
  return now;
}

void Alerts::tell_what_is_due() {
  for (std::string& text : groups_.due(clock_.now())) {
    ++counts_.sent;
    if (send_) send_(std::move(text));
  }
}

Task<> Alerts::run(std::chrono::milliseconds interval) {
  for (;; co_await sleep_for(interval)) tell_what_is_due();
}

}  // namespace deputy::observe
