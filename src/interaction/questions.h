// ask_user: what a model may ask, and what it gets back. The request is the call's arguments, the result is the call's
// result. It is intercepted before policy and never executed. Typed answers are in typed.h.
//
// A request that breaks a rule is refused with an error that names it; nothing is ever cut to fit.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fields.h"
#include "interaction/approval.h"

namespace deputy::interaction {

inline constexpr std::chrono::hours kQuestionsExpiry{24};
inline constexpr int kMaxFormsARun = 3;
inline constexpr std::size_t kMaxQuestions = 10;
inline constexpr std::size_t kLeastOptions = 2;
inline constexpr std::size_t kMaxOptions = 25;
inline constexpr std::size_t kMaxQuestionLabel = 100;
inline constexpr std::size_t kMaxQuestion = 2000;
inline constexpr std::size_t kMaxOption = 200;  // of label and value
inline constexpr std::size_t kMaxDescription = 500;
inline constexpr std::size_t kMaxTaken = 500;      // values that a typed answer may have
inline constexpr std::size_t kMaxOwnWords = 2000;  // of a person's own words

struct Option {
  std::optional<std::string> value;
  std::string label;
  std::string description;
  bool selected = false;

  /// What the model gets when this is chosen: the value, or the label if there is none.
  const std::string& answer() const { return value ? *value : label; }

  bool operator==(const Option&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&Option::value, "value", "Value returned when it is chosen; the label by default")
        .characters(1, kMaxOption);
    f.required(&Option::label, "label", "Text that the person reads").characters(1, kMaxOption);
    f.optional(&Option::description, "description", "One short line of explanation").characters(0, kMaxDescription);
    f.optional(&Option::selected, "selected", "Whether it is preselected");
  }
};

enum class AnswerType { text, integer, number };

constexpr auto choices_of(AnswerType) {
  return std::to_array<std::pair<AnswerType, std::string_view>>(
      {{AnswerType::text, "text"}, {AnswerType::integer, "integer"}, {AnswerType::number, "number"}});
}

/// What own words must be to be of use.
struct Takes {
  AnswerType type = AnswerType::text;
  std::optional<double> minimum;
  std::optional<double> maximum;
  std::optional<int> max_length;    // characters
  std::vector<std::string> values;  // one of these, in any case; empty: any

  bool operator==(const Takes&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&Takes::type, "type", "What a typed answer is");
    f.optional(&Takes::minimum, "minimum", "The smallest number");
    f.optional(&Takes::maximum, "maximum", "The largest number");
    f.optional(&Takes::max_length, "max_length", "The most characters").in_range(1, kMaxOwnWords);
    f.optional(&Takes::values, "values", "A typed answer is one of these")
        .items(0, kMaxTaken)
        .characters(1, kMaxOption);
  }
};

struct Question {
  std::string label;
  std::string question;
  std::vector<Option> options;
  bool allow_custom = true;
  bool multi_select = false;
  std::string parameter = {};
  std::optional<Takes> takes = {};

  bool operator==(const Question&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    using Q = Question;
    f.required(&Q::label, "label", "Short name of the question, unique in the form; the answer carries it")
        .characters(1, kMaxQuestionLabel);
    f.required(&Q::question, "question", "The question, as a full sentence").characters(1, kMaxQuestion);
    f.optional(&Q::options, "options", "2 to 25 choices, or none when own words are allowed").items(0, kMaxOptions);
    f.optional(&Q::allow_custom, "allow_custom", "The person may answer in their own words");
    f.optional(&Q::multi_select, "multi_select", "More than one option may be chosen");
    f.optional(
         &Q::parameter, "parameter",
         "What the answer is for, as tool.parameter: then what is known is offered, and typed answers are checked")
        .characters(0, kMaxOption);
    f.optional(&Q::takes, "takes", "What a typed answer must be; taken from `parameter` if that is given");
  }

  void check(FieldReader& reader) const;
};

/// The arguments of ask_user.
struct Form {
  std::vector<Question> questions;

  bool operator==(const Form&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&Form::questions, "questions", "What to ask; people see one form").items(1, kMaxQuestions);
  }

  void check(FieldReader& reader) const;
};

Result<Form> parse_form(const json::object& arguments);

/// A person's answer to one question: options by value, own words, or both in a multi-select.
struct Given {
  std::vector<std::string> values;
  std::string own_words;
};

struct Answer {
  std::string question_label;
  std::string answer;  // the value, the own words, or for a multi-select the JSON array as text
  bool is_custom = false;
  std::optional<std::vector<std::string>> selected_values;  // for a multi-select, own words last

  bool operator==(const Answer&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&Answer::question_label, "question_label", "The label of the question");
    f.required(&Answer::answer, "answer", "The answer as text");
    f.required(&Answer::is_custom, "is_custom", "It holds the person's own words");
    f.optional(&Answer::selected_values, "selected_values", "Every value chosen, where several could be");
  }
};

/// The answer; empty if nothing was given; or an error that says what the question does not allow.
Result<std::optional<Answer>> answer_to(const Question& question, const Given& given);

struct FormResult {
  std::vector<Answer> answers;  // in the order of the questions; unanswered ones are left out
  bool completed = false;
  std::string reason;             // why it was not completed
  State state = State::answered;  // of the interaction; a skipped form counts as answered

  bool operator==(const FormResult&) const = default;
};

/// The result as sent to the model, without empty fields.
json::object to_result(const FormResult& result);

/// Submits a whole form, as channels with native forms send it: the answers by question label.
std::expected<FormResult, std::vector<Problem>> submit(const Form& form, const std::map<std::string, Given>& given);

enum class Unanswered { cancelled, skipped, expired, cannot_ask };

/// The result of a form that was not submitted. Answers given so far are kept.
FormResult unanswered(Unanswered why, std::string_view by, std::vector<Answer> answers_so_far);

}  // namespace deputy::interaction
