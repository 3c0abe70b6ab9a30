// Any text typed while a form is open and an approval is pending: it chooses only what was offered, approves only with
// the code, and shows nothing that hides.
//
// The first byte says what kind of question it is; then come option labels between U+001F, and after a U+001E the text.
#include <algorithm>
#include <cstdint>

#include "base/text.h"
#include "fuzz/complain.h"
#include "interaction/codes.h"
#include "interaction/escape.h"
#include "interaction/text_form.h"

namespace {

using namespace deputy::interaction;

Form form_of(std::uint8_t kind, std::string_view labels) {
  deputy::json::array options;
  for (const std::string_view label : deputy::split(labels, "\x1F")) {
    deputy::json::object option{{"label", label}};
    if ((kind & 4) != 0) option["value"] = "v" + std::to_string(options.size());
    options.push_back(std::move(option));
  }
  deputy::json::object question{{"label", "q"}, {"question", "Which?"}, {"options", std::move(options)}};
  question["multi_select"] = (kind & 1) != 0;
  question["allow_custom"] = (kind & 2) != 0;
  auto form = parse_form({{"questions", deputy::json::array{std::move(question)}}});
  return form ? *std::move(form) : Form{};
}

void check_nothing_hides(std::string_view shown) {
  while (!shown.empty()) {
    const deputy::CodePoint next = deputy::decode_utf8(shown);
    if (!next.valid || (next.value != '\n' && is_hidden(next.value, Showing::as_prose)))
      complain("something hides", shown);
    shown.remove_prefix(next.bytes);
  }
}

void check_offered(const Question& question, const Answer& answer) {
  const auto offered = [&](const std::string& value) {
    return deputy::contains(question.options, value, &Option::answer);
  };
  if (answer.is_custom && !question.allow_custom) complain("own words were not allowed", answer.answer);
  std::vector<std::string> values = answer.selected_values.value_or(std::vector{answer.answer});
  if (answer.is_custom) values.pop_back();
  if (!std::ranges::all_of(values, offered)) complain("that was not offered", answer.answer);
  if (!question.multi_select && values.size() > 1) complain("too many", answer.answer);
}

void type(const Form& form, std::string_view text, Addressed addressed) {
  const Typed typed = take_typed(form, begin(form), text, addressed, "Ana");
  if (const auto* const result = std::get_if<FormResult>(&typed)) {
    for (const Answer& answer : result->answers) {
      check_offered(form.questions.front(), answer);
      if (answer.is_custom && addressed == Addressed::no) complain("own words that were not meant for us", text);
    }
    check_nothing_hides(settled_text(form, *result, "Ana", {}, Zone{}));
  }
  if (const auto* const not_taken = std::get_if<NotTaken>(&typed)) check_nothing_hides(not_taken->words);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t end = std::min(rest.find('\x1E'), rest.size());
  const std::string_view text = rest.substr(std::min(end + 1, rest.size()));

  const TypedDecision decision = read_decision(text);
  if (const auto* const approve = std::get_if<TypedApprove>(&decision)) {
    const std::string lower = deputy::to_lower(deputy::trim(text));
    if (!lower.starts_with("approve") || approve->code.size() != kCodeLength) complain("that approves nothing", text);
  }
  const Form form = form_of(data[0], rest.substr(0, end));
  if (form.questions.empty()) return 0;
  check_nothing_hides(question_text(form, begin(form), {}, Zone{}, Writers::one));
  type(form, text, Addressed::yes);
  type(form, text, Addressed::no);
  return 0;
}
