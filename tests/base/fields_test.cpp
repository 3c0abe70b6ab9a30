#include "base/fields.h"

#include "base/sample_fields.h"
#include "support/results.h"

namespace deputy {
namespace {

using namespace std::chrono_literals;
using test::Account;
using test::Colour;
using test::object;
using test::problems_in;
using test::rich;
using test::RichFields;
using test::RichItem;
using test::SearchParams;

/// What SearchParams has, and more.
struct PagedParams : SearchParams {
  std::map<std::string, int, std::less<>> weights;

  template <class Fields>
  static void fields(Fields& f) {
    SearchParams::fields(f);
    f.optional(&PagedParams::weights, "weights", "How much a word counts");
  }
};

struct Parts {
  SearchParams first;
  SearchParams second;

  void check_parts(FieldReader& reader) const {
    if (reader.clean_in({"second"}) && second.page == 13) reader.add({"second.page", "there is no page 13", {}});
    if (reader.clean_in({"first", "second"})) reader.problem("both could be read");
  }

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&Parts::first, "first", "One search");
    f.optional(&Parts::second, "second", "Another");
  }
};

TEST(Arguments, MissingOnesKeepTheirDefaults) {
  EXPECT_EQ(parse_arguments<SearchParams>(object(R"({"query":"a"})")), (SearchParams{"a", 4, 1}));
  EXPECT_EQ(parse_arguments<RichFields>(object(R"({"query":"q"})")), rich());
}

TEST(Arguments, NullForAnOptionalIsMissing) {
  EXPECT_EQ(parse_arguments<SearchParams>(object(R"({"query":"a","limit":null,"page":null})")),
            (SearchParams{"a", 4, 1}));
  EXPECT_EQ(problems_in<SearchParams>(R"({"query":null})"),
            (std::vector<Problem>{{"query", "this is required and missing", "Words to look for"}}));
}

TEST(Arguments, ReadsEveryKindOfField) {
  RichFields expected = rich("errors");
  expected.limit = 100;
  expected.offset = -5;
  expected.count = 4'294'967'295;
  expected.plain = -2'147'483'648;
  expected.ratio = 0.25;
  expected.deep = true;
  expected.order = "oldest";
  expected.colour = Colour::dark_blue;
  expected.wait = 90min + 5ms;
  expected.item = RichItem{"a", 99.5, {"new", "old"}};
  expected.spare = RichItem{"b", 1.0, {}};
  expected.items = {{"c", 1.0, {}}, {"d", 0, {}}};
  expected.numbers = {0, 9, 4};
  expected.weights = {{"x", -1}, {"y", 2.5}};
  expected.named = {{"z", {"e", 1.0, {}}}};
  expected.anything = *parse_json(R"([1,{"a":null}])");
  expected.options = object(R"({"k":[true,"v"]})");
  const auto parsed = parse_arguments<RichFields>(object(
      R"({"query":"errors","limit":100,"offset":-5,"count":4294967295,"plain":-2147483648,"ratio":0.25,"deep":true,"order":"oldest",
          "colour":"dark_blue","wait":"1h30m5ms","item":{"name":"a","weight":99.5,"tags":["new","old"]},"spare":{"name":"b"},
          "items":[{"name":"c"},{"name":"d","weight":0}],"numbers":[0,9,4.0],"weights":{"x":-1,"y":2.5},
          "named":{"z":{"name":"e","tags":[]}},"anything":[1,{"a":null}],"options":{"k":[true,"v"]}})"));
  ASSERT_OK(parsed);
  EXPECT_EQ(*parsed, expected);
  EXPECT_EQ(parse_arguments<RichFields>(to_json(*parsed)), expected);
}

TEST(Arguments, SaysWhatIsWrongWithEachField) {
  struct Row {
    std::string_view text;
    Problem problem;
  };
  const std::string many(1'000, 'x');
  for (const auto& [text, problem] : {
           Row{R"({"query":4})", {"query", "this must be text, not 4", ""}},
           Row{R"({"query":["a"]})", {"query", "this must be text, not a list", ""}},
           Row{R"({"query":""})", {"query", "this must not be empty", ""}},
           Row{R"({"query":"ééééééééééééééééééééé"})", {"query", "this must have at most 20 characters, not 21", ""}},
           Row{R"({"query":"q","limit":0})", {"limit", "this must be between 1 and 100, not 0", ""}},
           Row{R"({"query":"q","limit":101})", {"limit", "this must be between 1 and 100, not 101", ""}},
           Row{R"({"query":"q","limit":2.5})", {"limit", "this must be a whole number, not 2.5", ""}},
           Row{R"({"query":"q","limit":"5"})", {"limit", "this must be a whole number, not the text \"5\"", ""}},
           Row{R"({"query":"q","limit":true})", {"limit", "this must be a whole number, not true", ""}},
           Row{R"({"query":"q","limit":1e300})", {"limit", "this must be between 1 and 100, not 1e+300", ""}},
           Row{R"({"query":"q","plain":2147483648})",
               {"plain", "this must be between -2147483648 and 2147483647, not 2147483648", ""}},
           Row{R"({"query":"q","plain":9223372036854775808})", {"plain", "this number is too large", ""}},
           Row{R"({"query":"q","plain":-1e30})", {"plain", "this number is too large", ""}},
           Row{R"({"query":"q","count":-1})", {"count", "this must be between 0 and 4294967295, not -1", ""}},
           Row{R"({"query":"q","ratio":1.01})", {"ratio", "this must be between 0 and 1, not 1.01", ""}},
           Row{R"({"query":"q","ratio":{}})", {"ratio", "this must be a number, not an object", ""}},
           Row{R"({"query":"q","deep":1})", {"deep", "this must be true or false, not 1", ""}},
           Row{R"({"query":"q","order":"newset"})",
               {"order", "this must be one of `newest` and `oldest`, not `newset`; did you mean `newest`?", ""}},
           Row{R"({"query":"q","colour":"purple"})",
               {"colour", "this must be one of `red`, `green` and `dark_blue`, not `purple`", ""}},
           Row{R"({"query":"q","wait":"soon"})",
               {"wait", "`soon` is not a duration", "write it like 30d, 1h30m, 90s or 250ms"}},
           Row{R"({"query":"q","wait":90})", {"wait", "this must be text, not 90", ""}},
           Row{R"({"query":"q","item":"x"})", {"item", "this must be an object, not the text \"x\"", ""}},
           Row{R"({"query":"q","item":{}})", {"item.name", "this is required and missing", "What it is called"}},
           Row{R"({"query":"q","item":{"name":"x","tags":["nwe"]}})",
               {"item.tags[0]", "this must be one of `new`, `old` and `broken`, not `nwe`; did you mean `new`?", ""}},
           Row{R"({"query":"q","items":{}})", {"items", "this must be a list, not an object", ""}},
           Row{R"({"query":"q","items":[{"name":"a"},{"name":""}]})", {"items[1].name", "this must not be empty", ""}},
           Row{R"({"query":"q","items":[{"name":"a"},{"name":"b"},{"name":"c"}]})",
               {"items", "this must have at most 2 items, not 3", ""}},
           Row{R"({"query":"q","numbers":[]})", {"numbers", "this must have at least 1 item, not 0", ""}},
           Row{R"({"query":"q","numbers":[1,null]})", {"numbers[1]", "this must be a whole number, not null", ""}},
           Row{R"({"query":"q","weights":{"x":-2}})", {"weights.x", "this must be at least -1, not -2", ""}},
           Row{R"({"query":"q","weights":[1]})", {"weights", "this must be an object, not a list", ""}},
           Row{R"({"query":"q","named":{"z":{"name":"a","weight":100}}})",
               {"named.z.weight", "this must be between 0 and 99.5, not 100", ""}},
           Row{R"({"query":"q","options":[]})", {"options", "this must be an object, not a list", ""}},
           Row{R"({"query":"q","item":{"name":"n","colour":"red"}})",
               {"item.colour", "there is no parameter `colour`", "known here: `name`, `weight` and `tags`"}},
       }) {
    EXPECT_EQ(problems_in<RichFields>(text), std::vector<Problem>{problem}) << text;
  }
}

TEST(Arguments, ItemsOfAListThatIsTooLongAreNotRead) {
  EXPECT_EQ(problems_in<RichFields>(R"({"query":"q","items":[{"name":""},{"nme":"b"},{"name":""}]})"),
            (std::vector<Problem>{{"items", "this must have at most 2 items, not 3", ""}}));
}

TEST(Arguments, ReportsEveryProblemAtOnce) {
  EXPECT_EQ(parse_arguments<SearchParams>(object(R"({"lmit":5,"page":0,"pgae":1})")),
            fail(ErrorKind::invalid_input,
                 "`lmit`: there is no parameter `lmit`; did you mean `limit`?; "
                 "`pgae`: there is no parameter `pgae`; did you mean `page`?; "
                 "`query`: this is required and missing; `page`: this must be at least 1, not 0",
                 "known here: `query`, `limit` and `page`; Words to look for"));
}

TEST(Arguments, ErrorsStayShortHoweverMuchIsWrong) {
  json::object arguments;
  for (int i = 0; i < 20'000; ++i) arguments[std::to_string(i) + std::string(200, 'x')] = i;
  const auto parsed = parse_arguments<SearchParams>(arguments);
  ASSERT_FAILS(parsed, invalid_input);
  EXPECT_LT(parsed.error().message.size(), 20'000U);
  EXPECT_TRUE(parsed.error().message.ends_with("; and 19951 more problems")) << parsed.error().message;
  EXPECT_EQ(parsed.error().hint, "known here: `query`, `limit` and `page`");
}

TEST(Arguments, ChecksRulesBetweenFields) {
  EXPECT_EQ(parse_arguments<SearchParams>(object(R"({"query":"everything","page":2})")),
            fail(ErrorKind::invalid_input, "there is one page of everything", "leave `page` out"));
}

TEST(Arguments, AnUnrelatedProblemDoesNotHideWhatARuleFinds) {
  const std::vector<Problem> expected{
      {"user", "this is required and missing", "Who logs in"},
      {"a", "there is one page of everything", "leave `page` out"},
  };
  EXPECT_EQ(problems_in<Account>(R"({"a":{"query":"everything","page":2}})"), expected);
}

TEST(Arguments, ARuleIsNotAskedAboutFieldsThatAreWrong) {
  EXPECT_EQ(problems_in<SearchParams>(R"({"query":"everything","page":2,"limit":0})"),
            (std::vector<Problem>{{"limit", "this must be between 1 and 336, not 0", ""}}));
}

TEST(DerivedStruct, HasTheFieldsOfItsBaseToo) {
  const auto parsed = parse_arguments<PagedParams>(object(R"({"query": "slow", "page": 2, "weights": {"slow": 3}})"));
  ASSERT_OK(parsed);
  EXPECT_EQ(parsed->query, "slow");
  EXPECT_EQ(parsed->page, 2);
  EXPECT_EQ(parsed->weights.at("slow"), 3);
  EXPECT_EQ(fields_of<PagedParams>().names(), (std::vector<std::string>{"query", "limit", "page", "weights"}));
  EXPECT_FAILS(parse_arguments<PagedParams>(object(R"({"query": "everything", "page": 2})")), invalid_input);
}

TEST(CheckParts, AProblemInOnePartDoesNotHideThoseOfAnother) {
  EXPECT_EQ(
      problems_in<Parts>(R"({"first": {"query": "a", "pag": 1}, "second": {"query": "b", "page": 13}})"),
      (std::vector<Problem>{
          {"first.pag", "there is no parameter `pag`; did you mean `page`?", "known here: `query`, `limit` and `page`"},
          {"second.page", "there is no page 13", ""},
      }));
  EXPECT_EQ(problems_in<Parts>(R"({"first": {"query": "a"}, "second": {"query": "b"}})"),
            (std::vector<Problem>{{"", "both could be read", ""}}));
}

}  // namespace
}  // namespace deputy
