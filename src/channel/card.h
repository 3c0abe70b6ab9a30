// An interaction as a channel shows it: what it is about, where it stands, and the tokens of its controls. Channels
// with buttons and forms draw it; for all others `text_of` is the numbered text form.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/ids.h"
#include "interaction/codes.h"
#include "interaction/draft.h"
#include "interaction/text_form.h"

namespace deputy::channel {

struct ShownApproval {
  interaction::ApprovalView view;
  std::optional<interaction::Settled> settled;
  // Of its tool; empty for one that is there no more.
  std::string command_param = {};      // the parameter that is a command line
  std::vector<std::string> pins = {};  // what a grant of it holds to
};

struct ShownQuestions {
  interaction::Form form;
  interaction::Draft draft;
  Timestamp expires_at;
  std::optional<interaction::FormResult> settled;
  std::string settled_by;
  Timestamp settled_at;
};

/// One control and the token that stands for it.
struct ShownControl {
  interaction::Action action;
  std::string token;
};

struct ShownInteraction {
  InteractionId id;
  std::variant<ShownApproval, ShownQuestions> what;
  std::vector<ShownControl> controls;  // none once it is settled
};

/// Whether it waits no more.
bool is_settled(const ShownInteraction& shown);
/// The token of one control; empty when it cannot be pressed.
std::string token_of(const ShownInteraction& shown, interaction::Control control);

/// A view: one form, or the approvals of one turn.
struct Card {
  std::vector<ShownInteraction> interactions;
  std::string notification;            // all of it in a line, plain text
  std::vector<std::string> approvers;  // to be mentioned, as settings write them
  interaction::Zone zone;
  interaction::Writers writers = interaction::Writers::several;
  bool was_away = false;  // a click in that time was lost
  std::string key;        // DeliveryKey
  RunId run = {};         // that asks
  std::string conversation = {};
  std::string requester = {};  // the person it is asked for
};

/// The numbered text form of a card, settled or not.
std::string text_of(const Card& card);

}  // namespace deputy::channel
