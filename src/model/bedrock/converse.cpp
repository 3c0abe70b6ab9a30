#include "model/bedrock/converse.h"

#include <algorithm>

#include "base/text.h"
#include "model/api_error.h"
#include "model/bedrock/settings.h"
#include "model/sendable.h"

namespace deputy::model::bedrock {

namespace {

json::object cache_point() { return {{"cachePoint", {{"type", "default"}}}}; }

json::object block_of(const Block& block) {
  struct Write {
    json::object operator()(const Text& text) const { return {{"text", text.text}}; }
    json::object operator()(const Call& call) const {
      return {{"toolUse", {{"toolUseId", call.id}, {"name", call.tool}, {"input", call.arguments}}}};
    }
    json::object operator()(const CallResult& result) const {
      return {{"toolResult",
               {{"toolUseId", result.call},
                {"content", json::array{{{"text", result.text}}}},
                {"status", result.failed ? "error" : "success"}}}};
    }
    json::object operator()(const Thinking& thinking) const { return thinking.part; }
    json::object operator()(const Image& image) const {
      const std::string_view type = image.media_type;
      return {{"image", {{"format", type.substr(type.find('/') + 1)}, {"source", {{"bytes", *image.base64}}}}}};
    }
  };
  return std::visit(Write{}, block);
}

json::array messages_of(const std::vector<Turn>& turns) {
  json::array messages;
  for (const Turn& turn : turns) {
    json::array content;
    for (const Block& block : turn.blocks) content.push_back(block_of(block));
    messages.push_back({{"role", turn.role == Role::user ? "user" : "assistant"}, {"content", std::move(content)}});
  }
  return messages;
}

json::object tool_config(const Request& request, bool is_marked) {
  json::array tools;
  for (const ToolDescription& tool : request.tools) {
    json::object spec{{"name", sendable_name(tool.name)}, {"inputSchema", {{"json", sendable_schema(tool.params)}}}};
    if (!tool.description.empty()) spec["description"] = to_valid_utf8(tool.description);
    tools.push_back({{"toolSpec", std::move(spec)}});
  }
  if (is_marked) tools.push_back(cache_point());
  return {{"tools", std::move(tools)}};
}

std::optional<Ending> ending_of(std::string_view reason) {
  if (reason == "max_tokens") return Ending::max_tokens;
  if (reason == "guardrail_intervened" || reason == "content_filtered") return Ending::refusal;
  if (reason == "model_context_window_exceeded") return Ending::overflow;
  if (reason == "malformed_tool_use") return Ending::broken_call;
  if (reason == "malformed_model_output") return std::nullopt;
  return Ending::done;
}

}  // namespace

MessagesBody converse_body(const Request& request, const MessagesManner& how) {
  MessagesBody written;
  json::object& body = written.body;
  const bool is_anthropic = form_of(how.manner.model) == ApiForm::messages;
  const bool is_marked = is_anthropic && how.second_try.sends(kCacheMarks);
  if (is_marked) written.sent |= kCacheMarks;
  if (is_anthropic) {
    MessagesBody fields = claude_fields(how);
    if (!fields.body.empty()) body["additionalModelRequestFields"] = std::move(fields.body);
    written.sent |= fields.sent;
  }
  if (const std::string text = system_with_format(request); !trim(text).empty()) {
    json::array system{{{"text", text}}};
    if (is_marked) system.push_back(cache_point());
    body["system"] = std::move(system);
  }
  json::object inference{{"maxTokens", how.second_try.reply_tokens(request.max_tokens)}};
  written.sent |= SecondTry::long_reply(request.max_tokens);
  if (sends_temperature(how.manner, how.second_try)) {
    inference["temperature"] = how.manner.temperature.value_or(0);
    written.sent |= kTemperature;
  }
  body["inferenceConfig"] = std::move(inference);
  if (!request.tools.empty()) body["toolConfig"] = tool_config(request, is_marked);
  body["messages"] = messages_of(sendable_turns(request.turns));
  return written;
}

Result<> ConverseReader::read(std::string_view type, const json::object& event) {
  if (type == "contentBlockStart") return begin_block(event);
  if (type == "contentBlockDelta") return read_delta(event);
  if (type == "contentBlockStop") return end_block();
  if (type == "messageStop") {
    stop_reason_ = text_at(event, "stopReason");
    return end_block();
  }
  if (type == "metadata") {
    read_usage(event);
    has_ended_ = stop_reason_.has_value();
  }
  return {};
}

Result<> ConverseReader::read_message(const json::object& response) {
  const json::object& message = object_at(object_at(response, "output"), "message");
  const json::value* content = message.if_contains("content");
  if (content == nullptr || !content->is_array()) return std::unexpected(malformed_reply("it has no message"));
  stop_reason_ = text_at(response, "stopReason");
  for (const json::value& block : content->get_array()) {
    if (!block.is_object()) continue;
    TRY(builder_.say(text_at(block.get_object(), "text")));
    if (const json::object* reasoning = find_object(block.get_object(), "reasoningContent")) {
      const json::object& text = object_at(*reasoning, "reasoningText");
      TRY(read_thought({{"text", text_at(text, "text")},
                        {"signature", text_at(text, "signature")},
                        {"redactedContent", text_at(*reasoning, "redactedContent")}}));
      TRY(end_block());
    }
    if (!block.get_object().contains("toolUse")) continue;
    const bool is_last = &block == &content->get_array().back();
    TRY(read_call(object_at(block.get_object(), "toolUse"),
                  is_last ? CallPosition::last : CallPosition::before_others));
  }
  read_usage(response);
  return {};
}

Result<> ConverseReader::read_call(const json::object& use, CallPosition place) {
  const bool is_cut = place == CallPosition::last && ending_of(stop_reason_.value_or("")) == Ending::max_tokens;
  // The arguments of a cut call may look complete. Pass none: the builder then drops the call.
  if (is_cut) return builder_.call(text_at(use, "toolUseId"), text_at(use, "name"), std::string_view());
  const json::value* input = use.if_contains("input");
  return builder_.call(text_at(use, "toolUseId"), text_at(use, "name"),
                       input == nullptr ? std::string() : json::serialize(*input));
}

Result<> ConverseReader::begin_block(const json::object& event) {
  TRY(end_block());
  const json::object& start = object_at(event, "start");
  if (!start.contains("toolUse")) return {};
  const json::object& use = object_at(start, "toolUse");
  call_ = OpenCall{index_at(event, "contentBlockIndex"), text_at(use, "toolUseId"), text_at(use, "name"), {}};
  return builder_.count(call_->id.size() + call_->tool.size());
}

Result<> ConverseReader::read_delta(const json::object& event) {
  const json::object& delta = object_at(event, "delta");
  if (delta.contains("text")) {
    TRY(end_block());
    return builder_.say(text_at(delta, "text"));
  }
  if (const json::object* reasoning = find_object(delta, "reasoningContent")) return read_thought(*reasoning);
  if (!delta.contains("toolUse")) return {};
  if (!call_ || call_->index != index_at(event, "contentBlockIndex")) {
    return std::unexpected(malformed_reply("a part of a call belongs to no call"));
  }
  const std::string part = text_at(object_at(delta, "toolUse"), "input");
  TRY(builder_.count(part.size()));
  call_->input += part;
  return {};
}

Result<> ConverseReader::read_thought(const json::object& reasoning) {
  if (call_) TRY(end_block());
  if (!thought_) thought_.emplace();
  for (const auto& [key, into] : {std::pair{"text", &thought_->text}, std::pair{"signature", &thought_->signature},
                                  std::pair{"redactedContent", &thought_->redacted}}) {
    const std::string part = text_at(reasoning, key);
    TRY(builder_.count(part.size()));
    *into += part;
  }
  builder_.tell_thinking(text_at(reasoning, "text"));
  return {};
}

// If a stream did not end a block, the next one ends it. Thinking cut by the limit has no signature.
Result<> ConverseReader::end_block() {
  if (const auto thought = std::exchange(thought_, std::nullopt)) {
    if (!thought->redacted.empty()) {
      builder_.think({{"reasoningContent", {{"redactedContent", thought->redacted}}}});
    } else if (!thought->signature.empty()) {
      json::object text{{"text", thought->text}, {"signature", thought->signature}};
      builder_.think({{"reasoningContent", {{"reasoningText", std::move(text)}}}}, thought->text);
    }
  }
  if (!call_) return {};
  OpenCall call = *std::move(call_);
  call_.reset();
  return builder_.call(std::move(call.id), std::move(call.tool), call.input);
}

// Input counts exclude cached tokens, as in our Usage.
void ConverseReader::read_usage(const json::object& event) {
  const json::object& usage = object_at(event, "usage");
  usage_.input_tokens = tokens_at(usage, "inputTokens", usage_.input_tokens);
  usage_.output_tokens = tokens_at(usage, "outputTokens", usage_.output_tokens);
  usage_.cache_read_tokens = tokens_at(usage, "cacheReadInputTokens", usage_.cache_read_tokens);
  usage_.cache_write_tokens = tokens_at(usage, "cacheWriteInputTokens", usage_.cache_write_tokens);
}

Result<Reply> ConverseReader::finish() {
  if (!stop_reason_) return std::unexpected(broken_off());
  TRY(end_block());
  const auto ending = ending_of(*stop_reason_);
  if (!ending) return std::unexpected(malformed_reply("Bedrock could not read the model's output"));
  return std::move(builder_).finish(*ending, usage_);
}

}  // namespace deputy::model::bedrock
