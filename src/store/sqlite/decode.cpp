#include "store/sqlite/decode.h"

#include <fmt/format.h>

#include <array>

#include "base/text.h"
#include "store/sqlite/columns.h"

namespace deputy::store {

namespace {

template <class State>
struct Named {
  State state;
  std::string_view name;
};

constexpr std::array<Named<Pause>, 3> kBrakes{{{Pause::off, "off"}, {Pause::writes, "writes"}, {Pause::all, "all"}}};
constexpr std::array<Named<RunStatus>, 3> kRunStates{
    {{RunStatus::open, "open"}, {RunStatus::parked, "parked"}, {RunStatus::finished, "finished"}}};

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
  return fail(ErrorKind::internal,
              fmt::format("the store contains an unknown state: `{}`", to_valid_utf8(std::string(text.substr(0, 40)))));
}

}  // namespace

std::string_view name(Pause brake) { return name_in(kBrakes, brake); }
std::string_view name(RunStatus state) { return name_in(kRunStates, state); }
std::string_view name(InteractionState state) { return name_in(kInteractionStates, state); }
std::string_view name(DeliveryState state) { return name_in(kDeliveryStates, state); }

Result<Pause> brake_of(std::string_view text) { return state_in(kBrakes, text); }
Result<RunStatus> run_status(std::string_view text) { return state_in(kRunStates, text); }
Result<InteractionState> interaction_state(std::string_view text) { return state_in(kInteractionStates, text); }
Result<DeliveryState> delivery_state(std::string_view text) { return state_in(kDeliveryStates, text); }

Result<EntryRow> decode_entry(const sqlite::Statement& row) {
  Columns columns(row);
  EntryRow entry;
  entry.seq = columns.integer();
  entry.at = columns.time();
  entry.kind = columns.text();
  entry.version = columns.small_integer();
  entry.body = columns.text();
  return columns.done(std::move(entry));
}

Result<RunRow> decode_run(const sqlite::Statement& row) {
  Columns columns(row);
  RunRow run;
  run.run = columns.id<RunId>();
  run.conversation = columns.text();
  run.requester = columns.text();
  run.state = columns.state(&run_status);
  run.outcome = columns.text();
  run.headline = columns.text();
  run.parent = columns.optional_id<RunId>();
  run.created_at = columns.time();
  run.finished_at = columns.optional_time();
  run.forgotten = columns.integer() != 0;
  return columns.done(std::move(run));
}

Result<InteractionRow> decode_interaction(const sqlite::Statement& row) {
  Columns columns(row);
  InteractionRow interaction;
  interaction.id = columns.id<InteractionId>();
  interaction.run = columns.id<RunId>();
  interaction.call = columns.text();
  interaction.conversation = columns.text();
  interaction.kind = columns.text();
  interaction.digest = columns.text();
  interaction.code = columns.text();
  interaction.body = columns.text();
  interaction.created_at = columns.time();
  interaction.expires_at = columns.time();
  interaction.draft = columns.text();
  interaction.state = columns.state(&interaction_state);
  interaction.response = columns.text();
  interaction.responded_by = columns.text();
  interaction.responded_at = columns.optional_time();
  return columns.done(std::move(interaction));
}

Result<DeliveryRow> decode_delivery(const sqlite::Statement& row) {
  Columns columns(row);
  DeliveryRow delivery;
  delivery.id = columns.id<DeliveryId>();
  delivery.conversation = columns.text();
  delivery.kind = columns.text();
  delivery.body = columns.text();
  delivery.owed_at = columns.time();
  delivery.run = columns.optional_id<RunId>();
  delivery.interaction = columns.optional_id<InteractionId>();
  delivery.state = columns.state(&delivery_state);
  delivery.ref = columns.text();
  delivery.attempts = columns.small_integer();
  delivery.next_at = columns.time();
  return columns.done(std::move(delivery));
}

Result<GrantRow> decode_grant(const sqlite::Statement& row) {
  Columns columns(row);
  GrantRow grant;
  grant.id = columns.id<GrantId>();
  grant.conversation = columns.text();
  grant.tool = columns.text();
  grant.holder = columns.text();
  grant.by = columns.text();
  grant.body = columns.text();
  grant.created_at = columns.time();
  grant.ends_at = columns.time();
  grant.max_uses = columns.optional_integer();
  grant.uses = columns.integer();
  grant.revoked_at = columns.optional_time();
  grant.revoked_by = columns.text();
  return columns.done(std::move(grant));
}

Result<AuditRow> decode_audit(const sqlite::Statement& row) {
  Columns columns(row);
  AuditRow audit;
  audit.at = columns.time();
  audit.kind = columns.text();
  audit.person = columns.text();
  audit.run = columns.optional_id<RunId>();
  audit.digest = columns.text();
  audit.body = columns.text();
  audit.number = columns.integer();
  return columns.done(std::move(audit));
}

Result<DueRow> decode_due(const sqlite::Statement& row) {
  Columns columns(row);
  DueRow due;
  due.kind = columns.text();
  due.id = columns.text();
  due.at = columns.time();
  const std::optional<RunId> run = columns.optional_id<RunId>();
  EntryRow entry;
  entry.kind = columns.text_or_empty();
  entry.version = columns.optional_small_integer().value_or(1);
  entry.body = columns.text_or_empty();
  if (run) due.mail = MailRow{*run, std::move(entry)};
  due.stops_while_down = columns.integer() != 0;
  return columns.done(std::move(due));
}

}  // namespace deputy::store
