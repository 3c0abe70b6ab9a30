// A request as a body of OpenAI's Chat Completions API, which many servers speak, each in its dialect. Pure.
#pragma once

#include <optional>
#include <string_view>

#include "base/json.h"
#include "model/families.h"
#include "model/model.h"
#include "model/second_try.h"

namespace deputy::model::openai_chat {

/// The differences between servers of this API.
struct Dialect {
  enum class Limit { max_completion_tokens, max_tokens };

  Limit limit = Limit::max_tokens;
  bool asks_for_usage = true;  // stream_options.include_usage

  bool operator==(const Dialect&) const = default;
};

/// OpenAI refuses the older field name for its newer models; most other servers know only that one.
Dialect dialect_of(std::string_view base_url);

/// The dialect to try after a refusal caused by the dialect; empty if the cause is another.
std::optional<Dialect> other_dialect(const Dialect& tried, int status, std::string_view body);

struct CompletionsBody {
  json::object body;
  unsigned sent = 0;  // optional fields in the body, as flags (second_try.h)
};

/// A streaming request. The same request gives the same bytes.
CompletionsBody completions_body(const Request& request, const Manner& manner, const Dialect& dialect,
                                 const SecondTry& second_try);

}  // namespace deputy::model::openai_chat
