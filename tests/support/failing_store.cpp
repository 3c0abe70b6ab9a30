#include "support/failing_store.h"

#include <random>

namespace deputy::test {

namespace {

template <class T>
Task<Result<T>> refuse(Error error) {
  co_return std::unexpected(std::move(error));
}

int at(const std::map<std::string, int, std::less<>>& counts, std::string_view method) {
  const auto found = counts.find(method);
  return found == counts.end() ? 0 : found->second;
}

}  // namespace

Error store_is_busy() { return {ErrorKind::rate_limit, "database: database is locked", {}, true}; }
Error store_is_full() {
  return {ErrorKind::internal, "database: database or disk is full", "free some disk space", true};
}

void FailingStore::fail(std::string_view method, int nth, Error error, int times) {
  planned_[std::string(method)] = {[nth, times, error = std::move(error)](int number) {
    return number >= nth && number < nth + times ? std::optional(error) : std::nullopt;
  }};
}

void FailingStore::fail_every_other(std::string_view method) {
  planned_[std::string(method)] = {[](int number) -> std::optional<Error> {
    if (number % 2 == 0) return std::nullopt;
    return number % 4 == 1 ? store_is_busy() : store_is_full();
  }};
}

void FailingStore::fail_often(std::string_view method) {
  planned_[std::string(method)] = {[random = std::minstd_rand(1)](int number) mutable -> std::optional<Error> {
    const bool fails = random() % 3 == 0 || number == 1;
    if (!fails) return std::nullopt;
    return number % 2 == 1 ? store_is_busy() : store_is_full();
  }};
}

void FailingStore::fail_all(int calls) {
  of_all_ = {[calls](int number) { return number <= calls ? std::optional(store_is_busy()) : std::nullopt; }};
}

int FailingStore::calls(std::string_view method) const { return at(calls_, method); }
int FailingStore::failed(std::string_view method) const { return at(failed_, method); }
int FailingStore::failed() const {
  int sum = 0;
  for (const auto& [method, times] : failed_) sum += times;
  return sum;
}

std::optional<Error> FailingStore::next_failure(std::string_view method) {
  ++calls_[std::string(method)];
  std::optional<Error> error;
  if (of_all_.plan) error = of_all_.plan(++of_all_.calls);
  if (const auto planned = planned_.find(method); !error && planned != planned_.end()) {
    error = planned->second.plan(++planned->second.calls);
  }
  if (error) ++failed_[std::string(method)];
  if (!error && before) before(method);
  return error;
}

template <class T, class... Given, class... Values>
Task<Result<T>> FailingStore::pass(std::string_view method, Task<Result<T>> (store::Store::*call)(Given...),
                                   Values... values) {
  if (std::optional<Error> error = next_failure(method)) return refuse<T>(*std::move(error));
  return (store_.*call)(std::move(values)...);
}

Task<Result<store::Admitted>> FailingStore::admit(store::InboundRow message, store::Route route,
                                                  store::Effects effects) {
  return pass("admit", &Store::admit, std::move(message), std::move(route), std::move(effects));
}
Task<Result<store::ConversationRow>> FailingStore::conversation(std::string key) {
  return pass("conversation", &Store::conversation, std::move(key));
}
Task<Result<store::Appended>> FailingStore::append(store::Lease lease, store::Seq seen, store::If condition,
                                                   std::vector<store::EntryRow> entries, store::Effects effects) {
  if (refuses_children_ && !effects.children.empty()) return refuse<store::Appended>(*refuses_children_);
  return pass("append", &Store::append, lease, seen, condition, std::move(entries), std::move(effects));
}
Task<Result<>> FailingStore::mail(store::MailRow mail, store::Effects effects) {
  return pass("mail", &Store::mail, std::move(mail), std::move(effects));
}
Task<Result<std::vector<store::EntryRow>>> FailingStore::journal(RunId run, store::Seq from, int most) {
  return pass("journal", &Store::journal, run, from, most);
}
Task<Result<store::Claimed>> FailingStore::claim(int most, store::ClaimFilter filter) {
  return pass("claim", &Store::claim, most, std::move(filter));
}
Task<Result<>> FailingStore::release(store::Lease lease, store::GivenBack how) {
  return pass("release", &Store::release, std::move(lease), how);
}
Task<Result<bool>> FailingStore::hold(std::string name) { return pass("hold", &Store::hold, std::move(name)); }
Task<Result<>> FailingStore::let_go(std::string name) { return pass("let_go", &Store::let_go, std::move(name)); }
Task<Result<store::AnswerStored>> FailingStore::answer(InteractionId interaction, store::AnswerRow answer,
                                                       store::EntryRow mail, store::Effects effects) {
  return pass("answer", &Store::answer, interaction, std::move(answer), std::move(mail), std::move(effects));
}
Task<Result<store::TokenMeaning>> FailingStore::token(std::string token) {
  return pass("token", &Store::token, std::move(token));
}
Task<Result<std::vector<store::InteractionRow>>> FailingStore::interactions(store::InteractionFilter filter) {
  return pass("interactions", &Store::interactions, std::move(filter));
}
Task<Result<store::TakenDues>> FailingStore::take_due(int most) { return pass("take_due", &Store::take_due, most); }
Task<Result<std::vector<store::DeliveryRow>>> FailingStore::take_deliveries(int most, store::InFlight in_flight) {
  return pass("take_deliveries", &Store::take_deliveries, most, std::move(in_flight));
}
Task<Result<>> FailingStore::change_delivery(store::DeliveryChange change) {
  return pass("change_delivery", &Store::change_delivery, std::move(change));
}
Task<Result<std::vector<store::DeliveryRow>>> FailingStore::deliveries(store::DeliveryFilter filter) {
  return pass("deliveries", &Store::deliveries, filter);
}
Task<Result<std::vector<store::RunRow>>> FailingStore::runs(store::RunFilter filter) {
  return pass("runs", &Store::runs, std::move(filter));
}
Task<Result<std::vector<store::GrantRow>>> FailingStore::grants(store::GrantFilter filter) {
  return pass("grants", &Store::grants, std::move(filter));
}
Task<Result<std::vector<store::AuditRow>>> FailingStore::audit(store::AuditFilter filter) {
  return pass("audit", &Store::audit, std::move(filter));
}
Task<Result<std::vector<store::SpendRow>>> FailingStore::spent(std::string from_day, std::string to_day) {
  return pass("spent", &Store::spent, std::move(from_day), std::move(to_day));
}
Task<Result<std::vector<store::SpendRow>>> FailingStore::spent_on(std::string day, std::vector<std::string> scopes) {
  return pass("spent_on", &Store::spent_on, std::move(day), std::move(scopes));
}
Task<Result<std::string>> FailingStore::result(RunId run, std::string call) {
  return pass("result", &Store::result, run, std::move(call));
}
Task<Result<std::string>> FailingStore::text(std::string digest) {
  return pass("text", &Store::text, std::move(digest));
}
Task<Result<std::vector<store::SearchHit>>> FailingStore::search(std::string words, store::SearchScope scope,
                                                                 int most) {
  return pass("search", &Store::search, std::move(words), std::move(scope), most);
}
Task<Result<store::BrakeRow>> FailingStore::brake() { return pass("brake", &Store::brake); }
Task<Result<std::vector<store::MarkRow>>> FailingStore::marks(store::MarkFilter filter) {
  return pass("marks", &Store::marks, std::move(filter));
}
Task<Result<std::string>> FailingStore::cursor(std::string channel) {
  return pass("cursor", &Store::cursor, std::move(channel));
}
Task<Result<>> FailingStore::set_cursor(std::string channel, std::string cursor) {
  return pass("set_cursor", &Store::set_cursor, std::move(channel), std::move(cursor));
}
Task<Result<std::vector<std::string>>> FailingStore::active_conversations(std::string channel, Timestamp since,
                                                                          int most) {
  return pass("active_conversations", &Store::active_conversations, std::move(channel), since, most);
}
Task<Result<>> FailingStore::set_brake(store::BrakeRow brake, store::Effects effects) {
  return pass("set_brake", &Store::set_brake, std::move(brake), std::move(effects));
}
Task<Result<>> FailingStore::revoke_grant(GrantId grant, std::string by, store::Effects effects) {
  return pass("revoke_grant", &Store::revoke_grant, grant, std::move(by), std::move(effects));
}
Task<Result<store::Removed>> FailingStore::remove_old(store::Retention retention, int most) {
  return pass("remove_old", &Store::remove_old, retention, most);
}
Task<Result<store::Forgotten>> FailingStore::forget(store::ForgetScope scope, store::Effects effects, int most) {
  return pass("forget", &Store::forget, std::move(scope), std::move(effects), most);
}
Task<Result<store::Traces>> FailingStore::wipe() { return pass("wipe", &Store::wipe); }

}  // namespace deputy::test
