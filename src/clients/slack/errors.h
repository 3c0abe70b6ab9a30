// What Slack's error codes mean, as one sentence a person or a model can act on. Pure.
#pragma once

#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "clients/slack/methods.h"

namespace deputy::clients::slack {

/// The error of a reply that is not ok.
Error error_of(const Method& method, const json::object& reply);

/// True if Slack itself failed, so that the call may have been carried out.
bool is_of_unknown_fate(std::string_view code);

}  // namespace deputy::clients::slack
