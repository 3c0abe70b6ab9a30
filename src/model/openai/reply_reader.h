// A reply of the Responses API, event by event or whole. Pure. Events and items of kinds it does not know are passed
// over.
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
  void end() override {}  // it says by an event of its own whether the reply is whole
  bool has_ended() const override { return has_ended_; }
  bool is_whole() const override { return has_ended_; }

  /// The stream has ended. An error that is retryable when the response did not.
  Result<Reply> finish();

 private:
  /// An item that is being written.
  struct OpenItem {
    json::object item;
    std::string arguments;
    bool has_text = false;  // some of it was told as it came
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
