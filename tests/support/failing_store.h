// A store in front of another that fails calls as a test wants it, with an error that says nothing was stored: then it
// is not asked at all.
//
//   FailingStore store(*sqlite);
//   store.fail("append", 3, store_is_busy());          // the third append from now on
//   store.fail_every_other("append");                  // the first, the third …: each call once, and then not again
//   store.fail_all(20);                                // the next twenty calls, of whatever
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "store/store.h"

namespace deputy::test {

/// Another process holds the write lock.
Error store_is_busy();
/// No room on the disk.
Error store_is_full();

class FailingStore final : public store::Store {
 public:
  /// `store` outlives it.
  explicit FailingStore(store::Store& store) : store_(store) {}

  // ---- The test. Each replaces what was said of that method, or of all, and counts from now on.

  void fail(std::string_view method, int nth, Error error, int times = 1);
  /// Busy and full by turns. For who asks the same again: of two calls that must both work one always fails.
  void fail_every_other(std::string_view method);
  /// The first, and about every third after it, always the same ones.
  void fail_often(std::string_view method);
  void fail_all(int calls);
  /// Appends that start runs, from now on: there is no room for them.
  void refuse_children(Error error) { refuses_children_ = std::move(error); }
  /// Called before each call that is let through: for a test that acts at that moment.
  std::function<void(std::string_view method)> before;

  int calls(std::string_view method) const;   // let through or not
  int failed(std::string_view method) const;  // not
  int failed() const;                         // of any
  std::map<std::string, int, std::less<>> calls() const { return calls_; }

  // ---- Store.

  InstanceId instance() const override { return store_.instance(); }
  Task<Result<store::Admitted>> admit(store::InboundRow message, store::Route route, store::Effects effects) override;
  Task<Result<store::ConversationRow>> conversation(std::string key) override;
  Task<Result<store::Appended>> append(store::Lease lease, store::Seq seen, store::If condition,
                                       std::vector<store::EntryRow> entries, store::Effects effects) override;
  Task<Result<>> mail(store::MailRow mail, store::Effects effects) override;
  Task<Result<std::vector<store::EntryRow>>> journal(RunId run, store::Seq from,
                                                     int most = store::kAllEntries) override;
  Task<Result<store::Claimed>> claim(int most, store::ClaimFilter filter) override;
  Task<Result<>> release(store::Lease lease, store::GivenBack how) override;
  void on_change(store::Hint hint) override { store_.on_change(std::move(hint)); }
  Task<Result<bool>> hold(std::string name) override;
  Task<Result<>> let_go(std::string name) override;
  Task<Result<store::AnswerStored>> answer(InteractionId interaction, store::AnswerRow answer, store::EntryRow mail,
                                           store::Effects effects) override;
  Task<Result<store::TokenMeaning>> token(std::string token) override;
  Task<Result<std::vector<store::InteractionRow>>> interactions(store::InteractionFilter filter) override;
  Task<Result<store::TakenDues>> take_due(int most) override;
  Task<Result<std::vector<store::DeliveryRow>>> take_deliveries(int most, store::InFlight in_flight = {}) override;
  Task<Result<>> change_delivery(store::DeliveryChange change) override;
  Task<Result<std::vector<store::DeliveryRow>>> deliveries(store::DeliveryFilter filter) override;
  Task<Result<std::vector<store::RunRow>>> runs(store::RunFilter filter) override;
  Task<Result<std::vector<store::GrantRow>>> grants(store::GrantFilter filter) override;
  Task<Result<std::vector<store::AuditRow>>> audit(store::AuditFilter filter) override;
  Task<Result<std::vector<store::SpendRow>>> spent(std::string from_day, std::string to_day) override;
  Task<Result<std::vector<store::SpendRow>>> spent_on(std::string day, std::vector<std::string> scopes) override;
  Task<Result<std::string>> result(RunId run, std::string call) override;
  Task<Result<std::string>> text(std::string digest) override;
  Task<Result<std::vector<store::SearchHit>>> search(std::string words, store::SearchScope scope, int most) override;
  Task<Result<std::vector<store::MarkRow>>> marks(store::MarkFilter filter) override;
  Task<Result<std::string>> cursor(std::string channel) override;
  Task<Result<>> set_cursor(std::string channel, std::string cursor) override;
  Task<Result<std::vector<std::string>>> active_conversations(std::string channel, Timestamp since, int most) override;
  Task<Result<store::BrakeRow>> brake() override;
  Task<Result<>> set_brake(store::BrakeRow brake, store::Effects effects) override;
  Task<Result<>> revoke_grant(GrantId grant, std::string by, store::Effects effects) override;
  Task<Result<store::Removed>> remove_old(store::Retention retention, int most) override;
  Task<Result<store::Forgotten>> forget(store::ForgetScope scope, store::Effects effects, int most) override;
  Task<Result<store::Traces>> wipe() override;

 private:
  /// What to answer the call of that number, of those since it was said.
  using Plan = std::function<std::optional<Error>(int nth)>;
  struct Planned {
    Plan plan;
    int calls = 0;
  };

  template <class T, class... Given, class... Values>
  Task<Result<T>> pass(std::string_view method, Task<Result<T>> (store::Store::*call)(Given...), Values... values);
  std::optional<Error> next_failure(std::string_view method);

  store::Store& store_;
  std::map<std::string, Planned, std::less<>> planned_;  // by method
  Planned of_all_;
  std::optional<Error> refuses_children_;
  std::map<std::string, int, std::less<>> calls_;
  std::map<std::string, int, std::less<>> failed_;
};

}  // namespace deputy::test
