// What every Channel must do. A channel gives a Bench, which makes it together with a platform it talks to, lets a case
// act as the people there and see what they see (factories.cpp); the cases know nothing of it. A case is left out only
// where Capabilities says so; then the text that takes its place is tested, and the output says what was left out.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "channel/channel.h"
#include "support/loop.h"
#include "support/results.h"

namespace deputy::channel {

/// One message as a person sees it.
struct Seen {
  std::string text;
  std::vector<std::string> controls;  // what can be pressed
};

class Bench {
 public:
  virtual ~Bench() = default;

  virtual Channel& channel() = 0;
  /// A conversation that exists on the platform, and people in it.
  virtual ConversationKey conversation() = 0;
  virtual policy::Account ana() = 0;  // a member
  virtual policy::Account stranger() = 0;

  /// Ana writes to Deputy; what the channel made of it reaches the receiver before this returns.
  virtual Task<Result<>> ana_says(std::string text) = 0;
  /// Ana presses the first control of the message.
  virtual Task<Result<Verdict>> ana_presses(MessageRef ref) = 0;
  /// What others have written before: the root and then so many messages.
  virtual void has_been_said(int messages) = 0;
  /// The messages of Deputy that `account` sees, oldest first.
  virtual std::vector<Seen> seen_by(policy::Account account) = 0;
};

struct Implementation {
  std::string name;
  std::function<std::unique_ptr<Bench>()> make;
};

/// Keeps what it gets, and settles every answer.
class KeepingReceiver final : public Receiver {
 public:
  Task<Result<>> message(InboundMessage message) override {
    messages.push_back(std::move(message));
    co_return Result<>{};
  }
  Task<Result<Verdict>> answer(InboundAnswer answer) override {
    answers.push_back(std::move(answer));
    co_return Verdict{Settled{"done"}};
  }

  std::vector<InboundMessage> messages;
  std::vector<InboundAnswer> answers;
};

class ChannelTest : public testing::TestWithParam<Implementation> {
 protected:
  ChannelTest() : bench_(GetParam().make()), can_(channel().capabilities()) {
    spawn(loop_.get_executor(), "channel", receive());
    loop_.poll();
  }

  template <class T>
  T await(Task<T> task) {
    return test::run_on(loop_, std::move(task));
  }

  /// The value of a Result that must not fail.
  template <class T>
  T must(Task<Result<T>> task) {
    Result<T> result = await(std::move(task));
    EXPECT_OK(result);
    if constexpr (!std::is_void_v<T>) return result ? *std::move(result) : T{};
  }

  Channel& channel() { return bench_->channel(); }
  ConversationKey conversation() { return bench_->conversation(); }
  std::vector<std::string> texts_seen_by(policy::Account account) {
    std::vector<std::string> texts;
    for (Seen& seen : bench_->seen_by(std::move(account))) texts.push_back(std::move(seen.text));
    return texts;
  }

  asio::io_context loop_;
  KeepingReceiver receiver_;
  std::unique_ptr<Bench> bench_;
  Capabilities can_;

 private:
  Task<> receive() { (void)co_await bench_->channel().run(receiver_); }
};

}  // namespace deputy::channel
