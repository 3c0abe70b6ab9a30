// Journals in memory, for measuring what runs cost without a disk. It keeps what a run of one conversation needs and
// refuses the rest; nothing survives, so nothing but a bench may use it.
#pragma once

#include <map>
#include <set>

#include "store/store.h"

namespace deputy::bench {

class MemoryStore final : public store::Store {
 public:
  explicit MemoryStore(const Clock& clock) : instance_(InstanceId::make(clock.now())) {}

  InstanceId instance() const override { return instance_; }

  Task<Result<store::Admitted>> admit(store::InboundRow, store::Route route, store::Effects) override {
    auto& run = std::get<store::NewRunRow>(route);
    run.first.seq = 1;
    journals_[run.run].push_back(std::move(run.first));
    fresh_.insert(run.run);
    if (hint_) hint_();
    co_return store::Admitted{};
  }
  Task<Result<store::Appended>> append(store::Lease lease, store::Seq, store::If, std::vector<store::EntryRow> entries,
                                       store::Effects effects) override {
    std::vector<store::EntryRow>& journal = journals_[lease.run];
    for (store::EntryRow& entry : entries) {
      entry.seq = static_cast<store::Seq>(journal.size()) + 1;
      journal.push_back(std::move(entry));
    }
    for (store::TextRow& text : effects.texts) texts_.insert_or_assign(text.digest, std::move(text.body));
    const store::Seq last = static_cast<store::Seq>(journal.size());
    if (effects.run && effects.run->to == store::RunStatus::finished) {
      ++finished_;
      journals_.erase(lease.run);
    }
    co_return store::Appended{store::Appended::How::stored, last, {}};
  }
  Task<Result<std::vector<store::EntryRow>>> journal(RunId run, store::Seq from, int most) override {
    const std::vector<store::EntryRow>& all = journals_[run];
    const auto begin = all.begin() + std::min<std::ptrdiff_t>(from - 1, std::ssize(all));
    const auto end = begin + std::min<std::ptrdiff_t>(most, all.end() - begin);
    co_return std::vector<store::EntryRow>(begin, end);
  }
  Task<Result<store::Claimed>> claim(int most, store::ClaimFilter) override {
    store::Claimed claimed;
    while (most-- > 0 && !fresh_.empty()) {
      store::Lease lease{*fresh_.begin(), instance_, 1, store::Lease::After::fresh};
      lease.person = lease.run.text();  // every run is another person's
      lease.in_turn = true;
      claimed.leases.push_back(std::move(lease));
      fresh_.erase(fresh_.begin());
    }
    co_return claimed;
  }
  void on_change(store::Hint hint) override { hint_ = std::move(hint); }
  Task<Result<std::string>> text(std::string digest) override {
    const auto found = texts_.find(digest);
    if (found == texts_.end()) co_return no();
    co_return found->second;
  }
  Task<Result<std::vector<store::SpendRow>>> spent(std::string, std::string) override {
    co_return std::vector<store::SpendRow>{};
  }
  Task<Result<std::vector<store::SpendRow>>> spent_on(std::string, std::vector<std::string>) override {
    co_return std::vector<store::SpendRow>{};
  }
  Task<Result<std::vector<store::GrantRow>>> grants(store::GrantFilter) override {
    co_return std::vector<store::GrantRow>{};
  }
  /// Whoever asks has asked nothing before: every run of a bench is another person's.
  Task<Result<std::vector<store::RunRow>>> runs(store::RunFilter) override { co_return std::vector<store::RunRow>{}; }
  Task<Result<>> release(store::Lease, store::GivenBack) override { co_return Result<>{}; }

  int finished() const { return finished_; }

  // What one read and one answer do not need.
  Task<Result<store::ConversationRow>> conversation(std::string) override { co_return store::ConversationRow{}; }
  Task<Result<>> mail(store::MailRow, store::Effects) override { co_return no(); }
  Task<Result<bool>> hold(std::string) override { co_return no(); }
  Task<Result<>> let_go(std::string) override { co_return no(); }
  Task<Result<store::AnswerStored>> answer(InteractionId, store::AnswerRow, store::EntryRow, store::Effects) override {
    co_return no();
  }
  Task<Result<store::TokenMeaning>> token(std::string) override { co_return no(); }
  Task<Result<std::vector<store::InteractionRow>>> interactions(store::InteractionFilter) override { co_return no(); }
  Task<Result<store::TakenDues>> take_due(int) override { co_return no(); }
  Task<Result<std::vector<store::DeliveryRow>>> take_deliveries(int, store::InFlight) override { co_return no(); }
  Task<Result<>> change_delivery(store::DeliveryChange) override { co_return no(); }
  Task<Result<std::vector<store::DeliveryRow>>> deliveries(store::DeliveryFilter) override { co_return no(); }
  Task<Result<std::vector<store::AuditRow>>> audit(store::AuditFilter) override { co_return no(); }
  Task<Result<std::string>> result(RunId, std::string) override { co_return no(); }
  Task<Result<std::vector<store::SearchHit>>> search(std::string, store::SearchScope, int) override { co_return no(); }
  Task<Result<store::BrakeRow>> brake() override { co_return store::BrakeRow{}; }
  Task<Result<std::vector<store::MarkRow>>> marks(store::MarkFilter) override {
    co_return std::vector<store::MarkRow>{};
  }
  Task<Result<std::string>> cursor(std::string) override { co_return std::string(); }
  Task<Result<>> set_cursor(std::string, std::string) override { co_return no(); }
  Task<Result<std::vector<std::string>>> active_conversations(std::string, Timestamp, int) override {
    co_return std::vector<std::string>{};
  }
  Task<Result<>> set_brake(store::BrakeRow, store::Effects) override { co_return no(); }
  Task<Result<>> revoke_grant(GrantId, std::string, store::Effects) override { co_return no(); }
  Task<Result<store::Removed>> remove_old(store::Retention, int) override { co_return no(); }
  Task<Result<store::Forgotten>> forget(store::ForgetScope, store::Effects, int) override { co_return no(); }
  Task<Result<store::Traces>> wipe() override { co_return no(); }

 private:
  static std::unexpected<Error> no() { return fail(ErrorKind::not_found, "this store keeps none of that"); }

  InstanceId instance_;
  std::map<RunId, std::vector<store::EntryRow>> journals_;
  std::map<std::string, std::string> texts_;
  std::set<RunId> fresh_;
  store::Hint hint_;
  int finished_ = 0;
};

}  // namespace deputy::bench
