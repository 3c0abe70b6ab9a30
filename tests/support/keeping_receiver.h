// Where a channel under test hands what it received.
#pragma once

#include <vector>

#include "channel/channel.h"

namespace deputy::test {

/// Keeps what it gets, and settles every answer.
class KeepingReceiver : public channel::Receiver {
 public:
  Task<Result<>> message(channel::InboundMessage message) override {
    messages.push_back(std::move(message));
    co_return Result<>{};
  }
  Task<Result<channel::Verdict>> answer(channel::InboundAnswer answer) override {
    answers.push_back(std::move(answer));
    co_return channel::Verdict{channel::AnswerTaken{"done"}};
  }

  Task<Result<std::string>> cursor(std::string) override { co_return seen; }
  Task<Result<>> set_cursor(std::string, std::string cursor) override {
    seen = std::move(cursor);
    co_return Result<>{};
  }

  std::string seen;  // the cursor
  std::vector<channel::InboundMessage> messages;
  std::vector<channel::InboundAnswer> answers;
};

}  // namespace deputy::test
