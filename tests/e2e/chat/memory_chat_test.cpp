// What a chat with a model that thinks remembers: the real program against the strict stand-ins, which refuse thinking
// that does not fit its place and calls without their results.
#include <csignal>

#include "e2e/chat/chat_fixture.h"
#include "support/model_peer.h"

namespace deputy {
namespace {

using test::ModelPeer;
using test::Scenario;
using testing::HasSubstr;
using testing::Not;

constexpr int kExchanges = 10;
constexpr std::string_view kFooter = " s · ";

struct Api {
  std::string name;
  std::string provider;
  std::string stand_in;
  std::string key;
  std::string address;
  std::string messages;  // where a body holds them
};
void PrintTo(const Api& api, std::ostream* out) { *out << api.name; }

json::value without_marks(const json::value& value) {
  if (const json::array* items = value.if_array()) {
    json::array clean;
    for (const json::value& item : *items) clean.push_back(without_marks(item));
    return clean;
  }
  if (const json::object* members = value.if_object()) {
    json::object clean;
    for (const auto& member : *members) {
      if (member.key() != "cache_control") clean[member.key()] = without_marks(member.value());
    }
    return clean;
  }
  return value;
}

class MemoryChat : public Chat, public testing::WithParamInterface<Api> {
 protected:
  std::unique_ptr<Pty> chat_with(const ModelPeer& peer, std::vector<std::string> more = {}) {
    folder_.write("home/.config/deputy/deputy.yaml",
                  fmt::format("tools: {{workspace_tools: {{root: {}}}}}\n"
                              "models: {{default: {{provider: {}}}, fast: {{provider: offline}}}}\n",
                              workspace().string(), GetParam().provider));
    variables_ = {GetParam().key, GetParam().address + "=" + peer.url()};
    return chat(std::move(more));
  }
  void exchange(Pty& pty, int number) {
    pty.type(fmt::format("question {}\r", number));
    pty.expect(fmt::format("Answer {}.", number));
    pty.expect(kFooter);
  }
  /// Bodies of what was asked, without cache marks.
  static std::vector<json::object> bodies(ModelPeer& peer) {
    std::vector<json::object> all;
    for (const json::object& request : peer.requests())
      all.push_back(without_marks(json::parse(text_at(request, "body"))).as_object());
    return all;
  }
  static Scenario exchanges(int count) {
    Scenario scenario;
    for (int i = 1; i <= count; ++i) {
      if (i > 1) scenario.then();
      scenario.thinks(fmt::format("thought {}", i))
          .text(fmt::format("Looking, {}.", i))
          .call("read_file", {{"path", fmt::format("{}.txt", i)}})
          .then()
          .thinks(fmt::format("afterthought {}", i))
          .text(fmt::format("Answer {}.", i));
    }
    return scenario;
  }
};

TEST_P(MemoryChat, TheEleventhRequestHoldsTheFactsOfTheFirst) {
  for (int i = 1; i <= kExchanges + 1; ++i)
    folder_.write(fmt::format("workspace/{}.txt", i), fmt::format("the fact number {}\n", i));
  ModelPeer peer(GetParam().stand_in, exchanges(kExchanges + 2));
  {
    const auto pty = chat_with(peer);
    for (int i = 1; i <= kExchanges; ++i) exchange(*pty, i);
    pty->signal(SIGKILL);
    EXPECT_EQ(pty->end(), 128 + SIGKILL);
  }
  const auto pty = chat_with(peer, {"--resume"});
  exchange(*pty, kExchanges + 1);
  exchange(*pty, kExchanges + 2);
  leave(*pty);

  const std::vector<json::object> sent = bodies(peer);
  ASSERT_EQ(sent.size(), 2U * (kExchanges + 2)) << "nothing is asked for twice";
  const std::string eleventh = json::serialize(sent.at(2 * kExchanges));
  for (int i = 1; i <= kExchanges; ++i) {
    EXPECT_THAT(eleventh, HasSubstr(fmt::format("the fact number {}", i)));
    EXPECT_THAT(eleventh, HasSubstr(fmt::format("Answer {}.", i)));
  }
  for (std::size_t n = 1; n < sent.size(); ++n) {
    SCOPED_TRACE(n);
    for (const std::string_view key : {"system", "instructions", "tools"})
      EXPECT_EQ(sent[n].contains(key) ? sent[n].at(key) : json::value(),
                sent[n - 1].contains(key) ? sent[n - 1].at(key) : json::value());
    const json::array& before = sent[n - 1].at(GetParam().messages).as_array();
    const json::array& now = sent[n].at(GetParam().messages).as_array();
    ASSERT_GT(now.size(), before.size());
    for (std::size_t i = 0; i < before.size(); ++i) ASSERT_EQ(now[i], before[i]) << "message " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Apis, MemoryChat,
                         testing::Values(Api{"Anthropic", "anthropic", "anthropic.js",
                                             "ANTHROPIC_API_KEY=sk-ant-test-0123456789", "ANTHROPIC_BASE_URL",
                                             "messages"},
                                         Api{"OpenAi", "openai", "openai.js", "OPENAI_API_KEY=sk-test-0123456789",
                                             "OPENAI_BASE_URL", "input"}),
                         [](const auto& api) { return api.param.name; });

class ThinkingChat : public Chat {
 protected:
  std::unique_ptr<Pty> chat_with(const ModelPeer& peer) {
    variables_ = {"ANTHROPIC_API_KEY=sk-ant-test-0123456789", "ANTHROPIC_BASE_URL=" + peer.url()};
    return chat();
  }
};

TEST_F(ThinkingChat, ThirtyToolTurnsWithCompactionSendNoThinkingThatIsRefused) {
  folder_.write("workspace/notes.txt", std::string(6000, 'n') + "\n");
  folder_.write("home/.config/deputy/deputy.yaml",
                fmt::format("tools: {{workspace_tools: {{root: {}}}}}\nmodels: {{fast: {{provider: offline}}}}\n"
                            "limits: {{tool_turns: 40}}\n",
                            workspace().string()));
  Scenario scenario;
  int replies = 0;
  for (int i = 1; i <= 30; ++i) {
    // What is shown becomes shorter, and after the third refusal the model sums it up.
    for (int refused = 0; (i == 10 && refused < 1) || (i == 20 && refused < 2); ++refused, ++replies)
      scenario.refuses("overflow").then();
    if (i == 20) {
      scenario.text("What I know so far.").then();
      ++replies;
    }
    scenario.thinks(fmt::format("thought {}", i)).call("read_file", {{"path", "notes.txt"}}).then();
    ++replies;
  }
  scenario.thinks("enough").text("All is read.");
  ModelPeer peer("anthropic.js", scenario);
  const auto pty = chat_with(peer);
  pty->type("read it again and again\r");
  pty->expect("All is read.");
  leave(*pty);
  EXPECT_EQ(peer.count(), replies + 1);
  const std::string last = json::serialize(peer.requests().back());
  EXPECT_THAT(last, HasSubstr("signature")) << "what was thought since goes back";
}

TEST_F(ThinkingChat, ACutAnswerGoesOnAndIsShownOnce) {
  ModelPeer peer("anthropic.js", Scenario()
                                     .thinks("Long one.")
                                     .text("There are two err")
                                     .stop("max_tokens")
                                     .then()
                                     .text("ors in all.")
                                     .then()
                                     .text("As I said."));
  const auto pty = chat_with(peer);
  pty->type("how many?\r");
  pty->expect("There are two errors in all.");
  pty->expect(kFooter);
  pty->type("say it again\r");
  pty->expect("As I said.");
  leave(*pty);
  EXPECT_EQ(peer.count(), 3);
  const std::vector<json::object> requests = peer.requests();
  EXPECT_THAT(text_at(requests.at(1), "body"), HasSubstr("Go on exactly where it stopped"));
}

TEST_F(ThinkingChat, WhatItThinksIsShownWhileItThinksAndIsNoAnswer) {
  ModelPeer peer("anthropic.js", Scenario().thinks("Looking at the alarms first").hold().text("All is quiet."));
  const auto pty = chat_with(peer);
  pty->type("how is it?\r");
  pty->expect("Looking at the alarms");  // the last word may be the beginning of a secret
  peer.go_on();
  pty->expect("All is quiet.");
  leave(*pty);
  EXPECT_THAT(json::serialize(peer.requests().front()), HasSubstr("summarized"));
}

}  // namespace
}  // namespace deputy
