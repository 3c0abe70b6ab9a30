#include "channel/terminal/keys.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"

namespace deputy::channel {

namespace {

constexpr char kEscape = '\x1b';
constexpr std::size_t kMaxSequence = 32;
constexpr std::string_view kPasteBegins = "\x1b[200~";
constexpr std::string_view kPasteEnds = "\x1b[201~";
constexpr std::size_t kMaxPaste = 64UL * 1024;  // in one key

constexpr auto kSequences = std::to_array<std::pair<std::string_view, KeyKind>>({
    {"\x1b[A", KeyKind::up},
    {"\x1bOA", KeyKind::up},
    {"\x10", KeyKind::up},  // Ctrl-P
    {"\x1b[B", KeyKind::down},
    {"\x1bOB", KeyKind::down},
    {"\x0e", KeyKind::down},  // Ctrl-N
    {"\x1b[C", KeyKind::right},
    {"\x1bOC", KeyKind::right},
    {"\x06", KeyKind::right},  // Ctrl-F
    {"\x1b[D", KeyKind::left},
    {"\x1bOD", KeyKind::left},
    {"\x02", KeyKind::left},             // Ctrl-B
    {"\x1b[1;5C", KeyKind::word_right},  // Ctrl and Alt with an arrow, in the ways of several terminals
    {"\x1b[1;3C", KeyKind::word_right},
    {"\x1b[5C", KeyKind::word_right},
    {"\x1bO5C", KeyKind::word_right},
    {"\x1b"
     "f",
     KeyKind::word_right},
    {"\x1b[1;5D", KeyKind::word_left},
    {"\x1b[1;3D", KeyKind::word_left},
    {"\x1b[5D", KeyKind::word_left},
    {"\x1bO5D", KeyKind::word_left},
    {"\x1b"
     "b",
     KeyKind::word_left},
    {"\x1b[H", KeyKind::home},
    {"\x1bOH", KeyKind::home},
    {"\x1b[1~", KeyKind::home},
    {"\x1b[7~", KeyKind::home},
    {"\x01", KeyKind::home},  // Ctrl-A
    {"\x1b[F", KeyKind::end},
    {"\x1bOF", KeyKind::end},
    {"\x1b[4~", KeyKind::end},
    {"\x1b[8~", KeyKind::end},
    {"\x05", KeyKind::end},  // Ctrl-E
    {"\x1b[5~", KeyKind::page_up},
    {"\x1b[6~", KeyKind::page_down},
    {"\r", KeyKind::enter},
    {"\n", KeyKind::new_line},
    {"\x1b\r", KeyKind::new_line},
    {"\x1b\n", KeyKind::new_line},
    {"\x1b[13;2u", KeyKind::new_line},  // Shift and Alt with Enter, where the terminal sends more than \r
    {"\x1b[13;3u", KeyKind::new_line},
    {"\x1b[27;2;13~", KeyKind::new_line},
    {"\x1b[27;3;13~", KeyKind::new_line},
    {"\t", KeyKind::tab},
    {"\x7f", KeyKind::backspace},
    {"\b", KeyKind::backspace},
    {"\x1b[3~", KeyKind::delete_right},
    {"\x17", KeyKind::cut_space_word},
    {"\x1b\x7f", KeyKind::cut_word_left},
    {"\x1b\b", KeyKind::cut_word_left},
    {"\x1b"
     "d",
     KeyKind::cut_word_right},
    {"\x1b[3;5~", KeyKind::cut_word_right},
    {"\x15", KeyKind::cut_to_start},
    {"\x0b", KeyKind::cut_to_end},
    {"\x19", KeyKind::insert_cut},
    {"\x12", KeyKind::search},
    {"\x0c", KeyKind::clear_screen},
    {"\x03", KeyKind::interrupt},
    {"\x04", KeyKind::end_of_input},
});

std::optional<std::size_t> length_to(std::string_view bytes, std::size_t begin, const auto& is_last) {
  for (std::size_t at = begin; at < bytes.size() && at < kMaxSequence; ++at) {
    if (is_last(bytes[at])) return at + 1;
  }
  return bytes.size() < kMaxSequence ? std::nullopt : std::optional(kMaxSequence);
}

// The length of the escape sequence at the start of `bytes`; nothing while it is incomplete. A sequence without an end
// is cut at kMaxSequence.
std::optional<std::size_t> sequence_length(std::string_view bytes) {
  if (bytes.size() < 2) return std::nullopt;
  const char kind = bytes[1];
  if (kind == kEscape) return 1;
  if (kind == 'O') return length_to(bytes, 2, [](char c) { return !is_digit(c) && c != ';'; });
  if (kind == '[' && bytes.size() > 2 && bytes[2] == '[')  // function keys of the Linux console
    return bytes.size() < 4 ? std::nullopt : std::optional<std::size_t>(4);
  if (kind == '[') return length_to(bytes, 2, [](char c) { return c >= 0x40 && c < 0x7f; });
  // Answers of the terminal to what another program asked it.
  if (kind == ']' || kind == 'P') return length_to(bytes, 2, [](char c) { return c == '\a' || c == '\\'; });
  return 1 + decode_utf8(bytes.substr(1)).bytes;
}

// The length in bytes of the character at the start of `bytes`; nothing while it is incomplete.
std::optional<std::size_t> character_length(std::string_view bytes) {
  const CodePoint point = decode_utf8(bytes);
  if (point.valid) return point.bytes;
  const auto first = static_cast<unsigned char>(bytes.front());
  const std::size_t wanted = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  const bool may_come = bytes.size() < wanted && std::ranges::all_of(bytes.substr(1), continues);
  return may_come ? std::nullopt : std::optional<std::size_t>(1);
}

Key key_of(std::string bytes) {
  const auto* found = std::ranges::find(kSequences, std::string_view(bytes), &decltype(kSequences)::value_type::first);
  if (found != kSequences.end()) return {.kind = found->second, .character = 0, .bytes = std::move(bytes)};
  const CodePoint point = decode_utf8(bytes);
  const bool shown = point.valid && point.bytes == bytes.size() && point.value >= 0x20;
  return {.kind = shown ? KeyKind::character : KeyKind::other,
          .character = shown ? point.value : U'\0',
          .bytes = std::move(bytes)};
}

// How many of `bytes` can be taken now: whole characters, and not the start of the sequence that ends a paste.
std::size_t whole_part(std::string_view bytes) {
  const std::size_t most = bytes.size() - kPasteEnds.size();
  std::size_t size = most;
  while (size + 3 > most && (static_cast<unsigned char>(bytes[size]) & 0xC0) == 0x80) --size;
  return size;
}

}  // namespace

std::optional<Key> KeyReader::next_pasted() {
  const std::size_t end = bytes_.find(kPasteEnds);
  if (end == std::string::npos && bytes_.size() < kMaxPaste) return std::nullopt;
  pastes_ = end == std::string::npos;
  const std::size_t size = pastes_ ? whole_part(bytes_) : end;
  Key key{.kind = KeyKind::paste, .character = 0, .bytes = bytes_.substr(0, size), .goes_on = pastes_};
  bytes_.erase(0, pastes_ ? size : size + kPasteEnds.size());
  return key;
}

std::optional<Key> KeyReader::next() {
  if (pastes_) return next_pasted();
  if (bytes_.empty()) return std::nullopt;
  const auto length = bytes_.front() == kEscape ? sequence_length(bytes_) : character_length(bytes_);
  if (!length) return std::nullopt;
  Key key = key_of(bytes_.substr(0, *length));
  if (key.bytes == "\x1b") key.kind = KeyKind::escape;
  bytes_.erase(0, *length);
  if (key.bytes != kPasteBegins) return key;
  pastes_ = true;
  return next_pasted();
}

std::optional<Key> KeyReader::give_up() {
  if (!is_undecided()) return std::nullopt;
  std::string bytes = std::exchange(bytes_, {});
  return Key{.kind = bytes == "\x1b" ? KeyKind::escape : KeyKind::other, .character = 0, .bytes = std::move(bytes)};
}

std::string as_lines(std::string_view pasted) {
  std::string text;
  char before = 0;
  for (const char c : pasted) {
    const bool is_second_half = c == '\n' && before == '\r';
    before = c;
    if (is_second_half) continue;
    const bool controls = (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == '\x7f';
    if (!controls) text += c == '\r' ? '\n' : c;
  }
  return to_valid_utf8(std::move(text));
}

std::string as_one_line(std::string_view pasted) {
  std::string line;
  bool breaks = false;
  for (const char c : pasted) {
    const bool is_break = c == '\n' || c == '\r';
    const bool controls = (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == '\x7f';
    breaks = breaks || is_break;
    if (controls) continue;
    if (breaks && !line.empty()) line += ' ';
    breaks = false;
    line += c == '\t' ? ' ' : c;
  }
  return to_valid_utf8(std::move(line));
}

}  // namespace deputy::channel
