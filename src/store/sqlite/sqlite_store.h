// The embedded store: one SQLite file in WAL mode, a writer thread that commits in groups, a reader thread, and one for
// searches, which may take long. Several processes on one machine may share the file.
#pragma once

#include <filesystem>

#include "store/sqlite/reader.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/writer.h"
#include "store/store.h"

namespace deputy::store {

struct SqliteOptions {
  std::filesystem::path folder;  // holds deputy.db and instances/
  // Work only on runs and deliveries of conversations whose key starts with one of these; empty: on all.
  std::vector<std::string> reach = {};
  std::uint64_t least_free = 256ULL * 1024 * 1024;  // below this, no new run starts
  std::function<std::uint64_t(const std::filesystem::path&)> free_on_disk = free_bytes;
  std::chrono::milliseconds max_gap = kMaxGap;
  Writer::Limits writer = {};
  Reader::Limits reader = {};
  Reader::Limits search = {.queued = 100, .query = std::chrono::seconds(1)};
  std::span<const Migration> schema = migrations();
  const char* vfs = nullptr;  // SQLite's default; tests inject faults here
  OnDamage on_damage = end_process;
};

class SqliteStore final : public Store {
 public:
  /// Opens or creates the file. It blocks briefly, so call it before the loop runs. Destroy the store before the loop;
  /// `clock` must outlive it. Refuses a folder on a network file system, and a file that is damaged, newer than this
  /// program, or not Deputy's.
  static Result<std::unique_ptr<SqliteStore>> open(const asio::any_io_executor& loop, const Clock& clock,
                                                   SqliteOptions options);

  InstanceId instance() const override { return locks_.self(); }

  Task<Result<Admitted>> admit(InboundRow message, Route route, Effects effects) override;
  Task<Result<ConversationRow>> conversation(std::string key) override;
  Task<Result<Appended>> append(Lease lease, Seq seen, If condition, std::vector<EntryRow> entries,
                                Effects effects) override;
  Task<Result<>> mail(MailRow mail, Effects effects) override;
  Task<Result<std::vector<EntryRow>>> journal(RunId run, Seq from, int most = kAllEntries) override;
  Task<Result<Claimed>> claim(int most, ClaimFilter filter) override;
  Task<Result<>> release(Lease lease, GivenBack how) override;
  void on_change(Hint hint) override;
  Task<Result<bool>> hold(std::string name) override;
  Task<Result<>> let_go(std::string name) override;
  Task<Result<AnswerStored>> answer(InteractionId interaction, AnswerRow answer, EntryRow mail,
                                    Effects effects) override;
  Task<Result<TokenMeaning>> token(std::string token) override;
  Task<Result<std::vector<InteractionRow>>> interactions(InteractionFilter filter) override;
  Task<Result<TakenDues>> take_due(int most) override;
  Task<Result<std::vector<DeliveryRow>>> take_deliveries(int most, InFlight in_flight = {}) override;
  Task<Result<>> change_delivery(DeliveryChange change) override;
  Task<Result<std::vector<DeliveryRow>>> deliveries(DeliveryFilter filter) override;
  Task<Result<std::vector<RunRow>>> runs(RunFilter filter) override;
  Task<Result<std::vector<GrantRow>>> grants(GrantFilter filter) override;
  Task<Result<std::vector<AuditRow>>> audit(AuditFilter filter) override;
  Task<Result<std::vector<SpendRow>>> spent(std::string from_day, std::string to_day) override;
  Task<Result<std::vector<SpendRow>>> spent_on(std::string day, std::vector<std::string> scopes) override;
  Task<Result<std::string>> result(RunId run, std::string call) override;
  Task<Result<std::string>> text(std::string digest) override;
  Task<Result<std::vector<SearchHit>>> search(std::string words, SearchScope scope, int most) override;
  Task<Result<std::vector<MarkRow>>> marks(MarkFilter filter) override;
  Task<Result<std::string>> cursor(std::string channel) override;
  Task<Result<>> set_cursor(std::string channel, std::string cursor) override;
  Task<Result<std::vector<std::string>>> active_conversations(std::string channel, Timestamp since, int most) override;
  Task<Result<BrakeRow>> brake() override;
  Task<Result<>> set_brake(BrakeRow brake, Effects effects) override;
  Task<Result<>> revoke_grant(GrantId grant, std::string by, Effects effects) override;
  Task<Result<Removed>> remove_old(Retention retention, int most) override;
  Task<Result<Forgotten>> forget(ForgetScope scope, Effects effects, int most) override;
  Task<Result<Traces>> wipe() override;

 private:
  struct Connections {
    sqlite::Connection writing;
    sqlite::Connection reading;
    sqlite::Connection searching;
  };
  SqliteStore(const asio::any_io_executor& loop, const Clock& clock, SqliteOptions options, InstanceLocks locks,
              Connections connections);

  template <class T>
  Task<Result<T>> write(Urgency urgency, std::size_t bytes, std::move_only_function<Result<T>(Transaction&)> job);
  template <class T>
  Task<Result<T>> read(std::move_only_function<Result<T>(sqlite::Connection&)> job);
  template <class T>
  Task<Result<T>> read(Reader& reader, Urgency urgency, std::move_only_function<Result<T>(sqlite::Connection&)> job);
  Result<> room_for_new_runs(sqlite::Connection& database) const;

  const Clock& clock_;
  const SqliteOptions options_;
  InstanceLocks locks_;
  std::shared_ptr<Hint> hint_;  // handlers posted by the threads hold it weakly
  // The threads; destroyed first.
  Reader reader_;
  Reader searcher_;
  Writer writer_;
};

}  // namespace deputy::store
