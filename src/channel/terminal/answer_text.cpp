#include "channel/terminal/answer_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "channel/terminal/window.h"

namespace deputy::channel {

namespace {

constexpr std::size_t kMaxProse = 100;  // columns; longer lines are hard to read
constexpr std::size_t kMinProse = 10;
constexpr std::size_t kMinColumn = 8;  // of a table, when it has to shrink
constexpr std::size_t kGap = 2;        // between the columns of a table
constexpr std::size_t kMaxTableLines = 500;

// ---- Styled words, wrapped.

struct Looks {
  bool bold = false;
  bool italic = false;
  bool code = false;
  bool dim = false;
  std::optional<Style> style = {};  // of code

  bool operator==(const Looks&) const = default;
};

struct Words {
  std::string text;  // escaped
  Looks looks;
};
using Row = std::vector<Words>;

void add(Row& row, std::string_view text, Looks looks) {
  if (!row.empty() && row.back().looks == looks) {
    row.back().text += text;
  } else {
    row.push_back({std::string(text), looks});
  }
}

Row words_in(std::string_view markdown) {
  Row row;
  for (const Span& span : spans_of(markdown)) {
    add(row, shown_line(span.text), {.bold = span.bold, .italic = span.italic, .code = span.code});
    if (!span.address.empty() && span.address != span.text)
      add(row, fmt::format(" ({})", shown_line(span.address)), {.dim = true});
  }
  return row;
}

std::string text_of(const Row& row, Colours colours) {
  std::string text;
  for (const auto& [words, looks] : row) {
    std::string part = words;
    if (looks.code) part = styled(part, Style::code, colours);
    if (looks.dim) part = styled(part, Style::dim, colours);
    if (looks.style) part = styled(part, *looks.style, colours);
    if (looks.italic) part = styled(part, Style::italic, colours);
    text += looks.bold ? styled(part, Style::bold, colours) : part;
  }
  return text;
}

std::size_t columns_in(const Row& row) {
  std::size_t width = 0;
  for (const Words& words : row) width += width_of(words.text);
  return width;
}

struct Glyph {
  std::string_view text;
  std::size_t width;
  Looks looks;
};

Row row_of(const std::vector<Glyph>& glyphs, std::size_t from, std::size_t to) {
  Row row;
  for (std::size_t i = from; i < to; ++i) add(row, glyphs[i].text, glyphs[i].looks);
  return row;
}

// Breaks at spaces; a word that is wider than a row is broken where the row ends.
std::vector<Row> wrapped(const Row& row, std::size_t width) {
  std::vector<Glyph> glyphs;
  for (const auto& [text, looks] : row) {
    for (std::string_view rest = text; !rest.empty();) {
      const std::string_view one = rest.substr(0, decode_utf8(rest).bytes);
      glyphs.push_back({one, one == "\t" ? 1 : width_of(one), looks});
      rest.remove_prefix(one.size());
    }
  }
  std::vector<Row> rows;
  std::size_t start = 0;
  while (start < glyphs.size()) {
    std::size_t end = start;
    std::size_t space = start;
    for (std::size_t used = 0; end < glyphs.size() && used + glyphs[end].width <= width; ++end) {
      if (glyphs[end].text == " ") space = end;
      used += glyphs[end].width;
    }
    if (end < glyphs.size() && glyphs[end].text == " ") space = end;
    const bool breaks_at_space = end < glyphs.size() && space > start;
    end = breaks_at_space ? space : std::max(end, start + 1);
    rows.push_back(row_of(glyphs, start, end));
    for (start = end; breaks_at_space && start < glyphs.size() && glyphs[start].text == " ";) ++start;
  }
  if (rows.empty()) rows.emplace_back();
  return rows;
}

// The rows of a paragraph: the first after `first`, the others after `rest`.
std::string paragraph(const Row& row, std::string_view first, std::string_view rest, std::size_t width,
                      Colours colours) {
  const std::size_t room = std::max(std::min(width, kMaxProse), kMinProse + width_of(first)) - width_of(first);
  std::string text;
  for (const Row& one : wrapped(row, room)) {
    text += std::string(text.empty() ? first : rest) + text_of(one, colours);
    text += '\n';
  }
  return text;
}

// ---- Marks at the start of a line.

struct Item {
  std::size_t indent = 0;
  std::string mark;        // "•", "12."
  std::string_view words;  // after it
};

std::optional<Item> item_of(std::string_view line) {
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  std::string_view rest = line.substr(indent);
  if (rest.starts_with("- ") || rest.starts_with("* ") || rest.starts_with("+ ")) {
    rest.remove_prefix(2);
    if (rest.starts_with("[ ] ")) return Item{indent, "☐", rest.substr(4)};
    if (rest.starts_with("[x] ") || rest.starts_with("[X] ")) return Item{indent, "☑", rest.substr(4)};
    return Item{indent, "•", rest};
  }
  const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  if (digits == 0 || digits > 4 || rest.size() < digits + 2) return std::nullopt;
  if ((rest[digits] != '.' && rest[digits] != ')') || rest[digits + 1] != ' ') return std::nullopt;
  return Item{indent, std::string(rest.substr(0, digits + 1)), rest.substr(digits + 2)};
}

bool is_rule(std::string_view line) {
  line = trim(line);
  return line.size() >= 3 && std::string_view("-*_").contains(line.front()) &&
         line.find_first_not_of(line.front()) == std::string_view::npos;
}

// ---- Tables.

bool is_table(std::string_view line) { return trim(line).starts_with('|'); }

std::vector<std::string_view> cells_in(std::string_view line) {
  line = trim(line);
  line.remove_prefix(1);
  if (line.ends_with('|') && !line.ends_with("\\|")) line.remove_suffix(1);
  std::vector<std::string_view> cells;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    const bool ends = i == line.size() || (line[i] == '|' && (i == 0 || line[i - 1] != '\\'));
    if (!ends) continue;
    cells.push_back(trim(line.substr(begin, i - begin)));
    begin = i + 1;
  }
  return cells;
}

bool is_separator(std::string_view line) {
  const std::vector<std::string_view> cells = cells_in(line);
  return std::ranges::all_of(cells, [](std::string_view cell) {
    return cell.contains('-') && cell.find_first_not_of("-:") == std::string_view::npos;
  });
}

struct Table {
  std::vector<std::vector<Row>> rows;  // the first is the head
  std::vector<bool> right;             // by column
  std::vector<std::size_t> widths;
};

Table read_table(const std::vector<std::string>& lines) {
  Table table;
  for (const std::string_view cell : cells_in(lines[1]))
    table.right.push_back(cell.ends_with(':') && !cell.starts_with(':'));
  const std::size_t columns = table.right.size();
  table.widths.assign(columns, 0);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i == 1) continue;
    std::vector<Row> row;
    for (const std::string_view cell : cells_in(lines[i])) row.push_back(words_in(cell));
    row.resize(columns);
    for (std::size_t c = 0; c < columns; ++c) {
      if (i == 0) {
        for (Words& words : row[c]) words.looks.bold = true;
      }
      table.widths[c] = std::max(table.widths[c], columns_in(row[c]));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::size_t longest_word_in(const Row& row) {
  std::size_t longest = 0;
  std::string text;
  for (const Words& words : row) text += words.text;
  for (const std::string_view word : split(text, " ")) longest = std::max(longest, width_of(word));
  return longest;
}

// Makes the widest columns narrower until the table fits; false if it cannot without breaking words.
bool shrink(Table& table, std::size_t width) {
  std::vector<std::size_t> least(table.widths.size(), 0);
  for (const std::vector<Row>& row : table.rows) {
    for (std::size_t c = 0; c < row.size(); ++c) least[c] = std::max(least[c], longest_word_in(row[c]));
  }
  for (std::size_t c = 0; c < least.size(); ++c) least[c] = std::max(least[c], std::min(table.widths[c], kMinColumn));
  std::size_t total = kGap * (table.widths.size() - 1);
  for (const std::size_t one : table.widths) total += one;
  while (total > width) {
    std::size_t* widest = nullptr;
    for (std::size_t c = 0; c < least.size(); ++c) {
      std::size_t& one = table.widths[c];
      if (one > least[c] && (widest == nullptr || one > *widest)) widest = &one;
    }
    if (widest == nullptr) return false;
    --*widest;
    --total;
  }
  return true;
}

std::string drawn_row(const Table& table, const std::vector<Row>& cells, Colours colours) {
  std::vector<std::vector<Row>> columns;
  std::size_t height = 1;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    columns.push_back(wrapped(cells[c], std::max<std::size_t>(table.widths[c], 1)));
    height = std::max(height, columns.back().size());
  }
  std::string text;
  for (std::size_t line = 0; line < height; ++line) {
    std::string row;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const Row words = line < columns[c].size() ? columns[c][line] : Row{};
      const std::string padding(table.widths[c] - std::min(table.widths[c], columns_in(words)), ' ');
      if (c > 0) row += std::string(kGap, ' ');
      row += table.right[c] ? padding + text_of(words, colours) : text_of(words, colours) + padding;
    }
    while (row.ends_with(' ')) row.pop_back();
    text += row + "\n";
  }
  return text;
}

std::string drawn_table(const Table& table, Colours colours) {
  std::string text = drawn_row(table, table.rows.front(), colours);
  std::string line;
  for (const std::size_t width : table.widths) {
    line += line.empty() ? "" : std::string(kGap, ' ');
    for (std::size_t i = 0; i < width; ++i) line += "─";
  }
  text += styled(line, Style::dim, colours) + "\n";
  for (std::size_t i = 1; i < table.rows.size(); ++i) text += drawn_row(table, table.rows[i], colours);
  return text;
}

// A table that does not fit: each row as a list of "head: value".
std::string drawn_records(const Table& table, std::size_t width, Colours colours) {
  std::string text;
  for (std::size_t i = 1; i < table.rows.size(); ++i) {
    for (std::size_t c = 0; c < table.right.size(); ++c) {
      Row row = table.rows.front()[c];
      add(row, ": ", {});
      for (const Words& words : table.rows[i][c]) add(row, words.text, words.looks);
      text += paragraph(row, c == 0 ? "• " : "  ", "    ", width, colours);
    }
  }
  return text;
}

std::string table_text(const std::vector<std::string>& lines, std::size_t width, Colours colours) {
  Table table = read_table(lines);
  return shrink(table, width) ? drawn_table(table, colours) : drawn_records(table, width, colours);
}

}  // namespace

AnsiMarkdown::AnsiMarkdown(Colours colours, std::size_t width) : colours_(colours), width_(width) {}

std::string AnsiMarkdown::line(std::string_view markdown) {
  const CodeBlocks::Line kind = blocks_.next(markdown);
  if (kind == CodeBlocks::Line::prose && is_table(markdown) && table_.size() < kMaxTableLines) {
    table_.emplace_back(markdown);
    return {};
  }
  std::string text = end();
  switch (kind) {
    case CodeBlocks::Line::fence: {
      in_code_ = !in_code_;
      const std::optional<Fence> fence = in_code_ ? opens_fence(markdown) : std::nullopt;
      language_ = fence ? to_lower(trim(fence->info)) : std::string();
      return text;
    }
    case CodeBlocks::Line::code:
      return text + code(markdown);
    case CodeBlocks::Line::prose:
      return text + prose(markdown);
  }
  return text;
}

// A line that is too wide is wrapped too, further in than where it begins.
std::string AnsiMarkdown::code(std::string_view line) const {
  Row row;
  for (const CodePart& part : code_parts(line, language_)) add(row, part.text, {.style = part.style});
  const bool fits = columns_in(row) + 2 <= width_;
  std::string text;
  for (const Row& one : wrapped(row, fits ? kAnyWidth : std::max(width_, kMinProse) - 4))
    text += (text.empty() ? "  " : "    ") + text_of(one, colours_) + "\n";
  return text;
}

std::string AnsiMarkdown::end() {
  const std::vector<std::string> lines = std::exchange(table_, {});
  if (lines.size() >= 2 && is_separator(lines[1])) return table_text(lines, width_, colours_);
  std::string text;
  for (const std::string& line : lines) text += prose(line);
  return text;
}

std::string AnsiMarkdown::prose(std::string_view line) const {
  if (is_rule(line)) {
    std::string rule;
    for (std::size_t i = 0; i < std::min<std::size_t>(width_, 40); ++i) rule += "─";
    return styled(rule, Style::dim, colours_) + "\n";
  }
  if (line.starts_with('>')) {
    const std::string bar = styled("│", Style::dim, colours_) + " ";
    line.remove_prefix(line.starts_with("> ") ? 2 : 1);
    return paragraph(words_in(line), bar, bar, width_, colours_);
  }
  if (const std::optional<Item> item = item_of(line)) {
    const std::string first = std::string(item->indent, ' ') + item->mark + " ";
    return paragraph(words_in(item->words), first, std::string(width_of(first), ' '), width_, colours_);
  }
  const Heading heading = heading_of(line);
  if (heading.depth == 0) {
    const std::string indent(std::min(line.find_first_not_of(' '), line.size()), ' ');
    return paragraph(words_in(line.substr(indent.size())), indent, indent, width_, colours_);
  }
  std::string text;
  for (const Row& row : wrapped(words_in(heading.words), std::min(width_, kMaxProse)))
    text += styled(text_of(row, colours_), Style::heading, colours_) + "\n";
  return text;
}

std::string wrapped_text(std::string_view lines, std::size_t width) {
  std::string text;
  while (!lines.empty()) {
    const std::size_t end = lines.find('\n');
    const std::string_view line = lines.substr(0, end);
    lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
    if (width_of(line) <= width) {
      text += std::string(line) + "\n";
      continue;
    }
    const std::size_t begins = std::min(line.find_first_not_of(' '), line.size());
    const std::size_t furthest = width * 2 / 3;
    const std::size_t gap = line.rfind("  ", furthest);
    const std::size_t last = gap == std::string_view::npos ? gap : line.find_first_not_of(' ', gap);
    const bool has_columns = last != std::string_view::npos && last > begins && last <= furthest;
    const std::string before(line.substr(0, has_columns ? last : begins));
    const std::size_t indent = has_columns ? width_of(before) : begins + 2;
    const std::size_t room = std::max(width, indent + kMinProse) - indent;
    bool first = true;
    const std::string rest(line.substr(before.size()));
    for (const Row& row : wrapped({{rest, {}}}, room)) {
      text += (first ? before : std::string(indent, ' ')) + text_of(row, Colours::off);
      text.resize(text.find_last_not_of(' ') + 1);
      text += '\n';
      first = false;
    }
  }
  return text;
}

std::string wrapped_after(std::string_view mark, std::string_view text, std::size_t width) {
  return paragraph({{std::string(text), {}}}, mark, std::string(width_of(mark), ' '), width, Colours::off);
}

std::string ansi_text(std::string_view markdown, Colours colours, std::size_t width) {
  AnsiMarkdown lines(colours, width);
  std::string text;
  while (!markdown.empty()) {
    const std::size_t end = markdown.find('\n');
    text += lines.line(markdown.substr(0, end));
    markdown.remove_prefix(end == std::string_view::npos ? markdown.size() : end + 1);
  }
  text += lines.end();
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

}  // namespace deputy::channel
