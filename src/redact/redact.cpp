#include "redact/redact.h"

#include "redact/assignments.h"
#include "redact/detect.h"
#include "redact/key_block.h"
#include "redact/marker.h"
#include "redact/shapes.h"

namespace deputy::redact {

std::vector<Finding> find(std::string_view given) {
  const std::string text_seen = visible(given);
  const std::string_view text = text_seen;
  KeyLines key_lines("");
  key_lines.feed(text, Input::ended);
  std::vector<Finding> found;
  Cutter cutter;
  std::size_t at = 0;
  while (const std::optional<Chunk> piece = cutter.next(text.substr(at), Input::ended)) {
    const std::size_t begin = at + piece->clean;
    at = begin + piece->length;
    if (piece->kind == Chunk::Kind::suspect) {
      for (Finding secret : find_in(text.substr(begin, piece->length), piece->context)) {
        found.push_back({{secret.begin + begin, secret.end + begin}, secret.kind});
      }
      cutter.judged(text.substr(begin, piece->length));
    } else if (piece->kind == Chunk::Kind::oversized) {
      found.push_back({{begin, at}, kOversized});
    } else if (piece->kind == Chunk::Kind::dropped) {
      found.back().end = at;
    }
  }
  found.insert(found.end(), key_lines.found().begin(), key_lines.found().end());
  merge(found);
  return outside_markers(text, found);
}

std::vector<std::string_view> kinds() {
  std::vector<std::string_view> kinds = patterns().kinds();
  kinds.insert(kinds.end(), {kNamed, kOversized});
  return kinds;
}

std::size_t Stream::advance(std::string_view text, Input input, std::string& out) {
  std::size_t at = 0;
  while (const std::optional<Chunk> piece = cutter_.next(text.substr(at), input)) {
    out += text.substr(at, piece->clean);
    const std::string_view suspect = text.substr(at + piece->clean, piece->length);
    at += piece->clean + piece->length;
    if (piece->kind == Chunk::Kind::suspect) {
      const Cleaned cleaned = clean(suspect, piece->context, salt_, max_piece_, lines_);
      cutter_.judged(cleaned.text);
      out += cleaned.text;
      replaced_ += cleaned.replaced;
    } else if (piece->kind == Chunk::Kind::oversized) {
      out += replacement(kOversized, suspect, salt_, lines_);
      ++replaced_;
    }
  }
  return at;
}

std::string Stream::pass(std::string_view part, Input input) {
  held_ += key_lines_.feed(visible_.feed(part, input), input);
  replaced_ += key_lines_.found().size();
  std::string out;
  out.reserve(held_.size());
  held_.erase(0, advance(held_, input, out));
  return out;
}

std::string Stream::feed(std::string_view part) { return pass(part, Input::more_follows); }

std::string Stream::finish() {
  std::string out = pass({}, Input::ended);
  held_.clear();
  visible_ = {};
  cutter_ = Cutter(max_piece_);
  return out;
}

std::string Redactor::redact(std::string_view text, Lines lines) const {
  constexpr std::size_t kPart = 256 << 10;  // in parts, so that the stages' copies stay small
  Stream stream(salt_, max_piece_, lines);
  if (text.size() <= kPart) return stream.pass(text, Input::ended);
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); at += kPart) out += stream.feed(text.substr(at, kPart));
  out += stream.finish();
  return out;  // moved: an expression with += would be copied
}

}  // namespace deputy::redact
