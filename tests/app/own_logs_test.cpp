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
using testing::StartsWith;

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
  const char* understood;  // the first line
  const char* verdict;     // the second
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.request; }

class OwnLogsInWords : public OwnLogs, public testing::WithParamInterface<Row> {};

TEST_P(OwnLogsInWords, AreAnsweredForWhatWasAskedAndNothingElse) {
  const ProcessEnd end = ask(GetParam().request);
  EXPECT_EQ(end.exit_code, 0) << end.errors;
  EXPECT_THAT(end.output, AllOf(StartsWith(GetParam().understood), HasSubstr(fmt::format("\n{}", GetParam().verdict))));
}

INSTANTIATE_TEST_SUITE_P(
    Errors, OwnLogsInWords,
    testing::Values(Row{"errors of checkout in prod since yesterday", "errors · checkout · prod · ", "4 errors, "},
                    Row{"show me errors of service checkout in prod", "errors · checkout · prod · last 4 hours\n",
                        "3 errors, "},
                    Row{"checkout errors in production", "errors · checkout · prod · ", "3 errors, "},
                    Row{"what is failing in checkout on live?", "errors · checkout · prod · ", "3 errors, "},
                    Row{"prod errors checkout", "errors · checkout · prod · ", "3 errors, "},
                    Row{"how many errors did checkout have in prod in the last 2 hours?", "errors · checkout · prod · ",
                        "3 errors, "},
                    Row{"top errors of the checkout service in prod", "errors · checkout · prod · ", "3 errors, "},
                    Row{"any errors in search in prod?", "errors · search · prod · ", "2 errors, "},
                    Row{"what is failing in prod?", "errors · all services · prod · ", "5 errors, "},
                    Row{"errors in staging", "errors · all services · staging · ", "1 error, "}));

INSTANTIATE_TEST_SUITE_P(
    Words, OwnLogsInWords,
    testing::Values(Row{"errors with \"timeout\" in checkout prod", "logs · timeout · checkout · prod",
                        "2 entries with 'timeout', "},
                    Row{"logs of checkout in prod with \"token\"", "logs · token · checkout · prod",
                        "1 entry with 'token', "},
                    Row{"errors for user 42 in checkout prod", "logs · user 42 · checkout", "1 entry with 'user 42', "},
                    Row{"search for \"pool is full\" in the prod logs", "logs · pool is full · all services",
                        "1 entry with 'pool is full', "},
                    Row{"errors in prod containing shard", "logs · shard · all services", "1 entry with 'shard', "}));

// A service that nobody knows is not read from a request, and the first line says what was answered instead.
INSTANTIATE_TEST_SUITE_P(
    NobodysService, OwnLogsInWords,
    testing::Values(Row{"errors of nosuchsvc in prod", "errors · all services · prod · ", "5 errors, "},
                    Row{"what is failing in nosuchsvc in prod?", "errors · all services · prod · ", "5 errors, "},
                    Row{"errors of checkout and nosuchsvc in prod", "errors · checkout · prod · ", "3 errors, "}));

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
