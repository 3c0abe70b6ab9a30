#include "config/yaml.h"

#include <gtest/gtest.h>

#include "config/sample_settings.h"

namespace deputy::config {
namespace {

ParsedFile parse(std::string_view text) {
  return parse_yaml(text, std::make_shared<const Source>(SourceKind::file, "deputy.yaml", "/etc", false));
}

std::string tree(std::string_view text) { return json::serialize(parse(text).document.root); }

struct TreeRow {
  std::string name;
  std::string text;
  std::string tree;
};

class YamlTree : public testing::TestWithParam<TreeRow> {};

TEST_P(YamlTree, IsTextAllTheWay) {
  const ParsedFile parsed = parse(GetParam().text);
  EXPECT_EQ(test::lines_of(parsed.problems), std::vector<std::string>{});
  EXPECT_EQ(json::serialize(parsed.document.root), GetParam().tree);
}

INSTANTIATE_TEST_SUITE_P(
    Files, YamlTree,
    testing::Values(
        TreeRow{"Scalars", "a: 1\nb: true\nc: 1.50\nd: 010\n", R"({"a":"1","b":"true","c":"1.50","d":"010"})"},
        TreeRow{"Nulls", "a:\nb: ~\nc: null\nd: 'null'\ne: ''\n", R"({"a":null,"b":null,"c":null,"d":"null","e":""})"},
        TreeRow{"Nesting", "a: {b: [1, {c: 2}]}\n", R"({"a":{"b":["1",{"c":"2"}]}})"},
        TreeRow{"Json", R"({"a": {"b": [1, true, null, "x"]}})", R"({"a":{"b":["1","true",null,"x"]}})"},
        TreeRow{"Empty", "", "{}"}, TreeRow{"OnlyComments", "# nothing\n", "{}"},
        TreeRow{"EmptyDocument", "---\n", "{}"},
        TreeRow{"ByteOrderMark",
                "\xEF\xBB\xBF"
                "a: 1\n",
                R"({"a":"1"})"},
        TreeRow{"WindowsLines", "a: 1\r\nb: 2\r\n", R"({"a":"1","b":"2"})"},
        TreeRow{"ReferencesAndPatterns", "a: {t: env:X, r: 'git log( [\\w./-]+)*'}\n",
                R"({"a":{"t":"env:X","r":"git log( [\\w./-]+)*"}})"},
        TreeRow{"EndMark", "a: 1\n...\n", R"({"a":"1"})"},
        TreeRow{"TextBlocks", "a: |\n  x\nb: |+\n  y\n\n", R"({"a":"x\n","b":"y\n\n"})"},
        TreeRow{"QuoteOverLines", "a: \"x\n  y\"\nb: 'it''s'\n", R"({"a":"x y","b":"it's"})"},
        TreeRow{"WhatLooksLikeAnAnchorOrAnAlias", "a: '&x'\nb: x & y\nc: '*'\nd: x*y\n",
                R"({"a":"&x","b":"x & y","c":"*","d":"x*y"})"}),
    [](const auto& row) { return row.param.name; });

struct BadRow {
  std::string name;
  std::string text;
  std::string problem;
};

class BadYaml : public testing::TestWithParam<BadRow> {};

TEST_P(BadYaml, IsOneProblemWithItsLineAndFix) {
  const ParsedFile parsed = parse(GetParam().text);
  EXPECT_EQ(test::lines_of(parsed.problems), std::vector<std::string>{GetParam().problem});
  for (const LocatedProblem& problem : parsed.problems) EXPECT_NE(problem.hint, "");
}

std::string nested(int depth) { return "a: " + std::string(depth, '[') + std::string(depth, ']') + "\n"; }

INSTANTIATE_TEST_SUITE_P(
    Files, BadYaml,
    testing::Values(
        BadRow{"Duplicate", "a: 1\nb: 2\na: 3\n", "deputy.yaml:3: `a`: this key occurs twice, first in line 1"},
        BadRow{"DuplicateInside", "x:\n  a: {b: 1}\n  a: {c: 1}\n",
               "deputy.yaml:3: `x.a`: this key occurs twice, first in line 2"},
        BadRow{"Anchor", "a: 1\nb: &x UTC\n", "deputy.yaml:2: anchors (`&name`) are not supported in settings"},
        BadRow{"AnchorOfNothing", "a: &x\n", "deputy.yaml:1: anchors (`&name`) are not supported in settings"},
        BadRow{"AnchorOfAList", "a: &x [1]\n", "deputy.yaml:1: anchors (`&name`) are not supported in settings"},
        BadRow{"AnchorOfAnObject", "a: &x {b: 1}\n", "deputy.yaml:1: anchors (`&name`) are not supported in settings"},
        BadRow{"AnchorOfAKey", "a: 1\n&x b: 1\n", "deputy.yaml:2: anchors (`&name`) are not supported in settings"},
        BadRow{"AnchorWithItsAlias", "a: &x 1\nb: *x\n",
               "deputy.yaml:1: anchors (`&name`) are not supported in settings"},
        BadRow{"Alias", "a: 1\nb: *x\n", "deputy.yaml:2: aliases (`*name`) are not supported in settings"},
        BadRow{"MergeKey", "a: 1\n<<: {b: 1}\n", "deputy.yaml:2: merge keys (`<<`) are not supported in settings"},
        BadRow{"Tag", "a: !!binary aGk=\n", "deputy.yaml:1: tags (`!name`) are not supported in settings"},
        BadRow{"TwoDocuments", "a: 1\n---\nb: 1\n", "deputy.yaml:2: a settings file must hold one document"},
        BadRow{"List", "- a\n", "deputy.yaml:1: a settings file must be an object, got: list"},
        BadRow{"Text", "hello\n", "deputy.yaml:1: a settings file must be an object, got: text"},
        BadRow{"ListAsKey", "? [a]\n: 1\n", "deputy.yaml:1: a key must be plain text"},
        BadRow{"NoKey", "a: 1\n~: 1\n", "deputy.yaml:2: a key is missing before `:`"},
        BadRow{"EmptyKey", "'': 1\n", "deputy.yaml:1: a key is empty"},
        BadRow{"LongKey", std::string(201, 'k') + ": 1\n", "deputy.yaml:1: a key is longer than 200 bytes"},
        BadRow{"NotUtf8", "a: 1\nb: \xE9\n", "deputy.yaml:2: this is not UTF-8 text"},
        BadRow{"ByteFour", "a: 1\nb: \x04\n", "deputy.yaml:2: there is a control character (byte 4)"},
        BadRow{"Nul", std::string("a: \0b", 5), "deputy.yaml:1: there is a control character (byte 0)"},
        BadRow{"TooDeep", nested(32), "deputy.yaml:1: this is nested more than 32 levels deep"},
        BadRow{"FarTooDeep", nested(100'000), "deputy.yaml:1: this is nested more than 32 levels deep"},
        BadRow{"TooLarge", "a: " + std::string(kLargestFile, 'x'),
               "deputy.yaml: this file is larger than 1000000 bytes"},
        BadRow{"Unfinished", "a: 1\nb: {c: [1\n",
               "deputy.yaml:3: this is not valid YAML: end of sequence flow not found"},
        BadRow{"OpenDoubleQuote", "approvals:\n  channel: \"C8\npolicy: {mode: deny_all}\naccess: {channels: [C1]}\n",
               "deputy.yaml:2: a quote is opened and not closed"},
        BadRow{"OpenSingleQuote", "approvals:\n  channel: 'C8\npolicy: {mode: deny_all}\n",
               "deputy.yaml:2: a quote is opened and not closed"},
        BadRow{"OpenQuoteInTheLastLine", "a: 1\nb: \"x", "deputy.yaml:2: a quote is opened and not closed"},
        BadRow{"OpenQuoteThatGoesOn", "a: 1\nb: \"x\\\n", "deputy.yaml:2: a quote is opened and not closed"},
        BadRow{"OpenQuoteInAList", "a:\n  - x\n  - 'y\n", "deputy.yaml:2: a quote is opened and not closed"},
        BadRow{"OpenQuoteAroundAll", "\"a: 1\nb: 2\n", "deputy.yaml:1: a quote is opened and not closed"},
        BadRow{"JsonWithoutItsLastBrace", R"({"timezone":"UTC")", "deputy.yaml:1: a key must be plain text"},
        BadRow{"TabIndentation", "a:\n\tb: 1\n", "deputy.yaml:2: this is not valid YAML: illegal map value"}),
    [](const auto& row) { return row.param.name; });

TEST(Yaml, ABracketThatIsNotClosedIsNamedInTheFix) {
  EXPECT_EQ(parse(R"({"timezone":"UTC")").problems.at(0).hint, "write `key: value`; or a bracket here is not closed");
}

TEST(Yaml, NestingToTheLimitIsRead) { EXPECT_TRUE(parse(nested(31)).problems.empty()); }

TEST(Yaml, AFileOfTooManyValuesIsRefused) {
  std::string text = "a: [";
  for (std::size_t i = 0; i < kMaxValues; ++i) text += "1,";
  const ParsedFile parsed = parse(text + "]");
  EXPECT_EQ(test::lines_of(parsed.problems),
            std::vector<std::string>{"deputy.yaml:1: this file has more than 20000 values"});
  EXPECT_TRUE(parsed.document.root.empty());
}

TEST(Yaml, TheFirstOfTwoEqualKeysStays) {
  EXPECT_EQ(tree("a: {b: 1}\na: {b: 2, c: 3}\nd: 4\n"), R"({"a":{"b":"1"},"d":"4"})");
}

TEST(Yaml, EveryPathKnowsItsLine) {
  const ParsedFile parsed = parse("a: 1\nb:\n  c:\n    - x\n    - {d: 2,\n       e: 3}\n");
  const auto line = [&](std::string_view path) { return parsed.document.origins.of(path).line; };
  EXPECT_EQ(line("a"), 1);
  EXPECT_EQ(line("b"), 2);
  EXPECT_EQ(line("b.c"), 3);
  EXPECT_EQ(line("b.c[0]"), 4);
  EXPECT_EQ(line("b.c[1].d"), 5);
  EXPECT_EQ(line("b.c[1].e"), 6);
  EXPECT_EQ(line("b.c[1].e.unknown[7].deeper"), 6) << "the nearest thing around it";
  EXPECT_EQ(parsed.document.origins.of("nowhere").where(), "default");
}

}  // namespace
}  // namespace deputy::config
