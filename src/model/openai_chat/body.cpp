#include "model/openai_chat/body.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "model/api_error.h"
#include "model/images.h"
#include "model/sendable.h"

namespace deputy::model::openai_chat {

namespace {

constexpr std::string_view kMaxTokens = "max_tokens";
constexpr std::string_view kMaxCompletionTokens = "max_completion_tokens";
constexpr std::string_view kStreamOptions = "stream_options";

std::string_view key_of(Dialect::Limit limit) {
  return limit == Dialect::Limit::max_tokens ? kMaxTokens : kMaxCompletionTokens;
}

json::object call_of(const Call& call) {
  return {{"id", call.id},
          {"type", "function"},
          {"function", {{"name", call.tool}, {"arguments", json::serialize(call.arguments)}}}};
}

// The API has no field for a failed call.
json::object result_of(const CallResult& result) {
  return {{"role", "tool"},
          {"tool_call_id", result.call},
          {"content", result.failed ? "The call failed.\n" + result.text : result.text}};
}

json::object assistant_message(const std::vector<Block>& blocks) {
  std::string text;
  json::array calls;
  for (const Block& block : blocks) {
    if (const auto* part = std::get_if<Text>(&block)) text += (text.empty() ? "" : "\n\n") + part->text;
    if (const auto* call = std::get_if<Call>(&block)) calls.push_back(call_of(*call));
  }
  json::object message{{"role", "assistant"}, {"content", nullptr}};  // null is allowed only next to calls
  if (!text.empty()) message["content"] = text;
  if (!calls.empty()) message["tool_calls"] = std::move(calls);
  return message;
}

// Plain text where there are no images: some servers take nothing else.
json::value content_of(const std::vector<Block>& blocks, std::string text) {
  json::array parts;
  for (const Block& block : blocks) {
    if (const auto* image = std::get_if<Image>(&block))
      parts.push_back({{"type", "image_url"}, {"image_url", {{"url", data_url(*image)}}}});
  }
  if (parts.empty()) return json::value(text);
  if (!text.empty()) parts.push_back({{"type", "text"}, {"text", text}});
  return parts;
}

/// Results are separate messages directly after their calls; the user's text follows them.
void add_user_messages(json::array& messages, const std::vector<Block>& blocks) {
  std::string text;
  for (const Block& block : blocks) {
    if (const auto* result = std::get_if<CallResult>(&block)) messages.push_back(result_of(*result));
    if (const auto* part = std::get_if<Text>(&block)) text += (text.empty() ? "" : "\n\n") + part->text;
  }
  json::value content = content_of(blocks, std::move(text));
  if (content != json::value("")) messages.push_back({{"role", "user"}, {"content", std::move(content)}});
}

json::array messages_of(const Request& request, const std::string& system) {
  json::array messages;
  if (!trim(system).empty()) messages.push_back({{"role", "system"}, {"content", system}});
  for (const Turn& turn : sendable_turns(request.turns)) {
    if (turn.role == Role::user) {
      add_user_messages(messages, turn.blocks);
    } else {
      messages.push_back(assistant_message(turn.blocks));
    }
  }
  return messages;
}

json::array tools_of(const ToolList& tools) {
  json::array written;
  for (const ToolDescription& tool : tools) {
    written.push_back({{"type", "function"},
                       {"function",
                        {{"name", sendable_name(tool.name)},
                         {"description", to_valid_utf8(tool.description)},
                         {"parameters", sendable_schema(tool.params)}}}});
  }
  return written;
}

bool refuses_a_field(std::string_view words) {
  constexpr auto kPhrases = std::to_array<std::string_view>({"unsupported", "not supported", "unrecognized", "unknown",
                                                             "extra", "not permitted", "unexpected", "not allowed"});
  return has_any(words, kPhrases);
}

}  // namespace

Dialect dialect_of(std::string_view base_url) {
  const std::string url = to_lower(trim(base_url));
  const bool is_openai = url == "https://api.openai.com" || url.starts_with("https://api.openai.com/");
  return {.limit = is_openai ? Dialect::Limit::max_completion_tokens : Dialect::Limit::max_tokens};
}

std::optional<Dialect> other_dialect(const Dialect& tried, int status, std::string_view body) {
  if (status != 400 && status != 422) return std::nullopt;
  const std::string words = to_lower(body);
  Dialect other = tried;
  other.limit =
      tried.limit == Dialect::Limit::max_tokens ? Dialect::Limit::max_completion_tokens : Dialect::Limit::max_tokens;
  const bool names_other = words.contains(key_of(other.limit));
  const bool refuses_tried = words.contains(key_of(tried.limit)) && refuses_a_field(words);
  if (names_other || refuses_tried) return other;
  if (tried.asks_for_usage && words.contains(kStreamOptions)) return Dialect{tried.limit, /*asks_for_usage=*/false};
  return std::nullopt;
}

CompletionsBody completions_body(const Request& request, const Manner& manner, const Dialect& dialect,
                                 const SecondTry& second_try) {
  CompletionsBody written;
  json::object& body = written.body;
  const Family* family = find_family(manner.model);
  body = {
      {"model", manner.model}, {"stream", true}, {key_of(dialect.limit), second_try.reply_tokens(request.max_tokens)}};
  written.sent |= SecondTry::long_reply(request.max_tokens);
  if (dialect.asks_for_usage) body[kStreamOptions] = {{"include_usage", true}};
  if (sends_temperature(manner, second_try)) {
    body["temperature"] = manner.temperature.value_or(0);
    written.sent |= kTemperature;
  }
  // OpenAI's newer models accept tools here only if they do not reason.
  const bool is_openais = family != nullptr && family->takes_effort && !family->takes_adaptive;
  const bool may_choose = manner.effort && (family == nullptr || family->takes_effort);
  std::string_view effort = may_choose ? word_for(*manner.effort) : std::string_view();
  if (is_openais && !request.tools.empty()) effort = "none";
  if (!effort.empty() && second_try.sends(kEffort)) {
    body["reasoning_effort"] = effort;
    written.sent |= kEffort;
  }
  const bool is_formatted = request.format && second_try.sends(kFormat);
  if (is_formatted) {
    body["response_format"] = {{"type", "json_schema"},
                               {"json_schema", {{"name", "reply"}, {"schema", strict_schema(*request.format)}}}};
    written.sent |= kFormat;
  }
  if (!request.tools.empty()) {
    body["tools"] = tools_of(request.tools);
    body["tool_choice"] = request.calls == Calls::allowed ? "auto" : "none";
  }
  // Also with a schema in the body: some servers accept the field and ignore it.
  body["messages"] = messages_of(request, system_with_format(request));
  return written;
}

}  // namespace deputy::model::openai_chat
