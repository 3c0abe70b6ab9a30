// One factory an implementation.
#include "conformance/model/provider_suite.h"
#include "conformance/model/suite.h"
#include "intent/context_section.h"
#include "model/offline/offline.h"
#include "model/offline/world.h"
#include "model/reliable.h"
#include "support/model_script.h"

namespace deputy::model {

namespace {

ToolDescription tool(std::string name, std::string description, json::object properties = {}) {
  return {std::move(name), std::move(description), {{"type", "object"}, {"properties", std::move(properties)}}};
}

std::vector<ToolDescription> tools() {
  const json::object text{{"type", "string"}};
  return {tool("list_alarms", "Lists alarms that are firing"), tool("list_incidents", "Lists open incidents"),
          tool("recent_errors", "Lists the latest errors of a service", {{"service", text}})};
}

/// What whoever knows the services finds in the request.
std::string context_of_two() {
  intent::Intent intent{.type = intent::IntentType::analyze, .confidence = 1};
  intent.parameters.services = {"checkout-api", "search-api"};
  intent.suggested_tools = {"recent_errors"};
  return intent::context_section(intent);
}

Turn user(std::string text) { return {Role::user, {Text{std::move(text)}}}; }

std::shared_ptr<Model> make_offline(asio::io_context&, Part part) {
  if (part == Part::waits) return nullptr;
  static const toolkit::Registry registry =
      offline::registry_of({offline::described("list_alarms", {{"alarms"}, {}, {}, ""}),
                            offline::described("list_incidents", {{"incidents"}, {}, {}, ""}),
                            offline::described("recent_errors", {{"errors"}, {}, {}, ""}, "service")});
  return std::make_shared<offline::OfflineModel>(registry);
}

std::shared_ptr<Model> make_scripted(asio::io_context&, Part part) {
  test::ModelScript script;
  switch (part) {
    case Part::answers_in_words:
      return script.streams({"I can ", "look things up."}).make();
    case Part::makes_one_call:
      return script.calls("recent_errors", {{"service", "checkout-api"}}).saying("Let me look.").make();
    case Part::makes_two_calls:
      return script.calls({{"list_alarms", {}}, {"list_incidents", {}}}).make();
    case Part::tells_what_it_found:
      return script.says("Two errors.").make();
    case Part::waits:
      return script.hangs().make();
  }
  return nullptr;
}

test::Scenario scenario_for(Part part) {
  test::Scenario scenario;
  scenario.repeat();
  switch (part) {
    case Part::answers_in_words:
      return scenario.text("I can ").text("look things up.");
    case Part::makes_one_call:
      return scenario.text("Let me look.").call("recent_errors", {{"service", "checkout-api"}});
    case Part::makes_two_calls:
      return scenario.call("list_alarms").call("list_incidents");
    case Part::tells_what_it_found:
      return scenario.text("Two errors.");
    case Part::waits:
      return scenario.text("never").silent();
  }
  return scenario;
}

// A provider's model together with its vendor's stand-in.
class VendorModel final : public Model {
 public:
  VendorModel(asio::io_context& loop, const Vendor& vendor, Part part)
      : http_(loop.get_executor(), {}),
        peer_(vendor.stand_in, scenario_for(part)),
        model_({{.provider = vendor.make(http_, clock_, peer_.url()), .price = Price{.input = 3, .output = 5}}},
               clock_) {}

  std::string_view name() const override { return model_.name(); }
  Task<Result<Reply>> ask(Request request, OnText on_text) override {
    return model_.ask(std::move(request), std::move(on_text));
  }
  using Model::cost_of;
  std::optional<std::int64_t> cost_of(const Usage& usage) const override { return model_.cost_of(usage); }

 private:
  SystemClock clock_;
  net::Client http_;
  test::ModelPeer peer_;
  ReliableModel model_;
};

std::optional<std::int64_t> vendor_cost(const Usage& usage) {
  return 3 * (usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens) + 5 * usage.output_tokens;
}

std::vector<Implementation> implementations() {
  std::vector<Implementation> all{
      {"offline", make_offline, true, [](const Usage&) { return 0; }},
      {"scripted", make_scripted, true, [](const Usage&) { return std::nullopt; }},
  };
  for (const Vendor& each : vendors()) {
    all.push_back(
        {each.name,
         [&each](asio::io_context& loop, Part part) { return std::make_shared<VendorModel>(loop, each, part); }, true,
         vendor_cost});
  }
  return all;
}

}  // namespace

Request request_for(Part part) {
  Request request{.system = "You help.", .turns = {}, .tools = tools(), .max_tokens = 600};
  switch (part) {
    case Part::answers_in_words:
      request.tools = {};
      request.turns = {user("What can you do?")};
      break;
    case Part::makes_one_call:
    case Part::waits:
      request.turns = {user("Show me the errors of checkout-api")};
      break;
    case Part::makes_two_calls:
      request.turns = {user("Compare the errors of checkout-api and search-api\n\n" + context_of_two())};
      break;
    case Part::tells_what_it_found:
      request.turns = {user("Show me the errors of checkout-api"),
                       {Role::assistant, {Call{"c1", "recent_errors", {{"service", "checkout-api"}}}}},
                       {Role::user, {CallResult{"c1", "error one\nerror two", false}}}};
      break;
  }
  return request;
}

INSTANTIATE_TEST_SUITE_P(Models, ModelTest, testing::ValuesIn(implementations()),
                         [](const auto& implementation) { return implementation.param.name; });

}  // namespace deputy::model
