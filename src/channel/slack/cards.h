// Draws what asks people something as Block Kit: approvals and forms, in a message or a modal. Pure; everything fits
// Slack's limits, and text from outside can neither format nor notify.
#pragma once

#include <string>

#include "channel/card.h"
#include "channel/slack/blocks.h"

namespace deputy::channel::slack {

/// A card in a message. Controls carry their tokens as values; `action_id`s only tell them apart. A form that does not
/// fit into a message is a button that opens it.
Drawing draw_card(const Card& card);

/// The whole of a card, or its form, as a modal. `data` comes back with what is submitted.
json::object draw_modal(const Card& card, const std::string& data);

/// `callback_id` of a form in a modal.
inline constexpr std::string_view kFormModal = "form";

/// The block of a question in a form, by its position; its problems are shown there.
std::string block_of_question(std::size_t question);

}  // namespace deputy::channel::slack
