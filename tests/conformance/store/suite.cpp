#include "conformance/store/suite.h"

namespace deputy::store {

using namespace std::chrono_literals;

NewRunRow StoreTest::new_run(std::string conversation, std::string requester) {
  return {.run = RunId::make(now()),
          .conversation = std::move(conversation),
          .requester = std::move(requester),
          .first = entry("received"),
          .headline = "what it is about"};
}

InboundRow StoreTest::message(std::string key, std::string conversation) {
  const std::int64_t version = must(store_->conversation(conversation)).version;
  return {std::move(key), std::move(conversation), version};
}

RunId StoreTest::start_run(const std::string& conversation, std::string requester, Effects effects) {
  const NewRunRow run = new_run(conversation, std::move(requester));
  const Admitted admitted = must(store_->admit(message(run.run.text(), conversation), run, std::move(effects)));
  EXPECT_EQ(admitted, (Admitted{Admitted::How::routed, 1}));
  return run.run;
}

Lease StoreTest::claim_only(Store& store, std::vector<RunId> except) {
  const Claimed claimed = must(store.claim(10, {.except = std::move(except)}));
  EXPECT_EQ(claimed.leases.size(), 1U);
  return claimed.leases.empty() ? Lease{} : claimed.leases.front();
}

Lease StoreTest::working_run(const std::string& conversation, std::string requester) {
  start_run(conversation, std::move(requester));
  return claim_only();
}

Appended StoreTest::append(const Lease& lease, Seq seen, std::vector<EntryRow> entries, Effects effects, If condition) {
  return must(store_->append(lease, seen, condition, std::move(entries), std::move(effects)));
}

std::vector<std::string> StoreTest::kinds(RunId run) {
  std::vector<std::string> kinds;
  for (const EntryRow& row : must(store_->journal(run, 1))) kinds.push_back(row.kind);
  return kinds;
}

NewInteractionRow StoreTest::approval(const Lease& lease, std::string conversation) {
  InteractionRow row;
  row.id = InteractionId::make(now());
  row.run = lease.run;
  row.call = "call-1";
  row.conversation = std::move(conversation);
  row.kind = "approval";
  row.digest = "d1";
  row.code = "K7Q2MX";
  row.body = R"({"tool":"shell"})";
  row.created_at = now();
  row.expires_at = now() + 30min;
  return {row, {}};
}

DeliveryRow StoreTest::delivery(std::string body, std::string conversation) {
  DeliveryRow row;
  row.id = DeliveryId::make(now());
  row.conversation = std::move(conversation);
  row.kind = "message";
  row.body = std::move(body);
  row.owed_at = now();
  return row;
}

}  // namespace deputy::store
