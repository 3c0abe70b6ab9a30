// The words for those who carry them elsewhere.
#include "model/anthropic/messages.h"
#include "model/messages.h"

namespace deputy::model {

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
