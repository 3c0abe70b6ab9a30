// Bodies of the delivery rows that a run owes people. The gateway delivers them; their text is made here or in
// plan/messages.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "store/rows.h"

namespace deputy::run {

/// The answer of a run.
struct AnswerDelivery {
  static constexpr std::string_view kKind = "answer";

  std::string text;
  std::string account;  // key of the account to mention: whoever asked
  std::string footer;   // tools · seconds · cost · run id
  /// Hosts that links of the text may lead to. Without it whoever delivers reads the run's journal.
  std::optional<std::vector<std::string>> known_hosts = {};
  std::optional<std::vector<json::object>> plots = {};  // as in base/plot.h

  template <class Fields>
  static void fields(Fields& f) {
    using D = AnswerDelivery;
    f.required(&D::text, "text", "Markdown");
    f.optional(&D::account, "account", "Who is mentioned");
    f.optional(&D::footer, "footer", "Small print");
    f.optional(&D::known_hosts, "known_hosts", "Hosts that its links may lead to");
    f.optional(&D::plots, "plots", "Shown as pictures, where the channel takes files");
  }
};

/// A button under a notice.
struct NoticeControl {
  std::string label;
  std::string token;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&NoticeControl::label, "label", "What it says");
    f.required(&NoticeControl::token, "token", "What a click sends back");
  }
};

/// A line in the thread.
struct NoticeDelivery {
  static constexpr std::string_view kKind = "notice";

  std::string text;
  std::optional<std::vector<std::string>> known_hosts = {};  // as in AnswerDelivery
  std::vector<std::string> accounts = {};                    // keys of accounts to notify
  std::vector<std::string> groups = {};                      // ids of groups to notify
  std::optional<std::vector<NoticeControl>> controls = {};
  std::optional<bool> ends_call = {};  // it says how a background call ended

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&NoticeDelivery::text, "text", "Markdown");
    f.optional(&NoticeDelivery::accounts, "accounts", "Accounts that are notified");
    f.optional(&NoticeDelivery::groups, "groups", "Groups that are notified");
    f.optional(&NoticeDelivery::known_hosts, "known_hosts", "Hosts that its links may lead to");
    f.optional(&NoticeDelivery::controls, "controls", "Buttons under it, where the channel has them");
    f.optional(&NoticeDelivery::ends_call, "ends_call", "Whether it says how a background call ended");
  }
};

/// The first sign that a person sees.
struct AcknowledgementDelivery {
  static constexpr std::string_view kKind = "acknowledgement";

  std::string request;  // ref of the message that asked
  std::string line;
  std::string account = {};  // key of the account that asked: a stream names it when it begins

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&AcknowledgementDelivery::request, "request", "The message that asked");
    f.required(&AcknowledgementDelivery::line, "line", "A short line, where there is no native sign");
    f.optional(&AcknowledgementDelivery::account, "account", "Who asked");
  }
};

/// The run was taken up again after a crash: its open stream is ended with a word, and a new one begins. Nothing where
/// there is no stream.
struct RestartDelivery {
  static constexpr std::string_view kKind = "restart";

  std::string account = {};  // as in AcknowledgementDelivery

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&RestartDelivery::account, "account", "Who asked");
  }
};

/// Show the card of an interaction: the row's `interaction` and those that share its card (InteractionBody::card).
struct CardDelivery {
  static constexpr std::string_view kKind = "card";

  bool was_away = false;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&CardDelivery::was_away, "was_away", "It was pending while nobody was up");
  }
};

/// Redraw the cards that show the row's `interaction`.
struct RedrawDelivery {
  static constexpr std::string_view kKind = "redraw";

  std::string card;  // the interaction whose views are to be redrawn

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&RedrawDelivery::card, "card", "The interaction whose views are redrawn");
  }
};

/// The conversation of what operators must hear; the gateway knows where that is.
inline constexpr std::string_view kAlertConversation = "alerts:";

template <class Body>
store::DeliveryRow owe(const Body& body, std::string conversation, Timestamp at,
                       std::optional<RunId> run = std::nullopt) {
  store::DeliveryRow row;
  row.run = run;
  row.id = DeliveryId::make(at);
  row.conversation = std::move(conversation);
  row.kind = std::string(Body::kKind);
  row.body = json::serialize(to_json(body));
  row.owed_at = at;
  row.next_at = at;
  return row;
}

}  // namespace deputy::run
