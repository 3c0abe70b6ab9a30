// Reads a reply of the Chat Completions API, chunk by chunk, as OpenAI, Ollama, vLLM and llama.cpp send it. Thinking is
// shown to listeners and never sent back. Unknown fields are ignored. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "model/model.h"
#include "model/reply_builder.h"

namespace deputy::model::openai_chat {

/// Detects the end of a JSON object in a growing text without reading it twice.
class ObjectEnd {
 public:
  void read(std::string_view part);
  bool is_whole() const { return is_whole_; }

 private:
  int depth_ = 0;
  bool in_text_ = false;
  bool is_escaped_ = false;
  bool is_whole_ = false;
};

struct PartedCall {
  std::optional<std::int64_t> index;
  std::string id;
  std::string name;
  std::string arguments;
  ObjectEnd end;
};

/// Assembles calls from streamed parts. By the API's reference a part names its call by index, and id and name come
/// once. Servers leave out the index, use 0 for all, repeat the name or send it in pieces, leave out the id, or send a
/// call whole.
class CallParts {
 public:
  /// Says if a part came in a list with others; parts without an index are then different calls.
  enum class Among { none, others };

  /// Adds one element of `tool_calls`, or a `function_call` of the older API. Returns its size in bytes.
  std::size_t add(const json::object& fragment, Among among = Among::none);

  /// In order of their start.
  const std::vector<PartedCall>& calls() const { return calls_; }

 private:
  struct Part {
    std::optional<std::int64_t> index;
    std::string id;
    std::string name;
    std::string arguments;
  };

  static Part read(const json::object& part);
  PartedCall* call_of(const Part& part);
  static bool is_said_again(const PartedCall& call, const Part& part);
  static bool begins_another(const PartedCall& call, const Part& part);
  static void add_name(std::string& name, const std::string& part);

  std::vector<PartedCall> calls_;
};

/// Separates thinking from the answer. Local models write their thinking first, between `<think>` and `</think>`, or
/// only up to `</think>` if their template opened the tag. Works however the text is cut.
class ThinkTags {
 public:
  struct Split {
    std::string text;
    std::string thinking;
    bool all_before_was_thinking = false;  // `</think>` without `<think>`: the model's template opened it
  };
  Split feed(std::string_view part);
  /// Returns held-back text that turned out not to be a tag.
  std::string finish();

 private:
  enum class Place { beginning, thinking, text };

  static std::string_view begun_text(std::string_view held);

  Place place_ = Place::beginning;
  std::string held_;
  bool has_thought_ = false;
};

class ReplyReader final : public EventReader {
 public:
  ReplyReader(Calls calls, OnText on_text) : builder_(calls, std::move(on_text)) {}

  Result<> read(const json::object& chunk) override;
  Result<> read_message(const json::object& message) override;
  void end() override { has_ended_ = true; }
  bool has_ended() const override { return has_ended_; }
  bool is_whole() const override { return has_ended_ || !finish_reason_.empty(); }

  /// Call when the stream has ended. Returns a retryable error if the reply is incomplete. Usage is zero if the server
  /// sent none.
  Result<Reply> finish();

 private:
  Result<> read_error(const json::object& chunk);
  Result<> read_choice(const json::object& choice);
  Result<> read_delta(const json::object& delta);
  Result<> read_content(const json::value& content);
  Result<> say(std::string_view text);
  Result<> add_part(const json::value& part, CallParts::Among among = CallParts::Among::none);
  void read_usage(const json::object& chunk);

  ReplyBuilder builder_;
  CallParts parts_;
  ThinkTags tags_;
  std::size_t calls_without_form_ = 0;  // elements of `tool_calls` that are not objects
  std::string finish_reason_;
  bool has_ended_ = false;
  bool ends_in_call_ = false;  // calls reach the builder at the end, so it cannot see what followed them
  bool is_refusal_ = false;
  bool is_overflow_ = false;
  Usage usage_;
};

}  // namespace deputy::model::openai_chat
