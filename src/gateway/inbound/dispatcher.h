// Receives messages and answers from channels. A message is stored with its route and its reply in one transaction; if
// the conversation has changed meanwhile, the decision is made again. Only then is receipt confirmed; an error means
// that nothing is stored. Secrets are redacted before anything is stored.
//
// It decides nothing itself: routing.h decides where a message goes, answers.h handles clicks.
#pragma once

#include <memory>
#include <string>

#include "channel/channel.h"
#include "gateway/inbound/approvals.h"
#include "gateway/inbound/dependencies.h"
#include "gateway/inbound/routing_facts.h"
#include "gateway/inbound/triage.h"

namespace deputy::gateway {

/// Why no run took a message.
struct NotAccepted {
  enum class Why {
    no_access,   // its sender may not use Deputy here
    paused,      // no run starts now
    no_request,  // it needs no run, such as `help`
  };

  Why why = Why::no_request;
  std::string message = {};  // the reply to the sender; may be empty
};

/// The result of dispatching a message.
struct Dispatched {
  using How = store::Admitted::How;
  Dispatched(How stored = How::routed) : how(stored) {}  // NOLINT(google-explicit-constructor)

  How how;
  std::optional<RunId> run = std::nullopt;  // the run that took it
  NotAccepted not_accepted = {};            // if no run took it
};

Dispatched taken_by(RunId run, store::Admitted::How how);

class Dispatcher final : public channel::Receiver {
 public:
  explicit Dispatcher(InboundDependencies& parts) : parts_(parts) {}

  Task<Result<>> message(channel::InboundMessage message) override;
  Task<Result<channel::Verdict>> answer(channel::InboundAnswer answer) override;
  Task<Result<std::string>> cursor(std::string channel) override;
  Task<Result<>> set_cursor(std::string channel, std::string cursor) override;
  Task<Result<std::vector<channel::ConversationKey>>> conversations(std::string channel, Timestamp since,
                                                                    int most) override;
  /// Like `message`, and returns the result. `sender` is looked up if it is not given.
  Task<Result<Dispatched>> dispatch(channel::InboundMessage message, std::optional<policy::Identity> sender);

 private:
  using How = store::Admitted::How;

  /// One message at one version of its conversation.
  struct MessageContext {
    channel::InboundMessage message;
    policy::Identity sender;
    RoutingInput gathered;

    const Facts& facts() const { return gathered.facts; }
  };
  using Here = std::shared_ptr<const MessageContext>;

  /// A post of a listed bot, where `triage` is on.
  /// The bot that posted an alert, as access.bots names it; nothing where the message is no alert.
  std::optional<policy::Account> alerting_bot(const channel::InboundMessage& message) const;
  Task<Result<Dispatched>> take_alert(channel::InboundMessage message, store::ConversationRow conversation);
  Task<Result<Dispatched>> investigate(Here here, std::string key, TriageState state, store::Effects effects);
  /// Keeps that the alert of a thread is over, or is back; the cards that wait in that thread say so.
  Task<Result<>> keep_resolved(std::string thread, const Alert& alert, Here here, store::Effects& effects);

  Task<Result<Dispatched>> act(Ignore decision, Here here);
  Task<Result<Dispatched>> act(Refuse decision, Here here);
  Task<Result<Dispatched>> act(Help decision, Here here);
  Task<Result<Dispatched>> act(NothingToStop decision, Here here);
  Task<Result<Dispatched>> act(Stop decision, Here here);
  Task<Result<Dispatched>> act(Decide decision, Here here);
  Task<Result<Dispatched>> act(Say decision, Here here);
  Task<Result<Dispatched>> act(GoOn decision, Here here);
  Task<Result<Dispatched>> act(Complete decision, Here here);
  Task<Result<Dispatched>> act(Note decision, Here here);
  Task<Result<Dispatched>> act(StartRun decision, Here here);
  Task<Result<Dispatched>> act(Command decision, Here here);
  Task<Result<Dispatched>> act(Muted decision, Here here);
  Task<Result<Dispatched>> act(AskWhetherToRun decision, Here here);

  /// Runs the missed request with this key; without one, the newest of the conversation.
  Task<Result<Dispatched>> run_missed(Here here, std::optional<std::string> key);
  /// A click on a button under a notice.
  Task<Result<channel::Verdict>> press(channel::InboundAnswer answer, store::MarkRow control);
  /// Starts a run for this request, with what is stored beside it.
  Task<Result<Dispatched>> post_and_start(Here here);
  Task<Result<Dispatched>> start(Here here, run::Received received, store::Effects effects);
  run::Received request_by(const MessageContext& here) const;
  /// Sets the pause, and stores the message and the reply with it.
  Task<Result<Dispatched>> set_pause(Here here, store::BrakeRow pause, store::Effects effects);
  interaction::Zone zone_of(const MessageContext& here) const;

  /// After a typed answer: it was stored with its message, or the sender is told why it was not accepted.
  Task<Result<Dispatched>> finish(Here here, RunId run, Result<AnswerResult> outcome);
  Task<Result<How>> admit(Here here, store::Route route, store::Effects effects);
  /// Replies in the thread; nothing else changes.
  Task<Result<Dispatched>> say(Here here, std::string words, store::Effects effects = {});
  /// Replies to the sender only, if the channel can do that; else in the thread.
  Task<Result<Dispatched>> say_privately(Here here, std::string words, store::Effects effects);
  /// Replies to the sender only, in the background. Best effort: a failure is only logged.
  Task<> whisper(Here here, std::string words);
  /// Tells the sender, in the background, that their message held a secret.
  Task<> warn_of_secret(Here here);
  /// Names the thread after the request that began it, in the background. Best effort.
  Task<> set_title(Here here, std::string request);
  static store::DeliveryRow notice(std::string words, std::string conversation, Timestamp at);
  static store::AuditRow audit(std::string kind, const Facts& facts, const channel::InboundMessage& message,
                               std::optional<RunId> run = std::nullopt);
  static Answerer answerer(const MessageContext& here);
  bool can_whisper(const MessageContext& here) const;

  InboundDependencies& parts_;
  RecentMap<Timestamp> refused_{10'000};  // time of the last notice, by account
  RecentMap<int> wrong_codes_{10'000};    // count, by person and conversation
};

}  // namespace deputy::gateway
