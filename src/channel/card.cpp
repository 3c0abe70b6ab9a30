#include "channel/card.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "interaction/escape.h"

namespace deputy::channel {
namespace {

interaction::Fold fold_of(const Card& card) { return card.whole ? interaction::Fold::nothing() : interaction::Fold{}; }

std::string questions_text(const ShownQuestions& questions, const Card& card) {
  if (questions.settled) {
    return interaction::settled_text(questions.form, *questions.settled, questions.settled_by, questions.settled_at,
                                     card.zone);
  }
  return interaction::question_text(questions.form, questions.draft, questions.expires_at, card.zone, card.writers);
}

std::string approval_text(const ShownApproval& approval, const Card& card) {
  if (approval.settled) return interaction::settled_text(approval.view, *approval.settled, card.zone, fold_of(card));
  return interaction::approval_text(approval.view, card.zone, fold_of(card)).markdown;
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
  if (const auto views = all_pending(card))
    return interaction::approvals_text(*views, card.zone, fold_of(card)).markdown;
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

std::string token_of(const ShownInteraction& shown, std::size_t question, std::optional<std::size_t> option) {
  const auto control = option ? interaction::Control::option : interaction::Control::own_words;
  const auto found = std::ranges::find_if(shown.controls, [&](const ShownControl& one) {
    return one.action.control == control && one.action.question == question && one.action.option == option;
  });
  return found == shown.controls.end() ? std::string() : found->token;
}

std::vector<std::size_t> questions_now(const ShownQuestions& questions) {
  std::vector<std::size_t> now;
  if (questions.settled) return now;
  const std::size_t rest = questions.form.questions.size() - questions.draft.current;
  for (std::size_t i = 0; i < std::min(rest, questions.page); ++i) now.push_back(questions.draft.current + i);
  return now;
}

std::string token_to_send(const ShownInteraction& shown) {
  const auto* const questions = std::get_if<ShownQuestions>(&shown.what);
  if (questions == nullptr) return {};
  const std::vector<std::size_t> now = questions_now(*questions);
  if (now.empty() || now.back() + 1 == questions->form.questions.size())
    return token_of(shown, interaction::Control::submit);
  const auto found = std::ranges::find_if(shown.controls, [&](const ShownControl& one) {
    return one.action.control == interaction::Control::done && one.action.question == now.front();
  });
  return found == shown.controls.end() ? std::string() : found->token;
}

bool fits(const Card& card, const FormLimits& limits) {
  const auto question_fits = [&](const interaction::Question& question) {
    return question.options.size() <= limits.options &&
           std::ranges::all_of(question.options, [&](const interaction::Option& option) {
             return count_characters(option.label) <= limits.option_text;
           });
  };
  return std::ranges::all_of(card.interactions, [&](const ShownInteraction& shown) {
    const auto* const questions = std::get_if<ShownQuestions>(&shown.what);
    return questions == nullptr || std::ranges::all_of(questions->form.questions, question_fits);
  });
}

std::string text_of(const Card& card) {
  std::string text = card.was_away ? fmt::format("{}\n\n", interaction::kWasAway) : "";
  if (!card.note.empty()) text += interaction::plain(card.note) + "\n\n";
  return text + body(card);
}

}  // namespace deputy::channel
