#include "channel/fence.h"

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

}  // namespace deputy::channel
