#include "app/chat/approval_view.h"

#include <fmt/format.h>

#include "base/text.h"
#include "channel/terminal/plain_text.h"
#include "interaction/arguments.h"
#include "interaction/escape.h"

namespace deputy::app {

namespace {

using channel::Colours;
using channel::Style;

constexpr std::size_t kFoldedDiff = 60;  // lines

std::string block(std::string_view text, std::size_t most, std::string_view indent, const auto& set) {
  std::string lines;
  while (text.ends_with('\n')) text.remove_suffix(1);
  const std::vector<std::string_view> all = split(text, "\n");
  for (std::size_t i = 0; i < all.size() && i < most; ++i)
    lines += fmt::format("{}{}\n", indent, set(interaction::escape_line(all[i])));
  if (all.size() > most) lines += fmt::format("{}… {} more lines, which x shows\n", indent, all.size() - most);
  return lines;
}

// The command exactly, a line of it a line here.
std::string command_lines(std::string_view command, Colours colours) {
  return block(command, std::string_view::npos, "  $ ",
               [&](const std::string& line) { return styled(line, Style::bold, colours); });
}

std::string change_lines(const json::value& preview, Much much, Colours colours) {
  if (!preview.is_string())
    return channel::indented(
        interaction::show_value(preview, much == Much::whole ? interaction::Fold::nothing() : interaction::Fold{})
            .text);
  return block(as_view(preview.get_string()), much == Much::whole ? std::string_view::npos : kFoldedDiff, "  ",
               [&](const std::string& line) { return channel::diff_line(line, colours); });
}

}  // namespace

std::string approval_lines(const interaction::Approval& approval, const toolkit::ToolSpec* spec, Much much,
                           Colours colours) {
  std::string head = "? " + channel::one_line(approval.tool);
  if (!approval.environment.empty()) head += " in " + channel::one_line(approval.environment);
  if (approval.background) head += " [bg]";
  std::string text = styled(head, Style::yellow, colours);
  if (!approval.target.empty()) text += styled("  " + channel::one_line(approval.target), Style::dim, colours);
  text += "\n";
  json::object arguments = approval.arguments;
  const bool runs_commands = spec != nullptr && spec->primary_is_command_line;
  const json::value* command = runs_commands ? arguments.if_contains(spec->primary_param) : nullptr;
  if (command != nullptr && command->is_string()) {
    text += command_lines(as_view(command->get_string()), colours);
    arguments.erase(spec->primary_param);
  }
  const interaction::Fold fold = much == Much::whole ? interaction::Fold::nothing() : interaction::Fold{};
  const interaction::Preformatted shown = interaction::show_arguments(arguments, fold);
  text += channel::indented(shown.text);
  if (!shown.whole) text += "  (not shown whole: x shows all of it)\n";
  if (!approval.preview.is_null()) text += change_lines(approval.preview, much, colours);
  for (const std::string& why : approval.why)
    text += styled("  asks because " + channel::one_line(why), Style::dim, colours) + "\n";
  return text;
}

std::string approval_choices(const interaction::Approval& approval) {
  return approval.may_grant ? "[y]es / [n]o / [a]lways / e(x)plain " : "[y]es / [n]o / e(x)plain ";
}

std::string grant_words(const interaction::Approval& approval, const toolkit::ToolSpec* spec) {
  if (!approval.may_grant) return "It asks every time: no grant can be given for it.\n";
  if (spec == nullptr || spec->pins.empty())
    return "`a` lets exactly these arguments through until this session ends.\n";
  return fmt::format("`a` lets {} through with the same {} until this session ends, whatever the rest is.\n",
                     approval.tool, list_names(spec->pins));
}

bool is_explain(std::string_view typed) {
  const std::string word = to_lower(trim(typed));
  return word == "x" || word == "explain" || word == "?";
}

bool is_bare_no(std::string_view typed) {
  const std::string word = to_lower(trim(typed));
  return word == "n" || word == "no";
}

}  // namespace deputy::app
