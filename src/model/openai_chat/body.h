// A request as the body of OpenAI's Chat Completions API, which many servers speak, each in its dialect. Pure.
#pragma once

#include <optional>
#include <string_view>

#include "base/json.h"
#include "model/families.h"
#include "model/model.h"
#include "model/second_try.h"

namespace deputy::model::openai_chat {

/// Where servers of this API differ in what they take.
struct Dialect {
  enum class Limit { max_completion_tokens, max_tokens };

  Limit limit = Limit::max_tokens;
  bool asks_for_usage = true;  // stream_options.include_usage

  bool operator==(const Dialect&) const = default;
};

/// OpenAI itself refuses the older word for its newer models; of others most know only that.
Dialect dialect_of(std::string_view base_url);

/// The dialect to try after a refusal that is about one; nothing when it is about something else.
std::optional<Dialect> other_dialect(const Dialect& tried, int status, std::string_view body);

struct CompletionsBody {
  json::object body;
  unsigned sent = 0;  // which optional fields are in it (second_try.h)
};

/// The body, to be streamed. The same request gives the same bytes.
CompletionsBody completions_body(const Request& request, const Manner& manner, const Dialect& dialect,
                                 const SecondTry& second_try);

}  // namespace deputy::model::openai_chat
