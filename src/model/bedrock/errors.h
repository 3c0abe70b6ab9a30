// What Bedrock answers in place of a reply, as a response or as a frame of a stream. Pure.
#pragma once

#include <string_view>
#include <vector>

#include "clients/aws/service_error.h"
#include "model/model.h"

namespace deputy::model::bedrock {

/// `status` is HTTP's; 0 for a frame, whose code says it. A request that does not fit is a reply (Stop::overflow).
Result<Reply> refusal(int status, const clients::aws::ServiceError& refused, const std::vector<net::Header>& headers,
                      Timestamp now);

}  // namespace deputy::model::bedrock
