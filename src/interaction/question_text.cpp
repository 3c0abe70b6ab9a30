#include <fmt/format.h>

#include <algorithm>

#include "base/contains.h"
#include "base/text.h"
#include "interaction/markdown.h"
#include "interaction/readings.h"
#include "interaction/text_form.h"

namespace deputy::interaction {
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
            : question.multi_select  ? "Your own words do too, in quotes beside numbers"
                                     : "Your own words do too, in quotes if they look like a number";
    text += writers == Writers::several ? "; mention me or reply to this message with them." : ".";
  }
  text += draft.ticked.empty() ? " `done` leaves this question open," : " `done` takes what is ticked,";
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
  // One that ended with its run has no reason.
  const std::string_view ending = result.completed ? "Answered" : "Cancelled";
  std::string text = result.completed || result.reason.empty()
                         ? fmt::format("**{}**{} at {}.\n", ending, by_whom, time_in(zone, at))
                         : fmt::format("**Not answered** at {}: {}.\n", time_in(zone, at), plain(result.reason));
  for (const Question& question : form.questions) {
    const auto found = std::ranges::find(result.answers, question.label, &Answer::question_label);
    text +=
        found == result.answers.end() ? fmt::format("- {}: no answer\n", plain(question.label)) : answer_line(*found);
  }
  if (result.state == State::expired) text += "\nTo be asked again, write that I shall go on.\n";
  return text;
}

}  // namespace deputy::interaction
