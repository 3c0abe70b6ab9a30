#include "channel/terminal/line_editor.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "channel/terminal/styled_text.h"
#include "channel/terminal/window.h"

namespace deputy::channel {

namespace {

constexpr std::string_view kIndent = "  ";  // of every row but the first
constexpr std::size_t kMinWidth = 10;
constexpr std::size_t kMaxChoices = 12;
constexpr std::string_view kTooLong = "the text is too long; put it into a file and name the file with @";

std::size_t characters_of(std::string_view text, std::size_t most) {
  std::size_t count = 0;
  for (; !text.empty() && count < most; ++count) text.remove_prefix(decode_utf8(text).bytes);
  return count;
}

std::size_t lines_of_paste(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  return static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
}

bool is_long(std::string_view text) {
  return lines_of_paste(text) > kMaxShownPasteLines || characters_of(text, kMaxShownPaste + 1) > kMaxShownPaste;
}

bool joins_the_one_before(std::string_view character) {
  return character != "\n" && character != "\t" && width_of(character) == 0;
}

std::vector<std::string> cells_of(std::string_view text) {
  std::vector<std::string> cells;
  while (!text.empty()) {
    const std::string_view character = text.substr(0, decode_utf8(text).bytes);
    if (!cells.empty() && cells.back() != "\n" && joins_the_one_before(character)) {
      cells.back() += character;
    } else {
      cells.emplace_back(character);
    }
    text.remove_prefix(character.size());
  }
  return cells;
}

std::string shown_cell(std::string_view cell) {
  if (cell == "\t") return "  ";
  if (!is_long(cell)) return shown_line(cell);
  const std::size_t lines = lines_of_paste(cell);
  if (lines > 1) return fmt::format("[pasted {} lines]", lines);
  return fmt::format("[pasted {} characters]", count_characters(cell));
}

bool is_space(std::string_view cell) { return cell == " " || cell == "\t" || cell == "\n"; }

bool is_word(std::string_view cell) {
  return cell.size() > 1 || is_letter_or_digit(cell.front()) || cell.front() == '_';
}

std::string common_beginning(const std::vector<std::string>& choices) {
  std::string_view common = choices.front();
  for (const std::string& choice : choices) {
    const auto [end, unused] = std::ranges::mismatch(common, choice);
    common = common.substr(0, static_cast<std::size_t>(end - common.begin()));
  }
  return std::string(cut_bytes(common, common.size()));
}

// Puts cells into rows, a column at a time.
class RowWriter {
 public:
  RowWriter(const std::string& prompt, std::size_t width) : width_(std::max(width, kMinWidth)) {
    drawn_.rows.emplace_back();
    for (const std::string_view row : split(prompt, "\n")) {
      if (row.data() != prompt.data()) new_row();
      if (used_ + width_of(row) >= width_) {  // only prompts without colours are that long
        add(row);
      } else {
        drawn_.rows.back() += row;
        used_ += width_of(row);
      }
    }
  }

  void add(std::string_view cell) {
    if (cell == "\n") return new_row();
    std::string_view rest = cell;
    while (!rest.empty()) {  // a folded paste or an escaped character has several columns, and may be broken
      const std::string_view character = rest.substr(0, decode_utf8(rest).bytes);
      const std::size_t wide = width_of(character);
      if (used_ + wide >= width_ && used_ > kIndent.size()) new_row();
      drawn_.rows.back() += character;
      used_ += wide;
      rest.remove_prefix(character.size());
    }
  }
  void add_whole(std::string_view word) {
    if (used_ + width_of(word) >= width_ && used_ > kIndent.size()) new_row();
    add(word);
  }
  void mark_cursor() {
    if (used_ + 1 >= width_ && used_ > kIndent.size()) new_row();
    drawn_.cursor_row = drawn_.rows.size() - 1;
    drawn_.cursor_column = used_;
  }
  void new_row() {
    drawn_.rows.emplace_back(kIndent);
    used_ = kIndent.size();
  }
  TypedRows end() && { return std::move(drawn_); }

 private:
  TypedRows drawn_;
  std::size_t width_;
  std::size_t used_ = 0;
};

void keep_rows_at_cursor(TypedRows& drawn, std::size_t most) {
  most = std::max<std::size_t>(most, 1);
  if (drawn.rows.size() <= most) return;
  const std::size_t first = std::min(drawn.cursor_row - std::min(drawn.cursor_row, most / 2), drawn.rows.size() - most);
  drawn.rows.erase(drawn.rows.begin(), drawn.rows.begin() + static_cast<std::ptrdiff_t>(first));
  drawn.rows.resize(most);
  drawn.cursor_row -= first;
}

}  // namespace

LineEditor::LineEditor(std::vector<std::string> history, Completer complete)
    : history_(std::move(history)), at_(history_.size()), complete_(std::move(complete)) {}

LineEditor::Fed LineEditor::feed(const Key& key) {
  hint_.clear();
  if (search_) {
    search(key);
    if (search_ || key.kind != KeyKind::enter) return Fed::edited;
  }
  if (key.kind != KeyKind::paste) pasting_ = Paste::none;
  if (key.kind != KeyKind::enter) {
    edit(key);
    return Fed::edited;
  }
  if (cursor_ == 0 || cells_[cursor_ - 1] != "\\") return Fed::sends;
  cut(cursor_ - 1, cursor_);
  insert("\n");
  return Fed::edited;
}

void LineEditor::edit(const Key& key) {
  switch (key.kind) {
    case KeyKind::character:
      return insert(key.bytes);
    case KeyKind::new_line:
      return insert("\n");
    case KeyKind::paste:
      return paste(key);
    case KeyKind::tab:
      return complete();
    case KeyKind::left:
      cursor_ -= cursor_ > 0 ? 1 : 0;
      return;
    case KeyKind::right:
      cursor_ += cursor_ < cells_.size() ? 1 : 0;
      return;
    case KeyKind::word_left:
      cursor_ = word_left();
      return;
    case KeyKind::word_right:
      cursor_ = word_right();
      return;
    case KeyKind::home:
      cursor_ = line_start();
      return;
    case KeyKind::end:
      cursor_ = line_end();
      return;
    case KeyKind::up:
      return move_up();
    case KeyKind::down:
      return move_down();
    case KeyKind::backspace:
      if (cursor_ > 0) cut(cursor_ - 1, cursor_);
      return;
    case KeyKind::delete_right:
    case KeyKind::end_of_input:
      if (cursor_ < cells_.size()) cut(cursor_, cursor_ + 1);
      return;
    case KeyKind::cut_space_word: {
      std::size_t from = cursor_;
      while (from > 0 && is_space(cells_[from - 1])) --from;
      while (from > 0 && !is_space(cells_[from - 1])) --from;
      return cut(from, cursor_);
    }
    case KeyKind::cut_word_left:
      return cut(word_left(), cursor_);
    case KeyKind::cut_word_right:
      return cut(cursor_, word_right());
    case KeyKind::cut_to_start:
      return cut(line_start(), cursor_);
    case KeyKind::cut_to_end:
      return cut(cursor_, line_end());
    case KeyKind::insert_cut: {
      const std::vector<Cell> cells = cut_;
      for (const Cell& cell : cells) {
        if (!has_room_for(cell.size())) return;
        bytes_ += cell.size();
        cells_.insert(cells_.begin() + static_cast<std::ptrdiff_t>(cursor_++), cell);
      }
      return;
    }
    case KeyKind::search:
      search_ = Search{.before = cells_};
      return;
    case KeyKind::enter:
    case KeyKind::page_up:
    case KeyKind::page_down:
    case KeyKind::escape:
    case KeyKind::clear_screen:
    case KeyKind::interrupt:
    case KeyKind::other:
      return;
  }
}

void LineEditor::insert(std::string_view text) {
  if (!has_room_for(text.size())) {
    hint_ = {std::string(kTooLong)};
    return;
  }
  bytes_ += text.size();
  if (cursor_ > 0 && cells_[cursor_ - 1] != "\n" && joins_the_one_before(text)) {
    cells_[cursor_ - 1] += text;
    return;
  }
  std::vector<Cell> cells = cells_of(text);
  const auto count = static_cast<std::ptrdiff_t>(cells.size());
  cells_.insert(cells_.begin() + static_cast<std::ptrdiff_t>(cursor_), std::make_move_iterator(cells.begin()),
                std::make_move_iterator(cells.end()));
  cursor_ += static_cast<std::size_t>(count);
}

// A long text comes in parts; they are one cell. One that does not fit is dropped whole: half of it would mislead.
void LineEditor::paste(const Key& key) {
  const Paste before = std::exchange(pasting_, key.goes_on ? Paste::goes_on : Paste::none);
  std::string text = as_lines(key.bytes);
  if (!key.goes_on) {
    while (text.ends_with('\n')) text.pop_back();
  }
  if (before == Paste::none || pasted_.empty()) pasted_.emplace_back();
  if (pasted_.back().size() + text.size() <= kMaxTyped) pasted_.back() += text;
  if (before == Paste::dropped || !has_room_for(text.size())) {
    if (before == Paste::goes_on) cut(cursor_ - 1, cursor_);
    if (key.goes_on) pasting_ = Paste::dropped;
    hint_ = {std::string(kTooLong)};
  } else if (before == Paste::goes_on) {
    cells_[cursor_ - 1] += text;
    bytes_ += text.size();
  } else if (key.goes_on || is_long(text)) {
    bytes_ += text.size();
    cells_.insert(cells_.begin() + static_cast<std::ptrdiff_t>(cursor_++), std::move(text));
  } else if (!text.empty()) {
    insert(text);
  }
}

void LineEditor::complete() {
  if (!complete_) return;
  Completion completion = complete_(text_of(0, cursor_));
  if (completion.choices.empty()) return;
  const std::string before = text_of(0, cursor_);
  const std::string typed = before.substr(before.size() - std::min(completion.replaces, before.size()));
  const std::string common = common_beginning(completion.choices);
  if (common.size() > typed.size() || completion.choices.size() == 1) {
    // A folded paste is one cell of many characters.
    std::size_t from = cursor_;
    for (std::size_t bytes = typed.size(); from > 0 && bytes > 0; bytes -= cells_[from].size()) {
      if (cells_[--from].size() > bytes) return;
    }
    const std::vector<Cell> kept = cut_;
    cut(from, cursor_);
    cut_ = kept;
    const bool is_folder = common.ends_with('/');
    insert(completion.choices.size() == 1 && !is_folder ? common + " " : common);
    return;
  }
  const std::size_t more = completion.choices.size() - std::min(completion.choices.size(), kMaxChoices);
  completion.choices.resize(completion.choices.size() - more);
  if (more > 0) completion.choices.push_back(fmt::format("… {} more", more));
  hint_ = std::move(completion.choices);
}

// ---- History.

void LineEditor::show_history(std::size_t index) {
  if (at_ == history_.size()) new_line_ = cells_;
  at_ = index;
  if (at_ == history_.size()) {
    set_cells(std::exchange(new_line_, {}));
  } else {
    replace(history_[at_]);
  }
}

void LineEditor::move_up() {
  const std::size_t start = line_start();
  if (start == 0) {
    if (at_ > 0) show_history(at_ - 1);
    return;
  }
  const std::size_t column = cursor_ - start;
  cursor_ = start - 1;  // the end of the line above
  cursor_ = std::min(line_start() + column, cursor_);
}

void LineEditor::move_down() {
  const std::size_t end = line_end();
  if (end == cells_.size()) {
    if (at_ < history_.size()) show_history(at_ + 1);
    return;
  }
  const std::size_t column = cursor_ - line_start();
  cursor_ = end + 1;
  cursor_ = std::min(cursor_ + column, line_end());
}

void LineEditor::find_older(std::size_t below) {
  for (std::size_t i = std::min(below, history_.size()); i > 0; --i) {
    if (!history_[i - 1].contains(search_->words)) continue;
    search_->found = i - 1;
    return;
  }
}

// Ctrl-R again goes to an older line, Escape back to the line as it was; any other key goes on with what was found.
void LineEditor::search(const Key& key) {
  switch (key.kind) {
    case KeyKind::character:
      search_->words += key.bytes;
      search_->found.reset();
      return find_older(history_.size());
    case KeyKind::backspace: {
      const std::vector<Cell> cells = cells_of(search_->words);
      if (!cells.empty()) search_->words.resize(search_->words.size() - cells.back().size());
      search_->found.reset();
      return search_->words.empty() ? void() : find_older(history_.size());
    }
    case KeyKind::search:
      return find_older(search_->found.value_or(history_.size()));
    default:
      break;
  }
  const Search search = *std::exchange(search_, std::nullopt);
  if (key.kind == KeyKind::escape || key.kind == KeyKind::interrupt || !search.found) return set_cells(search.before);
  replace(history_[*search.found]);
  if (key.kind != KeyKind::enter && key.kind != KeyKind::tab) edit(key);
}

// ---- The text.

TypedLine LineEditor::take() {
  TypedLine line{.text = text(), .pasted = std::exchange(pasted_, {})};
  set_cells({});
  at_ = history_.size();
  new_line_.clear();
  hint_.clear();
  search_.reset();
  return line;
}

void LineEditor::remember(const std::string& line) {
  std::erase(history_, line);
  history_.push_back(line);
  if (history_.size() > kMaxHistory) history_.erase(history_.begin());
  at_ = history_.size();
}

std::string LineEditor::text() const { return text_of(0, cells_.size()); }

std::string LineEditor::text_of(std::size_t from, std::size_t to) const {
  std::string text;
  for (std::size_t i = from; i < to; ++i) text += cells_[i];
  return text;
}

void LineEditor::replace(std::string_view text) {
  search_.reset();
  set_cells(is_long(text) ? std::vector<Cell>{Cell(text)} : cells_of(text));
}

void LineEditor::set_cells(std::vector<Cell> cells) {
  cells_ = std::move(cells);
  cursor_ = cells_.size();
  bytes_ = 0;
  for (const Cell& cell : cells_) bytes_ += cell.size();
  pasting_ = Paste::none;
  pasted_.clear();
}

void LineEditor::cut(std::size_t from, std::size_t to) {
  if (from == to) return;
  const auto begin = cells_.begin() + static_cast<std::ptrdiff_t>(from);
  const auto end = cells_.begin() + static_cast<std::ptrdiff_t>(to);
  if (to - from > 1) cut_.assign(begin, end);  // one character is not worth keeping
  for (auto cell = begin; cell != end; ++cell) bytes_ -= cell->size();
  cells_.erase(begin, end);
  cursor_ = from;
  if (cells_.empty()) pasted_.clear();
}

std::size_t LineEditor::line_start() const {
  std::size_t at = cursor_;
  while (at > 0 && cells_[at - 1] != "\n") --at;
  return at;
}

std::size_t LineEditor::line_end() const {
  std::size_t at = cursor_;
  while (at < cells_.size() && cells_[at] != "\n") ++at;
  return at;
}

std::size_t LineEditor::word_left() const {
  std::size_t at = cursor_;
  while (at > 0 && !is_word(cells_[at - 1])) --at;
  while (at > 0 && is_word(cells_[at - 1])) --at;
  return at;
}

std::size_t LineEditor::word_right() const {
  std::size_t at = cursor_;
  while (at < cells_.size() && !is_word(cells_[at])) ++at;
  while (at < cells_.size() && is_word(cells_[at])) ++at;
  return at;
}

TypedRows LineEditor::rows(std::size_t width, std::size_t most) const {
  std::vector<Cell> found;
  if (search_ && search_->found) found = cells_of(history_[*search_->found]);
  const std::string prompt =
      search_ ? fmt::format("(search) {}{} ", shown_line(search_->words), search_->found ? ":" : ": nothing found")
              : prompt_;
  const std::vector<Cell>& cells = search_ ? found : cells_;
  RowWriter writer(prompt, width);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (!search_ && i == cursor_) writer.mark_cursor();
    writer.add(cells[i] == "\n" ? std::string("\n") : shown_cell(cells[i]));
  }
  if (search_ || cursor_ == cells.size()) writer.mark_cursor();
  if (!hint_.empty()) {
    writer.new_row();
    for (const std::string& part : hint_) writer.add_whole(shown_line(part) + "  ");
  }
  TypedRows drawn = std::move(writer).end();
  keep_rows_at_cursor(drawn, most);
  return drawn;
}

}  // namespace deputy::channel
