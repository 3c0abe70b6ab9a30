// What every Channel must do. A channel gives a Bench, which makes it together with a platform it talks to, lets a case
// act as the people there and see what they see; the cases know nothing of it. A case is left out only where
// Capabilities says so, or where the platform has no such thing at all (Platform); then the text that takes its place
// is tested where there is one, and the output says what was left out.
//
// To add a channel: a Bench in a file of its own, and a line in factories.cpp. Its functions return once the receiver
// has heard what people did. It runs on the case's loop and clock, and is used by one case alone.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "channel/channel.h"
#include "policy/settings.h"
#include "support/keeping_receiver.h"
#include "support/loop.h"
#include "support/manual_clock.h"
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

/// A file that comes with a message.
struct Upload {
  std::string name;
  std::string media_type;
  std::string content;
};

/// What the platform has, beside what Capabilities say of its channel. A terminal has none of it.
struct Platform {
  bool others = true;   // more than one person can write and answer
  bool changes = true;  // people can edit and delete what they wrote
  bool uploads = true;  // messages can come with files
  bool history = true;  // what is written while nobody receives is kept
  bool limits = true;   // it refuses messages that come too fast
};

/// What a bench runs on; both outlive it.
struct BenchSetup {
  asio::io_context& loop;
  const Clock& clock;
};

class Bench {
 public:
  virtual ~Bench() = default;

  virtual Channel& channel() = 0;
  /// Whether it receives what people do, once `run` was called.
  virtual bool is_connected() { return true; }
  /// A conversation that exists on the platform, and people in it.
  virtual ConversationKey conversation() = 0;
  virtual policy::Account ana() = 0;
  virtual policy::Account stranger() = 0;  // the platform does not know who it is
  virtual Platform platform() { return {}; }
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

  // Each needs what its comment names of the platform.

  /// Ana changes the last message that she wrote, or deletes it. `changes`.
  virtual Task<Result<>> ana_edits(std::string /*text*/) { co_return is_missing(); }
  virtual Task<Result<>> ana_deletes() { co_return is_missing(); }
  /// Ana writes to Deputy with a file. `uploads`.
  virtual Task<Result<>> ana_uploads(std::string /*text*/, Upload /*file*/) { co_return is_missing(); }
  /// Ana has written to Deputy while nobody received, at a time before the clock's. `history`.
  virtual void ana_wrote(const std::string& /*text*/, Timestamp /*at*/) {}
  /// The next message of Deputy's is refused, and so are all until this time has passed. `limits`.
  virtual void refuses_messages_for(std::chrono::seconds) {}

  /// The messages of Deputy that `account` sees, oldest first.
  virtual std::vector<Seen> seen_by(policy::Account account) = 0;

 private:
  static std::unexpected<Error> is_missing() { return fail(ErrorKind::not_configured, "the platform has none"); }
};

struct Implementation {
  std::string name;
  std::function<std::unique_ptr<Bench>(BenchSetup)> make;
};

/// Takes a message once, as the gateway does: a platform may send it again, under the same key.
class SuiteReceiver final : public test::KeepingReceiver {
 public:
  Task<Result<>> message(InboundMessage message) override {
    if (std::ranges::find(messages, message.key, &InboundMessage::key) != messages.end()) co_return Result<>{};
    co_return co_await KeepingReceiver::message(std::move(message));
  }
};

#define NEEDS(what, why) \
  if (!bench_->platform().what) GTEST_SKIP() << "the platform has none of it: " << (why)

class ChannelTest : public testing::TestWithParam<Implementation>, protected test::OnLoop {
 protected:
  ChannelTest() : bench_(GetParam().make({loop_, clock_})), can_(channel().capabilities()) {
    const auto ended = [this](const std::exception_ptr&, const Result<>&) { has_ended_ = true; };
    asio::co_spawn(loop_, channel().run(receiver_), asio::bind_cancellation_slot(stop_.slot(), ended));
    loop_.poll();
    EXPECT_TRUE(until([this] { return bench_->is_connected(); }));
  }
  ~ChannelTest() override {
    stop_.emit();
    EXPECT_TRUE(until([this] { return has_ended_; }));
  }

  Channel& channel() { return bench_->channel(); }
  ConversationKey conversation() { return bench_->conversation(); }
  std::vector<std::string> texts_seen_by(policy::Account account) {
    std::vector<std::string> texts;
    for (Seen& seen : bench_->seen_by(std::move(account))) texts.push_back(std::move(seen.text));
    return texts;
  }

  test::ManualClock clock_;
  SuiteReceiver receiver_;
  std::unique_ptr<Bench> bench_;
  Capabilities can_;

 private:
  bool until(const std::function<bool()>& happened) {
    return test::run_until_within(std::chrono::seconds(10), loop_, happened);
  }

  Cancel stop_{loop_.get_executor()};
  bool has_ended_ = false;
};

}  // namespace deputy::channel
