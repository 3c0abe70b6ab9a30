// Where channels hand in what they received. A message is stored with its route and what it is answered in one
// transaction, decided again while its conversation moves, and only then receipted; an error means that nothing is
// stored. Secrets are taken out before anything is kept.
//
// It decides nothing itself: routing.h says where a message goes, answers.h what becomes of a click.
#pragma once

#include <memory>
#include <string>

#include "channel/channel.h"
#include "gateway/inbound/approvals.h"
#include "gateway/inbound/dependencies.h"
#include "gateway/inbound/routing_facts.h"

namespace deputy::gateway {

/// A message that no run has.
struct NotAccepted {
  enum class Why {
    no_access,   // its sender may not speak here
    paused,      // nothing is started now
    no_request,  // it asks for nothing a run does, such as `help`
  };

  Why why = Why::no_request;
  std::string message = {};  // what its sender was told; may be empty
};

/// What became of a message.
struct Dispatched {
  using How = store::Admitted::How;
  Dispatched(How stored = How::routed) : how(stored) {}  // NOLINT(google-explicit-constructor)

  How how;
  std::optional<RunId> run = std::nullopt;  // that has it
  NotAccepted not_accepted = {};            // where no run has
};

class Dispatcher final : public channel::Receiver {
 public:
  explicit Dispatcher(InboundDependencies& parts) : parts_(parts) {}

  Task<Result<>> message(channel::InboundMessage message) override;
  Task<Result<channel::Verdict>> answer(channel::InboundAnswer answer) override;
  /// The same for who is told what became of it. `sender`, where it is known, is not looked up.
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

  /// What came of a typed answer: it was taken in with it, or what it was told instead.
  Task<Result<Dispatched>> finish(Here here, RunId run, Result<AnswerResult> outcome);
  Task<Result<How>> admit(Here here, store::Route route, store::Effects effects);
  /// A line in the thread, and nothing else.
  Task<Result<Dispatched>> say(Here here, std::string words);
  /// Only they see it, where the channel can do that; a line in the thread where it cannot.
  Task<Result<Dispatched>> say_privately(Here here, std::string words, std::vector<store::AuditRow> audit);
  /// Only they see it, or nobody. Best effort, and waited for by nobody.
  Task<> whisper(Here here, std::string words);
  static Answerer answerer(const MessageContext& here);
  bool can_whisper(const MessageContext& here) const;

  InboundDependencies& parts_;
  RecentMap<Timestamp> refused_{10'000};  // when, by account
  RecentMap<int> wrong_codes_{10'000};    // how many, by person and conversation
};

}  // namespace deputy::gateway
