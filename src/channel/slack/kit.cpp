#include "channel/slack/kit.h"

#include <algorithm>

#include "base/text.h"
#include "channel/slack/text.h"
#include "channel/slack/thread.h"
#include "interaction/escape.h"

namespace deputy::channel::slack::kit {

json::object plain_text(std::string_view text, std::size_t most) {
  return {{"type", "plain_text"}, {"text", cut_with_mark(text, most)}};
}
json::object mrkdwn(std::string_view text, std::size_t most) {
  return {{"type", "mrkdwn"}, {"text", cut_with_mark(text, most)}};
}

json::object header(std::string_view text) { return {{"type", "header"}, {"text", plain_text(text, 150)}}; }
json::object section(std::string_view text) { return {{"type", "section"}, {"text", mrkdwn(text)}}; }
json::object context(std::string_view text) {
  return {{"type", "context"}, {"elements", json::array{mrkdwn(text, kMaxContext)}}};
}
json::object divider() { return {{"type", "divider"}}; }

json::object preformatted(std::string_view text) {
  json::object run{{"type", "text"}, {"text", std::string(text)}};
  json::object part{{"type", "rich_text_preformatted"}, {"elements", json::array{std::move(run)}}};
  return {{"type", "rich_text"}, {"elements", json::array{std::move(part)}}};
}

json::object button(std::string_view label, const std::string& token, std::string_view name, std::string_view style) {
  json::object one{
      {"type", "button"}, {"action_id", name}, {"text", plain_text(label, kMaxOptionText)}, {"value", token}};
  if (!style.empty()) one["style"] = style;
  return one;
}

json::object modal(std::string_view title, json::array blocks, const std::string& data) {
  json::object view{{"type", "modal"},
                    {"title", plain_text(title, kMaxModalTitle)},
                    {"close", plain_text("Close", kMaxModalTitle)},
                    {"private_metadata", data},
                    {"blocks", std::move(blocks)}};
  return view;
}
json::object form_modal(std::string_view callback, std::string_view title, std::string_view submit, json::array blocks,
                        const std::string& data) {
  json::object view = modal(title, std::move(blocks), data);
  view["callback_id"] = callback;
  view["submit"] = plain_text(submit, kMaxModalTitle);
  view["close"] = plain_text("Cancel", kMaxModalTitle);
  return view;
}

std::string as_code(std::string_view text) {
  std::string code = interaction::escape(text, interaction::Showing::exactly);
  std::ranges::replace(code, '`', '\'');
  return "`" + escape(code) + "`";
}

std::string as_words(std::string_view text) {
  std::string plain = escape(interaction::escape(text, interaction::Showing::as_prose));
  const auto is_inside_word = [&](std::size_t at) {
    return at > 0 && at + 1 < plain.size() && is_letter_or_digit(plain[at - 1]) && is_letter_or_digit(plain[at + 1]);
  };
  for (std::size_t at = 0; at < plain.size(); ++at) {
    const char c = plain[at];
    if (c == '*' || c == '~' || c == '`' || (c == '_' && !is_inside_word(at))) plain[at] = '\'';
  }
  return plain;
}

std::string mention_of(const policy::Account& account) { return "<@" + user_of(account) + ">"; }

std::string mentions_of(const Mentions& mentions) {
  std::string text;
  for (const std::string& group : mentions.groups) text += (text.empty() ? "<!subteam^" : " <!subteam^") + group + ">";
  for (const policy::Account& account : mentions.accounts) text += (text.empty() ? "" : " ") + mention_of(account);
  return text;
}

std::size_t text_in(const json::value& value) {
  std::size_t sum = 0;
  if (const json::array* list = value.if_array()) {
    for (const json::value& item : *list) sum += text_in(item);
  } else if (const json::object* object = value.if_object()) {
    for (const auto& [key, inner] : *object)
      sum += key == "text" && inner.is_string() ? count_characters(as_view(inner.get_string())) : text_in(inner);
  }
  return sum;
}

std::string notification(std::string_view mrkdwn) {
  constexpr std::size_t kMost = 3'900;
  if (mrkdwn.size() <= kMost) return std::string(mrkdwn);
  return std::string(cut_bytes(mrkdwn, kMost)) + " …";
}

}  // namespace deputy::channel::slack::kit
