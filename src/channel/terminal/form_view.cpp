#include "channel/terminal/form_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "channel/terminal/styled_text.h"

namespace deputy::channel {

namespace {

using interaction::Question;

const Question& question_of(const FormView& view) { return interaction::current_question(view.form, view.draft); }

std::size_t rows_of(const Question& question) { return question.options.size() + (question.allow_custom ? 1 : 0); }

bool on_own_words(const FormView& view) { return view.marked == question_of(view).options.size(); }

bool is_ticked(const FormView& view, std::size_t option) {
  const std::string& value = question_of(view).options[option].answer();
  return contains(view.draft.ticked, value);
}

// Several options can be ticked: there the cursor chooses nothing by itself, and stands on the first.
std::optional<std::size_t> first_marked(const FormView& view) {
  const Question& question = question_of(view);
  if (question.multi_select || rows_of(question) == 1) return 0;
  for (std::size_t i = 0; i < question.options.size(); ++i) {
    if (is_ticked(view, i)) return i;
  }
  return std::nullopt;
}

FormView at_question(interaction::Form form, interaction::Draft draft) {
  FormView view{
      .form = std::move(form), .draft = std::move(draft), .marked = std::nullopt, .own_words = {}, .problem = {}};
  view.marked = first_marked(view);
  return view;
}

Pressed moved(const FormView& view, interaction::Moved moved) {
  if (auto* result = std::get_if<interaction::FormResult>(&moved)) return std::move(*result);
  return at_question(view.form, std::get<interaction::Draft>(std::move(moved)));
}

FormView with_problem(FormView view, std::string problem) {
  view.problem = std::move(problem);
  return view;
}

// The answer that Enter gives: the marked option of a single choice, the ticked ones of a multiple choice, and own
// words if there are any.
interaction::Given given_by(const FormView& view) {
  const Question& question = question_of(view);
  interaction::Given given{.values = {}, .own_words = std::string(trim(view.own_words))};
  if (question.multi_select) {
    given.values = view.draft.ticked;
  } else if (view.marked && !on_own_words(view)) {
    given = {.values = {question.options[*view.marked].answer()}, .own_words = {}};
  }
  return given;
}

Pressed enter(FormView view) {
  const interaction::Given given = given_by(view);
  const Question& question = question_of(view);
  if (given.values.empty() && given.own_words.empty()) {
    const std::string_view hint = question.options.empty() ? "type an answer; Esc skips the form"
                                  : question.multi_select  ? "press space to select; Esc skips the form"
                                                           : "choose one with the arrows or its number";
    return with_problem(std::move(view), std::string(hint));
  }
  Result<std::optional<interaction::Answer>> answer = interaction::answer_to(question, given);
  if (!answer) return with_problem(std::move(view), answer.error().message);
  return moved(view, interaction::go_on(view.form, view.draft, *std::move(answer)));
}

void erase_last_character(std::string& text) {
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80) text.pop_back();
  if (!text.empty()) text.pop_back();
}

FormView with_words(FormView view, std::string_view words) {
  if (view.own_words.size() + words.size() > interaction::kMaxOwnWords)
    return with_problem(std::move(view), "the answer is too long");
  view.own_words += words;
  return view;
}

Pressed typed(FormView view, const Key& key) {
  const Question& question = question_of(view);
  if (!on_own_words(view)) {
    if (key.character == U' ' && view.marked) {
      view.draft = interaction::toggle(view.form, std::move(view.draft), *view.marked);
      return view;
    }
    const auto number = static_cast<std::size_t>(key.character) - U'1';
    if (number < std::min<std::size_t>(question.options.size(), 9)) {
      view.marked = number;
      if (question.multi_select) view.draft = interaction::toggle(view.form, std::move(view.draft), number);
      return view;
    }
    if (!question.allow_custom)
      return with_problem(std::move(view), "choose an option with the arrows, then press Enter");
    view.marked = question.options.size();
  }
  return with_words(std::move(view), key.bytes);
}

// Pasted text is own words; it never selects an option.
Pressed pasted(FormView view, const Key& key) {
  const Question& question = question_of(view);
  if (!question.allow_custom)
    return with_problem(std::move(view), "choose an option with the arrows, then press Enter");
  view.marked = question.options.size();
  return with_words(std::move(view), as_one_line(key.bytes));
}

std::string option_line(const FormView& view, std::size_t i, Colours colours) {
  const Question& question = question_of(view);
  const interaction::Option& option = question.options[i];
  const std::string_view box = !question.multi_select ? "" : is_ticked(view, i) ? "[x] " : "[ ] ";
  std::string line = fmt::format("{} {}{}", view.marked == i ? "❯" : " ", box, one_line(option.label));
  if (view.marked == i) line = styled(line, Style::bold, colours);
  if (!option.description.empty()) line += styled("  " + one_line(option.description), Style::dim, colours);
  return line;
}

}  // namespace

FormView view_of(interaction::Form form, interaction::Draft draft) {
  return at_question(std::move(form), std::move(draft));
}

Pressed press(FormView view, const Key& key) {
  view.problem.clear();
  const std::size_t rows = rows_of(question_of(view));
  switch (key.kind) {
    case KeyKind::escape:
      return Skipped{};
    case KeyKind::enter:
      return enter(std::move(view));
    case KeyKind::up:
      view.marked = (view.marked.value_or(rows) + rows - 1) % rows;
      return view;
    case KeyKind::down:
      view.marked = view.marked ? (*view.marked + 1) % rows : 0;
      return view;
    case KeyKind::backspace:
      if (on_own_words(view)) erase_last_character(view.own_words);
      return view;
    case KeyKind::character:
      return typed(std::move(view), key);
    case KeyKind::paste:
      return pasted(std::move(view), key);
    default:
      return view;
  }
}

std::vector<std::string> lines_of(const FormView& view, Colours colours) {
  const Question& question = question_of(view);
  const std::string count = view.form.questions.size() == 1
                                ? std::string()
                                : fmt::format(" ({} of {})", view.draft.current + 1, view.form.questions.size());
  std::vector<std::string> lines{styled("? " + one_line(question.question) + count, Style::bold, colours)};
  for (std::size_t i = 0; i < question.options.size(); ++i) lines.push_back(option_line(view, i, colours));
  if (question.allow_custom) {
    const std::string words = fmt::format("{} {}{}", on_own_words(view) ? "❯" : " ",
                                          question.options.empty() ? "" : "other: ", one_line(view.own_words));
    lines.push_back(on_own_words(view) ? styled(words, Style::bold, colours) + "▏" : words);
  }
  const std::string_view keys = question.options.empty() ? "Enter sends · Esc skips"
                                : question.multi_select  ? "↑↓ move · space selects · Enter continues · Esc skips"
                                                         : "↑↓ move · Enter chooses · Esc skips";
  lines.push_back(styled(view.problem.empty() ? keys : view.problem, Style::dim, colours));
  return lines;
}

}  // namespace deputy::channel
