// A text that is longer than the window, read page by page below the printed lines; it leaves nothing behind. Pure:
// keys in, rows out.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "channel/terminal/keys.h"
#include "channel/terminal/styled_text.h"
#include "channel/terminal/window.h"

namespace deputy::channel {

struct Pager {
  std::string title;
  std::vector<std::string> rows;  // escaped, none wider than the window was
  std::size_t top = 0;
};

/// Wraps the lines of a text at `width` columns. The text must be escaped already.
Pager pager_of(std::string title, std::string_view lines, std::size_t width);

/// Whether all of it can be printed without pushing its beginning out of the window.
bool fits(const Pager& pager, WindowSize window);

/// Space and the arrows move, q, Escape and Enter close it: then nothing is returned.
std::optional<Pager> turn_page(Pager pager, const Key& key, WindowSize window);

std::vector<std::string> rows_of(const Pager& pager, WindowSize window, Colours colours);

}  // namespace deputy::channel
