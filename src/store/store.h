// The store: everything that must survive `kill -9`. It knows rows and bytes, but no type of run, interaction or
// policy, and decides only who came first.
//
// Every method is one transaction: if it returns a value, its rows are durable; if it returns an error, none of them
// exists. `conflict` is about stored data: somebody was first, or it is over. A busy store returns `rate_limit` and may
// be asked again.
//
// Bodies are bytes and come back unchanged, whatever they contain; so do drafts, responses, results, texts, headlines,
// refs and search text. All other text (keys, conversations, persons, kinds, calls, digests, codes, tokens, scopes,
// outcomes, names) must be UTF-8 without NUL, which the writer ensures, and is compared byte by byte.
//
// To add an implementation: a folder next to sqlite/, one line in app, and a factory in tests/conformance/store, whose
// suite it must pass unchanged.
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
    moved,      // the conversation changed after the route was decided: decide again
  };

  How how = How::routed;
  Seq seq = 0;  // of the entry it became, if any

  bool operator==(const Admitted&) const = default;
};

inline constexpr int kAllEntries = std::numeric_limits<int>::max();

/// The condition of an append.
enum class If {
  unchanged,  // for an intent: refused if mail arrived after `seen`
  held,       // for an outcome: stored after any mail that arrived
};

struct Appended {
  enum class How {
    stored,
    mail_first,  // If::unchanged and there is mail: nothing was stored; fold it and plan again
    lost,        // somebody else holds the lease: stop
  };

  How how = How::stored;
  Seq last = 0;                // of the journal, now
  std::vector<EntryRow> mail;  // what arrived after `seen`, to be folded before what was appended

  bool operator==(const Appended&) const = default;
};

struct AnswerStored {
  enum class How {
    settled,    // by this answer
    already,    // somebody was first: nothing of this answer is stored
    duplicate,  // one of Effects::consumed was stored before: nothing of this answer is stored
  };

  How how = How::settled;
  InteractionRow interaction;  // as it is now
};

/// Two calls of `take_due` further apart: the machine slept, the process was stopped, or the clock jumped.
inline constexpr std::chrono::seconds kMaxGap{20};

/// How many runs of dead owners may be at work at once before each has got further.
inline constexpr int kMaxAfterCrash = 8;
/// A run that was at work in so many crashes may be their cause.
inline constexpr int kSuspectAfterCrashes = 2;

/// Runs that a claim leaves to others, or for later.
struct ClaimFilter {
  std::vector<RunId> except = {};
  int max_a_person = 0;                                  // active at once; 0: no limit. Child runs do not count
  std::map<std::string, int, std::less<>> at_work = {};  // active runs per person on the claiming instance
  /// Room for runs of dead owners. Suspects come last, one at a time, when all of it is free, and with nothing else.
  int after_crash = kMaxAfterCrash;
};

/// How many runs may be claimed out of turn at once: they are read and released, and never take the room of others.
inline constexpr int kMaxOutOfTurn = 64;

struct Claimed {
  std::vector<Lease> leases;    // newly claimed: oldest first, out of turn ones last
  std::vector<RunId> has_mail;  // already held, with mail that its holder has not yet appended after
};

struct TakenDues {
  std::vector<DueRow> dues;     // to act on; they return in half a minute unless they are ended
  std::vector<RunId> has_mail;  // runs whose journal got an entry
};

/// Numbers of deliveries by channel: the text of their conversations before the first colon.
using InFlight = std::map<std::string, int, std::less<>>;

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

/// Oldest first. Set either run or interaction: there is no other index.
struct DeliveryFilter {
  std::optional<RunId> run;
  std::optional<InteractionId> interaction;  // its views
  int most = 100;
};

/// The scope of a search: this conversation and those whose key starts with the prefix. Neither set: everything.
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

/// Marks that have not ended, newest first. Set `keys` or `conversation`.
struct MarkFilter {
  std::string kind;
  std::vector<std::string> keys = {};
  std::optional<std::string> conversation = std::nullopt;
  int most = 50;
};

/// Newest first.
struct AuditFilter {
  std::optional<RunId> run;
  std::optional<std::string> person;
  std::optional<std::int64_t> before;  // numbers below this
  int most = 100;
};

/// The rows that one batch removed.
struct Removed {
  std::int64_t results = 0;
  std::int64_t runs = 0;
  std::int64_t audit = 0;
  std::int64_t inbox_keys = 0;
  std::int64_t deliveries = 0;  // without a run
  std::int64_t grants = 0;
  std::int64_t texts = 0;
  std::int64_t spent = 0;
  std::int64_t marks = 0;
  bool more = false;  // there may be more that is too old: call again

  bool operator==(const Removed&) const = default;
};

/// The owner of the text to remove: set exactly one of the first three.
struct ForgetScope {
  std::optional<RunId> run;  // and its child runs
  std::optional<std::string> conversation;
  std::optional<std::string> person;
  std::int64_t after = 0;  // where to continue: `last` of the previous call
};

/// The runs that one batch forgot.
struct Forgotten {
  std::int64_t runs = 0;
  std::int64_t unfinished = 0;  // left unchanged, also if something is still owed: cancel them, or wait
  std::optional<std::int64_t> last = std::nullopt;  // there is more: call again with `after` set to this

  bool operator==(const Forgotten&) const = default;
};

/// Traces that removed text leaves in the files for a while: words in an index, pages in a log.
struct Traces {
  enum class Left {
    none,
    more,        // call again
    being_read,  // somebody reads an old state of the log; a later commit will empty it
  };

  Left left = Left::none;
  // Copies of the whole database that were made before something was removed. No wiping reaches them: a person must
  // delete them.
  std::vector<std::string> copies = {};

  bool operator==(const Traces&) const = default;
};

/// Called on the loop when something may have changed: call `claim`. Only a hint: it may come too often, and claiming
/// must not depend on it alone.
using Hint = std::function<void()>;

class Store {
 public:
  virtual ~Store() = default;

  virtual InstanceId instance() const = 0;

  // Messages. A channel may give its receipt only after `admit` has returned.
  virtual Task<Result<Admitted>> admit(InboundRow message, Route route, Effects effects) = 0;
  virtual Task<Result<ConversationRow>> conversation(std::string key) = 0;

  // Journals. Only the lease holder appends; everyone else sends mail, which a finished run refuses with `conflict`.
  virtual Task<Result<Appended>> append(Lease lease, Seq seen, If condition, std::vector<EntryRow> entries,
                                        Effects effects) = 0;
  virtual Task<Result<>> mail(MailRow mail, Effects effects) = 0;
  virtual Task<Result<std::vector<EntryRow>>> journal(RunId run, Seq from, int most = kAllEntries) = 0;

  // Ownership of runs. `claim` takes runs with mail, released ones, and those whose owner is dead, except those in
  // `except`, and for each person the oldest up to their limit. A person's other runs stay as they are, but one with
  // unread entries is claimed out of turn.
  virtual Task<Result<Claimed>> claim(int most, ClaimFilter filter) = 0;
  virtual Task<Result<>> release(Lease lease, GivenBack how = {}) = 0;
  virtual void on_change(Hint hint) = 0;

  /// A lease by name, for work that only one instance may do. True if this instance holds it now.
  virtual Task<Result<bool>> hold(std::string name) = 0;
  virtual Task<Result<>> let_go(std::string name) = 0;

  // Interactions. The first answer wins; mail to the run and a message that answers are stored with it.
  virtual Task<Result<AnswerStored>> answer(InteractionId interaction, AnswerRow answer, EntryRow mail,
                                            Effects effects) = 0;
  virtual Task<Result<TokenMeaning>> token(std::string token) = 0;
  virtual Task<Result<std::vector<InteractionRow>>> interactions(InteractionFilter filter) = 0;

  // Dues. Call it first at start, then every second: a longer pause than kMaxGap is time in which nobody was up.
  virtual Task<Result<TakenDues>> take_due(int most) = 0;

  // Deliveries: the first unfinished one of each conversation, when its time has come. It is returned as `sending`, or
  // as `unknown` if nobody knows whether it went out; that must be settled first. One postponed by more than an hour is
  // returned at once: the clock that postponed it has been set back.
  // At most `most` of each channel are in flight, counting those of `in_flight`: none takes the room of another.
  virtual Task<Result<std::vector<DeliveryRow>>> take_deliveries(int most, InFlight in_flight = {}) = 0;
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
  /// Of one day, under these scopes alone: a company has many people, and every request to a model asks this.
  virtual Task<Result<std::vector<SpendRow>>> spent_on(std::string day, std::vector<std::string> scopes) = 0;
  virtual Task<Result<std::string>> result(RunId run, std::string call) = 0;
  virtual Task<Result<std::string>> text(std::string digest) = 0;
  /// The best `most` matches within the scope. A search that takes too long is a `timeout`.
  virtual Task<Result<std::vector<SearchHit>>> search(std::string words, SearchScope scope, int most) = 0;

  virtual Task<Result<std::vector<MarkRow>>> marks(MarkFilter filter) = 0;

  // Reading back what a channel missed. The cursor of a channel is empty until one is set.
  virtual Task<Result<std::string>> cursor(std::string channel) = 0;
  virtual Task<Result<>> set_cursor(std::string channel, std::string cursor) = 0;
  /// Conversations whose key begins with `<channel>:`: those with unfinished runs, then those with runs that began
  /// since then, each newest first.
  virtual Task<Result<std::vector<std::string>>> active_conversations(std::string channel, Timestamp since,
                                                                      int most) = 0;

  /// Applies to every instance.
  virtual Task<Result<BrakeRow>> brake() = 0;
  virtual Task<Result<>> set_brake(BrakeRow brake, Effects effects) = 0;

  virtual Task<Result<>> revoke_grant(GrantId grant, std::string by, Effects effects) = 0;

  // Retention and forgetting. Each call is a batch of at most `most` rows of a kind and about 256 KB, so that others
  // get their turn in between.
  virtual Task<Result<Removed>> remove_old(Retention retention, int most) = 0;
  /// Removes text, results and search rows of finished runs, and ends grants; ids, times, digests and approvers stay.
  /// `not_found` for an unknown run. The effects are applied with each call: pass them once.
  virtual Task<Result<Forgotten>> forget(ForgetScope scope, Effects effects, int most) = 0;
  /// One step towards leaving no trace of removed text. What is left to do survives a crash: any instance may take the
  /// next step.
  virtual Task<Result<Traces>> wipe() = 0;
};

}  // namespace deputy::store
