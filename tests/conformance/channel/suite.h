// What every Channel must do. A channel gives a Bench, which makes it together with a platform it talks to, lets a case
// act as the people there and see what they see (factories.cpp); the cases know nothing of it. A case is left out only
// where Capabilities says so; then the text that takes its place is tested, and the output says what was left out.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "channel/channel.h"
#include "policy/settings.h"
#include "support/keeping_receiver.h"
#include "support/loop.h"
#include "support/results.h"

namespace deputy::channel {

/// One message as a person sees it.
struct Seen {
  std::string text;
  std::vector<std::string> controls;  // what can be pressed
  MessageRef ref = {};
  bool is_form = false;  // it can be filled in
};

/// The answers to the questions of a form, by label: labels of options, and last, in quotes, own words.
using FilledIn = std::map<std::string, std::vector<std::string>>;

class Bench {
 public:
  virtual ~Bench() = default;

  virtual Channel& channel() = 0;
  /// A conversation that exists on the platform, and people in it.
  virtual ConversationKey conversation() = 0;
  virtual policy::Account ana() = 0;
  virtual policy::Account stranger() = 0;  // the platform does not know who it is
  /// Where only one person can write: there are no others who could answer.
  virtual bool has_others() { return true; }
  virtual policy::Account bo() { return ana(); }   // approves
  virtual policy::Account cy() { return ana(); }   // approves too
  virtual policy::Account eve() { return ana(); }  // may speak, but not approve
  /// Ana may ask, bo and cy approve `service_tools`, eve may speak.
  virtual policy::Settings settings() = 0;
  /// Who sees what is posted there: also strangers, where anybody may look on.
  virtual std::vector<policy::Account> people() { return {ana(), stranger()}; }
  /// What the platform says of Ana.
  virtual policy::AccountKind standing() { return policy::AccountKind::member; }

  /// Ana writes to Deputy; what the channel made of it reaches the receiver before this returns.
  virtual Task<Result<>> says(policy::Account account, std::string text) = 0;
  Task<Result<>> ana_says(std::string text) { return says(ana(), std::move(text)); }
  /// Ana presses the first control of the message.
  virtual Task<Result<Verdict>> ana_presses(MessageRef ref) = 0;
  /// Needs buttons.
  virtual Task<Result<Verdict>> presses(policy::Account account, MessageRef ref, interaction::Control control,
                                        std::string reason) = 0;
  /// Fills in what the form shows now and sends it. Needs forms.
  virtual Task<Result<Verdict>> fills_in(policy::Account account, MessageRef ref, FilledIn given) = 0;
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
