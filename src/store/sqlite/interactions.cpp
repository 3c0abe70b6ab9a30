#include "store/sqlite/interactions.h"

#include <fmt/format.h>

#include "base/failpoint.h"
#include "store/sqlite/decode.h"
#include "store/sqlite/effects.h"
#include "store/sqlite/journal.h"
#include "store/sqlite/lists.h"

namespace deputy::store {

namespace {

Result<InteractionRow> find(sqlite::Connection& database, const InteractionId& interaction) {
  static const std::string sql = fmt::format("SELECT {} FROM interactions WHERE id = ?", kInteractionColumns);
  const std::string id = interaction.text();
  sqlite::Statement row = database.prepare(sql);
  TRY(const bool found, row.bind(1, id).step());
  if (!found)
    return fail(ErrorKind::not_found, fmt::format("there is no interaction {}", id), "see `deputy interactions list`");
  return decode_interaction(row);
}

// True if one of these messages was stored before.
Result<bool> any_seen(sqlite::Connection& database, const std::vector<ConsumedRow>& messages) {
  for (const ConsumedRow& message : messages) {
    sqlite::Statement seen = database.prepare("SELECT 1 FROM inbox WHERE key = ?");
    TRY(const bool found, seen.bind(1, message.key).step());
    if (found) return true;
  }
  return false;
}

}  // namespace

Result<> open_interaction(Transaction& in, const NewInteractionRow& row) {
  const InteractionRow& interaction = row.interaction;
  const std::string id = interaction.id.text();
  const std::string run = interaction.run.text();
  sqlite::Statement insert = in.database.prepare(
      "INSERT INTO interactions (id, run, call, conversation, kind, digest, code, body, created_at, expires_at, draft, "
      "state, response, "
      "responded_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', '', '')");
  TRY(insert.bind(1, id)
          .bind(2, run)
          .bind(3, interaction.call)
          .bind(4, interaction.conversation)
          .bind(5, interaction.kind)
          .bind(6, interaction.digest)
          .bind(7, interaction.code)
          .bind(8, interaction.body)
          .bind(9, to_millis(interaction.created_at))
          .bind(10, to_millis(interaction.expires_at))
          .bind(11, interaction.draft)
          .run());
  for (const TokenRow& token : row.tokens) {
    sqlite::Statement insert_token =
        in.database.prepare("INSERT INTO tokens (token, interaction, body) VALUES (?, ?, ?)");
    TRY(insert_token.bind(1, token.token).bind(2, id).bind(3, token.body).run());
  }
  return move_conversation(in, interaction.conversation);
}

Result<bool> settle(Transaction& in, const InteractionId& interaction, const AnswerRow& answer) {
  const std::string id = interaction.text();
  sqlite::Statement update = in.database.prepare(
      "UPDATE interactions SET state = ?, response = ?, responded_by = ?, responded_at = ?, draft = '' "
      "WHERE id = ? AND state = 'pending'");
  TRY(update.bind(1, name(answer.state))
          .bind(2, answer.response)
          .bind(3, answer.by)
          .bind(4, to_millis(answer.at))
          .bind(5, id)
          .run());
  if (in.database.changes() == 0) return false;
  TRY(const InteractionRow settled, find(in.database, interaction));
  TRY(move_conversation(in, settled.conversation));
  return true;
}

Result<AnswerStored> answer(Transaction& in, const InteractionId& interaction, const AnswerRow& answer,
                            const EntryRow& mail, const Effects& effects) {
  TRY(InteractionRow before, find(in.database, interaction));
  TRY(const bool is_duplicate, any_seen(in.database, effects.consumed));
  if (is_duplicate) return AnswerStored{AnswerStored::How::duplicate, std::move(before)};
  TRY(const bool first, settle(in, interaction, answer));
  if (!first) return AnswerStored{AnswerStored::How::already, std::move(before)};
  failpoint("store.answer.settled");
  // A finished run no longer needs the answer; it is stored anyway.
  TRY(put_mail(in, MailRow{before.run, mail}));
  TRY(apply(in, effects));
  TRY(InteractionRow now, find(in.database, interaction));
  return AnswerStored{AnswerStored::How::settled, std::move(now)};
}

Result<TokenMeaning> read_token(sqlite::Connection& database, const std::string& token) {
  sqlite::Statement row = database.prepare("SELECT interaction, body FROM tokens WHERE token = ?");
  TRY(const bool found, row.bind(1, token).step());
  if (!found) return fail(ErrorKind::not_found, "this button is not known here");
  TRY(const InteractionId id, InteractionId::parse(row.text(0)));
  TokenMeaning meaning;
  meaning.body = row.text(1);
  TRY(meaning.interaction, find(database, id));
  return meaning;
}

Result<std::vector<InteractionRow>> read_interactions(sqlite::Connection& database, const InteractionFilter& filter) {
  static const FilteredSelect select(fmt::format("SELECT {} FROM interactions", kInteractionColumns),
                                     {"run = ?1", "conversation = ?2", "code = ?3", "id = ?4", "state = 'pending'"},
                                     "ORDER BY number DESC LIMIT ?5");
  const auto id = text_of(filter.id);
  const auto run = text_of(filter.run);
  sqlite::Statement rows =
      database.prepare(select.with({run.has_value(), filter.conversation.has_value(), filter.code.has_value(),
                                    id.has_value(), filter.pending_only}));
  rows.bind(1, run).bind(2, filter.conversation).bind(3, filter.code).bind(4, id).bind(5, filter.most);
  return decode_all(rows, &decode_interaction);
}

}  // namespace deputy::store
