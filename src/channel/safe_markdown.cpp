#include "channel/safe_markdown.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "base/text.h"
#include "channel/markdown.h"
#include "interaction/escape.h"

namespace deputy::channel {
namespace {

using interaction::code_span;

bool is_word(char c) { return is_letter_or_digit(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80; }
bool is_punctuation(char c) { return c > ' ' && c < 0x7F && !is_letter_or_digit(c); }

constexpr std::array<std::string_view, 5> kEverybody{"channel", "here", "everyone", "group", "all"};

bool calls_everybody(std::string_view address) {
  const std::string small = to_lower(address);
  return std::ranges::any_of(kEverybody,
                             [&](std::string_view name) { return small.contains("@" + std::string(name)); });
}

// One line outside code blocks. Code spans count only within a line: other backticks are escaped, so that no renderer
// pairs them across lines.
class SafeLine {
 public:
  SafeLine(std::string_view line, const Hosts& known) : line_(line), known_(known) {
    for (std::size_t begin = line.find('`'); begin != std::string_view::npos;) {
      const std::size_t end = std::min(line.find_first_not_of('`', begin), line.size());
      last_run_[end - begin] = begin;
      begin = line.find('`', end);
    }
  }

  std::string write() {
    if (is_definition() && !leads_somewhere_known(definition_target())) escape_next_bracket_ = true;
    while (at_ < line_.size()) next();
    return std::move(out_);
  }

 private:
  std::string_view rest() const { return line_.substr(at_); }
  char previous() const { return at_ == 0 ? ' ' : line_[at_ - 1]; }
  void copy(std::size_t bytes) {
    out_ += line_.substr(at_, bytes);
    at_ += bytes;
  }
  void escaped(std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) out_.append("\\").append(1, line_[at_ + i]);
    at_ += bytes;
  }
  void drawn(std::size_t bytes) {
    draw(rest().substr(0, bytes));
    at_ += bytes;
  }
  // A code span directly next to a backtick would be read as a different code span.
  void draw(std::string_view text) {
    if (out_.ends_with('`')) out_ += ' ';
    out_ += code_span(text);
    if (at_ + text.size() < line_.size() && line_[at_ + text.size()] == '`') out_ += ' ';
  }
  bool leads_somewhere_known(std::string_view address) const {
    const std::optional<std::string> host = host_of(address);
    return host && known_.contains(*host) && !calls_everybody(address);
  }

  void next() {
    const char c = line_[at_];
    if (c == '\\') return backslash();
    if (c == '`') return backticks();
    if (c == '!' && rest().starts_with("![")) return image();
    if (c == '[') return bracket();
    if (c == ']' && rest().starts_with("](") && open_brackets_ > 0) return link_target();
    if (c == '<') return angle();
    if (c == '@') return at_sign();
    if (c == '&') return entity();
    if (is_letter(c)) return word();
    copy(1);
  }

  // A mention or a tag after a backslash still works on a platform that does not know Markdown's escapes.
  void backslash() {
    const char after = at_ + 1 < line_.size() ? line_[at_ + 1] : ' ';
    if (after == '@' || after == '<' || after == '&') {
      ++at_;
      next();
    } else if (is_punctuation(after) || at_ + 1 == line_.size()) {
      copy(std::min<std::size_t>(2, rest().size()));
    } else {
      escaped(1);  // the backslash must not escape what is drawn next
    }
  }

  void backticks() {
    const std::size_t length = std::min(rest().find_first_not_of('`'), rest().size());
    const std::size_t size = code_size(length);
    if (size == 0) return escaped(length);
    if (out_.ends_with('`') && !out_.ends_with("\\`")) out_ += ' ';
    const std::string_view code = rest().substr(0, size);
    const bool hides_something = code.contains('@') || code.contains('<') || code.contains("://");
    if (!hides_something) return copy(size);
    // In a row of a table a bar ends the cell, also inside code, unless it is escaped.
    for (const char c : code) out_.append(c == '|' ? "\\" : "").append(1, c);
    at_ += size;
  }

  // The size of the code span that starts here with `length` backticks; 0 when it is not closed.
  std::size_t code_size(std::size_t length) const {
    const auto last = last_run_.find(length);
    if (last == last_run_.end() || last->second < at_ + length) return 0;
    for (std::size_t i = at_ + length;;) {
      const std::size_t begin = line_.find('`', i);
      i = std::min(line_.find_first_not_of('`', begin), line_.size());
      if (i - begin == length) return i - at_;
    }
  }

  void image() {
    ++at_;
    if (rest().starts_with("[]")) {
      ++open_brackets_;
      out_ += "[image";
      ++at_;
    }
  }

  void bracket() {
    ++open_brackets_;
    if (std::exchange(escape_next_bracket_, false)) return escaped(1);
    copy(1);
  }

  // "](address "title")": left as it is, or changed to "] (`address`)", which is not a link.
  void link_target() {
    const std::string_view all = rest().substr(2);
    // A link target ends where the next one starts, so each byte is read at most twice.
    const std::string_view text = all.substr(0, all.find("]("));
    const std::size_t close = closing_parenthesis(text);
    if (close == std::string_view::npos || text.substr(0, close).find_first_of("`\\&") != std::string_view::npos) {
      out_ += "]\\(";
      at_ += 2;
      return;
    }
    const std::string_view inside = trim(text.substr(0, close));
    std::string_view address = inside.substr(0, inside.find_first_of(" \t"));
    if (address.starts_with('<') && address.ends_with('>')) address = address.substr(1, address.size() - 2);
    --open_brackets_;
    if (leads_somewhere_known(address) && address.find_first_of("<>\"") == std::string_view::npos) {
      out_ += "](";
      out_ += address;
      out_ += ')';
    } else {
      out_ += inside.empty() ? "]" : "] (" + code_span(inside) + ")";
    }
    at_ += 2 + close + 1;
  }

  static std::size_t closing_parenthesis(std::string_view text) {
    int open = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '(') ++open;
      if (text[i] == ')' && --open < 0) return i;
    }
    return std::string_view::npos;
  }

  // <!channel>, <!subteam^S1>, <@U1>, <https://…>, or a tag.
  void angle() {
    const char after = at_ + 1 < line_.size() ? line_[at_ + 1] : ' ';
    const bool mention = after == '!' || after == '@' || after == '#';
    if (!mention && !is_letter(after) && after != '/' && after != '?') return copy(1);
    const std::size_t end = rest().find_first_of("<>`", 1);
    const bool ends = end != std::string_view::npos && rest()[end] == '>';
    if (ends && mention) return drawn(end + 1);
    const std::string_view inside = ends ? rest().substr(1, end - 1) : "";
    if (inside.contains("://") && !inside.contains(' ')) {
      if (leads_somewhere_known(inside)) return copy(end + 1);
      draw(inside);
      at_ += end + 1;
      return;
    }
    escaped(1);
  }

  void at_sign() {
    for (const std::string_view name : kEverybody) {
      if (to_lower(rest().substr(1, name.size())) != name) continue;
      const std::string_view behind = rest().substr(1 + name.size());
      if (!behind.empty() && is_word(behind.front())) continue;
      const bool e_mail = is_word(previous()) && behind.size() > 1 && behind[0] == '.' && is_word(behind[1]);
      if (!e_mail) return drawn(1 + name.size());
    }
    copy(1);
  }

  // A renderer turns &#64; into @ and &lt; into <.
  void entity() {
    const std::string name = to_lower(rest().substr(1, 6));
    if (name.starts_with('#') || name == "commat" || name.starts_with("lt;")) return escaped(1);
    copy(1);
  }

  void word() {
    const AddressScan scan = scan_address(rest());
    if (scan.address == 0) return copy(scan.word);
    const std::string_view address = rest().substr(0, scan.address);
    if (leads_somewhere_known(address) && !may_go_on(address)) return copy(scan.address);
    drawn(scan.address);
  }

  // A URL without a path, followed by "@" and another host: a renderer that reads further than we do would take our
  // host for a user name and link to the other host.
  bool may_go_on(std::string_view address) {
    if (address.find_first_of("/?#", address.find("://") + 3) != std::string_view::npos) return false;
    const std::size_t behind = at_ + address.size();
    if (next_sign_ < behind) next_sign_ = std::min(line_.find('@', behind), line_.size());
    if (next_space_ < behind) next_space_ = std::min(line_.find_first_of(" \t", behind), line_.size());
    return next_sign_ < next_space_;
  }

  // "[name]: address" turns every "[name]" into a link.
  bool is_definition() const { return trim(line_).starts_with('[') && line_.contains("]:"); }
  std::string_view definition_target() const {
    std::string_view target = trim(line_.substr(line_.find("]:") + 2));
    target = target.substr(0, target.find_first_of(" \t"));
    if (target.starts_with('<') && target.ends_with('>')) target = target.substr(1, target.size() - 2);
    return target;
  }

  std::string_view line_;
  const Hosts& known_;
  std::size_t at_ = 0;
  std::string out_;
  std::size_t open_brackets_ = 0;
  bool escape_next_bracket_ = false;
  std::size_t next_sign_ = 0;  // the first "@" and the first space at or after the place of the last search
  std::size_t next_space_ = 0;
  std::unordered_map<std::size_t, std::size_t> last_run_;  // by length, the start of the last run of backticks
};

// "- x", "12. x"
bool is_list_item(std::string_view line) {
  std::string_view text = trim(line);
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  text.remove_prefix(digits);
  if (text.size() < 2 || text[1] != ' ') return false;
  return digits > 0 ? text[0] == '.' || text[0] == ')' : text[0] == '-' || text[0] == '*' || text[0] == '+';
}

class SafeText {
 public:
  explicit SafeText(const Hosts& known) : known_(known) {}

  void add(std::string_view line) {
    if (open_) {
      add_code(line, *open_);
      return;
    }
    std::optional<Fence> fence = opens_fence(line);
    const bool far_in = fence && fence->indent >= kCodeIndent;
    if (fence && (!far_in || in_list_)) {
      // In a list a fence may be indented further; with three columns it is a fence everywhere.
      fence->indent = std::min(fence->indent, kCodeIndent - 1);
      write(fence->opening());
      open_ = std::move(fence);
      return;
    }
    if (is_list_item(line)) {
      in_list_ = true;
    } else if (!trim(line).empty() && indent_of(line) == 0) {
      in_list_ = false;
    }
    write(SafeLine(line, known_).write());
  }

  std::string finish() && { return std::move(out_); }

 private:
  // A line indented less than its fence would end the list around the block, and the block with it.
  void add_code(std::string_view line, const Fence& open) {
    if (closes_fence(line, open) || (in_list_ && closes_fence(trim(line), open))) {
      write(open.closing());
      open_.reset();
      return;
    }
    const std::size_t indent = indent_of(line);
    const bool too_far_left = !trim(line).empty() && indent < open.indent;
    write(too_far_left ? std::string(open.indent - indent, ' ') + std::string(line) : std::string(line));
  }

  void write(std::string_view line) {
    if (!first_) out_ += '\n';
    first_ = false;
    out_ += line;
  }

  const Hosts& known_;
  std::optional<Fence> open_;
  bool in_list_ = false;
  bool first_ = true;
  std::string out_;
};

}  // namespace

std::string make_safe(std::string_view markdown, const Hosts& known) {
  const std::string text = to_valid_utf8(std::string(markdown));
  // To a renderer a carriage return is a line break too.
  SafeText safe(known);
  for (std::string_view line : split(text, "\n")) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    for (const std::string_view piece : split(line, "\r")) safe.add(piece);
  }
  return std::move(safe).finish();
}

}  // namespace deputy::channel
