// One factory an implementation.
#include "conformance/model/suite.h"
#include "model/offline/offline.h"
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

Turn user(std::string text) { return {Role::user, {Text{std::move(text)}}}; }

std::shared_ptr<Model> make_offline(asio::io_context&, Part part) {
  if (part == Part::waits) return nullptr;
  return std::make_shared<offline::OfflineModel>();
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

}  // namespace

Request request_for(Part part) {
  Request request{.system = "You help.", .turns = {}, .tools = tools(), .max_tokens = 600};
  switch (part) {
    case Part::answers_in_words:
      request.tools.clear();
      request.turns = {user("What can you do?")};
      break;
    case Part::makes_one_call:
    case Part::waits:
      request.turns = {user("Show me the errors of checkout-api")};
      break;
    case Part::makes_two_calls:
      request.turns = {user("Are there open incidents and firing alarms?")};
      break;
    case Part::tells_what_it_found:
      request.turns = {user("Show me the errors of checkout-api"),
                       {Role::assistant, {Call{"c1", "recent_errors", {{"service", "checkout-api"}}}}},
                       {Role::user, {CallResult{"c1", "error one\nerror two", false}}}};
      break;
  }
  return request;
}

INSTANTIATE_TEST_SUITE_P(Models, ModelTest,
                         testing::Values(Implementation{"offline", make_offline, true},
                                         Implementation{"scripted", make_scripted, true}),
                         [](const auto& implementation) { return implementation.param.name; });

}  // namespace deputy::model
