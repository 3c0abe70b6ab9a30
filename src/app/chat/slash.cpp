#include "app/chat/slash.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace deputy::app {

bool is_slash(std::string_view line) { return trim(line).starts_with('/'); }

Result<SlashWish> read_slash(std::string_view line) {
  const std::string_view typed = trim(line).substr(1);
  const std::size_t space = typed.find(' ');
  const std::string name = to_lower(typed.substr(0, space));
  const std::string_view rest = space == std::string_view::npos ? std::string_view() : trim(typed.substr(space));
  const auto* found = std::ranges::find(kSlashCommands, name, &SlashRow::name);
  if (found != kSlashCommands.end()) {
    if (rest.empty() || !found->takes.empty()) return SlashWish{found->command, std::string(rest)};
    return fail(ErrorKind::invalid_input, fmt::format("/{} takes nothing behind it", found->name));
  }
  std::vector<std::string> names;
  names.reserve(kSlashCommands.size());
  for (const SlashRow& row : kSlashCommands) names.emplace_back(row.name);
  const std::string_view near = nearest(name, names);
  return fail(ErrorKind::invalid_input, fmt::format("there is no /{}", cut_with_mark(name, 40)),
              near.empty() ? std::string("/help lists what there is") : fmt::format("did you mean /{}?", near));
}

std::string slash_help() {
  std::string text;
  for (const SlashRow& row : kSlashCommands)
    text += fmt::format("  {:<18} {}\n", fmt::format("/{}{}{}", row.name, row.takes.empty() ? "" : " ", row.takes),
                        row.words);
  return text +
         "Anything else is said to Deputy; while it works, it is a note to it. Ctrl-C stops what it does, twice leaves,"
         "\nas Ctrl-D does.\n";
}

}  // namespace deputy::app
