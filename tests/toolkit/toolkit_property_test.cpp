// What holds of every chain, call, argument and text: digests change with each ingredient and with nothing else, tools
// take any JSON, and cuts keep their limit.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "base/text.h"
#include "support/sample_tools.h"
#include "toolkit/cut.h"
#include "toolkit/digest.h"
#include "toolkit/registry.h"

namespace deputy::toolkit {
namespace {

// A chain as plain data, to be built, compared and changed.
struct Chain {
  struct One {
    std::string name;
    bool repeatable = false;
    bool operator==(const One&) const = default;
  };
  std::vector<One> handlers;
  std::optional<std::size_t> gate;  // before which handler
  std::vector<One> finally;
  int version = 1;
  std::string target;

  bool operator==(const Chain&) const = default;
};

Task<Step> go_on() { co_return Continue{}; }
Task<Result<Looked>> cannot_tell() { co_return Looked{}; }

Handler handler_of(const Chain::One& one, bool with_look) {
  Handler handler{.name = one.name, .repeatable = one.repeatable, .call = [](CallContext&) { return go_on(); }};
  if (with_look) handler.look = [](CallContext&) { return cannot_tell(); };
  return handler;
}

std::string digest_of(const Chain& chain, bool with_look = false) {
  Pipeline pipeline;
  for (std::size_t i = 0; i < chain.handlers.size(); ++i) {
    if (chain.gate == i) pipeline.await_approval();
    pipeline.then(handler_of(chain.handlers[i], with_look));
  }
  for (const auto& one : chain.finally) pipeline.finally(handler_of(one, with_look));
  ToolSpec spec;
  spec.version = chain.version;
  spec.target = {{"backend", chain.target}};
  return chain_digest(spec, pipeline);
}

Chain some_chain() {
  const auto some_handlers = [](int least) {
    std::vector<Chain::One> handlers;
    for (int count = *rc::gen::inRange(least, 4); count > 0; --count) {
      handlers.push_back(
          {*rc::gen::element<std::string>("find", "show", "act", "wait", "drop"), *rc::gen::arbitrary<bool>()});
    }
    return handlers;
  };
  Chain chain{some_handlers(1), std::nullopt, some_handlers(0), *rc::gen::inRange(1, 4),
              *rc::gen::element<std::string>("files", "coralogix", "")};
  if (*rc::gen::arbitrary<bool>()) chain.gate = *rc::gen::inRange<std::size_t>(0, chain.handlers.size());
  return chain;
}

RC_GTEST_PROP(ChainDigestProperty, IsEqualExactlyWhenTheChainIs, ()) {
  const Chain a = some_chain();
  Chain b = *rc::gen::arbitrary<bool>() ? some_chain() : a;
  RC_ASSERT((digest_of(a) == digest_of(b)) == (a == b));
}

RC_GTEST_PROP(ChainDigestProperty, ChangesWithEachIngredient, ()) {
  const Chain before = some_chain();
  Chain after = before;
  const std::size_t at = *rc::gen::inRange<std::size_t>(0, after.handlers.size());
  switch (*rc::gen::inRange(0, 8)) {
    case 0:
      after.handlers[at].name += "x";
      break;
    case 1:
      after.handlers[at].repeatable = !after.handlers[at].repeatable;
      break;
    case 2:
      after.handlers.insert(after.handlers.begin() + static_cast<std::ptrdiff_t>(at), {"extra", true});
      break;
    case 3:
      after.gate = after.gate ? std::nullopt : std::optional(at);
      break;
    case 4:
      after.finally.push_back({"extra", true});
      break;
    case 5:
      ++after.version;
      break;
    case 6:
      after.target += "x";
      break;
    default:
      after.finally.push_back(after.handlers.back());
      after.handlers.back().name += "x";
  }
  RC_ASSERT(digest_of(after) != digest_of(before));
  RC_ASSERT(digest_of(before, /*with_look=*/true) == digest_of(before));
}

// JSON of a few levels, with names that tools know among its keys.
json::value some_json(int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 8 : 6)) {
    case 0:
      return nullptr;
    case 1:
      return *rc::gen::arbitrary<bool>();
    case 2:
      return *rc::gen::arbitrary<std::int64_t>();
    case 3:
      return *rc::gen::map(rc::gen::inRange(-1'000'000, 1'000'000), [](int n) { return n / 8.0; });
    case 4:
      return json::value(to_valid_utf8(*rc::gen::arbitrary<std::string>()));
    case 5:
      return json::value(*rc::gen::element<std::string>("checkout", "prod", "ls", "ls; rm", ""));
    case 6: {
      json::array list;
      for (int count = *rc::gen::inRange(0, 4); count > 0; --count) list.push_back(some_json(depth - 1));
      return list;
    }
    default: {
      json::object object;
      for (int count = *rc::gen::inRange(0, 5); count > 0; --count) {
        object[*rc::gen::element<std::string>("query", "limit", "environment", "service", "force", "command",
                                              "background", "", "other")] = some_json(depth - 1);
      }
      return object;
    }
  }
}

json::object some_arguments() {
  json::object arguments;
  for (const char* name : {"query", "limit", "environment", "service", "force", "command", "background"}) {
    if (*rc::gen::inRange(0, 3) == 0) arguments[name] = some_json(3);
  }
  return arguments;
}

ApprovedCall some_call() {
  return {*rc::gen::element<std::string>("a", "b"), some_arguments(),
          *rc::gen::arbitrary<bool>() ? CallMode::background : CallMode::foreground,
          *rc::gen::element<std::string>("c1", "c2"), some_json(2)};
}

// Equal as JSON is: the order of keys and the spelling of numbers do not count.
bool same(const json::value& a, const json::value& b) { return canonical_json(a) == canonical_json(b); }

RC_GTEST_PROP(CallDigestProperty, ChangesWithEachIngredient, ()) {
  const ApprovedCall before = some_call();
  ApprovedCall after = before;
  switch (*rc::gen::inRange(0, 5)) {
    case 0:
      after.tool += "x";
      break;
    case 1:
      after.arguments["limit"] = some_json(1);
      break;
    case 2:
      after.mode = *rc::gen::arbitrary<bool>() ? CallMode::background : CallMode::foreground;
      break;
    case 3:
      after.chain += "x";
      break;
    default:
      after.preview = some_json(2);
  }
  const bool equal = after.tool == before.tool && same(after.arguments, before.arguments) &&
                     after.mode == before.mode && after.chain == before.chain && same(after.preview, before.preview);
  RC_ASSERT((call_digest(after) == call_digest(before)) == equal);
}

RC_GTEST_PROP(CallDigestProperty, DoesNotDependOnTheOrderOfKeys, ()) {
  const ApprovedCall call = some_call();
  ApprovedCall turned = call;
  turned.arguments = {};
  for (auto member = call.arguments.end(); member != call.arguments.begin();) {
    --member;
    turned.arguments[member->key()] = member->value();
  }
  RC_ASSERT(call_digest(turned) == call_digest(call));
}

TEST(CallDigest, IsSha256OfCanonicalJson) {
  // printf
  // '{"arguments":{"limit":5,"query":"slow"},"background":false,"chain":"c","preview":null,"tool":"search_notes"}' |
  // sha256sum
  EXPECT_EQ(call_digest({"search_notes", {{"query", "slow"}, {"limit", 5.0}}, CallMode::foreground, "c", nullptr}),
            "24a032eaa5af90750d59a2ebef373d65d421c0849fc7c6a03d28fc0e38cbffa6");
}

RC_GTEST_PROP(ToolProperty, AnyArgumentsGiveAChainOrAnErrorAndTheSameOneTwice, ()) {
  const test::World world = std::make_shared<test::SampleWorld>();
  const json::object arguments = some_arguments();
  for (const auto& tool : {test::search_notes(world), test::restart_service(world), test::run_command(world)}) {
    const auto first = tool->compose(arguments);
    const auto second = tool->compose(arguments);
    RC_ASSERT(first.has_value() == second.has_value());
    if (first && second) RC_ASSERT(chain_digest(tool->spec(), *first) == chain_digest(tool->spec(), *second));
    const auto complete = tool->complete_arguments(arguments);
    RC_ASSERT(complete.has_value() == first.has_value());
    if (complete) RC_ASSERT((tool->complete_arguments(*complete) == complete));
    if (complete) RC_ASSERT(tool->problems_of(arguments).empty());
    (void)effect_of(tool->spec(), arguments);
    RC_ASSERT(take_background(tool->spec(), arguments).has_value() || arguments.contains("background"));
    (void)settings_for({}, tool->spec(), arguments);
  }
}

RC_GTEST_PROP(CutProperty, WhatIsShownAndKeptHoldsTheLimitsAndIsText, ()) {
  std::string text;
  for (int count = *rc::gen::inRange(0, 120); count > 0; --count) {
    text += *rc::gen::element<std::string>("word ", "ä", "€", "😀", "\n", "\xFF", "\xE2\x82", "a");
  }
  const CutLimits limits{*rc::gen::inRange<std::size_t>(0, 300), *rc::gen::inRange<std::size_t>(0, 400)};
  const std::string call_id = *rc::gen::element<std::string>("c1", std::string(500, 'i'), "ä\xFF");
  const Compaction half = [](std::string_view whole) { return std::string(whole.substr(0, whole.size() / 2)); };
  for (const Compaction& compact : {Compaction(), half}) {
    const CutResult result = cut_result(text, call_id, {}, compact, limits);
    RC_ASSERT(count_characters(result.shown) <= limits.shown);
    RC_ASSERT(result.whole.size() <= limits.whole);
    RC_ASSERT(is_valid_utf8(result.whole));
    RC_ASSERT(is_valid_utf8(result.shown));
    const bool cut = result.shown != to_valid_utf8(text);
    const bool room_for_a_line = limits.shown > 200 && limits.whole > 200;
    if (cut && room_for_a_line && call_id == "c1") RC_ASSERT(result.shown.ends_with(']'));
  }
}

}  // namespace
}  // namespace deputy::toolkit
