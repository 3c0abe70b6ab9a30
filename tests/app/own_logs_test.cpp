// The questions that the docs promise of one's own logs, by the real program over a made folder and no services file:
// each in several wordings, counted as they were written, with names that are right and names that are not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/program.h"
#include "base/clock.h"

namespace deputy {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class OwnLogs : public testing::Test {
 protected:
  OwnLogs() {
    deputy_.folder.write("logs/prod/checkout.log",
                         line(20, "ERROR card declined by the bank") + line(1, "ERROR payment timeout after 30 ms") +
                             line(1, "ERROR payment timeout after 40 ms") + line(1, "ERROR token of user 42 is old") +
                             line(1, "INFO all is well"));
    deputy_.folder.write("logs/prod/search.log", line(1, "ERROR shard 1 is missing") + line(1, "ERROR pool is full"));
    deputy_.folder.write("logs/staging/checkout.log", line(1, "ERROR only in staging"));
    deputy_.write_user(fmt::format(
        "environments: {{prod: [production, live], staging: [stage], dev: [development]}}\n"
        "tools:\n  log_tools:\n    files: {{root: {}, paths: [{{path: '{{environment}}/{{service}}.log'}}]}}\n",
        (deputy_.folder / "logs").string()));
  }

  static std::string line(int hours_ago, std::string_view text) {
    return fmt::format("{} {}\n", format_timestamp(SystemClock().now() - std::chrono::hours(hours_ago)), text);
  }

  ProcessEnd ask(const std::string& request) const { return deputy_.run({"ask", request}); }

  test::Program deputy_;
};

struct Row {
  const char* request;
  const char* said;  // the line that counts
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.request; }

class OwnLogsInWords : public OwnLogs, public testing::WithParamInterface<Row> {};

TEST_P(OwnLogsInWords, AreAnsweredForWhatWasAskedAndNothingElse) {
  const ProcessEnd end = ask(GetParam().request);
  EXPECT_EQ(end.exit_code, 0) << end.errors;
  EXPECT_THAT(end.output, HasSubstr(GetParam().said));
}

INSTANTIATE_TEST_SUITE_P(
    Errors, OwnLogsInWords,
    testing::Values(Row{"errors of checkout in prod since yesterday", "4 errors: checkout in prod"},
                    Row{"show me errors of service checkout in prod", "3 errors: checkout in prod"},
                    Row{"checkout errors in production", "3 errors: checkout in prod"},
                    Row{"what is failing in checkout on live?", "3 errors: checkout in prod"},
                    Row{"prod errors checkout", "3 errors: checkout in prod"},
                    Row{"how many errors did checkout have in prod in the last 2 hours?", "3 errors: checkout in prod"},
                    Row{"top errors of the checkout service in prod", "3 errors: checkout in prod"},
                    Row{"any errors in search in prod?", "2 errors: search in prod"},
                    Row{"what is failing in prod?", "5 errors: all services in prod"},
                    Row{"errors in staging", "1 error: all services in staging"}));

INSTANTIATE_TEST_SUITE_P(
    Words, OwnLogsInWords,
    testing::Values(Row{"timeout errors in checkout prod", "2 entries with `timeout`: checkout in"},
                    Row{"logs of checkout in prod with \"token\"", "1 entry with `token`: checkout"},
                    Row{"errors for user 42 in checkout prod", "1 entry with `user 42`: checkout"},
                    Row{"search for \"pool is full\" in the prod logs", "1 entry with `pool is"},
                    Row{"errors in prod containing shard", "1 entry with `shard`: all services"}));

INSTANTIATE_TEST_SUITE_P(
    NobodysService, OwnLogsInWords,
    testing::Values(Row{"errors of nosuchsvc in prod", "there is no service nosuchsvc"},
                    Row{"show me errors of service nosuchsvc in prod", "there is no service nosuchsvc"},
                    Row{"what is failing in nosuchsvc in prod?", "there is no service nosuchsvc"},
                    Row{"show me the logs of nosuchsvc in prod", "there is no service nosuchsvc"},
                    Row{"errors of checkout and nosuchsvc in prod", "there is no service nosuchsvc"},
                    Row{"errors in chekout prod", "did you mean checkout?"},
                    Row{"chekout errors in prod since yesterday", "did you mean checkout?"}));

TEST_F(OwnLogs, AServiceThatNobodyKnowsIsNeverAnsweredForAll) {
  const ProcessEnd end = ask("errors of nosuchsvc in prod");
  EXPECT_THAT(end.output, AllOf(HasSubstr("checkout"), HasSubstr("search"), Not(HasSubstr("all services"))));
  EXPECT_THAT(end.output, Not(HasSubstr("search_logs")));  // it would say the same
}

TEST_F(OwnLogs, AMistypedEnvironmentIsAskedFor) {
  for (const char* request : {"errors of checkout in prdo", "errors in checkout in produciton", "errors in checkout qa",
                              "checkout errors", "errors of checkout in prod and staging"}) {
    const ProcessEnd end = ask(request);
    EXPECT_EQ(end.exit_code, 4) << request << end.output;
    EXPECT_THAT(end.output, HasSubstr("Which environment?")) << request;
  }
}

}  // namespace
}  // namespace deputy
