#include "redact/key_lines.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "redact/http_credentials.h"
#include "redact/key_block.h"

namespace deputy::redact {

namespace {

constexpr std::size_t kNone = std::string_view::npos;
constexpr std::size_t kShortestWidth = 64;
constexpr auto kWidths = std::to_array<std::size_t>({64, 70, 76});  // of PEM, OpenSSH and MIME
constexpr std::size_t kMaxLine = 16 * 1024;                         // a longer line is no line of a key
constexpr std::size_t kMaxRun = 76 + 2;  // base64 characters in a row; a longer run has none of the widths
constexpr std::size_t kLookBack = 600;   // from a key's first line to its armour: header fields are in between

/// The run of base64 characters around `at`, with its padding.
Range run_around(std::string_view text, std::size_t at, std::size_t from) {
  Range run{at, at};
  while (run.begin > from && is_base64(text[run.begin - 1])) --run.begin;
  while (run.end < text.size() && is_base64(text[run.end])) ++run.end;
  for (int i = 0; i < 2 && run.end > run.begin && run.end < text.size() && text[run.end] == '='; ++i) ++run.end;
  return run;
}

/// Not a hash, a path or a line of signs: those lack capital letters, small ones or digits.
bool looks_like_key(std::string_view word) {
  return std::ranges::any_of(word, is_upper) && std::ranges::any_of(word, is_lower) &&
         std::ranges::any_of(word, is_digit);
}

/// False for a part of a longer word, such as a token with a prefix or a digest with its name before it.
bool stands_alone(std::string_view text, Range run, char before_text) {
  constexpr std::string_view kJoins = "-_.%~$@";
  return !kJoins.contains(run.begin == 0 ? before_text : text[run.begin - 1]) &&
         (run.end == text.size() || !kJoins.contains(text[run.end]));
}

/// The next run of base64 of one of the widths. Looks at every 64th character only, since a run covers one of them.
std::optional<Range> next_key_word(std::string_view text, std::size_t from, char before_text) {
  for (std::size_t probe = from + kShortestWidth - 1; probe < text.size(); probe += kShortestWidth) {
    if (!is_base64(text[probe])) continue;
    const Range run = run_around(text, probe, from);
    const std::size_t width = run.end - run.begin;
    if (std::ranges::find(kWidths, width) != kWidths.end() && looks_like_key(run.of(text)) &&
        stands_alone(text, run, before_text))
      return run;
    from = run.end;
    probe = run.end - 1;
  }
  return std::nullopt;
}

/// DER of a certificate or of an RSA public key, by its first bytes.
bool is_public_der(std::string_view word) {
  const std::string bytes = decode_base64(word);
  const bool sequences = bytes.size() > 30 && bytes.starts_with("0\x82") && bytes.substr(4).starts_with("0\x82");
  constexpr std::string_view kBitString("\x05\x00\x03\x82", 4);
  return sequences || (bytes.starts_with("0\x82") && bytes.contains(kBitString));
}

/// True when the last armour in `text` is that of something public, and open.
bool is_in_public_armour(std::string_view text) {
  const std::size_t fields = text.rfind("Public-Lines:");
  const std::size_t armour = text.rfind("---- BEGIN ") == kNone ? text.rfind("-----BEGIN ") : text.rfind("---- BEGIN ");
  if (armour == kNone || (fields != kNone && fields > armour)) return fields != kNone;
  const std::string_view rest = text.substr(armour);
  const std::string_view label = rest.substr(0, rest.find('\n'));
  return !label.contains("PRIVATE") && !rest.contains("END ");
}

}  // namespace

std::string KeyLines::feed(std::string_view text, Input input) {
  std::string out;
  found_.clear();
  held_ += text;
  out.reserve(held_.size());
  while ((lines_ == 0 ? begin(input, out) : go_on(input, out)) == Step::done) {
  }
  if (input == Input::ended) {
    if (lines_ > 0) end(out);
    release(held_.size(), out);
    before_.clear();
    in_long_run_ = false;
    released_ = 0;
  }
  return out;
}

KeyLines::Step KeyLines::begin(Input input, std::string& out) {
  const bool more = input == Input::more_follows;
  if (in_long_run_) {
    while (at_ < held_.size() && is_base64(held_[at_])) ++at_;
    in_long_run_ = at_ == held_.size();
  }
  const std::optional<Range> word = next_key_word(held_, at_, before_.empty() ? '\n' : before_.back());
  if (!word || (more && word->end == held_.size())) {
    // The last run may still become a word of the right width, unless it is too long already.
    std::size_t end = held_.size();
    while (more && end > at_ && held_.size() - end <= kMaxRun && is_base64_or_padding(held_[end - 1])) {
      --end;
    }
    if (held_.size() - end > kMaxRun) {
      end = held_.size();
      in_long_run_ = true;
    }
    release(end, out);
    return Step::needs_more;
  }
  width_ = word->end - word->begin;
  const std::string_view before = std::string_view(held_).substr(0, word->begin);
  const std::size_t line = before.rfind('\n');
  const std::size_t earlier = before_.size() - std::min(before_.rfind('\n') + 1, before_.size());
  const std::size_t column = line == kNone ? earlier + before.size() : before.size() - line - 1;
  release(word->begin, out);
  const std::size_t line_end = held_.find('\n', width_);
  if (line_end == kNone && more && held_.size() <= kMaxLine) return Step::needs_more;
  left_alone_ = is_left_alone(std::min(line_end, held_.size()));
  count({0, width_}, column);
  return Step::done;
}

KeyLines::Step KeyLines::go_on(Input input, std::string& out) {
  const std::size_t before = held_.find('\n', at_);
  if (before == kNone || before + 1 == held_.size()) {
    if (input == Input::more_follows && held_.size() - at_ <= kMaxLine) return Step::needs_more;
    end(out);
    return Step::done;
  }
  const std::size_t begin = before + 1;
  std::size_t line_end = held_.find('\n', begin);
  if (line_end == kNone && input == Input::more_follows && held_.size() - begin <= kMaxLine) return Step::needs_more;
  line_end = std::min(line_end, held_.size());
  const std::string_view line = std::string_view(held_).substr(begin, line_end - begin);
  const std::optional<Range> word = line.size() <= kMaxLine ? next_key_word(line, 0, '\n') : std::nullopt;
  if (word && word->end - word->begin == width_) {
    count({begin + word->begin, begin + word->end}, word->begin);
    if (lines_ >= enough_) release(at_, out);
    return Step::done;
  }
  // The last line of a key is shorter. It stands below the one before, or cannot be a word.
  constexpr std::size_t kLongerThanWords = 24;
  std::size_t at = std::min(column_, line.size());
  if (at == line.size() || !is_base64(line[at])) at = line.size() - std::min<std::size_t>(line.size(), 1);
  while (at > 0 && line[at] == '\r') --at;
  const Range tail = line.empty() ? Range{} : run_around(line, line[at] == '=' && at > 0 ? at - 1 : at, 0);
  const std::size_t length = tail.end - tail.begin;
  const bool below = tail.begin == column_ && (tail.end == line.size() || line[tail.end] != ' ');
  const bool is_tail = lines_ + 1 >= enough_ && length > 0 && length < width_ && stands_alone(line, tail, '\n') &&
                       (below || length >= kLongerThanWords || tail.of(line).ends_with('='));
  if (is_tail) count({begin + tail.begin, begin + tail.end}, tail.begin);
  end(out);
  return Step::done;
}

void KeyLines::count(Range word, std::size_t column) {
  parts_.push_back(word);
  column_ = column;
  at_ = word.end;
  ++lines_;
}

void KeyLines::end(std::string& out) {
  if (lines_ < enough_) parts_.clear();
  release(at_, out);
  lines_ = 0;
  left_alone_ = false;
}

void KeyLines::release(std::size_t length, std::string& out) {
  if (left_alone_) parts_.clear();
  std::size_t at = 0;
  for (const Range part : parts_) {
    out.append(held_, at, part.begin - at);
    out += make_marker(kKeyBlock, part.of(held_), salt_);
    found_.push_back({{released_ + part.begin, released_ + part.end}, kKeyBlock});
    at = part.end;
  }
  out.append(held_, at, length - at);
  parts_.clear();
  if (length >= kLookBack) before_.clear();
  before_.append(held_, length - std::min(length, kLookBack), std::min(length, kLookBack));
  if (before_.size() > 2 * kLookBack) before_.erase(0, before_.size() - kLookBack);
  held_.erase(0, length);
  released_ += length;
  at_ = 0;
}

bool KeyLines::is_left_alone(std::size_t line_end) const {
  if (is_public_der(std::string_view(held_).substr(0, width_))) return true;
  std::string near = before_;
  near.append(held_, 0, line_end);
  KeyBlocks blocks;
  for (const std::string_view line : split(near, "\n")) {
    if (!blocks.read(line, 0)) blocks.read(line, 0);
  }
  return blocks.open() || is_in_public_armour(near);
}

}  // namespace deputy::redact
