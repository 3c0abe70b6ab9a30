#include "conformance/channel/conversation.h"

#include "base/text.h"
#include "run/journal/fold.h"

namespace deputy::channel {

using interaction::Control;

ConversationTest::ConversationTest()
    : bench_(GetParam().make({loop_, clock_})), can_(bench_->channel().capabilities()) {
  EXPECT_OK(registry_.add(test::search_notes(world_)));
  EXPECT_OK(registry_.add(test::restart_service(world_)));
  auto rules = std::make_shared<run::Rules>();
  auto policy = policy::Policy::make(bench_->settings());
  EXPECT_OK(policy);
  rules->policy = *std::move(policy);
  rules->environments = {{"prod", {"production"}}, {"staging", {}}};
  rules_ = rules;
  open();
}

ConversationTest::~ConversationTest() { close(); }

void ConversationTest::open() {
  auto store = store::SqliteStore::open(loop_.get_executor(), clock_,
                                        {.folder = folder_ / "data", .max_gap = std::chrono::hours(1000)});
  ASSERT_OK(store);
  store_ = *std::move(store);
  executor_ = std::make_unique<toolkit::Executor>(clock_);
  gateway::Channels channels;
  channels.add(std::shared_ptr<Channel>(std::shared_ptr<void>(), &bench_->channel()));
  gateway_ = std::make_unique<gateway::Gateway>(
      gateway::GatewaySetup{*store_, clock_, registry_, *executor_, [this] { return rules_; },
                            [this] { return model_; }, run::Redaction("secret of this store"), std::move(channels),
                            gateway::DeliverySettings{}},
      loop_.get_executor());
  gateway_->start();
  until([&] { return bench_->is_connected(); });
}

void ConversationTest::close() {
  if (!gateway_) return;
  bool stopped = false;
  asio::co_spawn(loop_, gateway_->stop(std::chrono::seconds(5)), [&](const std::exception_ptr&) { stopped = true; });
  until([&] { return stopped; });
  gateway_.reset();
  executor_.reset();
  store_.reset();
}

std::shared_ptr<test::ScriptedModel> ConversationTest::script(const test::ModelScript& script) {
  auto model = script.make();
  model_ = model;
  return model;
}

void ConversationTest::until(const std::function<bool()>& ended) {
  EXPECT_TRUE(test::run_until_within(std::chrono::seconds(20), loop_, ended)) << "it did not happen in time:\n"
                                                                              << all_seen();
}

std::vector<Seen> ConversationTest::seen() { return bench_->seen_by(bench_->ana()); }

std::string ConversationTest::all_seen() {
  std::string text;
  for (const Seen& one : seen()) text += one.text + "\n";
  return text;
}

std::optional<Seen> ConversationTest::card() {
  std::vector<Seen> all = seen();
  while (!all.empty() && all.back().controls.empty() && !all.back().is_form) all.pop_back();
  if (all.empty()) return std::nullopt;
  return all.back();
}

int ConversationTest::pending() { return static_cast<int>(await(store_->interactions({}))->size()); }

std::vector<store::RunRow> ConversationTest::runs() {
  std::vector<store::RunRow> rows = await(store_->runs({})).value_or(std::vector<store::RunRow>{});
  std::ranges::reverse(rows);
  return rows;
}

void ConversationTest::until_finished(int count) {
  until([&] { return std::ranges::count(runs(), store::RunStatus::finished, &store::RunRow::state) >= count; });
}

void ConversationTest::ana_asks_for_a_restart() {
  script(test::ModelScript()
             .calls("restart_service", {{"service", "checkout"}, {"environment", "prod"}})
             .then_says("That was it."));
  says(bench_->ana(), "restart checkout in prod");
  until([&] { return all_seen().find("restart_service") != std::string::npos; });
}

void ConversationTest::ana_is_asked(json::array questions) {
  const std::string first(as_view(questions.at(0).at("question").get_string()));
  script(test::ModelScript().calls("ask_user", {{"questions", std::move(questions)}}).then_says("Thanks."));
  says(bench_->ana(), "restart something");
  until([&] { return all_seen().find(first) != std::string::npos; });
}

namespace {

std::string words_of(const Verdict& verdict) {
  if (const auto* taken = std::get_if<AnswerTaken>(&verdict)) return taken->words;
  if (const auto* refused = std::get_if<Refused>(&verdict)) return "refused: " + refused->why;
  if (const auto* already = std::get_if<AlreadyAnswered>(&verdict)) return already->words;
  return "(nothing)";
}

}  // namespace

std::string ConversationTest::decides(const policy::Account& account, Control control, std::string reason) {
  if (can_.buttons) {
    const std::optional<Seen> shown = card();
    EXPECT_TRUE(shown) << all_seen();
    const Result<Verdict> verdict =
        await(bench_->presses(account, shown.value_or(Seen{}).ref, control, std::move(reason)));
    EXPECT_OK(verdict);
    return verdict ? words_of(*verdict) : std::string();
  }
  const auto waiting = await(store_->interactions({.pending_only = false}));
  const std::string code = waiting->empty() ? std::string() : waiting->front().code;
  const bool approves = control == Control::approve_once;
  says(account, approves ? "approve " + code : "deny " + code + (reason.empty() ? "" : " " + reason));
  return {};
}

void ConversationTest::fills_in(const FilledIn& given) {
  const auto asked = await(store_->interactions({}));
  ASSERT_TRUE(asked && !asked->empty());
  const auto body = run::read_interaction_body(asked->front());
  ASSERT_OK(body);
  const interaction::Form form = body->questions.value_or(interaction::Form{});
  if (can_.forms && card().value_or(Seen{}).is_form) {
    // Each page is sent; the next one is drawn in its place.
    for (std::size_t sent = 0; pending() > 0 && sent < form.questions.size(); ++sent) {
      const Seen page = card().value_or(Seen{});
      EXPECT_OK(await(bench_->fills_in(bench_->ana(), page.ref, given)));
      until([&] { return pending() == 0 || card().value_or(Seen{}).text != page.text; });
    }
    return;
  }
  for (const interaction::Question& question : form.questions) {
    const auto found = given.find(question.label);
    says(bench_->ana(), found == given.end() ? "done" : join(found->second, ", "));
  }
}

int ConversationTest::times_seen(std::string_view text) {
  const std::string all = all_seen();
  int times = 0;
  for (std::size_t at = all.find(text); at != std::string::npos; at = all.find(text, at + 1)) ++times;
  return times;
}

run::RunState ConversationTest::state() {
  run::RunState state;
  for (const store::EntryRow& row : *await(store_->journal(runs().at(0).run, 1))) {
    if (const auto entry = run::decode(row)) state = run::fold(std::move(state), *entry);
  }
  return state;
}

std::string ConversationTest::response() {
  until_finished();
  const run::RunState seen = state();
  const run::CallState* call = seen.find_call("call_1");
  if (call == nullptr || !call->answered) return "(not answered)";
  return json::serialize(call->answered->response);
}

void ConversationTest::pass(std::chrono::milliseconds time) {
  clock_.advance(time);
  EXPECT_OK(await<void>(gateway_->take_due()));
}

}  // namespace deputy::channel
