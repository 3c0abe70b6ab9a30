#include "app/waiting.h"

#include <fmt/format.h>

#include <algorithm>

#include "channel/terminal/card_look.h"

namespace deputy::app {

namespace {

std::string shell_word(std::string_view word) {
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("_-./:=@%+,").contains(c);
  };
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return std::string(word);
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string expiry_line(const store::InteractionRow& row, const interaction::Zone& zone) {
  return fmt::format("Expires at {}.\n", interaction::time_in(zone, row.expires_at));
}

}  // namespace

std::string answering_command(const Context& context, const store::InteractionRow& row) {
  std::string command = "deputy";
  if (context.places.config) command += " --config " + shell_word(*context.places.config);
  if (context.places.data) command += " --data " + shell_word(*context.places.data);
  for (const std::string& setting : context.settings) command += " --set " + shell_word(setting);
  return fmt::format("{} interactions answer --run {}", command, row.id.text());
}

interaction::Draft first_draft(const run::InteractionBody& asking) {
  return asking.questions ? interaction::begin(*asking.questions) : interaction::Draft{};
}

std::string waiting_text(const store::InteractionRow& row, const run::InteractionBody& asking,
                         const interaction::Zone& zone, const interaction::Draft& draft) {
  std::string text = asking.approval ? channel::listed_approval(*asking.approval) : std::string();
  if (asking.questions) text += channel::question_lines(*asking.questions, draft);
  return text + expiry_line(row, zone);
}

std::string whole_text(const store::InteractionRow& row, const run::InteractionBody& asking,
                       const interaction::Zone& zone) {
  std::string text = asking.approval ? channel::listed_approval(*asking.approval) : std::string();
  const interaction::Form form = asking.questions.value_or(interaction::Form{});
  interaction::Draft draft;
  for (draft.current = 0; draft.current < form.questions.size(); ++draft.current)
    text += channel::question_lines(form, draft);
  return text + expiry_line(row, zone);
}

std::string how_to_answer(const run::InteractionBody& asking, const std::string& command) {
  if (!asking.questions) return fmt::format("To answer:\n  {0} yes\n  {0} no 'your reason'\n", command);
  std::string example;
  for (const interaction::Question& question : asking.questions->questions)
    example += " " + (question.options.empty() ? "'your words'" : shell_word(question.options.front().answer()));
  const bool several = asking.questions->questions.size() > 1;
  return fmt::format("To answer{}, for example:\n  {}{}\n", several ? ", one word or quoted text a question" : "",
                     command, example);
}

json::object waiting_json(const store::InteractionRow& row, const run::InteractionBody& asking,
                          const std::string& command) {
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
