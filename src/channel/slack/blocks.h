// Draws messages, cards and forms as Block Kit. Pure; everything fits Slack's limits, and text from outside can neither
// format nor notify.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "channel/card.h"
#include "channel/message.h"

namespace deputy::channel::slack {

/// Blocks, and the text that notifications and clients without blocks show.
struct Drawing {
  json::array blocks;
  std::string text;
};

Drawing draw_message(const Message& message);

/// A card in a message. Controls carry their tokens as values; `action_id`s only tell them apart.
Drawing draw_card(const Card& card);

/// The whole of a card, or its form, as a modal. `data` comes back with what is submitted.
json::object draw_modal(const Card& card, const std::string& data);

/// The modal that asks for the reason of a denial.
json::object draw_reason_modal(const std::string& data);

/// Markdown as a modal without input: the calls of a run, the full text of a card.
json::object draw_text_modal(std::string_view title, std::string_view markdown);

/// `callback_id` of modals, and the block and field of the reason.
inline constexpr std::string_view kFormModal = "form";
inline constexpr std::string_view kReasonModal = "reason";
inline constexpr std::string_view kReasonBlock = "reason";

/// The block of a question in a form, by its position; its problems are shown there.
std::string block_of_question(std::size_t question);

/// The Slack id in an account's id: U1 of T1/U1.
std::string user_of(const policy::Account& account);

}  // namespace deputy::channel::slack
