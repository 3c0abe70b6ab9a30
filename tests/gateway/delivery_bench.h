// A store in a folder of its own, a scripted channel, cards given by hand, and Deliveries over them.
#pragma once

#include <map>

#include "gateway/outbound/deliveries.h"
#include "store/sqlite_fixture.h"
#include "support/failing_store.h"
#include "support/scripted_channel.h"

namespace deputy::gateway {

inline const Error kRefused{ErrorKind::permission, "not in this channel"};
inline const Error kBusy{ErrorKind::upstream, "busy", "", true};

class GivenCards final : public CardSource {
 public:
  Task<Result<std::optional<channel::Card>>> card(InteractionId id) override {
    const auto found = cards.find(id);
    if (found == cards.end()) co_return std::optional<channel::Card>();
    co_return std::optional(found->second);
  }
  std::map<InteractionId, channel::Card> cards;
};

class DeliveryBench : public testing::Test, public store::SqliteFixture {
 protected:
  static constexpr const char* kHere = "scripted:C1:1";
  static constexpr const char* kAlerts = "scripted:alerts:1";

  DeliveryBench() {
    channels_.add(channel_);
    restart();
  }

  /// A new process: whatever the old one was sending is in doubt.
  void restart() {
    deliveries_.reset();
    failing_.reset();
    store_.reset();
    store_ = open();
    failing_ = std::make_unique<test::FailingStore>(*store_);
    deliveries_ = std::make_unique<Deliveries>(loop_.get_executor(), *failing_, channels_, cards_, clock_, settings_);
  }

  /// A run in the thread; what it owes is owed by it.
  RunId run_that_owes(std::vector<store::DeliveryRow> owed, std::string request = R"({"text":"what is wrong?"})") {
    store::NewRunRow run = new_run(kHere, "ana", std::move(request));
    for (store::DeliveryRow& row : owed) row.run = run.run;
    return start(*store_, run, {.deliveries = std::move(owed)});
  }
  /// What the run owes later, with entries of its journal before.
  void later(const RunId& run, std::vector<store::DeliveryRow> owed, const std::string& kind = "noted") {
    for (store::DeliveryRow& row : owed) row.run = run;
    must(store_->mail({run, entry(kind)}, {.deliveries = std::move(owed)}));
  }
  template <class Body>
  store::DeliveryRow owe(const Body& body, std::string conversation = kHere) {
    return run::owe(body, std::move(conversation), clock_.now());
  }
  store::DeliveryRow answer(std::string text) {
    return owe(run::AnswerDelivery{std::move(text), "scripted:U1", "1 tool"});
  }
  store::DeliveryRow acknowledgement() { return owe(run::AcknowledgementDelivery{"m1", "Checking…"}); }
  store::DeliveryRow notice(std::string text, std::string conversation = kHere) {
    return owe(run::NoticeDelivery{std::move(text)}, std::move(conversation));
  }

  void deliver() { await(deliveries_->run_dry()); }
  void deliver_after(std::chrono::milliseconds wait) {
    clock_.advance(wait);
    deliver();
  }
  std::string seen(const std::string& conversation = kHere) const { return channel_->transcript(conversation); }
  std::vector<store::DeliveryState> states(const RunId& run) {
    std::vector<store::DeliveryState> all;
    for (const store::DeliveryRow& row : must(store_->deliveries({.run = run}))) all.push_back(row.state);
    return all;
  }

  std::shared_ptr<test::ScriptedChannel> channel_ = std::make_shared<test::ScriptedChannel>();
  Channels channels_;
  GivenCards cards_;
  DeliverySettings settings_{.alert_conversation = kAlerts, .known_hosts = {"docs.example"}};
  std::unique_ptr<store::SqliteStore> store_;
  std::unique_ptr<test::FailingStore> failing_;  // what Deliveries has of it
  std::unique_ptr<Deliveries> deliveries_;
};

}  // namespace deputy::gateway
