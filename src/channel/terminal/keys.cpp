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
    {"\x1b[B", KeyKind::down},
    {"\x1b[C", KeyKind::right},
    {"\x1b[D", KeyKind::left},
    {"\x1bOA", KeyKind::up},
    {"\x1bOB", KeyKind::down},
    {"\x1bOC", KeyKind::right},
    {"\x1bOD", KeyKind::left},
    {"\r", KeyKind::enter},
    {"\n", KeyKind::enter},
    {"\x7f", KeyKind::backspace},
    {"\b", KeyKind::backspace},
    {"\x03", KeyKind::interrupt},
    {"\x04", KeyKind::end_of_input},
});

// The length of the escape sequence at the start of `bytes`; nothing while it is incomplete. A sequence without an end
// is cut at kMaxSequence.
std::optional<std::size_t> sequence_length(std::string_view bytes) {
  if (bytes.size() < 2) return std::nullopt;
  if (bytes[1] == kEscape) return 1;
  if (bytes[1] == 'O') return bytes.size() < 3 ? std::nullopt : std::optional<std::size_t>(3);
  if (bytes[1] != '[') return 1 + decode_utf8(bytes.substr(1)).bytes;
  for (std::size_t at = 2; at < bytes.size() && at < kMaxSequence; ++at) {
    if (bytes[at] >= 0x40 && bytes[at] < 0x7f) return at + 1;
  }
  return bytes.size() < kMaxSequence ? std::nullopt : std::optional(kMaxSequence);
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
  if (found != kSequences.end()) return {found->second, 0, std::move(bytes)};
  const CodePoint point = decode_utf8(bytes);
  const bool shown = point.valid && point.bytes == bytes.size() && point.value >= 0x20;
  return {shown ? KeyKind::character : KeyKind::other, shown ? point.value : U'\0', std::move(bytes)};
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
  Key key{KeyKind::paste, 0, bytes_.substr(0, size)};
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
  if (pastes_) return std::nullopt;
  const bool lone_escape = bytes_ == "\x1b";
  bytes_.clear();
  if (!lone_escape) return std::nullopt;
  return Key{KeyKind::escape, 0, "\x1b"};
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
