// The controls of an interaction and the tokens that stand for them. Tokens are made once, when it is asked: rows for
// looking up what a click means, and the same by name in Asking::tokens for drawing the controls in whatever process.
//
// To add a control: a row of interaction::Control, and its line in tokens_of.cpp.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "interaction/codes.h"
#include "run/asking.h"
#include "store/rows.h"

namespace deputy::run {

/// Rows for NewInteractionRow::tokens; `tokens` gets the same by name, for Asking::tokens.
std::vector<store::TokenRow> make_tokens(const InteractionId& interaction, const Asking& asking,
                                         const std::string& digest, json::object& tokens);

/// *Approve all* of one card: it holds for what is listed, as it was shown, and for nothing that joins the card later.
/// The row and `tokens` are those of the card's last interaction.
store::TokenRow make_approve_all(std::vector<interaction::Acted> on, json::object& tokens);

/// What a token does, and the token, read back from Asking::tokens. Without *Approve all*: what that covers stands in
/// its own row.
struct ControlToken {
  interaction::Action action;
  std::string token;
};
std::vector<ControlToken> controls_of(const InteractionId& interaction, const Asking& asking,
                                      const std::string& digest);

/// The token of one control; empty when there is none.
std::string token_of(const Asking& asking, interaction::Control control);

}  // namespace deputy::run
