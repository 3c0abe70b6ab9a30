#include "app/models.h"

#include <fmt/format.h>

#include "base/text.h"
#include "model/anthropic/anthropic.h"
#include "model/bedrock/bedrock.h"
#include "model/offline/offline.h"
#include "model/openai/openai.h"
#include "model/openai_chat/openai_chat.h"
#include "model/reliable.h"

namespace deputy::app {

namespace {

using model::ModelSettings;
using model::ProviderKind;

constexpr std::chrono::seconds kLimitOfACheck{30};

/// The offline planner as a provider, so that it can be a fallback.
class OfflineProvider final : public model::Provider {
 public:
  explicit OfflineProvider(const toolkit::Registry& registry) : planner_(registry) {}

  std::string_view name() const override { return planner_.name(); }
  Task<Result<model::Reply>> attempt(model::Request request, model::OnText on_text) override {
    return planner_.ask(std::move(request), std::move(on_text));
  }

 private:
  model::offline::OfflineModel planner_;
};

/// A provider that always fails, with the error that says what to set.
class Unreachable final : public model::Provider {
 public:
  Unreachable(std::string name, Error why) : name_(std::move(name)), why_(std::move(why)) {}

  std::string_view name() const override { return name_; }
  Task<Result<model::Reply>> attempt(model::Request, model::OnText) override { co_return std::unexpected(why_); }

 private:
  std::string name_;
  Error why_;
};

// A key is sent only to the address it was configured for.
Secret bearer_token(const ModelSettings& settings, const model::bedrock::Settings& shared) {
  return settings.api_key.empty() && settings.base_url.empty() ? shared.bearer_token : settings.api_key;
}

std::optional<model::Price> price_of(const ModelSettings& settings, const model::Prices& prices) {
  if (settings.provider == ProviderKind::offline) return model::Price{};
  if (const auto own = model::find_price(prices, settings.model)) return own;
  return model::find_price(model::list_prices(), settings.model);
}

model::Manner manner_of(const ModelSettings& settings) {
  return {.model = settings.model,
          .temperature = settings.temperature,
          .effort = settings.effort,
          .thinking = settings.thinking.value_or(model::ThinkingAmount::as_it_likes)};
}

std::int64_t context_of(const ModelSettings& settings) {
  const model::Family* family = model::find_family(settings.model);
  if (settings.context_tokens > 0 || family == nullptr) return settings.context_tokens;
  return family->context_tokens;
}

// Warnings about a model that answers: it will be retired, or the provider does not list it.
Task<std::string> remarks_on(std::shared_ptr<model::Provider> provider, std::string model) {
  std::string remarks;
  const model::Family* family = model::find_family(model);
  if (family != nullptr && !family->ends.empty())
    remarks += fmt::format("; it will be retired on {}: choose another one in `models`", family->ends);
  const Result<std::vector<std::string>> listed = co_await provider->list_models();
  const bool is_listed =
      !listed || listed->empty() || model.empty() || std::ranges::any_of(*listed, [&](const std::string& one) {
        return model::is_named(model, one) || model::is_named(one, model);
      });
  if (!is_listed) remarks += fmt::format("; {} is not on the provider's list of models", model);
  co_return remarks;
}

Task<Result<std::string>> look_at(std::shared_ptr<model::Model> model, std::shared_ptr<model::Provider> provider,
                                  std::string named) {
  constexpr int kEnoughToThink = 2000;
  model::Request request{.system = "This is a check of the connection.",
                         .turns = {{model::Role::user, {model::Text{"Reply with the word ok."}}}},
                         .max_tokens = kEnoughToThink};
  Result<model::Reply> reply = co_await with_timeout(kLimitOfACheck, model->ask(std::move(request), {}));
  // A model that thinks first may use up so short a reply; it was reached anyway.
  if (reply && reply->blocks.empty() && reply->stop != model::Stop::max_tokens)
    reply =
        fail(ErrorKind::upstream, fmt::format("{} sent an empty reply", model->name()), "check the name of the model");
  const std::string remarks = co_await remarks_on(std::move(provider), std::move(named));
  if (reply) co_return fmt::format("{} answered{}", model->name(), remarks);
  reply.error().message += remarks;
  co_return std::unexpected(reply.error());
}

}  // namespace

Models::Models(const ModelsSettings& settings, net::HttpClient& http, clients::aws::Account& aws, const Clock& clock,
               const toolkit::Registry& registry)
    : settings_(settings), http_(http), aws_(aws), clock_(clock), registry_(registry) {
  main_ = reliable(in_order());
  if (const ModelSettings fast = settings_.chosen_fast(); fast.is_set()) fast_ = reliable({fast});
}

std::vector<ModelSettings> Models::in_order() const {
  std::vector<ModelSettings> order{settings_.chosen()};
  if (settings_.fallback.is_set()) order.push_back(settings_.completed(settings_.fallback));
  return order;
}

std::shared_ptr<model::Provider> Models::provider(const ModelSettings& settings) {
  switch (settings.provider.value_or(ProviderKind::offline)) {
    case ProviderKind::anthropic:
      return std::make_shared<model::anthropic::AnthropicProvider>(
          http_, clock_,
          model::anthropic::Options{.manner = manner_of(settings),
                                    .api_key = settings.api_key,
                                    .base_url = settings.base_url,
                                    .version = settings_.anthropic.version,
                                    .betas = settings_.anthropic.betas});
    case ProviderKind::openai:
      return std::make_shared<model::openai::OpenAiProvider>(
          http_, clock_,
          model::openai::Options{
              .manner = manner_of(settings), .api_key = settings.api_key, .base_url = settings.base_url});
    case ProviderKind::openai_chat:
      return std::make_shared<model::openai_chat::OpenAiChatProvider>(
          http_, clock_,
          model::openai_chat::Options{
              .manner = manner_of(settings), .api_key = settings.api_key, .base_url = settings.base_url});
    case ProviderKind::bedrock:
      return bedrock(settings);
    case ProviderKind::offline:
      break;
  }
  return std::make_shared<OfflineProvider>(registry_);
}

std::shared_ptr<model::Provider> Models::bedrock(const ModelSettings& settings) {
  const Result<std::string> region = aws_.region();
  const Result<std::string> endpoint = aws_.endpoint_of(clients::aws::Service::bedrock_runtime);
  const std::string name = "bedrock/" + settings.model;
  if (!region) return std::make_shared<Unreachable>(name, region.error());
  if (!endpoint) return std::make_shared<Unreachable>(name, endpoint.error());
  return std::make_shared<model::bedrock::BedrockProvider>(
      http_, aws_.credentials(), clock_,
      model::bedrock::Options{.manner = manner_of(settings),
                              .region = *region,
                              .endpoint = settings.base_url.empty() ? *endpoint : settings.base_url,
                              .bearer_token = bearer_token(settings, settings_.bedrock),
                              .form = settings_.bedrock.form,
                              .betas = settings_.anthropic.betas,
                              .delivery = settings_.bedrock.delivery});
}

std::shared_ptr<model::Model> Models::reliable(const std::vector<ModelSettings>& order) {
  if (order.size() == 1 && order.front().provider == ProviderKind::offline)
    return std::make_shared<model::offline::OfflineModel>(registry_);
  std::vector<model::Candidate> ways;
  ways.reserve(order.size());
  for (const ModelSettings& settings : order)
    ways.push_back({provider(settings), price_of(settings, settings_.prices), context_of(settings)});
  return std::make_shared<model::ReliableModel>(
      std::move(ways), clock_, model::RetryRules{.tries = settings_.retries.tries, .total = settings_.retries.total});
}

std::vector<Check> Models::checks() {
  std::vector<Check> checks;
  const auto add = [&](std::string name, const ModelSettings& settings) {
    checks.push_back({std::move(name), "", [model = reliable({settings}), one = provider(settings), settings] {
                        return look_at(model, one, settings.model);
                      }});
  };
  add("model", settings_.chosen());
  if (const ModelSettings fast = settings_.chosen_fast(); fast.is_set()) add("model (fast)", fast);
  if (settings_.fallback.is_set()) add("model (fallback)", settings_.completed(settings_.fallback));
  return checks;
}

std::string who_answers(const ModelsSettings& models) {
  const ModelSettings chosen = models.chosen();
  const auto named = [&](std::string_view provider, std::string_view key) {
    const std::string model = chosen.model.empty() ? "the only model of " + chosen.base_url : chosen.model;
    return fmt::format("{}/{} ({})", provider, model,
                       models.main.is_set() ? "as models.default says" : fmt::format("{} is set", key));
  };
  switch (chosen.provider.value_or(ProviderKind::offline)) {
    case ProviderKind::anthropic:
      return named("anthropic", "ANTHROPIC_API_KEY");
    case ProviderKind::openai:
      return named("openai", "OPENAI_API_KEY");
    case ProviderKind::openai_chat:
      return named("openai_chat", "OPENAI_BASE_URL");
    case ProviderKind::bedrock:
      return named("bedrock", "");
    case ProviderKind::offline:
      break;
  }
  return fmt::format("the offline planner ({})",
                     models.main.is_set() ? "as models.default says" : "no model key is set");
}

std::vector<std::string> model_addresses(const Settings& settings) {
  std::vector<std::string> lines;
  const ModelsSettings& models = settings.models;
  const ModelSettings chosen = models.chosen();
  const auto note = [&](std::string_view what, const std::string& address, std::string_view usual = "") {
    std::string line = fmt::format("{} is reached at {}", what, address);
    const bool is_new = !contains(lines, line);
    if (!address.empty() && address != usual && is_new) lines.push_back(std::move(line));
  };
  for (const ModelSettings& one : {chosen, models.chosen_fast(), models.completed(models.fallback)}) {
    if (one.provider == ProviderKind::anthropic) note("anthropic", one.base_url, model::anthropic::Settings{}.base_url);
    if (one.provider == ProviderKind::openai) note("openai", one.base_url, model::openai::kOwnAddress);
    if (one.provider == ProviderKind::openai_chat) note("openai_chat", one.base_url, model::openai::kOwnAddress);
    if (one.provider == ProviderKind::bedrock) note("bedrock", one.base_url);
  }
  note("AWS", settings.aws.endpoint_url);
  note("AWS Bedrock", settings.aws.endpoint_url_bedrock_runtime);
  note("AWS Bedrock's knowledge bases", settings.aws.endpoint_url_bedrock_agent_runtime);
  note("AWS CloudWatch", settings.aws.endpoint_url_cloudwatch);
  note("AWS CloudWatch Logs", settings.aws.endpoint_url_cloudwatch_logs);
  note("AWS ECS", settings.aws.endpoint_url_ecs);
  note("AWS S3", settings.aws.endpoint_url_s3);
  note("AWS STS", settings.aws.endpoint_url_sts);
  return lines;
}

}  // namespace deputy::app
