#include "sim/slack/block_samples.h"

namespace deputy::sim::slack {

const std::vector<BlockSample> kBlockSamples = {
    {"actions", "message modal home", "elements", R"({"type": "actions", "block_id": "row", "elements": [
      {"type": "button", "action_id": "go", "text": {"type": "plain_text", "text": "Go"}},
      {"type": "button", "action_id": "stop", "text": {"type": "plain_text", "text": "Stop"}}]})"},
    {"alert", "modal", "text",
     R"({"type": "alert", "text": {"type": "mrkdwn", "text": "*Careful*"}, "level": "warning"})"},
    {"card", "message modal home", "", R"({"type": "card", "block_id": "card1",
      "hero_image": {"type": "image", "image_url": "https://example.com/a.png", "alt_text": "A"},
      "icon": {"type": "image", "image_url": "https://example.com/i.png", "alt_text": "I"},
      "title": {"type": "mrkdwn", "text": "Disk"}, "subtitle": {"type": "mrkdwn", "text": "prod"},
      "body": {"type": "mrkdwn", "text": "90 % full"},
      "actions": [{"type": "button", "action_id": "clean", "text": {"type": "plain_text", "text": "Clean"}}]})"},
    {"carousel", "message home", "elements", R"({"type": "carousel", "elements": [
      {"type": "card", "title": {"type": "mrkdwn", "text": "One"}},
      {"type": "card", "body": {"type": "mrkdwn", "text": "Two"}}]})"},
    {"container", "message home", "child_blocks", R"({"type": "container",
      "title": {"type": "plain_text", "text": "Changes"}, "subtitle": {"type": "mrkdwn", "text": "two"},
      "icon": {"type": "image", "image_url": "https://example.com/i.png", "alt_text": "I"}, "width": "wide",
      "is_collapsible": true, "default_collapsed": true, "child_blocks": [
      {"type": "divider"}, {"type": "section", "text": {"type": "mrkdwn", "text": "one"}}]})"},
    {"context", "message modal home", "elements", R"({"type": "context", "elements": [
      {"type": "image", "image_url": "https://example.com/i.png", "alt_text": "I"},
      {"type": "mrkdwn", "text": "by *ann*"}, {"type": "plain_text", "text": "now", "emoji": true}]})"},
    {"context_actions", "message", "elements", R"({"type": "context_actions", "elements": [
      {"type": "feedback_buttons", "action_id": "feedback",
       "positive_button": {"text": {"type": "plain_text", "text": "Good"}, "value": "up"},
       "negative_button": {"text": {"type": "plain_text", "text": "Bad"}, "value": "down"}},
      {"type": "icon_button", "action_id": "bin", "icon": "trash", "text": {"type": "plain_text", "text": "Delete"}}]})"},
    {"data_table", "message home", "rows caption", R"({"type": "data_table", "caption": "Errors", "page_size": 5,
      "row_header_column_index": 1, "rows": [
      [{"type": "raw_text", "text": "service"}, {"type": "raw_text", "text": "count"}],
      [{"type": "raw_text", "text": "billing"}, {"type": "raw_number", "text": "12", "value": 12}]]})"},
    {"divider", "message modal home", "", R"({"type": "divider"})"},
    {"file", "", "", R"({"type": "file", "external_id": "ABCD1", "source": "remote"})"},
    {"header", "message modal home", "text", R"({"type": "header", "text": {"type": "plain_text", "text": "Report"}})"},
    {"image", "message modal home", "alt_text", R"({"type": "image", "image_url": "https://example.com/a.png",
      "alt_text": "A graph", "title": {"type": "plain_text", "text": "Load"}})"},
    {"input", "message modal home", "label element", R"({"type": "input", "block_id": "why", "optional": true,
      "dispatch_action": true, "label": {"type": "plain_text", "text": "Why"},
      "hint": {"type": "plain_text", "text": "in a word"}, "element": {"type": "plain_text_input", "action_id": "why"}})"},
    {"markdown", "message", "text", R"({"type": "markdown", "text": "**Two** errors"})"},
    {"plan", "message", "title", R"({"type": "plan", "title": "Looking", "tasks": [
      {"type": "task_card", "task_id": "t1", "title": "Read logs", "status": "pending"},
      {"type": "task_card", "task_id": "t2", "title": "Compare", "status": "complete",
       "details": {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [{"type": "text", "text": "a"}]}]},
       "output": {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [{"type": "text", "text": "b"}]}]},
       "sources": [{"type": "url", "url": "https://example.com", "text": "docs"}]}]})"},
    {"rich_text", "message modal home", "elements", R"({"type": "rich_text", "elements": [
      {"type": "rich_text_section", "elements": [
        {"type": "text", "text": "Hello ", "style": {"bold": true, "italic": true}},
        {"type": "link", "url": "https://example.com", "text": "docs", "unsafe": false, "style": {"bold": true}},
        {"type": "user", "user_id": "U1", "style": {"strike": true}}, {"type": "channel", "channel_id": "C1", "style": {"code": true}}, {"type": "emoji", "name": "wave", "unicode": "1f44b", "url": "https://example.com/w.png", "style": {"bold": true}},
        {"type": "usergroup", "usergroup_id": "S1", "style": {"underline": true}}, {"type": "team", "team_id": "T1", "style": {"bold": true}},
        {"type": "broadcast", "range": "here", "style": {"bold": true}}, {"type": "color", "value": "#FF0000", "style": {"bold": true}},
        {"type": "date", "timestamp": 1720710212, "format": "{date_num}", "fallback": "then", "url": "https://example.com", "style": {"bold": true}}]},
      {"type": "rich_text_list", "style": "bullet", "indent": 1, "border": 0, "elements": [
        {"type": "rich_text_section", "elements": [{"type": "text", "text": "one"}]}]},
      {"type": "rich_text_quote", "border": 1, "elements": [{"type": "text", "text": "said"}]},
      {"type": "rich_text_preformatted", "border": 1, "elements": [{"type": "text", "text": "code"}]}]})"},
    {"section", "message modal home", "", R"({"type": "section", "expand": true,
      "text": {"type": "mrkdwn", "text": "*Disk*", "verbatim": true},
      "fields": [{"type": "mrkdwn", "text": "a"}, {"type": "plain_text", "text": "b"}],
      "accessory": {"type": "button", "text": {"type": "plain_text", "text": "Open"}}})"},
    {"table", "message home", "rows", R"({"type": "table", "column_settings": [{"align": "right", "is_wrapped": true}],
      "rows": [[{"type": "raw_text", "text": "a"}, {"type": "raw_number", "text": "1", "value": 1.5}],
      [{"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [{"type": "text", "text": "b"}]}]}]]})"},
    {"task_card", "message", "task_id title status", R"({"type": "task_card", "task_id": "t1", "title": "Read logs",
      "status": "in_progress", "sources": [{"type": "url", "url": "https://example.com", "text": "docs"}],
      "details": {"type": "rich_text", "block_id": "same", "elements": [
        {"type": "rich_text_section", "elements": [{"type": "text", "text": "prod"}]}]},
      "output": {"type": "rich_text", "block_id": "same", "elements": [
        {"type": "rich_text_section", "elements": [{"type": "text", "text": "two"}]}]}})"},
    {"video", "message modal home", "alt_text title thumbnail_url video_url", R"({"type": "video", "alt_text": "How",
      "title": {"type": "plain_text", "text": "How"}, "title_url": "https://example.com/w", "author_name": "Ann",
      "thumbnail_url": "https://example.com/t.png", "video_url": "https://example.com/v", "provider_name": "V",
      "provider_icon_url": "https://example.com/p.png", "description": {"type": "plain_text", "text": "long"}})"},
};

#define PLACEHOLDER R"("placeholder": {"type": "plain_text", "text": "Pick"})"
#define CONFIRM \
  R"("confirm": {"title": {"type": "plain_text", "text": "Sure?"}, "text": {"type": "mrkdwn", "text": "*Really*"},
      "confirm": {"type": "plain_text", "text": "Yes"}, "deny": {"type": "plain_text", "text": "No"}, "style": "danger"})"
#define OPTION(name) R"({"text": {"type": "plain_text", "text": ")" name R"("}, "value": ")" name R"("})"
#define DISPATCH R"("dispatch_action_config": {"trigger_actions_on": ["on_enter_pressed", "on_character_entered"]})"

const std::vector<ElementSample> kElementSamples = {
    {"button", "message modal home", "actions accessory card", "text", R"({"type": "button", "action_id": "a",
      "text": {"type": "plain_text", "text": "Go", "emoji": true}, "value": "v", "url": "https://example.com",
      "style": "primary", "accessibility_label": "Go on", )" CONFIRM "}"},
    {"checkboxes", "message modal home", "actions accessory input", "options", R"({"type": "checkboxes",
      "options": [{"text": {"type": "mrkdwn", "text": "*a*"}, "value": "a", "description": {"type": "plain_text", "text": "A"}},
      )" OPTION("b") R"(], "initial_options": [)" OPTION("b") "], " CONFIRM "}"},
    {"datepicker", "message modal home", "actions accessory input", "",
     R"({"type": "datepicker", "initial_date": "2026-02-28", )" PLACEHOLDER ", " CONFIRM "}"},
    {"datetimepicker", "message modal", "actions input", "",
     R"({"type": "datetimepicker", "initial_date_time": 1628633820, )" CONFIRM "}"},
    {"email_text_input", "modal", "input", "",
     R"({"type": "email_text_input", "initial_value": "a@example.com", )" PLACEHOLDER ", " DISPATCH "}"},
    {"feedback_buttons", "message", "context_actions", "positive_button negative_button",
     R"({"type": "feedback_buttons",
      "positive_button": {"text": {"type": "plain_text", "text": "Good"}, "value": "up", "accessibility_label": "good"},
      "negative_button": {"text": {"type": "plain_text", "text": "Bad"}, "value": "down"}})"},
    {"file_input", "modal", "input", "", R"({"type": "file_input", "filetypes": ["png", "log"], "max_files": 10})"},
    {"icon_button", "message", "context_actions", "icon text", R"({"type": "icon_button", "icon": "trash",
      "text": {"type": "plain_text", "text": "Delete"}, "value": "v", "accessibility_label": "Delete",
      "visible_to_user_ids": ["U1"], )" CONFIRM "}"},
    {"image", "message modal home", "accessory context", "alt_text",
     R"({"type": "image", "slack_file": {"id": "F1"}, "alt_text": "A"})"},
    {"number_input", "modal", "input", "is_decimal_allowed", R"({"type": "number_input", "is_decimal_allowed": true,
      "initial_value": "0.25", "min_value": "-10", "max_value": "5.5", )" PLACEHOLDER ", " DISPATCH "}"},
    {"overflow", "message modal home", "actions accessory", "options", R"({"type": "overflow", "options": [
      {"text": {"type": "plain_text", "text": "Docs"}, "value": "docs", "url": "https://example.com",
       "description": {"type": "plain_text", "text": "all"}}], )" CONFIRM "}"},
    {"plain_text_input", "message modal home", "input", "", R"({"type": "plain_text_input", "initial_value": "x",
      "multiline": true, "min_length": 0, "max_length": 3000, )" PLACEHOLDER ", " DISPATCH "}"},
    {"radio_buttons", "message modal home", "actions accessory input", "options", R"({"type": "radio_buttons",
      "options": [)" OPTION("a") ", " OPTION("b") R"(], "initial_option": )" OPTION("a") ", " CONFIRM "}"},
    {"rich_text_input", "modal home", "input", "", R"({"type": "rich_text_input", "min_lines": 1, "max_lines": 100,
      "initial_value": {"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [
      {"type": "text", "text": "x"}]}]}, )" PLACEHOLDER ", " DISPATCH "}"},
    {"timepicker", "message modal home", "actions accessory input", "", R"({"type": "timepicker",
      "initial_time": "23:59", "timezone": "Europe/Vienna", )" PLACEHOLDER ", " CONFIRM "}"},
    {"url_text_input", "modal", "input", "",
     R"({"type": "url_text_input", "initial_value": "https://example.com", )" PLACEHOLDER ", " DISPATCH "}"},
    {"workflow_button", "message", "actions accessory", "text workflow", R"({"type": "workflow_button",
      "text": {"type": "plain_text", "text": "Run"}, "style": "danger", "workflow": {"trigger": {
      "url": "https://slack.com/shortcuts/Ft1/abc", "customizable_input_parameters": [{"name": "n", "value": "v"}]}},
      "accessibility_label": "Run it", )" CONFIRM "}"},
    {"static_select", "message modal home", "actions accessory input", "",
     R"({"type": "static_select",
      "options": [)" OPTION("a") ", " OPTION("b") R"(], "initial_option": )" OPTION("b") ", " PLACEHOLDER ", " CONFIRM
                                                                                         "}"},
    {"external_select", "message modal home", "actions accessory input", "", R"({"type": "external_select",
      "min_query_length": 0, "initial_option": )" OPTION("a") ", " PLACEHOLDER ", " CONFIRM "}"},
    {"users_select", "message modal home", "actions accessory input", "",
     R"({"type": "users_select", "initial_user": "U1", )" PLACEHOLDER ", " CONFIRM "}"},
    {"conversations_select", "message modal home", "actions accessory input", "", R"({"type": "conversations_select",
      "initial_conversation": "C1", "default_to_current_conversation": true, "filter": {"include": ["public", "im"],
      "exclude_bot_users": true, "exclude_external_shared_channels": false}, )" PLACEHOLDER ", " CONFIRM "}"},
    {"channels_select", "message modal home", "actions accessory input", "",
     R"({"type": "channels_select", "initial_channel": "C1", )" PLACEHOLDER ", " CONFIRM "}"},
    {"multi_static_select", "message modal home", "accessory input", "",
     R"({"type": "multi_static_select",
      "option_groups": [{"label": {"type": "plain_text", "text": "G"}, "options": [)" OPTION("a") ", " OPTION(
         "b") R"(]}],
      "initial_options": [)" OPTION("a") R"(], "max_selected_items": 1, )" PLACEHOLDER ", " CONFIRM "}"},
    {"multi_external_select", "message modal home", "accessory input", "",
     R"({"type": "multi_external_select",
      "min_query_length": 3, "initial_options": [)" OPTION("a") R"(], "max_selected_items": 2, )" PLACEHOLDER
                                                                ", " CONFIRM "}"},
    {"multi_users_select", "message modal home", "accessory input", "",
     R"({"type": "multi_users_select", "initial_users": ["U1", "U2"], "max_selected_items": 2, )" PLACEHOLDER
     ", " CONFIRM "}"},
    {"multi_conversations_select", "message modal home", "accessory input", "",
     R"({"type": "multi_conversations_select",
      "initial_conversations": ["C1"], "max_selected_items": 3, "default_to_current_conversation": true, "filter": {"include": ["private"]}, )" PLACEHOLDER
     ", " CONFIRM "}"},
    {"multi_channels_select", "message modal home", "accessory input", "",
     R"({"type": "multi_channels_select", "initial_channels": ["C1"], "max_selected_items": 1, )" PLACEHOLDER
     ", " CONFIRM "}"},
};

const std::vector<Holder> kHolders = {
    {"actions", "message modal home", "/elements/0", R"({"type": "actions", "elements": [@]})"},
    {"accessory", "message modal home", "/accessory",
     R"({"type": "section", "text": {"type": "mrkdwn", "text": "x"}, "accessory": @})"},
    {"input", "message modal home", "/element",
     R"({"type": "input", "dispatch_action": true, "label": {"type": "plain_text", "text": "L"}, "element": @})"},
    {"context", "message modal home", "/elements/0", R"({"type": "context", "elements": [@]})"},
    {"context_actions", "message", "/elements/0", R"({"type": "context_actions", "elements": [@]})"},
    {"card", "message modal home", "/actions/0", R"({"type": "card", "actions": [@]})"},
};

std::vector<std::string> sentences(const std::vector<BlockProblem>& problems) {
  std::vector<std::string> found;
  found.reserve(problems.size());
  for (const auto& problem : problems) found.push_back(as_sentence(problem));
  return found;
}

std::string letters(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += "é";
  return text;
}

std::string numbered(std::string_view item, std::size_t count) {
  std::string list;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) list += ", ";
    for (const char c : item) c == '#' ? list.append(std::to_string(i)) : list.append(1, c);
  }
  return list;
}

json::object sample_modal() {
  json::array blocks;
  blocks.push_back(parsed(
      R"({"type": "alert", "level": "info", "text": {"type": "mrkdwn", "text": "*Note:* this changes prod."}})"));
  for (const auto& sample : kElementSamples) {
    if (!sample.holders.contains("input") || !sample.surfaces.contains("modal")) continue;
    auto element = parsed(sample.element).as_object();
    blocks.push_back({{"type", "input"},
                      {"dispatch_action", true},
                      {"label", {{"type", "plain_text"}, {"text", std::string(sample.type)}}},
                      {"hint", {{"type", "plain_text"}, {"text", "A hint"}}},
                      {"element", std::move(element)}});
  }
  return {{"type", "modal"},
          {"callback_id", "sample"},
          {"clear_on_close", true},
          {"notify_on_close", true},
          {"title", {{"type", "plain_text"}, {"text", "Restart a service"}}},
          {"submit", {{"type", "plain_text"}, {"text", "Restart"}}},
          {"close", {{"type", "plain_text"}, {"text", "Cancel"}}},
          {"blocks", std::move(blocks)}};
}

json::array sample_message() {
  json::array blocks;
  for (const auto& sample : kBlockSamples)
    if (sample.surfaces.contains("message")) blocks.push_back(parsed(sample.block));
  return blocks;
}

}  // namespace deputy::sim::slack
