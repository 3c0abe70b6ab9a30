// Reads a reply of the Responses API, event by event or whole. Pure. Unknown events and items are ignored.
#pragma once

#include <map>
#include <string>

#include "model/model.h"
#include "model/reply_builder.h"

namespace deputy::model::openai {

class ReplyReader final : public EventReader {
 public:
  ReplyReader(Calls calls, OnText on_text) : builder_(calls, std::move(on_text)) {}

  Result<> read(const json::object& event) override;
  Result<> read_message(const json::object& response) override;
  void end() override {}  // an event of the API says if the reply is complete
  bool has_ended() const override { return has_ended_; }
  bool is_whole() const override { return has_ended_; }

  /// Call when the stream has ended. Returns a retryable error if the response is incomplete.
  Result<Reply> finish();

 private:
  /// An item being written.
  struct OpenItem {
    json::object item;
    std::string arguments;
    bool has_text = false;  // some text was already passed on
  };

  Result<> begin_item(const json::object& event);
  Result<> read_text(const json::object& event);
  Result<> read_arguments(const json::object& event);
  Result<> end_item(const json::object& event);
  Result<> take_item(const json::object& item, bool has_text);
  Result<> take_message(const json::object& item);
  Result<> end_response(const json::object& response);
  Result<> read_error(const json::object& error);

  ReplyBuilder builder_;
  std::map<std::int64_t, OpenItem> open_;  // by output_index
  Ending ending_ = Ending::done;
  bool has_ended_ = false;
  bool is_refusal_ = false;
  bool has_told_text_ = false;
  Usage usage_;
};

}  // namespace deputy::model::openai
