#include "interaction/text_form.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "interaction/escape.h"
#include "interaction/typed.h"

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
    card.markdown += "\nThe changes are not known in advance.\n";
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
    if (names.size() == kMaxApproversMentioned) break;
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
          "**Expired** at {}: nobody answered in time, so it was denied. To ask again, use *Ask again* or tell me to "
          "try again.",
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
                ? "**Not shown in full.**\n"
                : fmt::format("**Not shown in full.** The full text: {}\n", code_span(view.whole_text_at));
  }
  text += whom_it_asks(view.approval);
  text += fmt::format("Expires at {}.\n", time_in(zone, view.expires_at));
  text += fmt::format("To answer, type `approve {0}` or `deny {0} your reason`. Nothing else counts as an answer.\n",
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

namespace {

std::string option_line(const Question& question, const Draft& draft, std::string_view sign, std::size_t i) {
  const Option& option = question.options[i];
  const bool ticked = contains(draft.ticked, option.answer());
  std::string line =
      fmt::format("- {} {}{}", code_span(fmt::format("{}{}", sign, i + 1)), ticked ? "☑ " : "", plain(option.label));
  if (option.answer() != option.label) line += fmt::format(" ({})", code_span(option.answer()));
  if (!trim(option.description).empty()) line += " — " + plain(option.description);
  return line + "\n";
}

std::string answer_line(const Answer& answer) {
  if (!answer.selected_values) {
    return fmt::format("- {}: {}\n", plain(answer.question_label), code_span(answer.answer));
  }
  std::vector<std::string> values;
  for (const std::string& value : *answer.selected_values) values.push_back(code_span(value));
  return fmt::format("- {}: {}\n", plain(answer.question_label), join(values, ", "));
}

std::string what_may_be_typed(const Question& question, const Draft& draft, Writers writers) {
  std::string text;
  if (!question.options.empty()) {
    const std::string one = position_word(question, 0), two = position_word(question, 1);
    text += question.multi_select ? fmt::format("Type numbers or names, such as `{}` or `{},{}`.", one, one, two)
                                  : fmt::format("Type one number or name, such as `{}`.", one);
  }
  if (question.allow_custom) {
    if (!text.empty()) text += ' ';
    text += question.options.empty() ? "Type your answer"
            : question.multi_select  ? "Your own words are fine too, in quotes next to numbers"
                                     : "Your own words are fine too, in quotes if they look like a number";
    text += writers == Writers::several ? "; mention me or reply to this message with them." : ".";
  }
  text += draft.ticked.empty() ? " `done` leaves this question unanswered," : " `done` accepts what is ticked,";
  return text + " `skip` ends the form, `stop` cancels the request.\n";
}

}  // namespace

std::string question_text(const Form& form, const Draft& draft, Timestamp expires_at, const Zone& zone,
                          Writers writers) {
  const Question& question = current_question(form, draft);
  std::string text = form.questions.size() == 1 ? fmt::format("**{}**\n", plain(question.label))
                                                : fmt::format("**{} of {}: {}**\n", draft.current + 1,
                                                              form.questions.size(), plain(question.label));
  text += plain_lines(question.question) + "\n";
  if (!question.options.empty()) text += "\n";
  const std::string sign = position_sign(question);
  for (std::size_t i = 0; i < question.options.size(); ++i) text += option_line(question, draft, sign, i);
  if (!draft.answers.empty()) {
    text += "\nAnswered so far:\n";
    for (const Answer& answer : draft.answers) text += answer_line(answer);
  }
  text += "\n" + what_may_be_typed(question, draft, writers);
  return text + fmt::format("Expires at {}.\n", time_in(zone, expires_at));
}

std::string settled_text(const Form& form, const FormResult& result, std::string_view by, Timestamp at,
                         const Zone& zone) {
  const std::string by_whom = by.empty() ? "" : fmt::format(" by **{}**", plain(by));
  // A form that ended with its run has no reason.
  const std::string_view ending = result.completed ? "Answered" : "Cancelled";
  std::string text = result.completed || result.reason.empty()
                         ? fmt::format("**{}**{} at {}.\n", ending, by_whom, time_in(zone, at))
                         : fmt::format("**Not answered** at {}: {}.\n", time_in(zone, at), plain(result.reason));
  for (const Question& question : form.questions) {
    const auto found = std::ranges::find(result.answers, question.label, &Answer::question_label);
    text +=
        found == result.answers.end() ? fmt::format("- {}: no answer\n", plain(question.label)) : answer_line(*found);
  }
  if (result.state == State::expired) text += "\nTo be asked again, tell me to continue.\n";
  return text;
}

}  // namespace deputy::interaction
