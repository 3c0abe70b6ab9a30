#include "redact/assignments.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "redact/http_credentials.h"
#include "redact/shapes.h"
#include "redact/syntax.h"

namespace deputy::redact {

namespace {

using Form = NamedValue::Form;
using Style = Separator::Style;

bool is_text_in_base64(std::string_view value) {
  const std::string decoded = decode_base64(value);
  return !decoded.empty() && std::ranges::all_of(decoded, [](char c) { return c >= ' ' && c <= '~'; });
}

std::optional<Range> secret_in_element(std::string_view text, std::size_t at, NameKind name) {
  const Range value{at, std::min(text.find('<', at), text.size())};
  const NamedValue setting{.name = name, .form = Form::equals, .quoted = true};
  const bool counts =
      text.substr(value.end).starts_with("</") && !value.empty() && is_secret_value(setting, value.of(text));
  return counts ? std::optional(value) : std::nullopt;
}

/// `define('DB_PASSWORD', 'x')`, `fetch("DB_PASSWORD", "x")`: a constant whose value is the last argument.
bool is_constant_with_value(std::string_view name, std::string_view after_value) {
  const std::size_t next = after_value.find_first_not_of(" \t");
  return std::ranges::none_of(name, is_lower) && next != std::string_view::npos && after_value[next] == ')';
}

/// The rest of the line without its comment, when it is more than one word: a passphrase may have no quotes.
std::optional<Range> words_to_line_end(std::string_view text, std::size_t from) {
  std::string_view line = text.substr(from, kMaxOrdinary);
  line = line.substr(0, std::min({line.find_first_of("\n\r"), line.find(" #"), line.size()}));
  const std::size_t end = line.find_last_not_of(" \t") + 1;
  return line.substr(0, end).contains(' ') ? std::optional(Range{from, from + end}) : std::nullopt;
}

/// The next cell of a table, when it is one word and a secret.
std::optional<Range> secret_in_cell(std::string_view text, Reader& reader, const Name& name, const Context& context) {
  const std::size_t begin = name.range.begin;
  if (!is_in_cell(text, begin, context) && !is_first(text, begin, context)) return std::nullopt;
  Value value = read_value(text, reader);
  if (!value.quoted()) {
    std::string_view cell = text.substr(value.range.begin, kMaxOrdinary);
    cell = cell.substr(0, std::min({cell.find_first_of("|\n\r"), cell.find("│"), cell.size()}));
    value.range.end = value.range.begin + cell.find_last_not_of(" \t") + 1;
    if (value.range.of(text).find_first_of(" \t") != std::string_view::npos) return std::nullopt;
  }
  const NamedValue setting{.name = name.kind, .form = Form::apart, .quoted = value.quoted()};
  const bool counts = !value.range.empty() && is_secret_value(setting, value.range.of(text));
  return counts ? std::optional(value.range) : std::nullopt;
}

/// The kind of `name` in its context. `key` by itself is a name only right before a `:` or a `=`; after a word such as
/// `API` it is one anywhere.
NameKind kind_in_place(std::string_view text, const Name& name, const Context& context) {
  if (name.kind != NameKind::faint || to_lower(name.range.of(text)) != "key") return name.kind;
  if (is_after_owner(text, name.range.begin, context)) return NameKind::hint;
  Reader reader(text, name.range.end);
  reader.take_quote();
  return reader.sees(":") || reader.sees("=") ? name.kind : NameKind::ordinary;
}

/// `PASS: oauth2`, `pass: test_login2`: a test runner's output at the start of a line.
bool is_outcome_of_test(std::string_view name, const NamedValue& setting, std::string_view value) {
  if (setting.form != Form::colon || setting.quoted || !setting.first || to_lower(name) != "pass") return false;
  return name == "PASS" || is_name_of_test(value);
}

/// The value of `name`, when it is a secret.
std::optional<Range> secret_of(std::string_view text, const Name& name, const Context& context) {
  Reader reader(text, name.range.end);
  const std::optional<Separator> separator =
      read_separator(reader, name.range.begin > 0 ? text[name.range.begin - 1] : '\0');
  if (!separator || reader.ended()) return std::nullopt;
  if (separator->style == Style::element) return secret_in_element(text, reader.at(), name.kind);
  if (separator->style == Style::cell) return secret_in_cell(text, reader, name, context);

  const Value value = read_value(text, reader);
  if (value.range.empty()) return std::nullopt;
  const std::size_t after = value.after_quote();
  if (separator->style == Style::argument &&
      !is_constant_with_value(name.range.of(text), text.substr(std::min(after, text.size()))))
    return std::nullopt;
  if (separator->form == Form::flag && !value.quoted() && text[value.range.begin] == '-') return std::nullopt;
  NamedValue setting{.name = name.kind,
                     .form = separator->form,
                     .quoted = value.quoted(),
                     .structured = is_in_structure(text, name.range.begin, context),
                     .alone = only_comment_follows(text, after),
                     .first = is_first(text, name.range.begin, context)};
  if (is_outcome_of_test(name.range.of(text), setting, value.range.of(text))) setting.name = NameKind::faint;
  const bool assigned =
      setting.form == Form::colon || setting.form == Form::equals || setting.form == Form::spaced_equals;
  if (name.kind == NameKind::passphrase && assigned && !setting.quoted && setting.first) {
    if (const std::optional<Range> words = words_to_line_end(text, value.range.begin)) {
      setting.alone = true;
      return is_secret_value(setting, words->of(text)) ? words : std::nullopt;
    }
  }
  const bool endless = value.range.end - value.range.begin >= kMaxOrdinary && name.kind >= NameKind::reference;
  if (!endless && !is_secret_value(setting, value.range.of(text))) return std::nullopt;
  return value.at_most(text, text.size()).range;
}

/// The value of `{value: x, name: DB_PASSWORD}`; `key` is the name of the value.
std::optional<Range> secret_before_its_name(std::string_view text, const Name& key) {
  Reader reader(text, key.range.end);
  reader.take_quote();
  reader.skip_blanks();
  if (!reader.take(":") && !reader.take("=")) return std::nullopt;
  reader.skip_blanks();
  const Value value = read_value(text, reader);
  Reader after(text, std::min(value.after_quote(), text.size()));
  after.skip_blanks();
  if (!after.take(",")) return std::nullopt;
  after.skip_blanks();
  if (!is_name_key(after.take_key())) return std::nullopt;
  after.take_quote();
  const NamedValue setting{.name = kind_of_name(after.take_name()), .form = Form::equals, .quoted = value.quoted()};
  return !value.range.empty() && is_secret_value(setting, value.range.of(text)) ? std::optional(value.range)
                                                                                : std::nullopt;
}

/// The second value of `password = "old" -> "new"`.
std::optional<Range> changed_to(std::string_view text, Range old) {
  Reader reader(text, old.end);
  if (reader.take_quote().empty()) return std::nullopt;
  reader.skip_blanks();
  if (!reader.take("->")) return std::nullopt;
  reader.skip_blanks();
  const Value value = read_value(text, reader);
  if (!value.quoted() || value.range.empty() || is_placeholder(value.range.of(text))) return std::nullopt;
  return value.at_most(text, text.size()).range;
}

// The data of a cluster's Secret: `data:` with values in base64, or `stringData:`, and a name and a value on each of
// the lines below it. As what the next line is asked for these are a hint and a faint name, which ask for nothing else.
constexpr NameKind kInBase64 = NameKind::hint, kAsText = NameKind::faint;

AwaitedValue asked_by_data(std::string_view line) {
  Reader reader(line, 0);
  reader.skip_blanks();
  const std::string_view key = reader.take_key();
  reader.take("{");
  reader.skip_blanks();
  if (!reader.ended()) return {};
  if (key == "data") return {AwaitedValue::For::value, kInBase64, true};
  return key == "stringData" ? AwaitedValue{AwaitedValue::For::value, kAsText, true} : AwaitedValue{};
}

bool is_data(const AwaitedValue& asked) { return asked.name == kInBase64 || asked.name == kAsText; }

/// Base64 of text, or of random bytes.
bool is_data_in_base64(std::string_view value) {
  constexpr std::size_t kShortest = 8;
  if (value.size() < kShortest || value.size() % 4 != 0 || !std::ranges::all_of(value, is_base64_or_padding))
    return false;
  return looks_generated(value) || is_text_in_base64(value);
}

std::optional<Range> find_data(std::string_view line, const AwaitedValue& asked) {
  Reader reader(line, 0);
  if (reader.skip_blanks() == 0 || reader.take_key().empty()) return std::nullopt;
  const Value value = read_value(line, reader).at_most(line, line.size());
  const std::string_view text = value.range.of(line);
  if (text.empty() || is_placeholder(text)) return std::nullopt;
  return asked.name == kAsText || is_data_in_base64(text) ? std::optional(value.range) : std::nullopt;
}

/// The data of a Secret as JSON on one line, as `kubectl -o json` prints it for programs.
void find_data_on_line(std::string_view text, std::vector<Finding>& found) {
  if (!text.contains(R"("Secret")") && !text.contains(R"(\"Secret\")")) return;
  for (std::size_t at = text.find("ata"); at != std::string_view::npos; at = text.find("ata", at + 1)) {
    std::size_t begin = at;
    while (begin > 0 && is_letter(text[begin - 1])) --begin;
    Reader reader(text, begin);
    const std::string_view key = reader.take_key();
    if ((key != "data" && key != "stringData") || !reader.take("{")) continue;
    do {
      reader.skip_blanks();
      if (reader.take_key().empty()) break;
      const Value value = read_value(text, reader);
      if (!value.quoted()) break;
      const Range whole = value.at_most(text, text.size()).range;
      const std::string_view written = whole.of(text);
      const bool counts = key == "stringData" ? !is_placeholder(written) : is_data_in_base64(written);
      if (counts) found.push_back({whole, kNamed});
      reader = Reader(text, std::min(whole.end + value.quote.size(), text.size()));
      reader.skip_blanks();
    } while (reader.take(","));
    at = std::max(at, reader.at());  // nothing is read twice
  }
}

/// The value of `name` when it could be text in base64, which may hold a secret.
std::optional<Range> base64_of(std::string_view text, const Name& name) {
  constexpr std::size_t kShortest = 16;
  Reader reader(text, name.range.end);
  if (!read_separator(reader, name.range.begin > 0 ? text[name.range.begin - 1] : '\0')) return std::nullopt;
  Range value = read_value(text, reader).range;
  while (!value.empty() && std::string_view(".,;)").contains(text[value.end - 1])) --value.end;
  const std::string_view written = value.of(text);
  const bool counts = written.size() >= kShortest && std::ranges::all_of(written, is_base64_or_padding);
  return counts ? std::optional(value) : std::nullopt;
}

/// True for one more name and value of the data.
bool is_line_of_data(std::string_view line) {
  Reader reader(line, 0);
  return reader.skip_blanks() > 0 && !reader.take_key().empty();
}

// The value on the next line.

/// Characters allowed before `value:`: blanks, quotes, diff marks.
constexpr std::string_view kBeforeKey = " \t+-~>|{\"'`\\";

bool is_block_mark_at_end(Reader& reader) {
  if (reader.skip("|>") > 0) reader.skip("+-0123456789");
  reader.skip_blanks();
  return reader.ended();
}

/// The value that a name at the end of `piece` expects on the next line.
AwaitedValue asked_by(std::string_view piece, const Name& name, const Context& context) {
  Reader reader(piece, name.range.end);
  reader.take_quote();
  reader.skip_emphasis();
  reader.skip_blanks();
  const bool prose = reader.take("is") || reader.take("was");
  if (reader.take(":")) {
    reader.skip_emphasis();
    reader.skip_blanks();
    if (!is_block_mark_at_end(reader)) return {};
    return {AwaitedValue::For::value, name.kind, is_first(piece, name.range.begin, context)};
  }
  reader.take(",");
  reader.skip_blanks();
  const bool is_value = !prose && reader.ended() && is_after_key(piece, name.range.begin, context);
  return is_value ? AwaitedValue{AwaitedValue::For::value_line, name.kind} : AwaitedValue{};
}

std::optional<Range> if_secret(const NamedValue& setting, Range value, std::string_view line) {
  return !value.empty() && is_secret_value(setting, value.of(line)) ? std::optional(value) : std::nullopt;
}

/// True for another setting, such as `user=bo`. Base64 has its `=` at the end.
bool is_setting(std::string_view value) {
  const std::size_t name = value.find_first_of(":=");
  return name != std::string_view::npos &&
         std::ranges::all_of(value.substr(0, name), [](char c) { return is_name_character(c) && !is_digit(c); }) &&
         (value[name] == ':' || value.find_first_not_of('=', name) != std::string_view::npos);
}

/// The secret in a line that is nothing but the value.
std::optional<Range> plain_answer(std::string_view line, const AwaitedValue& asked) {
  Reader reader(line, 0);
  const bool indented = reader.skip_blanks() > 0;
  // `if not password:` and a line without indentation are not settings, and other names have lists below them.
  const bool like_a_setting = asked.first && indented && asked.name >= NameKind::password;
  NamedValue setting{.name = asked.name, .form = Form::colon, .alone = true, .first = like_a_setting};
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

void find_assignments(std::string_view text, const Context& context, std::vector<Finding>& found,
                      std::vector<Range>& in_base64) {
  find_data_on_line(text, found);
  if (context.asked) {
    const std::string_view line = text.substr(0, text.find_first_of("\n\r"));
    if (const std::optional<Range> secret = find_answer(line, context.asked)) found.push_back({*secret, kNamed});
  }
  std::size_t at = 0;
  while (const std::optional<Range> hint = patterns().next_name_hint(text, at)) {
    Name name = name_around(text, *hint, at);
    at = std::max(hint->end, name.range.end);
    name.kind = kind_in_place(text, name, context);
    std::optional<Range> secret;
    if (name.kind != NameKind::ordinary) {
      secret = secret_of(text, name, context);
    } else if (is_value_key(name.range.of(text))) {
      secret = secret_before_its_name(text, name);
    }
    if (!secret && name.kind != NameKind::ordinary) {
      if (const std::optional<Range> value = base64_of(text, name)) in_base64.push_back(*value);
    }
    if (!secret) continue;
    found.push_back({*secret, kNamed});
    if (const std::optional<Range> second = changed_to(text, *secret)) found.push_back({*second, kNamed});
    // The value may itself contain a name: `--token "client_secret": "…"`. Long values are not searched again.
    if (found.back().end - secret->begin > kMaxOrdinary) at = std::max(at, found.back().end);
  }
}

AwaitedValue asks_next_line(std::string_view piece, const Context& context) {
  std::size_t at = piece.find_last_of("\n\r") + 1;  // 0 when there is only one line
  if (const AwaitedValue data = asked_by_data(piece.substr(at)); data && (at > 0 || context.starts_line)) return data;
  if (context.asked && is_data(context.asked) && at == 0 && is_line_of_data(piece)) return context.asked;
  if (context.asked && at == 0) {
    Reader reader(piece, 0);
    reader.skip(kBeforeKey);
    if (is_value_key(reader.take_key()) && is_block_mark_at_end(reader))
      return {AwaitedValue::For::value, context.asked.name, true};
  }
  while (const std::optional<Range> hint = patterns().next_name_hint(piece, at)) {
    const Name name = name_around(piece, *hint, at);
    at = std::max(hint->end, name.range.end);
    if (name.kind < NameKind::reference) continue;
    if (const AwaitedValue asked = asked_by(piece, name, context)) return asked;
  }
  return {};
}

std::optional<bool> may_answer(std::string_view beginning, const AwaitedValue& asked) {
  constexpr std::size_t kEnoughForAKey = 96;
  if (!beginning.empty() && is_line_end(beginning[0])) return false;
  if (asked.what == AwaitedValue::For::value) return beginning.empty() ? std::nullopt : std::optional(true);
  Reader reader(beginning.substr(0, kEnoughForAKey), 0);
  reader.skip(kBeforeKey);
  const std::string_view key = reader.take_name();
  if (!reader.ended()) return is_value_key(key);
  return beginning.size() < kEnoughForAKey ? std::nullopt : std::optional(false);
}

std::optional<Range> find_answer(std::string_view line, const AwaitedValue& asked) {
  if (is_data(asked)) return find_data(line, asked);
  Reader reader(line, 0);
  reader.skip(kBeforeKey);
  if (is_value_key(reader.take_key())) {
    const Value value = read_value(line, reader).at_most(line, line.size());
    return if_secret({.name = asked.name, .form = Form::equals, .quoted = value.quoted()}, value.range, line);
  }
  return asked.what == AwaitedValue::For::value ? plain_answer(line, asked) : std::nullopt;
}

}  // namespace deputy::redact
