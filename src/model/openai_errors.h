// Errors of OpenAI's APIs and of compatible servers, each with its own format. Pure.
#pragma once

#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "net/http.h"

namespace deputy::model::openai_errors {

/// The error of a response that is not a reply, by its status; for an error inside a stream (status 200), by its code.
Error error_of(int status, const std::vector<net::Header>& headers, std::string_view body, Timestamp now);

/// True when the request does not fit the context. That is a reply (Stop::overflow), not an error.
bool is_overflow(int status, std::string_view body);

}  // namespace deputy::model::openai_errors
