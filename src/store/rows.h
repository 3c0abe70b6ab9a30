// The rows a store keeps. They are made of ids, times, short words and bytes: what a body says is the business of the
// folder that wrote it.
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

/// "`what` is damaged", and why: for whoever reads a body that is not what was stored. Whoever asked for it did nothing
/// wrong, so it is never invalid_input.
std::unexpected<Error> damaged(std::string_view what, const Error& why);

/// One fact of a run's journal. The store gives the seq.
struct EntryRow {
  Seq seq = 0;
  Timestamp at;
  std::string kind;
  int version = 1;
  std::string body;

  bool operator==(const EntryRow&) const = default;
};

enum class RunStatus {
  open,      // somebody works on it, or should
  parked,    // waits for mail
  finished,  // takes no more entries
};

/// A run about to exist, with the first entry of its journal.
struct NewRunRow {
  RunId run;
  std::string conversation;
  std::string requester;
  EntryRow first;
  std::optional<RunId> parent = std::nullopt;  // set for a child run, which takes no notes
  std::optional<InstanceId> home =
      std::nullopt;  // only this instance may work on it while it lives (a terminal); a child run has its parent's
  std::string headline = {};  // what it is about
};

/// What lists show of a run.
struct RunRow {
  RunId run;
  std::string conversation;
  std::string requester;
  RunStatus state = RunStatus::open;
  std::string outcome;   // how it finished, in a word of the run's
  std::string headline;  // what it was about
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
  std::string person;  // whose turn it takes; empty for a child run, which takes nobody's
  /// False: that person has enough at work. It was taken only because of entries that nobody has read yet.
  bool in_turn = true;

  bool operator==(const Lease&) const = default;
};

/// How a run is given back.
struct GivenBack {
  Lease::After as = Lease::After::release;  // what its next holder hears
  /// Its entries were read: it waits its person's turn, and only new ones have it claimed before.
  bool is_read = false;
};

/// A message as its channel received it. `key` is the platform's identity of it: a second one with the same key is a
/// duplicate.
struct InboundRow {
  std::string key;
  std::string conversation;
  std::int64_t conversation_version = 0;  // the version its route was decided on
};

/// A message that is taken in by another write than `admit`, because it settles something.
struct ConsumedRow {
  std::string key;
  std::string conversation;
};

/// Mail for a run: an entry written by someone other than its owner.
struct MailRow {
  RunId run;
  EntryRow entry;
};

/// Where an admitted message goes.
struct ToNobody {};  // kept as seen; what it is answered is in the Effects
using Route = std::variant<ToNobody, NewRunRow, MailRow>;

/// What the dispatcher decides on. `version` moves whenever any of the rest does; 0 for a conversation never seen.
struct ConversationRow {
  std::int64_t version = 0;
  std::optional<RunId> newest_run;  // that is no child run
  RunStatus newest_state = RunStatus::finished;
  std::vector<InteractionId> pending;  // oldest first

  bool operator==(const ConversationRow&) const = default;
};

enum class InteractionState { pending, approved, denied, answered, expired, cancelled };

/// A callback identifier that a view carries: opaque to the platform, looked up here.
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

/// What a token stands for.
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

/// One thing a channel must come to show. Deliveries of a conversation go out in the order they were owed.
struct DeliveryRow {
  DeliveryId id;
  std::string conversation;
  std::string kind;
  std::string body;
  Timestamp owed_at;
  std::optional<RunId> run = std::nullopt;
  std::optional<InteractionId> interaction = std::nullopt;  // when it is a view of one
  DeliveryState state = DeliveryState::owed;
  std::string ref = {};  // the platform's name of what was sent
  int attempts = 0;
  Timestamp next_at = {};  // not before

  bool operator==(const DeliveryRow&) const = default;
};

/// What became of a delivery this instance took.
struct DeliveryChange {
  DeliveryId id;
  DeliveryState state = DeliveryState::sent;
  std::string ref;
  Timestamp next_at;  // for owed and unknown: when to try again
};

/// Something happens at a time. With `mail`, taking it puts that entry into the run's journal; without, whoever takes
/// it acts, and the transaction that ends the wait removes it.
struct DueRow {
  std::string kind;
  std::string id;  // unique within its kind
  Timestamp at;
  std::optional<MailRow> mail = std::nullopt;
  bool stops_while_down = false;  // time in which no instance was up does not count
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
  std::string body;    // the digest or the pins it holds for
  Timestamp created_at;
  Timestamp ends_at;
  std::optional<std::int64_t> most_uses = std::nullopt;  // absent: not counted
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

/// What nobody may do until it is taken off again.
enum class Brake { off, writes, all };

struct BrakeRow {
  Brake brake = Brake::off;
  std::string by;
  Timestamp at{};

  bool operator==(const BrakeRow&) const = default;
};

struct AuditRow {
  Timestamp at;
  std::string kind;
  std::string person;
  std::optional<RunId> run = std::nullopt;
  std::string digest = {};
  std::string body = {};
  std::int64_t number = 0;  // given by the store

  bool operator==(const AuditRow&) const = default;
};

/// The whole result of a call, beside the journal.
struct ResultRow {
  RunId run;
  std::string call;
  std::string body;
};

/// A text kept once under its digest: system prompts, tool lists. It goes some time after the last run that was started
/// before anybody put it last.
struct TextRow {
  std::string digest;
  std::string body;
};

/// What `search` finds a run by.
struct SearchRow {
  RunId run;
  std::string text;
};

struct Found {
  RunId run;
  std::string conversation;
  Timestamp created_at;
  std::string snippet;
};

/// What is older than these ages goes, in small batches.
struct Retention {
  std::chrono::milliseconds results;
  std::chrono::milliseconds runs;   // finished ones; also deliveries of no run, and grants that are over
  std::chrono::milliseconds audit;  // and what was spent
  std::chrono::milliseconds inbox_keys;
};

/// What an append does to its run, beside adding entries.
struct RunChange {
  RunStatus to = RunStatus::open;
  std::string outcome = {};  // with finished
};

/// The rows that appear together with a write, or not at all.
struct Effects {
  std::optional<RunChange> run = std::nullopt;  // append only
  std::vector<NewRunRow> children = {};
  std::vector<MailRow> mail = {};  // to other runs; one that has finished or is gone does not get it
  std::vector<NewInteractionRow> interactions = {};
  std::vector<std::pair<InteractionId, AnswerRow>> settled = {};   // closed by the run itself, where still pending
  std::vector<std::pair<InteractionId, std::string>> drafts = {};  // answers so far, where still pending
  std::vector<ConsumedRow> consumed = {};  // one taken in before refuses all: `answer` says so, others `conflict`
  std::vector<DeliveryRow> deliveries = {};
  std::vector<DueRow> dues = {};  // replaces one of the same kind and id
  std::vector<DueKey> dues_ended = {};
  std::vector<GrantRow> grants = {};
  std::vector<GrantId> grants_used = {};  // all refused with `conflict` when one is spent, ended or revoked
  std::vector<SpendRow> spent = {};
  std::vector<AuditRow> audit = {};
  std::vector<ResultRow> results = {};
  std::vector<TextRow> texts = {};
  std::vector<SearchRow> search = {};

  /// All of `more` as well; what it does to the run counts where nothing else is said here.
  void add(Effects more);
};

}  // namespace deputy::store
