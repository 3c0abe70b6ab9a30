// The whole way of a form: whatever a model sends as the arguments of ask_user is refused with words or can be shown,
// answered by numbers to its end, and read back. After a line with "---" follow typed answers, a line each.
#include <algorithm>
#include <cstdint>

#include "base/text.h"
#include "fuzz/complain.h"
#include "interaction/text_form.h"

namespace {

using namespace deputy::interaction;

void check_read_back(const Form& form, const Draft& draft) {
  const auto read = read_draft(form, write_draft(draft));
  if (!read || *read != draft) complain("a draft does not read back", write_draft(draft));
}

void answer_by_numbers(const Form& form) {
  Draft draft = begin(form);
  for (std::size_t i = 0; i < form.questions.size(); ++i) {
    const std::string text = position_word(form.questions[i], 0);
    const Typed typed = take_typed(form, draft, text, Addressed::yes, "Ana");
    if (const auto* const result = std::get_if<FormResult>(&typed)) {
      if (!result->completed || result->answers.size() != form.questions.size()) complain("an answer is missing", text);
      return;
    }
    const auto* const next = std::get_if<Draft>(&typed);
    if (next == nullptr) complain("a number was not taken", text);
    draft = *next;
    check_read_back(form, draft);
  }
  complain("the form never ended", "");
}

void answer_by_text(const Form& form, std::string_view lines) {
  Draft draft = begin(form);
  for (const std::string_view line : deputy::split(lines, "\n")) {
    const std::string shown = question_text(form, draft, {}, Zone{}, Writers::several);
    if (!deputy::is_valid_utf8(shown)) complain("what is shown is not UTF-8", shown);
    const Typed typed = take_typed(form, draft, deputy::to_valid_utf8(std::string(line)), Addressed::yes, "Ana");
    if (const auto* const result = std::get_if<FormResult>(&typed)) {
      if (settled_text(form, *result, "Ana", {}, Zone{}).empty()) complain("nothing is shown at the end", line);
      if (!to_result(*result).contains("completed")) complain("the result has no end", line);
      return;
    }
    if (const auto* const next = std::get_if<Draft>(&typed)) {
      draft = *next;
      check_read_back(form, draft);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = text.find("\n---\n");
  const auto arguments = deputy::parse_json_object(text.substr(0, end));
  if (!arguments) return 0;
  const auto form = parse_form(*arguments);
  if (!form) {
    if (form.error().message.empty() || form.error().message.size() > 100'000)
      complain("the error says nothing, or never ends", text);
    return 0;
  }
  if (parse_form(deputy::to_json(*form)) != *form) complain("it does not read back", text);
  answer_by_numbers(*form);
  if (end != std::string_view::npos) answer_by_text(*form, text.substr(end + 5));
  return 0;
}
