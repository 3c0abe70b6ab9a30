// What a line that was typed at an approval does. Pure. What it does to a form is interaction/typed.h's to say.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "interaction/codes.h"

namespace deputy::channel {

/// The control that the words press.
struct TypedDecision {
  interaction::Control control = interaction::Control::deny;
  std::string reason = {};  // of a denial

  bool operator==(const TypedDecision&) const = default;
};

/// `yes`, `no` with or without a reason, or `always`, which approves for the conversation; also by their first letters.
Result<TypedDecision> read_decision(std::string_view typed);

/// The whole of it is to be shown.
bool is_explain(std::string_view typed);
/// A no without a reason: a chat asks for one.
bool is_bare_no(std::string_view typed);

}  // namespace deputy::channel
