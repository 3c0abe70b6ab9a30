// The rows a store keeps: ids, times, short words and bytes. The folder that wrote a body knows what it means.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "base/result.h"

namespace deputy::store {

/// Position in a journal, from 1.
using Seq = std::int64_t;

/// "`what` is damaged", and why: the error for a stored body that cannot be read. The caller did nothing wrong, so it
/// is never invalid_input.
std::unexpected<Error> damaged(std::string_view what, const Error& why);

/// One entry of a run's journal. The store assigns the seq.
struct EntryRow {
  Seq seq = 0;
  Timestamp at;
  std::string kind;
  int version = 1;
  std::string body;

  bool operator==(const EntryRow&) const = default;
};

enum class RunStatus {
  open,      // being worked on, or ready for it
  parked,    // waiting for mail
  finished,  // accepts no more entries
};

/// A new run with the first entry of its journal.
struct NewRunRow {
  RunId run;
  std::string conversation;
  std::string requester;
  EntryRow first;
  std::optional<RunId> parent = std::nullopt;  // set for a child run, which accepts no notes
  std::optional<InstanceId> home =
      std::nullopt;  // only this instance may work on it while it lives (a terminal); a child run has its parent's
  std::string headline = {};  // a short description
};

/// A run as lists show it.
struct RunRow {
  RunId run;
  std::string conversation;
  std::string requester;
  RunStatus state = RunStatus::open;
  std::string outcome;   // how it finished, in one of the run's own words
  std::string headline;  // a short description
  std::optional<RunId> parent;
  Timestamp created_at;
  std::optional<Timestamp> finished_at;
  bool forgotten = false;

  bool operator==(const RunRow&) const = default;
};

/// The right to append to a run. `fence` grows with every claim, so an old holder is refused.
struct Lease {
  enum class After { fresh, mail, release, crash };

  RunId run;
  InstanceId instance;
  std::int64_t fence = 0;
  After after = After::fresh;
  std::string person;  // whose limit it counts against; empty for a child run, which counts against nobody's
  /// False: this person's limit is reached. It was claimed only because of unread entries.
  bool in_turn = true;
  int crashes = 0;  // owners that died while they worked on it, since it last waited or was released

  bool operator==(const Lease&) const = default;
};

/// How a run is released.
struct GivenBack {
  Lease::After as = Lease::After::release;  // what its next holder is told
  /// Its entries were read: it waits for its person's turn, and only new entries get it claimed earlier.
  bool is_read = false;
};

/// A message as its channel received it. `key` is the platform's id of it: a second message with the same key is a
/// duplicate.
struct InboundRow {
  std::string key;
  std::string conversation;
  std::int64_t conversation_version = 0;  // the version that its route was based on
};

/// A message stored by a write other than `admit`, because it settles something.
struct ConsumedRow {
  std::string key;
  std::string conversation;
};

/// Mail for a run: an entry written by someone other than its owner.
struct MailRow {
  RunId run;
  EntryRow entry;
};

/// The destination of an admitted message.
struct ToNobody {};  // kept as seen; the reply to it is in the Effects
using Route = std::variant<ToNobody, NewRunRow, MailRow>;

/// The state that the dispatcher decides on. `version` changes whenever anything else here does; 0 for an unknown
/// conversation.
struct ConversationRow {
  std::int64_t version = 0;
  std::optional<RunId> newest_run;  // not a child run
  RunStatus newest_state = RunStatus::finished;
  std::vector<InteractionId> pending;  // oldest first

  bool operator==(const ConversationRow&) const = default;
};

enum class InteractionState { pending, approved, denied, answered, expired, cancelled };

/// A callback identifier in a view: opaque to the platform, looked up here.
struct TokenRow {
  std::string token;
  std::string body;
};

struct InteractionRow {
  InteractionId id;
  RunId run;
  std::string call;
  std::string conversation;
  std::string kind;    // approval | questions
  std::string digest;  // of what was shown
  std::string code;    // for typed answers
  std::string body;
  Timestamp created_at;
  Timestamp expires_at;
  std::string draft;
  InteractionState state = InteractionState::pending;
  std::string response;
  std::string responded_by;
  std::optional<Timestamp> responded_at;

  bool operator==(const InteractionRow&) const = default;
};

struct NewInteractionRow {
  InteractionRow interaction;
  std::vector<TokenRow> tokens;
};

/// The meaning of a token.
struct TokenMeaning {
  InteractionRow interaction;
  std::string body;
};

struct AnswerRow {
  InteractionState state = InteractionState::answered;
  std::string response;
  std::string by;
  Timestamp at;
};

enum class DeliveryState { owed, sending, sent, unknown, dead };

/// One thing a channel must show. A conversation's deliveries go out in the order they were owed.
struct DeliveryRow {
  DeliveryId id;
  std::string conversation;
  std::string kind;
  std::string body;
  Timestamp owed_at;
  std::optional<RunId> run = std::nullopt;
  std::optional<InteractionId> interaction = std::nullopt;  // if it is a view of one
  DeliveryState state = DeliveryState::owed;
  std::string ref = {};  // the platform's id of the sent message
  int attempts = 0;
  Timestamp next_at = {};  // not before

  bool operator==(const DeliveryRow&) const = default;
};

/// The new state of a delivery that this instance took.
struct DeliveryChange {
  DeliveryId id;
  DeliveryState state = DeliveryState::sent;
  std::string ref;
  Timestamp next_at;  // for owed and unknown: when to retry
};

/// A delivery that nobody knew the fate of has arrived: somebody saw it. Ignored unless it is still in doubt.
struct AdoptedRow {
  DeliveryId id;
  std::string ref;
};

/// An event at a time. With `mail`, taking it adds that entry to the run's journal. Without, the taker acts, and the
/// transaction that ends the wait removes it.
struct DueRow {
  std::string kind;
  std::string id;  // unique within its kind
  Timestamp at;
  std::optional<MailRow> mail = std::nullopt;
  bool stops_while_down = false;  // time with no instance running does not count
};

struct DueKey {
  std::string kind;
  std::string id;

  bool operator==(const DueKey&) const = default;
};

struct GrantRow {
  GrantId id;
  std::string conversation;
  std::string tool;
  std::string holder;  // the person it is for
  std::string by;      // the person who gave it
  std::string body;    // the digest or the pins it is bound to
  Timestamp created_at;
  Timestamp ends_at;
  std::optional<std::int64_t> max_uses = std::nullopt;  // absent: unlimited
  std::int64_t uses = 0;
  std::optional<Timestamp> revoked_at = std::nullopt;
  std::string revoked_by = {};

  bool operator==(const GrantRow&) const = default;
};

/// Money spent, in millionths, under a scope such as "person:ana" and a day such as "2026-11-15".
struct SpendRow {
  std::string scope;
  std::string day;
  std::int64_t millionths = 0;

  bool operator==(const SpendRow&) const = default;
};

/// The pause, on every instance until it is resumed.
enum class Pause { off, writes, all };

struct BrakeRow {
  Pause brake = Pause::off;
  std::string by;
  Timestamp at{};

  bool operator==(const BrakeRow&) const = default;
};

/// A small fact that outlives its message: a mute, a request that was missed, feedback on a run. There is one of each
/// kind and key.
struct MarkRow {
  std::string kind;
  std::string key;
  std::string conversation = {};            // forgotten with it
  std::string person = {};                  // forgotten with them
  std::optional<RunId> run = std::nullopt;  // removed with it
  std::string body = {};
  Timestamp at = {};
  std::optional<Timestamp> ends_at = std::nullopt;  // absent: as long as its run, or for good

  bool operator==(const MarkRow&) const = default;
};

struct MarkKey {
  std::string kind;
  std::string key;

  bool operator==(const MarkKey&) const = default;
};

struct AuditRow {
  Timestamp at;
  std::string kind;
  std::string person;
  std::optional<RunId> run = std::nullopt;
  std::string digest = {};
  std::string body = {};
  std::int64_t number = 0;  // assigned by the store

  bool operator==(const AuditRow&) const = default;
};

/// The whole result of a call, kept next to the journal.
struct ResultRow {
  RunId run;
  std::string call;
  std::string body;
};

/// A text stored once under its digest: system prompts, tool lists. It is removed some time after the last run that may
/// need it.
struct TextRow {
  std::string digest;
  std::string body;
};

/// The text by which `search` finds a run.
struct SearchRow {
  RunId run;
  std::string text;
};

struct SearchHit {
  RunId run;
  std::string conversation;
  Timestamp created_at;
  std::string snippet;
};

/// Rows older than these ages are removed, in small batches.
struct Retention {
  std::chrono::milliseconds results;
  std::chrono::milliseconds runs;   // finished ones; also deliveries without a run, and grants that ended
  std::chrono::milliseconds audit;  // and spending
  std::chrono::milliseconds inbox_keys;
};

/// The changes that an append makes to its run, besides adding entries.
struct RunChange {
  RunStatus to = RunStatus::open;
  std::string outcome = {};  // if finished
};

/// Rows written together with another write, or not at all.
struct Effects {
  std::optional<RunChange> run = std::nullopt;  // append only
  std::vector<NewRunRow> children = {};
  std::vector<MailRow> mail = {};  // to other runs; dropped if the run has finished or is gone
  std::vector<NewInteractionRow> interactions = {};
  std::vector<std::pair<InteractionId, AnswerRow>> settled = {};   // closed by the run itself, if still pending
  std::vector<std::pair<InteractionId, std::string>> drafts = {};  // answers so far, if still pending
  std::vector<ConsumedRow> consumed =
      {};  // if one was stored before, all is refused: `answer` returns duplicate, others `conflict`
  std::vector<DeliveryRow> deliveries = {};
  std::vector<AdoptedRow> adopted = {};
  std::vector<DueRow> dues = {};  // replaces one with the same kind and id
  std::vector<DueKey> dues_ended = {};
  std::vector<GrantRow> grants = {};
  std::vector<GrantId> grants_used = {};  // all is refused with `conflict` if one is used up, ended or revoked
  std::vector<SpendRow> spent = {};
  std::vector<AuditRow> audit = {};
  std::vector<ResultRow> results = {};
  std::vector<TextRow> texts = {};
  std::vector<SearchRow> search = {};
  std::vector<MarkRow> marks = {};  // replaces one with the same kind and key
  std::vector<MarkKey> marks_ended = {};

  /// Adds all of `more`; its RunChange counts only if there is none here.
  void add(Effects more);
};

}  // namespace deputy::store
