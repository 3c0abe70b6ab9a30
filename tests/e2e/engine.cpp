#include "e2e/engine.h"

#include <ranges>

#include "run/journal/fold.h"
#include "store/settings.h"

namespace deputy::test {

namespace {

policy::Settings people() {
  policy::Settings settings;
  settings.people = {{"ana", {.accounts = {{"scripted", "U1"}}}},
                     {"bo", {.accounts = {{"scripted", "U2"}}}},
                     {"cy", {.accounts = {{"scripted", "U3"}}}}};
  settings.access.people = std::vector<std::string>{"ana", "bo", "cy", "scripted:U4"};
  settings.policy.approvers = {{"service_tools", {"bo", "cy"}}, {"workspace_tools", {"bo"}}, {"doc_tools", {"bo"}}};
  settings.channels["C1"].categories = std::vector<std::string>{"service_tools", "workspace_tools", "doc_tools"};
  return settings;
}

}  // namespace

Engine::Engine() {
  EXPECT_OK(registry_.add(search_notes(world_)));
  EXPECT_OK(registry_.add(restart_service(world_)));
  EXPECT_OK(registry_.add(run_command(world_)));
  for (const char* id : {"U1", "U2", "U3", "U4"}) {
    channel_->knows(std::string("scripted:") + id,
                    {.account = {"scripted", id}, .standing = policy::AccountKind::member});
  }
  auto rules = std::make_shared<run::Rules>();
  auto policy = policy::Policy::make(people());
  EXPECT_OK(policy);
  rules->policy = *std::move(policy);
  rules->environments = {{"prod", {"production"}}, {"staging", {}}};
  rules_ = rules;
  open();
}

Engine::~Engine() { close(); }

void Engine::open() {
  auto store =
      store::SqliteStore::open(loop_.get_executor(), clock_, {.folder = folder_ / "data", .max_gap = kMaxWait});
  ASSERT_OK(store);
  store_ = *std::move(store);
  failing_ = std::make_unique<FailingStore>(*store_);
  executor_ = std::make_unique<toolkit::Executor>(clock_);
  gateway::Channels channels;
  channels.add(channel_);
  if (other_channel_) channels.add(other_channel_);
  gateway_ = std::make_unique<gateway::Gateway>(
      gateway::GatewaySetup{*failing_, clock_, registry_, *executor_, [this] { return rules_; },
                            [this] { return model_; }, run::Redaction("secret of this store"), std::move(channels),
                            gateway::DeliverySettings{.alert_conversation = "scripted:alerts"},
                            store::retention_of(store::RetentionSettings{}), [this] { return fast_; }},
      loop_.get_executor());
  gateway_->start();
}

void Engine::close() {
  if (!gateway_) return;
  bool stopped = false;
  asio::co_spawn(loop_, gateway_->stop(std::chrono::seconds(5)), [&](const std::exception_ptr&) { stopped = true; });
  until([&] { return stopped; });
  gateway_.reset();
  failing_.reset();
  store_.reset();
}

void Engine::set(const std::function<void(policy::Settings&)>& change) {
  policy::Settings settings = rules_->policy.settings;
  change(settings);
  auto rules = std::make_shared<run::Rules>(*rules_);
  auto policy = policy::Policy::make(std::move(settings));
  ASSERT_OK(policy);
  rules->policy = *std::move(policy);
  rules_ = rules;
}

void Engine::limit(const std::function<void(run::LimitSettings&)>& change) {
  auto rules = std::make_shared<run::Rules>(*rules_);
  change(rules->limits);
  rules_ = rules;
}

std::shared_ptr<ScriptedModel> Engine::script(const ModelScript& script) {
  auto model = script.make();
  model_ = model;
  return model;
}

void Engine::until(const std::function<bool()>& ended) {
  EXPECT_TRUE(run_until_within(std::chrono::seconds(20), loop_, ended)) << "it did not happen in time; the thread is:\n"
                                                                        << transcript();
}

void Engine::says(std::string account, std::string text, std::string conversation) {
  must(channel_->says(std::move(account), std::move(conversation), std::move(text)));
}

const ScriptedChannel::Shown* Engine::card() const {
  for (const ScriptedChannel::Shown& shown : channel_->shown() | std::views::reverse) {
    const channel::Card drawn = shown.card.value_or(channel::Card{});
    for (const channel::ShownInteraction& one : drawn.interactions) {
      if (!one.controls.empty()) return &shown;
    }
  }
  return nullptr;
}

channel::Verdict Engine::clicks(std::string account, interaction::Control control, std::string words) {
  const ScriptedChannel::Shown* shown = card();
  EXPECT_NE(shown, nullptr) << transcript();
  if (shown == nullptr) return channel::Refused{"there is no card"};
  return must(channel_->clicks(std::move(account), shown->ref, control, std::move(words)));
}

channel::Verdict Engine::submits(std::string account, std::map<std::string, interaction::Given> given) {
  const ScriptedChannel::Shown* shown = card();
  EXPECT_NE(shown, nullptr) << transcript();
  if (shown == nullptr) return channel::Refused{"there is no form"};
  return must(channel_->clicks(std::move(account), shown->ref, interaction::Control::submit, {}, std::move(given)));
}

std::vector<store::RunRow> Engine::runs() {
  std::vector<store::RunRow> rows = must(store_->runs({}));
  std::ranges::reverse(rows);
  return rows;
}

void Engine::until_finished(int count) {
  until([&] {
    int finished = 0;
    for (const store::RunRow& row : runs()) finished += row.state == store::RunStatus::finished ? 1 : 0;
    return finished >= count;
  });
  int answered = 0;
  for (const store::RunRow& row : runs()) answered += !row.parent && row.state == store::RunStatus::finished ? 1 : 0;
  until([&] { return answers() >= answered; });
}

void Engine::until_asked(int interactions) {
  until([&] {
    int shown = 0;
    for (const ScriptedChannel::Shown& one : channel_->shown()) {
      if (!one.card) continue;
      for (const channel::ShownInteraction& interaction : one.card->interactions)
        shown += interaction.controls.empty() ? 0 : 1;
    }
    return shown >= interactions;
  });
}

run::RunState Engine::state(std::size_t index) {
  const std::vector<store::RunRow> rows = runs();
  run::RunState state;
  if (index >= rows.size()) {
    ADD_FAILURE() << "there is no run " << index;
    return state;
  }
  for (const store::EntryRow& row : must(store_->journal(rows[index].run, 1))) {
    const auto entry = run::decode(row);
    EXPECT_OK(entry);
    if (entry) state = run::fold(std::move(state), *entry);
  }
  return state;
}

const run::CallState* Engine::call(std::string_view id, std::size_t index) {
  last_state_ = state(index);
  return last_state_.find_call(id);
}

channel::Card Engine::card_shown() const {
  const ScriptedChannel::Shown* shown = card();
  return shown == nullptr ? channel::Card{} : shown->card.value_or(channel::Card{});
}

std::string Engine::answer(std::size_t index) { return state(index).replied.value_or(run::Replied{"(none)"}).text; }

std::string Engine::outcome(std::size_t index) {
  const run::RunState seen = state(index);
  return seen.finished ? std::string(name(seen.finished->outcome)) : "";
}

std::string Engine::limited(std::size_t index) {
  const run::RunState seen = state(index);
  return seen.limited ? std::string(name(seen.limited->what)) : "";
}

run::Answered Engine::answered(std::string_view id) {
  const run::CallState* found = call(id);
  return found == nullptr ? run::Answered{} : found->answered.value_or(run::Answered{});
}

std::string Engine::result_of(std::string_view id, std::size_t index) {
  const run::CallState* found = call(id, index);
  return found == nullptr || !found->finished ? "(not finished)" : found->finished->text;
}

std::string Engine::status_of(std::string_view id, std::size_t index) {
  const run::CallState* found = call(id, index);
  return found == nullptr || !found->finished ? "(not finished)" : std::string(name(found->finished->status));
}

std::vector<std::string> Engine::audited(std::string_view kind) {
  std::vector<std::string> bodies;
  for (const store::AuditRow& row : must(store_->audit({.most = 1000})) | std::views::reverse) {
    if (row.kind == kind) bodies.push_back(row.person + " " + row.body);
  }
  return bodies;
}

int Engine::answers() const {
  return static_cast<int>(
      std::ranges::count_if(channel_->shown(), [](const auto& one) { return !one.footer.empty(); }));
}

void Engine::pass(std::chrono::milliseconds time) {
  clock_.advance(time);
  must(gateway_->take_due());
}

}  // namespace deputy::test
