// A request as a body of OpenAI's Responses API, used without state on its side: each request carries the whole
// conversation, including earlier reasoning as the API encrypted it. Pure.
#pragma once

#include "base/json.h"
#include "model/families.h"
#include "model/model.h"
#include "model/second_try.h"

namespace deputy::model::openai {

struct ResponsesBody {
  json::object body;
  unsigned sent = 0;  // optional fields in the body, as flags (second_try.h)
};

/// A streaming request. The same request gives the same bytes, and a longer conversation the same start.
ResponsesBody responses_body(const Request& request, const Manner& manner, const SecondTry& second_try,
                             bool shows_thinking);

}  // namespace deputy::model::openai
