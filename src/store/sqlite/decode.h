// Decodes SQLite rows into types. The file may have been damaged or edited: a row that does not decode is an error,
// never a guess.
#pragma once

#include <string_view>

#include "base/sqlite.h"
#include "store/rows.h"

namespace deputy::store {

std::string_view name(RunStatus state);
std::string_view name(Pause brake);
std::string_view name(InteractionState state);
std::string_view name(DeliveryState state);

Result<RunStatus> run_status(std::string_view text);
Result<Pause> brake_of(std::string_view text);
Result<InteractionState> interaction_state(std::string_view text);
Result<DeliveryState> delivery_state(std::string_view text);

// Each decoder reads the columns of its list, which queries paste after SELECT.
constexpr std::string_view kEntryColumns = "seq, at, kind, version, body";
constexpr std::string_view kRunColumns =
    "id, conversation, requester, state, outcome, headline, parent, created_at, finished_at, forgotten";
constexpr std::string_view kInteractionColumns =
    "id, run, call, conversation, kind, digest, code, body, created_at, expires_at, draft, state, response, "
    "responded_by, responded_at";
constexpr std::string_view kDeliveryColumns =
    "id, conversation, kind, body, owed_at, run, interaction, state, ref, attempts, next_at";
constexpr std::string_view kGrantColumns =
    "id, conversation, tool, holder, by, body, created_at, ends_at, max_uses, uses, revoked_at, revoked_by";
constexpr std::string_view kAuditColumns = "at, kind, person, run, digest, body, number";
constexpr std::string_view kDueColumns = "kind, id, at, run, entry_kind, entry_version, entry_body, stops_while_down";

Result<EntryRow> decode_entry(const sqlite::Statement& row);
Result<RunRow> decode_run(const sqlite::Statement& row);
Result<InteractionRow> decode_interaction(const sqlite::Statement& row);
Result<DeliveryRow> decode_delivery(const sqlite::Statement& row);
Result<GrantRow> decode_grant(const sqlite::Statement& row);
Result<AuditRow> decode_audit(const sqlite::Statement& row);
Result<DueRow> decode_due(const sqlite::Statement& row);

/// The id in a column.
template <class Id>
std::optional<std::string> text_of(const std::optional<Id>& id) {
  return id ? std::optional(id->text()) : std::nullopt;
}

/// All rows of a statement.
template <class Row>
Result<std::vector<Row>> decode_all(sqlite::Statement& statement, Result<Row> (*decode)(const sqlite::Statement&)) {
  std::vector<Row> rows;
  for (;;) {
    TRY(const bool has_row, statement.step());
    if (!has_row) return rows;
    TRY(Row row, decode(statement));
    rows.push_back(std::move(row));
  }
}

}  // namespace deputy::store
