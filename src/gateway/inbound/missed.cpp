#include "gateway/inbound/missed.h"

#include <fmt/format.h>

#include "base/fields_codec.h"
#include "base/text.h"

namespace deputy::gateway {

namespace {

constexpr std::size_t kMaxFiles = 20;
constexpr std::size_t kDay = std::string_view("2026-11-15").size();

// "2026-11-15 04:10 UTC" as day and time.
std::pair<std::string, std::string> day_and_time(const interaction::Zone& zone, Timestamp at) {
  const std::string whole = interaction::time_in(zone, at);
  return {whole.substr(0, kDay), whole.substr(kDay + 1, 5)};
}

}  // namespace

store::MarkRow keep_missed(const channel::InboundMessage& message, std::string text, std::string person,
                           Timestamp now) {
  const MissedRequest missed{std::move(text), message.ref, message.sender_name, message.begins_thread,
                             files_of(message)};
  return {.kind = std::string(kMissedMark),
          .key = message.key,
          .conversation = message.conversation,
          .person = std::move(person),
          .body = json::serialize(to_json(missed)),
          .at = now,
          .ends_at = now + kMissedKept};
}

Result<MissedRequest> read_missed(const store::MarkRow& mark) {
  TRY(const json::value body, parse_json(mark.body));
  if (!body.is_object()) return fail(ErrorKind::internal, "a missed request is damaged");
  return parse_arguments<MissedRequest>(body.get_object());
}

std::string period_in(const interaction::Zone& zone, const channel::Absence& away) {
  const auto [first_day, from] = day_and_time(zone, away.from);
  const auto [last_day, to] = day_and_time(zone, away.to);
  const std::string name = zone.name == "UTC" ? " UTC" : "";
  if (first_day == last_day) return fmt::format("{}–{}{}", from, to, name);
  return fmt::format("{} {} – {} {}{}", first_day, from, last_day, to, name);
}

std::string away_words(const interaction::Zone& zone, const channel::Absence& away) {
  return fmt::format("I was away {}.", period_in(zone, away));
}

std::string late_words(const interaction::Zone& zone, const channel::Absence& away, Timestamp asked_at) {
  return fmt::format(
      "I was away {}, so I did not see the request of {} in time and have not started it. If you still want it, write "
      "*run it now* to me here.",
      period_in(zone, away), interaction::time_in(zone, asked_at));
}

std::optional<std::vector<run::AttachedFile>> files_of(const channel::InboundMessage& message) {
  if (message.files.empty()) return std::nullopt;
  std::vector<run::AttachedFile> files;
  for (const channel::InboundFile& file : message.files) {
    if (files.size() == kMaxFiles) break;
    files.push_back({to_valid_utf8(file.id), to_valid_utf8(file.name), to_valid_utf8(file.media_type), file.size});
  }
  return files;
}

}  // namespace deputy::gateway
