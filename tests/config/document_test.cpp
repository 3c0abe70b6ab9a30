#include "config/document.h"

#include <gtest/gtest.h>

#include "config/yaml.h"

namespace deputy::config {
namespace {

Document layer(const std::string& name, const std::string& text) {
  return parse_yaml(text, std::make_shared<const Source>(SourceKind::file, name, "/", false)).document;
}

struct Row {
  std::string name;
  std::string under;
  std::string over;
  std::string merged;
};

class Merge : public testing::TestWithParam<Row> {};

TEST_P(Merge, LaysOneOnTheOther) {
  Document merged = layer("under", GetParam().under);
  merge(merged, layer("over", GetParam().over));
  EXPECT_EQ(canonical_json(merged.root), GetParam().merged);
}

INSTANTIATE_TEST_SUITE_P(Documents, Merge,
                         testing::Values(Row{"KeyByKey", "{a: 1, b: {c: 1, d: 1}}", "{b: {d: 2, e: 2}}",
                                             R"({"a":"1","b":{"c":"1","d":"2","e":"2"}})"},
                                         Row{"ListsReplace", "{a: [1, 2, 3]}", "{a: [4]}", R"({"a":["4"]})"},
                                         Row{"NullReplaces", "{a: {b: 1}}", "{a: ~}", R"({"a":null})"},
                                         Row{"ObjectReplacesText", "{a: 1}", "{a: {b: 1}}", R"({"a":{"b":"1"}})"},
                                         Row{"TextReplacesObject", "{a: {b: 1}}", "{a: 1}", R"({"a":"1"})"},
                                         Row{"NothingChangesNothing", "{a: {b: 1}}", "{}", R"({"a":{"b":"1"}})"},
                                         Row{"AnEmptyObjectChangesNothing", "{a: {b: 1}}", "{a: {}}",
                                             R"({"a":{"b":"1"}})"}),
                         [](const auto& row) { return row.param.name; });

TEST(MergeOrigins, FollowTheValues) {
  Document merged = layer("under", "a: {b: 1, c: 1}\nl: [1, 2]\nab: 1\na-b: 1\n");
  merge(merged, layer("over", "\n\na: {c: 2}\nl: [3]\n"));
  EXPECT_EQ(merged.origins.of("a.b").where(), "under:1");
  EXPECT_EQ(merged.origins.of("a.c").where(), "over:3");
  EXPECT_EQ(merged.origins.of("l[0]").where(), "over:4");
  EXPECT_EQ(merged.origins.of("l[1]").where(), "over:4") << "the second item of the old list is gone";
  EXPECT_EQ(merged.origins.of("ab").where(), "under:3");
  EXPECT_EQ(merged.origins.of("a-b").where(), "under:4");
}

TEST(OriginOfValue, IsDefaultWhereOnlyTheObjectAroundItWasGiven) {
  const Document document = layer("file", "log: {level: debug}\nother: '{\"x\": 1}'\nlist: [1]\n");
  EXPECT_EQ(document.origins.of_value("log.level").where(), "file:1");
  EXPECT_EQ(document.origins.of_value("log.format").where(), "default");
  EXPECT_EQ(document.origins.of_value("other.x").where(), "file:2") << "JSON in text";
  EXPECT_EQ(document.origins.of_value("list").where(), "file:3");
}

TEST(SetValue, MakesTheObjectsAroundIt) {
  Document document;
  const Origin origin{std::make_shared<const Source>(SourceKind::flag, "flag --set", "/", false), 0};
  EXPECT_TRUE(set_value(document, std::vector<std::string>{"a", "b"}, "1", origin));
  EXPECT_TRUE(set_value(document, std::vector<std::string>{"a", "c"}, "2", origin));
  EXPECT_FALSE(set_value(document, std::vector<std::string>{"a"}, "3", origin)) << "an object stands there";
  EXPECT_FALSE(set_value(document, std::vector<std::string>{"a", "b", "c"}, "3", origin)) << "text stands in the way";
  EXPECT_FALSE(set_value(document, {}, "3", origin));
  EXPECT_FALSE(set_value(document, std::vector<std::string>(kDeepest + 1, "d"), "3", origin));
  EXPECT_EQ(canonical_json(document.root), R"({"a":{"b":"1","c":"2"}})");
  EXPECT_EQ(document.origins.of("a.b").where(), "flag --set");
}

}  // namespace
}  // namespace deputy::config
