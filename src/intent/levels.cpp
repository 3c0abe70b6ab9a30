#include "intent/levels.h"

#include "base/text.h"
#include "intent/names.h"

namespace deputy::intent {

namespace {

struct LevelWord {
  std::string_view word;
  std::string_view text;
};
constexpr LevelWord kAlone[] = {{"warnings", "warn"}, {"fatals", ""}, {"criticals", ""}};
constexpr LevelWord kBeforeEntries[] = {{"warning", "warn"}, {"warn", "warn"}, {"info", "info"}, {"debug", "debug"},
                                        {"trace", "trace"},  {"fatal", ""},    {"critical", ""}, {"severe", ""}};
constexpr std::string_view kEntries[] = {"log",     "logs",    "line",     "lines", "entry",
                                         "entries", "message", "messages", "event", "events"};

/// Behind "level" or "-level", where that follows.
std::size_t skip_level(const Tokens& tokens, std::size_t at) {
  const std::size_t word = tokens[at].is_symbol('-') ? at + 1 : at;
  return tokens[word].is("level") ? word + 1 : at;
}

}  // namespace

std::optional<Level> read_level(const Tokens& tokens, std::size_t at) {
  if (!tokens[at].is_word() || tokens.tied_before(at)) return std::nullopt;
  for (const LevelWord& row : kAlone) {
    if (tokens[at].is(row.word)) return Level{row.text, at + 1};
  }
  const std::size_t next = skip_level(tokens, at + 1);
  if (!contains(kEntries, tokens[next].lower)) return std::nullopt;
  for (const LevelWord& row : kBeforeEntries) {
    if (tokens[at].is(row.word)) return Level{row.text, next};
  }
  return std::nullopt;
}

}  // namespace deputy::intent
