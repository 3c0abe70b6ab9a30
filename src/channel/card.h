// An interaction as a channel shows it: its content, its state, and the tokens of its controls. Channels with buttons
// and forms draw it; for all others `text_of` gives the numbered text form.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/ids.h"
#include "channel/message.h"
#include "interaction/codes.h"
#include "interaction/draft.h"
#include "interaction/text_form.h"

namespace deputy::channel {

struct ShownApproval {
  interaction::ApprovalView view;
  std::optional<interaction::Settled> settled;
  // From its tool; empty if the tool no longer exists.
  std::string command_param = {};                // the parameter that is a command line
  std::map<std::string, std::string> pins = {};  // what a grant is bound to, by name; empty: exactly the arguments
  std::vector<std::string> covered = {};         // earlier calls that such a grant would have allowed; not escaped
};

struct ShownQuestions {
  interaction::Form form;
  interaction::Draft draft;
  Timestamp expires_at;
  std::optional<interaction::FormResult> settled;
  std::string settled_by;
  Timestamp settled_at;
  std::size_t page = interaction::kMaxQuestions;  // how many questions are asked at once, from the current one on
};

/// One control and its token.
struct ShownControl {
  interaction::Action action;
  std::string token;
};

struct ShownInteraction {
  InteractionId id;
  std::variant<ShownApproval, ShownQuestions> what;
  std::vector<ShownControl> controls;  // none once it is settled
};

bool is_settled(const ShownInteraction& shown);
/// The token of one control; empty when it cannot be pressed.
std::string token_of(const ShownInteraction& shown, interaction::Control control);

/// The token of one option of a question, or without `option` of its field for own words; both from 0. Empty when there
/// is none.
std::string token_of(const ShownInteraction& shown, std::size_t question, std::optional<std::size_t> option);

/// The questions that are drawn now; none once the form is settled.
std::vector<std::size_t> questions_now(const ShownQuestions& questions);
/// The token that sends what was filled in: *Next* while more questions follow the drawn ones, then *Submit*.
std::string token_to_send(const ShownInteraction& shown);

/// What is shown as one message: one form, or the approvals of one turn.
struct Card {
  std::vector<ShownInteraction> interactions;
  std::string notification;  // a summary in one line of plain text
  Mentions approvers;        // at most 5 accounts; nobody once it is settled
  interaction::Zone zone;
  interaction::Writers writers = interaction::Writers::several;
  bool was_away = false;  // Deputy could not receive for a while; clicks in that time were lost
  std::string key;        // DeliveryKey
  RunId run = {};         // the run that asks
  std::string conversation = {};
  std::string requester = {};  // the person whose request it belongs to
  bool whole = false;          // nothing is folded
  std::string note = {};       // a line above it while it waits, such as that its alert was resolved
};

/// Whether the options of its questions can be drawn. If not, it is shown in its text form.
bool fits(const Card& card, const FormLimits& limits);

/// The numbered text form of a card, settled or not.
std::string text_of(const Card& card);

}  // namespace deputy::channel
