// How this program logs: every text passes the redactor on its way out.
#pragma once

#include "app/settings.h"

namespace deputy::app {

/// To be called before anything is logged.
void keep_secrets_out_of_the_log();

void apply(const LogSettings& settings);

}  // namespace deputy::app
