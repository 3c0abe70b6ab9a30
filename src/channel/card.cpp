#include "channel/card.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "interaction/escape.h"

namespace deputy::channel {
namespace {

// Approvers that no approval on the card names.
std::string mentions(const Card& card) {
  std::vector<std::string> names;
  bool pending = false;
  for (const std::string& approver : card.approvers) {
    const bool named = std::ranges::any_of(card.interactions, [&](const ShownInteraction& shown) {
      const auto* const approval = std::get_if<ShownApproval>(&shown.what);
      if (approval == nullptr) return false;
      const auto& named_there = approval->view.approval.approvers;
      return contains(named_there, approver);
    });
    if (!named) names.push_back(interaction::plain(approver));
  }
  for (const ShownInteraction& shown : card.interactions) {
    const auto* const approval = std::get_if<ShownApproval>(&shown.what);
    pending = pending || (approval != nullptr && !approval->settled);
  }
  return names.empty() || !pending ? "" : fmt::format("For {}\n", join(names, ", "));
}

std::string questions_text(const ShownQuestions& questions, const Card& card) {
  if (questions.settled) {
    return interaction::settled_text(questions.form, *questions.settled, questions.settled_by, questions.settled_at,
                                     card.zone);
  }
  return interaction::question_text(questions.form, questions.draft, questions.expires_at, card.zone, card.writers);
}

std::string approval_text(const ShownApproval& approval, const Card& card) {
  if (approval.settled) return interaction::settled_text(approval.view, *approval.settled, card.zone);
  return interaction::approval_text(approval.view, card.zone).markdown;
}

// The approvals if all are still pending (their text form numbers them itself), else nothing.
std::optional<std::vector<interaction::ApprovalView>> all_pending(const Card& card) {
  std::vector<interaction::ApprovalView> views;
  for (const ShownInteraction& shown : card.interactions) {
    const auto* const approval = std::get_if<ShownApproval>(&shown.what);
    if (approval == nullptr || approval->settled) return std::nullopt;
    views.push_back(approval->view);
  }
  return views;
}

std::string body(const Card& card) {
  if (const auto views = all_pending(card)) return interaction::approvals_text(*views, card.zone).markdown;
  std::string text;
  const std::size_t count = card.interactions.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (count > 1) text += fmt::format("{}**{} of {}**\n", i == 0 ? "" : "\n", i + 1, count);
    const auto& what = card.interactions[i].what;
    if (const auto* const approval = std::get_if<ShownApproval>(&what)) text += approval_text(*approval, card);
    if (const auto* const questions = std::get_if<ShownQuestions>(&what)) text += questions_text(*questions, card);
  }
  return text;
}

}  // namespace

bool is_settled(const ShownInteraction& shown) {
  return std::visit([](const auto& what) { return what.settled.has_value(); }, shown.what);
}

std::string token_of(const ShownInteraction& shown, interaction::Control control) {
  const auto found = std::ranges::find_if(
      shown.controls, [&](const ShownControl& one) { return one.action.control == control && !one.action.question; });
  return found == shown.controls.end() ? std::string() : found->token;
}

std::string text_of(const Card& card) {
  std::string text = card.was_away ? fmt::format("{}\n\n", interaction::kWasAway) : "";
  return text + mentions(card) + body(card);
}

}  // namespace deputy::channel
