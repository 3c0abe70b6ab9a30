#include "redact/chunks.h"

#include <algorithm>

#include "redact/assignments.h"
#include "redact/shapes.h"
#include "redact/syntax.h"

namespace deputy::redact {

namespace {

constexpr std::string_view kSpaces = " \t\n\r\f";  // RE2's \s: no pattern may match across a cut
constexpr std::string_view kLineEnds = "\n\r";
constexpr std::size_t kNowhere = std::string_view::npos;

bool is_space(char c) { return kSpaces.contains(c); }

/// The start of the word around `at`.
std::size_t begin_of_word(std::string_view text, std::size_t at) {
  while (at > 0 && !is_space(text[at - 1])) --at;
  return at;
}

std::size_t find_end(std::string_view text, std::string_view ends, std::size_t from) {
  while (from < text.size() && !ends.contains(text[from])) ++from;
  return from < text.size() ? from : kNowhere;
}

/// The start of the line that `line` points at: after the line end there, unless the text begins with the line.
std::size_t begin_of_line(std::string_view text, std::size_t line) {
  return line > 0 && line < text.size() && is_line_end(text[line]) ? line + 1 : line;
}

/// True when a backslash before the line end at `at` continues the line.
bool goes_on(std::string_view text, std::size_t at) {
  if (text[at] == '\n' && at > 0 && text[at - 1] == '\r') --at;
  return at > 0 && text[at - 1] == '\\';
}

/// The start of the first word longer than `longest`; kNowhere when there is none.
std::size_t find_overlong_word(std::string_view text, std::size_t longest) {
  std::size_t word = 0;
  while (text.size() - word > longest) {
    const std::size_t space = text.substr(0, word + longest + 1).find_last_of(kSpaces);
    if (space == kNowhere || space < word) return word;
    word = space + 1;
  }
  return kNowhere;
}

}  // namespace

std::optional<Chunk> Cutter::next(std::string_view text, Input input) {
  for (;;) {
    const State before = state_;
    std::optional<Chunk> piece;
    switch (state_) {
      case State::words:
        piece = cut_words(text, input);
        break;
      case State::line:
        piece = cut_line(text, input);
        break;
      case State::block:
        piece = cut_block(text, input);
        break;
      case State::dropping:
        piece = drop(text);
        break;
      case State::line_end:
        piece = cut_line_end(text, input);
        break;
      case State::next_line:
        look_at_next_line(text, input);
        break;
    }
    if (piece || state_ == before) return piece;
  }
}

std::optional<Chunk> Cutter::cut_words(std::string_view text, Input input) {
  // Only whole words are searched; the last white space so far ends them.
  std::size_t whole = text.size();
  if (input == Input::more_follows) {
    const std::size_t space = text.substr(searched_).find_last_of(kSpaces);
    whole = space == kNowhere ? 0 : searched_ + space + 1;
  }
  searched_ = text.size();
  if (whole == 0 && text.size() > max_piece_) return give_up();
  if (whole == 0) return std::nullopt;

  const std::string_view words = text.substr(0, whole);
  const std::optional<Range> hit = patterns().next_suspect(words, 0);
  const std::size_t begin = hit ? begin_of_word(words, hit->begin) : whole;
  if (const std::size_t overlong = find_overlong_word(words.substr(0, begin), max_piece_); overlong != kNowhere) {
    pass(text.substr(0, overlong));
    Chunk piece = give_up();
    piece.clean = overlong;
    return piece;
  }
  pass(text.substr(0, begin));
  searched_ = 0;
  if (!hit) return Chunk{.clean = begin};

  const std::size_t end = std::min(find_end(words, kSpaces, hit->end), words.size());
  Chunk piece;
  if (end - begin > max_piece_) {
    piece = give_up();
  } else if (patterns().holds_back_line(words.substr(begin, end - begin))) {
    begin_line(end - begin);
    // The whole line is often there already, which saves a round.
    piece = cut_line(text.substr(begin), input).value_or(Chunk{});
    if (begin == 0 && piece.length == 0) return std::nullopt;
  } else {
    piece = suspect(words.substr(begin, end - begin));
  }
  piece.clean = begin;
  return piece;
}

void Cutter::begin_line(std::size_t searched) {
  state_ = State::line;
  searched_ = searched;
  line_ = 0;
  blocks_ = KeyBlocks();
}

std::optional<Chunk> Cutter::cut_line(std::string_view text, Input input) {
  for (;;) {
    const std::size_t begin = begin_of_line(text, line_);
    const std::size_t end =
        std::min(find_end(text.substr(0, max_piece_ + 1), kLineEnds, std::max(begin, searched_)), text.size());
    searched_ = end;
    if (end > max_piece_) return give_up();
    if (end == text.size() && input == Input::more_follows) return std::nullopt;
    blocks_.read(text.substr(begin, end - begin), begin);
    line_ = end;
    if (blocks_.open()) {
      state_ = State::block;
      return std::nullopt;
    }
    if (end == text.size() || !goes_on(text, end)) return suspect(text.substr(0, end));
  }
}

std::optional<Chunk> Cutter::cut_block(std::string_view text, Input input) {
  // Keep the line ends before the rest of a dropped block, so that markers do not run together into one word.
  if (context_.in_key_block && line_ == 0 && !text.empty() && is_line_end(text[0])) return Chunk{.clean = 1};
  for (;;) {
    const std::size_t begin = begin_of_line(text, line_);
    const std::size_t end =
        std::min(find_end(text.substr(0, max_piece_ + 1), kLineEnds, std::max(begin, searched_)), text.size());
    searched_ = std::max(begin, end);
    if (end > max_piece_) return give_up();
    if (end == text.size() && input == Input::more_follows) return std::nullopt;
    if (begin >= text.size() || !blocks_.read(text.substr(begin, end - begin), begin)) {
      if (line_ > 0) return suspect(text.substr(0, line_));
      state_ = State::words;
      searched_ = 0;
      context_.in_key_block = false;
      return std::nullopt;
    }
    line_ = end;
    if (blocks_.open()) continue;
    if (end == text.size() || !goes_on(text, end)) return suspect(text.substr(0, end));
    state_ = State::line;
    return std::nullopt;
  }
}

std::optional<Chunk> Cutter::drop(std::string_view text) {
  const std::size_t end = std::min(find_end(text, kLineEnds, 0), text.size());
  if (end < text.size()) {
    // The dropped chunk may have begun a private key block.
    state_ = State::block;
    blocks_ = KeyBlocks(true);
    line_ = searched_ = 0;
    context_ = {.starts_line = true, .in_key_block = true};
  }
  if (end == 0) return std::nullopt;
  return Chunk{.length = end, .kind = Chunk::Kind::dropped};
}

std::optional<Chunk> Cutter::cut_line_end(std::string_view text, Input input) {
  if (text.empty() || (text == "\r" && input == Input::more_follows)) return std::nullopt;
  const std::size_t length = text.starts_with("\r\n") ? 2 : 1;
  state_ = State::next_line;
  pass(text.substr(0, length));
  return Chunk{.clean = length};
}

void Cutter::look_at_next_line(std::string_view text, Input input) {
  const std::optional<bool> needed = may_answer(text, context_.asked);
  if (!needed && input == Input::more_follows) return;
  if (needed.value_or(false)) {
    begin_line(0);
  } else {
    context_.asked = {};
    state_ = State::words;
    searched_ = 0;
  }
}

void Cutter::judged(std::string_view text) {
  context_.asked = asks_next_line(text, context_);
  if (context_.asked) state_ = State::line_end;
  pass(text);
}

void Cutter::pass(std::string_view text) {
  const std::size_t last = text.find_last_not_of(kIndentation);
  if (last != kNowhere) context_.starts_line = is_line_end(text[last]);
  const std::size_t last_visible = text.find_last_not_of(" \t");
  if (last_visible == kNowhere) return;
  context_.in_list = opens_or_continues_list(text[last_visible]);
  context_.after_key = ends_key(text[last_visible]);
  context_.after_bar = ends_in_bar(text.substr(0, last_visible + 1));
  context_.after_owner = owns_secret_key(last_name(text.substr(0, last_visible + 1)));
}

Chunk Cutter::suspect(std::string_view piece) {
  const Chunk cut{0, piece.size(), Chunk::Kind::suspect, context_};
  state_ = State::words;
  searched_ = 0;
  context_.in_key_block = false;
  return cut;
}

Chunk Cutter::give_up() {
  state_ = State::dropping;
  searched_ = 0;
  context_.asked = {};
  return {0, max_piece_, Chunk::Kind::oversized, {}};
}

}  // namespace deputy::redact
