#include "store/sqlite/effects.h"

#include <fmt/format.h>

#include "store/sqlite/decode.h"
#include "store/sqlite/interactions.h"
#include "store/sqlite/journal.h"
#include "store/sqlite/marks.h"

namespace deputy::store {

namespace {

Result<> owe(Transaction& in, const DeliveryRow& delivery) {
  const std::string id = delivery.id.text();
  const auto run = text_of(delivery.run);
  const auto interaction = text_of(delivery.interaction);
  sqlite::Statement insert = in.database.prepare(
      "INSERT INTO deliveries (id, conversation, kind, body, owed_at, run, interaction, state, ref, attempts, next_at) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, 'owed', ?, 0, ?)");
  in.wakes = true;
  return insert.bind(1, id)
      .bind(2, delivery.conversation)
      .bind(3, delivery.kind)
      .bind(4, delivery.body)
      .bind(5, to_millis(delivery.owed_at))
      .bind(6, run)
      .bind(7, interaction)
      .bind(8, delivery.ref)
      .bind(9, to_millis(delivery.next_at))
      .run();
}

Result<> keep_draft(Transaction& in, const std::pair<InteractionId, std::string>& draft) {
  const std::string id = draft.first.text();
  sqlite::Statement update =
      in.database.prepare("UPDATE interactions SET draft = ? WHERE id = ? AND state = 'pending'");
  return update.bind(1, draft.second).bind(2, id).run();
}

Result<> keep_as_seen(Transaction& in, const ConsumedRow& message) {
  sqlite::Statement insert =
      in.database.prepare("INSERT OR IGNORE INTO inbox (key, conversation, at) VALUES (?, ?, ?)");
  TRY(insert.bind(1, message.key).bind(2, message.conversation).bind(3, to_millis(in.now)).run());
  if (in.database.changes() == 1) return {};
  return fail(ErrorKind::conflict, fmt::format("message {} was stored before", message.key));
}

Result<> put_due(Transaction& in, const DueRow& due) {
  sqlite::Statement insert = in.database.prepare(
      "INSERT OR REPLACE INTO dues (kind, id, at, run, entry_kind, entry_version, entry_body, stops_while_down) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  insert.bind(1, due.kind).bind(2, due.id).bind(3, to_millis(due.at)).bind(8, std::int64_t{due.stops_while_down});
  if (!due.mail) return insert.bind(4, nullptr).bind(5, nullptr).bind(6, nullptr).bind(7, nullptr).run();
  const std::string run = due.mail->run.text();
  const EntryRow& entry = due.mail->entry;
  return insert.bind(4, run).bind(5, entry.kind).bind(6, entry.version).bind(7, entry.body).run();
}

Result<> end_due(Transaction& in, const DueKey& due) {
  sqlite::Statement remove = in.database.prepare("DELETE FROM dues WHERE kind = ? AND id = ?");
  return remove.bind(1, due.kind).bind(2, due.id).run();
}

Result<> adopt(Transaction& in, const AdoptedRow& seen) {
  const std::string id = seen.id.text();
  sqlite::Statement update = in.database.prepare(
      "UPDATE deliveries SET state = 'sent', ref = ?, taker = NULL WHERE id = ? AND state = 'unknown'");
  TRY(update.bind(1, seen.ref).bind(2, id).run());
  in.wakes = in.wakes || in.database.changes() > 0;  // what waits behind it may go
  return {};
}

Result<> give_grant(Transaction& in, const GrantRow& grant) {
  const std::string id = grant.id.text();
  sqlite::Statement insert = in.database.prepare(
      "INSERT INTO grants (id, conversation, tool, holder, by, body, created_at, ends_at, max_uses, uses, revoked_by) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, '')");
  return insert.bind(1, id)
      .bind(2, grant.conversation)
      .bind(3, grant.tool)
      .bind(4, grant.holder)
      .bind(5, grant.by)
      .bind(6, grant.body)
      .bind(7, to_millis(grant.created_at))
      .bind(8, to_millis(grant.ends_at))
      .bind(9, grant.max_uses)
      .run();
}

Result<> use_grant(Transaction& in, const GrantId& grant) {
  const std::string id = grant.text();
  sqlite::Statement use = in.database.prepare(
      "UPDATE grants SET uses = uses + 1 WHERE id = ? AND revoked_at IS NULL AND ends_at > ? AND (max_uses IS NULL OR "
      "uses < max_uses)");
  TRY(use.bind(1, id).bind(2, to_millis(in.now)).run());
  if (in.database.changes() == 1) return {};
  return fail(ErrorKind::conflict, fmt::format("grant {} is used up, ended or revoked", id));
}

Result<> spend(Transaction& in, const SpendRow& spent) {
  sqlite::Statement add = in.database.prepare(
      "INSERT INTO spent (scope, day, millionths) VALUES (?, ?, ?) "
      "ON CONFLICT (scope, day) DO UPDATE SET millionths = millionths + excluded.millionths");
  return add.bind(1, spent.scope).bind(2, spent.day).bind(3, spent.millionths).run();
}

Result<> note(Transaction& in, const AuditRow& audit) {
  const auto run = text_of(audit.run);
  sqlite::Statement insert =
      in.database.prepare("INSERT INTO audit (at, kind, person, run, digest, body) VALUES (?, ?, ?, ?, ?, ?)");
  return insert.bind(1, to_millis(audit.at))
      .bind(2, audit.kind)
      .bind(3, audit.person)
      .bind(4, run)
      .bind(5, audit.digest)
      .bind(6, audit.body)
      .run();
}

Result<> keep_result(Transaction& in, const ResultRow& result) {
  const std::string run = result.run.text();
  sqlite::Statement insert =
      in.database.prepare("INSERT OR REPLACE INTO results (run, call, at, body) VALUES (?, ?, ?, ?)");
  return insert.bind(1, run).bind(2, result.call).bind(3, to_millis(in.now)).bind(4, result.body).run();
}

Result<> keep_text(Transaction& in, const TextRow& text) {
  // The time is updated at most once a day: most runs store the same texts.
  sqlite::Statement insert = in.database.prepare(
      "INSERT INTO texts (digest, body, at) VALUES (?1, ?2, ?3) "
      "ON CONFLICT (digest) DO UPDATE SET at = ?3 WHERE at < ?3 - 86400000");
  return insert.bind(1, text.digest).bind(2, text.body).bind(3, to_millis(in.now)).run();
}

// A run has one search row, under its own number.
Result<> index(Transaction& in, const SearchRow& search) {
  const std::string run = search.run.text();
  sqlite::Statement remove =
      in.database.prepare("DELETE FROM search WHERE rowid = (SELECT number FROM runs WHERE id = ?)");
  TRY(remove.bind(1, run).run());
  sqlite::Statement insert =
      in.database.prepare("INSERT INTO search (rowid, text) SELECT number, ? FROM runs WHERE id = ?");
  return insert.bind(1, search.text).bind(2, run).run();
}

template <class Row>
Result<> each(Transaction& in, const std::vector<Row>& rows, Result<> (*write)(Transaction&, const Row&)) {
  for (const Row& row : rows) TRY(write(in, row));
  return {};
}

}  // namespace

Result<> apply(Transaction& in, const Effects& effects) {
  TRY(each(in, effects.grants_used, use_grant));
  TRY(each(in, effects.children, create_run));
  for (const MailRow& mail : effects.mail) TRY(put_mail(in, mail));
  TRY(each(in, effects.interactions, open_interaction));
  for (const auto& [id, answer] : effects.settled) TRY(settle(in, id, answer));
  TRY(each(in, effects.drafts, keep_draft));
  TRY(each(in, effects.consumed, keep_as_seen));
  TRY(each(in, effects.deliveries, owe));
  TRY(each(in, effects.adopted, adopt));
  TRY(each(in, effects.dues, put_due));
  TRY(each(in, effects.dues_ended, end_due));
  TRY(each(in, effects.spent, spend));
  TRY(each(in, effects.audit, note));
  TRY(each(in, effects.results, keep_result));
  TRY(each(in, effects.texts, keep_text));
  TRY(each(in, effects.search, index));
  TRY(each(in, effects.marks_ended, end_mark));
  TRY(each(in, effects.marks, put_mark));
  return each(in, effects.grants, give_grant);
}

}  // namespace deputy::store
