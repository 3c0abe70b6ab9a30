#include <gtest/gtest.h>

#include "intent/sample_vocabulary.h"

namespace deputy::intent {
namespace {

TEST(Ids, TicketsAreKeysAndNumbers) {
  expect_all({
      {"what is ABC-123 about", "tickets=ABC-123"},
      {"ABC-123, XY2-4 and ABC-123.", "tickets=ABC-123,XY2-4"},
      {"branch feature/ABC-123-fix-cart", "tickets=ABC-123"},
      {"see https://jira.example.com/browse/ABC-7?x=1", "urls=https://jira.example.com/browse/ABC-7?x=1"},
      {"<https://jira.example.com/browse/ABC-7|ABC-7>", "tickets=ABC-7 urls=https://jira.example.com/browse/ABC-7"},
      {"encode it as UTF-8", ""},
      {"SHA-256 or AES-128", ""},
      {"COVID-19 and ISO-8601", ""},
      {"CVE-2024-1234", ""},
      {"abc-123", ""},
      {"SEV-1 now", ""},
      {"A-1", ""},
      {"UTC-5", ""},
      {"Q3-2026", ""},
      {"ABC-0", ""},
  });
}

TEST(Ids, PullRequestsAreNumbersNearTheWord) {
  expect_all({
      {"PR 45", "prs=45"},
      {"PR #45", "prs=45"},
      {"PR#45", "prs=45"},
      {"PR-45", "prs=45"},
      {"pull request 45", "prs=45"},
      {"pull-request #45", "prs=45"},
      {"PRs 45, 46 and #47", "prs=45,46,47"},
      {"merge request !12", "prs=12"},
      {"https://bitbucket.org/a/b/pull-requests/45", "urls=https://bitbucket.org/a/b/pull-requests/45"},
      {"https://github.com/a/b/pull/46/files", "urls=https://github.com/a/b/pull/46/files"},
      {"PRs 2 days old", ""},
      {"list 5 PRs", ""},
      {"#123 is an odd number", ""},
      {"the PR. 45 people saw it", ""},
  });
}

TEST(Ids, IncidentsAreNumbersAndUpperCaseIds) {
  expect_all({
      {"incident 1234", "incidents=1234"},
      {"incident #1234", "incidents=1234"},
      {"incidents 12 and 13", "incidents=12,13"},
      {"INC-123", "incidents=INC-123"},
      {"inc-123", "incidents=INC-123"},
      {"INC0012345", "incidents=INC0012345"},
      {"investigate PT4KHLK", "incidents=PT4KHLK"},
      {"ack Q2ABCD3EFGHIJK please", "incidents=Q2ABCD3EFGHIJK"},
      {"https://x.pagerduty.com/incidents/PT4KHLK", "urls=https://x.pagerduty.com/incidents/PT4KHLK"},
      {"PRODUCTS and PROBLEMS", ""},
      {"POSTGRES14 is slow", ""},
      {"incident 2 hours ago", "from=2026-11-18T08:30 to=2026-11-18T10:30 back=2 says='2 hours ago'"},
      {"the last 5 incidents", "messages=5"},
  });
}

TEST(Ids, AddressesLoseWhatIsNotTheirs) {
  expect_all({
      {"see https://a.example/x.", "urls=https://a.example/x"},
      {"(https://a.example/x)", "urls=https://a.example/x"},
      {"https://a.example/x_(y)", "urls=https://a.example/x_(y)"},
      {"HTTPS://A.example/X!", "urls=HTTPS://A.example/X"},
      {"<https://a.example/x|the page>", "urls=https://a.example/x"},
      {"<http://a.example>", "urls=http://a.example"},
      {"https://a.example https://a.example", "urls=https://a.example"},
      {"`https://a.example`", "urls=https://a.example"},
      {"ftp://a.example", ""},
      {"https://", ""},
  });
}

TEST(Ids, CountsAreOfThingsAndBounded) {
  expect_all({
      {"summarize the last 20 messages", "messages=20"},
      {"summarize the last fifty messages", "messages=50"},
      {"the last twenty-five lines please", "messages=25"},
      {"last 500 messages", "messages=100"},
      {"top 5 errors in prod", "env=prod messages=5"},
      {"last 20 log lines of checkout", "services=checkout messages=20"},
      {"last 0 messages", ""},
      {"last 20 minutes", "from=2026-11-18T10:10 to=2026-11-18T10:30 back=1 says='last 20 minutes'"},
      {"the queue holds 20 messages", ""},
      {"give me a summary of 3 things", ""},
  });
}

TEST(Extract, FindsEverythingAtOnce) {
  expect_all({
      {"why did checkout and idp fail in prod between 09:00 and 10:00, see ABC-12, PR 7 and incident 99 "
       "(https://a.example/g)?",
       "services=checkout,auth env=prod from=2026-11-18T08:00 to=2026-11-18T09:00 back=3 says='between 09:00 and "
       "10:00' "
       "tickets=ABC-12 prs=7 incidents=99 urls=https://a.example/g"},
  });
}

}  // namespace
}  // namespace deputy::intent
