#include "channel/markdown.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace deputy::channel {

std::size_t indent_of(std::string_view line) {
  std::size_t columns = 0;
  for (const char c : line) {
    if (c != ' ' && c != '\t') break;
    columns = c == ' ' ? columns + 1 : (columns / 4 + 1) * 4;
  }
  return columns;
}

std::optional<Fence> opens_fence(std::string_view line) {
  const std::string_view text = trim(line);
  if (text.empty() || (text.front() != '`' && text.front() != '~')) return std::nullopt;
  const char mark = text.front();
  const std::size_t length = std::min(text.find_first_not_of(mark), text.size());
  if (length < 3) return std::nullopt;
  const std::string_view info = text.substr(length);
  if (mark == '`' && info.contains('`')) return std::nullopt;
  return Fence{mark, length, indent_of(line), std::string(info)};
}

bool closes_fence(std::string_view line, const Fence& open) {
  const std::optional<Fence> fence = opens_fence(line);
  return fence && fence->mark == open.mark && fence->length >= open.length && fence->info.empty() &&
         fence->indent < open.indent + kCodeIndent;
}

namespace {

struct Line {
  std::string text;
  std::optional<Fence> before;  // the block that is open before it
  std::optional<Fence> after;   // and after it

  bool opens() const { return !before && after; }
  bool is_blank() const { return !before && !after && trim(text).empty(); }
};

// Changes a text that would open a fence, or close the one around it, so that it does not: a piece of a split line, or
// a fence too long to be repeated in each part. It gets longer by kMaxToMakeHarmless at most.
constexpr std::size_t kMaxToMakeHarmless = 2 * kCodeIndent;
std::string harmless(std::string text, const std::optional<Fence>& inside) {
  if (inside) return closes_fence(text, *inside) ? std::string(inside->indent + kCodeIndent, ' ') + text : text;
  const std::optional<Fence> opens = opens_fence(text);
  if (!opens || opens->indent >= kCodeIndent) return text;
  return text.insert(text.find(opens->mark), 1, '\\');
}

std::vector<Line> lines_of(std::string_view markdown, std::size_t limit) {
  std::vector<Line> lines;
  std::optional<Fence> open;
  for (const std::string_view text : split(markdown, "\n")) {
    Line line{std::string(text), open, open};
    if (open) {
      if (closes_fence(text, *open)) {
        line.text = open->closing();
        line.after.reset();
      }
    } else if (std::optional<Fence> fence = opens_fence(text); fence && fence->indent < kCodeIndent) {
      // Repeating the fence in each part must leave room for the code.
      if (text.size() <= limit / 4) {
        line.after = std::move(fence);
      } else {
        line.text = harmless(std::move(line.text), std::nullopt);
      }
    }
    open = line.after;
    lines.push_back(std::move(line));
  }
  return lines;
}

class Splitter {
 public:
  explicit Splitter(std::size_t limit) : limit_(limit) {}

  void add(Line line) {
    while (!fits(line)) {
      const bool nothing_before = part_.empty() || (part_.size() == 1 && part_.front().opens());
      const bool too_long_for_any = line.text.size() > limit_ / 2;
      if (nothing_before || (too_long_for_any && room(line) >= limit_ / 2)) {
        line = cut(std::move(line));
      } else {
        end_part(best_end());
      }
    }
    take(std::move(line));
  }

  std::vector<std::string> finish() {
    end_part(part_.size());
    return std::move(parts_);
  }

 private:
  // The size of the part without the text of this line. A line that closes a block always fits: room is reserved for
  // it.
  std::size_t around(const Line& line) const {
    const std::size_t before = part_.empty() ? opening_size(line) : size_ + 1;
    return before + (line.after ? line.after->closing().size() + 1 : 0);
  }
  bool fits(const Line& line) const { return around(line) + line.text.size() <= limit_; }
  std::size_t room(const Line& line) const { return limit_ - std::min(limit_, around(line)); }
  static std::size_t opening_size(const Line& first) { return first.before ? first.before->opening().size() + 1 : 0; }

  void take(Line line) {
    if (part_.empty() && line.is_blank()) return;
    size_ = (part_.empty() ? opening_size(line) : size_ + 1) + line.text.size();
    part_.push_back(std::move(line));
  }

  // Ends the part with as much of the line as fits and returns the rest. The line never opens or closes a block,
  // because such lines are short.
  Line cut(Line line) {
    const std::string text = std::move(line.text);
    std::string_view piece = cut_bytes(text, room(line) - kMaxToMakeHarmless);
    const std::size_t space = piece.find_last_of(' ');
    if (space != std::string_view::npos && space > piece.size() / 2) piece = piece.substr(0, space + 1);
    std::string_view rest = std::string_view(text).substr(piece.size());
    const bool prose = !line.before;
    line.text = harmless(std::string(prose ? piece.substr(0, piece.find_last_not_of(' ') + 1) : piece), line.before);
    take(line);
    end_part(part_.size());
    line.text = harmless(std::string(prose ? trim(rest) : rest), line.before);
    return line;
  }

  // After the last paragraph that ends in the second half, else after the last line, but not after one that opens a
  // block.
  std::size_t best_end() const {
    std::size_t behind = 0;
    for (std::size_t i = part_.size(); i > 1 && behind <= limit_ / 2; --i) {
      if (part_[i - 1].is_blank()) return i;
      behind += part_[i - 1].text.size() + 1;
    }
    return part_.back().opens() ? part_.size() - 1 : part_.size();
  }

  // Writes the first `count` lines as a part; the other lines start the next part.
  void end_part(std::size_t count) {
    std::size_t last = count;
    while (last > 0 && part_[last - 1].is_blank()) --last;
    if (last > 0) write_part(last);
    std::vector<Line> others(std::make_move_iterator(part_.begin() + static_cast<std::ptrdiff_t>(count)),
                             std::make_move_iterator(part_.end()));
    part_.clear();
    size_ = 0;
    for (Line& line : others) take(std::move(line));
  }

  void write_part(std::size_t count) {
    std::vector<std::string> lines;
    if (const auto& open = part_.front().before) lines.push_back(open->opening());
    for (std::size_t i = 0; i < count; ++i) lines.push_back(std::move(part_[i].text));
    if (const auto& open = part_[count - 1].after) lines.push_back(open->closing());
    parts_.push_back(join(lines, "\n"));
  }

  std::size_t limit_;
  std::vector<std::string> parts_;
  std::vector<Line> part_;  // the part that is being filled
  std::size_t size_ = 0;    // bytes of `part_`, without the closing fence of an open block
};

// The text up to the first kCodeLinesInSummary lines of its first long code block; nothing if it has no long block.
std::optional<std::string_view> before_long_block(std::string_view markdown) {
  std::optional<Fence> open;
  std::size_t in_block = 0;
  std::size_t at = 0;
  std::size_t cut_at = 0;
  for (const std::string_view line : split(markdown, "\n")) {
    at += line.size() + 1;
    if (!open) {
      open = opens_fence(line);
      if (open && open->indent >= kCodeIndent) open.reset();
      in_block = 0;
    } else if (closes_fence(line, *open)) {
      open.reset();
    } else if (++in_block == kCodeLinesInSummary) {
      cut_at = at - 1;
    } else if (in_block > kMaxCodeBlock) {
      return markdown.substr(0, cut_at);
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::string> split_markdown(std::string_view markdown, std::size_t limit) {
  limit = std::max(limit, kSmallestPart);
  Splitter splitter(limit);
  for (Line& line : lines_of(markdown, limit)) splitter.add(std::move(line));
  return splitter.finish();
}

Layout lay_out(std::string_view markdown, std::size_t limit, Files files) {
  limit = std::max(limit, 4 * kSmallestPart);
  const std::optional<std::string_view> beginning = before_long_block(markdown);
  Layout layout{split_markdown(markdown, limit)};
  if (files == Files::cannot || (layout.parts.size() <= kMaxParts && !beginning)) return layout;
  const std::string mark = fmt::format(
      "\n\n*This is only the beginning. The full text ({} characters) is in the file.*", count_characters(markdown));
  std::vector<std::string> shown = split_markdown(beginning.value_or(markdown), limit - mark.size());
  return {{(shown.empty() ? "" : shown.front()) + mark}, true};
}

}  // namespace deputy::channel
