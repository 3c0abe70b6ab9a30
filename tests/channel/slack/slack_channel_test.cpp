// Slack as a channel, over real sockets against the simulator: what people do arrives, and what Deputy sends is seen.
#include "channel/slack/slack_channel.h"

#include <gmock/gmock.h>

#include <boost/asio/bind_cancellation_slot.hpp>

#include "channel/slack/blocks.h"
#include "channel/slack/thread.h"
#include "net/client.h"
#include "sim/slack/simulator.h"
#include "support/keeping_receiver.h"
#include "support/loop.h"
#include "support/results.h"
#include "support/scripted_http.h"

namespace deputy::channel::slack {
namespace {

using namespace std::chrono_literals;
using interaction::Control;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

constexpr const char* kOps = "C0OPS000001";
constexpr const char* kAna = "U0ANA000001";

Card approval_card() {
  ShownApproval approval;
  approval.view.approval.run = "R1";
  approval.view.approval.requester = "Ana";
  approval.view.approval.tool = "restart";
  approval.view.approval.environment = "prod";
  approval.view.approval.arguments = {{"service", "checkout"}, {"note", "<!channel> *now*"}};
  approval.view.expires_at = from_millis(1'700'000'000'000);
  const auto control = [](Control what, std::string token) {
    return ShownControl{{.control = what, .on = {{"i1", "d1"}}}, std::move(token)};
  };
  Card card;
  card.key = "delivery-1";
  card.notification = "Ana asks: restart checkout prod";
  card.interactions.push_back(
      {InteractionId::make(from_millis(1'700'000'000'000)),
       approval,
       {control(Control::approve_once, "tokenofapprove000001"), control(Control::deny, "tokenofdeny000000001"),
        control(Control::deny_with_reason, "tokenofreason0000001")}});
  return card;
}

Card form_card() {
  ShownQuestions questions;
  interaction::Question where{
      .label = "Where", .question = "Which environment?", .options = {{.label = "prod"}, {.label = "staging"}}};
  interaction::Question what{.label = "What", .question = "Which services?", .multi_select = true};
  for (int i = 0; i < 12; ++i) what.options.push_back({.label = "service " + std::to_string(i)});
  questions.form.questions = {where, what};
  questions.draft = interaction::begin(questions.form);
  questions.expires_at = from_millis(1'700'000'000'000);
  Card card;
  card.key = "delivery-2";
  card.notification = "Deputy asks about 2 things";
  ShownInteraction shown{InteractionId::make(from_millis(1'700'000'000'000)), questions, {}};
  const auto add = [&](Control control, std::string token, std::optional<std::size_t> question = std::nullopt,
                       std::optional<std::size_t> option = std::nullopt) {
    shown.controls.push_back(
        {{.control = control, .on = {{"i1", ""}}, .question = question, .option = option}, std::move(token)});
  };
  for (std::size_t i = 0; i < 2; ++i) add(Control::option, "where" + std::to_string(i), 0, i);
  for (std::size_t i = 0; i < 12; ++i) add(Control::option, "what" + std::to_string(i), 1, i);
  add(Control::own_words, "wordsofwhere", 0);
  add(Control::own_words, "wordsofwhat", 1);
  add(Control::submit, "tokenofsubmit");
  add(Control::skip, "tokenofskip");
  card.interactions.push_back(std::move(shown));
  return card;
}

class SlackChannelTest : public testing::Test, public test::OnLoop {
 protected:
  void SetUp() override {
    auto started = sim::slack::Simulator::start(loop_.get_executor(), clock_, {});
    ASSERT_OK(started);
    simulator_ = *std::move(started);
    http_ = std::make_unique<net::Client>(loop_.get_executor(), net::ClientOptions{});
    control("limits", {{"tiers", {{"1", 1000}, {"3", 1000}}}});
    Settings settings;
    settings.bot_token = Secret("xoxb-fake-bot-token");
    settings.app_token = Secret("xapp-fake-app-token");
    settings.api_url = simulator_->address() + "/api/";
    api_ = std::make_unique<clients::slack::Api>(settings, *http_, clock_);
    channel_ = std::make_unique<SlackChannel>(settings, *api_, clock_,
                                              [] { return std::set<std::string>{"S0ONCALL001", "T1/U1"}; });
    asio::co_spawn(loop_, channel_->run(receiver_),
                   asio::bind_cancellation_slot(stop_.slot(),
                                                [this](const std::exception_ptr&, const Result<>&) { ended_ = true; }));
    ASSERT_TRUE(wait_for([&] { return channel_->connected() == 2; }));
  }
  void TearDown() override {
    stop_.emit();
    wait_for([&] { return ended_; });
    await(simulator_->stop());
    loop_.restart();
    loop_.poll();  // what was still on its way to Slack ends
    channel_.reset();
    api_.reset();
    http_.reset();
  }

  bool wait_for(const std::function<bool()>& done) { return test::run_until_within(10s, loop_, done); }
  json::object control(const std::string& name, const json::object& body) {
    net::Request request{.method = "POST",
                         .url = simulator_->address() + "/control/" + name,
                         .headers = {{"Content-Type", "application/json"}},
                         .body = json::serialize(body)};
    const Result<json::object> answer = parse_json_object(must(http_->send(std::move(request))).body);
    EXPECT_OK(answer);
    EXPECT_TRUE(answer && answer->contains("ok")) << (answer ? json::serialize(*answer) : "");
    return answer.value_or(json::object());
  }
  std::string thread_text(const std::string& ts) {
    net::Request request{.url = simulator_->address() + "/control/thread.txt?channel=" + kOps + "&ts=" + ts,
                         .headers = {}};
    return must(http_->send(std::move(request))).body;
  }
  /// Ana mentions Deputy in ops; the conversation that this begins.
  ConversationKey ana_mentions(std::string text) {
    control("say", {{"user", kAna}, {"channel", "ops"}, {"text", std::move(text)}, {"mention", true}});
    const std::size_t before = receiver_.messages.size();
    EXPECT_TRUE(wait_for([&] { return receiver_.messages.size() > before || !receiver_.messages.empty(); }));
    return receiver_.messages.empty() ? "" : receiver_.messages.back().conversation;
  }
  static std::string ts_of(const ConversationKey& conversation) { return Thread::parse(conversation)->ts; }

  SystemClock clock_;
  std::unique_ptr<sim::slack::Simulator> simulator_;
  std::unique_ptr<net::Client> http_;
  test::KeepingReceiver receiver_;
  std::unique_ptr<clients::slack::Api> api_;
  std::unique_ptr<SlackChannel> channel_;
  Cancel stop_{loop_.get_executor()};
  bool ended_ = false;
};

TEST_F(SlackChannelTest, AMentionArrivesOnceByWhateverEvents) {
  const ConversationKey conversation = ana_mentions("what is wrong?");
  const InboundMessage got = receiver_.messages.front();
  EXPECT_EQ(got.text, "what is wrong?");
  EXPECT_EQ(got.spoken, AddressedTo::to_deputy);
  EXPECT_EQ(got.place.kind, policy::PlaceKind::public_channel);
  EXPECT_EQ(got.place.id, kOps);
  EXPECT_TRUE(got.sender.id.ends_with(kAna));
  EXPECT_FALSE(got.sender_name.empty());
  EXPECT_TRUE(got.begins_thread);
  EXPECT_EQ(Thread::parse(conversation)->channel, kOps);
  // Slack reports a mention as two events: both have one key.
  wait_for([&] { return receiver_.messages.size() > 1; });
  for (const InboundMessage& one : receiver_.messages) EXPECT_EQ(one.key, got.key);
}

TEST_F(SlackChannelTest, WhatWasLostWithOneOfTwoSocketsIsReadBackThoughLaterMessagesCame) {
  ASSERT_TRUE(wait_for([&] { return !receiver_.seen.empty(); }));
  const std::string lost = slack::ts_of(clock_.now() - 10s);
  ASSERT_LT(lost, receiver_.seen);
  control("say", {{"user", kAna}, {"channel", "ops"}, {"text", "hello?"}, {"mention", true}, {"ts", lost}});
  control("disconnect", {{"connection", simulator_->world().deliveries.sockets.connections().front()}});
  ASSERT_TRUE(wait_for([&] { return !receiver_.messages.empty(); }));
  EXPECT_EQ(receiver_.messages.front().ref, lost);
}

TEST_F(SlackChannelTest, AMissingScopeTurnsOffReadingBackOfItsKindOfConversationsOnly) {
  control("token", {{"token", "xoxb-fake-bot-token"}, {"remove_scopes", {"mpim:read"}}});
  ASSERT_TRUE(wait_for([&] { return !receiver_.seen.empty(); }));
  const std::string lost = slack::ts_of(clock_.now() - 10s);
  control("say", {{"user", kAna}, {"channel", "ops"}, {"text", "hello?"}, {"mention", true}, {"ts", lost}});
  control("disconnect", {});
  ASSERT_TRUE(wait_for([&] { return !receiver_.messages.empty(); }));
  EXPECT_EQ(receiver_.messages.front().ref, lost);
}

TEST_F(SlackChannelTest, TheTwoEventsOfAMentionLookUpItsWriterAndChannelOnce) {
  // Each event is read while the other's lookups are under way.
  for (const char* method : {"users.info", "conversations.info"})
    control("fault", {{"on", "api"}, {"kind", "delay"}, {"name", method}, {"ms", 50}});
  ana_mentions("what is wrong?");
  ASSERT_TRUE(wait_for([&] { return receiver_.messages.size() == 2; }));
  for (const InboundMessage& one : receiver_.messages) EXPECT_FALSE(one.sender_name.empty());
  const auto calls = [&](const char* method) {
    return simulator_->world().record.find(0, "call", {{"method", method}}).size();
  };
  EXPECT_EQ(calls("users.info"), 1U);
  EXPECT_EQ(calls("conversations.info"), 1U);
}

TEST_F(SlackChannelTest, AnAnswerIsPostedEditedFoundAndRemoved) {
  const ConversationKey conversation = ana_mentions("hi");
  Message message{.markdown = "**30** hits", .footer = "search_logs · 2 s", .key = "k1"};
  const MessageRef ref = must(channel_->post(conversation, message));
  EXPECT_THAT(thread_text(ts_of(conversation)), HasSubstr("30"));
  EXPECT_EQ(must(channel_->find(conversation, "k1")), ref);
  EXPECT_EQ(must(channel_->find(conversation, "k2")), std::nullopt);
  must(channel_->edit(conversation, ref, {.markdown = "31 hits"}));
  EXPECT_THAT(thread_text(ts_of(conversation)), HasSubstr("31 hits"));
  must(channel_->remove(conversation, ref));
  EXPECT_THAT(thread_text(ts_of(conversation)), testing::Not(HasSubstr("31 hits")));
}

TEST_F(SlackChannelTest, ACardIsShownClickedAndSettled) {
  const ConversationKey conversation = ana_mentions("restart it");
  const MessageRef ref = must(channel_->show(conversation, approval_card()));
  const std::string seen = thread_text(ts_of(conversation));
  EXPECT_THAT(seen, HasSubstr("restart"));
  EXPECT_THAT(seen, HasSubstr("checkout"));
  control("click", {{"user", kAna}, {"channel", kOps}, {"ts", ref}, {"action_id", "approve_once"}});
  ASSERT_TRUE(wait_for([&] { return !receiver_.answers.empty(); }));
  const InboundAnswer got = receiver_.answers.front();
  EXPECT_EQ(got.token, "tokenofapprove000001");
  EXPECT_EQ(got.conversation, conversation);
  EXPECT_EQ(got.view, ref);
  EXPECT_TRUE(got.sender.id.ends_with(kAna));
  Card settled = approval_card();
  std::get<ShownApproval>(settled.interactions[0].what).settled = interaction::Settled{
      interaction::State::approved, "Ana", from_millis(1'700'000'000'000), interaction::Scope::once, ""};
  settled.interactions[0].controls.clear();
  must(channel_->redraw(conversation, ref, settled));
  EXPECT_THAT(thread_text(ts_of(conversation)), HasSubstr("Approved"));
  EXPECT_THAT(thread_text(ts_of(conversation)), testing::Not(HasSubstr("Approve once")));
}

TEST_F(SlackChannelTest, ADenialGivesItsReasonInAModal) {
  const ConversationKey conversation = ana_mentions("restart it");
  const MessageRef ref = must(channel_->show(conversation, approval_card()));
  control("click", {{"user", kAna}, {"channel", kOps}, {"ts", ref}, {"action_id", "deny_with_reason"}});
  std::string view;
  ASSERT_TRUE(wait_for([&] {
    for (const auto& [id, one] : simulator_->world().workspace.views) view = id;
    return !view.empty();
  }));
  control("submit", {{"user", kAna}, {"view_id", view}, {"values", {{"reason", {{"reason", "not on a Friday"}}}}}});
  ASSERT_TRUE(wait_for([&] { return !receiver_.answers.empty(); }));
  EXPECT_EQ(receiver_.answers.front().token, "tokenofreason0000001");
  EXPECT_EQ(receiver_.answers.front().words, "not on a Friday");
  EXPECT_EQ(receiver_.answers.front().conversation, conversation);
}

TEST_F(SlackChannelTest, AFormIsFilledInInTheMessage) {
  const ConversationKey conversation = ana_mentions("ask me");
  const MessageRef ref = must(channel_->show(conversation, form_card()));
  control("click",
          {{"user", kAna},
           {"channel", kOps},
           {"ts", ref},
           {"action_id", "send"},
           {"state", {{"question0", {{"choose", "where1"}}}, {"question1", {{"choose", {"what3", "what11"}}}}}}});
  ASSERT_TRUE(wait_for([&] { return !receiver_.answers.empty(); }));
  EXPECT_EQ(receiver_.answers.front().token, "tokenofsubmit");
  EXPECT_THAT(receiver_.answers.front().chosen, UnorderedElementsAre("where1", "what3", "what11"));
}

TEST_F(SlackChannelTest, AStreamCarriesTasksAndText) {
  const ConversationKey conversation = ana_mentions("look");
  const MessageRef ref = must(channel_->begin_stream(
      conversation, {.mention = receiver_.messages.front().sender, .key = "k1", .kind = Message::Kind::answer}));
  must(channel_->append(conversation, ref, ProgressLine{.call = "c1", .line = "search_logs cast-core"}));
  must(channel_->append(conversation, ref, StreamPart(std::string("30 hits"))));
  must(channel_->end_stream(conversation, ref, {.markdown = "31 hits", .footer = "2 s"}));
  EXPECT_THAT(thread_text(ts_of(conversation)), HasSubstr("31 hits"));
  EXPECT_THAT(thread_text(ts_of(conversation)), testing::Not(HasSubstr("30 hits"))) << "the answer replaces it";
}

TEST_F(SlackChannelTest, AWorkspaceThatDoesNotKnowStreamsIsAskedForOneOnly) {
  const ConversationKey conversation = ana_mentions("look");
  EXPECT_TRUE(channel_->capabilities().stream);
  control("fault", {{"on", "api"}, {"name", "chat.startStream"}, {"kind", "status"}, {"status", 404}});
  EXPECT_FAILS(await(channel_->begin_stream(conversation, {.mention = receiver_.messages.front().sender})),
               not_configured);
  EXPECT_FALSE(channel_->capabilities().stream);
}

TEST_F(SlackChannelTest, TheThreadIsReadAsAReaderSeesIt) {
  control("say", {{"user", "U0ALERTS001"},
                  {"channel", "ops"},
                  {"text", ""},
                  {"attachments", {{{"title", "High error rate"}, {"text", "cast-core"}}}}});
  const auto& messages = simulator_->world().workspace.channels.at(kOps).messages;
  const std::string root = messages.back().ts;
  control("say", {{"user", kAna}, {"channel", "ops"}, {"text", "why?"}, {"thread_ts", root}, {"mention", true}});
  ASSERT_TRUE(wait_for([&] { return !receiver_.messages.empty() && receiver_.messages.back().text == "why?"; }));
  const InboundMessage asked = receiver_.messages.back();
  EXPECT_FALSE(asked.begins_thread);
  const ConversationContext context = must(channel_->context(asked.conversation, asked.ref, 20));
  ASSERT_EQ(context.said.size(), 1U) << "the request itself is not among it";
  EXPECT_EQ(context.channel_name, "ops");
  EXPECT_TRUE(context.said[0].by_bot);
  EXPECT_THAT(context.said[0].text, HasSubstr("High error rate"));
}

TEST_F(SlackChannelTest, PeopleAreKnownWithWhatTheyMay) {
  const auto who = [&](const std::string& user) {
    return must(channel_->who({"slack", Thread::parse(ana_mentions("hi"))->team + "/" + user}));
  };
  EXPECT_EQ(who(kAna).standing, policy::AccountKind::member);
  EXPECT_EQ(who("U0CY0000001").standing, policy::AccountKind::guest);
  EXPECT_TRUE(who("U0EVE000001").deactivated);
  EXPECT_TRUE(who("U0ALERTS001").bot);
  EXPECT_EQ(who("U0FINN00001").standing, policy::AccountKind::outsider);
}

TEST_F(SlackChannelTest, OnEnterpriseGridAPersonIsOneAccountWhateverTeamSlackNames) {
  const json::array workspaces{simulator_->world().workspace.team_id, "T0OTHER0001"};
  control("person", {{"id", kAna}, {"team_id", "E0SIM000001"}, {"workspaces", workspaces}});
  const ConversationKey conversation = ana_mentions("restart it");
  const policy::Account ana = receiver_.messages.front().sender;
  EXPECT_EQ(ana.id, Thread::parse(conversation)->team + "/" + kAna);
  EXPECT_EQ(must(channel_->who(ana)).standing, policy::AccountKind::member);

  const MessageRef ref = must(channel_->show(conversation, approval_card()));
  control("click", {{"user", kAna}, {"channel", kOps}, {"ts", ref}, {"action_id", "approve_once"}});
  ASSERT_TRUE(wait_for([&] { return !receiver_.answers.empty(); }));
  EXPECT_EQ(receiver_.answers.front().sender, ana);

  control("command", {{"user", kAna}, {"channel", kOps}, {"command", "/deputy"}, {"text", "status"}});
  ASSERT_TRUE(wait_for([&] { return receiver_.messages.back().text == "status"; }));
  EXPECT_EQ(receiver_.messages.back().sender, ana);
}

// The gateway keeps them: there may be thousands.
TEST_F(SlackChannelTest, MembersAreReadEachTime) {
  const policy::Place ops{.channel = "slack", .id = kOps};
  EXPECT_THAT(must(channel_->members(ops)), testing::Contains(testing::EndsWith(kAna)));
  control("leave", {{"user", kAna}, {"channel", "ops"}});
  EXPECT_THAT(must(channel_->members(ops)), testing::Not(testing::Contains(testing::EndsWith(kAna))));
}

TEST_F(SlackChannelTest, AWebhookIsABotWithoutAUser) {
  control("person", {{"id", "U0HOOK00001"}, {"name", "pager"}, {"bot_id", "B0HOOK00001"}, {"webhook", true}});
  control("invite", {{"user", "U0HOOK00001"}, {"channel", kOps}});
  control("say", {{"user", "U0HOOK00001"}, {"channel", "ops"}, {"text", "checkout is failing"}});
  ASSERT_TRUE(wait_for([&] { return !receiver_.messages.empty(); }));
  const policy::Account hook = receiver_.messages.front().sender;
  EXPECT_TRUE(hook.id.ends_with("/B0HOOK00001"));
  const policy::Identity who = must(channel_->who(hook));
  EXPECT_TRUE(who.bot);
  EXPECT_EQ(who.standing, policy::AccountKind::member);
  EXPECT_FAILS(await(channel_->who({"slack", "T0OTHER0001/B0HOOK00001"})), not_found);
}

TEST_F(SlackChannelTest, GroupsThatCannotBeReadNowAreToldFromGroupsOfOthers) {
  const policy::Account ana{"slack", Thread::parse(ana_mentions("hi"))->team + "/" + kAna};
  control("fault", {{"kind", "status"}, {"status", 429}, {"name", "usergroups.users.list"}, {"retry_after", 1}});
  EXPECT_EQ(must(channel_->who(ana)).lookup, policy::Lookup::failed);
  policy::Identity later;
  ASSERT_TRUE(wait_for([&] {
    later = must(channel_->who(ana));
    return later.lookup == policy::Lookup::done;
  }));
  EXPECT_TRUE(later.groups.contains("S0ONCALL001"));
}

TEST_F(SlackChannelTest, ABurstOfMessagesLooksItsChannelUpOnce) {
  constexpr int kBurst = 5;
  control("fault", {{"kind", "delay"}, {"ms", 200}, {"name", "conversations.info"}, {"times", kBurst}});
  for (int i = 0; i < kBurst; ++i) control("say", {{"user", kAna}, {"channel", "ops"}, {"text", "one of many"}});
  ASSERT_TRUE(wait_for([&] { return receiver_.messages.size() == kBurst; }));
  for (const InboundMessage& one : receiver_.messages)
    EXPECT_EQ(one.place.kind, policy::PlaceKind::public_channel) << "all have its answer";
  EXPECT_EQ(simulator_->world().record.find(0, "call", {{"method", "conversations.info"}}).size(), 1U);
}

TEST_F(SlackChannelTest, AWhisperIsForOnePersonAndADirectMessageHasItsOwnConversation) {
  const ConversationKey conversation = ana_mentions("hi");
  const policy::Account ana = receiver_.messages.front().sender;
  must(channel_->whisper(conversation, ana, {.markdown = "only you"}));
  EXPECT_THAT(thread_text(ts_of(conversation)), HasSubstr("(only visible to you)\n  only you"));
  const ConversationKey direct = must(channel_->direct(ana));
  EXPECT_TRUE(Thread::parse(direct)->channel.starts_with("D"));
  must(channel_->post(direct, {.markdown = "psst", .key = "k9"}));
}

TEST_F(SlackChannelTest, BlocksThatSlackRefusesFallBackToText) {
  const ConversationKey conversation = ana_mentions("hi");
  control("fault",
          {{"on", "api"}, {"name", "chat.postMessage"}, {"kind", "error"}, {"error", "invalid_blocks"}, {"times", 1}});
  must(channel_->post(conversation, {.markdown = "**plain**", .key = "k1"}));
  EXPECT_THAT(thread_text(ts_of(conversation)), HasSubstr("plain"));
}

TEST_F(SlackChannelTest, DoctorNamesWhatIsMissing) {
  control("token", {{"token", "xoxb-fake-bot-token"}, {"remove_scopes", {"files:write"}}});
  const Diagnosis diagnosis = must(channel_->diagnose());
  const auto missing = std::ranges::find_if(diagnosis.checks, [](const Diagnosis::Check& one) { return !one.ok; });
  ASSERT_NE(missing, diagnosis.checks.end());
  EXPECT_EQ(missing->name, "files:write");
}

// ---- Doctor, where Slack leaves things out.

TEST_F(SlackChannelTest, DoctorTakesABotTokenAtItsWordWhereSlackDoesNotTell) {
  Settings settings;
  settings.bot_token = Secret("xoxb-fake-bot-token");
  settings.signing_secret = Secret("fake-signing-secret");
  settings.transport = Transport::http;
  test::ScriptedHttp http;
  http.answers({.pieces = {R"({"ok": true, "team_id": "T1", "team": "North", "user_id": "UBOT", "user": "deputy"})"}});
  clients::slack::Api api(settings, http, clock_);
  SlackChannel channel(settings, api, clock_, [] { return std::set<std::string>(); });
  const Diagnosis diagnosis = must(channel.diagnose());
  for (const Diagnosis::Check& check : diagnosis.checks) EXPECT_TRUE(check.ok) << check.name << ": " << check.words;
  EXPECT_THAT(diagnosis.checks.back().words, HasSubstr("does not tell"));
}

}  // namespace
}  // namespace deputy::channel::slack
