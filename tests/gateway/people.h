// The gateway over a real store, with people whom the test knows and a channel that keeps what it was told to show.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include "base/fields_codec.h"
#include "gateway/inbound/cards.h"
#include "gateway/inbound/dependencies.h"
#include "gateway/inbound/dispatcher.h"
#include "gateway/inbound/dues.h"
#include "run/journal/delivery.h"
#include "run/journal/interaction_body.h"
#include "run/journal/stored_rows.h"
#include "run/plan/prepare.h"
#include "store/sqlite_fixture.h"
#include "support/failing_store.h"
#include "support/sample_tools.h"

namespace deputy::gateway {

/// ana and bo are joined in settings; cy is an account of its own; eve is a guest.
inline constexpr std::string_view kPeople = R"("people": {"ana": {"slack": "T1/U1"}, "bo": {"slack": "T1/U2"}})";
inline constexpr const char* kAna = "T1/U1";
inline constexpr const char* kBo = "T1/U2";
inline constexpr const char* kCy = "T1/U3";
inline constexpr const char* kGuest = "T1/U7";
/// bo approves restarts.
inline constexpr std::string_view kApprovers = R"("policy": {"approvers": {"service_tools": ["bo"]}})";

/// What must be there.
template <class T>
T given(std::optional<T> value) {
  EXPECT_TRUE(value.has_value());
  return std::move(value).value_or(T{});
}

class FakePeople final : public run::Lookups {
 public:
  Task<policy::Identity> who(policy::Account account) override {
    ++asked;
    if (auto first = std::exchange(meanwhile, nullptr)) co_await first();
    const auto found = known.find(account.key());
    co_return found == known.end() ? policy::Identity{.account = account} : found->second;
  }
  Task<run::ThreadContext> thread(std::string, std::string, int) override { co_return run::ThreadContext{}; }

  void add(std::string id, policy::AccountKind standing) {
    policy::Identity identity;
    identity.account = {"slack", std::move(id)};
    identity.standing = standing;
    known[identity.account.key()] = identity;
  }

  std::map<std::string, policy::Identity> known;
  int asked = 0;
  std::function<Task<>()> meanwhile;  // happens once while someone is looked up
};

class FakeChannel final : public channel::Channel {
 public:
  using Key = channel::ConversationKey;
  using Ref = channel::MessageRef;

  std::string_view name() const override { return "slack"; }
  channel::Capabilities capabilities() const override { return can; }
  Task<Result<>> run(channel::Receiver&) override { co_return Result<>{}; }
  Task<Result<Ref>> post(Key, channel::Message) override { return not_here<Ref>(); }
  Task<Result<>> whisper(Key, policy::Account account, channel::Message message) override {
    whispers.emplace_back(account.id, message.markdown);
    co_return Result<>{};
  }
  Task<Result<channel::ConversationContext>> context(Key, Ref, int) override {
    return not_here<channel::ConversationContext>();
  }
  Task<Result<policy::Identity>> who(policy::Account) override { return not_here<policy::Identity>(); }
  Task<Result<channel::Diagnosis>> diagnose() override { return not_here<channel::Diagnosis>(); }

  channel::Capabilities can{.buttons = true, .edit = true, .whisper = true};
  std::vector<std::pair<std::string, std::string>> whispers;  // account id and words

 private:
  template <class T>
  static Task<Result<T>> not_here() {
    co_return fail(ErrorKind::internal, "the inbound half of the gateway sends nothing itself");
  }
};

class GatewayTest : public testing::Test, public store::SqliteFixture {
 protected:
  GatewayTest() : store_(open()) {
    people_.add(kAna, policy::AccountKind::member);
    people_.add(kBo, policy::AccountKind::member);
    people_.add(kCy, policy::AccountKind::member);
    people_.add(kGuest, policy::AccountKind::guest);
    EXPECT_OK(registry_.add(test::restart_service(world_)));
    EXPECT_OK(registry_.add(test::search_notes(world_)));
    channels_.add(channel_);
    settings(std::string(kApprovers));
  }

  /// What settings say beside who is who.
  void settings(const std::string& rest) {
    const auto document = parse_json_object("{" + std::string(kPeople) + (rest.empty() ? "" : ", ") + rest + "}");
    ASSERT_OK(document);
    auto read = parse_arguments<policy::Settings>(*document);
    ASSERT_OK(read);
    auto made = policy::Policy::make(*std::move(read));
    ASSERT_OK(made);
    auto rules = std::make_shared<run::Rules>();
    rules->policy = *std::move(made);
    rules->environments = {{"prod", {"production"}}, {"staging", {}}};
    rules_ = std::move(rules);
  }

  static policy::Place place() {
    return {"slack", "C1", policy::PlaceKind::public_channel, false, policy::OpenTo::members};
  }
  static policy::Account account(const std::string& id) { return {"slack", id}; }

  channel::InboundMessage says(const std::string& who, std::string text, std::string key = {}) {
    channel::InboundMessage message;
    message.key = key.empty() ? "m" + std::to_string(++messages_) : std::move(key);
    message.conversation = kThread;
    message.place = place();
    message.sender = account(who);
    message.sender_name = who == kAna ? "Ana" : who == kBo ? "Bo" : "Cy";
    message.text = std::move(text);
    message.ref = "ref-" + message.key;
    message.at = clock_.now();
    return message;
  }
  void hears(channel::InboundMessage message) {
    EXPECT_OK(await(dispatcher_.message(std::move(message))));
    loop_.restart();
    loop_.poll();
  }

  channel::Verdict clicks(const std::string& who, std::string token, std::string words = {},
                          std::map<std::string, interaction::Given> given = {}) {
    channel::InboundAnswer answer;
    answer.key = "c" + std::to_string(++messages_);
    answer.conversation = kThread;
    answer.place = place();
    answer.sender = account(who);
    answer.sender_name = who == kBo ? "Bo" : "Ana";
    answer.token = std::move(token);
    answer.words = std::move(words);
    answer.given = std::move(given);
    return must(dispatcher_.answer(std::move(answer)));
  }

  /// Hands in a message or a click beside others, and counts it once it is done.
  Task<> hear_at_once(channel::InboundMessage message) {
    EXPECT_OK(co_await dispatcher_.message(std::move(message)));
    ++ended_;
  }
  Task<> click_at_once(channel::InboundAnswer answer) {
    const auto verdict = co_await dispatcher_.answer(std::move(answer));
    EXPECT_OK(verdict);
    settled_ += verdict && std::holds_alternative<channel::AnswerTaken>(*verdict) ? 1 : 0;
    ++ended_;
  }

  /// A run of ana's, taken by this instance.
  store::Lease ana_asks(std::string text = "restart checkout") {
    hears(says(kAna, std::move(text)));
    const store::Claimed claimed = must(store_->claim(1, {}));
    EXPECT_EQ(claimed.leases.size(), 1U);
    return claimed.leases.empty() ? store::Lease{} : claimed.leases.front();
  }

  struct Asked {
    InteractionId id;
    std::string code;
    run::InteractionBody asking;

    std::string token(interaction::Control control) const { return run::token_of(asking, control); }
    std::string token(std::string_view key) const {
      const json::value* token = asking.tokens.if_contains(key);
      return token == nullptr ? std::string() : std::string(as_view(token->get_string()));
    }
  };

  enum class Then { parks, works_on };

  /// The run asks, as the runner would.
  Asked ask(const store::Lease& lease, run::InteractionBody asking, const std::string& code, bool show = true,
            Then then = Then::parks, const Asked* on_card_of = nullptr) {
    store::NewInteractionRow row = question(lease.run);
    Asked asked{row.interaction.id, code, {}};
    asking.requester = "ana";
    if (asking.askers.empty()) asking.askers = {"slack:T1/U1"};
    asking.card = on_card_of != nullptr ? on_card_of->id.text() : asked.id.text();
    asking.place = run::write_place(place());
    row.interaction.kind = asking.approval ? "approval" : "questions";
    row.interaction.digest = asking.approval ? interaction::digest_of(*asking.approval) : "";
    row.interaction.code = code;
    row.tokens = run::make_tokens(asked.id, asking, row.interaction.digest, asking.tokens);
    if (on_card_of != nullptr) {
      row.tokens.push_back(run::make_approve_all(
          {{on_card_of->id.text(), row_of(*on_card_of).digest}, {asked.id.text(), row.interaction.digest}},
          asking.tokens));
    }
    row.interaction.body = run::write_interaction_body(asking);
    asked.asking = asking;
    store::Effects effects;
    if (then == Then::parks) effects.run = store::RunChange{store::RunStatus::parked};
    effects.interactions = {row};
    const std::string id = asked.id.text();
    effects.dues = {{std::string(run::kExpiryDue), id, row.interaction.expires_at},
                    {std::string(run::kReminderDue), id, clock_.now() + std::chrono::minutes(15)}};
    if (show) {
      store::DeliveryRow card = run::owe(run::CardDelivery{}, kThread, clock_.now());
      card.run = lease.run;
      card.interaction = asked.id;
      effects.deliveries = {card};
    } else {
      effects.dues.push_back({std::string(run::kShowFormDue), id, clock_.now() + std::chrono::hours(24)});
    }
    const store::Seq last = must(store_->journal(lease.run, 1)).back().seq;
    const run::Asked entry_body{row.interaction.call, id, run::read_word<run::AskKind>(row.interaction.kind),
                                row.interaction.digest};
    must(store_->append(lease, last, store::If::unchanged, {run::encode(entry_body, clock_.now())}, effects));
    sent();
    return asked;
  }

  /// restart_service of checkout in prod.
  run::InteractionBody restart(bool may_grant = true) {
    run::InteractionBody asking;
    interaction::Approval approval;
    approval.requester = "Ana";
    approval.tool = "restart_service";
    approval.environment = "prod";
    const run::CallRequested wish{"call-1", "restart_service", {{"service", "checkout"}, {"environment", "prod"}}};
    const auto prepared = run::prepare(wish, registry_, *rules_, place());
    EXPECT_OK(prepared);
    approval.arguments = prepared->arguments;
    approval.chain = prepared->chain;
    approval.approvers = {"bo"};
    approval.may_grant = may_grant;
    asking.approval = approval;
    return asking;
  }

  /// Where, by options; then why, in own words.
  static run::InteractionBody form() {
    run::InteractionBody asking;
    interaction::Question first{.label = "env", .question = "Where?", .options = {}};
    first.options.push_back({.value = std::nullopt, .label = "prod"});
    first.options.push_back({.value = std::nullopt, .label = "staging"});
    const interaction::Question second{.label = "why", .question = "Why?", .options = {}};
    asking.questions = interaction::Form{{first, second}};
    return asking;
  }

  /// Everything that is owed goes out; returns the kinds and texts.
  std::vector<std::string> sent() {
    std::vector<std::string> shown;
    for (;;) {
      const std::vector<store::DeliveryRow> taken = must(store_->take_deliveries(100));
      if (taken.empty()) return shown;
      for (const store::DeliveryRow& row : taken) {
        shown.push_back(row.kind == "notice" ? row.conversation + " " + row.body : row.kind);
        must(store_->change_delivery({row.id, store::DeliveryState::sent, "view-" + row.id.text(), clock_.now()}));
      }
    }
  }

  store::InteractionRow row_of(const Asked& asked) {
    return must(store_->interactions({.id = asked.id, .pending_only = false})).at(0);
  }
  std::vector<std::string> kinds(const RunId& run) {
    std::vector<std::string> kinds;
    for (const store::EntryRow& entry : must(store_->journal(run, 1))) kinds.push_back(entry.kind);
    return kinds;
  }
  template <class Body>
  Body last_of(const RunId& run) {
    const auto entry = run::decode(must(store_->journal(run, 1)).back());
    EXPECT_OK(entry);
    const Body* body = entry ? std::get_if<Body>(&entry->body) : nullptr;
    EXPECT_NE(body, nullptr);
    return body == nullptr ? Body{} : *body;
  }
  run::Received received_by(const RunId& run) {
    const auto entry = run::decode(must(store_->journal(run, 1)).front());
    EXPECT_OK(entry);
    return std::get<run::Received>(entry->body);
  }
  std::vector<store::RunRow> runs() { return must(store_->runs({})); }
  std::vector<std::string> audited() {
    std::vector<std::string> lines;
    for (const store::AuditRow& row : must(store_->audit({})) | std::views::reverse)
      lines.push_back(row.kind + " " + row.person);
    return lines;
  }

  test::World world_ = std::make_shared<test::SampleWorld>();
  toolkit::Registry registry_;
  FakePeople people_;
  std::shared_ptr<FakeChannel> channel_ = std::make_shared<FakeChannel>();
  Channels channels_;
  std::shared_ptr<const run::Rules> rules_;
  std::unique_ptr<store::SqliteStore> store_;
  test::FailingStore failing_{*store_};
  InboundDependencies parts_{failing_, people_, channels_, registry_, [this] { return rules_; }, run::Redaction("salt"),
                             clock_};
  Dispatcher dispatcher_{parts_};
  int mailed_ = 0;
  Dues dues_{parts_, [this] { ++mailed_; }};
  int messages_ = 0;
  int ended_ = 0;
  int settled_ = 0;
};

}  // namespace deputy::gateway
