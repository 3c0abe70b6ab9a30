#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "base/clock.h"
#include "base/json_pointer.h"
#include "base/text.h"
#include "clients/atlassian/adf.h"

namespace deputy::clients::atlassian {

namespace {

constexpr int kMaxDepth = 40;  // of nodes; what is deeper is left out with a mark
constexpr std::string_view kTooDeep = "[…]";

std::string indented(std::string_view text, std::string_view first, std::string_view others) {
  std::string result;
  bool is_first = true;
  for (const std::string_view line : split(text, "\n")) {
    if (!is_first) result += '\n';
    // An empty line would end a quote, but must not have spaces at its end.
    const std::string_view before = is_first ? first : others;
    result += line.empty() ? before.substr(0, before.starts_with('>') ? 1 : is_first ? before.size() : 0) : before;
    result += line;
    is_first = false;
  }
  return result;
}

std::string in_brackets(std::string_view what, std::string_view name) {
  return name.empty() ? fmt::format("[{}]", what) : fmt::format("[{}: {}]", what, name);
}

std::string code_span(std::string_view text) {
  const std::string fence(longest_run_of_backticks(text) + 1, '`');
  const std::string_view space = text.starts_with('`') || text.ends_with('`') ? " " : "";
  return fmt::format("{}{}{}{}{}", fence, space, text, space, fence);
}

/// Signs around the text, not around the spaces at its ends: `** bold**` is not bold.
std::string wrapped(std::string_view text, std::string_view sign) {
  const std::string_view inside = trim(text);
  if (inside.empty()) return std::string(text);
  const auto before = static_cast<std::size_t>(inside.data() - text.data());
  return fmt::format("{}{}{}{}{}", text.substr(0, before), sign, inside, sign, text.substr(before + inside.size()));
}

std::string text_node(const json::value& node) {
  std::string text = text_in(node, "/text");
  const json::array& marks = items_in(node, "/marks");
  const auto has = [&](std::string_view type) {
    return std::ranges::any_of(marks, [&](const json::value& mark) { return text_in(mark, "/type") == type; });
  };
  std::string target;
  for (const json::value& mark : marks) {
    if (text_in(mark, "/type") == "link") target = text_in(mark, "/attrs/href");
  }
  const bool is_own_label = text == target;
  if (has("code") && !text.empty()) text = code_span(text);
  if (has("em")) text = wrapped(text, "*");
  if (has("strong")) text = wrapped(text, "**");
  if (has("strike")) text = wrapped(text, "~~");
  if (target.empty() || is_own_label) return text;
  return fmt::format("[{}]({})", text, target);
}

/// Milliseconds since 1970, as text.
std::string date_of(std::string_view millis) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(millis.data(), millis.data() + millis.size(), value);
  if (error != std::errc() || end != millis.data() + millis.size()) return std::string(millis);
  return format_timestamp(from_millis(value)).substr(0, 10);
}

std::string first_of(const json::value& node, std::initializer_list<std::string_view> pointers) {
  for (const std::string_view pointer : pointers) {
    if (std::string text = text_in(node, pointer); !text.empty()) return text;
  }
  return {};
}

bool is_inline(std::string_view type) {
  constexpr auto kInline =
      std::to_array<std::string_view>({"text", "hardBreak", "mention", "emoji", "inlineCard", "date", "status",
                                       "inlineExtension", "mediaInline", "placeholder"});
  return contains(kInline, type);
}

std::string inline_text(const json::value& node, int depth);

std::string inline_content(const json::value& node, int depth) {
  std::string text;
  for (const json::value& child : items_in(node, "/content")) text += inline_text(child, depth + 1);
  return text;
}

std::string inline_text(const json::value& node, int depth) {
  if (depth > kMaxDepth) return std::string(kTooDeep);
  const std::string type = text_in(node, "/type");
  if (type == "text") return text_node(node);
  if (type == "hardBreak") return "\n";
  if (type == "mention") return first_of(node, {"/attrs/text", "/attrs/id"});
  if (type == "emoji") return first_of(node, {"/attrs/text", "/attrs/shortName"});
  if (type == "inlineCard") return text_in(node, "/attrs/url");
  if (type == "date") return date_of(text_in(node, "/attrs/timestamp"));
  if (type == "status") return fmt::format("[{}]", text_in(node, "/attrs/text"));
  if (type == "mediaInline") return in_brackets("attachment", first_of(node, {"/attrs/alt", "/attrs/id"}));
  if (type == "inlineExtension") return in_brackets("macro", text_in(node, "/attrs/extensionKey"));
  return inline_content(node, depth);
}

std::string blocks_text(const json::value& node, int depth);

std::string list_text(const json::value& node, bool ordered, int depth) {
  std::int64_t number =
      ordered ? std::clamp<std::int64_t>(whole_in(node, "/attrs/order").value_or(1), 0, 1'000'000) : 0;
  std::vector<std::string> items;
  for (const json::value& item : items_in(node, "/content")) {
    const std::string marker = ordered ? fmt::format("{}. ", number++) : "- ";
    items.push_back(indented(blocks_text(item, depth + 1), marker, std::string(marker.size(), ' ')));
  }
  return join(items, "\n");
}

std::string tasks_text(const json::value& node, int depth) {
  std::vector<std::string> items;
  for (const json::value& item : items_in(node, "/content")) {
    const std::string state = text_in(item, "/attrs/state");
    const bool nested = text_in(item, "/type") == "taskList";
    const std::string_view marker = nested ? "  " : state == "DONE" || state == "DECIDED" ? "- [x] " : "- [ ] ";
    items.push_back(indented(blocks_text(item, depth + 1), marker, "  "));
  }
  return join(items, "\n");
}

std::string table_text(const json::value& node, int depth) {
  std::string text;
  std::size_t rows = 0;
  for (const json::value& row : items_in(node, "/content")) {
    std::string line = "|";
    std::string rule = "|";
    for (const json::value& cell : items_in(row, "/content")) {
      std::string inside = blocks_text(cell, depth + 2);
      std::ranges::replace(inside, '\n', ' ');
      line += fmt::format(" {} |", inside);
      rule += " --- |";
    }
    text += (rows > 0 ? "\n" : "") + line;
    if (rows++ == 0) text += "\n" + rule;
  }
  return text;
}

std::string code_text(const json::value& node) {
  std::string text;
  for (const json::value& child : items_in(node, "/content")) text += text_in(child, "/text");
  const std::string fence(std::max<std::size_t>(3, longest_run_of_backticks(text) + 1), '`');
  return fmt::format("{}{}\n{}\n{}", fence, text_in(node, "/attrs/language"), text, fence);
}

std::string block_text(const json::value& node, int depth) {
  if (depth > kMaxDepth) return std::string(kTooDeep);
  const std::string type = text_in(node, "/type");
  if (type == "paragraph") return inline_content(node, depth);
  if (type == "heading") {
    const auto level = std::clamp<std::int64_t>(whole_in(node, "/attrs/level").value_or(1), 1, 6);
    return std::string(static_cast<std::size_t>(level), '#') + " " + inline_content(node, depth);
  }
  if (type == "bulletList" || type == "orderedList") return list_text(node, type == "orderedList", depth);
  if (type == "taskList" || type == "decisionList") return tasks_text(node, depth);
  if (type == "codeBlock") return code_text(node);
  if (type == "blockquote") return indented(blocks_text(node, depth), "> ", "> ");
  if (type == "panel") {
    const std::string kind = text_in(node, "/attrs/panelType");
    const std::string title = kind.empty() ? "" : fmt::format("**{}:** ", kind);
    return indented(title + blocks_text(node, depth), "> ", "> ");
  }
  if (type == "rule") return "---";
  if (type == "table") return table_text(node, depth);
  if (type == "media") return in_brackets("attachment", first_of(node, {"/attrs/alt", "/attrs/url", "/attrs/id"}));
  if (type == "blockCard" || type == "embedCard") return text_in(node, "/attrs/url");
  if (type == "extension") return in_brackets("macro", text_in(node, "/attrs/extensionKey"));
  const std::string title = text_in(node, "/attrs/title");  // of something to expand
  const std::string inside = blocks_text(node, depth);
  return title.empty() ? inside : fmt::format("**{}**\n\n{}", title, inside);
}

/// The blocks in a node, with an empty line between them; a list item's nested list stands right under its text.
std::string blocks_text(const json::value& node, int depth) {
  std::string text;
  bool after_inline = false;
  const bool is_item = text_in(node, "/type") == "listItem";
  for (const json::value& child : items_in(node, "/content")) {
    const bool now_inline = is_inline(text_in(child, "/type"));
    const std::string part = now_inline ? inline_text(child, depth + 1) : block_text(child, depth + 1);
    if (!text.empty() && !(after_inline && now_inline) && !part.empty()) text += is_item ? "\n" : "\n\n";
    text += part;
    after_inline = now_inline;
  }
  return text;
}

}  // namespace

std::string markdown_from_adf(const json::value& document) {
  if (document.is_string()) return std::string(as_view(document.get_string()));
  return blocks_text(document, 0);
}

}  // namespace deputy::clients::atlassian
