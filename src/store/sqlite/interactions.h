// Questions to people: opened with a write of their run, settled by the first answer.
#pragma once

#include "store/sqlite/transaction.h"
#include "store/store.h"

namespace deputy::store {

Result<AnswerStored> answer(Transaction& in, const InteractionId& interaction, const AnswerRow& answer,
                            const EntryRow& mail, const Effects& effects);
Result<TokenMeaning> read_token(sqlite::Connection& database, const std::string& token);
Result<std::vector<InteractionRow>> read_interactions(sqlite::Connection& database, const InteractionFilter& filter);

// For the other operations.
Result<> open_interaction(Transaction& in, const NewInteractionRow& row);
/// False if it was settled before.
Result<bool> settle(Transaction& in, const InteractionId& interaction, const AnswerRow& answer);

}  // namespace deputy::store
