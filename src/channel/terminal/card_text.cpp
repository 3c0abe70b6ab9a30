#include "channel/terminal/card_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "channel/terminal/styled_text.h"
#include "interaction/arguments.h"
#include "interaction/escape.h"

namespace deputy::channel {

namespace {

constexpr std::size_t kFoldedDiff = 60;  // lines

std::string prose(std::string_view text) { return interaction::escape(text, interaction::Showing::as_prose); }

std::string block(std::string_view text, std::size_t most, std::string_view indent, const auto& set) {
  std::string lines;
  while (text.ends_with('\n')) text.remove_suffix(1);
  const std::vector<std::string_view> all = split(text, "\n");
  for (std::size_t i = 0; i < all.size() && i < most; ++i)
    lines += fmt::format("{}{}\n", indent, set(interaction::escape_line(all[i])));
  if (all.size() > most)
    lines += fmt::format("{}… {} (x shows all)\n", indent, count_of(all.size() - most, "more line"));
  return lines;
}

// The exact command, line by line.
std::string command_lines(std::string_view command, Colours colours) {
  return block(command, std::string_view::npos, "  $ ",
               [&](const std::string& line) { return styled(line, Style::bold, colours); });
}

std::string change_lines(const json::value& preview, Much much, Colours colours) {
  if (!preview.is_string())
    return indented(
        interaction::show_value(preview, much == Much::whole ? interaction::Fold::nothing() : interaction::Fold{})
            .text);
  return block(as_view(preview.get_string()), much == Much::whole ? std::string_view::npos : kFoldedDiff, "  ",
               [&](const std::string& line) { return diff_line(line, colours); });
}

std::string expiry_line(const Card& card, const ShownInteraction& shown) {
  return fmt::format("Expires at {}.\n", interaction::time_in(card.zone, expires_at(shown)));
}

}  // namespace

std::string approval_lines(const ShownApproval& asked, Much much, Colours colours) {
  const interaction::Approval& approval = asked.view.approval;
  std::string head = "? " + one_line(approval.tool);
  if (!approval.environment.empty()) head += " in " + one_line(approval.environment);
  if (approval.background) head += " [bg]";
  std::string text = styled(head, Style::yellow, colours);
  if (!approval.target.empty()) text += styled("  " + one_line(approval.target), Style::dim, colours);
  text += "\n";
  json::object arguments = approval.arguments;
  const json::value* command = asked.command_param.empty() ? nullptr : arguments.if_contains(asked.command_param);
  if (command != nullptr && command->is_string()) {
    text += command_lines(as_view(command->get_string()), colours);
    arguments.erase(asked.command_param);
  }
  const interaction::Fold fold = much == Much::whole ? interaction::Fold::nothing() : interaction::Fold{};
  const interaction::Preformatted shown = interaction::show_arguments(arguments, fold);
  text += indented(shown.text);
  if (!shown.whole) text += "  (shortened; x shows all of it)\n";
  if (!approval.preview.is_null()) text += change_lines(approval.preview, much, colours);
  for (const std::string& why : approval.why)
    text += styled("  asks because " + one_line(why), Style::dim, colours) + "\n";
  return text;
}

std::string approval_choices(const interaction::Approval& approval) {
  return approval.may_grant ? "[y]es / [n]o / [a]lways / e(x)plain " : "[y]es / [n]o / e(x)plain ";
}

std::string grant_words(const ShownApproval& shown) {
  const interaction::Approval& approval = shown.view.approval;
  if (!approval.may_grant) return "This has to be approved every time; `always` is not possible.\n";
  if (shown.pins.empty()) return "`a` allows exactly these arguments until this session ends.\n";
  return fmt::format("`a` allows {} with the same {} until this session ends; other arguments may differ.\n",
                     approval.tool, list_names(shown.pins));
}

std::string listed_approval(const interaction::Approval& approval) {
  std::string text = fmt::format("Approval needed: {}\n", interaction::notification_line(approval));
  for (const std::string& why : approval.why) text += fmt::format("Why it asks: {}\n", prose(why));
  const interaction::Fold whole = interaction::Fold::nothing();
  text += "Arguments:\n" + indented(interaction::show_arguments(approval.arguments, whole).text);
  if (approval.preview.is_null()) return text + "What it will change is not known in advance.\n";
  return text + "What it will change:\n" + indented(interaction::show_value(approval.preview, whole).text);
}

std::string question_lines(const interaction::Form& form, const interaction::Draft& draft) {
  const interaction::Question& question = interaction::current_question(form, draft);
  std::string text = form.questions.size() == 1
                         ? std::string()
                         : fmt::format("Question {} of {}: ", draft.current + 1, form.questions.size());
  text += prose(question.question) + "\n";
  for (std::size_t i = 0; i < question.options.size(); ++i) {
    const interaction::Option& option = question.options[i];
    text += fmt::format("  {}  {}", interaction::position_word(question, i), prose(option.label));
    if (option.answer() != option.label) text += fmt::format(" ({})", prose(option.answer()));
    if (!option.description.empty()) text += ": " + prose(option.description);
    text += "\n";
  }
  if (question.multi_select) text += "You can choose several, such as 1,2.\n";
  if (question.allow_custom) text += question.options.empty() ? "" : "You can also type your own answer.\n";
  return text;
}

interaction::Draft first_draft(const ShownInteraction& shown) {
  const auto* asked = std::get_if<ShownQuestions>(&shown.what);
  return asked == nullptr ? interaction::Draft{} : interaction::begin(asked->form);
}

Timestamp expires_at(const ShownInteraction& shown) {
  if (const auto* asked = std::get_if<ShownQuestions>(&shown.what)) return asked->expires_at;
  return std::get<ShownApproval>(shown.what).view.expires_at;
}

std::string waiting_text(const Card& card, const ShownInteraction& shown, const interaction::Draft& draft) {
  const auto* asked = std::get_if<ShownQuestions>(&shown.what);
  const std::string text = asked == nullptr ? listed_approval(std::get<ShownApproval>(shown.what).view.approval)
                                            : question_lines(asked->form, draft);
  return text + expiry_line(card, shown);
}

std::string whole_text(const Card& card, const ShownInteraction& shown) {
  const auto* asked = std::get_if<ShownQuestions>(&shown.what);
  if (asked == nullptr) return waiting_text(card, shown, {});
  std::string text;
  interaction::Draft draft;
  for (draft.current = 0; draft.current < asked->form.questions.size(); ++draft.current)
    text += question_lines(asked->form, draft);
  return text + expiry_line(card, shown);
}

std::string answers_text(const interaction::Form& form, const interaction::FormResult& result) {
  std::string text;
  for (const interaction::Answer& answer : result.answers) {
    const auto question = std::ranges::find(form.questions, answer.question_label, &interaction::Question::label);
    const std::string said = answer.selected_values ? join(*answer.selected_values, ", ") : answer.answer;
    text += fmt::format("? {} {}\n",
                        one_line(question == form.questions.end() ? answer.question_label : question->question),
                        one_line(said));
  }
  return text;
}

std::string settled_line(const Card& card, InteractionId id) {
  const auto shown = std::ranges::find(card.interactions, id, &ShownInteraction::id);
  if (shown == card.interactions.end()) return {};
  std::string markdown;
  if (const auto* approval = std::get_if<ShownApproval>(&shown->what); approval != nullptr && approval->settled)
    markdown = interaction::settled_text(approval->view, *approval->settled, card.zone);
  if (const auto* asked = std::get_if<ShownQuestions>(&shown->what); asked != nullptr && asked->settled)
    markdown = interaction::settled_text(asked->form, *asked->settled, asked->settled_by, asked->settled_at, card.zone);
  const std::string line = plain_text(std::string_view(markdown).substr(0, markdown.find('\n')));
  return std::string(trim(line));
}

}  // namespace deputy::channel
