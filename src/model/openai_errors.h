// What servers of the Chat Completions API answer in place of a reply, each in its own form. Pure.
#pragma once

#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "net/http.h"

namespace deputy::model::openai_errors {

/// Of a response that is no reply, by its status; of an error inside a stream (status 200), by the error's own code.
Error error_of(int status, const std::vector<net::Header>& headers, std::string_view body, Timestamp now);

/// True when it says that the request does not fit: a reply (Stop::overflow), no error.
bool is_overflow(int status, std::string_view body);

}  // namespace deputy::model::openai_errors
