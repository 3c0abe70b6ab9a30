#include "channel/terminal/typed_decision.h"

#include "base/text.h"

namespace deputy::channel {

using interaction::Control;

Result<TypedDecision> read_decision(std::string_view typed) {
  typed = trim(typed);
  const std::size_t space = typed.find(' ');
  const std::string word = to_lower(typed.substr(0, space));
  std::string rest = space == std::string_view::npos ? std::string() : std::string(trim(typed.substr(space)));
  if (word == "n" || word == "no" || word == "deny") {
    const Control control = rest.empty() ? Control::deny : Control::deny_with_reason;
    return TypedDecision{control, std::move(rest)};
  }
  const bool alone = rest.empty();
  if (alone && (word == "y" || word == "yes" || word == "approve")) return TypedDecision{Control::approve_once};
  if (alone && (word == "a" || word == "always")) return TypedDecision{Control::approve_for_thread};
  return fail(ErrorKind::invalid_input, "that is neither yes nor no", "answer `yes`, `no` or `no REASON`");
}

bool is_explain(std::string_view typed) {
  const std::string word = to_lower(trim(typed));
  return word == "x" || word == "explain" || word == "?";
}

bool is_bare_no(std::string_view typed) {
  const std::string word = to_lower(trim(typed));
  return word == "n" || word == "no";
}

}  // namespace deputy::channel
