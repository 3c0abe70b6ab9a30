#include "app/waiting.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "channel/terminal/plain_text.h"
#include "interaction/arguments.h"
#include "interaction/escape.h"
#include "interaction/text_form.h"

namespace deputy::app {

namespace {

using interaction::Showing;

std::string prose(std::string_view text) { return interaction::escape(text, Showing::as_prose); }

std::string shell_word(std::string_view word) {
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("_-./:=@%+,").contains(c);
  };
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return std::string(word);
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string approval_lines(const interaction::Approval& approval) {
  std::string text = fmt::format("Approval needed: {}\n", interaction::notification_line(approval));
  for (const std::string& why : approval.why) text += fmt::format("Why it asks: {}\n", prose(why));
  const interaction::Fold whole = interaction::Fold::nothing();
  text += "Arguments:\n" + channel::indented(interaction::show_arguments(approval.arguments, whole).text);
  if (approval.preview.is_null()) return text + "What it will change is not known beforehand.\n";
  return text + "What it will change:\n" + channel::indented(interaction::show_value(approval.preview, whole).text);
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
  if (question.multi_select) text += "Several may be chosen, such as 1,2.\n";
  if (question.allow_custom) text += question.options.empty() ? "" : "Your own words do too.\n";
  return text;
}

}  // namespace

std::string answering_command(const Context& context, const store::InteractionRow& row) {
  std::string command = "deputy";
  if (context.places.config) command += " --config " + shell_word(*context.places.config);
  if (context.places.data) command += " --data " + shell_word(*context.places.data);
  for (const std::string& setting : context.settings) command += " --set " + shell_word(setting);
  return fmt::format("{} interactions answer --run {}", command, row.id.text());
}

interaction::Draft first_draft(const run::Asking& asking) {
  return asking.questions ? interaction::begin(*asking.questions) : interaction::Draft{};
}

std::string waiting_text(const store::InteractionRow& row, const run::Asking& asking, const interaction::Zone& zone,
                         const interaction::Draft& draft) {
  std::string text = asking.approval ? approval_lines(*asking.approval) : std::string();
  if (asking.questions) text += question_lines(*asking.questions, draft);
  return text + fmt::format("Expires at {}.\n", interaction::time_in(zone, row.expires_at));
}

std::string how_to_answer(const run::Asking& asking, const std::string& command) {
  if (!asking.questions) return fmt::format("To answer:\n  {0} yes\n  {0} no 'your reason'\n", command);
  std::string example;
  for (const interaction::Question& question : asking.questions->questions)
    example += " " + (question.options.empty() ? "'your words'" : shell_word(question.options.front().answer()));
  const bool several = asking.questions->questions.size() > 1;
  return fmt::format("To answer{}, for example:\n  {}{}\n", several ? ", one word or quoted text a question" : "",
                     command, example);
}

json::object waiting_json(const store::InteractionRow& row, const run::Asking& asking, const std::string& command) {
  json::object waiting{{"interaction", row.id.text()},
                       {"run", row.run.text()},
                       {"conversation", row.conversation},
                       {"kind", row.kind},
                       {"requester", asking.requester},
                       {"expires_at", format_timestamp(row.expires_at)},
                       {"answer_with", command}};
  if (asking.questions) waiting["questions"] = to_json(*asking.questions).at("questions");
  if (asking.approval) {
    waiting["tool"] = asking.approval->tool;
    waiting["arguments"] = asking.approval->arguments;
    waiting["preview"] = asking.approval->preview;
  }
  return waiting;
}

}  // namespace deputy::app
