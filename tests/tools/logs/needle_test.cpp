#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/text.h"
#include "support/results.h"
#include "tools/logs/log_backend.h"
#include "tools/logs/matcher.h"

namespace deputy::tools::logs {
namespace {

TEST(Needle, IsFoundWhateverItsCase) {
  EXPECT_EQ(Needle("timeout").find("a Connection TimeOut"), 13u);
  EXPECT_EQ(Needle("timeout").find("timeou"), Needle::npos);
  EXPECT_EQ(Needle("x").find("abcX"), 3u);
  EXPECT_EQ(Needle("[a]").find("{A} [A]"), 4u) << "a bracket is no brace in another case";
}

RC_GTEST_PROP(NeedleProperty, FindsWhatAPlainSearchFinds, ()) {
  const auto letters = rc::gen::container<std::string>(rc::gen::elementOf(std::string("aAbB[{\n")));
  const std::string bytes = *rc::gen::scale(5.0, letters);
  const std::string word =
      to_lower(*rc::gen::suchThat(rc::gen::resize(6, letters), [](const auto& w) { return !w.empty(); }));
  const std::size_t from = *rc::gen::inRange<std::size_t>(0, bytes.size() + 1);
  RC_ASSERT(Needle(word).find(bytes, from) == to_lower(bytes).find(word, from));
}

struct QueryRow {
  std::string text;
  TextQuery query;
};
class Query : public testing::TestWithParam<QueryRow> {};
TEST_P(Query, SaysWhatToLookFor) {
  const auto query = parse_query(GetParam().text);
  ASSERT_OK(query);
  EXPECT_EQ(*query, GetParam().query) << GetParam().text;
}
INSTANTIATE_TEST_SUITE_P(Texts, Query,
                         testing::Values(QueryRow{" Connection  timeout ", {{"connection", "timeout"}, ""}},
                                         QueryRow{"\"Connection timeout\" db", {{"connection timeout", "db"}, ""}},
                                         QueryRow{"/a.*b/", {{}, "a.*b"}}, QueryRow{"/a b/i", {{}, "(?i:a b)"}},
                                         QueryRow{"/var/log", {{"/var/log"}, ""}}, QueryRow{"\"open", {{"\"open"}, ""}},
                                         QueryRow{"*", {{}, ""}}));

class BadQuery : public testing::TestWithParam<std::string> {};
TEST_P(BadQuery, IsRefused) { EXPECT_FAILS(parse_query(GetParam()), invalid_input); }
INSTANTIATE_TEST_SUITE_P(Texts, BadQuery, testing::Values("", "  ", "/(/", "\"\"", "a b c d e f g h i j k"));

}  // namespace
}  // namespace deputy::tools::logs
