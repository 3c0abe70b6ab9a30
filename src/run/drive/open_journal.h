// The journal of a run that this instance owns, and the state it folds to. The only place that appends to it.
//
// An entry that is appended later (a repeatable handler was started) is folded at once and stored with the next append:
// losing it costs no more than doing the work again.
#pragma once

#include <vector>

#include "base/task.h"
#include "run/drive/dependencies.h"
#include "run/journal/state.h"

namespace deputy::run {

/// True for the error of an append that starts runs when the store takes no new runs because it is short of room. A
/// busy store is something else: that passes.
bool refuses_runs(const Error& error);

/// A store that is busy or full is asked again while this instance works, so an error of these methods does not pass.
class OpenJournal {
 public:
  enum class Appended {
    stored,
    mail_first,  // nothing was stored: mail had come, it is folded now, plan again
  };

  OpenJournal(const RunDependencies& dependencies, store::Lease lease)
      : dependencies_(dependencies), lease_(std::move(lease)) {}

  /// Reads all of it.
  Task<Result<>> load();
  /// Reads what others have written since.
  Task<Result<>> read_mail();

  /// Mail that came before it is folded first. An error of kind cancelled: the lease is somebody else's, stop. One with
  /// children may be refused for them alone (`refuses_runs`): nothing of it is stored.
  Task<Result<Appended>> append(store::If condition, std::vector<EntryBody> entries, store::Effects effects);
  void append_later(EntryBody entry);

  const RunState& state() const { return state_; }
  const RunId& run() const { return lease_.run; }
  const store::Lease& lease() const { return lease_; }

  /// The number of entries of others that were folded after the first load: a plan made before them is void.
  std::int64_t mail_folded() const { return mail_folded_; }
  /// Grows with everything that was folded.
  std::int64_t folded() const { return folded_; }
  /// An entry of a kind or version that this program does not know stands in it.
  bool not_understood() const { return not_understood_; }

 private:
  Task<Result<std::vector<store::EntryRow>>> read_from(Seq first) const;
  Task<Result<>> fold_rows(std::vector<store::EntryRow> rows);
  void fold_own(EntryBody body, Timestamp at);

  const RunDependencies& dependencies_;
  store::Lease lease_;
  RunState state_;
  std::vector<EntryBody> later_;
  std::int64_t mail_folded_ = 0;
  std::int64_t folded_ = 0;
  bool not_understood_ = false;
};

}  // namespace deputy::run
