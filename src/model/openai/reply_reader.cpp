#include "model/openai/reply_reader.h"

#include "model/api_error.h"
#include "model/openai_errors.h"

namespace deputy::model::openai {

namespace {

// An error comes in an event, in a failed response, or in its place; each has a code and a message.
json::object as_error_body(const json::object& error) {
  json::object body = error;
  if (const std::string code = text_at(error, "code"); !code.empty() && text_at(error, "type") == "error")
    body["type"] = code;
  return {{"error", std::move(body)}};
}

std::string summary_of(const json::object& reasoning) {
  std::string summary;
  for (const std::string_view key : {"summary", "content"}) {
    const json::value* parts = reasoning.if_contains(key);
    if (parts == nullptr || !parts->is_array()) continue;
    for (const json::value& part : parts->get_array()) {
      if (part.is_object()) summary += (summary.empty() ? "" : "\n\n") + text_at(part.get_object(), "text");
    }
  }
  return summary;
}

}  // namespace

Result<> ReplyReader::read(const json::object& event) {
  const std::string type = text_at(event, "type");
  if (type == "response.output_item.added") return begin_item(event);
  if (type == "response.output_text.delta" || type == "response.refusal.delta") {
    is_refusal_ = is_refusal_ || type == "response.refusal.delta";
    return read_text(event);
  }
  if (type == "response.function_call_arguments.delta") return read_arguments(event);
  if (type == "response.reasoning_summary_part.added" && index_at(event, "summary_index") > 0)
    builder_.tell_thinking("\n\n");
  if (type == "response.reasoning_summary_text.delta") builder_.tell_thinking(text_at(event, "delta"));
  if (type == "response.output_item.done") return end_item(event);
  const bool is_end = type == "response.completed" || type == "response.incomplete" || type == "response.failed";
  if (is_end) return end_response(object_at(event, "response"));
  if (type == "error" || (type.empty() && event.contains("error"))) return read_error(event);
  return {};
}

Result<> ReplyReader::read_message(const json::object& response) {
  const json::value* output = response.if_contains("output");
  const bool is_refused = text_at(response, "status") == "failed" || find_object(response, "error") != nullptr;
  if (is_refused) return end_response(response);
  if (output == nullptr || !output->is_array()) return std::unexpected(malformed_reply("it has no output"));
  for (const json::value& item : output->get_array()) {
    if (!item.is_object()) continue;
    TRY(builder_.count(json::serialize(item).size()));
    TRY(take_item(item.get_object(), /*has_text=*/false));
  }
  return end_response(response);
}

Result<Reply> ReplyReader::finish() {
  if (!has_ended_) return std::unexpected(broken_off());
  return std::move(builder_).finish(is_refusal_ ? Ending::refusal : ending_, usage_);
}

Result<> ReplyReader::begin_item(const json::object& event) {
  const json::object& item = object_at(event, "item");
  TRY(builder_.count(json::serialize(item).size()));
  if (open_.size() > ReplyBuilder::kMaxCalls) return std::unexpected(malformed_reply("it has too many items"));
  open_[index_at(event, "output_index")] = {item, text_at(item, "arguments")};
  return {};
}

Result<> ReplyReader::read_text(const json::object& event) {
  if (const auto item = open_.find(index_at(event, "output_index")); item != open_.end()) item->second.has_text = true;
  has_told_text_ = true;
  return builder_.say(text_at(event, "delta"));
}

Result<> ReplyReader::read_arguments(const json::object& event) {
  const auto item = open_.find(index_at(event, "output_index"));
  if (item == open_.end()) return std::unexpected(malformed_reply("a part of a call belongs to no call"));
  const std::string part = text_at(event, "delta");
  TRY(builder_.count(part.size()));
  item->second.arguments += part;
  return {};
}

Result<> ReplyReader::end_item(const json::object& event) {
  const std::int64_t index = index_at(event, "output_index");
  const auto open = open_.find(index);
  // Text of an item without a start event has already been passed on.
  const bool has_text = open == open_.end() ? has_told_text_ : open->second.has_text;
  if (open != open_.end()) open_.erase(open);
  const json::object& item = object_at(event, "item");
  TRY(builder_.count(json::serialize(item).size()));
  return take_item(item, has_text);
}

Result<> ReplyReader::take_item(const json::object& item, bool has_text) {
  const std::string type = text_at(item, "type");
  if (type == "message" && !has_text) return take_message(item);
  if (type == "function_call")
    return builder_.call(text_at(item, "call_id"), text_at(item, "name"), text_at(item, "arguments"));
  // Only encrypted reasoning can go back.
  if (type == "reasoning" && !text_at(item, "encrypted_content").empty()) builder_.think(item, summary_of(item));
  return {};
}

Result<> ReplyReader::take_message(const json::object& item) {
  const json::value* content = item.if_contains("content");
  if (content == nullptr || !content->is_array()) return {};
  for (const json::value& part : content->get_array()) {
    if (!part.is_object()) continue;
    const bool is_refusal = text_at(part.get_object(), "type") == "refusal";
    is_refusal_ = is_refusal_ || is_refusal;
    TRY(builder_.say(text_at(part.get_object(), is_refusal ? "refusal" : "text")));
  }
  return {};
}

Result<> ReplyReader::end_response(const json::object& response) {
  if (const json::object* error = find_object(response, "error")) return read_error(*error);
  if (text_at(response, "status") == "failed") return std::unexpected(broken_off());
  const std::string reason = text_at(object_at(response, "incomplete_details"), "reason");
  if (text_at(response, "status") == "incomplete")
    ending_ = reason == "content_filter" ? Ending::refusal : Ending::max_tokens;
  // A call cut by the limit has a start event and no end event.
  for (const auto& [index, open] : open_) {
    if (text_at(open.item, "type") != "function_call") continue;
    TRY(builder_.call(text_at(open.item, "call_id"), text_at(open.item, "name"), open.arguments));
  }
  open_.clear();
  const json::object& usage = object_at(response, "usage");
  // The API counts cached tokens as part of the prompt; Usage counts them separately.
  const std::int64_t prompt = tokens_at(usage, "input_tokens", 0);
  usage_.output_tokens = tokens_at(usage, "output_tokens", 0);
  usage_.cache_read_tokens = std::min(tokens_at(object_at(usage, "input_tokens_details"), "cached_tokens", 0), prompt);
  usage_.input_tokens = prompt - usage_.cache_read_tokens;
  has_ended_ = true;
  return {};
}

Result<> ReplyReader::read_error(const json::object& error) {
  const json::object* inner = find_object(error, "error");
  const std::string body = json::serialize(as_error_body(inner == nullptr ? error : *inner));
  if (!openai_errors::is_overflow(200, body)) return std::unexpected(openai_errors::error_of(200, {}, body, {}));
  ending_ = Ending::overflow;
  has_ended_ = true;
  return {};
}

}  // namespace deputy::model::openai
