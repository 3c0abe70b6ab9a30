// Forms and queries. The expected encodings are those of the URL standard (url.spec.whatwg.org).
#include "net/form.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/results.h"

namespace deputy::net {
namespace {

using Fields = std::vector<FormField>;

struct Row {
  const char* name;
  std::string text;
  Fields fields;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

class Form : public testing::TestWithParam<Row> {};

TEST_P(Form, IsRead) {
  const auto fields = parse_form(GetParam().text);
  ASSERT_OK(fields);
  EXPECT_EQ(*fields, GetParam().fields);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Form,
    testing::Values(Row{"Nothing", "", {}}, Row{"OneField", "a=1", {{"a", "1"}}},
                    Row{"OrderAndRepeatedNames", "b=2&a=1&b=3", {{"b", "2"}, {"a", "1"}, {"b", "3"}}},
                    Row{"PlusAndEscapes", "text=hello+w%6Frld%21", {{"text", "hello world!"}}},
                    Row{"AnEscapedPlusStays", "q=1%2B1", {{"q", "1+1"}}},
                    Row{"SeparatorsInAValue", "url=a%26b%3Dc=d", {{"url", "a&b=c=d"}}},
                    Row{"NoEqualsSign", "flag&x=", {{"flag", ""}, {"x", ""}}},
                    Row{"EmptyPieces", "&&a=1&&", {{"a", "1"}}}, Row{"NoName", "=v", {{"", "v"}}},
                    Row{"Unicode", "name=%C3%A9%F0%9F%98%80", {{"name", "é😀"}}},
                    Row{"UnescapedUnicode", "name=é", {{"name", "é"}}}),
    [](const auto& row) { return row.param.name; });

TEST(FormErrors, SayWhatIsWrongAndNotWhatWasSent) {
  for (const char* text : {"secret=%", "secret=%4", "secret=%zz", "secret=a%", "%x=secret"}) {
    const auto fields = parse_form(text);
    ASSERT_FAILS(fields, invalid_input) << text;
    EXPECT_EQ(fields.error().message, "a percent sign is not followed by two hex digits");
  }
  EXPECT_FAILS(parse_form("secret=%FF"), invalid_input);
  EXPECT_FAILS(parse_form("secret=%C3"), invalid_input);
}

TEST(FormErrors, TheLimitsHold) {
  EXPECT_OK(parse_form("a=1&b=2", {.bytes = 7, .fields = 2}));
  EXPECT_FAILS(parse_form("a=1&b=2", {.bytes = 6, .fields = 2}), invalid_input);
  EXPECT_FAILS(parse_form("a=1&b=2", {.bytes = 7, .fields = 1}), invalid_input);
}

TEST(FormBuilding, EscapesAsTheStandardSays) {
  EXPECT_EQ(build_form(Fields{{"a b", "1&2=3"}, {"é", "*-._~+"}}), "a+b=1%262%3D3&%C3%A9=*-._%7E%2B");
  EXPECT_EQ(build_form(Fields{}), "");
}

RC_GTEST_PROP(FormProperty, WhatIsBuiltIsReadBack, ()) {
  const auto text = rc::gen::container<std::string>(rc::gen::inRange<char>(0, 127));
  Fields fields;
  for (const auto& [name, value] :
       *rc::gen::container<std::vector<std::pair<std::string, std::string>>>(rc::gen::pair(text, text))) {
    fields.push_back({name, value});
  }
  const auto read = parse_form(build_form(fields));
  RC_ASSERT(read.has_value());
  RC_ASSERT(*read == fields);
}

TEST(FormLookup, FindsTheFirstOfAName) {
  const Fields fields{{"a", "1"}, {"b", "2"}, {"a", "3"}};
  EXPECT_EQ(find_field(fields, "a"), "1");
  EXPECT_EQ(find_field(fields, "A"), std::nullopt);
}

TEST(FormLookup, APathKeepsItsPlus) {
  EXPECT_EQ(percent_decode("a+b%2Fc"), "a+b/c");
  EXPECT_FAILS(percent_decode("a%2"), invalid_input);
}

}  // namespace
}  // namespace deputy::net
