#include "store/sqlite/decode.h"

#include <fmt/format.h>

#include <array>

#include "base/text.h"

namespace deputy::store {

namespace {

template <class State>
struct Named {
  State state;
  std::string_view name;
};

constexpr std::array<Named<RunState>, 3> kRunStates{
    {{RunState::open, "open"}, {RunState::parked, "parked"}, {RunState::finished, "finished"}}};

constexpr std::array<Named<InteractionState>, 6> kInteractionStates{{
    {InteractionState::pending, "pending"},
    {InteractionState::approved, "approved"},
    {InteractionState::denied, "denied"},
    {InteractionState::answered, "answered"},
    {InteractionState::expired, "expired"},
    {InteractionState::cancelled, "cancelled"},
}};

constexpr std::array<Named<DeliveryState>, 5> kDeliveryStates{{
    {DeliveryState::owed, "owed"},
    {DeliveryState::sending, "sending"},
    {DeliveryState::sent, "sent"},
    {DeliveryState::unknown, "unknown"},
    {DeliveryState::dead, "dead"},
}};

template <class State, std::size_t N>
std::string_view name_in(const std::array<Named<State>, N>& states, State state) {
  for (const auto& known : states) {
    if (known.state == state) return known.name;
  }
  return {};
}

template <class State, std::size_t N>
Result<State> state_in(const std::array<Named<State>, N>& states, std::string_view text) {
  for (const auto& known : states) {
    if (known.name == text) return known.state;
  }
  return fail(ErrorKind::internal, fmt::format("the store holds a state it does not know: `{}`",
                                               to_valid_utf8(std::string(text.substr(0, 40)))));
}

// Reads columns one after another.
class Columns {
 public:
  explicit Columns(const sqlite::Statement& row) : row_(row) {}

  std::string text() { return std::string(row_.text(next_++)); }
  std::int64_t integer() { return row_.integer(next_++); }
  Timestamp time() { return from_millis(integer()); }

  std::optional<Timestamp> optional_time() {
    const std::optional<std::int64_t> millis = row_.optional_integer(next_++);
    if (!millis) return std::nullopt;
    return from_millis(*millis);
  }
  std::optional<std::int64_t> optional_integer() { return row_.optional_integer(next_++); }

  template <class Id>
  Result<Id> id() {
    return Id::parse(row_.text(next_++));
  }
  template <class Id>
  Result<std::optional<Id>> optional_id() {
    if (row_.is_null(next_)) {
      ++next_;
      return std::optional<Id>{};
    }
    TRY(Id parsed, id<Id>());
    return std::optional<Id>(parsed);
  }

 private:
  const sqlite::Statement& row_;
  int next_ = 0;
};

}  // namespace

std::string_view name(RunState state) { return name_in(kRunStates, state); }
std::string_view name(InteractionState state) { return name_in(kInteractionStates, state); }
std::string_view name(DeliveryState state) { return name_in(kDeliveryStates, state); }

Result<RunState> run_state(std::string_view text) { return state_in(kRunStates, text); }
Result<InteractionState> interaction_state(std::string_view text) { return state_in(kInteractionStates, text); }
Result<DeliveryState> delivery_state(std::string_view text) { return state_in(kDeliveryStates, text); }

Result<EntryRow> decode_entry(const sqlite::Statement& row) {
  Columns columns(row);
  EntryRow entry;
  entry.seq = columns.integer();
  entry.at = columns.time();
  entry.kind = columns.text();
  entry.version = static_cast<int>(columns.integer());
  entry.body = columns.text();
  return entry;
}

Result<RunRow> decode_run(const sqlite::Statement& row) {
  Columns columns(row);
  RunRow run;
  TRY(run.run, columns.id<RunId>());
  run.conversation = columns.text();
  run.requester = columns.text();
  TRY(run.state, run_state(columns.text()));
  run.outcome = columns.text();
  run.headline = columns.text();
  TRY(run.parent, columns.optional_id<RunId>());
  run.created_at = columns.time();
  run.finished_at = columns.optional_time();
  run.forgotten = columns.integer() != 0;
  return run;
}

Result<InteractionRow> decode_interaction(const sqlite::Statement& row) {
  Columns columns(row);
  InteractionRow interaction;
  TRY(interaction.id, columns.id<InteractionId>());
  TRY(interaction.run, columns.id<RunId>());
  interaction.call = columns.text();
  interaction.conversation = columns.text();
  interaction.kind = columns.text();
  interaction.digest = columns.text();
  interaction.code = columns.text();
  interaction.body = columns.text();
  interaction.created_at = columns.time();
  interaction.expires_at = columns.time();
  interaction.draft = columns.text();
  TRY(interaction.state, interaction_state(columns.text()));
  interaction.response = columns.text();
  interaction.responded_by = columns.text();
  interaction.responded_at = columns.optional_time();
  return interaction;
}

Result<DeliveryRow> decode_delivery(const sqlite::Statement& row) {
  Columns columns(row);
  DeliveryRow delivery;
  TRY(delivery.id, columns.id<DeliveryId>());
  delivery.conversation = columns.text();
  delivery.kind = columns.text();
  delivery.body = columns.text();
  delivery.owed_at = columns.time();
  TRY(delivery.run, columns.optional_id<RunId>());
  TRY(delivery.interaction, columns.optional_id<InteractionId>());
  TRY(delivery.state, delivery_state(columns.text()));
  delivery.ref = columns.text();
  delivery.attempts = static_cast<int>(columns.integer());
  delivery.next_at = columns.time();
  return delivery;
}

Result<GrantRow> decode_grant(const sqlite::Statement& row) {
  Columns columns(row);
  GrantRow grant;
  TRY(grant.id, columns.id<GrantId>());
  grant.conversation = columns.text();
  grant.tool = columns.text();
  grant.holder = columns.text();
  grant.by = columns.text();
  grant.body = columns.text();
  grant.created_at = columns.time();
  grant.ends_at = columns.time();
  grant.most_uses = columns.optional_integer();
  grant.uses = columns.integer();
  grant.revoked_at = columns.optional_time();
  grant.revoked_by = columns.text();
  return grant;
}

Result<AuditRow> decode_audit(const sqlite::Statement& row) {
  Columns columns(row);
  AuditRow audit;
  audit.at = columns.time();
  audit.kind = columns.text();
  audit.person = columns.text();
  TRY(audit.run, columns.optional_id<RunId>());
  audit.digest = columns.text();
  audit.body = columns.text();
  audit.number = columns.integer();
  return audit;
}

Result<DueRow> decode_due(const sqlite::Statement& row) {
  Columns columns(row);
  DueRow due;
  due.kind = columns.text();
  due.id = columns.text();
  due.at = columns.time();
  TRY(const std::optional<RunId> run, columns.optional_id<RunId>());
  EntryRow entry;
  entry.kind = columns.text();
  entry.version = static_cast<int>(columns.integer());
  entry.body = columns.text();
  if (run) due.mail = MailRow{*run, std::move(entry)};
  due.stops_while_down = columns.integer() != 0;
  return due;
}

}  // namespace deputy::store
