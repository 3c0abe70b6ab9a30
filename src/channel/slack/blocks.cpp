#include "channel/slack/blocks.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "channel/markdown.h"
#include "channel/slack/kit.h"
#include "channel/slack/text.h"

namespace deputy::channel::slack {

namespace {

using namespace kit;

constexpr std::size_t kMaxMarkdown = 12'000;  // characters of a message
constexpr std::size_t kMaxModalSections = 90;

json::object markdown_block(const std::string& text) { return {{"type", "markdown"}, {"text", text}}; }

// Slack has its own pair of buttons for feedback, under one name: only the value tells which was pressed.
void add_controls(json::array& blocks, const std::vector<MessageControl>& controls) {
  using Kind = MessageControl::Kind;
  json::array row;
  json::object pair{{"type", "feedback_buttons"}, {"action_id", kFeedback}};
  for (const MessageControl& control : controls) {
    const auto half = [&](std::string value) {
      return json::object{{"text", plain_text(control.label, kMaxOptionText)}, {"value", std::move(value)}};
    };
    if (control.kind == Kind::helpful) pair["positive_button"] = half(control.token);
    if (control.kind == Kind::wrong) pair["negative_button"] = half(std::string(kWrongPrefix) + control.token);
    if (control.kind == Kind::plain)
      row.push_back(button(control.label, control.token, fmt::format("control{}", row.size())));
  }
  if (pair.contains("positive_button") && pair.contains("negative_button"))
    blocks.push_back(json::object{{"type", "context_actions"}, {"elements", json::array{std::move(pair)}}});
  if (!row.empty()) blocks.push_back(json::object{{"type", "actions"}, {"elements", std::move(row)}});
}

}  // namespace

Drawing draw_below(const Message& message) {
  Drawing drawing;
  if (!message.footer.empty()) drawing.blocks.push_back(context(escape(message.footer)));
  add_controls(drawing.blocks, message.controls);
  return drawing;
}

Drawing draw_message(const Message& message) {
  Drawing drawing;
  std::string whom = message.mention ? mention_of(*message.mention) : "";
  if (const std::string others = mentions_of(message.mentions); !others.empty())
    whom += (whom.empty() ? "" : " ") + others;
  if (!whom.empty()) drawing.blocks.push_back(section(whom));
  if (!trim(message.markdown).empty())
    drawing.blocks.push_back(markdown_block(cut_with_mark(message.markdown, kMaxMarkdown)));
  std::ranges::move(draw_below(message).blocks, std::back_inserter(drawing.blocks));
  drawing.whole = (whom.empty() ? "" : whom + " ") + to_mrkdwn(message.markdown);
  drawing.text = notification(drawing.whole);
  return drawing;
}

Drawing draw_request(const policy::Account& account, std::string_view text) {
  Drawing drawing;
  drawing.text = notification(fmt::format("{} asks: {}", mention_of(account), as_words(text)));
  drawing.blocks.push_back(section(drawing.text));
  return drawing;
}

namespace {

json::object one_field(std::string_view name, std::string_view label) {
  json::object element{{"type", "plain_text_input"}, {"action_id", name}, {"multiline", true}, {"max_length", 1000}};
  return {
      {"type", "input"}, {"block_id", name}, {"label", plain_text(label, kMaxLabel)}, {"element", std::move(element)}};
}

}  // namespace

json::object draw_denial_modal(const std::string& data) {
  json::object field = one_field("reason", "Why not?");
  field["hint"] = plain_text("The thread sees the reason, and I take it into account.", kMaxLabel);
  return form_modal(kDenialModal, "Deny with a reason", "Deny", {std::move(field)}, data);
}

json::object draw_wrong_modal(const std::string& data) {
  json::object field = one_field("reason", "What was wrong?");
  field["optional"] = true;
  field["hint"] = plain_text("The operators of Deputy are told.", kMaxLabel);
  return form_modal(kWrongModal, "Wrong answer", "Send", {std::move(field)}, data);
}

json::object draw_ask_modal(const std::string& data) {
  json::object field = one_field("question", "Your question");
  field.at("element").as_object()["initial_value"] = "What is this about, and what should we do?";
  field["hint"] = plain_text("The answer is posted in the thread of the message.", kMaxLabel);
  return form_modal(kAskModal, "Ask Deputy", "Ask", {std::move(field)}, data);
}

std::string feedback_token(const json::object& message, MessageControl::Kind kind) {
  const json::value* blocks = message.if_contains("blocks");
  if (blocks == nullptr || !blocks->is_array()) return "";
  for (const json::value& block : blocks->get_array()) {
    const json::value* elements = block.is_object() ? block.get_object().if_contains("elements") : nullptr;
    if (elements == nullptr || !elements->is_array()) continue;
    for (const json::value& element : elements->get_array()) {
      if (!element.is_object() || text_at(element.get_object(), "type") != "feedback_buttons") continue;
      const bool is_wrong = kind == MessageControl::Kind::wrong;
      const json::object* half = find_object(element.get_object(), is_wrong ? "negative_button" : "positive_button");
      const std::string value = half == nullptr ? "" : text_at(*half, "value");
      return is_wrong ? value.substr(std::min(value.size(), kWrongPrefix.size())) : value;
    }
  }
  return "";
}

json::object draw_text_modal(std::string_view title, const ShowText& text, const std::string& data) {
  json::array blocks;
  for (std::string& part : split_markdown(to_mrkdwn(text.markdown), kMaxSection - 100)) {
    if (blocks.size() == kMaxModalSections) {
      blocks.push_back(section("_The rest does not fit here._"));
      break;
    }
    blocks.push_back(section(part));
  }
  if (blocks.empty()) blocks.push_back(section("_Nothing to show._"));
  add_controls(blocks, text.controls);
  return modal(title, std::move(blocks), data);
}

}  // namespace deputy::channel::slack
