#include "store/sqlite/sqlite_store.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include "store/sqlite/connect.h"
#include "store/sqlite/forgetting.h"
#include "store/sqlite/interactions.h"
#include "store/sqlite/journal.h"
#include "store/sqlite/keeping.h"
#include "store/sqlite/lists.h"
#include "store/sqlite/marks.h"
#include "store/sqlite/outbound.h"
#include "store/sqlite/removing.h"

namespace deputy::store {

namespace {

// A write that passes its Result<T> to the waiting coroutine.
template <class T>
class Write final : public Operation {
 public:
  Write(std::move_only_function<Result<T>(Transaction&)> job, Callback<Result<T>> done)
      : job_(std::move(job)), done_(std::move(done)) {}

  Result<> run(Transaction& in) override {
    result_ = job_(in);
    if (!result_) return std::unexpected(result_.error());
    return {};
  }
  void fail(Error error) override { result_ = std::unexpected(std::move(error)); }
  void answer() override { done_(std::move(result_)); }

 private:
  std::move_only_function<Result<T>(Transaction&)> job_;
  Callback<Result<T>> done_;
  Result<T> result_;
};

Error too_busy() {
  Error error{ErrorKind::rate_limit, "the store is overloaded", "try again in a moment"};
  error.retryable = true;
  return error;
}

constexpr std::size_t kRowOverhead = 100;

std::size_t size_of(const std::vector<EntryRow>& entries) {
  std::size_t bytes = 0;
  for (const EntryRow& entry : entries) bytes += kRowOverhead + entry.body.size();
  return bytes;
}

// Roughly what a write adds to the file: enough to keep a commit and the queue small.
std::size_t size_of(const Effects& effects) {
  std::size_t bytes = 0;
  for (const auto& delivery : effects.deliveries) bytes += kRowOverhead + delivery.body.size();
  for (const auto& opened : effects.interactions) {
    bytes += kRowOverhead + opened.interaction.body.size() + opened.interaction.draft.size();
    for (const auto& token : opened.tokens) bytes += kRowOverhead + token.body.size();
  }
  for (const auto& [id, answer] : effects.settled) bytes += kRowOverhead + answer.response.size();
  for (const auto& [id, draft] : effects.drafts) bytes += kRowOverhead + draft.size();
  for (const auto& grant : effects.grants) bytes += kRowOverhead + grant.body.size();
  for (const auto& result : effects.results) bytes += kRowOverhead + result.body.size();
  for (const auto& text : effects.texts) bytes += kRowOverhead + text.body.size();
  for (const auto& search : effects.search) bytes += kRowOverhead + search.text.size();
  for (const auto& mark : effects.marks) bytes += kRowOverhead + mark.body.size();
  for (const auto& audit : effects.audit) bytes += kRowOverhead + audit.body.size();
  for (const auto& child : effects.children) bytes += kRowOverhead + child.first.body.size();
  for (const auto& mail : effects.mail) bytes += kRowOverhead + mail.entry.body.size();
  for (const auto& due : effects.dues) bytes += kRowOverhead + (due.mail ? due.mail->entry.body.size() : 0);
  return bytes;
}

std::size_t size_of(const Route& route) {
  if (const auto* run = std::get_if<NewRunRow>(&route)) return kRowOverhead + run->first.body.size();
  if (const auto* mail = std::get_if<MailRow>(&route)) return kRowOverhead + mail->entry.body.size();
  return 0;
}

// Makes new files readable by their owner only, including the copy before a migration.
class OwnerOnly {
 public:
  OwnerOnly() : before_(umask(0077)) {}
  ~OwnerOnly() { umask(before_); }
  OwnerOnly(const OwnerOnly&) = delete;
  OwnerOnly& operator=(const OwnerOnly&) = delete;

 private:
  const mode_t before_;
};

// Work before anybody else uses the file: no instance was running, so nobody is watching.
Result<> after_all_were_down(sqlite::Connection& connection, const InstanceLocks& locks, Timestamp now) {
  Transaction in{connection, locks, now};
  TRY(connection.execute("BEGIN IMMEDIATE"));
  Result<> added = add_downtime(in);
  if (added) added = connection.execute("COMMIT");
  if (!added) connection.roll_back();
  // Text forgotten just before a crash is still in the log.
  (void)empty_log(connection);
  return added;
}

}  // namespace

Result<std::unique_ptr<SqliteStore>> SqliteStore::open(const asio::any_io_executor& loop, const Clock& clock,
                                                       SqliteOptions options) {
  TRY(prepare_folder(options.folder));
  TRY(const OpeningLock opening, OpeningLock::take(options.folder));
  TRY(InstanceLocks locks, InstanceLocks::take(options.folder, InstanceId::make(clock.now())));
  const OwnerOnly owner_only;
  const std::filesystem::path file = options.folder / "deputy.db";
  TRY(sqlite::Connection writing, connect(file, options.schema, options.vfs));
  TRY(look_for_damage(writing, file));
  const bool others_are_alive = locks.others_are_alive();
  TRY(migrate(writing, file, options.schema, others_are_alive ? Others::alive : Others::none));
  if (!others_are_alive) TRY(after_all_were_down(writing, locks, clock.now()));
  Connections connections{.writing = std::move(writing)};
  for (sqlite::Connection* reading : {&connections.reading, &connections.searching}) {
    TRY(*reading, connect(file, options.schema, options.vfs));
    TRY(reading->execute("PRAGMA query_only = ON"));
  }
  return std::unique_ptr<SqliteStore>(
      new SqliteStore(loop, clock, std::move(options), std::move(locks), std::move(connections)));
}

SqliteStore::SqliteStore(const asio::any_io_executor& loop, const Clock& clock, SqliteOptions options,
                         InstanceLocks locks, Connections connections)
    : clock_(clock),
      options_(std::move(options)),
      locks_(std::move(locks)),
      reader_(loop, std::move(connections.reading), options_.reader, options_.on_damage),
      searcher_(loop, std::move(connections.searching), options_.search, options_.on_damage, "store-search"),
      writer_(loop, std::move(connections.writing), locks_, clock, options_.writer, options_.on_damage) {}

template <class T>
Task<Result<T>> SqliteStore::write(Urgency urgency, std::size_t bytes,
                                   std::move_only_function<Result<T>(Transaction&)> job) {
  return await_callback<Result<T>>([this, urgency, bytes, job = std::move(job)](Callback<Result<T>> done) mutable {
    std::unique_ptr<Operation> operation = std::make_unique<Write<T>>(std::move(job), std::move(done));
    if (writer_.submit(urgency, bytes, operation)) return;
    operation->fail(too_busy());
    operation->answer();
  });
}

template <class T>
Task<Result<T>> SqliteStore::read(std::move_only_function<Result<T>(sqlite::Connection&)> job) {
  return read<T>(reader_, Urgency::normal, std::move(job));
}

template <class T>
Task<Result<T>> SqliteStore::read(Reader& reader, Urgency urgency,
                                  std::move_only_function<Result<T>(sqlite::Connection&)> job) {
  return await_callback<Result<T>>([&reader, urgency, job = std::move(job)](Callback<Result<T>> done) mutable {
    // Shared, because a rejected job must still be answered.
    auto answer = std::make_shared<Callback<Result<T>>>(std::move(done));
    Reader::Job query = [job = std::move(job), answer](sqlite::Connection& database) mutable {
      (*answer)(job(database));
    };
    if (!reader.submit(urgency, query)) (*answer)(std::unexpected(too_busy()));
  });
}

// Runs on the writer, after the rest: duplicates and moved conversations are reported however little room there is.
// Retryable: there may be room soon, and only new runs are refused.
Result<> SqliteStore::room_for_new_runs(sqlite::Connection& database) const {
  const std::uint64_t on_disk = options_.free_on_disk(options_.folder);
  if (has_room(on_disk, 0, options_.least_free)) return {};
  TRY(const std::uint64_t in_file, free_in_file(database));
  if (has_room(on_disk, in_file, options_.least_free)) return {};
  return std::unexpected(
      Error{ErrorKind::not_configured,
            fmt::format("only {} MB are free in {}", (on_disk + in_file) >> 20, options_.folder.string()),
            fmt::format("free some disk space: no new run starts under {} MB", options_.least_free >> 20), true});
}

void SqliteStore::on_change(Hint hint) {
  hint_ = std::make_shared<Hint>(std::move(hint));
  const auto tell = [weak = std::weak_ptr(hint_)] {
    if (const auto alive = weak.lock()) (*alive)();
  };
  writer_.on_wake(tell);
  reader_.watch(tell);
}

Task<Result<Admitted>> SqliteStore::admit(InboundRow message, Route route, Effects effects) {
  const std::size_t bytes = kRowOverhead + size_of(route) + size_of(effects);
  return write<Admitted>(Urgency::first, bytes,
                         [this, message = std::move(message), route = std::move(route),
                          effects = std::move(effects)](Transaction& in) -> Result<Admitted> {
                           TRY(const Admitted admitted, store::admit(in, message, route, effects));
                           const bool starts = std::holds_alternative<NewRunRow>(route);
                           if (starts && admitted.how == Admitted::How::routed) TRY(room_for_new_runs(in.database));
                           return admitted;
                         });
}

Task<Result<ConversationRow>> SqliteStore::conversation(std::string key) {
  return read<ConversationRow>(reader_, Urgency::first, [key = std::move(key)](sqlite::Connection& database) {
    return read_conversation(database, key);
  });
}

Task<Result<Appended>> SqliteStore::append(Lease lease, Seq seen, If condition, std::vector<EntryRow> entries,
                                           Effects effects) {
  const std::size_t bytes = size_of(entries) + size_of(effects);
  return write<Appended>(Urgency::normal, bytes,
                         [this, lease, seen, condition, entries = std::move(entries),
                          effects = std::move(effects)](Transaction& in) mutable -> Result<Appended> {
                           TRY(Appended appended,
                               store::append(in, lease, seen, condition, std::move(entries), effects));
                           const bool starts = !effects.children.empty();
                           if (starts && appended.how == Appended::How::stored) TRY(room_for_new_runs(in.database));
                           return appended;
                         });
}

Task<Result<>> SqliteStore::mail(MailRow mail, Effects effects) {
  const std::size_t bytes = kRowOverhead + mail.entry.body.size() + size_of(effects);
  return write<void>(Urgency::normal, bytes, [mail = std::move(mail), effects = std::move(effects)](Transaction& in) {
    return store::mail(in, mail, effects);
  });
}

Task<Result<std::vector<EntryRow>>> SqliteStore::journal(RunId run, Seq from, int most) {
  return read<std::vector<EntryRow>>(
      [run, from, most](sqlite::Connection& database) { return read_journal(database, run, from, most); });
}

Task<Result<Claimed>> SqliteStore::claim(int most, ClaimFilter filter) {
  return write<Claimed>(Urgency::normal, kRowOverhead, [this, most, filter = std::move(filter)](Transaction& in) {
    return store::claim(in, most, filter, options_.reach);
  });
}

Task<Result<>> SqliteStore::release(Lease lease, GivenBack how) {
  return write<void>(Urgency::normal, kRowOverhead,
                     [lease = std::move(lease), how](Transaction& in) { return store::release(in, lease, how); });
}

Task<Result<bool>> SqliteStore::hold(std::string name) {
  return write<bool>(Urgency::normal, kRowOverhead,
                     [name = std::move(name)](Transaction& in) { return store::hold(in, name); });
}

Task<Result<>> SqliteStore::let_go(std::string name) {
  return write<void>(Urgency::normal, kRowOverhead,
                     [name = std::move(name)](Transaction& in) { return store::let_go(in, name); });
}

Task<Result<AnswerStored>> SqliteStore::answer(InteractionId interaction, AnswerRow answer, EntryRow mail,
                                               Effects effects) {
  const std::size_t bytes = kRowOverhead + answer.response.size() + mail.body.size() + size_of(effects);
  return write<AnswerStored>(
      Urgency::first, bytes,
      [interaction, answer = std::move(answer), mail = std::move(mail), effects = std::move(effects)](Transaction& in) {
        return store::answer(in, interaction, answer, mail, effects);
      });
}

Task<Result<TokenMeaning>> SqliteStore::token(std::string token) {
  return read<TokenMeaning>(reader_, Urgency::first, [token = std::move(token)](sqlite::Connection& database) {
    return read_token(database, token);
  });
}

Task<Result<std::vector<InteractionRow>>> SqliteStore::interactions(InteractionFilter filter) {
  // A filter by id or code means that somebody is answering.
  const Urgency urgency = filter.id || filter.code ? Urgency::first : Urgency::normal;
  return read<std::vector<InteractionRow>>(
      reader_, urgency,
      [filter = std::move(filter)](sqlite::Connection& database) { return read_interactions(database, filter); });
}

Task<Result<TakenDues>> SqliteStore::take_due(int most) {
  return write<TakenDues>(Urgency::normal, kRowOverhead,
                          [this, most](Transaction& in) { return store::take_due(in, most, options_.max_gap); });
}

Task<Result<std::vector<DeliveryRow>>> SqliteStore::take_deliveries(int most, InFlight in_flight) {
  return write<std::vector<DeliveryRow>>(Urgency::normal, kRowOverhead,
                                         [this, most, in_flight = std::move(in_flight)](Transaction& in) {
                                           return store::take_deliveries(in, most, in_flight, options_.reach);
                                         });
}

Task<Result<>> SqliteStore::change_delivery(DeliveryChange change) {
  return write<void>(Urgency::normal, kRowOverhead,
                     [change = std::move(change)](Transaction& in) { return store::change_delivery(in, change); });
}

Task<Result<std::vector<DeliveryRow>>> SqliteStore::deliveries(DeliveryFilter filter) {
  return read<std::vector<DeliveryRow>>(
      [filter](sqlite::Connection& database) { return read_deliveries(database, filter); });
}

Task<Result<std::vector<RunRow>>> SqliteStore::runs(RunFilter filter) {
  return read<std::vector<RunRow>>(
      [filter = std::move(filter)](sqlite::Connection& database) { return read_runs(database, filter); });
}

Task<Result<std::vector<GrantRow>>> SqliteStore::grants(GrantFilter filter) {
  return read<std::vector<GrantRow>>([filter = std::move(filter), now = clock_.now()](sqlite::Connection& database) {
    return read_grants(database, filter, now);
  });
}

Task<Result<std::vector<AuditRow>>> SqliteStore::audit(AuditFilter filter) {
  return read<std::vector<AuditRow>>(
      [filter = std::move(filter)](sqlite::Connection& database) { return read_audit(database, filter); });
}

Task<Result<std::vector<SpendRow>>> SqliteStore::spent(std::string from_day, std::string to_day) {
  return read<std::vector<SpendRow>>(
      [from_day = std::move(from_day), to_day = std::move(to_day)](sqlite::Connection& database) {
        return read_spent(database, from_day, to_day);
      });
}

Task<Result<std::vector<SpendRow>>> SqliteStore::spent_on(std::string day, std::vector<std::string> scopes) {
  return read<std::vector<SpendRow>>([day = std::move(day), scopes = std::move(scopes)](sqlite::Connection& database) {
    return read_spent_on(database, day, scopes);
  });
}

Task<Result<std::string>> SqliteStore::result(RunId run, std::string call) {
  return read<std::string>(
      [run, call = std::move(call)](sqlite::Connection& database) { return read_result(database, run, call); });
}

Task<Result<std::string>> SqliteStore::text(std::string digest) {
  return read<std::string>(
      [digest = std::move(digest)](sqlite::Connection& database) { return read_text_by_digest(database, digest); });
}

Task<Result<std::vector<SearchHit>>> SqliteStore::search(std::string words, SearchScope scope, int most) {
  Result<std::vector<SearchHit>> found = co_await read<std::vector<SearchHit>>(
      searcher_, Urgency::normal,
      [words = std::move(words), scope = std::move(scope), most](sqlite::Connection& database) {
        return store::search(database, words, scope, most);
      });
  if (!found && found.error().kind == ErrorKind::timeout) {
    co_return fail(ErrorKind::timeout, "the search took too long", "search for more or rarer words");
  }
  co_return found;
}

Task<Result<std::vector<MarkRow>>> SqliteStore::marks(MarkFilter filter) {
  return read<std::vector<MarkRow>>(reader_, Urgency::first,
                                    [filter = std::move(filter), now = clock_.now()](sqlite::Connection& database) {
                                      return read_marks(database, filter, now);
                                    });
}

Task<Result<std::string>> SqliteStore::cursor(std::string channel) {
  return read<std::string>(
      [channel = std::move(channel)](sqlite::Connection& database) { return read_cursor(database, channel); });
}

Task<Result<>> SqliteStore::set_cursor(std::string channel, std::string cursor) {
  return write<void>(Urgency::normal, kRowOverhead,
                     [channel = std::move(channel), cursor = std::move(cursor)](Transaction& in) {
                       return store::set_cursor(in, channel, cursor);
                     });
}

Task<Result<std::vector<std::string>>> SqliteStore::active_conversations(std::string channel, Timestamp since,
                                                                         int most) {
  return read<std::vector<std::string>>([channel = std::move(channel), since, most](sqlite::Connection& database) {
    return read_active_conversations(database, channel, since, most);
  });
}

Task<Result<BrakeRow>> SqliteStore::brake() {
  return read<BrakeRow>(reader_, Urgency::first, [](sqlite::Connection& database) { return read_brake(database); });
}

Task<Result<>> SqliteStore::set_brake(BrakeRow brake, Effects effects) {
  const std::size_t bytes = kRowOverhead + size_of(effects);
  return write<void>(Urgency::first, bytes, [brake = std::move(brake), effects = std::move(effects)](Transaction& in) {
    return store::set_brake(in, brake, effects);
  });
}

Task<Result<>> SqliteStore::revoke_grant(GrantId grant, std::string by, Effects effects) {
  const std::size_t bytes = kRowOverhead + size_of(effects);
  return write<void>(Urgency::first, bytes, [grant, by = std::move(by), effects = std::move(effects)](Transaction& in) {
    return store::revoke_grant(in, grant, by, effects);
  });
}

// Removing needs a commit of its own next to urgent work, however small the batch.
Task<Result<Removed>> SqliteStore::remove_old(Retention retention, int most) {
  return write<Removed>(Urgency::normal, options_.writer.bytes,
                        [retention, most](Transaction& in) { return store::remove_old(in, retention, most); });
}

Task<Result<Forgotten>> SqliteStore::forget(ForgetScope scope, Effects effects, int most) {
  return write<Forgotten>(Urgency::normal, options_.writer.bytes,
                          [scope = std::move(scope), effects = std::move(effects), most](Transaction& in) {
                            return store::forget(in, scope, effects, most);
                          });
}

Task<Result<Traces>> SqliteStore::wipe() {
  CO_TRY(const Traces::Left left, co_await write<Traces::Left>(Urgency::normal, options_.writer.bytes, wipe_step));
  co_return Traces{left, copies_beside(options_.folder / "deputy.db")};
}

}  // namespace deputy::store
