// Interactions as Markdown with numbers and typed commands, which every channel can show. Channels with buttons and
// forms draw their own views and use these as the fallback and for shared parts.
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

/// An approval with the fields of its row.
struct ApprovalView {
  Approval approval;
  std::string code;
  Timestamp expires_at;
  std::string
      whole_text_at;  // the place of the full text, a link or a command; empty if the channel has a control for it
};

struct CardText {
  std::string markdown;
  bool whole = true;  // every argument and change is shown in full

  bool operator==(const CardText&) const = default;
};

/// A card: run, requester, tool, target and environment first, then every argument, the changes, the expiry, and the
/// exact text that answers it.
CardText approval_text(const ApprovalView& view, const Zone& zone, const Fold& fold = {});

/// The writes of one turn on one card. `may_approve_all` if there are several and all are shown in full; it is for a
/// button, there is no typed form.
struct CardsText {
  std::string markdown;
  bool may_approve_all = false;
};
CardsText approvals_text(std::span<const ApprovalView> views, const Zone& zone, const Fold& fold = {});

/// The card after its end: who answered what and when; or that it expired, and how to ask again. Without a code.
std::string settled_text(const ApprovalView& view, const Settled& settled, const Zone& zone, const Fold& fold = {});

/// For cards that were pending while no instance was running: clicks in that time were lost.
inline constexpr std::string_view kWasAway = "I was away; if you clicked, click again.";

/// "Ana asks: run_pipeline order-desk prod → a1b2c3": one line of plain text, no Markdown.
std::string notification_line(const Approval& approval);

/// How many people write here; decides how own words must be addressed to us.
enum class Writers { one, several };

/// The current question with its numbers, the answers so far, and what can be typed.
std::string question_text(const Form& form, const Draft& draft, Timestamp expires_at, const Zone& zone,
                          Writers writers);

/// The form after its end: the answers, by whom and when, or why there are none.
std::string settled_text(const Form& form, const FormResult& result, std::string_view by, Timestamp at,
                         const Zone& zone);

}  // namespace deputy::interaction
