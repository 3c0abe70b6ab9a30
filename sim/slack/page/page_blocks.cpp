#include "sim/slack/page/page_blocks.h"

#include <fmt/format.h>

#include <map>

#include "base/text.h"
#include "sim/slack/kit/shape.h"
#include "sim/slack/page/emoji.h"
#include "sim/slack/page/markup.h"

namespace deputy::sim::slack {
namespace {

// Slack's blocks nest two deep; JSON may nest deeper.
constexpr int kMaxDepth = 4;

std::string block_html(const json::value& value, int depth);

const json::array& items(const json::object& object, std::string_view key) {
  static const json::array kNone;
  const auto* const list = find_array(object, key);
  return list == nullptr ? kNone : *list;
}

const json::object& part(const json::object& object, std::string_view key) {
  static const json::object kNone;
  const auto* const found = find_object(object, key);
  return found == nullptr ? kNone : *found;
}

bool is_true(const json::object& object, std::string_view key) {
  const auto* const value = member(object, key);
  return value != nullptr && *value == true;
}

std::string escaped_at(const json::object& object, std::string_view key) { return escape_html(text_at(object, key)); }

std::string div(std::string_view name, std::string_view content) {
  return fmt::format(R"(<div class="{}">{}</div>)", name, content);
}

std::string span(std::string_view name, std::string_view content) {
  return fmt::format(R"(<span class="{}">{}</span>)", name, content);
}

/// An image's place: nothing is loaded.
std::string image_html(const json::object& image, std::string_view name) {
  return fmt::format(R"(<span class="{}" role="img">{}</span>)", name, escaped_at(image, "alt_text"));
}

// ---- Rich text ------------------------------------------------------------------------------------------------------

std::string run_content(const json::object& run) {
  const auto type = text_at(run, "type");
  if (type == "text") {
    const auto text = text_at(run, "text");
    std::string html;
    for (const auto line : split(text, "\n")) html += (line.data() == text.data() ? "" : "<br>") + escape_html(line);
    return html;
  }
  if (type == "link") {
    const auto url = text_at(run, "url");
    const auto label = text_at(run, "text");
    const auto shown = escape_html(label.empty() ? url : label);
    return is_linkable(url) ? fmt::format(R"(<a href="{}" rel="noreferrer noopener">{}</a>)", escape_html(url), shown)
                            : shown;
  }
  if (type == "emoji") {
    const auto name = text_at(run, "name");
    auto characters = emoji_of_code_points(text_at(run, "unicode"));
    if (characters.empty()) characters = emoji(name);
    return characters.empty() ? fmt::format(":{}:", escape_html(name)) : span("emoji", characters);
  }
  if (type == "user") return span("mention", "@" + escaped_at(run, "user_id"));
  if (type == "channel") return span("mention", "#" + escaped_at(run, "channel_id"));
  if (type == "usergroup") return span("mention", "@" + escaped_at(run, "usergroup_id"));
  if (type == "team") return span("mention", "@" + escaped_at(run, "team_id"));
  if (type == "broadcast") return span("mention everyone", "@" + escaped_at(run, "range"));
  if (type == "color") return span("color", escaped_at(run, "value"));
  if (type == "date") {
    const auto* const seconds = member(run, "timestamp");
    const auto number = seconds == nullptr ? std::nullopt : as_whole(*seconds);
    return escape_html(number ? format_date(*number, text_at(run, "format")) : text_at(run, "fallback"));
  }
  return span("unknown", escape_html(type));
}

std::string runs_html(const json::object& section) {
  std::string html;
  for (const auto& item : items(section, "elements")) {
    if (!item.is_object()) continue;
    const auto& run = item.get_object();
    const auto& style = part(run, "style");
    auto content = run_content(run);
    for (const auto& [name, tag] : {std::pair<std::string_view, std::string_view>{"code", "code"},
                                    {"underline", "u"},
                                    {"strike", "s"},
                                    {"italic", "i"},
                                    {"bold", "b"}})
      if (is_true(style, name)) content = fmt::format("<{0}>{1}</{0}>", tag, content);
    html += content;
  }
  return html;
}

std::string rich_list_html(const json::object& list) {
  const bool ordered = text_at(list, "style") == "ordered";
  const auto* const given = member(list, "indent");
  const auto indent = given == nullptr ? 0 : std::clamp<std::int64_t>(as_whole(*given).value_or(0), 0, 8);
  std::string html;
  for (const auto& item : items(list, "elements"))
    if (item.is_object()) html += fmt::format("<li>{}</li>", runs_html(item.get_object()));
  return fmt::format(R"(<{0} class="indent{1}">{2}</{0}>)", ordered ? "ol" : "ul", indent, html);
}

std::string rich_text_html(const json::object& block) {
  std::string html;
  for (const auto& item : items(block, "elements")) {
    if (!item.is_object()) continue;
    const auto& element = item.get_object();
    const auto type = text_at(element, "type");
    if (type == "rich_text_list")
      html += rich_list_html(element);
    else if (type == "rich_text_quote")
      html += fmt::format("<blockquote>{}</blockquote>", runs_html(element));
    else if (type == "rich_text_preformatted")
      html += fmt::format("<pre>{}</pre>", runs_html(element));
    else
      html += fmt::format("<p>{}</p>", runs_html(element));
  }
  return html;
}

// ---- Elements -------------------------------------------------------------------------------------------------------

std::string placeholder_html(const json::object& element, std::string_view otherwise) {
  const auto shown = text_object_html(member(element, "placeholder"));
  return span("placeholder", shown.empty() ? escape_html(otherwise) : shown);
}

/// What is chosen at first, or the placeholder.
std::string chosen_html(const json::object& element, std::string_view otherwise) {
  for (const std::string_view key :
       {"initial_user", "initial_conversation", "initial_channel", "initial_date", "initial_time"})
    if (const auto given = text_at(element, key); !given.empty()) return escape_html(given);
  if (const auto* const option = find_object(element, "initial_option"))
    return text_object_html(member(*option, "text"));
  if (const auto* const moment = member(element, "initial_date_time")) {
    const auto seconds = as_whole(*moment);
    return escape_html(seconds ? format_date(*seconds, "{date_num} {time}") : "");
  }
  std::string chips;
  for (const std::string_view key : {"initial_users", "initial_conversations", "initial_channels"})
    for (const auto& id : items(element, key))
      if (id.is_string()) chips += span("chip", escape_html(as_view(id.get_string())));
  for (const auto& option : items(element, "initial_options"))
    if (option.is_object()) chips += span("chip", text_object_html(member(option.get_object(), "text")));
  return chips.empty() ? placeholder_html(element, otherwise) : chips;
}

std::string select_html(const json::object& element) {
  return span("select", chosen_html(element, "Select an item") + R"(<span class="arrow">⌄</span>)");
}

std::string picker_html(const json::object& element, std::string_view icon, std::string_view otherwise) {
  return span("select picker", fmt::format(R"(<span class="icon">{}</span>{})", icon, chosen_html(element, otherwise)));
}

std::string choices_html(const json::object& element, std::string_view kind) {
  const auto* const one = member(element, "initial_option");
  const auto& many = items(element, "initial_options");
  std::string html;
  for (const auto& item : items(element, "options")) {
    if (!item.is_object()) continue;
    const auto& option = item.get_object();
    const bool chosen = (one != nullptr && *one == item) || contains(many, item);
    html +=
        fmt::format(R"(<div class="choice"><span class="{}{}"></span><div>{}{}</div></div>)", kind,
                    chosen ? " chosen" : "", text_object_html(member(option, "text")),
                    option.contains("description") ? div("hint", text_object_html(member(option, "description"))) : "");
  }
  return div("choices", html);
}

std::string field_html(const json::object& element, std::string_view otherwise) {
  const auto given = escaped_at(element, "initial_value");
  return div(is_true(element, "multiline") ? "field tall" : "field",
             given.empty() ? placeholder_html(element, otherwise) : given);
}

std::string rich_field_html(const json::object& element) {
  const auto* const given = find_object(element, "initial_value");
  return div("field rich",
             R"(<div class="toolbar"><b>B</b> <i>I</i> <s>S</s> <code>&lt;/&gt;</code></div>)" +
                 (given == nullptr ? placeholder_html(element, "Write something") : rich_text_html(*given)));
}

std::string feedback_html(const json::object& element) {
  const auto& good = part(element, "positive_button");
  const auto& bad = part(element, "negative_button");
  return span("quiet", "👍 " + text_object_html(member(good, "text"))) +
         span("quiet", "👎 " + text_object_html(member(bad, "text")));
}

std::string element_html(const json::value& value) {
  if (!value.is_object()) return {};
  const auto& element = value.get_object();
  const auto type = text_at(element, "type");
  if (type == "mrkdwn" || type == "plain_text") return text_object_html(&value);
  if (type == "button" || type == "workflow_button")
    return button_html(text_object_html(member(element, "text")), text_at(element, "style"));
  if (type == "image") return image_html(element, "thumbnail");
  if (type == "overflow") return button_html("⋯", "");
  if (type == "checkboxes") return choices_html(element, "box");
  if (type == "radio_buttons") return choices_html(element, "radio");
  if (type == "datepicker") return picker_html(element, "📅", "Select a date");
  if (type == "timepicker") return picker_html(element, "🕒", "Select a time");
  if (type == "datetimepicker") return picker_html(element, "📅", "Select a date and time");
  if (type.ends_with("_select")) return select_html(element);
  if (type == "plain_text_input") return field_html(element, "Write something");
  if (type == "email_text_input") return field_html(element, "name@example.com");
  if (type == "url_text_input") return field_html(element, "https://example.com");
  if (type == "number_input") return field_html(element, "Write a number");
  if (type == "rich_text_input") return rich_field_html(element);
  if (type == "file_input") return div("field files", "⬆ Upload files");
  if (type == "feedback_buttons") return feedback_html(element);
  if (type == "icon_button") return span("quiet", "🗑 " + text_object_html(member(element, "text")));
  return span("unknown", escape_html(type));
}

std::string elements_html(const json::object& block, std::string_view key) {
  std::string html;
  for (const auto& element : items(block, key)) html += element_html(element);
  return html;
}

// ---- Blocks ---------------------------------------------------------------------------------------------------------

std::string section_html(const json::object& block, int) {
  std::string text = text_object_html(member(block, "text"));
  std::string fields;
  for (const auto& field : items(block, "fields")) fields += div("", text_object_html(&field));
  if (!fields.empty()) text += div("fields", fields);
  const auto* const accessory = member(block, "accessory");
  const auto beside = accessory == nullptr ? "" : div("accessory", element_html(*accessory));
  return div("section", div("text", text) + beside);
}

std::string context_html(const json::object& block, int) {
  std::string html;
  for (const auto& element : items(block, "elements")) html += div("", element_html(element));
  return div("context", html);
}

std::string input_html(const json::object& block, int) {
  const auto* const element = member(block, "element");
  const auto* const hint = member(block, "hint");
  return div("input", div("label", text_object_html(member(block, "label")) +
                                       (is_true(block, "optional") ? span("optional", " (optional)") : "")) +
                          (element == nullptr ? "" : element_html(*element)) +
                          (hint == nullptr ? "" : div("hint", text_object_html(hint))));
}

std::string image_block_html(const json::object& block, int) {
  const auto title = text_object_html(member(block, "title"));
  return (title.empty() ? "" : div("caption", title + " ▾")) + image_html(block, "image");
}

std::string cell_html(const json::value& value) {
  if (!value.is_object()) return {};
  const auto& cell = value.get_object();
  return text_at(cell, "type") == "rich_text" ? rich_text_html(cell) : plain_html(text_at(cell, "text"));
}

std::string table_html(const json::object& block, int) {
  const auto& columns = items(block, "column_settings");
  const auto caption = escaped_at(block, "caption");
  std::string html = caption.empty() ? "" : fmt::format("<caption>{}</caption>", caption);
  std::string_view tag = "th";
  for (const auto& row : items(block, "rows")) {
    html += "<tr>";
    if (row.is_array()) {
      for (std::size_t i = 0; i < row.get_array().size(); ++i) {
        const auto& cell = row.get_array()[i];
        auto align = i < columns.size() && columns[i].is_object() ? text_at(columns[i].get_object(), "align") : "";
        const bool number = cell.is_object() && text_at(cell.get_object(), "type") == "raw_number";
        if (align.empty() && number) align = "right";
        const bool known = align == "right" || align == "center";
        html +=
            fmt::format("<{}{}>{}</{}>", tag, known ? fmt::format(R"( class="{}")", align) : "", cell_html(cell), tag);
      }
    }
    html += "</tr>";
    tag = "td";
  }
  return div("scroll", fmt::format("<table>{}</table>", html));
}

std::string_view state_icon(std::string_view status) {
  if (status == "complete") return "✓";
  if (status == "in_progress") return "◐";
  if (status == "error") return "!";
  return "○";
}

/// A task of a task_card (rich text) or of a stream (Markdown).
std::string task_html(const json::object& task) {
  const auto status = text_at(task, "status");
  const auto* const known =
      contains(std::array<std::string_view, 3>{"complete", "in_progress", "error"}, std::string_view(status))
          ? status.c_str()
          : "pending";
  std::string more;
  for (const std::string_view key : {"details", "output"}) {
    const auto* const value = member(task, key);
    if (value == nullptr) continue;
    more += div("", value->is_object() ? rich_text_html(value->get_object()) : markdown_html(text_at(task, key)));
  }
  std::string sources;
  for (const auto& source : items(task, "sources")) {
    if (!source.is_object()) continue;
    const auto url = text_at(source.get_object(), "url");
    const auto label = escaped_at(source.get_object(), "text");
    sources += is_linkable(url) ? fmt::format(R"(<a class="chip" href="{}" rel="noreferrer noopener">{}</a>)",
                                              escape_html(url), label)
                                : span("chip", label);
  }
  if (!sources.empty()) more += div("sources", sources);
  return fmt::format(
      R"(<div class="task {}"><span class="state">{}</span><div><div class="name">{}</div>{}</div></div>)", known,
      state_icon(status), escaped_at(task, "title"), more);
}

std::string plan_box(std::string_view title_html, const json::array& tasks) {
  std::string html;
  for (const auto& task : tasks)
    if (task.is_object()) html += task_html(task.get_object());
  if (title_html.empty()) return div("tasks", html);
  return div("plan", div("plan-title", title_html) + div("tasks", html));
}

std::string plan_html(const json::object& block, int) {
  return plan_box(escaped_at(block, "title"), items(block, "tasks"));
}

std::string task_card_html(const json::object& block, int) { return div("plan", task_html(block)); }

std::string alert_html(const json::object& block, int) {
  const auto level = text_at(block, "level");
  const bool known = level == "info" || level == "warning" || level == "error" || level == "success";
  return div(fmt::format("alert {}", known ? level : ""), text_object_html(member(block, "text")));
}

std::string card_html(const json::object& card, int) {
  std::string html;
  if (const auto* const hero = find_object(card, "hero_image")) html += image_html(*hero, "hero");
  std::string head;
  if (card.contains("title")) head += div("name", text_object_html(member(card, "title")));
  if (card.contains("subtitle")) head += div("hint", text_object_html(member(card, "subtitle")));
  const auto* const icon = find_object(card, "icon");
  if (!head.empty() || icon != nullptr)
    html += div("card-head", (icon == nullptr ? "" : image_html(*icon, "thumbnail small")) + div("", head));
  if (card.contains("body")) html += div("", text_object_html(member(card, "body")));
  if (const auto buttons = elements_html(card, "actions"); !buttons.empty()) html += div("actions", buttons);
  return div("card", html);
}

std::string carousel_html(const json::object& block, int depth) {
  std::string html;
  for (const auto& card : items(block, "elements")) html += block_html(card, depth + 1);
  return div("carousel", html);
}

std::string container_html(const json::object& block, int depth) {
  const auto* const rich = find_object(block, "rich_text_title");
  const bool collapsed = is_true(block, "is_collapsible") && is_true(block, "default_collapsed");
  std::string html =
      div("container-title", (is_true(block, "is_collapsible") ? (collapsed ? "▸ " : "▾ ") : "") +
                                 (rich == nullptr ? text_object_html(member(block, "title")) : rich_text_html(*rich)));
  if (block.contains("subtitle")) html += div("hint", text_object_html(member(block, "subtitle")));
  if (!collapsed)
    for (const auto& child : items(block, "child_blocks")) html += block_html(child, depth + 1);
  return div("container", html);
}

std::string video_html(const json::object& block, int) {
  return div("caption", text_object_html(member(block, "title"))) +
         fmt::format(R"(<span class="image video" role="img">▶ {}</span>)", escaped_at(block, "alt_text"));
}

struct Renderer {
  std::string_view type;
  std::string (*html)(const json::object& block, int depth);
};

constexpr Renderer kRenderers[] = {
    {"actions", [](const json::object& block, int) { return div("actions", elements_html(block, "elements")); }},
    {"alert", alert_html},
    {"card", card_html},
    {"carousel", carousel_html},
    {"container", container_html},
    {"context", context_html},
    {"context_actions",
     [](const json::object& block, int) { return div("actions quiet-row", elements_html(block, "elements")); }},
    {"data_table", table_html},
    {"divider", [](const json::object&, int) { return std::string("<hr>"); }},
    {"file", [](const json::object& block, int) { return div("file", "📄 " + escaped_at(block, "external_id")); }},
    {"header", [](const json::object& block,
                  int) { return fmt::format("<h3>{}</h3>", text_object_html(member(block, "text"))); }},
    {"image", image_block_html},
    {"input", input_html},
    {"markdown", [](const json::object& block, int) { return div("rich", markdown_html(text_at(block, "text"))); }},
    {"plan", plan_html},
    {"rich_text", [](const json::object& block, int) { return div("rich", rich_text_html(block)); }},
    {"section", section_html},
    {"table", table_html},
    {"task_card", task_card_html},
    {"video", video_html},
};

std::string block_html(const json::value& value, int depth) {
  if (!value.is_object() || depth > kMaxDepth) return {};
  const auto type = text_at(value.get_object(), "type");
  const auto* const renderer = std::ranges::find(kRenderers, std::string_view(type), &Renderer::type);
  const auto html =
      renderer == std::end(kRenderers) ? span("unknown", escape_html(type)) : renderer->html(value.get_object(), depth);
  return div("block", html);
}

}  // namespace

const json::value* member(const json::object& object, std::string_view key) { return object.if_contains(key); }

std::string button_html(std::string_view label_html, std::string_view style) {
  const bool known = style == "primary" || style == "danger";
  return fmt::format(R"(<span class="button{}{}" role="button">{}</span>)", known ? " " : "", known ? style : "",
                     label_html);
}

std::string text_object_html(const json::value* value) {
  if (value == nullptr) return {};
  if (value->is_string()) return plain_html(as_view(value->get_string()));
  if (!value->is_object()) return {};
  const auto text = text_at(value->get_object(), "text");
  return text_at(value->get_object(), "type") == "mrkdwn" ? mrkdwn_html(text) : plain_html(text);
}

std::string blocks_html(const json::array& blocks) {
  std::string html;
  for (const auto& block : blocks) html += block_html(block, 0);
  return html;
}

Progress fold_progress(const json::array& chunks) {
  Progress progress;
  std::map<std::string, std::size_t> places;
  for (const auto& value : chunks) {
    if (!value.is_object()) continue;
    const auto& chunk = value.get_object();
    const auto type = text_at(chunk, "type");
    if (type == "plan_update") progress.title = text_at(chunk, "title");
    if (type != "task_update") continue;
    const auto [place, is_new] = places.try_emplace(text_at(chunk, "id"), progress.tasks.size());
    if (is_new) {
      progress.tasks.push_back(chunk);
      continue;
    }
    // An update says what changed; what it leaves out stays.
    auto& task = progress.tasks[place->second].get_object();
    for (const auto& field : chunk) task[field.key()] = field.value();
  }
  return progress;
}

std::string chunks_html(const json::array& chunks) {
  const auto progress = fold_progress(chunks);
  std::string html;
  if (!progress.title.empty() || !progress.tasks.empty())
    html += div("block", plan_box(escape_html(progress.title), progress.tasks));
  std::string text;
  std::string blocks;
  for (const auto& value : chunks) {
    if (!value.is_object()) continue;
    const auto& chunk = value.get_object();
    const auto type = text_at(chunk, "type");
    if (type == "markdown_text") text += text_at(chunk, "text");
    if (type == "blocks") blocks += blocks_html(items(chunk, "blocks"));
  }
  if (!text.empty()) html += div("block rich", markdown_html(text));
  return html + blocks;
}

}  // namespace deputy::sim::slack
