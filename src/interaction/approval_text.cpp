#include <fmt/format.h>

#include "base/text.h"
#include "interaction/escape.h"
#include "interaction/markdown.h"
#include "interaction/text_form.h"

namespace deputy::interaction {
namespace {

std::string heading(const Approval& approval) {
  std::string line = fmt::format("Run {} · asked by **{}**\nTool {}", code_span(approval.run),
                                 plain(approval.requester), code_span(approval.tool));
  if (!approval.target.empty()) line += " · target " + code_span(approval.target);
  line +=
      approval.environment.empty() ? " · no environment named" : " · environment " + code_span(approval.environment);
  if (approval.background) line += " · in the background";
  return line + "\n";
}

CardText details(const Approval& approval, const Fold& fold) {
  CardText card;
  const Preformatted arguments = show_arguments(approval.arguments, fold);
  card.markdown += arguments.text.empty() ? "\nNo arguments.\n" : "\nArguments:\n" + fenced(arguments.text);
  card.whole = arguments.whole;
  if (approval.preview.is_null()) {
    card.markdown += "\nWhat it will change is not known beforehand.\n";
  } else {
    const Preformatted change = show_value(approval.preview, fold);
    card.markdown += "\nWhat it will change:\n" + fenced(change.text);
    card.whole = card.whole && change.whole;
  }
  return card;
}

std::string reasons(const Approval& approval) {
  std::string lines;
  for (const std::string& why : approval.why) lines += "Why it asks: " + plain(why) + "\n";
  return lines;
}

std::string whom_it_asks(const Approval& approval) {
  std::vector<std::string> names;
  for (const std::string& approver : approval.approvers) {
    if (names.size() == kMostApproversMentioned) break;
    names.push_back(plain(approver));
  }
  if (names.empty()) return {};
  const std::size_t more = approval.approvers.size() - names.size();
  return fmt::format("May approve: {}{}\n", join(names, ", "), more == 0 ? "" : fmt::format(" and {} more", more));
}

std::string outcome(const Settled& settled, const Zone& zone) {
  const std::string by = settled.by.empty() ? "" : fmt::format(" by **{}**", plain(settled.by));
  const std::string at = time_in(zone, settled.at);
  switch (settled.state) {
    case State::approved:
      return fmt::format("**Approved**{} at {}, {}.", by, at,
                         settled.scope == Scope::once ? "once" : "for this thread");
    case State::denied:
      return fmt::format("**Denied**{} at {}{}", by, at, settled.reason.empty() ? "." : ": " + plain(settled.reason));
    case State::expired:
      return fmt::format(
          "**Expired** at {}: nobody answered in time, so it was denied. To ask again, use *Ask again* or write that I "
          "shall try "
          "it again.",
          at);
    case State::cancelled:
      return fmt::format("**Cancelled**{} at {}.", by, at);
    case State::pending:
    case State::answered:
      break;
  }
  return {};
}

}  // namespace

CardText approval_text(const ApprovalView& view, const Zone& zone, const Fold& fold) {
  CardText card = details(view.approval, fold);
  std::string text = "**Approval needed**\n" + heading(view.approval) + reasons(view.approval) + card.markdown + "\n";
  if (!card.whole) {
    text += view.whole_text_at.empty()
                ? "**Not shown whole.**\n"
                : fmt::format("**Not shown whole.** The full text: {}\n", code_span(view.whole_text_at));
  }
  text += whom_it_asks(view.approval);
  text += fmt::format("Expires at {}.\n", time_in(zone, view.expires_at));
  text += fmt::format("To answer, type `approve {0}` or `deny {0} your reason`. Nothing else typed answers it.\n",
                      view.code);
  return {std::move(text), card.whole};
}

CardsText approvals_text(std::span<const ApprovalView> views, const Zone& zone, const Fold& fold) {
  CardsText cards{.markdown = {}, .may_approve_all = views.size() > 1};
  for (std::size_t i = 0; i < views.size(); ++i) {
    if (views.size() > 1) cards.markdown += fmt::format("{}**{} of {}**\n", i == 0 ? "" : "\n", i + 1, views.size());
    const CardText card = approval_text(views[i], zone, fold);
    cards.markdown += card.markdown;
    cards.may_approve_all = cards.may_approve_all && card.whole;
  }
  return cards;
}

std::string settled_text(const ApprovalView& view, const Settled& settled, const Zone& zone, const Fold& fold) {
  return outcome(settled, zone) + "\n" + heading(view.approval) + details(view.approval, fold).markdown;
}

std::string notification_line(const Approval& approval) {
  std::string line = approval.requester + " asks: " + approval.tool;
  if (!approval.target.empty()) line += " " + approval.target;
  if (!approval.environment.empty()) line += " " + approval.environment;
  if (!approval.change.empty()) line += " → " + approval.change;
  return escape(cut_with_mark(line, 300), Showing::as_prose);
}

}  // namespace deputy::interaction
