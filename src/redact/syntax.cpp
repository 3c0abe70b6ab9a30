#include "redact/syntax.h"

#include <algorithm>
#include <string>

namespace deputy::redact {

namespace {

using Form = NamedValue::Form;
using Style = Separator::Style;

/// The length of an escaped quote inside quotes at the start of `text`: '' in SQL and YAML, '\\'' and '"'"' in shells.
std::size_t length_of_inner_quote(std::string_view text, std::string_view quote) {
  if (quote == "'" && text.starts_with(R"('\'')")) return 4;
  if (quote == "'" && text.starts_with(R"('"'"')")) return 5;
  return quote.size() == 1 && quote != "`" && text.starts_with(quote) && text.substr(1).starts_with(quote) ? 2 : 0;
}

/// The end of a quoted value, or of the line when the quote is never closed. Reads at most `most` bytes.
std::size_t end_of_quoted(std::string_view text, std::size_t from, std::string_view quote, std::size_t most) {
  text = text.substr(0, most < text.size() - from ? from + most : text.size());
  for (std::size_t at = from; at < text.size(); ++at) {
    if (const std::size_t inner = length_of_inner_quote(text.substr(at), quote); inner > 0) {
      at += inner - 1;
      continue;
    }
    if (is_line_end(text[at]) || text.substr(at).starts_with(quote)) return at;
    if (quote.size() == 1 && text[at] == '\\') ++at;
  }
  return text.size();
}

/// True when `,`, `;` or `&` at `at` separates this setting from another one.
bool parts_settings(std::string_view text, std::size_t at) {
  constexpr std::size_t kMaxName = 64;
  std::size_t next = at + 1;
  if (next == text.size() || is_blank(text[next]) || is_line_end(text[next]) || is_quote(text[next])) return true;
  while (next < text.size() && next - at < kMaxName && is_name_character(text[next])) ++next;
  return next < text.size() && next > at + 1 && (text[next] == '=' || text[next] == ':');
}

/// True for the apostrophe of `it's`, which closes no quote.
bool is_apostrophe(std::string_view text, std::size_t from, std::size_t at) {
  return text[at] == '\'' && at > from && is_letter_or_digit(text[at - 1]) && at + 1 < text.size() &&
         is_letter_or_digit(text[at + 1]);
}

std::size_t end_of_unquoted(std::string_view text, std::size_t from, std::size_t most) {
  std::size_t end = from;
  for (; end < text.size() && end - from < most; ++end) {
    const char c = text[end];
    if (is_blank(c) || is_line_end(c) || c == '\f') break;
    if (is_quote(c) && !is_apostrophe(text, from, end)) break;
    if ((c == '<' || c == '>') && end > from && text[from] != '<') break;
    if (c == '\\' && end + 1 < text.size() && std::string_view("\"'`n\r\n").contains(text[end + 1])) break;
    if ((c == ',' || c == ';' || c == '&') && parts_settings(text, end)) break;
  }
  // A bracket that closes one opened before the value is not part of it.
  const std::string_view value = text.substr(from, end - from);
  std::string closing = ",;";
  if (!value.contains('(')) closing += ')';
  if (!value.contains('[')) closing += ']';
  if (!value.contains('{')) closing += '}';
  while (end > from && closing.contains(text[end - 1])) --end;
  return end;
}

}  // namespace

bool Reader::take(std::string_view next) {
  if (!sees(next)) return false;
  at_ += next.size();
  return true;
}

std::size_t Reader::skip(std::string_view characters) {
  const std::size_t from = at_;
  while (!ended() && characters.contains(text_[at_])) ++at_;
  return at_ - from;
}

std::size_t Reader::skip_blanks() {
  const std::size_t from = at_;
  do {
    skip(" \t");
  } while (take("\\\n") || take("\\\r\n"));
  return at_ - from;
}

void Reader::skip_emphasis() {
  constexpr std::size_t kMax = 4;
  const std::size_t from = at_;
  const bool ends = skip("*_~") <= kMax && (at_line_end() || text_[at_] == ':' || is_blank(text_[at_]));
  if (!ends) at_ = from;
}

void Reader::skip_remark() {
  constexpr std::size_t kMaxLength = 26;
  if (!sees("[") && !sees("(")) return;
  const std::string_view inside = text_.substr(at_ + 1, kMaxLength);
  const std::size_t end = inside.find_first_of("[]():#\n\r");
  if (end == std::string_view::npos || inside[end] != (sees("[") ? ']' : ')')) return;
  Reader after(text_, at_ + end + 2);
  after.skip(" \t");
  if (after.sees(":") || after.sees("=")) at_ = after.at();
}

std::string_view Reader::take_quote() {
  std::size_t end = at_;
  while (end < text_.size() && text_[end] == '\\' && end - at_ < 4) ++end;
  if (end == text_.size() || !is_quote(text_[end])) return {};
  const std::string_view quote = text_.substr(at_, end + 1 - at_);
  at_ = end + 1;
  return quote;
}

std::string_view Reader::take_string_opening() {
  const std::size_t from = at_;
  while (!ended() && at_ - from < 2 && std::string_view("bBrRfFuU@").contains(text_[at_])) ++at_;
  const std::string_view quote = take_quote();
  if (quote.empty()) at_ = from;
  return quote;
}

std::string_view Reader::take_name() {
  const std::size_t from = at_;
  while (!ended() && is_name_character(text_[at_])) ++at_;
  return text_.substr(from, at_ - from);
}

std::string_view Reader::take_key() {
  const std::size_t from = at_;
  take_quote();
  const std::string_view name = take_name();
  take_quote();
  skip_blanks();
  if (!name.empty() && !sees("::") && !sees("==") && (take(":") || take("="))) {
    skip_blanks();
    return name;
  }
  at_ = from;
  return {};
}

std::optional<Separator> read_separator(Reader& reader, char before) {
  if (before == '<') return reader.take(">") ? std::optional(Separator{Form::equals, Style::element}) : std::nullopt;
  const bool name_quoted = !reader.take_quote().empty();
  reader.take("]");  // settings["password"] = …
  reader.skip_emphasis();
  const bool spaced = reader.skip_blanks() > 0;
  if (spaced) reader.skip_remark();
  if (reader.take(",")) {
    reader.skip_blanks();
    Reader ahead = reader;
    if (is_value_key(ahead.take_key())) {  // {"name": "DB_PASSWORD", "value": "…"}
      reader = ahead;
      return Separator{Form::equals};
    }
    if (name_quoted && !ahead.take_quote().empty()) return Separator{Form::equals, Style::argument};
    return std::nullopt;
  }
  if (name_quoted && spaced) {  // <add key="DbPassword" value="…"/>
    Reader ahead = reader;
    if (is_value_key(ahead.take_key())) {
      reader = ahead;
      return Separator{Form::equals};
    }
  }
  if (reader.take("=>") || reader.take(":=") || reader.take("==") || reader.take("=")) {
    const bool spaced_after = reader.skip_blanks() > 0;
    return Separator{spaced || spaced_after ? Form::spaced_equals : Form::equals};
  }
  if (reader.take(":")) {
    reader.skip_emphasis();
    reader.skip_blanks();
    return Separator{Form::colon};
  }
  if (reader.take("|") || reader.take("│")) {
    reader.skip_blanks();
    return Separator{Form::apart, Style::cell};
  }
  if (!spaced) return std::nullopt;
  if (before == '-') return Separator{Form::flag};
  Reader ahead = reader;
  if (ahead.take("is") || ahead.take("was")) {
    const bool blank = ahead.skip_blanks() > 0;
    const bool colon = ahead.take(":");
    ahead.skip_blanks();
    if (blank || colon) {
      reader = ahead;
      return Separator{Form::prose};
    }
  }
  return Separator{Form::beside};
}

Value Value::at_most(std::string_view text, std::size_t most) const {
  const std::size_t begin = range.begin;
  return {{begin, quoted() ? end_of_quoted(text, begin, quote, most) : end_of_unquoted(text, begin, most)}, quote};
}

Value read_value(std::string_view text, Reader& reader) {
  const std::string_view quote = reader.take_string_opening();
  return Value{{reader.at(), reader.at()}, quote}.at_most(text, kMaxOrdinary);
}

bool only_comment_follows(std::string_view text, std::size_t at) {
  while (at < text.size() && (is_blank(text[at]) || text[at] == ',' || text[at] == ';')) ++at;
  return at >= text.size() || is_line_end(text[at]) || text[at] == '#' || text.substr(at).starts_with("//");
}

Name name_around(std::string_view text, Range hint, std::size_t from) {
  Range range = hint;
  while (range.begin < range.end && !is_name_character(text[range.begin])) ++range.begin;
  while (range.begin > from && is_name_character(text[range.begin - 1])) --range.begin;
  range.end = range.begin;
  while (range.end < text.size() && (is_name_character(text[range.end]))) ++range.end;
  while (range.begin < range.end && (text[range.begin] == '-' || text[range.begin] == '.')) ++range.begin;
  return {range, kind_of_name(range.of(text))};
}

}  // namespace deputy::redact
