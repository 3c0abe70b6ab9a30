// What the Messages API answers in place of a reply. Pure.
#pragma once

#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "net/http.h"

namespace deputy::model::anthropic {

/// Of a response that is no reply, by its status; of an error event inside a stream (status 200), by the error's type.
Error error_of(int status, const std::vector<net::Header>& headers, std::string_view body, Timestamp now);

/// True when it says that the request does not fit: a reply (Stop::overflow), no error.
bool is_overflow(int status, std::string_view body);

}  // namespace deputy::model::anthropic
