// Interactions as Markdown with numbers and typed words: what every channel can show, so that none is ever unable to
// ask. Channels with buttons and forms draw their own views and use these for the fallback and for the parts they
// share.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "interaction/approval.h"
#include "interaction/arguments.h"
#include "interaction/draft.h"
#include "interaction/typed.h"

namespace deputy::interaction {

/// One approval, and what its row says of it.
struct ApprovalView {
  Approval approval;
  std::string code;
  Timestamp expires_at;
  std::string whole_text_at;  // where the full text is: a link or a command; empty when the channel offers a control
};

struct CardText {
  std::string markdown;
  bool whole = true;  // every argument and change is shown whole

  bool operator==(const CardText&) const = default;
};

/// One card: run, requester, tool, target and environment first, then every argument, what it changes, when it expires,
/// and the exact words that answer it.
CardText approval_text(const ApprovalView& view, const Zone& zone, const Fold& fold = {});

/// The writes of one turn on one card. `may_approve_all` when there are several and all are shown whole; typing has no
/// word for it, it is for a button.
struct CardsText {
  std::string markdown;
  bool may_approve_all = false;
};
CardsText approvals_text(std::span<const ApprovalView> views, const Zone& zone, const Fold& fold = {});

/// The card after its end: who answered what and when; expired, and how to ask again. Without a code.
std::string settled_text(const ApprovalView& view, const Settled& settled, const Zone& zone, const Fold& fold = {});

/// For cards that were pending while no instance was up: a click in that time was lost.
inline constexpr std::string_view kWasAway = "I was away; if you clicked, click again.";

/// "Ana asks: run_pipeline order-desk prod → a1b2c3": all of it in a line, plain text and no Markdown.
std::string notification_line(const Approval& approval);

/// How own words reach us here, for the line that says what may be typed.
enum class Writers { one, several };

/// The current question of a form with its numbers, what was answered so far, and what may be typed.
std::string question_text(const Form& form, const Draft& draft, Timestamp expires_at, const Zone& zone,
                          Writers writers);

/// The form after its end: the answers, by whom and when, or why there are none.
std::string settled_text(const Form& form, const FormResult& result, std::string_view by, Timestamp at,
                         const Zone& zone);

}  // namespace deputy::interaction
