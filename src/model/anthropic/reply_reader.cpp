#include "model/anthropic/reply_reader.h"

#include "model/anthropic/anthropic.h"
#include "model/api_error.h"

namespace deputy::model::anthropic {

namespace {

// Some compatible servers leave out the type.
bool is_error(const json::object& event) {
  const std::string type = text_at(event, "type");
  return type == "error" || (type.empty() && event.contains("error"));
}

// A paused message that nobody continues counts as cut, like one at its limit.
Ending ending_of(std::string_view reason) {
  if (reason == "max_tokens" || reason == "pause_turn") return Ending::max_tokens;
  if (reason == "refusal") return Ending::refusal;
  if (reason == "model_context_window_exceeded") return Ending::overflow;
  return Ending::done;
}

Usage sum(const Usage& a, const Usage& b) {
  return {a.input_tokens + b.input_tokens, a.output_tokens + b.output_tokens, a.cache_read_tokens + b.cache_read_tokens,
          a.cache_write_tokens + b.cache_write_tokens};
}

void append(json::object& block, std::string_view key, std::string_view part) {
  json::value& whole = block[key];
  if (!whole.is_string()) whole.emplace_string();
  whole.get_string().append(part);
}

// A call without arguments, and one that arrives whole, has all its input in the start event.
std::string begun_input(const json::object& call) {
  const json::value* input = call.if_contains("input");
  return json::serialize(input != nullptr ? *input : json::value());
}

}  // namespace

Result<> ReplyReader::read(const json::object& event) {
  const std::string type = text_at(event, "type");
  if (type == "message_start") return begin_message(event);
  if (type == "content_block_start") return begin_block(event);
  if (type == "content_block_delta") return read_delta(event);
  if (type == "content_block_stop") return end_block();
  if (type == "message_delta") end_message(event);
  if (type == "message_stop") {
    has_ended_ = true;
    return end_block();
  }
  if (is_error(event)) return read_error(event);
  return {};
}

Result<> ReplyReader::read_message(const json::object& message) {
  if (is_error(message)) return read_error(message);
  const json::value* content = message.if_contains("content");
  if (content == nullptr || !content->is_array()) return std::unexpected(malformed_reply("it has no content"));
  TRY(begin_message({{"message", {{"usage", object_at(message, "usage")}}}}));
  for (const json::value& block : content->get_array()) {
    TRY(begin_block({{"content_block", block}}));
    TRY(end_block());
  }
  end_message({{"delta", {{"stop_reason", text_at(message, "stop_reason")}}}});
  has_ended_ = true;
  return {};
}

const json::array& ReplyReader::go_on() {
  has_ended_ = false;
  stop_reason_.clear();
  return content_;
}

Result<Reply> ReplyReader::finish() {
  TRY(end_block());
  // A stream without its final event is complete once it has given a stop reason.
  if (!is_whole()) return std::unexpected(broken_off());
  const Ending ending = is_overflow_ ? Ending::overflow : ending_of(stop_reason_);
  return std::move(builder_).finish(ending, sum(of_earlier_, usage_));
}

Result<> ReplyReader::begin_message(const json::object& event) {
  TRY(end_block());
  of_earlier_ = sum(of_earlier_, usage_);
  usage_ = {};
  has_ended_ = false;
  stop_reason_.clear();
  read_usage(object_at(event, "message"));
  return {};
}

// Only one block is open at a time. If a server did not end a block, the next one ends it.
Result<> ReplyReader::begin_block(const json::object& event) {
  TRY(end_block());
  block_ = OpenBlock{index_at(event, "index"), object_at(event, "content_block"), {}};
  TRY(builder_.count(json::serialize(block_->raw).size()));
  if (text_at(block_->raw, "type") == "text") return builder_.say(text_at(block_->raw, "text"));
  builder_.tell_thinking(text_at(block_->raw, "thinking"));
  return {};
}

Result<> ReplyReader::read_delta(const json::object& event) {
  const json::object& delta = object_at(event, "delta");
  const std::string type = text_at(delta, "type");
  const std::int64_t index = index_at(event, "index");
  if (type == "text_delta") return read_text_delta(index, text_at(delta, "text"));
  const bool is_of_open_block = block_ && block_->index == index;
  if (type == "input_json_delta") {
    if (!is_of_open_block) return std::unexpected(malformed_reply("a part of a call belongs to no call"));
    const std::string part = text_at(delta, "partial_json");
    TRY(builder_.count(part.size()));
    block_->input += part;
  }
  if (is_of_open_block && (type == "thinking_delta" || type == "signature_delta")) {
    const std::string_view key = type == "thinking_delta" ? "thinking" : "signature";
    const std::string part = text_at(delta, key);
    TRY(builder_.count(part.size()));
    append(block_->raw, key, part);
    if (type == "thinking_delta") builder_.tell_thinking(part);
  }
  return {};
}

Result<> ReplyReader::read_text_delta(std::int64_t index, std::string_view text) {
  const bool is_of_open_block = block_ && block_->index == index && text_at(block_->raw, "type") == "text";
  if (!is_of_open_block) TRY(begin_block({{"index", index}, {"content_block", {{"type", "text"}, {"text", ""}}}}));
  TRY(builder_.say(text));
  if (block_) append(block_->raw, "text", text);
  return {};
}

Result<> ReplyReader::end_block() {
  if (!block_) return {};
  OpenBlock block = *std::move(block_);
  block_.reset();
  const std::string type = text_at(block.raw, "type");
  if (!block.input.empty()) {
    if (const auto input = parse_json_object(block.input)) block.raw["input"] = *input;
  }
  if (type == "tool_use") {
    TRY(builder_.call(text_at(block.raw, "id"), text_at(block.raw, "name"),
                      block.input.empty() ? begun_input(block.raw) : block.input));
  }
  // Thinking cut by the token limit has no signature; the API does not accept it back.
  const bool is_whole_thought = type == "thinking" && !text_at(block.raw, "signature").empty();
  if (is_whole_thought || type == "redacted_thinking") builder_.think(block.raw, text_at(block.raw, "thinking"));
  const bool is_empty_text = type == "text" && text_at(block.raw, "text").empty();  // the API refuses empty text
  if (!is_empty_text) content_.push_back(std::move(block.raw));
  return {};
}

void ReplyReader::end_message(const json::object& event) {
  read_usage(event);
  const std::string reason = text_at(object_at(event, "delta"), "stop_reason");
  if (!reason.empty()) stop_reason_ = reason;
}

Result<> ReplyReader::read_error(const json::object& event) {
  const std::string body = json::serialize(event);
  if (!is_overflow(200, body)) return std::unexpected(error_of(200, {}, body, {}));
  is_overflow_ = has_ended_ = true;
  return {};
}

// Counts cover the whole message so far; the last one wins.
void ReplyReader::read_usage(const json::object& holder) {
  const json::object& usage = object_at(holder, "usage");
  usage_.input_tokens = tokens_at(usage, "input_tokens", usage_.input_tokens);
  usage_.output_tokens = tokens_at(usage, "output_tokens", usage_.output_tokens);
  usage_.cache_read_tokens = tokens_at(usage, "cache_read_input_tokens", usage_.cache_read_tokens);
  usage_.cache_write_tokens = tokens_at(usage, "cache_creation_input_tokens", usage_.cache_write_tokens);
}

}  // namespace deputy::model::anthropic
