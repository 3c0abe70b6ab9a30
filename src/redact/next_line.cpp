#include "redact/next_line.h"

#include <algorithm>

#include "base/characters.h"
#include "redact/patterns.h"
#include "redact/writing.h"

namespace deputy::redact {

namespace {

using Form = Setting::Form;

/// What may stand before `value:`: blanks, quotes, the marks of a diff.
constexpr std::string_view kBeforeKey = " \t+-~>|{\"'`\\";

bool is_block_mark_at_end(Reader& reader) {
  if (reader.skip("|>") > 0) reader.skip("+-0123456789");
  reader.skip_blanks();
  return reader.ended();
}

/// What a name at the end of `piece` waits for.
Asked asked_by(std::string_view piece, const Name& name, const Context& context) {
  Reader reader(piece, name.range.end);
  reader.take_quote();
  reader.skip_emphasis();
  reader.skip_blanks();
  const bool prose = reader.take("is") || reader.take("was");
  if (reader.take(":")) {
    reader.skip_emphasis();
    reader.skip_blanks();
    if (!is_block_mark_at_end(reader)) return {};
    return {Asked::For::value, name.kind, is_first(piece, name.range.begin, context)};
  }
  reader.take(",");
  reader.skip_blanks();
  const bool is_value = !prose && reader.ended() && is_after_key(piece, name.range.begin, context);
  return is_value ? Asked{Asked::For::value_line, name.kind} : Asked{};
}

std::optional<Range> if_secret(const Setting& setting, Range value, std::string_view line) {
  return !value.empty() && is_secret_value(setting, value.of(line)) ? std::optional(value) : std::nullopt;
}

/// True for `user=bo`: a setting of its own. Base64 has its `=` at the end.
bool is_setting(std::string_view value) {
  const std::size_t name = value.find_first_of(":=");
  return name != std::string_view::npos &&
         std::ranges::all_of(value.substr(0, name), [](char c) { return is_name_character(c) && !is_digit(c); }) &&
         (value[name] == ':' || value.find_first_not_of('=', name) != std::string_view::npos);
}

/// A line that is nothing but the value.
std::optional<Range> plain_answer(std::string_view line, const Asked& asked) {
  Reader reader(line, 0);
  const bool indented = reader.skip_blanks() > 0;
  // `if not password:` and a line that is not even indented are no settings, and other names have lists below them.
  const bool like_a_setting = asked.first && indented && asked.name >= NameKind::password;
  Setting setting{.name = asked.name, .form = Form::colon, .alone = true, .first = like_a_setting};
  const std::string_view quote = reader.sees("```") ? "```" : reader.take_string_opening();
  if (!quote.empty()) {
    reader.take("```");
    const Value value = Value{{reader.at(), reader.at()}, quote}.at_most(line, line.size());
    setting.quoted = true;
    return only_comment_follows(line, value.after_quote()) ? if_secret(setting, value.range, line) : std::nullopt;
  }
  const Range value{reader.at(), line.find_last_not_of(" \t") + 1};
  const bool one_word = value.of(line).find_first_of(" \t") == std::string_view::npos;
  if (value.empty() || is_setting(value.of(line)) || (!one_word && asked.name != NameKind::passphrase))
    return std::nullopt;
  return if_secret(setting, value, line);
}

}  // namespace

Asked asks_next_line(std::string_view piece, const Context& context) {
  std::size_t at = piece.find_last_of("\n\r") + 1;  // 0 when there is only one line
  if (context.asked && at == 0) {
    Reader reader(piece, 0);
    reader.skip(kBeforeKey);
    if (is_value_key(reader.take_key()) && is_block_mark_at_end(reader))
      return {Asked::For::value, context.asked.name, true};
  }
  while (const std::optional<Range> hint = patterns().next_name_hint(piece, at)) {
    const Name name = name_around(piece, *hint, at);
    at = std::max(hint->end, name.range.end);
    if (name.kind < NameKind::reference) continue;
    if (const Asked asked = asked_by(piece, name, context)) return asked;
  }
  return {};
}

std::optional<bool> may_answer(std::string_view beginning, const Asked& asked) {
  constexpr std::size_t kEnoughForAKey = 96;
  if (!beginning.empty() && is_line_end(beginning[0])) return false;
  if (asked.what == Asked::For::value) return beginning.empty() ? std::nullopt : std::optional(true);
  Reader reader(beginning.substr(0, kEnoughForAKey), 0);
  reader.skip(kBeforeKey);
  const std::string_view key = reader.take_name();
  if (!reader.ended()) return is_value_key(key);
  return beginning.size() < kEnoughForAKey ? std::nullopt : std::optional(false);
}

std::optional<Range> find_answer(std::string_view line, const Asked& asked) {
  Reader reader(line, 0);
  reader.skip(kBeforeKey);
  if (is_value_key(reader.take_key())) {
    const Value value = read_value(line, reader).at_most(line, line.size());
    return if_secret({.name = asked.name, .form = Form::equals, .quoted = value.quoted()}, value.range, line);
  }
  return asked.what == Asked::For::value ? plain_answer(line, asked) : std::nullopt;
}

}  // namespace deputy::redact
