// The argument parser and an outside validator over the generated JSON Schema accept the same arguments.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/fields.h"
#include "support/rich_fields.h"

namespace deputy {
namespace {

using test::RichFields;

const json::value& full() {
  static const json::value arguments = *parse_json(
      R"({"query":"errors","limit":10,"offset":-5,"count":3,"plain":-7,"ratio":0.25,"deep":true,"order":"oldest","colour":"dark_blue",
          "wait":"1h30m5ms","item":{"name":"a","weight":99.5,"tags":["new","old"]},"spare":{"name":"b"},
          "items":[{"name":"c"},{"name":"d","weight":0}],"numbers":[0,9,4.0],"weights":{"x":-1,"y":2.5},
          "named":{"z":{"name":"e","tags":[]}},"anything":[1,{"a":null}],"options":{"k":[true,"v"]}})");
  return arguments;
}

// What goes wrong in practice: another type, a value at or past a limit, a word that is nearly right.
const std::vector<json::value>& replacements() {
  static const std::vector<json::value> values = [] {
    std::vector<json::value> made;
    for (const std::string_view text : {"null",
                                        "true",
                                        "\"\"",
                                        "\"red\"",
                                        "\"newest\"",
                                        "\"new\"",
                                        "\"Red\"",
                                        "\"5m\"",
                                        "\"5m1h\"",
                                        "\"0s\"",
                                        "\"-5s\"",
                                        "\"99999999999999999999d\"",
                                        "\"ééééééééééééééééééééé\"",
                                        "\"éééééééééé\"",
                                        "0",
                                        "1",
                                        "-1",
                                        "-2",
                                        "9",
                                        "10",
                                        "100",
                                        "101",
                                        "4.0",
                                        "4.5",
                                        "-0.0",
                                        "0.5",
                                        "99.5",
                                        "99.6",
                                        "1e12",
                                        "1e13",
                                        "1e30",
                                        "-1e300",
                                        "2147483647",
                                        "2147483648",
                                        "-2147483649",
                                        "4294967295",
                                        "4294967296",
                                        "9223372036854775807",
                                        "9223372036854775808",
                                        "[]",
                                        "[1]",
                                        "[\"new\"]",
                                        "[1,2,3,4,5]",
                                        "[{\"name\":\"a\"}]",
                                        "[null]",
                                        "{}",
                                        "{\"name\":\"a\"}",
                                        "{\"name\":\"a\",\"weight\":null}",
                                        "{\"name\":null}",
                                        "{\"x\":1}",
                                        "{\"x\":null}",
                                        "{\"x\":{\"name\":\"b\"}}"}) {
      made.push_back(*parse_json(text));
    }
    return made;
  }();
  return values;
}

// Changes one place somewhere inside: replaces it, drops a member, adds one, or repeats an item.
void mutate(json::value& value) {
  auto* object = value.if_object();
  auto* list = value.if_array();
  const bool inside = (object != nullptr && !object->empty()) || (list != nullptr && !list->empty());
  if (!inside || *rc::gen::inRange(0, 12) == 0) {
    value = *rc::gen::elementOf(replacements());
    return;
  }
  if (list != nullptr) {
    json::value& item = (*list)[*rc::gen::inRange<std::size_t>(0, list->size())];
    if (*rc::gen::inRange(0, 3) == 0) {
      const json::value copy = item;
      list->push_back(copy);
    } else {
      mutate(item);
    }
    return;
  }
  const auto member =
      object->begin() + *rc::gen::inRange<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(object->size()));
  switch (*rc::gen::inRange(0, 6)) {
    case 0:
      object->erase(member);
      break;
    case 1:
      object->insert_or_assign(*rc::gen::element<std::string>("lmit", "limit", "name", "tags", "x"),
                               *rc::gen::elementOf(replacements()));
      break;
    default:
      mutate(member->value());
  }
}

RC_GTEST_PROP(FieldsProperty, ArgumentsAreAcceptedIffTheirSchemaAcceptsThem, ()) {
  json::value arguments = full();
  for (int times = *rc::gen::inRange(0, 4); times > 0 && arguments.is_object(); --times) mutate(arguments);
  if (!arguments.is_object()) return;
  const auto parsed = parse_arguments<RichFields>(arguments.get_object());
  RC_CLASSIFY(parsed.has_value(), "accepted");
  RC_LOG() << json::serialize(arguments) << '\n' << (parsed ? "accepted" : describe(parsed.error()));
  RC_ASSERT(parsed.has_value() == test::judge_accepts(arguments.get_object()));
}

RC_GTEST_PROP(FieldsProperty, WhatWasAcceptedReadsBackFromItsJson, ()) {
  json::value arguments = full();
  mutate(arguments);
  if (!arguments.is_object()) return;
  const auto parsed = parse_arguments<RichFields>(arguments.get_object());
  if (parsed) RC_ASSERT(parse_arguments<RichFields>(to_json(*parsed)).value() == *parsed);
}

TEST(FieldsJudge, SeesTheDifferences) {
  EXPECT_TRUE(test::judge_accepts(full().get_object()));
  EXPECT_FALSE(test::judge_accepts({}));
  EXPECT_FALSE(test::judge_accepts({{"query", "q"}, {"limit", 101}}));
  EXPECT_FALSE(test::judge_accepts({{"query", "q"}, {"wait", "5m1h"}}));
}

}  // namespace
}  // namespace deputy
