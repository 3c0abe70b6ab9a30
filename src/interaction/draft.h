// The progress of a form answered one question at a time. A draft is durable (its JSON is the interaction's `draft`),
// so answering continues after a restart, on another instance, or in another view of the same interaction.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "interaction/questions.h"

namespace deputy::interaction {

struct Draft {
  static constexpr int kVersion = 1;

  int version = kVersion;
  std::size_t current = 0;          // the question asked now
  std::vector<Answer> answers;      // to earlier questions; unanswered ones are left out
  std::vector<std::string> ticked;  // values chosen so far for the current question

  bool operator==(const Draft&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&Draft::version, "version", "How this draft is written").in_range(kVersion, kVersion);
    f.required(&Draft::current, "current", "Which question is asked now, from 0").in_range(0, kMaxQuestions - 1);
    f.required(&Draft::answers, "answers", "Answers to the questions before").items(0, kMaxQuestions);
    f.required(&Draft::ticked, "ticked", "Values chosen for the current question").items(0, kMaxOptions);
  }
};

/// The draft of a new form: the first question, with the model's preselection.
Draft begin(const Form& form);

/// Reads a stored draft and checks it against its form; an empty text is a new form.
Result<Draft> read_draft(const Form& form, std::string_view stored);
std::string write_draft(const Draft& draft);

inline const Question& current_question(const Form& form, const Draft& draft) { return form.questions[draft.current]; }

/// Toggles an option by its index from 0; in a single choice the others are cleared. Unchanged if there is no such
/// option.
Draft toggle(const Form& form, Draft draft, std::size_t option);

/// The form continues with the next question, or is complete.
using Moved = std::variant<Draft, FormResult>;

/// Answers the current question, or leaves it unanswered, and moves on.
Moved go_on(const Form& form, Draft draft, std::optional<Answer> answer);

/// Asks the question before the current one again, as if it was not answered. Unchanged at the first.
Draft go_back(const Form& form, Draft draft);

/// Uses the ticked options as the answer; without any the question stays unanswered.
Moved take_ticked(const Form& form, Draft draft);

/// Answers the questions from the current one on, at most `page` of them, by label, and moves on. Those that nothing
/// was given for stay unanswered.
std::expected<Moved, std::vector<Problem>> take_page(const Form& form, Draft draft, std::size_t page,
                                                     const std::map<std::string, Given>& given);

/// Submits a form with what was given, by label. Questions that nothing was given for keep their answer in the draft.
std::expected<FormResult, std::vector<Problem>> submit(const Form& form, const Draft& draft,
                                                       const std::map<std::string, Given>& given);

}  // namespace deputy::interaction
