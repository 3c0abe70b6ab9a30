#include "channel/terminal/form_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "channel/terminal/answer_text.h"
#include "channel/terminal/styled_text.h"

namespace deputy::channel {

namespace {

using interaction::Question;

constexpr std::size_t kNumbered = 9;    // options that a digit marks
constexpr std::size_t kMinOptions = 3;  // rows

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

// With what was given to it before, if it was left and is asked again.
FormView at_question(FormView view, interaction::Draft draft) {
  view.draft = std::move(draft);
  view.own_words = LineEditor();
  const auto before = view.given.find(question_of(view).label);
  if (before != view.given.end()) {
    view.draft.ticked = before->second.values;
    view.own_words.feed({KeyKind::character, 0, before->second.own_words});
  }
  view.marked = first_marked(view);
  if (!view.marked && !view.own_words.empty()) view.marked = question_of(view).options.size();
  return view;
}

FormView with_problem(FormView view, std::string problem) {
  view.problem = std::move(problem);
  return view;
}

// The answer that Enter gives: the marked option of a single choice, the ticked ones of a multiple choice, and own
// words if there are any.
interaction::Given given_by(const FormView& view) {
  const Question& question = question_of(view);
  interaction::Given given{.values = {}, .own_words = std::string(trim(view.own_words.text()))};
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
  interaction::Moved moved = interaction::go_on(view.form, view.draft, *std::move(answer));
  if (auto* result = std::get_if<interaction::FormResult>(&moved)) return std::move(*result);
  view.given[question.label] = given;
  return at_question(std::move(view), std::get<interaction::Draft>(std::move(moved)));
}

FormView with_words(FormView view, std::string words) {
  if (view.own_words.text().size() + words.size() > interaction::kMaxOwnWords)
    return with_problem(std::move(view), "the answer is too long");
  view.own_words.feed({KeyKind::character, 0, std::move(words)});
  return view;
}

bool goes_back(const FormView& view) {
  return view.draft.current > 0 && (!on_own_words(view) || view.own_words.empty());
}

FormView back(FormView view) {
  view.given[question_of(view).label] = given_by(view);
  interaction::Draft draft = interaction::go_back(view.form, view.draft);
  return at_question(std::move(view), std::move(draft));
}

Pressed typed(FormView view, const Key& key) {
  const Question& question = question_of(view);
  if (!on_own_words(view)) {
    if (key.character == U' ' && view.marked) {
      view.draft = interaction::toggle(view.form, std::move(view.draft), *view.marked);
      return view;
    }
    const auto number = static_cast<std::size_t>(key.character) - U'1';
    if (number < std::min(question.options.size(), kNumbered)) {
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

using Rows = std::vector<std::string>;

// The first row after `mark`, the others below its text.
Rows rows_after(std::string_view mark, std::string_view text, std::size_t width) {
  std::string wrapped = wrapped_after(mark, text, width);
  wrapped.pop_back();
  const std::vector<std::string_view> rows = split(wrapped, "\n");
  return {rows.begin(), rows.end()};
}

void set_style(Rows& rows, Style style, Colours colours) {
  for (std::string& row : rows) row = styled(row, style, colours);
}

Rows option_rows(const FormView& view, std::size_t i, Colours colours, std::size_t width) {
  const Question& question = question_of(view);
  const interaction::Option& option = question.options[i];
  const bool is_marked = view.marked == i;
  const std::string number = i < kNumbered ? fmt::format("{}. ", i + 1) : std::string(3, ' ');
  const std::string_view box = !question.multi_select ? "" : is_ticked(view, i) ? "[x] " : "[ ] ";
  const std::string mark = fmt::format("{} {}{}", is_marked ? "❯" : " ", number, box);
  const std::string label = one_line(option.label);
  const std::string description = option.description.empty() ? std::string() : "  " + one_line(option.description);
  if (width_of(mark + label + description) > width) {
    Rows rows = rows_after(mark, label + description, width);
    if (is_marked) set_style(rows, Style::bold, colours);
    return rows;
  }
  const std::string line = is_marked ? styled(mark + label, Style::bold, colours) : mark + label;
  return {line + (description.empty() ? description : styled(description, Style::dim, colours))};
}

Rows own_words_rows(const FormView& view, Colours colours, std::size_t width) {
  const bool is_marked = on_own_words(view);
  const std::string typed = view.own_words.text();
  const std::string before = view.own_words.before_cursor();
  const std::string words = (question_of(view).options.empty() ? "" : "other: ") + one_line(before) +
                            (is_marked ? "▏" : "") + one_line(typed.substr(before.size()));
  Rows rows = rows_after(is_marked ? "❯ " : "  ", words, width);
  if (is_marked) set_style(rows, Style::bold, colours);
  return rows;
}

// As many options around the marked one as there is room for, and how many there are beside.
Rows rows_around(const std::vector<Rows>& options, std::size_t marked, std::size_t room, Colours colours) {
  std::size_t all = 0;
  for (const Rows& rows : options) all += rows.size();
  std::size_t first = 0;
  std::size_t end = options.size();
  for (const bool is_cut = all > room; is_cut && all + 2 > room && end - first > 1;)
    all -= marked - first > end - 1 - marked ? options[first++].size() : options[--end].size();
  Rows shown;
  if (first > 0) shown.push_back(styled(fmt::format("  ↑ {} more", first), Style::dim, colours));
  for (std::size_t i = first; i < end; ++i) shown.insert(shown.end(), options[i].begin(), options[i].end());
  if (end < options.size())
    shown.push_back(styled(fmt::format("  ↓ {} more", options.size() - end), Style::dim, colours));
  return shown;
}

}  // namespace

FormView view_of(interaction::Form form, interaction::Draft draft) {
  FormView view{.form = std::move(form), .own_words = LineEditor()};
  return at_question(std::move(view), std::move(draft));
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
    case KeyKind::left:
      if (goes_back(view)) return back(std::move(view));
      [[fallthrough]];
    case KeyKind::right:
    case KeyKind::word_left:
    case KeyKind::word_right:
    case KeyKind::home:
    case KeyKind::end:
    case KeyKind::backspace:
    case KeyKind::delete_right:
    case KeyKind::end_of_input:
    case KeyKind::cut_space_word:
    case KeyKind::cut_word_left:
    case KeyKind::cut_word_right:
    case KeyKind::cut_to_start:
    case KeyKind::cut_to_end:
    case KeyKind::insert_cut:
      if (on_own_words(view)) view.own_words.feed(key);
      return view;
    case KeyKind::character:
      return typed(std::move(view), key);
    case KeyKind::paste:
      return pasted(std::move(view), key);
    default:
      return view;
  }
}

std::vector<std::string> lines_of(const FormView& view, Colours colours, WindowSize window) {
  const Question& question = question_of(view);
  const std::size_t width = window.columns - 1;
  const std::string count = view.form.questions.size() == 1
                                ? std::string()
                                : fmt::format(" ({} of {})", view.draft.current + 1, view.form.questions.size());
  Rows rows = rows_after("? ", one_line(question.question) + count, width);
  set_style(rows, Style::bold, colours);
  std::vector<Rows> options;
  options.reserve(question.options.size());
  for (std::size_t i = 0; i < question.options.size(); ++i) options.push_back(option_rows(view, i, colours, width));
  if (question.allow_custom) options.push_back(own_words_rows(view, colours, width));
  const std::string_view moves = question.options.empty() ? "Enter sends"
                                 : question.multi_select  ? "↑↓ move · space selects · Enter continues"
                                                          : "↑↓ move · Enter chooses";
  const std::string keys = fmt::format("{}{} · Esc skips{}", moves, goes_back(view) ? " · ← back" : "",
                                       view.form.questions.size() > 1 ? " all" : "");
  Rows last = rows_after("", view.problem.empty() ? keys : one_line(view.problem), width);
  set_style(last, view.problem.empty() ? Style::dim : Style::yellow, colours);
  const std::size_t others = rows.size() + last.size() + 1;
  const Rows shown =
      rows_around(options, view.marked.value_or(0), std::max(window.rows, others + kMinOptions) - others, colours);
  rows.insert(rows.end(), shown.begin(), shown.end());
  rows.insert(rows.end(), last.begin(), last.end());
  return rows;
}

}  // namespace deputy::channel
