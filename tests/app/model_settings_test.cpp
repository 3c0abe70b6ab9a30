// What settings say of models, seen in what a server on this machine is asked: its answer is that, in words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/program.h"
#include "app/settings.h"
#include "support/child.h"
#include "support/node.h"

namespace deputy::app {
namespace {

using model::ModelSettings;
using model::ProviderKind;
using testing::HasSubstr;
using testing::Not;

class Echo {
 public:
  explicit Echo(int refusals = 0, int held = 0)
      : child_(test::node_program("model_echo.js", {std::to_string(refusals), std::to_string(held)})) {
    url = "http://127.0.0.1:" + child_.read_line().value_or("port 0").substr(5);
  }

  std::string line() { return child_.read_line().value_or(""); }

  std::string url;

 private:
  test::Child child_;
};

class ModelSettingsAtWork : public testing::Test {
 protected:
  /// What the model was asked, or why it was not. Without a fast model, so that it is asked once.
  std::string ask(const std::string& models, const std::string& more = "") {
    deputy_.write_user(
        fmt::format("models: {{fast: {{provider: offline}}{}{}}}\n{}", models.empty() ? "" : ", ", models, more));
    const ProcessEnd end = deputy_.run({"ask", "hello"});
    return end.output + end.errors;
  }
  std::string check(const std::string& models) {
    deputy_.write_user(fmt::format("models: {{{}}}\n", models));
    return deputy_.run({"config", "check"}).output;
  }
  std::string anthropic(const std::string& more) const {
    return fmt::format("default: {{provider: anthropic, api_key: sk-one, base_url: '{}'{}}}", echo_.url, more);
  }
  std::string bedrock(const std::string& model) const {
    return fmt::format("default: {{provider: bedrock, model: '{}'}}", model);
  }
  std::string aws(const std::string& more = "") const {
    return fmt::format("aws: {{region: eu-west-1, endpoint_url: '{}'{}}}\n", echo_.url, more);
  }

  Echo echo_;
  test::Program deputy_;
};

TEST_F(ModelSettingsAtWork, ProviderModelKeyAndAddressSayWhoIsAsked) {
  const std::string asked = ask(anthropic(", model: claude-a"));
  EXPECT_THAT(asked, HasSubstr("path=/v1/messages "));
  EXPECT_THAT(asked, HasSubstr("key=sk-one "));
  EXPECT_THAT(asked, HasSubstr("model=claude-a "));
  EXPECT_THAT(ask(anthropic("")), HasSubstr("model=claude-sonnet-5-5 "));
  const std::string by_openai =
      ask(fmt::format("default: {{provider: openai_chat, model: local, base_url: '{}/v1'}}", echo_.url));
  EXPECT_THAT(by_openai, HasSubstr("path=/v1/chat/completions "));
  EXPECT_THAT(by_openai, HasSubstr("key=none "));
  EXPECT_THAT(ask(fmt::format("default: {{provider: openai, model: local, base_url: '{}/v1'}}", echo_.url)),
              HasSubstr("path=/v1/responses "))
      << "an explicit provider is obeyed";
}

TEST_F(ModelSettingsAtWork, EffortAndThinkingAreSentToModelsThatHaveAChoice) {
  EXPECT_THAT(ask(anthropic("")), HasSubstr("thinking=adaptive "));
  const std::string set = ask(anthropic(", effort: low, thinking: least"));
  EXPECT_THAT(set, HasSubstr("effort=low "));
  EXPECT_THAT(set, HasSubstr("thinking=between_tools "));
  const std::string unknown = ask(anthropic(", model: claude-a, thinking: least"));
  EXPECT_THAT(unknown, Not(HasSubstr("thinking=")));
}

TEST_F(ModelSettingsAtWork, AReplyIsBoundedOnce) {
  EXPECT_THAT(ask(anthropic("")), HasSubstr("most=16000 "));
  EXPECT_THAT(ask(anthropic(""), "limits: {reply_tokens: 700}\n"), HasSubstr("most=700 "));
  for (const std::string old : {"first_tokens", "later_tokens", "tokens_after_a_cut"}) {
    deputy_.write_user(fmt::format("limits: {{{}: 700}}\n", old));
    const std::string checked = deputy_.run({"config", "check"}).output;
    EXPECT_THAT(checked, HasSubstr(fmt::format("the setting `{}` is gone", old)));
    EXPECT_THAT(checked, HasSubstr("write `reply_tokens`"));
  }
}

TEST_F(ModelSettingsAtWork, TemperatureIsSentWhenItIsSet) {
  EXPECT_THAT(ask(anthropic(", model: claude-a")), Not(HasSubstr("temperature")));
  EXPECT_THAT(ask(anthropic(", model: claude-a, temperature: 0.5")), HasSubstr("temperature=0.5"));
  EXPECT_THAT(ask(anthropic(", temperature: 0.5")), Not(HasSubstr("temperature"))) << "it would be refused";
}

TEST_F(ModelSettingsAtWork, ContextTokensSayWhatIsNotSent) {
  EXPECT_THAT(ask(anthropic(", context_tokens: 100")), HasSubstr("fit"));
  EXPECT_THAT(ask(anthropic(", context_tokens: 100000")), HasSubstr("asked=1"));
}

TEST_F(ModelSettingsAtWork, AnthropicSaysHowItIsReached) {
  const std::string reached =
      fmt::format("anthropic: {{api_key: sk-two, base_url: '{}', version: '2026-10-21', betas: [b-1]}}", echo_.url);
  const std::string asked = ask(reached);
  EXPECT_THAT(asked, HasSubstr("key=sk-two "));
  EXPECT_THAT(asked, HasSubstr("version=2026-10-21 "));
  EXPECT_THAT(asked, HasSubstr("beta=b-1 "));
  EXPECT_THAT(ask(anthropic("")), HasSubstr("version=2023-06-01 "));
}

TEST_F(ModelSettingsAtWork, OpenAiSaysHowItIsReached) {
  const std::string asked = ask(fmt::format("openai: {{api_key: sk-three, base_url: '{}'}}", echo_.url));
  EXPECT_THAT(asked, HasSubstr("the server has 2 models: claude-a, local-model"));
  EXPECT_THAT(ask(fmt::format("default: {{provider: openai_chat, model: m}}, openai: {{base_url: '{}'}}", echo_.url)),
              HasSubstr("path=/v1/chat/completions "));
}

TEST_F(ModelSettingsAtWork, VariablesOfTheVendorsChooseTheModelAndSaySo) {
  deputy_.variables = {{"ANTHROPIC_API_KEY", "sk-env"}, {"ANTHROPIC_BASE_URL", echo_.url}, {"OPENAI_API_KEY", "sk-o"}};
  const std::string asked = ask("");
  EXPECT_THAT(asked, HasSubstr("key=sk-env "));
  EXPECT_THAT(asked, HasSubstr("answers come from anthropic/claude-sonnet-5-5 (ANTHROPIC_API_KEY is set)"));
  EXPECT_THAT(asked, HasSubstr("anthropic is reached at " + echo_.url));
  deputy_.variables = {{"OPENAI_BASE_URL", echo_.url + "/v1"}};
  EXPECT_THAT(ask(""), HasSubstr("answers come from openai_chat/the only model of " + echo_.url));
  deputy_.variables = {{"AWS_ACCESS_KEY_ID", "AKIDEXAMPLE"}, {"AWS_SECRET_ACCESS_KEY", "x"}};
  EXPECT_THAT(ask(""), HasSubstr("This is the offline planner"));
}

TEST_F(ModelSettingsAtWork, EveryAnswerSaysWhoGaveItAndWhy) {
  EXPECT_THAT(ask(""), HasSubstr("answers come from the offline planner (no model key is set)\n"));
  EXPECT_THAT(ask(fmt::format("default: {{provider: openai, model: m-1, base_url: '{}/v1'}}", echo_.url)),
              HasSubstr("answers come from openai/m-1 (as models.default says)\n"));
  deputy_.variables = {{"ANTHROPIC_API_KEY", "sk-env"}};
  const std::string offline = "default: {provider: offline}";
  EXPECT_THAT(ask(offline), HasSubstr("answers come from the offline planner (as models.default says)\n"));
  EXPECT_THAT(deputy_.run({"chat"}, "/model\n/quit\n").output,
              HasSubstr("answered by the offline planner (as models.default says)."));
}

TEST_F(ModelSettingsAtWork, FallbackAnswersWhenTheFirstDoesNot) {
  const std::string nobody =
      "default: {provider: anthropic, api_key: sk-one, base_url: 'http://127.0.0.1:1'}, retries: {tries: 1}";
  EXPECT_THAT(ask(nobody), Not(HasSubstr("asked=")));
  EXPECT_THAT(ask(nobody + fmt::format(", fallback: {{provider: openai, model: second, base_url: '{}'}}", echo_.url)),
              HasSubstr("model=second "));
}

TEST_F(ModelSettingsAtWork, TriesSayHowOftenAModelIsAsked) {
  const Echo busy(2);
  const std::string models =
      fmt::format("default: {{provider: anthropic, api_key: sk-one, base_url: '{}'}}, retries: ", busy.url);
  EXPECT_THAT(ask(models + "{tries: 2}"), Not(HasSubstr("asked=")));
  EXPECT_THAT(ask(models + "{tries: 3}"), HasSubstr("asked=3"));
}

TEST_F(ModelSettingsAtWork, TotalSaysHowLongAModelIsWaitedFor) {
  const Echo mute(0, 100);
  EXPECT_THAT(ask(fmt::format("anthropic: {{api_key: sk-one, base_url: '{}'}}, retries: {{total: 1s}}", mute.url)),
              HasSubstr("did not answer in time"));
}

TEST_F(ModelSettingsAtWork, PricesSayWhatARequestCosts) {
  ask(anthropic(", model: claude-a") +
      ", prices: {claude-a: {input: 1000, output: 2000}}, "
      "budgets: {run_usd: 0, person_day_usd: 0, day_usd: 0}");
  EXPECT_THAT(deputy_.run({"usage"}).output, HasSubstr("3.00"));
}

TEST_F(ModelSettingsAtWork, ARequestThatWouldGoOverTheBudgetIsNotSent) {
  const std::string told = ask(anthropic(", model: claude-a") + ", prices: {claude-a: {input: 1000, output: 2000}}");
  EXPECT_THAT(told, HasSubstr("I stopped at a budget: this run may cost $1.00"));
  EXPECT_THAT(told, Not(HasSubstr("asked=")));
}

TEST_F(ModelSettingsAtWork, BedrockIsReachedWithTheCredentialsAndTheRegionOfAws) {
  deputy_.variables = {{"AWS_ACCESS_KEY_ID", "AKIDEXAMPLE"},
                       {"AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"},
                       {"AWS_SESSION_TOKEN", "session"},
                       {"AWS_EC2_METADATA_DISABLED", "true"}};
  const std::string invoked = ask(bedrock("us.anthropic.claude-a-v1:0"), aws());
  EXPECT_THAT(invoked, HasSubstr("path=/model/us.anthropic.claude-a-v1%3A0/invoke-with-response-stream "));
  EXPECT_THAT(invoked, HasSubstr(" session=given "));
  EXPECT_THAT(ask(bedrock("amazon.nova"), aws()), HasSubstr("path=/model/amazon.nova/converse-stream "));
  EXPECT_THAT(ask(bedrock("us.anthropic.claude-a") + ", bedrock: {form: converse}", aws()),
              HasSubstr("converse-stream "));
  EXPECT_THAT(ask(bedrock("amazon.nova") + ", bedrock: {delivery: whole}", aws()),
              HasSubstr("path=/model/amazon.nova/converse "));
  EXPECT_THAT(ask(bedrock("amazon.nova") + ", bedrock: {bearer_token: abc}", aws()), HasSubstr("key=Bearer "));
  EXPECT_THAT(ask(bedrock("amazon.nova"), aws()), HasSubstr("notice: AWS is reached at " + echo_.url));
}

TEST_F(ModelSettingsAtWork, DoctorAsksEveryModelThatIsSetUp) {
  deputy_.write_user(
      fmt::format("models: {{{}, fast: {{provider: anthropic, model: small}}, fallback: {{provider: openai, base_url: "
                  "'http://127.0.0.1:1'}}}}\n",
                  anthropic(", model: claude-a")));
  const ProcessEnd end = deputy_.run({"doctor"});
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_THAT(end.output, HasSubstr("anthropic/claude-a answered\n"));
  EXPECT_THAT(end.output, HasSubstr("anthropic/small answered; small is not on the provider's list of models"));
  EXPECT_THAT(end.output, testing::ContainsRegex("model \\(fallback\\) +broken"));
}

TEST_F(ModelSettingsAtWork, WhatCannotBeReachedIsAProblemOfTheSettings) {
  struct Case {
    std::string models;
    std::string problem;
  };
  for (const Case& one :
       {Case{"default: {provider: anthropic}", "Anthropic needs a key"},
        Case{"default: {provider: openai}", "OpenAI needs a key"},
        Case{"default: {provider: bedrock}", "Bedrock has no default model"},
        Case{"default: {model: gpt-6.1-sol}", "this model has no provider"},
        Case{"default: {provider: anthropic, api_key: k, base_url: 'http://example.com'}", "plain http"},
        Case{"anthropic: {base_url: 'ftp://example.com'}", "base_url"},
        Case{"fast: {provider: openai}", "models.fast"}}) {
    EXPECT_THAT(check(one.models), HasSubstr(one.problem)) << one.models;
  }
  EXPECT_THAT(check("default: {provider: openai, base_url: 'http://localhost:11434/v1'}"), HasSubstr("ok: "));
}

TEST(ModelKilled, ARunKilledMidStreamAsksAgainAndAnswersOnce) {
  test::Program deputy;
  Echo model(0, 1);
  deputy.write_user(fmt::format(
      "models: {{fast: {{provider: offline}}, anthropic: {{api_key: sk-one, base_url: '{}'}}}}\n", model.url));
  const std::vector<std::string> home{"HOME=" + (deputy.folder / "home").string()};
  test::Child ask({DEPUTY_PROGRAM, "ask", "hello"}, home);
  EXPECT_EQ(model.line(), "held");
  ask.kill();
  ask.wait();
  const ProcessEnd runs = deputy.run({"runs", "list", "--json"});
  const auto list = parse_json(runs.output);
  ASSERT_OK(list);
  ASSERT_EQ(list->as_array().size(), 1U) << runs.output;
  const std::string run(as_view(list->at(0).at("run").as_string()));
  const ProcessEnd resumed = deputy.run({"runs", "resume", run});
  EXPECT_THAT(resumed.output, HasSubstr("asked=2 ")) << resumed.errors;
  EXPECT_THAT(resumed.output, Not(HasSubstr("The beginning")));
  const ProcessEnd again = deputy.run({"runs", "resume", run});
  EXPECT_THAT(again.output + again.errors, Not(HasSubstr("asked=3")));
}

TEST_F(ModelSettingsAtWork, DoctorSaysWhenAModelEnds) {
  deputy_.write_user(fmt::format("models: {{{}}}\n", anthropic(", model: claude-sonnet-4-5")));
  EXPECT_THAT(deputy_.run({"doctor"}).output, HasSubstr("it will be retired on 2026-11-30"));
}

TEST(ModelsSettings, AKeyAloneSetsTheFastModelToo) {
  ModelsSettings settings;
  EXPECT_FALSE(settings.chosen_fast().is_set());
  settings.openai.api_key = Secret("k");
  EXPECT_EQ(settings.chosen().model, "gpt-6.1-sol");
  EXPECT_EQ(settings.chosen_fast().model, "gpt-6-luna");
  settings.anthropic.api_key = Secret("k");
  const ModelSettings fast = settings.chosen_fast();
  EXPECT_EQ(fast.model, "claude-haiku-5-5");
  EXPECT_EQ(fast.effort, model::Effort::low);
  EXPECT_EQ(fast.thinking, model::ThinkingAmount::least);
  settings.fast = {.provider = ProviderKind::offline};
  EXPECT_FALSE(settings.chosen_fast().is_set()) << "rules do";
  settings.fast = {};
  settings.main = {.provider = ProviderKind::offline};
  EXPECT_FALSE(settings.chosen_fast().is_set()) << "who names one model names all";
}

TEST(ModelsSettings, AnotherAddressOfOpenAisSpeaksChatCompletions) {
  ModelsSettings settings;
  settings.openai.base_url = "http://127.0.0.1:11434/v1";
  EXPECT_EQ(settings.chosen().provider, ProviderKind::openai_chat) << "on this machine no key is needed";
  settings.openai.base_url = "https://llm.example/v1";
  EXPECT_EQ(settings.chosen().provider, ProviderKind::offline);
  settings.openai.api_key = Secret("k");
  EXPECT_EQ(settings.chosen().provider, ProviderKind::openai_chat);
  settings.openai.base_url = "https://api.openai.com";
  EXPECT_EQ(settings.chosen().provider, ProviderKind::openai);
}

TEST(ModelsSettings, AFastModelTakesWhatItLeavesOutFromTheMainOneOfItsProvider) {
  ModelsSettings settings;
  settings.main = {.provider = ProviderKind::anthropic, .api_key = Secret("k1"), .base_url = "https://a.example"};
  settings.anthropic.api_key = Secret("k2");
  settings.openai.api_key = Secret("k3");
  const ModelSettings fast = settings.completed({.provider = ProviderKind::anthropic, .model = "small"});
  EXPECT_EQ(fast.api_key.reveal(), "k1");
  EXPECT_EQ(fast.base_url, "https://a.example");
  const ModelSettings other = settings.completed({.provider = ProviderKind::openai});
  EXPECT_EQ(other.api_key.reveal(), "k3");
  EXPECT_EQ(other.model, "gpt-6.1-sol");
  // A key is sent only to the address it was given with.
  const ModelSettings elsewhere =
      settings.completed({.provider = ProviderKind::anthropic, .base_url = "https://b.example"});
  EXPECT_TRUE(elsewhere.api_key.empty());
  const ModelSettings with_key = settings.completed({.provider = ProviderKind::anthropic, .api_key = Secret("k4")});
  EXPECT_EQ(with_key.base_url, "https://api.anthropic.com");
  EXPECT_EQ(
      settings.completed({.provider = ProviderKind::openai, .base_url = "https://api.openai.com"}).api_key.reveal(),
      "k3");
}

}  // namespace
}  // namespace deputy::app
