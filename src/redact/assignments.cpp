#include "redact/assignments.h"

#include <algorithm>
#include <optional>
#include <string>

#include "redact/names.h"
#include "redact/patterns.h"
#include "redact/values.h"

namespace deputy::redact {

namespace {

using Form = Setting::Form;

/// The same bytes may be looked at again for the next name, so no value is read further than this before it is known to
/// count.
constexpr std::size_t kLongestOrdinary = 1024;

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_line_end(char c) { return c == '\n' || c == '\r'; }
bool is_quote(char c) { return c == '"' || c == '\'' || c == '`'; }

/// Reads one name and what follows it. Every step moves forward; what is looked at twice is bounded.
class Reader {
 public:
  Reader(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  std::size_t at() const { return at_; }
  bool ended() const { return at_ >= text_.size(); }
  bool sees(std::string_view next) const { return text_.substr(at_).starts_with(next); }

  bool take(std::string_view next) {
    if (!sees(next)) return false;
    at_ += next.size();
    return true;
  }

  std::size_t skip_blanks() {
    const std::size_t from = at_;
    while (!ended() && is_blank(text_[at_])) ++at_;
    return at_ - from;
  }

  /// A quote, with the backslashes that escape it (JSON inside JSON), or nothing.
  std::string_view take_quote() {
    std::size_t end = at_;
    while (end < text_.size() && text_[end] == '\\' && end - at_ < 4) ++end;
    if (end == text_.size() || !is_quote(text_[end])) return {};
    const std::string_view quote = text_.substr(at_, end + 1 - at_);
    at_ = end + 1;
    return quote;
  }

  /// The quote that opens a string, together with what some languages put before it: b"…", f'…'.
  std::string_view take_string_opening() {
    const std::size_t from = at_;
    while (!ended() && at_ - from < 2 && std::string_view("bBrRfFuU@").contains(text_[at_])) ++at_;
    const std::string_view quote = take_quote();
    if (quote.empty()) at_ = from;
    return quote;
  }

 private:
  std::string_view text_;
  std::size_t at_;
};

struct Separator {
  Form form = Form::equals;
  bool closes_element = false;  // <name>value</name>
};

/// What stands between a name and its value; nothing when no value follows.
std::optional<Separator> read_separator(Reader& reader, bool is_flag, bool is_element) {
  if (is_element) return reader.take(">") ? std::optional(Separator{Form::equals, true}) : std::nullopt;
  const std::string_view name_quote = reader.take_quote();
  reader.take("]");  // settings["password"] = …
  const bool spaced = reader.skip_blanks() > 0;
  // {"name": "DB_PASSWORD", "value": "…"}
  if (!name_quote.empty() && reader.take(",")) {
    reader.skip_blanks();
    const bool value_key =
        !reader.take_quote().empty() && (reader.take("value") || reader.take("Value")) && !reader.take_quote().empty();
    reader.skip_blanks();
    if (!value_key || !reader.take(":")) return std::nullopt;
    reader.skip_blanks();
    return Separator{Form::equals};
  }
  if (reader.take("=>") || reader.take(":=") || reader.take("==") || reader.take("=")) {
    const bool spaced_after = reader.skip_blanks() > 0;
    return Separator{spaced || spaced_after ? Form::spaced_equals : Form::equals};
  }
  if (reader.take(":")) {
    reader.skip_blanks();
    return Separator{Form::colon};
  }
  if (spaced && is_flag) return Separator{Form::flag};
  if (spaced && (reader.take("is ") || reader.take("was "))) {
    reader.take(":");
    reader.skip_blanks();
    return Separator{Form::prose};
  }
  return spaced ? std::optional(Separator{Form::beside}) : std::nullopt;
}

/// Where a quoted value ends; the end of the line when the quote is never closed. Looks at no more than `most` bytes.
std::size_t end_of_quoted(std::string_view text, std::size_t from, std::string_view quote, std::size_t most) {
  text = text.substr(0, most < text.size() - from ? from + most : text.size());
  for (std::size_t at = from; at < text.size(); ++at) {
    if (is_line_end(text[at]) || text.substr(at).starts_with(quote)) return at;
    if (quote.size() == 1 && text[at] == '\\') ++at;
  }
  return text.size();
}

/// True when `,`, `;` or `&` at `at` parts this setting from another one.
bool parts_settings(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongestName = 64;
  std::size_t next = at + 1;
  if (next == text.size() || is_blank(text[next]) || is_line_end(text[next]) || is_quote(text[next])) return true;
  while (next < text.size() && next - at < kLongestName && is_name_character(text[next])) ++next;
  return next < text.size() && next > at + 1 && (text[next] == '=' || text[next] == ':');
}

std::size_t end_of_unquoted(std::string_view text, std::size_t from, std::size_t most) {
  std::size_t end = from;
  for (; end < text.size() && end - from < most; ++end) {
    const char c = text[end];
    if (is_blank(c) || is_line_end(c) || c == '\f' || is_quote(c)) break;
    if ((c == '<' || c == '>') && end > from && text[from] != '<') break;
    if (c == '\\' && end + 1 < text.size() && (is_quote(text[end + 1]) || text[end + 1] == 'n')) break;
    if ((c == ',' || c == ';' || c == '&') && parts_settings(text, end)) break;
  }
  // A bracket that closes what was opened before the value is no part of it.
  const std::string_view value = text.substr(from, end - from);
  std::string closing = ",;";
  if (!value.contains('(')) closing += ')';
  if (!value.contains('[')) closing += ']';
  if (!value.contains('{')) closing += '}';
  while (end > from && closing.contains(text[end - 1])) --end;
  return end;
}

bool only_comment_follows(std::string_view text, std::size_t at) {
  while (at < text.size() && (is_blank(text[at]) || text[at] == ',' || text[at] == ';')) ++at;
  return at == text.size() || is_line_end(text[at]) || text[at] == '#' || text.substr(at).starts_with("//");
}

bool only_indentation_precedes(std::string_view text, std::size_t at, const Context& context) {
  while (at > 0 && std::string_view(" \t\"'-#>*").contains(text[at - 1])) --at;
  return at == 0 ? context.starts_line : is_line_end(text[at - 1]);
}

/// True for a name in quotes and for one that opens a list or follows in it: `{password: "…"`, `"password": …`.
bool stands_in_structure(std::string_view text, std::size_t at, const Context& context) {
  if (at > 0 && is_quote(text[at - 1])) return true;
  while (at > 0 && is_blank(text[at - 1])) --at;
  return at > 0 ? opens_or_continues_list(text[at - 1]) : context.in_list;
}

struct Name {
  Range range;
  NameKind kind = NameKind::ordinary;
};

/// The whole name around a hint at `hint`.
Name name_around(std::string_view text, Range hint, std::size_t from) {
  Range range = hint;
  while (range.begin < range.end && !is_name_character(text[range.begin])) ++range.begin;
  while (range.begin > from && is_name_character(text[range.begin - 1])) --range.begin;
  range.end = range.begin;
  while (range.end < text.size() && (is_name_character(text[range.end]))) ++range.end;
  while (range.begin < range.end && (text[range.begin] == '-' || text[range.begin] == '.')) ++range.begin;
  return {range, kind_of_name(range.of(text))};
}

/// A value, which may be cut at the number of bytes that were asked for.
struct Value {
  Range range;
  std::string_view quote = {};

  Value at_most(std::string_view text, std::size_t most) const {
    const std::size_t begin = range.begin;
    return {{begin, quote.empty() ? end_of_unquoted(text, begin, most) : end_of_quoted(text, begin, quote, most)},
            quote};
  }
};

/// The value of `name`, when it is a secret.
std::optional<Range> secret_of(std::string_view text, const Name& name, const Context& context) {
  const bool is_flag = name.range.begin > 0 && text[name.range.begin - 1] == '-';
  const bool is_element = name.range.begin > 0 && text[name.range.begin - 1] == '<';
  Reader reader(text, name.range.end);
  const std::optional<Separator> separator = read_separator(reader, is_flag, is_element);
  if (!separator || reader.ended()) return std::nullopt;

  Setting setting{.name = name.kind, .form = separator->form};
  if (separator->closes_element) {
    const Range value{reader.at(), std::min(text.find('<', reader.at()), text.size())};
    setting.quoted = true;
    const bool counts =
        text.substr(value.end).starts_with("</") && !value.empty() && is_secret_value(setting, value.of(text));
    return counts ? std::optional(value) : std::nullopt;
  }

  const std::string_view quote = reader.take_string_opening();
  setting.quoted = !quote.empty();
  const Value value = Value{{reader.at(), reader.at()}, quote}.at_most(text, kLongestOrdinary);
  if (value.range.empty()) return std::nullopt;
  if (setting.form == Form::flag && !setting.quoted && text[value.range.begin] == '-') return std::nullopt;
  setting.structured = stands_in_structure(text, name.range.begin, context);
  setting.alone = only_comment_follows(text, value.range.end);
  setting.first = only_indentation_precedes(text, name.range.begin, context);
  const bool endless = value.range.end - value.range.begin >= kLongestOrdinary && name.kind >= NameKind::secret;
  if (!endless && !is_secret_value(setting, value.range.of(text))) return std::nullopt;
  return value.at_most(text, text.size()).range;
}

}  // namespace

void find_assignments(std::string_view text, const Context& context, std::vector<Finding>& found) {
  std::size_t at = 0;
  while (const std::optional<Range> hint = patterns().next_name_hint(text, at)) {
    const Name name = name_around(text, *hint, at);
    at = std::max(hint->end, name.range.end);
    if (name.kind == NameKind::ordinary) continue;
    if (const std::optional<Range> secret = secret_of(text, name, context)) {
      found.push_back({*secret, kNamed});
      // Another name may stand inside what was taken for a value: `--token "client_secret": "…"`. Long values are not
      // searched again.
      at = std::max(at, secret->end - secret->begin > kLongestOrdinary ? secret->end : secret->begin);
    }
  }
}

}  // namespace deputy::redact
