#include "channel/terminal/pager.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "channel/terminal/answer_text.h"
#include "channel/terminal/live_view.h"
#include "channel/terminal/window.h"

namespace deputy::channel {

namespace {

constexpr std::size_t kOtherRows = 2;  // the row that says where it is, and one to spare

std::size_t page_rows(WindowSize window) { return std::max<std::size_t>(window.rows, kOtherRows + 1) - kOtherRows; }

std::size_t last_top(const Pager& pager, WindowSize window) {
  return pager.rows.size() - std::min(pager.rows.size(), page_rows(window));
}

}  // namespace

Pager pager_of(std::string title, std::string_view lines, std::size_t width) {
  Pager pager{.title = std::move(title), .rows = {}, .top = 0};
  while (lines.ends_with('\n')) lines.remove_suffix(1);
  for (const std::string_view line : split(lines, "\n")) {
    const std::string shown = with_spaces(line);
    if (width_of(shown) <= width) {
      pager.rows.push_back(shown);
    } else if (shown.contains('\x1b')) {  // colours of our own
      std::ranges::move(last_rows(shown, width, shown.size()), std::back_inserter(pager.rows));
    } else {
      std::string wrapped = wrapped_text(shown, width);
      wrapped.pop_back();
      for (const std::string_view row : split(wrapped, "\n")) pager.rows.emplace_back(row);
    }
  }
  return pager;
}

bool fits(const Pager& pager, WindowSize window) { return pager.rows.size() <= page_rows(window); }

std::optional<Pager> turn_page(Pager pager, const Key& key, WindowSize window) {
  const std::size_t page = page_rows(window);
  const std::size_t last = last_top(pager, window);
  const auto is = [&](std::string_view letters) {
    return key.kind == KeyKind::character && key.bytes.size() == 1 && letters.contains(key.bytes);
  };
  if (key.kind == KeyKind::escape || key.kind == KeyKind::enter || key.kind == KeyKind::end_of_input || is("q"))
    return std::nullopt;
  if (key.kind == KeyKind::down || is("j")) pager.top += 1;
  if (key.kind == KeyKind::up || is("k")) pager.top -= std::min<std::size_t>(pager.top, 1);
  if (key.kind == KeyKind::page_down || is(" f")) pager.top += page;
  if (key.kind == KeyKind::page_up || is("b")) pager.top -= std::min(pager.top, page);
  if (key.kind == KeyKind::home || is("g")) pager.top = 0;
  if (key.kind == KeyKind::end || is("G")) pager.top = last;
  pager.top = std::min(pager.top, last);
  return pager;
}

std::vector<std::string> rows_of(const Pager& pager, WindowSize window, Colours colours) {
  const std::size_t end = std::min(pager.top + page_rows(window), pager.rows.size());
  std::vector<std::string> rows(pager.rows.begin() + static_cast<std::ptrdiff_t>(std::min(pager.top, end)),
                                pager.rows.begin() + static_cast<std::ptrdiff_t>(end));
  rows.push_back(styled(fmt::format("{}–{} of {} · space, arrows · q closes · {}", pager.top + 1, end,
                                    pager.rows.size(), one_line(pager.title)),
                        Style::dim, colours));
  return rows;
}

}  // namespace deputy::channel
