// The facts of a run. A journal is a list of entries; the state of a run is a fold over it (fold.h). Bodies only gain
// optional fields; any other change is a new version with an upcaster, and golden journals of every release stay in the
// tests.
//
// To add a kind: a struct with kKind, kVersion and fields() in the entry_*.h it belongs to, its place in EntryBody, and
// what it does in fold.cpp.
#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/task.h"
#include "run/journal/entry_call.h"
#include "run/journal/entry_mail.h"
#include "run/journal/entry_run.h"
#include "store/rows.h"

namespace deputy::run {

using store::Seq;

using EntryBody = std::variant<Received, Noted, Answered, ChildFinished, Woken, CancelRequested, TakenUp, Enriched,
                               ModelCalled, ModelReplied, Summarised, Ruled, Asked, StepStarted, StepDone, Delegated,
                               DelegateAnswered, CallFinished, Limited, Replied, Finished>;

struct Entry {
  Seq seq = 0;
  Timestamp at;
  EntryBody body;
};

std::string_view kind_of(const EntryBody& body);

/// A row for the store; its seq is the store's to give.
store::EntryRow encode(const EntryBody& body, Timestamp at);

/// An error for what is damaged, and `conflict` for a kind or version this program does not know: the run is then given
/// back, never skipped.
Result<Entry> decode(const store::EntryRow& row);

/// Decodes each row of a journal or of a part of it, on a worker if there is much to parse.
Task<std::vector<Result<Entry>>> decode_all(std::vector<store::EntryRow> rows);

}  // namespace deputy::run
