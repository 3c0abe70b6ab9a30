// A form answered one question at a time: where it stands. A draft is durable (its JSON is the interaction's `draft`),
// so answering goes on after a restart, on another instance, or on another view of the same interaction.
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
  std::size_t current = 0;          // the question that is asked now
  std::vector<Answer> answers;      // to earlier ones; those left open are not here
  std::vector<std::string> ticked;  // values chosen for the current one so far

  bool operator==(const Draft&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&Draft::version, "version", "How this draft is written").in_range(kVersion, kVersion);
    f.required(&Draft::current, "current", "Which question is asked now, from 0").in_range(0, kMostQuestions - 1);
    f.required(&Draft::answers, "answers", "Answers to the questions before").items(0, kMostQuestions);
    f.required(&Draft::ticked, "ticked", "Values chosen for the current question").items(0, kMostOptions);
  }
};

/// The draft of a form just shown: the first question, with what the model selected for it.
Draft begin(const Form& form);

/// What the store kept, held against the form it belongs to; an empty text is a form just shown.
Result<Draft> read_draft(const Form& form, std::string_view stored);
std::string write_draft(const Draft& draft);

inline const Question& current_question(const Form& form, const Draft& draft) { return form.questions[draft.current]; }

/// The draft with an option put on or taken off, by its position from 0; of a single choice the others go off.
/// Unchanged when there is no such option.
Draft toggle(const Form& form, Draft draft, std::size_t option);

/// The form goes on with the next question, or is completed.
using Moved = std::variant<Draft, FormResult>;

/// The current question gets its answer, or is left open when there is none.
Moved go_on(const Form& form, Draft draft, std::optional<Answer> answer);

/// What is ticked becomes the answer; nothing ticked leaves the question open.
Moved take_ticked(const Form& form, Draft draft);

}  // namespace deputy::interaction
