#include "model/openai_errors.h"

#include <algorithm>
#include <array>

#include "base/json.h"
#include "base/text.h"
#include "model/api_error.h"

namespace deputy::model::openai_errors {

namespace {

struct CodeOfError {
  std::string_view code;
  int status;
};
// OpenAI's codes first, then llama.cpp's and vLLM's.
constexpr auto kCodes = std::to_array<CodeOfError>({
    {"invalid_request_error", 400},
    {"context_length_exceeded", 400},
    {"authentication_error", 401},
    {"invalid_api_key", 401},
    {"permission_error", 403},
    {"model_not_found", 404},
    {"not_found_error", 404},
    {"rate_limit_error", 429},
    {"rate_limit_exceeded", 429},
    {"insufficient_quota", 429},
    {"exceed_context_size_error", 400},
    {"badrequesterror", 400},
    {"notfounderror", 404},
});

constexpr auto kUnpaid =
    std::to_array<std::string_view>({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active",
                                     "exceeded your current quota", "insufficient balance", "insufficient credits"});

// OpenAI, vLLM, llama.cpp, Ollama and some proxies.
constexpr auto kOverflows = std::to_array<std::string_view>(
    {"context_length_exceeded", "string_above_max_length", "request too large", "reduce the length of the messages",
     "longer than the maximum model length", "max_model_len", "exceed_context_size_error",
     "exceeds the available context size", "input length exceeds", "prompt too long", "too many tokens"});

/// A server's error, whatever its format.
struct Said {
  std::string type;
  std::string code;
  std::string words;
  std::optional<std::int64_t> number;  // some servers send an HTTP status as the code

  std::string all() const { return type + "\n" + code + "\n" + words; }
};

Said read_object(const json::object& error) {
  Said said{text_at(error, "type"), text_at(error, "code"), text_at(error, "message"), std::nullopt};
  if (const json::value* code = error.if_contains("code")) said.number = as_whole(*code);
  return said;
}

// {"error": {"message", "type", "code"}} is OpenAI's format; {"error": "text"} Ollama's; {"object": "error", "message",
// …} that of older vLLM; {"detail": "text"} that of FastAPI, which some servers use.
Said read(std::string_view body) {
  const auto object = parse_json_object(body);
  if (!object) return {};
  const json::value* error = object->if_contains("error");
  if (error != nullptr && error->is_object()) return read_object(error->get_object());
  if (error != nullptr && error->is_string()) return {.words = as_text(*error)};
  if (const json::value* detail = object->if_contains("detail")) return {.words = as_text(*detail)};
  return read_object(*object);
}

int status_of(int status, const Said& said) {
  if (status < 200 || status >= 300) return status;
  if (said.number && *said.number >= 400 && *said.number < 600) return static_cast<int>(*said.number);
  for (const std::string& word : {to_lower(said.code), to_lower(said.type)}) {
    const auto* found = std::ranges::find(kCodes, word, &CodeOfError::code);
    if (found != kCodes.end()) return found->status;
  }
  return 500;
}

}  // namespace

Error error_of(int status, const std::vector<net::Header>& headers, std::string_view body, Timestamp now) {
  const Said said = read(body);
  Error error = model::error_of({.status = status_of(status, said),
                                 .code = said.code.empty() ? said.type : said.code,
                                 .words = said.words,
                                 .is_paid_up = !has_any(said.all(), kUnpaid)},
                                headers, now);
  if (error.kind == ErrorKind::authentication) error.hint = "set a valid key, for example in OPENAI_API_KEY";
  return error;
}

bool is_overflow(int status, std::string_view body) {
  const Said said = read(body);
  switch (status_of(status, said)) {
    case 413:
      return true;
    case 400:
    case 422:
    case 429:  // OpenAI: one request exceeds the limit per minute
    case 500:  // llama.cpp
      return says_it_does_not_fit(said.all(), kOverflows);
    default:
      return false;
  }
}

}  // namespace deputy::model::openai_errors
