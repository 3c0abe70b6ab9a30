#include "run/drive/open_journal.h"

#include "base/log.h"
#include "run/journal/fold.h"

namespace deputy::run {

bool refuses_runs(const Error& error) {
  return error.kind != ErrorKind::rate_limit && error.kind != ErrorKind::cancelled;
}

Task<Result<>> OpenJournal::load() {
  CO_TRY(std::vector<store::EntryRow> rows, co_await read_from(1));
  CO_TRY(co_await fold_rows(std::move(rows)));
  mail_folded_ = 0;
  co_return Result<>{};
}

Task<Result<>> OpenJournal::read_mail() {
  CO_TRY(std::vector<store::EntryRow> rows, co_await read_from(state_.last + 1));
  co_return co_await fold_rows(std::move(rows));
}

Task<Result<std::vector<store::EntryRow>>> OpenJournal::read_from(Seq first) const {
  return dependencies_.patience->ask<std::vector<store::EntryRow>>(
      [this, first] { return dependencies_.store.journal(lease_.run, first); });
}

Task<Result<OpenJournal::Appended>> OpenJournal::append(store::If condition, std::vector<EntryBody> entries,
                                                        store::Effects effects) {
  const Timestamp now = dependencies_.clock.now();
  std::vector<store::EntryRow> rows;
  rows.reserve(later_.size() + entries.size());
  for (const EntryBody& body : later_) rows.push_back(encode(body, now));
  for (const EntryBody& body : entries) rows.push_back(encode(body, now));
  const Seq seen = state_.last;
  const bool starts_runs = !effects.children.empty();
  CO_TRY(store::Appended appended,
         co_await dependencies_.patience->ask<store::Appended>(
             [&] { return dependencies_.store.append(lease_, seen, condition, rows, effects); },
             [&](const Error& error) { return store::may_pass(error) && !(starts_runs && refuses_runs(error)); }));
  if (appended.how == store::Appended::How::lost)
    co_return fail(ErrorKind::cancelled, "the run belongs to another instance now");
  CO_TRY(co_await fold_rows(std::move(appended.mail)));
  if (appended.how == store::Appended::How::mail_first) co_return Appended::mail_first;
  later_.clear();
  for (EntryBody& body : entries) fold_own(std::move(body), now);
  state_.last = appended.last;
  co_return Appended::stored;
}

void OpenJournal::append_later(EntryBody entry) {
  later_.push_back(entry);
  fold_own(std::move(entry), dependencies_.clock.now());
}

Task<Result<>> OpenJournal::fold_rows(std::vector<store::EntryRow> rows) {
  const std::vector<Result<Entry>> entries = co_await decode_all(std::move(rows));
  for (const Result<Entry>& entry : entries) {
    if (!entry) {
      not_understood_ = true;
      log::error("a run is not understood", {{"run", lease_.run.text()}, {"why", entry.error().message}});
      co_return std::unexpected(entry.error());
    }
    state_ = fold(std::move(state_), *entry);
    ++mail_folded_;
    ++folded_;
  }
  co_return Result<>{};
}

void OpenJournal::fold_own(EntryBody body, Timestamp at) {
  const Entry entry{0, at, std::move(body)};
  state_ = fold(std::move(state_), entry);
  ++folded_;
  if (dependencies_.watcher != nullptr)
    dependencies_.watcher->on_entry(lease_.run, state_.request().conversation, entry.body);
}

}  // namespace deputy::run
