// A thread as text: what page.h promises of thread_text.
#include <fmt/format.h>

#include "base/text.h"
#include "sim/slack/kit/shape.h"
#include "sim/slack/page/markup.h"
#include "sim/slack/page/page.h"
#include "sim/slack/page/page_blocks.h"

namespace deputy::sim::slack {
namespace {

constexpr int kMaxDepth = 4;

/// The text of a text object, a rich text object or a string.
std::string text_of(const json::value* value);

std::string joined(const json::array* list, std::string_view separator) {
  std::string text;
  if (list == nullptr) return text;
  for (const auto& item : *list) {
    const auto part = text_of(&item);
    if (!part.empty()) text += (text.empty() ? "" : std::string(separator)) + part;
  }
  return text;
}

std::string run_text(const json::object& run) {
  for (const std::string_view key : {"text", "url"})
    if (const auto text = text_at(run, key); !text.empty()) return text;
  for (const std::string_view key : {"user_id", "usergroup_id", "team_id", "range"})
    if (const auto id = text_at(run, key); !id.empty()) return "@" + id;
  if (const auto id = text_at(run, "channel_id"); !id.empty()) return "#" + id;
  if (const auto name = text_at(run, "name"); !name.empty()) return fmt::format(":{}:", name);
  return text_at(run, "value");
}

std::string rich_text(const json::object& block) {
  std::string text;
  const auto line = [&](const json::object& section, std::string_view prefix) {
    if (!text.empty()) text += '\n';
    text += prefix;
    if (const auto* const runs = find_array(section, "elements"))
      for (const auto& run : *runs)
        if (run.is_object()) text += run_text(run.get_object());
  };
  const auto* const parts = find_array(block, "elements");
  if (parts == nullptr) return text;
  for (const auto& value : *parts) {
    if (!value.is_object()) continue;
    const auto& part = value.get_object();
    const auto type = text_at(part, "type");
    const auto* const list = type == "rich_text_list" ? find_array(part, "elements") : nullptr;
    if (list == nullptr)
      line(part, type == "rich_text_quote" ? "> " : "");
    else
      for (const auto& item : *list)
        if (item.is_object()) line(item.get_object(), "• ");
  }
  return text;
}

std::string text_of(const json::value* value) {
  if (value == nullptr) return {};
  if (value->is_string()) return std::string(as_view(value->get_string()));
  if (!value->is_object()) return {};
  const auto& object = value->get_object();
  const auto type = text_at(object, "type");
  if (type == "rich_text") return rich_text(object);
  return type == "mrkdwn" ? mrkdwn_text(text_at(object, "text")) : text_at(object, "text");
}

/// "[Approve]", "[Pick ▾]", "[ ] choice": an element as it looks.
std::string element_text(const json::value& value) {
  if (!value.is_object()) return {};
  const auto& element = value.get_object();
  const auto type = text_at(element, "type");
  if (type == "mrkdwn" || type == "plain_text") return text_of(&value);
  if (type == "image") return fmt::format("[image: {}]", text_at(element, "alt_text"));
  if (type == "overflow") return "[⋯]";
  if (type == "feedback_buttons") {
    std::string text;
    for (const std::string_view key : {"positive_button", "negative_button"})
      if (const auto* const button = find_object(element, key))
        text += fmt::format("{}[{}]", text.empty() ? "" : " ", text_of(member(*button, "text")));
    return text;
  }
  if (type == "checkboxes" || type == "radio_buttons") {
    std::string text;
    if (const auto* const options = find_array(element, "options"))
      for (const auto& option : *options)
        if (option.is_object())
          text += fmt::format("{}{} {}", text.empty() ? "" : "\n", type == "checkboxes" ? "[ ]" : "( )",
                              text_of(member(option.get_object(), "text")));
    return text;
  }
  if (element.contains("text")) return fmt::format("[{}]", text_of(member(element, "text")));
  const auto placeholder = text_of(member(element, "placeholder"));
  if (type.ends_with("_select")) return fmt::format("[{} ▾]", placeholder.empty() ? "Select an item" : placeholder);
  return fmt::format("[{}]", placeholder.empty() ? type : placeholder);
}

std::string elements_text(const json::object& block, std::string_view key) {
  std::string text;
  if (const auto* const list = find_array(block, key))
    for (const auto& element : *list) text += (text.empty() ? "" : " ") + element_text(element);
  return text;
}

std::string task_text(const json::object& task) {
  auto text = fmt::format("[{}] {}", text_at(task, "status"), text_at(task, "title"));
  for (const std::string_view key : {"details", "output"})
    if (const auto more = text_of(member(task, key)); !more.empty()) text += "\n  " + more;
  return text;
}

std::string tasks_text(std::string title, const json::array* tasks) {
  if (tasks != nullptr)
    for (const auto& task : *tasks)
      if (task.is_object()) title += (title.empty() ? "" : "\n") + task_text(task.get_object());
  return title;
}

std::string table_text(const json::object& block) {
  auto text = text_at(block, "caption");
  if (const auto* const rows = find_array(block, "rows"))
    for (const auto& row : *rows) text += (text.empty() ? "" : "\n") + joined(row.if_array(), " | ");
  return text;
}

std::string blocks_text(const json::array& blocks, int depth);

std::string block_text(const json::object& block, int depth) {
  const auto type = text_at(block, "type");
  if (type == "divider") return "---";
  if (type == "markdown") return text_at(block, "text");
  if (type == "rich_text") return rich_text(block);
  if (type == "actions" || type == "context" || type == "context_actions") return elements_text(block, "elements");
  if (type == "table" || type == "data_table") return table_text(block);
  if (type == "plan") return tasks_text(text_at(block, "title"), find_array(block, "tasks"));
  if (type == "task_card") return task_text(block);
  if (type == "image" || type == "video") return fmt::format("[{}: {}]", type, text_at(block, "alt_text"));
  // The rest is text in known places, with what stands beside and below it.
  std::string text;
  const auto add = [&](const std::string& more) {
    if (!more.empty()) text += (text.empty() ? "" : "\n") + more;
  };
  for (const std::string_view key : {"label", "title", "rich_text_title", "subtitle", "text", "body"})
    add(text_of(member(block, key)));
  add(joined(find_array(block, "fields"), "\n"));
  for (const std::string_view key : {"accessory", "element"})
    if (const auto* const element = member(block, key)) add(element_text(*element));
  add(text_of(member(block, "hint")));
  add(elements_text(block, "actions"));
  for (const std::string_view key : {"child_blocks", "elements"})
    if (const auto* const children = find_array(block, key); children != nullptr && depth < kMaxDepth)
      add(blocks_text(*children, depth + 1));
  return text;
}

std::string blocks_text(const json::array& blocks, int depth) {
  std::string text;
  for (const auto& block : blocks) {
    if (!block.is_object()) continue;
    const auto part = block_text(block.get_object(), depth);
    if (!part.empty()) text += (text.empty() ? "" : "\n") + part;
  }
  return text;
}

std::string attachment_text(const json::object& attachment) {
  std::string text;
  for (const std::string_view key : {"pretext", "title", "text"})
    if (const auto part = mrkdwn_text(text_at(attachment, key)); !part.empty())
      text += (text.empty() ? "" : "\n") + part;
  if (const auto* const fields = find_array(attachment, "fields"))
    for (const auto& field : *fields)
      if (field.is_object())
        text += fmt::format("{}{}: {}", text.empty() ? "" : "\n", text_at(field.get_object(), "title"),
                            mrkdwn_text(text_at(field.get_object(), "value")));
  if (const auto* const blocks = find_array(attachment, "blocks"))
    text += (text.empty() ? "" : "\n") + blocks_text(*blocks, 0);
  return text.empty() ? mrkdwn_text(text_at(attachment, "fallback")) : text;
}

std::string content_text(const SeenMessage& message) {
  std::vector<std::string> parts;
  const auto progress = fold_progress(message.chunks);
  parts.push_back(tasks_text(progress.title, &progress.tasks));
  std::string streamed;
  for (const auto& value : message.chunks) {
    if (!value.is_object()) continue;
    const auto& chunk = value.get_object();
    if (text_at(chunk, "type") == "markdown_text") streamed += text_at(chunk, "text");
  }
  parts.push_back(streamed);
  const bool is_stream = message.streaming || !message.chunks.empty();
  if (message.blocks.empty() || is_stream) parts.push_back(mrkdwn_text(message.text));
  for (const auto& value : message.chunks)
    if (const auto* const chunk = value.if_object(); chunk != nullptr && text_at(*chunk, "type") == "blocks")
      if (const auto* const blocks = find_array(*chunk, "blocks")) parts.push_back(blocks_text(*blocks, 0));
  parts.push_back(blocks_text(message.blocks, 0));
  for (const auto& attachment : message.attachments)
    if (attachment.is_object()) parts.push_back(attachment_text(attachment.get_object()));
  for (const auto& file : message.files)
    if (file.is_object()) parts.push_back(fmt::format("[file: {}]", text_at(file.get_object(), "name")));
  std::string reactions;
  for (const auto& reaction : message.reactions)
    if (reaction.is_object())
      reactions += fmt::format("{}:{}:", reactions.empty() ? "" : " ", text_at(reaction.get_object(), "name"));
  parts.push_back(reactions);
  std::erase(parts, "");
  return join(parts, "\n");
}

}  // namespace

std::string thread_text(std::span<const SeenMessage> messages) {
  std::string text;
  for (const auto& message : messages) {
    text += fmt::format("{}{}{}{}{}\n", message.user_name, message.bot ? " (app)" : "",
                        message.ephemeral ? " (only visible to you)" : "", message.edited ? " (edited)" : "",
                        message.streaming ? " (streaming)" : "");
    const auto content = content_text(message);
    for (const auto line : split(content, "\n")) text += fmt::format("  {}\n", line);
  }
  return to_valid_utf8(std::move(text));
}

}  // namespace deputy::sim::slack
