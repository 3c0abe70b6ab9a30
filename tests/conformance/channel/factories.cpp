// One bench a channel.
#include "conformance/channel/suite.h"
#include "conformance/channel/terminal_bench.h"
#include "support/scripted_channel.h"

namespace deputy::channel {
namespace {

class ScriptedBench final : public Bench {
 public:
  explicit ScriptedBench(Capabilities capabilities) {
    scripted_.can = capabilities;
    scripted_.knows("scripted:U1", {.standing = policy::AccountKind::member});
  }

  Channel& channel() override { return scripted_; }
  ConversationKey conversation() override { return "scripted:C1:1"; }
  policy::Account ana() override { return {"scripted", "U1"}; }
  policy::Account stranger() override { return {"scripted", "U9"}; }
  Task<Result<>> ana_says(std::string text) override { return scripted_.says("U1", conversation(), std::move(text)); }
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
  std::vector<Seen> seen_by(policy::Account account) override {
    std::vector<Seen> all;
    for (const auto& shown : scripted_.shown_in(conversation())) {
      if (!shown.only_for.empty() && shown.only_for != account.id) continue;
      Seen seen{shown.text, {}};
      if (shown.card) {
        for (const ShownInteraction& one : shown.card->interactions) {
          for (const ShownControl& control : one.controls) seen.controls.push_back(control.token);
        }
      }
      all.push_back(std::move(seen));
    }
    return all;
  }

 private:
  test::ScriptedChannel scripted_;
};

Capabilities with_streams(Capabilities capabilities) {
  capabilities.stream = true;
  return capabilities;
}

Implementation scripted(std::string name, Capabilities capabilities) {
  return {std::move(name), [capabilities] { return std::make_unique<ScriptedBench>(capabilities); }};
}

INSTANTIATE_TEST_SUITE_P(Channels, ChannelTest,
                         testing::Values(scripted("scripted", with_streams(test::ScriptedChannel().can)),
                                         scripted("scripted_text_only", Capabilities{}),
                                         Implementation{"terminal", make_terminal_bench}),
                         [](const auto& implementation) { return implementation.param.name; });

}  // namespace
}  // namespace deputy::channel
