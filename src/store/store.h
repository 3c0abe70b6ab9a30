// The store: everything that must survive `kill -9`. It knows rows and bytes, no type of run, interaction or policy,
// and decides nothing but who came first.
//
// Every method is one transaction: when it returns a value, its rows are durable; when it returns an error, none of
// them is there. `conflict` is about what is stored: somebody was first, or it is over. A store that is busy says
// `rate_limit`, and may be asked again.
//
// Bodies are bytes and come back as they were, whatever is in them; so do drafts, responses, results, texts, headlines,
// refs, and what is searched. All other text (keys, conversations, persons, kinds, calls, digests, codes, tokens,
// scopes, outcomes, names) is UTF-8 without NUL, which its writer sees to, and is compared byte by byte.
//
// To add an implementation: a folder beside sqlite/, one line in app, and a factory in tests/conformance/store, which
// it must pass unchanged.
#pragma once

#include <limits>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/task.h"
#include "store/rows.h"

namespace deputy::store {

struct Admitted {
  enum class How {
    routed,     // stored, and its run has it
    duplicate,  // seen before: nothing changed
    moved,      // the conversation has changed since the route was decided: decide again
  };

  How how = How::routed;
  Seq seq = 0;  // of the entry it became, where it became one

  bool operator==(const Admitted&) const = default;
};

inline constexpr int kAllEntries = std::numeric_limits<int>::max();

/// On what an append insists.
enum class If {
  unchanged,  // an intent: refused when mail has come after `seen`
  held,       // an outcome: stored behind whatever mail has come
};

struct Appended {
  enum class How {
    stored,
    mail_first,  // If::unchanged and there is mail: nothing was stored, fold it and plan again
    lost,        // the lease is somebody else's now: stop
  };

  How how = How::stored;
  Seq last = 0;                // of the journal, now
  std::vector<EntryRow> mail;  // what came after `seen`, to be folded before what was appended

  bool operator==(const Appended&) const = default;
};

struct Answered {
  enum class How {
    settled,    // by this answer
    already,    // somebody was first: nothing of this one is stored
    duplicate,  // one of Effects::consumed was taken in before: nothing of this one is stored
  };

  How how = How::settled;
  InteractionRow interaction;  // as it is now
};

/// What an instance leaves to others, or for later.
struct ClaimFilter {
  std::vector<RunId> except = {};
  int most_a_person = 0;                                 // at work at once; 0 is no limit. Child runs do not count
  std::map<std::string, int, std::less<>> at_work = {};  // how many of a person are, with whoever claims
};

/// How many runs are taken at once out of turn: they are read and let go of, and never fill the room of others.
inline constexpr int kMostOutOfTurn = 64;

struct Claimed {
  std::vector<Lease> leases;    // newly taken: oldest first, and those out of turn behind the others
  std::vector<RunId> has_mail;  // held already, with mail that its holder has not appended behind
};

struct TakenDues {
  std::vector<DueRow> dues;     // to act on; they come again in half a minute unless they are ended
  std::vector<RunId> has_mail;  // runs whose journal got an entry
};

struct RunFilter {
  std::optional<RunId> run = std::nullopt;
  std::optional<std::string> conversation;
  std::optional<std::string> requester;
  std::optional<RunStatus> state;
  std::optional<RunId> parent;
  std::optional<RunId> before;  // older than this one
  int most = 50;
};

struct InteractionFilter {
  std::optional<InteractionId> id;
  std::optional<RunId> run;
  std::optional<std::string> conversation;
  std::optional<std::string> code;
  bool pending_only = true;
  int most = 50;
};

/// Oldest first. One of run and interaction is set: there is no other index.
struct DeliveryFilter {
  std::optional<RunId> run;
  std::optional<InteractionId> interaction;  // its views
  int most = 100;
};

/// Where a search looks: in this conversation and in those whose key begins so. Neither is set: in all.
struct SearchScope {
  std::optional<std::string> conversation;
  std::optional<std::string> beginning;
};

struct GrantFilter {
  std::optional<std::string> conversation;
  std::optional<std::string> holder;
  bool live_only = true;
  int most = 50;
};

/// Newest first.
struct AuditFilter {
  std::optional<RunId> run;
  std::optional<std::string> person;
  std::optional<std::int64_t> before;  // numbers less than this
  int most = 100;
};

/// What one batch removed.
struct Removed {
  std::int64_t results = 0;
  std::int64_t runs = 0;
  std::int64_t audit = 0;
  std::int64_t inbox_keys = 0;
  std::int64_t deliveries = 0;  // that belong to no run
  std::int64_t grants = 0;
  std::int64_t texts = 0;
  std::int64_t spent = 0;
  bool more = false;  // there may be more that is too old: call again

  bool operator==(const Removed&) const = default;
};

/// Whose text is to be removed: exactly one of the first three is set.
struct ForgetScope {
  std::optional<RunId> run;  // and its child runs
  std::optional<std::string> conversation;
  std::optional<std::string> person;
  std::int64_t after = 0;  // where to go on: what the call before said
};

/// What one batch forgot.
struct Forgotten {
  std::int64_t runs = 0;
  std::int64_t unfinished = 0;  // left as they are, also when something is still owed: cancel them, or wait
  std::optional<std::int64_t> last = std::nullopt;  // there is more: call again with `after` this

  bool operator==(const Forgotten&) const = default;
};

/// What removed text leaves behind in the files for a while: words in an index, pages in a log.
struct Traces {
  enum class Left {
    none,
    more,        // call again
    being_read,  // somebody reads the log as it was; it is emptied by whoever commits after that
  };

  Left left = Left::none;
  // Copies of the whole database that were made before something was removed. No wiping reaches them: a person deletes
  // them.
  std::vector<std::string> copies = {};

  bool operator==(const Traces&) const = default;
};

/// Told on the loop that something may have changed: call `claim`. A hint, which may come too often and is never the
/// only way.
using Hint = std::function<void()>;

class Store {
 public:
  virtual ~Store() = default;

  virtual InstanceId instance() const = 0;

  // Messages. Only after `admit` has returned may a channel give its receipt.
  virtual Task<Result<Admitted>> admit(InboundRow message, Route route, Effects effects) = 0;
  virtual Task<Result<ConversationRow>> conversation(std::string key) = 0;

  // Journals. Only the lease holder appends; everyone else sends mail, which a finished run refuses with `conflict`.
  virtual Task<Result<Appended>> append(Lease lease, Seq seen, If condition, std::vector<EntryRow> entries,
                                        Effects effects) = 0;
  virtual Task<Result<>> mail(MailRow mail, Effects effects) = 0;
  virtual Task<Result<std::vector<EntryRow>>> journal(RunId run, Seq from, int most = kAllEntries) = 0;

  // Who works on what. `claim` takes runs with mail, released ones, and those whose owner is dead, but none of
  // `except`, and of each person the oldest up to their limit. The rest of a person's runs stay as they are; one with
  // entries that nobody has read is taken out of turn.
  virtual Task<Result<Claimed>> claim(int most, ClaimFilter filter) = 0;
  virtual Task<Result<>> release(Lease lease, GivenBack how = {}) = 0;
  virtual void on_change(Hint hint) = 0;

  /// A lease by name, for what only one instance may do. True when this instance holds it now.
  virtual Task<Result<bool>> hold(std::string name) = 0;
  virtual Task<Result<>> let_go(std::string name) = 0;

  // Interactions. The first answer wins; mail to the run goes with it. A message that answers is taken in with it.
  virtual Task<Result<Answered>> answer(InteractionId interaction, AnswerRow answer, EntryRow mail,
                                        Effects effects) = 0;
  virtual Task<Result<TokenMeaning>> token(std::string token) = 0;
  virtual Task<Result<std::vector<InteractionRow>>> interactions(InteractionFilter filter) = 0;

  // Dues. To be called first thing at start and each second.
  virtual Task<Result<TakenDues>> take_due(int most) = 0;

  // Deliveries: the first one of each conversation that is not over, when its time has come. It comes as `sending`, or
  // as `unknown` when nobody knows whether it went out; then it is settled first. One that was put off by more than an
  // hour comes at once: the clock it was put off by has been set back.
  virtual Task<Result<std::vector<DeliveryRow>>> take_deliveries(int most) = 0;
  virtual Task<Result<>> change_delivery(DeliveryChange change) = 0;
  virtual Task<Result<std::vector<DeliveryRow>>> deliveries(DeliveryFilter filter) = 0;
  Task<Result<std::vector<DeliveryRow>>> views(InteractionId interaction) {
    return deliveries({.interaction = interaction});
  }

  // Reading.
  virtual Task<Result<std::vector<RunRow>>> runs(RunFilter filter) = 0;
  virtual Task<Result<std::vector<GrantRow>>> grants(GrantFilter filter) = 0;
  virtual Task<Result<std::vector<AuditRow>>> audit(AuditFilter filter) = 0;
  virtual Task<Result<std::vector<SpendRow>>> spent(std::string from_day, std::string to_day) = 0;
  virtual Task<Result<std::string>> result(RunId run, std::string call) = 0;
  virtual Task<Result<std::string>> text(std::string digest) = 0;
  /// The best `most` of the scope, whatever is found elsewhere. One that takes too long is a `timeout`.
  virtual Task<Result<std::vector<Found>>> search(std::string words, SearchScope scope, int most) = 0;

  /// For every instance, whatever it works on.
  virtual Task<Result<BrakeRow>> brake() = 0;
  virtual Task<Result<>> set_brake(BrakeRow brake, Effects effects) = 0;

  virtual Task<Result<>> revoke_grant(GrantId grant, std::string by, Effects effects) = 0;

  // Keeping and forgetting. Each call is a batch of at most `most` rows of a kind and about 256 KB, so that others get
  // their turn in between.
  virtual Task<Result<Removed>> remove_old(Retention retention, int most) = 0;
  /// Removes text, results and search rows of what has finished, and ends grants; ids, times, digests and who approved
  /// stay. `not_found` for a run that is not there. The effects come with each call: give them once.
  virtual Task<Result<Forgotten>> forget(ForgetScope scope, Effects effects, int most) = 0;
  /// A step towards no trace of what was removed. That it is owed survives a crash: anybody may take the next step.
  virtual Task<Result<Traces>> wipe() = 0;
};

}  // namespace deputy::store
