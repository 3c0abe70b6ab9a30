#include "gateway/inbound/words.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/clock.h"
#include "base/text.h"

namespace deputy::gateway {

namespace {

using Kind = Command::Kind;

constexpr auto kWords = std::to_array<std::pair<std::string_view, Kind>>({
    {"help", Kind::help},
    {"status", Kind::status},
    {"approvals", Kind::approvals},
    {"delete", Kind::remove},
    {"mute", Kind::mute},
    {"unmute", Kind::unmute},
    {"pause", Kind::pause},
    {"pause writes", Kind::pause_writes},
    {"resume", Kind::resume},
    {"feedback helpful", Kind::helpful},
    {"feedback wrong", Kind::wrong},
    {"run it now", Kind::run_now},
});

constexpr std::size_t kMaxWhy = 1000;  // characters

std::string_view without_full_stop(std::string_view text) {
  while (!text.empty() && (text.back() == '.' || text.back() == '!' || text.back() == '?')) text.remove_suffix(1);
  return trim(text);
}

// The rest of a text that begins with this word; nothing if it does not.
std::optional<std::string_view> after(std::string_view word, std::string_view text) {
  if (text.size() <= word.size() || to_lower(text.substr(0, word.size())) != word) return std::nullopt;
  const std::string_view rest = text.substr(word.size());
  if (is_letter_or_digit(rest.front())) return std::nullopt;
  return trim(rest);
}

}  // namespace

std::optional<Command> read_command(std::string_view text) {
  text = trim(text);
  const std::string whole = to_lower(without_full_stop(text));
  for (const auto& [word, kind] : kWords) {
    if (whole == word) return Command{kind, kind == Kind::mute ? kMuteByDefault : std::chrono::milliseconds{}};
  }
  if (const auto time = after("mute", without_full_stop(text))) {
    const Result<std::chrono::milliseconds> read = parse_duration(*time);
    if (read && *read > std::chrono::milliseconds(0)) {
      return Command{Kind::mute, std::min<std::chrono::milliseconds>(*read, kLongestMute)};
    }
  }
  for (const Kind kind : {Kind::helpful, Kind::wrong}) {
    const auto why = after(kind == Kind::helpful ? "feedback helpful" : "feedback wrong", text);
    if (!why) continue;
    const std::string_view said = trim(why->substr(std::min(why->find_first_not_of(":,;- "), why->size())));
    return Command{kind, {}, cut_with_mark(said, kMaxWhy)};
  }
  return std::nullopt;
}

}  // namespace deputy::gateway
