// Fields as settings have them: open keys, secrets, and scalars that are written as text.
#include "base/sample_fields.h"
#include "support/results.h"

namespace deputy {
namespace {

using test::Account;
using test::object;
using test::problems_in;
using test::rich;
using test::RichFields;
using test::SearchParams;
using Scalars = FieldReader::Scalars;

template <class T>
Result<T> read_settings(std::string_view text) {
  FieldReader reader(Scalars::text, "setting");
  T parsed{};
  FieldCodec<T>::read_object(object(text), parsed, reader);
  if (!reader.clean()) return std::unexpected(as_error(reader.take_problems()));
  return parsed;
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
  for (std::size_t i = 2; i < kMaxValues; ++i) items += ",1";
  const auto problems = [](const std::string& numbers, const std::string& options) {
    FieldReader reader(Scalars::text, "setting");
    RichFields read;
    FieldCodec<RichFields>::read_object({{"query", "q"}, {"numbers", numbers}, {"options", options}}, read, reader);
    return reader.take_problems();
  };
  const Problem too_long{"numbers", "this must have at most 4 items, not 19999", ""};
  const std::string too_many = "the lists and objects given as text hold more than 20000 values in all";
  const std::string hint = "remove values that are not needed";
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

}  // namespace
}  // namespace deputy
