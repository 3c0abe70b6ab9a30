// Completes a form with what is known about the parameters that its answers are for: the values to choose from, and
// what a typed answer must be. Pure.
#pragma once

#include "interaction/questions.h"
#include "run/plan/rules.h"
#include "toolkit/registry.h"

namespace deputy::run {

/// Options are added only where a question has none. A question that names no parameter is completed if its label is
/// `environment` or `service`; its typed answers stay unchecked, because it is unknown what takes them.
interaction::Form with_known_answers(interaction::Form form, const toolkit::Registry& registry, const Rules& rules);

}  // namespace deputy::run
