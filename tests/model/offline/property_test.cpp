// Any words over any schemas: it does not crash, and what it calls keeps the schema's rules.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "base/text.h"
#include "interaction/questions.h"
#include "model/offline/conversation.h"
#include "model/offline/planner.h"
#include "model/offline/world.h"
#include "support/growth.h"

namespace deputy::model::offline {
namespace {

const std::vector<std::string> kWords{"show",
                                      "restart",
                                      "errors",
                                      "of",
                                      "checkout-api",
                                      "in",
                                      "prod",
                                      "and",
                                      "staging",
                                      "OPS-12",
                                      "PR 45",
                                      "the",
                                      "last",
                                      "20",
                                      "hours",
                                      "\"disk",
                                      "full\"",
                                      "`ls`",
                                      "#ops",
                                      "find",
                                      "tickets",
                                      "about",
                                      "who",
                                      "on call",
                                      "ref=main",
                                      "limit: 5",
                                      "\n",
                                      "[channel]",
                                      "\xff",
                                      "ü",
                                      "=",
                                      ":",
                                      "'",
                                      "run",
                                      "build",
                                      "service",
                                      "## Extracted context\n```json\n",
                                      "```",
                                      "{}",
                                      "yes"};

const std::vector<std::string> kNames{"service", "environment", "hours_back", "from", "to",      "query", "limit",
                                      "path",    "url",         "x",          "",     "command", "\xff",  "a b"};

std::string some(const std::vector<std::string>& of) { return *rc::gen::elementOf(of); }

std::string any_text() {
  std::string text;
  for (const std::string& word : *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kWords))) {
    text += word + (text.size() % 3 == 0 ? "" : " ");
  }
  return text;
}

json::value any_choice() {
  return *rc::gen::element<json::value>(json::value("prod"), json::value("staging"), json::value("critical"),
                                        json::value(4), json::value(true), json::value(""), json::value(nullptr),
                                        json::value(json::array{}));
}

json::object any_property() {
  json::object schema;
  static const std::vector<std::string> kTypes{"string", "integer", "number", "boolean",
                                               "array",  "object",  "null",   "odd"};
  if (*rc::gen::inRange(0, 8) > 0) schema["type"] = some(kTypes);
  if (*rc::gen::inRange(0, 3) == 0) {
    json::array choices;
    for (int left = *rc::gen::inRange(0, 4); left > 0; --left) choices.push_back(any_choice());
    schema["enum"] = std::move(choices);
  }
  if (*rc::gen::inRange(0, 4) == 0) schema["minimum"] = *rc::gen::inRange(-3, 30);
  if (*rc::gen::inRange(0, 4) == 0) schema["maximum"] = *rc::gen::inRange(-3, 30);
  if (*rc::gen::inRange(0, 4) == 0) schema["maxLength"] = *rc::gen::inRange(0, 9);
  if (*rc::gen::inRange(0, 4) == 0)
    schema["items"] = json::object{{"type", some(kTypes)}, {"enum", json::array{any_choice()}}};
  if (*rc::gen::inRange(0, 6) == 0) schema["default"] = any_choice();
  if (*rc::gen::inRange(0, 9) == 0) return {{"anyOf", json::array{schema, json::object{{"type", "null"}}}}};
  return schema;
}

toolkit::ToolSpec any_tool(std::size_t number) {
  toolkit::ToolSpec spec = described(fmt::format("tool_{}", number), {{"errors", some(kWords)}, {}, {}, ""});
  if (*rc::gen::inRange(0, 3) == 0) {
    spec.effect = toolkit::Effect::write;
    spec.topics.verbs = {"restart", "run"};
  }
  json::object properties;
  json::array required;
  for (int left = *rc::gen::inRange(0, 5); left > 0; --left) {
    const std::string name = some(kNames);
    properties[name] = any_property();
    if (*rc::gen::inRange(0, 2) == 0) required.emplace_back(name);
    constexpr auto kKinds = choices_of(toolkit::Kind{});
    const auto kind = *rc::gen::inRange<std::size_t>(0, kKinds.size() + 1);
    if (kind < kKinds.size()) spec.kinds[name] = kKinds[kind].first;
  }
  spec.params = {{"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)}};
  return spec;
}

// The judge: as strict as the schema is about what must be there and what may be chosen, and about types.
bool is_of_type(const json::value& value, std::string_view type) {
  if (type == "string") return value.is_string();
  if (type == "integer") return value.is_int64() || value.is_uint64();
  if (type == "number") return value.is_number();
  if (type == "boolean") return value.is_bool();
  if (type == "array") return value.is_array();
  if (type == "object") return value.is_object();
  return true;
}

void check_call(const Call& call, const ToolDescription& tool) {
  const json::object& properties = tool.params.at("properties").get_object();
  for (const json::value& name : tool.params.at("required").get_array()) {
    RC_ASSERT(call.arguments.contains(name.get_string()));
  }
  for (const auto& member : call.arguments) {
    RC_ASSERT(properties.contains(member.key()));
    const json::object& schema = properties.at(member.key()).get_object();
    // The schema's own words count, whatever it says of their type.
    if (schema.contains("default") && schema.at("default") == member.value()) continue;
    const json::value* choices = schema.if_contains("enum");
    if (choices != nullptr && contains(choices->get_array(), member.value())) continue;
    if (choices != nullptr && !member.value().is_array() && !choices->get_array().empty()) {
      RC_ASSERT(std::ranges::all_of(choices->get_array(), [](const json::value& one) { return one.is_null(); }));
    } else if (const json::value* type = schema.if_contains("type")) {
      RC_ASSERT(is_of_type(member.value(), as_view(type->get_string())));
    }
  }
}

toolkit::Registry any_registry() {
  std::vector<toolkit::ToolSpec> specs;
  for (int left = *rc::gen::inRange(0, 5); left > 0; --left) specs.push_back(any_tool(specs.size()));
  if (*rc::gen::inRange(0, 3) > 0) specs.push_back(shop_tools().front());
  return registry_of(specs);
}

Request any_request(const toolkit::Registry& registry) {
  Request request = ask(any_text(), registry);
  request.max_tokens = *rc::gen::inRange(-1, 2000);
  if (*rc::gen::arbitrary<bool>()) request.turns = {{Role::user, {Text{any_text()}}}};
  return request;
}

RC_GTEST_PROP(OfflineProperty, AnyRequestOverAnyToolsEndsAndEveryCallKeepsItsSchema, ()) {
  static const std::vector<std::string> kResults{
      "",
      "[]",
      "ENVIRONMENT_REQUIRED: known: prod, staging",
      "it failed",
      "Denied by bo",
      "line\nline",
      "\xff",
      R"({"answers":[{"question_label":"environment","answer":"prod"},{"question_label":"service","answer":"x"}],"completed":true})",
      R"({"answers":[{"question_label":3}],"completed":true})",
      R"({"completed":false,"reason":"skipped"})"};
  const toolkit::Registry registry = any_registry();
  Request request = any_request(registry);
  for (std::size_t turn = 0;; ++turn) {
    RC_ASSERT(turn <= kMaxTurns);
    const Reply reply = answer(request, registry);
    RC_ASSERT(answer(request, registry) == reply);
    std::vector<Answered> answers;
    std::set<std::string> ids;
    for (const Block& block : reply.blocks) {
      const Call* call = std::get_if<Call>(&block);
      if (call == nullptr) continue;
      RC_ASSERT(ids.insert(call->id).second);
      const auto tool = std::ranges::find(request.tools, call->tool, &ToolDescription::name);
      RC_ASSERT(tool != request.tools.end());
      if (call->tool == kAskUser) {
        const auto form = interaction::parse_form(call->arguments);
        if (!form) RC_FAIL(describe(form.error()));
      } else {
        check_call(*call, *tool);
      }
      answers.push_back({some(kResults), *rc::gen::arbitrary<bool>()});
    }
    RC_ASSERT(answers.empty() == (reply.stop != Stop::calls));
    RC_ASSERT(is_valid_utf8(text_of(reply)));
    if (answers.empty()) break;
    request = then(std::move(request), reply, answers);
  }
}

TEST(Offline, LongRequestsTakeLinearTime) {
  for (const std::string_view piece : {"errors ", "\"", "cart ", "a-", "and ", "service ", ":", "[x]\n", "a/b "}) {
    const auto work = [](const std::string& text) { static_cast<void>(answer(ask(text), shop())); };
    EXPECT_LT(test::growth(piece, 20'000, work), test::kMaxGrowth) << piece;
  }
}

}  // namespace
}  // namespace deputy::model::offline
