#include "base/fields.h"

#include <gtest/gtest.h>

#include "support/results.h"
#include "support/rich_fields.h"

namespace deputy {

void PrintTo(const Problem& problem, std::ostream* out) {
  *out << problem.path << ": " << problem.message << " (" << problem.hint << ")";
}

namespace {

using namespace std::chrono_literals;
using test::Colour;
using test::RichFields;
using test::RichItem;
using Scalars = FieldReader::Scalars;

struct SearchParams {
  std::string query;
  std::optional<int> limit;
  int page = 1;

  bool operator==(const SearchParams&) const = default;
  void check(FieldReader& reader) const {
    if (query == "everything" && page > 1) reader.problem("there is one page of everything", "leave `page` out");
  }

  template <class Fields>
  static void fields(Fields& f) {
    using P = SearchParams;
    f.required(&P::query, "query", "Words to look for").characters(1, 12);
    f.optional(&P::limit, "limit", "How many").in_range(1, 336).default_is(4);
    f.optional(&P::page, "page", "Which page").at_least(1);
  }
};

struct Account {
  std::string user;
  Secret token;
  std::map<std::string, SearchParams> saved;

  template <class Fields>
  static void fields(Fields& f) {
    using P = Account;
    f.required(&P::user, "user", "Who logs in");
    f.optional(&P::token, "token", "What proves it").from_variable("VENDOR_TOKEN");
    f.rest(&P::saved, "<search>", "A saved search");
  }
};

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

json::object object(std::string_view text) { return *parse_json_object(text); }

template <class T>
std::vector<Problem> problems_in(std::string_view text, Scalars scalars = Scalars::typed) {
  FieldReader reader(scalars);
  T parsed{};
  FieldCodec<T>::read_object(object(text), parsed, reader);
  return reader.take_problems();
}

template <class T>
Result<T> read_settings(std::string_view text) {
  FieldReader reader(Scalars::text, "setting");
  T parsed{};
  FieldCodec<T>::read_object(object(text), parsed, reader);
  if (!reader.clean()) return std::unexpected(as_error(reader.take_problems()));
  return parsed;
}

RichFields rich(std::string query = "q") {
  RichFields expected;
  expected.query = std::move(query);
  expected.limit = 10;
  return expected;
}

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
               {"items", "at most 2 items are allowed, there are 3", ""}},
           Row{R"({"query":"q","numbers":[]})", {"numbers", "at least 1 items are needed, there are 0", ""}},
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
            (std::vector<Problem>{{"items", "at most 2 items are allowed, there are 3", ""}}));
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

TEST(Rest, TakesEveryKeyThatNoFieldNames) {
  const auto account =
      parse_arguments<Account>(object(R"({"user":"bo","mine":{"query":"a"},"yours":{"query":"b","page":2}})"));
  ASSERT_OK(account);
  EXPECT_EQ(account->saved, (std::map<std::string, SearchParams>{{"mine", {"a", 4, 1}}, {"yours", {"b", 4, 2}}}));
  EXPECT_EQ(to_json(*account), object(R"({"user":"bo","token":null,"mine":{"query":"a","limit":4,"page":1},
                                          "yours":{"query":"b","limit":4,"page":2}})"));
  EXPECT_EQ(problems_in<Account>(R"({"user":"bo","mine":{"qurey":"a","query":"b"}})"),
            (std::vector<Problem>{{"mine.qurey", "there is no parameter `qurey`; did you mean `query`?",
                                   "known here: `query`, `limit` and `page`"}}));
}

TEST(Secrets, AreResolvedAndNeverShown) {
  FieldReader reader(Scalars::text);
  std::vector<std::pair<std::string, std::string>> asked;
  reader.resolve_secrets_with([&](const std::string& path, const std::string& text) -> Result<Secret> {
    asked.emplace_back(path, text);
    return Secret("resolved");
  });
  Account account;
  FieldCodec<Account>::read_object(object(R"({"user":"bo","token":"env:TOKEN"})"), account, reader);
  EXPECT_TRUE(reader.clean());
  EXPECT_EQ(account.token.reveal(), "resolved");
  EXPECT_EQ(asked, (std::vector<std::pair<std::string, std::string>>{{"token", "env:TOKEN"}}));
  EXPECT_EQ(to_json(account).at("token"), json::value("(secret)"));
}

TEST(Secrets, AFailingResolverIsAProblemOfTheField) {
  FieldReader reader(Scalars::text);
  reader.resolve_secrets_with([](const std::string&, const std::string&) -> Result<Secret> {
    return fail(ErrorKind::not_configured, "the variable TOKEN is not set", "set it");
  });
  Account account;
  FieldCodec<Account>::read_object(object(R"({"user":"bo","token":"env:TOKEN"})"), account, reader);
  EXPECT_EQ(reader.take_problems(), (std::vector<Problem>{{"token", "the variable TOKEN is not set", "set it"}}));
}

TEST(Secrets, AreNotShownWhenTheyAreOfTheWrongType) {
  EXPECT_EQ(problems_in<Account>(R"({"user":"bo","token":31415926})"),
            (std::vector<Problem>{{"token", "this must be text", ""}}));
}

TEST(Settings, ReadScalarsAsTheFieldWantsThem) {
  RichFields expected = rich("12");
  expected.limit = 7;
  expected.ratio = 0.5;
  expected.deep = true;
  expected.items = {{"a", 2, {"new", "old"}}};
  expected.numbers = {1, 2, 3};
  expected.weights = {{"x", 1.5}};
  expected.anything = object(R"({"a":true,"b":[4,1.5,"x",null,"007","1 2"],"c":null,"d":"[1]"})");
  expected.options = object(R"({"n":4})");
  EXPECT_EQ(
      read_settings<RichFields>(
          R"({"query":"12","limit":"7","ratio":"0.5","deep":"Yes","items":"[{\"name\":\"a\",\"weight\":2,\"tags\":\"new, old\"}]",
                    "numbers":" 1, 2,,3 ","weights":"{\"x\":1.5}",
                    "anything":{"a":"true","b":["4","1.5","x","","007","1 2"],"c":"~","d":"[1]"},"options":"{\"n\":\"4\"}"})"),
      expected);
}

TEST(Settings, LookForWhatWasMeantOnlyWhileThereAreFewProblems) {
  json::object named;
  for (int i = 0; i < 200; ++i) named[fmt::format("n{}", i)] = {{"name", "n"}, {"tags", json::array{"nwe"}}};
  FieldReader reader(Scalars::text, "setting", 1000);
  RichFields read;
  FieldCodec<RichFields>::read_object({{"query", "q"}, {"named", named}}, read, reader);
  const std::vector<Problem> problems = reader.take_problems();
  EXPECT_EQ(problems.size(), 200U);
  EXPECT_EQ(
      std::ranges::count_if(problems, [](const Problem& one) { return one.message.contains("did you mean `new`?"); }),
      50);
}

TEST(Settings, TakeInSoManyValuesFromText) {
  std::string items = "1";
  for (std::size_t i = 2; i < kMostValues; ++i) items += ",1";
  const auto problems = [](const std::string& numbers, const std::string& options) {
    FieldReader reader(Scalars::text, "setting");
    RichFields read;
    FieldCodec<RichFields>::read_object({{"query", "q"}, {"numbers", numbers}, {"options", options}}, read, reader);
    return reader.take_problems();
  };
  const Problem too_long{"numbers", "at most 4 items are allowed, there are 19999", ""};
  const std::string too_many = "this and what stands before it say more than 20000 things";
  const std::string hint = "settings are smaller than this";
  EXPECT_EQ(problems(items, "{}"), std::vector<Problem>{too_long}) << "with the object itself as many as may be";
  EXPECT_EQ(problems(items, R"({"a": 1})"), (std::vector<Problem>{too_long, {"options", too_many, hint}}));
  EXPECT_EQ(problems(items + ",1,x", R"([{"a": 1}])"),
            (std::vector<Problem>{{"numbers", too_many, hint}, {"options", too_many, hint}}))
      << "nothing of it is read";
  EXPECT_EQ(problems("[" + items + "]", "{}"), (std::vector<Problem>{too_long, {"options", too_many, hint}}))
      << "a list counts too";
}

TEST(Settings, ReadEveryWordForYesAndNo) {
  for (const std::string yes : {"true", "TRUE", "yes", "on", "1"}) {
    EXPECT_TRUE(read_settings<RichFields>(R"({"query":"q","deep":")" + yes + "\"}")->deep) << yes;
  }
  for (const std::string no : {"false", "False", "no", "off", "0"}) {
    EXPECT_FALSE(read_settings<RichFields>(R"({"query":"q","deep":")" + no + "\"}")->deep) << no;
  }
}

TEST(Settings, SayWhatIsWrongInTheirOwnWords) {
  struct Row {
    std::string_view text;
    Problem problem;
  };
  for (const auto& [text, problem] : {
           Row{R"({"query":"q","limit":"7x"})", {"limit", "this must be a whole number, not the text \"7x\"", ""}},
           Row{R"({"query":"q","limit":"1e2"})", {"limit", "this must be a whole number, not the text \"1e2\"", ""}},
           Row{R"({"query":"q","limit":"99999999999999999999"})",
               {"limit", "this must be a whole number, not the text \"99999999999999999999\"", ""}},
           Row{R"({"query":"q","ratio":"nan"})", {"ratio", "this must be a number, not the text \"nan\"", ""}},
           Row{R"({"query":"q","ratio":"inf"})", {"ratio", "this must be a number, not the text \"inf\"", ""}},
           Row{R"({"query":"q","deep":"maybe"})", {"deep", "this must be true or false, not the text \"maybe\"", ""}},
           Row{R"({"query":"q","numbers":"1,x"})",
               {"numbers[1]", "this must be a whole number, not the text \"x\"", ""}},
           Row{R"({"query":"q","weights":"x"})", {"weights", "this must be an object, not the text \"x\"", ""}},
       }) {
    EXPECT_EQ(problems_in<RichFields>(text, Scalars::text), std::vector<Problem>{problem}) << text;
  }
  EXPECT_EQ(read_settings<SearchParams>(R"({"query":"q","lmit":"1"})").error().message,
            "`lmit`: there is no setting `lmit`; did you mean `limit`?");
}

TEST(Schema, SaysWhatTheParserTakes) {
  EXPECT_EQ(json_schema<SearchParams>(), object(R"({
    "type": "object",
    "properties": {
      "query": {"type": "string", "minLength": 1, "maxLength": 12, "description": "Words to look for"},
      "limit": {"type": "integer", "minimum": 1, "maximum": 336, "description": "How many", "default": 4},
      "page": {"type": "integer", "minimum": 1, "maximum": 2147483647, "description": "Which page", "default": 1}
    },
    "additionalProperties": false,
    "required": ["query"]
  })"));
}

TEST(Schema, DescribesEveryKindOfField) {
  const json::object item = object(R"({
    "type": "object",
    "properties": {
      "name": {"type": "string", "minLength": 1, "maxLength": 10, "description": "What it is called"},
      "weight": {"type": "number", "minimum": 0, "maximum": 99.5, "description": "How heavy it is", "default": 1.0},
      "tags": {"type": "array", "items": {"type": "string", "enum": ["new", "old", "broken"]}, "minItems": 0, "maxItems": 3,
               "description": "Marks on it", "default": []}
    },
    "additionalProperties": false,
    "required": ["name"]
  })");
  const auto with = [](json::object schema, std::string_view doc, json::value default_value) {
    schema["description"] = doc;
    if (!default_value.is_null()) schema["default"] = std::move(default_value);
    return schema;
  };
  const json::object properties = json_schema<RichFields>().at("properties").as_object();
  EXPECT_EQ(
      properties.at("offset"),
      object(R"({"type":"integer","minimum":-5,"maximum":1000000000000,"description":"Where to begin","default":0})"));
  EXPECT_EQ(
      properties.at("count"),
      object(R"({"type":"integer","minimum":0,"maximum":4294967295,"description":"How many tries","default":3})"));
  EXPECT_EQ(properties.at("deep"),
            object(R"({"type":"boolean","description":"Look into folders too","default":false})"));
  EXPECT_EQ(
      properties.at("colour"),
      object(R"({"type":"string","enum":["red","green","dark_blue"],"description":"Which colour","default":"red"})"));
  EXPECT_EQ(properties.at("wait"),
            object(R"({"type":"string","minLength":2,"pattern":"^([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?$",
                       "description":"How long to wait","default":"1m30s"})"));
  EXPECT_EQ(properties.at("item"), with(item, "One thing", nullptr));
  EXPECT_EQ(properties.at("spare"), with(item, "Another thing", object(R"({"name":"spare","weight":2.5,"tags":[]})")));
  EXPECT_EQ(properties.at("items"),
            with({{"type", "array"}, {"items", item}, {"minItems", 0}, {"maxItems", 2}}, "Many things", json::array{}));
  EXPECT_EQ(
      properties.at("weights"),
      object(
          R"({"type":"object","additionalProperties":{"type":"number","minimum":-1},"description":"Weights by name","default":{}})"));
  EXPECT_EQ(properties.at("named"),
            with({{"type", "object"}, {"additionalProperties", item}}, "Things by name", json::object{}));
  EXPECT_EQ(properties.at("anything"), object(R"({"description":"Whatever it is"})"));
  EXPECT_EQ(json_schema<Account>().at("additionalProperties"), json::value(json_schema<SearchParams>()));
}

TEST(DescribeFields, WritesTheReferenceOfAStruct) {
  std::vector<std::string> lines;
  for (const FieldDoc& doc : describe_fields<Account>()) {
    lines.push_back(fmt::format("{} | {} | {} | {} | {} | {}", doc.path, doc.type, doc.doc,
                                json::serialize(doc.default_value), doc.variable,
                                doc.required ? "required" : "optional"));
  }
  EXPECT_EQ(lines,
            (std::vector<std::string>{
                "user | text | Who logs in | null |  | required",
                "token | secret (`env:NAME`, `file:PATH`, `cmd:…`) | What proves it | null | VENDOR_TOKEN | optional",
                "<search>.query | text | Words to look for | null |  | required",
                "<search>.limit | whole number, 1 to 336 | How many | 4 |  | optional",
                "<search>.page | whole number, at least 1 | Which page | 1 |  | optional",
            }));
}

TEST(DescribeFields, NamesItemsAndOpenKeys) {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const FieldDoc& doc : describe_fields<RichFields>()) {
    if (!doc.path.starts_with("spare")) lines.emplace_back(doc.path, doc.type);
  }
  EXPECT_EQ(lines, (std::vector<std::pair<std::string, std::string>>{
                       {"query", "text"},
                       {"limit", "whole number, 1 to 100"},
                       {"offset", "whole number, -5 to 1000000000000"},
                       {"count", "whole number"},
                       {"plain", "whole number"},
                       {"ratio", "number, 0 to 1"},
                       {"deep", "true or false"},
                       {"order", "text"},
                       {"colour", "text"},
                       {"wait", "duration (`30d`, `1h30m`, `90s`)"},
                       {"item.name", "text"},
                       {"item.weight", "number, 0 to 99.5"},
                       {"item.tags", "list of text"},
                       {"items", "list of objects"},
                       {"items[].name", "text"},
                       {"items[].weight", "number, 0 to 99.5"},
                       {"items[].tags", "list of text"},
                       {"numbers", "list of whole number, 0 to 9"},
                       {"weights.<name>", "number, at least -1"},
                       {"named.<name>.name", "text"},
                       {"named.<name>.weight", "number, 0 to 99.5"},
                       {"named.<name>.tags", "list of text"},
                       {"anything", "anything"},
                       {"options", "object"},
                   }));
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
