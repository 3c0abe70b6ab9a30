#include "base/json.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/results.h"

namespace deputy {
namespace {

TEST(ParseJson, ReadsOneWholeDocument) {
  EXPECT_EQ(*parse_json(R"( {"a": [1, -2, 2.5, "x", true, null]} )"),
            (json::value{{"a", {1, -2, 2.5, "x", true, nullptr}}}));
  EXPECT_EQ(*parse_json("4"), json::value(4));
  EXPECT_EQ(*parse_json("\"grüße \\u20ac\""), json::value("grüße €"));
}

TEST(ParseJson, SaysWhereItBreaks) {
  struct Row {
    std::string_view text;
    std::string_view message;
  };
  for (const auto& [text, message] : {
           Row{"", "not valid JSON near byte 0: incomplete JSON"},
           Row{"   ", "not valid JSON near byte 3: incomplete JSON"},
           Row{R"({"a": [1, x]})", "not valid JSON near byte 10: syntax error"},
           Row{R"({"a": )", "not valid JSON near byte 6: incomplete JSON"},
           Row{"[1, 2] x", "not valid JSON near byte 7: extra data"},
           Row{"{}{}", "not valid JSON near byte 2: extra data"},
           Row{"\"\xFF\"", "not valid JSON near byte 1: syntax error"},
           Row{R"("\ud800")", "not valid JSON near byte 7: syntax error"},
           Row{"nan", "not valid JSON near byte 1: syntax error"},
           Row{"01", "not valid JSON near byte 1: extra data"},
           Row{"1e99999999999", "not valid JSON near byte 11: exponent overflow"},
           Row{"[1e999]", "not valid JSON near byte 6: exponent overflow"},
           Row{R"({"a": {"b": -1e309}})", "not valid JSON near byte 18: exponent overflow"},
       }) {
    EXPECT_EQ(parse_json(text), fail(ErrorKind::invalid_input, std::string(message))) << text;
  }
}

TEST(ParseJson, GoesThirtyTwoLevelsDeepAndNoDeeper) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  EXPECT_OK(parse_json(nested(32)));
  const auto too_deep = fail(ErrorKind::invalid_input, "not valid JSON near byte 32: too deep");
  EXPECT_EQ(parse_json(nested(33)), too_deep);
  EXPECT_EQ(parse_json(std::string(1'000'000, '[')), too_deep);
}

TEST(ParseJson, ReadsADoubleToItsLastBit) {
  EXPECT_EQ(parse_json("2.0048689561249518")->get_double(), 2.0048689561249518);
  EXPECT_EQ(parse_json("1e-400")->get_double(), 0.0);
  EXPECT_EQ(parse_json("5e-324")->get_double(), 5e-324);
}

TEST(ParseJson, TheLastOfTwoEqualKeysCounts) {
  EXPECT_EQ(*parse_json(R"({"a":1,"b":2,"a":3})"), (json::value{{"a", 3}, {"b", 2}}));
}

TEST(ParseJsonObject, RefusesEverythingElse) {
  EXPECT_EQ(*parse_json_object(R"({"a":1})"), (json::object{{"a", 1}}));
  EXPECT_EQ(parse_json_object("[]"), fail(ErrorKind::invalid_input, "expected a JSON object, got: list"));
  EXPECT_EQ(parse_json_object("4"), fail(ErrorKind::invalid_input, "expected a JSON object, got: whole number"));
  EXPECT_FAILS(parse_json_object("{"), invalid_input);
}

TEST(FindObject, IsTheObjectUnderAKeyAndNothingElse) {
  const json::object holder{{"a", {{"b", 1}}}, {"none", json::object{}}, {"list", json::array{}}, {"null", nullptr}};
  ASSERT_NE(find_object(holder, "a"), nullptr);
  EXPECT_EQ(find_object(holder, "a")->at("b"), 1);
  EXPECT_NE(find_object(holder, "none"), nullptr);
  for (const char* key : {"list", "null", "missing"}) EXPECT_EQ(find_object(holder, key), nullptr) << key;
}

TEST(CanonicalJson, HasOneSpellingForOneValue) {
  struct Row {
    std::string_view text;
    std::string_view expected;
  };
  for (const auto& [text, expected] : {
           Row{R"({ "b": 1, "a": {"d": [2, {"z":1,"y":2}], "c": null} })",
               R"({"a":{"c":null,"d":[2,{"y":2,"z":1}]},"b":1})"},
           Row{R"({"b":1,"B":2,"é":3,"a":4,"":5})", R"({"":5,"B":2,"a":4,"b":1,"é":3})"},
           Row{"[4, 4.0, 4e0, 40e-1]", "[4,4,4,4]"},
           Row{"[0, -0, -0.0, 0e5]", "[0,0,0,0]"},
           Row{"[9223372036854775807, 9223372036854775808]", "[9223372036854775807,9223372036854775808]"},
           Row{"[9223372036854775808.0, 1e19]", "[9223372036854775808,10000000000000000000]"},
           Row{"[-9223372036854775808, -9223372036854775808.0]", "[-9223372036854775808,-9223372036854775808]"},
           Row{"[18446744073709551616, 0.5]", "[1.8446744073709552E19,5E-1]"},
           Row{R"(["a", "\u0061", "\n"])", R"(["a","a","\n"])"},
       }) {
    EXPECT_EQ(canonical_json(*parse_json(text)), expected);
  }
  EXPECT_EQ(canonical_json(json::value(std::uint64_t{4})), canonical_json(json::value(std::int64_t{4})));
}

TEST(AsWhole, TakesEverySpellingThatFits) {
  EXPECT_EQ(as_whole(*parse_json("4")), 4);
  EXPECT_EQ(as_whole(*parse_json("4.0")), 4);
  EXPECT_EQ(as_whole(json::value(std::uint64_t{4})), 4);
  EXPECT_EQ(as_whole(*parse_json("-9223372036854775808.0")), std::numeric_limits<std::int64_t>::min());
  for (const std::string_view text :
       {"4.5", "9223372036854775808", "9223372036854775808.0", "1e300", "-1e19", "\"4\"", "true", "null", "[4]"}) {
    EXPECT_EQ(as_whole(*parse_json(text)), std::nullopt) << text;
  }
}

TEST(KindInWords, NamesEveryKind) {
  EXPECT_EQ(kind_in_words(nullptr), "null");
  EXPECT_EQ(kind_in_words(true), "true or false");
  EXPECT_EQ(kind_in_words(1), "whole number");
  EXPECT_EQ(kind_in_words(json::value(std::uint64_t{1} << 63)), "whole number");
  EXPECT_EQ(kind_in_words(1.5), "number");
  EXPECT_EQ(kind_in_words("a"), "text");
  EXPECT_EQ(kind_in_words(json::array{}), "list");
  EXPECT_EQ(kind_in_words(json::object{}), "object");
}

TEST(Sha256Hex, GivesTheStandardsVectors) {
  // FIPS 180-2, appendix B.1, and the digest of nothing.
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

rc::Gen<json::value> any_value(int depth) {
  const auto text = rc::gen::container<std::string>(rc::gen::inRange<char>(0x20, 0x7F));
  auto scalar = rc::gen::oneOf(
      rc::gen::just(json::value(nullptr)),
      rc::gen::map(rc::gen::arbitrary<bool>(), [](bool value) { return json::value(value); }),
      rc::gen::map(rc::gen::arbitrary<std::int64_t>(), [](std::int64_t value) { return json::value(value); }),
      rc::gen::map(rc::gen::arbitrary<std::uint64_t>(), [](std::uint64_t value) { return json::value(value); }),
      rc::gen::map(rc::gen::arbitrary<double>(), [](double value) { return json::value(value); }),
      rc::gen::map(rc::gen::inRange(-5, 5), [](int value) { return json::value(static_cast<double>(value)); }),
      rc::gen::map(text, [](const std::string& value) { return json::value(value); }));
  if (depth == 0) return scalar;
  const auto list = rc::gen::map(
      rc::gen::resize(5, rc::gen::container<std::vector<json::value>>(any_value(depth - 1))),
      [](const std::vector<json::value>& items) { return json::value(json::array(items.begin(), items.end())); });
  const auto object = rc::gen::map(
      rc::gen::resize(5, rc::gen::container<std::map<std::string, json::value>>(text, any_value(depth - 1))),
      [](const std::map<std::string, json::value>& members) {
        json::object made;
        for (const auto& [key, value] : members) made[key] = value;
        return json::value(made);
      });
  return rc::gen::oneOf(scalar, list, object);
}

// The same value with every object's keys the other way round and every whole number as a double where that is exact.
json::value respelt(const json::value& value) {
  if (const auto* list = value.if_array()) {
    json::array copy;
    for (const json::value& item : *list) copy.push_back(respelt(item));
    return copy;
  }
  if (const auto* object = value.if_object()) {
    json::object copy;
    for (auto member = object->end(); member != object->begin();) {
      --member;
      copy.emplace(member->key(), respelt(member->value()));
    }
    return copy;
  }
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  const bool exact = value.is_int64() && value.get_int64() > -kExact && value.get_int64() < kExact;
  return exact ? json::value(static_cast<double>(value.get_int64())) : value;
}

RC_GTEST_PROP(JsonProperty, CanonicalTextReadsBackToItself, ()) {
  const std::string text = canonical_json(*any_value(3));
  RC_ASSERT(canonical_json(*parse_json(text)) == text);
}

RC_GTEST_PROP(JsonProperty, EqualValuesHaveEqualText, ()) {
  const json::value value = *any_value(3);
  RC_ASSERT(canonical_json(respelt(value)) == canonical_json(value));
  RC_ASSERT(canonical_json(*parse_json(json::serialize(value))) == canonical_json(value));
}

}  // namespace
}  // namespace deputy
