// Draws messages and modals as Block Kit. Pure; everything fits Slack's limits, and text from outside can neither
// format nor notify. cards.h draws what asks people something.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "channel/channel.h"
#include "channel/message.h"
#include "clients/slack/manifest.h"

namespace deputy::channel::slack {

/// Blocks, and the text that notifications and clients without blocks show.
struct Drawing {
  json::array blocks;
  std::string text;
  std::string whole = {};  // of a message: all of its text, for where Slack refuses the blocks
};

Drawing draw_message(const Message& message);
/// What stands below the text of a message: footer and controls.
Drawing draw_below(const Message& message);

/// A message that stands for a request which was not written in the channel.
Drawing draw_request(const policy::Account& account, std::string_view text);

/// The modals that ask in one field why something is denied, and what is wrong with an answer.
json::object draw_denial_modal(const std::string& data);
json::object draw_wrong_modal(const std::string& data);

/// The modal of the shortcut "Ask Deputy", with a question filled in.
json::object draw_ask_modal(const std::string& data);

/// Text as a modal without input: the calls of a run, the full text of a card, the answer to what was submitted.
json::object draw_text_modal(std::string_view title, const ShowText& text, const std::string& data);

/// `callback_id` of modals and of the shortcut.
inline constexpr std::string_view kDenialModal = "denial";
inline constexpr std::string_view kWrongModal = "wrong";
inline constexpr std::string_view kAskModal = "ask";
using clients::slack::kAskShortcut;

/// `action_id`s of the controls that may open a modal at once, and what the value of the negative feedback begins with.
inline constexpr std::string_view kDenyWithReason = "deny_with_reason";
inline constexpr std::string_view kFeedback = "feedback";
inline constexpr std::string_view kWrongPrefix = "wrong:";

/// The token that a feedback button of this message carries; empty if it has none.
std::string feedback_token(const json::object& message, MessageControl::Kind kind);

}  // namespace deputy::channel::slack
