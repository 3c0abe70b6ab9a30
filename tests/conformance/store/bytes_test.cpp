// Bodies are bytes, whatever is in them; keys are UTF-8, and none of it is syntax.
#include "conformance/store/suite.h"

namespace deputy::store {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;

// NUL, an end of text that is none, bytes that are no UTF-8, a lone surrogate, and every byte there is.
std::string any_bytes() {
  std::string bytes = "a\0b'\"\\ \xFF\xC3(\xED\xA0\x80"s;
  for (int byte = 0; byte < 256; ++byte) bytes += static_cast<char>(byte);
  return bytes;
}

TEST_P(StoreTest, BodiesAreBytesAndComeBackAsTheyWere) {
  const std::string bytes = any_bytes();
  const Lease lease = working_run();
  NewRunRow child = new_run();
  child.parent = lease.run;
  child.headline = bytes;
  NewInteractionRow asked = approval(lease);
  asked.interaction.body = bytes;
  asked.interaction.draft = bytes;
  asked.tokens = {{"token", bytes}};
  const NewInteractionRow drafted = approval(lease);
  DeliveryRow owed = delivery(bytes);
  owed.run = lease.run;
  const GrantRow grant{.id = GrantId::make(now()), .body = bytes, .created_at = now(), .ends_at = now() + 1h};
  append(lease, 1, {entry("step_done", bytes)},
         {.children = {child},
          .interactions = {asked, drafted},
          .deliveries = {owed},
          .grants = {grant},
          .audit = {{now(), "ruled", "ana", lease.run, "d", bytes}},
          .results = {{lease.run, "call-1", bytes}},
          .texts = {{"digest", bytes}}});
  append(lease, 2, {entry("noted")}, {.drafts = {{drafted.interaction.id, bytes}}});
  EXPECT_EQ(must(store_->journal(lease.run, 2)).at(0).body, bytes);
  EXPECT_EQ(must(store_->runs({})).at(0).headline, bytes);
  const InteractionRow opened = must(store_->interactions({.id = asked.interaction.id})).at(0);
  EXPECT_EQ(opened.body, bytes);
  EXPECT_EQ(opened.draft, bytes);
  EXPECT_EQ(must(store_->token("token")).body, bytes);
  EXPECT_EQ(must(store_->interactions({.id = drafted.interaction.id})).at(0).draft, bytes);
  EXPECT_EQ(must(store_->grants({})).at(0).body, bytes);
  EXPECT_EQ(must(store_->audit({})).at(0).body, bytes);
  EXPECT_EQ(must(store_->result(lease.run, "call-1")), bytes);
  EXPECT_EQ(must(store_->text("digest")), bytes);
  const DeliveryRow taken = must(store_->take_deliveries(10)).at(0);
  EXPECT_EQ(taken.body, bytes);
  must(store_->change_delivery({taken.id, DeliveryState::sent, bytes, {}}));
  EXPECT_EQ(must(store_->deliveries({.run = lease.run})).at(0).ref, bytes);
  const AnswerStored answered = must(store_->answer(
      asked.interaction.id, {InteractionState::answered, bytes, "bo", now()}, entry("answered", bytes), {}));
  EXPECT_EQ(answered.interaction.response, bytes);
  EXPECT_EQ(must(store_->journal(lease.run, 4)).at(0).body, bytes);
}

TEST_P(StoreTest, AnEmptyBodyIsNotNoBody) {
  const Lease lease = working_run();
  append(lease, 1, {entry("step_done", "")}, {.results = {{lease.run, "call-1", ""}}, .texts = {{"digest", ""}}});
  EXPECT_EQ(must(store_->journal(lease.run, 2)).at(0).body, "");
  EXPECT_EQ(must(store_->result(lease.run, "call-1")), "");
  EXPECT_EQ(must(store_->text("digest")), "");
}

TEST_P(StoreTest, WhatIsSearchedMayHoldAnyBytes) {
  const Lease lease = working_run();
  append(lease, 1, {entry("noted")}, {.search = {{lease.run, "needle " + any_bytes()}}});
  EXPECT_EQ(must(store_->search("needle", {}, 10)).size(), 1U);
  EXPECT_OK(await(store_->search(any_bytes(), {}, 10)));
}

TEST_P(StoreTest, KeysAreComparedByteByByteAndAreNeverSyntax) {
  const std::vector<std::string> keys{
      "a", "A", "a ", "%", "_", "a'b", "a\"", "\\", "grüße 😀", "gru\u0308ße 😀", "*[a-z]?;--", std::string(2000, 'k')};
  for (const std::string& key : keys) {
    const RunId run = start_run(key, "person " + key, {.texts = {{key, "text of " + key}}});
    EXPECT_EQ(must(store_->conversation(key)).newest_run, run) << key;
    EXPECT_EQ(must(store_->admit(message("message " + key, key), ToNobody{}, {})).how, Admitted::How::routed) << key;
  }
  for (const std::string& key : keys) {
    EXPECT_EQ(must(store_->runs({.conversation = key})).size(), 1U) << key;
    EXPECT_EQ(must(store_->runs({.requester = "person " + key})).size(), 1U) << key;
    EXPECT_EQ(must(store_->text(key)), "text of " + key);
    EXPECT_EQ(must(store_->admit(message("message " + key, key), ToNobody{}, {})).how, Admitted::How::duplicate) << key;
  }
}

}  // namespace
}  // namespace deputy::store
