// What happens when the file or its disk cannot be trusted any more.
#pragma once

#include <functional>

#include "base/result.h"

namespace deputy::store {

/// Called on the thread that met the damage. When it returns, which only those of tests do, whoever waited gets the
/// error.
using OnDamage = std::function<void(const Error&)>;

/// Logs and ends the process: nobody knows what the disk has, and working on would make it worse.
void end_process(const Error& error);

}  // namespace deputy::store
