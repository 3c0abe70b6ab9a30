// What every Channel must do. A channel gives a Bench, which makes it together with a platform it talks to, lets a case
// act as the people there and see what they see (factories.cpp); the cases know nothing of it. A case is left out only
// where Capabilities says so; then the text that takes its place is tested, and the output says what was left out.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "channel/channel.h"
#include "support/keeping_receiver.h"
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
  virtual policy::Account ana() = 0;
  virtual policy::Account stranger() = 0;  // the platform does not know who it is
  /// Who sees what is posted there: also strangers, where anybody may look on.
  virtual std::vector<policy::Account> people() { return {ana(), stranger()}; }
  /// What the platform says of Ana.
  virtual policy::AccountKind standing() { return policy::AccountKind::member; }

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

class ChannelTest : public testing::TestWithParam<Implementation>, protected test::OnLoop {
 protected:
  ChannelTest() : bench_(GetParam().make()), can_(channel().capabilities()) {
    spawn(loop_.get_executor(), "channel", receive());
    loop_.poll();
  }

  Channel& channel() { return bench_->channel(); }
  ConversationKey conversation() { return bench_->conversation(); }
  std::vector<std::string> texts_seen_by(policy::Account account) {
    std::vector<std::string> texts;
    for (Seen& seen : bench_->seen_by(std::move(account))) texts.push_back(std::move(seen.text));
    return texts;
  }

  test::KeepingReceiver receiver_;
  std::unique_ptr<Bench> bench_;
  Capabilities can_;

 private:
  Task<> receive() { (void)co_await bench_->channel().run(receiver_); }
};

}  // namespace deputy::channel
