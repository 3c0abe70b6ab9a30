// A request as the body of OpenAI's Responses API, which keeps nothing: all that was said before goes along, with the
// reasoning of earlier turns as the API encrypted it. Pure.
#pragma once

#include "base/json.h"
#include "model/families.h"
#include "model/model.h"
#include "model/second_try.h"

namespace deputy::model::openai {

struct ResponsesBody {
  json::object body;
  unsigned sent = 0;  // which optional fields are in it (second_try.h)
};

/// The body, to be streamed. The same request gives the same bytes, and a longer conversation the same beginning.
ResponsesBody responses_body(const Request& request, const Manner& manner, const SecondTry& second_try,
                             bool shows_thinking);

}  // namespace deputy::model::openai
