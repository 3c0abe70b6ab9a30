#include "model/anthropic/messages.h"

#include <algorithm>

#include "base/text.h"
#include "model/sendable.h"

namespace deputy::model::anthropic {

namespace {

// All up to the mark is kept by the API for some minutes. It takes four marks; these are three.
void mark_for_cache(json::object& block) { block["cache_control"] = {{"type", "ephemeral"}}; }

json::object text_block(std::string_view text) { return {{"type", "text"}, {"text", text}}; }

json::object block_of(const Block& block) {
  struct Write {
    json::object operator()(const Text& text) const { return text_block(text.text); }
    json::object operator()(const Call& call) const {
      return {{"type", "tool_use"}, {"id", call.id}, {"name", call.tool}, {"input", call.arguments}};
    }
    json::object operator()(const CallResult& result) const {
      json::object written{{"type", "tool_result"}, {"tool_use_id", result.call}, {"content", result.text}};
      if (result.failed) written["is_error"] = true;
      return written;
    }
  };
  return std::visit(Write{}, block);
}

json::array messages_of(const std::vector<Turn>& turns) {
  json::array messages;
  json::object* last_of_user = nullptr;
  for (const Turn& turn : turns) {
    json::array content;
    for (const Block& block : turn.blocks) content.push_back(block_of(block));
    messages.push_back({{"role", turn.role == Role::user ? "user" : "assistant"}, {"content", std::move(content)}});
  }
  for (json::value& message : messages) {
    if (message.at("role") == "user") last_of_user = &message.at("content").as_array().back().as_object();
  }
  if (last_of_user != nullptr) mark_for_cache(*last_of_user);
  return messages;
}

json::array tools_of(const std::vector<ToolDescription>& tools) {
  json::array written;
  for (const ToolDescription& tool : tools) {
    written.push_back({{"name", sendable_name(tool.name)},
                       {"description", to_valid_utf8(tool.description)},
                       {"input_schema", sendable_schema(tool.params)}});
  }
  mark_for_cache(written.back().as_object());
  return written;
}

std::string_view choice_of(Calls calls) {
  switch (calls) {
    case Calls::allowed:
      return "auto";
    case Calls::required:
      return "any";
    case Calls::none:
      return "none";
  }
  return "auto";
}

}  // namespace

json::object messages_body(const Request& request) {
  json::object body{{"max_tokens", std::max(request.max_tokens, 1)}};
  if (!trim(request.system).empty()) {
    json::object block = text_block(to_valid_utf8(request.system));
    mark_for_cache(block);
    body["system"] = json::array{std::move(block)};
  }
  if (!request.tools.empty()) {
    body["tools"] = tools_of(request.tools);
    body["tool_choice"] = {{"type", choice_of(request.calls)}};
  }
  body["messages"] = messages_of(sendable_turns(request.turns));
  return body;
}

json::object assistant_message(json::array content) { return {{"role", "assistant"}, {"content", std::move(content)}}; }

}  // namespace deputy::model::anthropic
