#include "tools/docs/storage_markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "tools/docs/storage_tree.h"

namespace deputy::tools {

namespace {

constexpr auto kDropped =
    std::to_array<std::string_view>({"script", "style", "ac:parameter", "ac:placeholder", "colgroup", "ac:task-id"});
constexpr auto kPanels = std::to_array<std::string_view>({"info", "note", "warning", "tip", "panel"});
// They only arrange what is in them, or say nothing in a text.
constexpr auto kSilentMacros =
    std::to_array<std::string_view>({"toc", "anchor", "section", "column", "excerpt", "details", "expand"});
constexpr auto kBlocks = std::to_array<std::string_view>({"p",
                                                          "h1",
                                                          "h2",
                                                          "h3",
                                                          "h4",
                                                          "h5",
                                                          "h6",
                                                          "ul",
                                                          "ol",
                                                          "table",
                                                          "pre",
                                                          "blockquote",
                                                          "hr",
                                                          "div",
                                                          "section",
                                                          "ac:structured-macro",
                                                          "ac:macro",
                                                          "ac:task-list",
                                                          "ac:layout",
                                                          "ac:layout-section",
                                                          "ac:layout-cell",
                                                          "ac:rich-text-body",
                                                          "ac:adf-extension",
                                                          "ac:adf-content",
                                                          "tbody",
                                                          "thead",
                                                          "body",
                                                          "html"});

bool is_block(const StorageNode& node) { return contains(kBlocks, node.name); }

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

std::string wrapped(const std::string& text, std::string_view sign) {
  const std::string_view inside = trim(text);
  if (inside.empty()) return text;
  const auto before = static_cast<std::size_t>(inside.data() - text.data());
  return fmt::format("{}{}{}{}{}", text.substr(0, before), sign, inside, sign, text.substr(before + inside.size()));
}

/// White space between words is one space, as a browser shows it.
std::string folded(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\n' || c == '\t';
    if (!space)
      result += c;
    else if (!result.ends_with(' '))
      result += ' ';
  }
  return result;
}

std::string fenced(std::string_view text, std::string_view language) {
  while (text.starts_with('\n')) text.remove_prefix(1);
  while (text.ends_with('\n')) text.remove_suffix(1);
  const std::string fence(std::max<std::size_t>(3, longest_run_of_backticks(text) + 1), '`');
  return fmt::format("{}{}\n{}\n{}", fence, language, text, fence);
}

std::string parameter_of(const StorageNode& macro, std::string_view name) {
  for (const StorageNode& child : macro.children) {
    if (child.name == "ac:parameter" && child.attribute("ac:name") == name) return child.all_text();
  }
  return {};
}

std::string blocks_text(const StorageNode& node);
std::string inline_text(const StorageNode& node);

std::string inline_content(const StorageNode& node) {
  std::string text;
  for (const StorageNode& child : node.children) text += inline_text(child);
  return text;
}

/// A link to a page, a person, a file of Confluence.
std::string link_text(const StorageNode& node) {
  std::string label;
  for (const std::string_view body : {"ac:link-body", "ac:plain-text-link-body"}) {
    if (const StorageNode* found = node.child(body)) label = trim(inline_content(*found));
  }
  if (const StorageNode* page = node.child("ri:page")) {
    const std::string title = page->attribute("ri:content-title");
    return label.empty() || label == title ? fmt::format("[page: {}]", title)
                                           : fmt::format("{} [page: {}]", label, title);
  }
  if (const StorageNode* file = node.child("ri:attachment")) {
    const std::string name = file->attribute("ri:filename");
    return label.empty() ? fmt::format("[attachment: {}]", name) : fmt::format("{} [attachment: {}]", label, name);
  }
  if (node.child("ri:user") != nullptr) return label.empty() ? "[a person]" : label;
  return label;
}

std::string image_text(const StorageNode& node) {
  if (const StorageNode* file = node.child("ri:attachment"))
    return fmt::format("[image: {}]", file->attribute("ri:filename"));
  if (const StorageNode* url = node.child("ri:url")) return fmt::format("[image: {}]", url->attribute("ri:value"));
  return "[image]";
}

std::string anchor_text(const StorageNode& node) {
  const std::string target = node.attribute("href");
  const std::string label = inline_content(node);
  const bool leads = target.starts_with("https://") || target.starts_with("http://") || target.starts_with("mailto:");
  if (!leads || trim(label).empty() || label == target) return label.empty() && leads ? target : label;
  return fmt::format("[{}]({})", label, target);
}

std::string code_span(const StorageNode& node) {
  const std::string text = node.all_text();
  if (trim(text).empty()) return text;
  const std::string fence(longest_run_of_backticks(text) + 1, '`');
  const std::string_view space = text.starts_with('`') || text.ends_with('`') ? " " : "";
  return fmt::format("{}{}{}{}{}", fence, space, text, space, fence);
}

std::string inline_text(const StorageNode& node) {
  const std::string& name = node.name;
  if (name.empty()) return node.literal ? node.text : folded(node.text);
  if (contains(kDropped, name)) return {};
  if (name == "br") return "\n";
  if (name == "strong" || name == "b") return wrapped(inline_content(node), "**");
  if (name == "em" || name == "i") return wrapped(inline_content(node), "*");
  if (name == "del" || name == "s") return wrapped(inline_content(node), "~~");
  if (name == "code") return code_span(node);
  if (name == "a") return anchor_text(node);
  if (name == "time") return node.attribute("datetime");
  if (name == "ac:link") return link_text(node);
  if (name == "ac:image" || name == "img") return image_text(node);
  if (name == "ac:emoticon") {
    const std::string fallback = node.attribute("ac:emoji-fallback");
    return fallback.empty() ? fmt::format(":{}:", node.attribute("ac:name")) : fallback;
  }
  if (is_block(node)) return blocks_text(node);  // a macro in a line
  return inline_content(node);
}

std::string macro_text(const StorageNode& node) {
  const std::string name = node.attribute("ac:name");
  const StorageNode* plain = node.child("ac:plain-text-body");
  if (name == "code" || name == "noformat")
    return fenced(plain == nullptr ? "" : plain->all_text(), parameter_of(node, "language"));
  if (name == "status") return fmt::format("[{}]", parameter_of(node, "title"));
  const StorageNode* rich = node.child("ac:rich-text-body");
  const std::string inside = rich != nullptr    ? blocks_text(*rich)
                             : plain != nullptr ? fenced(plain->all_text(), "")
                                                : "";
  const std::string title = parameter_of(node, "title");
  if (contains(kPanels, name)) {
    const std::string head = title.empty() ? name : title;
    return indented(fmt::format("**{}:** {}", head, inside), "> ", "> ");
  }
  std::string text;
  if (!contains(kSilentMacros, name)) text = fmt::format("[macro `{}` left out]", cut_with_mark(name, 60));
  if (!title.empty() && contains(kSilentMacros, name)) text = fmt::format("**{}**", title);
  if (!text.empty() && !inside.empty()) text += "\n\n";
  return text + inside;
}

std::string list_text(const StorageNode& node) {
  std::vector<std::string> items;
  for (const StorageNode& item : node.children) {
    if (item.name != "li") continue;
    const std::string marker = node.name == "ol" ? fmt::format("{}. ", items.size() + 1) : "- ";
    items.push_back(indented(blocks_text(item), marker, std::string(marker.size(), ' ')));
  }
  return join(items, "\n");
}

std::string tasks_text(const StorageNode& node) {
  std::vector<std::string> items;
  for (const StorageNode& task : node.children) {
    if (task.name != "ac:task") continue;
    const StorageNode* status = task.child("ac:task-status");
    const StorageNode* body = task.child("ac:task-body");
    const bool done = status != nullptr && trim(status->all_text()) == "complete";
    items.push_back(indented(body == nullptr ? "" : blocks_text(*body), done ? "- [x] " : "- [ ] ", "  "));
  }
  return join(items, "\n");
}

void add_rows(const StorageNode& node, std::vector<std::string>& lines) {
  for (const StorageNode& row : node.children) {
    if (row.name == "tbody" || row.name == "thead" || row.name == "tfoot") add_rows(row, lines);
    if (row.name != "tr") continue;
    std::string line = "|";
    std::string rule = "|";
    for (const StorageNode& cell : row.children) {
      if (cell.name != "td" && cell.name != "th") continue;
      line += fmt::format(" {} |", trim(folded(blocks_text(cell))));
      rule += " --- |";
    }
    const bool is_first = lines.empty();
    lines.push_back(std::move(line));
    if (is_first) lines.push_back(std::move(rule));
  }
}

std::string block_text(const StorageNode& node) {
  const std::string& name = node.name;
  if (name == "p") return std::string(trim(inline_content(node)));
  if (name.size() == 2 && name[0] == 'h' && is_digit(name[1]))
    return std::string(static_cast<std::size_t>(name[1] - '0'), '#') + " " +
           std::string(trim(folded(inline_content(node))));
  if (name == "ul" || name == "ol") return list_text(node);
  if (name == "ac:task-list") return tasks_text(node);
  if (name == "pre") return fenced(node.all_text(), "");
  if (name == "blockquote") return indented(blocks_text(node), "> ", "> ");
  if (name == "hr") return "---";
  if (name == "ac:structured-macro" || name == "ac:macro") return macro_text(node);
  if (name == "table") {
    std::vector<std::string> lines;
    add_rows(node, lines);
    return join(lines, "\n");
  }
  return blocks_text(node);
}

/// The blocks in a node with an empty line between them, and what stands beside them as paragraphs.
std::string blocks_text(const StorageNode& node) {
  const bool close = node.name == "li";
  std::vector<std::string> parts;
  std::string line;
  const auto end_line = [&] {
    if (const std::string_view words = trim(line); !words.empty()) parts.emplace_back(words);
    line.clear();
  };
  for (const StorageNode& child : node.children) {
    const bool inline_macro = child.name == "ac:structured-macro" && child.attribute("ac:name") == "status";
    if (!is_block(child) || inline_macro) {
      line += inline_text(child);
      continue;
    }
    end_line();
    if (std::string text = block_text(child); !trim(text).empty()) parts.push_back(std::move(text));
  }
  end_line();
  return join(parts, close ? "\n" : "\n\n");
}

}  // namespace

std::string markdown_from_storage(std::string_view storage) {
  return blocks_text(read_storage(to_valid_utf8(std::string(storage))));
}

}  // namespace deputy::tools
