// Draws messages, cards and forms as Block Kit. Pure; everything fits Slack's limits, and text from outside can neither
// format nor notify.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "channel/card.h"
#include "channel/channel.h"
#include "channel/message.h"
#include "clients/slack/manifest.h"

namespace deputy::channel::slack {

/// Blocks, and the text that notifications and clients without blocks show.
struct Drawing {
  json::array blocks;
  std::string text;
};

Drawing draw_message(const Message& message);
/// What stands below the text of a message: footer and controls.
Drawing draw_below(const Message& message);

/// A message that stands for a request which was not written in the channel.
Drawing draw_request(const policy::Account& account, std::string_view text);

/// A card in a message. Controls carry their tokens as values; `action_id`s only tell them apart.
Drawing draw_card(const Card& card);

/// The whole of a card, or its form, as a modal. `data` comes back with what is submitted.
json::object draw_modal(const Card& card, const std::string& data);

/// The modal that asks for a reason in one field: of a denial, of a wrong answer.
json::object draw_reason_modal(std::string_view title, std::string_view question, const std::string& data);

/// The modal of the shortcut "Ask Deputy", with a question filled in.
json::object draw_ask_modal(const std::string& data);

/// Text as a modal without input: the calls of a run, the full text of a card.
json::object draw_text_modal(std::string_view title, const ShowText& text, const std::string& data);

/// `callback_id` of modals and of the shortcut.
inline constexpr std::string_view kFormModal = "form";
inline constexpr std::string_view kReasonModal = "reason";
inline constexpr std::string_view kAskModal = "ask";
using clients::slack::kAskShortcut;

/// `action_id`s of the controls that may open a modal at once, and what the value of the negative feedback begins with.
inline constexpr std::string_view kDenyWithReason = "deny_with_reason";
inline constexpr std::string_view kFeedback = "feedback";
inline constexpr std::string_view kWrongPrefix = "wrong:";

/// The token that a feedback button of this message carries; empty if it has none.
std::string feedback_token(const json::object& message, MessageControl::Kind kind);

/// The block of a question in a form, by its position; its problems are shown there.
std::string block_of_question(std::size_t question);

/// The Slack id in an account's id: U1 of T1/U1.
std::string user_of(const policy::Account& account);

}  // namespace deputy::channel::slack
