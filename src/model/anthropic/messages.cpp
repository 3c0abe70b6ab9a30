#include "model/anthropic/messages.h"

#include <algorithm>

#include "base/text.h"
#include "model/messages.h"
#include "model/sendable.h"

namespace deputy::model::anthropic {

namespace {

/// Marks blocks up to which the API caches the prompt for some minutes. The API allows four marks; we use three.
class CacheMarks {
 public:
  explicit CacheMarks(bool are_sent) : are_sent_(are_sent) {}

  void mark(json::object& block) const {
    if (are_sent_) block["cache_control"] = {{"type", "ephemeral"}};
  }

 private:
  bool are_sent_;
};

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
    json::object operator()(const Thinking& thinking) const { return thinking.part; }
    json::object operator()(const Image& image) const {
      return {{"type", "image"},
              {"source", {{"type", "base64"}, {"media_type", image.media_type}, {"data", *image.base64}}}};
    }
  };
  return std::visit(Write{}, block);
}

json::array messages_of(const std::vector<Turn>& turns, const CacheMarks& marks) {
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
  if (last_of_user != nullptr) marks.mark(*last_of_user);
  return messages;
}

json::array tools_of(const ToolList& tools, const CacheMarks& marks) {
  json::array written;
  for (const ToolDescription& tool : tools) {
    written.push_back({{"name", sendable_name(tool.name)},
                       {"description", to_valid_utf8(tool.description)},
                       {"input_schema", sendable_schema(tool.params)}});
  }
  marks.mark(written.back().as_object());
  return written;
}

bool is_at_most_high(const std::optional<Effort>& effort) { return !effort || *effort <= Effort::high; }

// "Least" applies to efforts up to high; above that the models insist on thinking.
json::object thinking_of(const Manner& manner, const Family& family, bool is_shown) {
  const bool is_least = manner.thinking == ThinkingAmount::least && is_at_most_high(manner.effort);
  const std::string_view type = is_least ? family.least_thinking : "adaptive";
  json::object thinking{{"type", type}};
  if (type == "adaptive") thinking["display"] = is_shown ? "summarized" : "omitted";
  return thinking;
}

bool takes_format(const MessagesManner& how) {
  const Family* family = find_family(how.manner.model);
  if (how.api == MessagesApi::bedrock || !how.second_try.sends(kFormat)) return false;
  return family == nullptr || family->takes_format;
}

}  // namespace

MessagesBody messages_body(const Request& request, const MessagesManner& how) {
  MessagesBody written = claude_fields(how);
  json::object& body = written.body;
  body["max_tokens"] = how.second_try.reply_tokens(request.max_tokens);
  written.sent |= SecondTry::long_reply(request.max_tokens);
  if (sends_temperature(how.manner, how.second_try)) {
    body["temperature"] = how.manner.temperature.value_or(0);
    written.sent |= kTemperature;
  }
  const bool is_formatted = request.format && takes_format(how);
  if (is_formatted) {
    json::value& config = body["output_config"];
    if (!config.is_object()) config.emplace_object();
    config.get_object()["format"] = {{"type", "json_schema"}, {"schema", strict_schema(*request.format)}};
    written.sent |= kFormat;
  }
  const CacheMarks marks(how.second_try.sends(kCacheMarks));
  if (how.second_try.sends(kCacheMarks)) written.sent |= kCacheMarks;
  const std::string system = is_formatted ? to_valid_utf8(request.system) : system_with_format(request);
  if (!trim(system).empty()) {
    json::object block = text_block(system);
    marks.mark(block);
    body["system"] = json::array{std::move(block)};
  }
  if (!request.tools.empty()) {
    body["tools"] = tools_of(request.tools, marks);
    body["tool_choice"] = {{"type", request.calls == Calls::allowed ? "auto" : "none"}};
  }
  body["messages"] = messages_of(sendable_turns(request.turns), marks);
  return written;
}

json::object assistant_message(json::array content) { return {{"role", "assistant"}, {"content", std::move(content)}}; }

}  // namespace deputy::model::anthropic

// The interface that Bedrock uses (model/messages.h).
namespace deputy::model {

MessagesBody claude_fields(const MessagesManner& how) {
  MessagesBody written;
  const Family* family = find_family(how.manner.model);
  if (family != nullptr && family->takes_adaptive && how.second_try.sends(kThinking)) {
    written.body["thinking"] = anthropic::thinking_of(how.manner, *family, how.shows_thinking);
    written.sent |= kThinking;
  }
  const std::optional<Effort>& effort = how.manner.effort;
  if (effort && how.second_try.sends(kEffort) && (family == nullptr || family->takes_effort)) {
    written.body["output_config"] = {{"effort", word_for(*effort)}};
    written.sent |= kEffort;
  }
  return written;
}

namespace {

class Reader final : public MessagesReader {
 public:
  Reader(Calls calls, OnText on_text) : reader_(calls, std::move(on_text)) {}

  Result<> read(const json::object& event) override { return reader_.read(event); }
  Result<> read_message(const json::object& message) override { return reader_.read_message(message); }
  bool has_ended() const override { return reader_.has_ended(); }
  bool is_whole() const override { return reader_.is_whole(); }
  Result<Reply> finish() override {
    if (reader_.is_whole()) reader_.end();
    const bool is_paused = reader_.is_paused();
    TRY(Reply reply, reader_.finish());
    if (is_paused && reply.stop == Stop::end_turn) reply.stop = Stop::max_tokens;
    return reply;
  }

 private:
  anthropic::ReplyReader reader_;
};

}  // namespace

MessagesBody body_in_messages(const Request& request, const MessagesManner& how) {
  return anthropic::messages_body(request, how);
}

std::unique_ptr<MessagesReader> reader_of_messages(Calls calls, OnText on_text) {
  return std::make_unique<Reader>(calls, std::move(on_text));
}

}  // namespace deputy::model
