// One bench a channel.
#include "conformance/channel/conversation.h"
#include "conformance/channel/slack_bench.h"
#include "conformance/channel/suite.h"
#include "conformance/channel/terminal_bench.h"
#include "support/scripted_channel.h"

namespace deputy::channel {
namespace {

class ScriptedBench final : public Bench {
 public:
  ScriptedBench(Capabilities capabilities, const Clock& clock) : clock_(clock) {
    scripted_.can = capabilities;
    for (const char* id : {"U1", "U2", "U3", "U4"})
      scripted_.knows(std::string("scripted:") + id, {.standing = policy::AccountKind::member});
  }

  Channel& channel() override { return scripted_; }
  ConversationKey conversation() override { return "scripted:C1:1"; }
  policy::Account ana() override { return {"scripted", "U1"}; }
  policy::Account stranger() override { return {"scripted", "U9"}; }
  policy::Account bo() override { return {"scripted", "U2"}; }
  policy::Account cy() override { return {"scripted", "U3"}; }
  policy::Account eve() override { return {"scripted", "U4"}; }
  policy::Settings settings() override {
    policy::Settings settings;
    settings.people = {{"ana", {.accounts = {{"scripted", "U1"}}}},
                       {"bo", {.accounts = {{"scripted", "U2"}}}},
                       {"cy", {.accounts = {{"scripted", "U3"}}}}};
    settings.access.people = std::vector<std::string>{"ana", "bo", "cy", "scripted:U4"};
    settings.policy.approvers = {{"service_tools", {"bo", "cy"}}};
    return settings;
  }
  Task<Result<>> says(policy::Account account, std::string text) override {
    return scripted_.says(std::move(account.id), conversation(), std::move(text));
  }
  Task<Result<Verdict>> presses(policy::Account account, MessageRef ref, interaction::Control control,
                                std::string reason) override {
    return scripted_.clicks(std::move(account.id), std::move(ref), control, std::move(reason));
  }
  Task<Result<Verdict>> fills_in(policy::Account account, MessageRef ref, FilledIn given) override {
    return scripted_.fills_in(std::move(account.id), std::move(ref), std::move(given));
  }
  Task<Result<Verdict>> ana_presses(MessageRef ref) override {
    const auto* const shown = scripted_.find_ref(ref);
    if (shown == nullptr || !shown->card) return scripted_.sends_token("U1", conversation(), "");
    const auto& controls = shown->card->interactions.front().controls;
    const auto control = controls.empty() ? interaction::Control::deny : controls.front().action.control;
    return scripted_.clicks("U1", std::move(ref), control);
  }
  void has_been_said(int messages) override {
    ConversationContext context{"ops", {}, 0};
    for (int i = 0; i <= messages; ++i) {
      context.said.push_back({ana(), "Ana", i == 0 ? "root" : "message " + std::to_string(i)});
    }
    scripted_.has_context(conversation(), std::move(context));
  }
  Task<Result<>> ana_edits(std::string text) override { return ana_changes(InboundKind::edited, std::move(text)); }
  Task<Result<>> ana_deletes() override { return ana_changes(InboundKind::deleted, ""); }
  Task<Result<>> ana_uploads(std::string text, Upload upload) override {
    InboundMessage message = by_ana(std::move(text));
    const auto size = static_cast<std::int64_t>(upload.content.size());
    message.files = {{"F1", std::move(upload.name), std::move(upload.media_type), size}};
    scripted_.has_file("F1", std::move(upload.content));
    return scripted_.says(std::move(message));
  }
  void ana_wrote(const std::string& text, Timestamp at) override {
    InboundMessage message = by_ana(text);
    message.at = at;
    message.missed = Absence{at - std::chrono::minutes(1), clock_.now()};
    scripted_.keeps(std::move(message));
  }
  void refuses_messages_for(std::chrono::seconds time) override {
    Error error{ErrorKind::rate_limit, "too many messages"};
    error.retryable = true;
    error.retry_after = time;
    scripted_.fails(scripted_.can.stream ? test::Step::begin_stream : test::Step::post, error);
  }
  std::vector<Seen> seen_by(policy::Account account) override {
    std::vector<Seen> all;
    for (const auto& shown : scripted_.shown_in(conversation())) {
      if (!shown.only_for.empty() && shown.only_for != account.id) continue;
      Seen seen{shown.text, {}, shown.ref};
      if (shown.card) {
        for (const ShownInteraction& one : shown.card->interactions) {
          for (const ShownControl& control : one.controls) seen.controls.push_back(control.token);
          seen.is_form = std::holds_alternative<ShownQuestions>(one.what) && !is_settled(one);
        }
      }
      all.push_back(std::move(seen));
    }
    return all;
  }

 private:
  InboundMessage by_ana(std::string text) {
    InboundMessage message;
    message.sender = ana();
    message.conversation = conversation();
    message.text = std::move(text);
    return message;
  }
  Task<Result<>> ana_changes(InboundKind kind, std::string text) {
    InboundMessage message = by_ana(std::move(text));
    message.kind = kind;
    message.ref = scripted_.last_said();
    return scripted_.says(std::move(message));
  }

  const Clock& clock_;
  test::ScriptedChannel scripted_;
};

Capabilities with_streams(Capabilities capabilities) {
  capabilities.stream = true;
  return capabilities;
}

Implementation scripted(std::string name, Capabilities capabilities) {
  return {std::move(name), [capabilities](const BenchSetup& setup) {
            return std::make_unique<ScriptedBench>(capabilities, setup.clock);
          }};
}

// A small form, so that some questions do not fit.
Capabilities everything() {
  Capabilities can = with_streams(test::ScriptedChannel().can);
  can.form = {.questions = 2, .options = 10, .option_text = 40};
  return can;
}

Implementation over(std::string name, slack::Transport transport) {
  return {std::move(name), [transport](const BenchSetup& setup) { return make_slack_bench(setup, transport); }};
}

const auto kImplementations =
    testing::Values(scripted("scripted", everything()), scripted("scripted_text_only", Capabilities{}),
                    Implementation{"terminal", make_terminal_bench}, over("slack_socket", slack::Transport::socket),
                    over("slack_http", slack::Transport::http));

std::string name_of(const testing::TestParamInfo<Implementation>& implementation) { return implementation.param.name; }

INSTANTIATE_TEST_SUITE_P(Channels, ChannelTest, kImplementations, name_of);
INSTANTIATE_TEST_SUITE_P(Channels, ConversationTest, kImplementations, name_of);

}  // namespace
}  // namespace deputy::channel
