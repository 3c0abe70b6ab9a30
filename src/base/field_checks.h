// Rules of a single field that several settings share, for FieldBuilder::check_with.
#pragma once

#include <chrono>

#include "base/fields.h"

namespace deputy {

void at_least_a_second(const std::chrono::milliseconds& time, FieldReader& reader);

}  // namespace deputy
