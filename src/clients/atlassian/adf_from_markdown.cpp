#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "base/text.h"
#include "clients/atlassian/adf.h"
#include "clients/atlassian/adf_inline.h"

namespace deputy::clients::atlassian {

namespace {

using Lines = std::vector<std::string_view>;

constexpr int kMaxDepth = 6;  // of lists and quotes; what is deeper is text
constexpr std::size_t kMaxHeading = 6;
constexpr std::size_t kMaxColumns = 50;

/// What a block stands in: inside lists and quotes Jira takes paragraphs, lists and code only.
enum class Inside { document, list_item, quote };

json::object node(std::string_view type, json::array content) {
  return {{"type", std::string(type)}, {"content", std::move(content)}};
}

bool is_blank(std::string_view line) { return trim(line).empty(); }

std::size_t indent_of(std::string_view line) {
  std::size_t columns = 0;
  for (const char c : line) {
    if (c == ' ')
      ++columns;
    else if (c == '\t')
      columns += 4 - columns % 4;
    else
      break;
  }
  return columns;
}

std::string_view without_indent(std::string_view line, std::size_t columns) {
  std::size_t seen = 0;
  while (seen < columns && !line.empty() && (line.front() == ' ' || line.front() == '\t')) {
    seen += line.front() == '\t' ? 4 - seen % 4 : 1;
    line.remove_prefix(1);
  }
  return line;
}

struct Fence {
  char sign = '`';
  std::size_t length = 0;
  std::string_view language;
};

std::optional<Fence> fence_at(std::string_view line) {
  line = trim(line);
  if (!line.starts_with("```") && !line.starts_with("~~~")) return std::nullopt;
  Fence fence{.sign = line.front()};
  fence.length = std::min(line.find_first_not_of(fence.sign), line.size());
  const std::string_view info = trim(line.substr(fence.length));
  if (fence.sign == '`' && info.contains('`')) return std::nullopt;
  fence.language = info.substr(0, info.find_first_of(" \t{"));
  return fence;
}

bool closes(std::string_view line, const Fence& fence) {
  line = trim(line);
  return line.size() >= fence.length && line.find_first_not_of(fence.sign) == std::string_view::npos;
}

std::size_t heading_level(std::string_view line) {
  const std::size_t level = std::min(line.find_first_not_of('#'), line.size());
  if (level == 0 || level > kMaxHeading) return 0;
  return level == line.size() || line[level] == ' ' ? level : 0;
}

bool is_rule(std::string_view line) {
  line = trim(line);
  if (line.empty() || !std::string_view("-*_").contains(line.front())) return false;
  const auto signs = std::ranges::count(line, line.front());
  return signs >= 3 && std::ranges::all_of(line, [&](char c) { return c == line.front() || c == ' '; });
}

struct Marker {
  bool ordered = false;
  std::size_t indent = 0;   // of the marker
  std::size_t content = 0;  // column of the text after it
  std::string_view text;
};

std::optional<Marker> marker_at(std::string_view line) {
  Marker marker{.indent = indent_of(line)};
  std::string_view rest = trim(line);
  std::size_t width = 1;
  if (rest.empty() || is_rule(rest)) return std::nullopt;
  if (!std::string_view("-*+").contains(rest.front())) {
    const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    if (digits == 0 || digits > 9 || digits == rest.size() || (rest[digits] != '.' && rest[digits] != ')'))
      return std::nullopt;
    marker.ordered = true;
    width = digits + 1;
  }
  if (rest.size() > width && rest[width] != ' ' && rest[width] != '\t') return std::nullopt;
  marker.content = marker.indent + width + 1;
  marker.text = trim(rest.substr(width));
  return marker;
}

std::vector<std::string_view> cells_of(std::string_view row) {
  row = trim(row);
  if (row.starts_with('|')) row.remove_prefix(1);
  if (row.ends_with('|')) row.remove_suffix(1);
  std::vector<std::string_view> cells = split(row, "|");
  cells.resize(std::min(cells.size(), kMaxColumns));
  return cells;
}

bool is_table_rule(std::string_view line) {
  line = trim(line);
  return line.contains('-') && line.contains('|') && line.find_first_not_of("|-: ") == std::string_view::npos;
}

json::object paragraph(std::string_view text) { return node("paragraph", inline_nodes(text)); }

json::object code_block(std::string_view language, const std::string& text) {
  json::object block{{"type", "codeBlock"}};
  if (!language.empty()) block["attrs"] = json::object{{"language", std::string(language)}};
  block["content"] = text.empty() ? json::array{} : json::array{json::object{{"type", "text"}, {"text", text}}};
  return block;
}

class Blocks {
 public:
  Blocks(const Lines& lines, Inside inside, int depth) : lines_(lines), inside_(inside), depth_(depth) {}

  json::array read() && {
    while (at_ < lines_.size()) {
      if (is_blank(lines_[at_])) {
        ++at_;
      } else if (!(code() || heading() || rule() || quote() || list() || table())) {
        text();
      }
    }
    return std::move(blocks_);
  }

 private:
  std::string_view line() const { return lines_[at_]; }
  bool may_go_deeper() const { return depth_ < kMaxDepth; }

  bool code() {
    const auto fence = fence_at(line());
    if (!fence) return false;
    const std::size_t indent = indent_of(line());
    std::vector<std::string> inside;
    for (++at_; at_ < lines_.size() && !closes(line(), *fence); ++at_)
      inside.emplace_back(without_indent(line(), indent));
    if (at_ < lines_.size()) ++at_;
    blocks_.push_back(code_block(fence->language, join(inside, "\n")));
    return true;
  }

  bool heading() {
    const std::size_t level = heading_level(trim(line()));
    if (level == 0) return false;
    std::string_view words = trim(trim(line()).substr(level));
    while (words.ends_with('#')) words.remove_suffix(1);
    if (inside_ == Inside::document) {
      json::object made = node("heading", inline_nodes(words));
      made["attrs"] = json::object{{"level", level}};
      blocks_.push_back(std::move(made));
    } else {
      blocks_.push_back(node("paragraph", inline_nodes(words, true)));
    }
    ++at_;
    return true;
  }

  bool rule() {
    if (!is_rule(line())) return false;
    if (inside_ == Inside::document) blocks_.push_back(json::object{{"type", "rule"}});
    ++at_;
    return true;
  }

  bool quote() {
    if (!trim(line()).starts_with('>') || !may_go_deeper()) return false;
    Lines inside;
    for (; at_ < lines_.size() && trim(line()).starts_with('>'); ++at_) {
      std::string_view rest = trim(line()).substr(1);
      if (rest.starts_with(' ')) rest.remove_prefix(1);
      inside.push_back(rest);
    }
    json::array content = Blocks(inside, Inside::quote, depth_ + 1).read();
    if (content.empty()) content.push_back(paragraph(""));
    if (inside_ == Inside::document) {
      blocks_.push_back(node("blockquote", std::move(content)));
    } else {
      blocks_.insert(blocks_.end(), content.begin(), content.end());
    }
    return true;
  }

  bool list() {
    const auto first = marker_at(line());
    if (!first || !may_go_deeper()) return false;
    json::array items;
    while (at_ < lines_.size()) {
      const auto marker = marker_at(line());
      if (!marker || marker->ordered != first->ordered || marker->indent > first->indent + 1) break;
      items.push_back(item(*marker));
    }
    blocks_.push_back(node(first->ordered ? "orderedList" : "bulletList", std::move(items)));
    return true;
  }

  json::object item(const Marker& marker) {
    Lines inside{marker.text};
    ++at_;
    bool after_blank = false;
    while (at_ < lines_.size()) {
      if (is_blank(line())) {
        std::size_t next = at_;
        while (next < lines_.size() && is_blank(lines_[next])) ++next;
        after_blank = true;
        at_ = next;
        continue;
      }
      const std::size_t indent = indent_of(line());
      const bool begins_another = marker_at(line()).has_value();
      const bool deeper = indent > marker.indent + (begins_another ? 1 : 0);
      // A line that goes on without an indent still belongs to the text right above it.
      const bool goes_on = !after_blank && !begins_another && !starts_block();
      if (!deeper && !goes_on) break;
      if (after_blank) inside.emplace_back();
      after_blank = false;
      inside.push_back(without_indent(line(), marker.content));
      ++at_;
    }
    json::array content = Blocks(inside, Inside::list_item, depth_ + 1).read();
    const json::object* front = content.empty() ? nullptr : content.front().if_object();
    const bool begins_well = front != nullptr && (front->at("type") == "paragraph" || front->at("type") == "codeBlock");
    if (!begins_well) content.insert(content.begin(), paragraph(""));
    return node("listItem", std::move(content));
  }

  bool table() {
    if (!is_table_here()) return false;
    const std::size_t columns = cells_of(line()).size();
    if (inside_ != Inside::document) {
      std::vector<std::string> raw;
      for (; at_ < lines_.size() && line().contains('|'); ++at_) raw.emplace_back(line());
      blocks_.push_back(code_block("", join(raw, "\n")));
      return true;
    }
    json::array rows{row_of(line(), "tableHeader", columns)};
    for (at_ += 2; at_ < lines_.size() && line().contains('|'); ++at_)
      rows.push_back(row_of(line(), "tableCell", columns));
    blocks_.push_back(node("table", std::move(rows)));
    return true;
  }

  bool is_table_here() const {
    return line().contains('|') && at_ + 1 < lines_.size() && is_table_rule(lines_[at_ + 1]);
  }

  static json::object row_of(std::string_view line, std::string_view type, std::size_t columns) {
    std::vector<std::string_view> cells = cells_of(line);
    cells.resize(columns);
    json::array made;
    for (const std::string_view cell : cells) made.push_back(node(type, {paragraph(cell)}));
    return node("tableRow", std::move(made));
  }

  bool starts_block() const {
    return fence_at(line()) || heading_level(trim(line())) > 0 || is_rule(line()) ||
           (may_go_deeper() && (trim(line()).starts_with('>') || marker_at(line())));
  }

  void text() {
    std::vector<std::string> words;
    do {
      words.emplace_back(trim(line()));
      ++at_;
    } while (at_ < lines_.size() && !is_blank(line()) && !starts_block() && !is_table_here());
    blocks_.push_back(paragraph(join(words, "\n")));
  }

  const Lines& lines_;
  Inside inside_;
  int depth_;
  std::size_t at_ = 0;
  json::array blocks_;
};

/// Line ends are \n; other control characters are not allowed in a document.
std::string cleaned(std::string_view markdown) {
  const std::string valid = to_valid_utf8(std::string(markdown));
  std::string text;
  text.reserve(valid.size());
  for (std::size_t at = 0; at < valid.size(); ++at) {
    const char c = valid[at];
    if (c == '\r') {
      if (at + 1 == valid.size() || valid[at + 1] != '\n') text += '\n';
    } else if (c == '\n' || c == '\t' || (static_cast<unsigned char>(c) >= ' ' && c != '\x7f')) {
      text += c;
    }
  }
  return text;
}

}  // namespace

json::object adf_from_markdown(std::string_view markdown) {
  const std::string text = cleaned(markdown);
  json::array content = Blocks(split(text, "\n"), Inside::document, 0).read();
  return {{"type", "doc"}, {"version", 1}, {"content", std::move(content)}};
}

}  // namespace deputy::clients::atlassian
