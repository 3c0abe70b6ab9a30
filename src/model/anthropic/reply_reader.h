// Reads the Messages API's reply, event by event. Pure: the caller has the bytes (SSE from Anthropic, frames from
// Bedrock). Unknown events, blocks and deltas are ignored.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/model.h"
#include "model/reply_builder.h"

namespace deputy::model::anthropic {

class ReplyReader final : public EventReader {
 public:
  ReplyReader(Calls calls, OnText on_text) : builder_(calls, std::move(on_text)) {}

  Result<> read(const json::object& event) override;
  Result<> read_message(const json::object& message) override;
  void end() override { has_ended_ = true; }
  bool has_ended() const override { return has_ended_; }
  bool is_whole() const override { return has_ended_ || !stop_reason_.empty(); }

  /// True when the message ended only to be continued.
  bool is_paused() const { return has_ended_ && stop_reason_ == "pause_turn"; }

  /// Returns all content so far, to send back as the last assistant message. The reader then reads the continuation.
  const json::array& go_on();

  /// Call when the stream has ended. Returns a retryable error if the message is incomplete.
  Result<Reply> finish();

 private:
  /// The open block: its start event, and the text of its input so far.
  struct OpenBlock {
    std::int64_t index = 0;
    json::object raw;
    std::string input;
  };

  Result<> begin_message(const json::object& event);
  Result<> begin_block(const json::object& event);
  Result<> read_delta(const json::object& event);
  Result<> read_text_delta(std::int64_t index, std::string_view text);
  Result<> end_block();
  void end_message(const json::object& event);
  Result<> read_error(const json::object& event);
  void read_usage(const json::object& holder);

  ReplyBuilder builder_;
  std::optional<OpenBlock> block_;
  json::array content_;  // of all messages so far, unchanged
  std::string stop_reason_;
  bool has_ended_ = false;
  bool is_overflow_ = false;
  Usage of_earlier_;  // messages of this reply
  Usage usage_;
};

}  // namespace deputy::model::anthropic
