#include "model/bedrock/converse.h"

#include <algorithm>

#include "base/text.h"
#include "model/api_error.h"
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

json::object tool_config(const Request& request, CacheMarks marks) {
  json::array tools;
  for (const ToolDescription& tool : request.tools) {
    json::object spec{{"name", sendable_name(tool.name)}, {"inputSchema", {{"json", sendable_schema(tool.params)}}}};
    if (!tool.description.empty()) spec["description"] = to_valid_utf8(tool.description);
    tools.push_back({{"toolSpec", std::move(spec)}});
  }
  if (marks == CacheMarks::set) tools.push_back(cache_point());
  json::object config{{"tools", std::move(tools)}};
  if (request.calls == Calls::required) config["toolChoice"] = {{"any", json::object{}}};
  return config;
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

json::object converse_body(const Request& request, std::optional<double> temperature, CacheMarks marks) {
  json::object body;
  if (!trim(request.system).empty()) {
    json::array system{{{"text", to_valid_utf8(request.system)}}};
    if (marks == CacheMarks::set) system.push_back(cache_point());
    body["system"] = std::move(system);
  }
  json::object inference{{"maxTokens", std::max(request.max_tokens, 1)}};
  if (temperature) inference["temperature"] = *temperature;
  body["inferenceConfig"] = std::move(inference);
  if (!request.tools.empty()) body["toolConfig"] = tool_config(request, marks);
  body["messages"] = messages_of(sendable_turns(request.turns));
  return body;
}

Result<> ConverseReader::read(std::string_view type, const json::object& event) {
  if (type == "contentBlockStart") return begin_block(event);
  if (type == "contentBlockDelta") return read_delta(event);
  if (type == "contentBlockStop") return end_call();
  if (type == "messageStop") {
    stop_reason_ = text_at(event, "stopReason");
    return end_call();
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
  if (content == nullptr || !content->is_array()) return std::unexpected(malformed_reply("it holds no message"));
  stop_reason_ = text_at(response, "stopReason");
  for (const json::value& block : content->get_array()) {
    if (!block.is_object()) continue;
    TRY(builder_.say(text_at(block.get_object(), "text")));
    if (!block.get_object().contains("toolUse")) continue;
    const bool is_last = &block == &content->get_array().back();
    TRY(read_call(object_at(block.get_object(), "toolUse"), is_last ? Place::last : Place::before_others));
  }
  read_usage(response);
  return {};
}

Result<> ConverseReader::read_call(const json::object& use, Place place) {
  const bool is_cut = place == Place::last && ending_of(stop_reason_.value_or("")) == Ending::max_tokens;
  // Its arguments may look whole and lack the rest: without any the builder leaves it out.
  if (is_cut) return builder_.call(text_at(use, "toolUseId"), text_at(use, "name"), std::string_view());
  const json::value* input = use.if_contains("input");
  return builder_.call(text_at(use, "toolUseId"), text_at(use, "name"),
                       input == nullptr ? std::string() : json::serialize(*input));
}

Result<> ConverseReader::begin_block(const json::object& event) {
  TRY(end_call());
  const json::object& start = object_at(event, "start");
  if (!start.contains("toolUse")) return {};
  const json::object& use = object_at(start, "toolUse");
  call_ = OpenCall{index_at(event, "contentBlockIndex"), text_at(use, "toolUseId"), text_at(use, "name"), {}};
  return builder_.count(call_->id.size() + call_->tool.size());
}

Result<> ConverseReader::read_delta(const json::object& event) {
  const json::object& delta = object_at(event, "delta");
  if (delta.contains("text")) {
    TRY(end_call());
    return builder_.say(text_at(delta, "text"));
  }
  if (!delta.contains("toolUse")) return {};
  if (!call_ || call_->index != index_at(event, "contentBlockIndex")) {
    return std::unexpected(malformed_reply("a part of a call belongs to none"));
  }
  const std::string part = text_at(object_at(delta, "toolUse"), "input");
  TRY(builder_.count(part.size()));
  call_->input += part;
  return {};
}

// Where a stream forgot to end one, the next block ends it.
Result<> ConverseReader::end_call() {
  if (!call_) return {};
  OpenCall call = *std::move(call_);
  call_.reset();
  return builder_.call(std::move(call.id), std::move(call.tool), call.input);
}

// Counts without what came from the cache, as everywhere here.
void ConverseReader::read_usage(const json::object& event) {
  const json::object& usage = object_at(event, "usage");
  usage_.input_tokens = tokens_at(usage, "inputTokens", usage_.input_tokens);
  usage_.output_tokens = tokens_at(usage, "outputTokens", usage_.output_tokens);
  usage_.cache_read_tokens = tokens_at(usage, "cacheReadInputTokens", usage_.cache_read_tokens);
  usage_.cache_write_tokens = tokens_at(usage, "cacheWriteInputTokens", usage_.cache_write_tokens);
}

Result<Reply> ConverseReader::finish() {
  if (!stop_reason_) return std::unexpected(broken_off());
  TRY(end_call());
  const auto ending = ending_of(*stop_reason_);
  if (!ending) return std::unexpected(malformed_reply("the model wrote what Bedrock could not read"));
  return std::move(builder_).finish(*ending, usage_);
}

}  // namespace deputy::model::bedrock
