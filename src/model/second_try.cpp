#include "model/second_try.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/text.h"
#include "model/api_error.h"
#include "model/images.h"
#include "model/thinking.h"

namespace deputy::model {

namespace {

struct NamedField {
  std::string_view words;
  unsigned fields;
};
// More specific names first: `output_config` alone covers everything in it.
constexpr auto kNames = std::to_array<NamedField>({
    {"output_config.effort", kEffort},
    {"output_config.format", kFormat},
    {"reasoning.effort", kEffort},
    {"reasoning_effort", kEffort},
    {"reasoning.summary", kThinking},
    {"text.format", kFormat},
    {"response_format", kFormat},
    {"json_schema", kFormat},
    {"cache_control", kCacheMarks},
    {"cachepoint", kCacheMarks},
    {"encrypted content", kThinking},
    {"reasoning.encrypted_content", kThinking},
    {"temperature", kTemperature},
    {"thinking", kThinking},
    {"output_config", kEffort | kFormat},
    {"reasoning", kEffort | kThinking},
    {"effort", kEffort},
    {"additionalmodelrequestfields", kEffort | kThinking},
    {"max_tokens", kLongReply},
    {"maxtokens", kLongReply},
    {"max_output_tokens", kLongReply},
    {"max_completion_tokens", kLongReply},
    {"maximum tokens", kLongReply},
});

unsigned fields_named(std::string_view said, unsigned sent) {
  const std::string lower = to_lower(said);
  for (const NamedField& name : kNames) {
    if ((name.fields & sent) != 0 && lower.contains(name.words)) return name.fields & sent;
  }
  return 0;
}

bool refuses_thinking(int status, std::string_view said) {
  constexpr auto kPhrases = std::to_array<std::string_view>(
      {"signature", "thinking block", "`thinking` block", "redacted_thinking", "encrypted content", "encrypted_content",
       "reasoningcontent", "'reasoning' item", "type 'reasoning'", "reasoning item"});
  return (status == 400 || status == 429) && has_any(said, kPhrases);
}

// In the words of vendors and of servers for open models.
bool refuses_images(int status, std::string_view said) {
  constexpr auto kPhrases = std::to_array<std::string_view>({"image", "vision", "multimodal", "multi-modal"});
  return status >= 400 && status != 429 && has_any(to_lower(said), kPhrases);
}

}  // namespace

bool sends_temperature(const Manner& manner, const SecondTry& second_try) {
  const Family* family = find_family(manner.model);
  return manner.temperature && second_try.sends(kTemperature) && (family == nullptr || family->takes_temperature);
}

int SecondTry::reply_tokens(int wanted) const {
  wanted = std::max(wanted, 1);
  return sends(kLongReply) ? wanted : std::min(wanted, kTokensThatAllTake);
}

bool SecondTry::may_help(int status, std::string_view said, unsigned sent, Request& request) {
  if (!dropped_thinking_ && refuses_thinking(status, said) && has_thinking(request)) {
    drop_thinking(request.turns);
    dropped_thinking_ = true;
    return true;
  }
  if (refuses_images(status, said) && has_images(request)) {
    drop_images(request.turns);
    return true;
  }
  if (status != 400 && status != 422) return false;
  const unsigned named = fields_named(said, sent & ~left_out_);
  left_out_ |= named;
  return named != 0;
}

}  // namespace deputy::model
