// Runs and their journals: admitting, appending, mail, and ownership.
#pragma once

#include "store/sqlite/transaction.h"
#include "store/store.h"

namespace deputy::store {

Result<Admitted> admit(Transaction& in, const InboundRow& message, const Route& route, const Effects& effects);
Result<ConversationRow> read_conversation(sqlite::Connection& database, const std::string& key);

Result<Appended> append(Transaction& in, const Lease& lease, Seq seen, If condition, std::vector<EntryRow> entries,
                        const Effects& effects);
Result<> mail(Transaction& in, const MailRow& mail, const Effects& effects);
Result<std::vector<EntryRow>> read_journal(sqlite::Connection& database, const RunId& run, Seq from,
                                           int most = kAllEntries);

Result<Claimed> claim(Transaction& in, int most, const ClaimFilter& filter, const std::vector<std::string>& reach = {});
Result<> release(Transaction& in, const Lease& lease, const GivenBack& how = {});
Result<bool> hold(Transaction& in, const std::string& name);
Result<> let_go(Transaction& in, const std::string& name);

// For the other operations.
Result<> create_run(Transaction& in, const NewRunRow& run);
/// False if the run has finished or is gone: the mail is dropped, because it must not hold up the rest of its write or
/// its due.
Result<bool> put_mail(Transaction& in, const MailRow& mail);
/// Makes decisions based on the conversation's old version invalid.
Result<> move_conversation(Transaction& in, std::string_view key);

}  // namespace deputy::store
