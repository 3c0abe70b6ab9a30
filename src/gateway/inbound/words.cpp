#include "gateway/inbound/words.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/clock.h"
#include "base/fields_codec.h"
#include "base/ids.h"
#include "base/secret.h"
#include "base/text.h"
#include "interaction/codes.h"

namespace deputy::gateway {

namespace {

using Kind = Command::Kind;

constexpr auto kWords = std::to_array<std::pair<std::string_view, Kind>>({
    {"help", Kind::help},
    {"status", Kind::status},
    {"cost", Kind::cost},
    {"approvals", Kind::approvals},
    {"grants", Kind::grants},
    {"tasks", Kind::tasks},
    {"delete", Kind::remove},
    {"mute", Kind::mute},
    {"unmute", Kind::unmute},
    {"pause", Kind::pause},
    {"pause writes", Kind::pause_writes},
    {"resume", Kind::resume},
    {"feedback helpful", Kind::helpful},
    {"feedback wrong", Kind::wrong},
    {kRunNow, Kind::run_now},
    {kStopListening, Kind::stop_listening},
});

constexpr std::size_t kMaxWhy = 1000;  // characters

std::string_view without_full_stop(std::string_view text) {
  while (!text.empty() && (text.back() == '.' || text.back() == '!' || text.back() == '?')) text.remove_suffix(1);
  return trim(text);
}

// A run's id is often copied with the marks around it.
std::string_view without_marks(std::string_view text) {
  if (text.size() > 2 && text.starts_with('`') && text.ends_with('`')) text = text.substr(1, text.size() - 2);
  return text;
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
  // Anything else after the word is a request: "show me the errors".
  if (const auto shown = after("show", without_full_stop(text))) {
    const Result<RunId> run = RunId::parse(without_marks(*shown));
    if (run) return Command{.kind = Kind::show, .run = run->text()};
  }
  for (const Kind kind : {Kind::helpful, Kind::wrong}) {
    const auto why = after(kind == Kind::helpful ? "feedback helpful" : "feedback wrong", text);
    if (!why) continue;
    const std::string_view said = trim(why->substr(std::min(why->find_first_not_of(":,;- "), why->size())));
    return Command{kind, {}, cut_with_mark(said, kMaxWhy)};
  }
  return std::nullopt;
}

Button make_button(std::string label, const ButtonWords& words, store::MarkRow like) {
  std::array<std::uint8_t, 13> random{};
  fill_random(random);
  Button button{{std::move(label), interaction::make_token(random)}, std::move(like)};
  button.mark.kind = kControlMark;
  button.mark.key = button.control.token;
  button.mark.body = json::serialize(to_json(words));
  return button;
}

Result<ButtonWords> read_button(const store::MarkRow& mark) {
  TRY(const json::object body, parse_json_object(mark.body));
  return parse_arguments<ButtonWords>(body);
}

}  // namespace deputy::gateway
