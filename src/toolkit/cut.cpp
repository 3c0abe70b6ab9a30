#include "toolkit/cut.h"

#include <fmt/format.h>

#include "base/log.h"
#include "base/text.h"

namespace deputy::toolkit {

namespace {

constexpr std::size_t kMaxCallId = 128;

// A text that must be cut before it is redacted loses this much more at its end, so that a secret split by the cut goes
// too.
constexpr std::size_t kMargin = 64 * 1024;

std::string read_on(std::string_view call_id, std::size_t offset) {
  return fmt::format("read_result(\"{}\", {})", to_valid_utf8(cut_with_mark(call_id, kMaxCallId)), offset);
}

std::string_view skip_characters(std::string_view text, std::size_t count) {
  return text.substr(cut_characters(text, count).size());
}

// Joins `body` and `line` within `most` characters. If there is no room for a body, cuts the line itself.
std::string join_within(std::string_view body, std::string_view line, std::size_t most) {
  const std::size_t line_characters = count_characters(line);
  if (line_characters >= most) return std::string(cut_characters(line, most));
  return fmt::format("{}{}", cut_characters(body, most - line_characters), line);
}

std::string bound_whole(std::string text, const Redact& redact, std::size_t most) {
  text = to_valid_utf8(std::move(text));
  const std::size_t size = text.size();
  const bool too_large_to_search = size > most + kMargin;
  if (too_large_to_search) text.resize(cut_bytes(text, most + kMargin).size());
  std::string redacted = redact_or_withhold(text, redact);
  if (too_large_to_search)
    redacted.resize(cut_bytes(redacted, redacted.size() - std::min(redacted.size(), kMargin)).size());
  if (!too_large_to_search && redacted.size() <= most) return redacted;
  const std::string line = fmt::format("\n[the result was {} bytes long; only this part was kept: ask for less]", size);
  if (line.size() >= most) return std::string(cut_bytes(line, most));
  redacted.resize(cut_bytes(redacted, most - line.size()).size());
  return redacted + line;
}

// Falls back to the unchanged text.
std::string compact_or_keep(const std::string& text, const Compaction& compact) {
  if (!compact) return text;
  try {
    return to_valid_utf8(compact(text));
  } catch (const std::exception& error) {
    log::error("result could not be compacted", {{"what", error.what()}});
    return text;
  }
}

}  // namespace

std::string redact_or_withhold(std::string_view text, const Redact& redact) {
  if (!redact) return std::string(text);
  try {
    return to_valid_utf8(redact(text));
  } catch (const std::exception& error) {
    log::error("result could not be redacted", {{"what", error.what()}});
    return "[withheld: it could not be searched for secrets]";
  }
}

CutResult cut_result(std::string text, std::string_view call_id, const Redact& redact, const Compaction& compact,
                     const CutLimits& limits) {
  CutResult result{bound_whole(std::move(text), redact, limits.whole), {}};
  std::string compacted = compact_or_keep(result.whole, compact);
  if (compacted == result.whole) {
    result.shown = page_of(result.whole, call_id, 0, limits);
    return result;
  }
  const std::size_t whole = count_characters(result.whole);
  std::string line = fmt::format("\n[shortened from {} characters; full text: {}]", whole, read_on(call_id, 0));
  if (count_characters(compacted) + count_characters(line) > limits.shown) {
    line = fmt::format("\n[shortened from {} characters, and cut here; full text: {}; or ask for less]", whole,
                       read_on(call_id, 0));
  }
  result.shown = join_within(compacted, line, limits.shown);
  return result;
}

std::string for_people(std::string_view shown) {
  const std::size_t line = shown.rfind('\n') == std::string_view::npos ? 0 : shown.rfind('\n') + 1;
  const std::string_view last = shown.substr(line);
  if (!last.starts_with('[') || !last.contains("read_result(\"")) return std::string(shown);
  return fmt::format("{}{}]", shown.substr(0, line), last.substr(0, last.find(';')));
}

std::string page_of(std::string_view whole, std::string_view call_id, std::size_t offset, const CutLimits& limits) {
  const std::string_view rest = skip_characters(whole, offset);
  const std::size_t characters = count_characters(rest);
  if (characters <= limits.shown && !(rest.empty() && offset > 0)) return std::string(rest);
  const std::size_t all = count_characters(whole);
  if (rest.empty()) return join_within("", fmt::format("[end of the result: it has {} characters]", all), limits.shown);
  const auto line_after = [&](std::size_t shown) {
    return fmt::format(
        "\n[cut: characters {} to {} of {}; read on with {}, or ask for less: a narrower question, a smaller "
        "limit]",
        offset + 1, offset + shown, all, read_on(call_id, offset + shown));
  };
  // The line is longest for the largest number, so room for that one is room for every other.
  const std::size_t line_characters = count_characters(line_after(limits.shown));
  if (line_characters >= limits.shown) return join_within("", line_after(0), limits.shown);
  const std::size_t shown = limits.shown - line_characters;
  return join_within(cut_characters(rest, shown), line_after(shown), limits.shown);
}

}  // namespace deputy::toolkit
