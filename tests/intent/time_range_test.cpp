#include <fmt/format.h>
#include <gtest/gtest.h>

#include "intent/sample_vocabulary.h"

namespace deputy::intent {
namespace {

// Now is Wednesday 2026-11-18, 11:30 for the requester, 10:30 UTC. Expected times are UTC.

TEST(Times, RollingSpansEndNow) {
  expect_all({
      {"errors in the last 2 hours", "from=2026-11-18T08:30 to=2026-11-18T10:30 back=2 says='last 2 hours'"},
      {"past hour", "from=2026-11-18T09:30 to=2026-11-18T10:30 back=1 says='past hour'"},
      {"the past 90 min", "from=2026-11-18T09:00 to=2026-11-18T10:30 back=2 says='past 90 min'"},
      {"last 24h", "from=2026-11-17T10:30 to=2026-11-18T10:30 back=24 says='last 24h'"},
      {"in the last day", "from=2026-11-17T10:30 to=2026-11-18T10:30 back=24 says='last day'"},
      {"last 3 days", "from=2026-11-15T10:30 to=2026-11-18T10:30 back=72 says='last 3 days'"},
      {"last three days", "from=2026-11-15T10:30 to=2026-11-18T10:30 back=72 says='last three days'"},
      {"last couple of hours", "from=2026-11-18T08:30 to=2026-11-18T10:30 back=2 says='last couple of hours'"},
      {"last few hours", "from=2026-11-18T07:30 to=2026-11-18T10:30 back=3 says='last few hours'"},
      {"last 1h30m", "from=2026-11-18T09:00 to=2026-11-18T10:30 back=2 says='last 1h30m'"},
      {"previous 15 minutes", "from=2026-11-18T10:15 to=2026-11-18T10:30 back=1 says='previous 15 minutes'"},
      {"over the past week", "from=2026-11-11T10:30 to=2026-11-18T10:30 back=168 says='past week'"},
      {"in the last week", "from=2026-11-11T10:30 to=2026-11-18T10:30 back=168 says='last week'"},
      {"last 2 weeks", "from=2026-11-04T10:30 to=2026-11-18T10:30 back=336 says='last 2 weeks'"},
      {"2h ago", "from=2026-11-18T08:30 to=2026-11-18T10:30 back=2 says='2h ago'"},
      {"it started 20 minutes ago", "from=2026-11-18T10:10 to=2026-11-18T10:30 back=1 says='20 minutes ago'"},
      {"an hour ago", "from=2026-11-18T09:30 to=2026-11-18T10:30 back=1 says='an hour ago'"},
      {"since 3h", "from=2026-11-18T07:30 to=2026-11-18T10:30 back=3 says='since 3h'"},
      {"since the last 2 hours", "from=2026-11-18T08:30 to=2026-11-18T10:30 back=2 says='since the last 2 hours'"},
  });
}

TEST(Times, DaysAreTheRequestersOwn) {
  expect_all({
      {"today", "from=2026-11-17T23:00 to=2026-11-18T10:30 back=12 says='today'"},
      {"yesterday", "from=2026-11-16T23:00 to=2026-11-17T23:00 back=36 says='yesterday'"},
      {"yesterday's deploys", "from=2026-11-16T23:00 to=2026-11-17T23:00 back=36 says='yesterday'"},
      {"since yesterday", "from=2026-11-16T23:00 to=2026-11-18T10:30 back=36 says='since yesterday'"},
      {"logs from yesterday", "from=2026-11-16T23:00 to=2026-11-17T23:00 back=36 says='from yesterday'"},
      {"the day before yesterday", "from=2026-11-15T23:00 to=2026-11-16T23:00 back=60 says='the day before yesterday'"},
      {"on Monday", "from=2026-11-15T23:00 to=2026-11-16T23:00 back=60 says='on Monday'"},
      {"on mon", "from=2026-11-15T23:00 to=2026-11-16T23:00 back=60 says='on mon'"},
      {"since Monday", "from=2026-11-15T23:00 to=2026-11-18T10:30 back=60 says='since Monday'"},
      {"on Friday", "from=2026-11-12T23:00 to=2026-11-13T23:00 back=132 says='on Friday'"},
      {"last Wednesday", "from=2026-11-10T23:00 to=2026-11-11T23:00 back=180 says='last Wednesday'"},
      {"last week", "from=2026-11-11T10:30 to=2026-11-18T10:30 back=168 says='last week'"},
      {"three days ago", "from=2026-11-14T23:00 to=2026-11-15T23:00 back=84 says='three days ago'"},
      {"2026-11-01", "from=2026-10-31T23:00 to=2026-11-01T23:00 back=420 says='2026-11-01'"},
      {"on 2026-1-5", "from=2026-01-04T23:00 to=2026-01-05T23:00 back=7620 says='on 2026-1-5'"},
      {"on Nov 3", "from=2026-11-02T23:00 to=2026-11-03T23:00 back=372 says='on Nov 3'"},
      {"on the 3rd of November 2026",
       "from=2026-11-02T23:00 to=2026-11-03T23:00 back=372 says='on the 3rd of November 2026'"},
      {"December 24th", "from=2025-12-23T23:00 to=2025-12-24T23:00 back=7908 says='December 24th'"},
  });
}

TEST(Times, ClockTimesAreTheRequestersUnlessAZoneIsNamed) {
  expect_all({
      {"since 09:00", "from=2026-11-18T08:00 to=2026-11-18T10:30 back=3 says='since 09:00'"},
      {"since 09:00 UTC", "from=2026-11-18T09:00 to=2026-11-18T10:30 back=2 says='since 09:00 UTC'"},
      {"since 9am", "from=2026-11-18T08:00 to=2026-11-18T10:30 back=3 says='since 9am'"},
      {"since 22:00", "from=2026-11-17T21:00 to=2026-11-18T10:30 back=14 says='since 22:00'"},
      {"since midnight", "from=2026-11-17T23:00 to=2026-11-18T10:30 back=12 says='since midnight'"},
      {"between 14:00 and 15:30", "from=2026-11-17T13:00 to=2026-11-17T14:30 back=22 says='between 14:00 and 15:30'"},
      {"between 9 am and 10 am", "from=2026-11-18T08:00 to=2026-11-18T09:00 back=3 says='between 9 am and 10 am'"},
      {"between 11:00 and 12:00", "from=2026-11-18T10:00 to=2026-11-18T10:30 back=1 says='between 11:00 and 12:00'"},
      {"between 22:00 and 02:00", "from=2026-11-17T21:00 to=2026-11-18T01:00 back=14 says='between 22:00 and 02:00'"},
      {"from 08:00 to 09:30", "from=2026-11-18T07:00 to=2026-11-18T08:30 back=4 says='from 08:00 to 09:30'"},
      {"errors 08:00-09:30", "from=2026-11-18T07:00 to=2026-11-18T08:30 back=4 says='08:00-09:30'"},
      {"yesterday between 14:00 and 15:30",
       "from=2026-11-17T13:00 to=2026-11-17T14:30 back=22 says='yesterday between 14:00 and 15:30'"},
      {"between 14:00 and 15:30 on Monday",
       "from=2026-11-16T13:00 to=2026-11-16T14:30 back=46 says='between 14:00 and 15:30 on Monday'"},
      {"at 10:15", "from=2026-11-18T09:00 to=2026-11-18T09:30 back=2 says='at 10:15'"},
      {"yesterday at 3:30 pm", "from=2026-11-17T14:15 to=2026-11-17T14:45 back=21 says='yesterday at 3:30 pm'"},
      {"on Monday at 14:00", "from=2026-11-16T12:45 to=2026-11-16T13:15 back=46 says='on Monday at 14:00'"},
      {"since yesterday 14:00", "from=2026-11-17T13:00 to=2026-11-18T10:30 back=22 says='since yesterday 14:00'"},
      {"since 14:00 yesterday", "from=2026-11-17T13:00 to=2026-11-18T10:30 back=22 says='since 14:00 yesterday'"},
      {"since 2026-11-17T08:00:00Z",
       "from=2026-11-17T08:00 to=2026-11-18T10:30 back=27 says='since 2026-11-17T08:00:00Z'"},
      {"since 2026-11-17T08:00+02:00",
       "from=2026-11-17T06:00 to=2026-11-18T10:30 back=29 says='since 2026-11-17T08:00+02:00'"},
      {"since 2026-11-17 08:00", "from=2026-11-17T07:00 to=2026-11-18T10:30 back=28 says='since 2026-11-17 08:00'"},
      {"from 2026-11-01 to 2026-11-03",
       "from=2026-10-31T23:00 to=2026-11-03T23:00 back=420 says='from 2026-11-01 to 2026-11-03'"},
      {"from 2026-11-17T08:00Z to 2026-11-17T09:00Z",
       "from=2026-11-17T08:00 to=2026-11-17T09:00 back=27 says='from 2026-11-17T08:00Z to 2026-11-17T09:00Z'"},
      {"from Monday to Tuesday", "from=2026-11-15T23:00 to=2026-11-17T23:00 back=60 says='from Monday to Tuesday'"},
      {"before 10:00", "from=2026-11-17T23:00 to=2026-11-18T09:00 back=12 says='before 10:00'"},
  });
}

TEST(Times, PlansAndOtherNumbersAreNoTimes) {
  expect_all({
      {"restart it in 2 hours", ""},
      {"by Friday", ""},
      {"every Monday at 3am", ""},
      {"the job scheduled at 3am", ""},
      {"set the timeout to 5m", ""},
      {"latency is over 5m", ""},
      {"500m cpu", ""},
      {"version 1.2.3", ""},
      {"version 1.2.3456", ""},
      {"host 10.1.20.24", ""},
      {"ratio 3:75", ""},
      {"after 5 minutes it fails", ""},
      {"since the deploy", ""},
      {"between checkout and auth", "services=checkout,auth"},
      {"from checkout to auth", "services=checkout,auth"},
      {"last deploy", ""},
      {"may I see the marching band", ""},
      {"the sun is out", ""},
      {"what comes next", ""},
  });
}

TEST(Times, WhatCannotBeLookedAtIsSaidAndNotReplaced) {
  const auto cannot_be_read = [](std::string_view phrase) {
    return fmt::format("problem='`{}` is not a date or time I can read'", phrase);
  };
  const auto not_past = [](std::string_view phrase) {
    return fmt::format("problem='`{}` is not in the past'", phrase);
  };
  const auto too_long = [](std::string_view phrase) {
    return fmt::format("problem='`{}` goes back more than ten years'", phrase);
  };
  const auto reversed = [](std::string_view phrase) {
    return fmt::format("problem='`{}` does not end after it begins'", phrase);
  };
  const std::pair<std::string_view, std::string> rows[] = {
      {"errors on 2026-02-30", cannot_be_read("on 2026-02-30")},
      {"2026-13-45", cannot_be_read("2026-13-45")},
      {"from 2026-02-30 to 2026-03-05", cannot_be_read("from 2026-02-30")},
      {"from 2026-03-05 to 2026-02-30", cannot_be_read("from 2026-03-05 to 2026-02-30")},
      {"since 2026-11-17T25:00", cannot_be_read("since 2026-11-17T25:00")},
      {"on 2026-11-17 25:00", cannot_be_read("on 2026-11-17 25:00")},
      {"yesterday between 10:00 and 29:00", cannot_be_read("yesterday between 10:00 and 29:00")},
      {"yesterday from 25:00 to 10:00", cannot_be_read("yesterday from 25:00")},
      {"yesterday at 25:00", cannot_be_read("yesterday at 25:00")},
      {"errors of 31.12.2025", cannot_be_read("31.12.2025")},
      {"logs of 12/31/2025", cannot_be_read("12/31/2025")},
      {"on Feb 30", cannot_be_read("on Feb 30")},
      {"the 31st of June", cannot_be_read("31st of June")},
      {"at 25:00", cannot_be_read("at 25:00")},
      {"since 10:75", cannot_be_read("since 10:75")},
      {"between 10:00 and 29:00", cannot_be_read("between 10:00 and 29:00")},
      {"tomorrow", not_past("tomorrow")},
      {"errors tomorrow at 14:00", not_past("tomorrow at 14:00")},
      {"errors at 14:00 tomorrow", not_past("at 14:00 tomorrow")},
      {"next Monday", not_past("next Monday")},
      {"errors of the next 2 hours", not_past("next 2 hours")},
      {"errors next week", not_past("next week")},
      {"2099-01-01", not_past("2099-01-01")},
      {"from 2030-01-01 to 2030-01-05", not_past("from 2030-01-01 to 2030-01-05")},
      {"last 0 hours", not_past("last 0 hours")},
      {"last -5 hours", not_past("last -5 hours")},
      {"1999-01-01", too_long("1999-01-01")},
      {"last 999999999999 hours", too_long("last 999999999999 hours")},
      {"last 99999999999999999999 hours", too_long("last 99999999999999999999 hours")},
      {"last 99999 weeks", too_long("last 99999 weeks")},
      {"999999999 days ago", too_long("999999999 days ago")},
      {"from 10:00 to 09:00", reversed("from 10:00 to 09:00")},
      {"errors 10:00-09:00", reversed("10:00-09:00")},
      {"yesterday from 15:00 to 14:00", reversed("yesterday from 15:00 to 14:00")},
      {"from 2026-11-10 to 2026-11-05", reversed("from 2026-11-10 to 2026-11-05")},
      {"from 10:00 to 10:00", reversed("from 10:00 to 10:00")},
  };
  const Vocabulary words = sample_vocabulary();
  for (const auto& [request, expected] : rows) {
    const Intent intent = extract(request, words);
    EXPECT_EQ(in_one_line(intent.parameters), expected) << request;
    EXPECT_FALSE(intent.clarifications_needed.empty()) << request;
  }
}

TEST(Times, SpansMayCrossMidnightAndEndsMayBeToCome) {
  expect_all({
      {"from 23:00 to 01:00", "from=2026-11-17T22:00 to=2026-11-18T00:00 back=13 says='from 23:00 to 01:00'"},
      {"from 18:00 to 06:00", "from=2026-11-17T17:00 to=2026-11-18T05:00 back=18 says='from 18:00 to 06:00'"},
      {"from 4pm to 9am", "from=2026-11-17T15:00 to=2026-11-18T08:00 back=20 says='from 4pm to 9am'"},
      {"between 5pm and 10am", "from=2026-11-17T16:00 to=2026-11-18T09:00 back=19 says='between 5pm and 10am'"},
      {"from yesterday 16:00 to 09:00",
       "from=2026-11-17T15:00 to=2026-11-18T08:00 back=20 says='from yesterday 16:00 to 09:00'"},
      {"from 05:00 to 00:00", "from=2026-11-18T04:00 to=2026-11-18T10:30 back=7 says='from 05:00 to 00:00'"},
      {"yesterday between 08:00 and 09:00",
       "from=2026-11-17T07:00 to=2026-11-17T08:00 back=28 says='yesterday between 08:00 and 09:00'"},
      {"yesterday to tomorrow", "from=2026-11-16T23:00 to=2026-11-18T10:30 back=36 says='yesterday to tomorrow'"},
      {"last 100001 minutes", "from=2026-09-09T23:49 to=2026-11-18T10:30 back=1667 says='last 100001 minutes'"},
  });
}

/// Of what the requests name, only the time.
void expect_times(std::initializer_list<Row> rows) {
  const Vocabulary words = sample_vocabulary();
  for (const auto& [request, expected] : rows) {
    const Parameters time{.time_range = extract(request, words).parameters.time_range};
    EXPECT_EQ(in_one_line(time), expected) << request;
  }
}

TEST(Times, WhatIsToComeIsAnAsideWhereAnotherTimeIsNamed) {
  expect_times({
      {"we deploy tomorrow, show errors of the last hour",
       "from=2026-11-18T09:30 to=2026-11-18T10:30 back=1 says='last hour'"},
      {"errors yesterday, the next release is tomorrow at 9am",
       "from=2026-11-16T23:00 to=2026-11-17T23:00 back=36 says='yesterday'"},
      {"we deploy tomorrow, show errors at 10:15", "from=2026-11-18T09:00 to=2026-11-18T09:30 back=2 says='at 10:15'"},
      {"we deploy tomorrow. Was it slow at 10:15?", "from=2026-11-18T09:00 to=2026-11-18T09:30 back=2 says='at 10:15'"},
      {"we deploy tomorrow, was it slow yesterday at 14:00?",
       "from=2026-11-17T12:45 to=2026-11-17T13:15 back=22 says='yesterday at 14:00'"},
  });
}

void expect_no_time(std::initializer_list<std::string_view> requests) {
  for (const std::string_view request : requests) expect_times({{request, ""}});
}

TEST(Times, WhatIsToComeIsAnAsideBehindTheFirstSentence) {
  expect_no_time({"Any errors in payments prod? We go live tomorrow",
                  "Any errors in payments prod? It must be fixed before tomorrow",
                  "Any errors in payments prod? the release is next week",
                  "Any errors in payments prod? The cert expires tomorrow",
                  "search the logs for \"valid from 2099-01-01\""});
}

TEST(Times, WhatIsToComeIsAProblemWhereItIsAskedAbout) {
  const Vocabulary words = sample_vocabulary();
  for (const auto& [request, phrase] : std::initializer_list<Row>{
           {"errors in checkout prod tomorrow", "tomorrow"},
           {"errors in checkout tomorrow", "tomorrow"},
           {"show me errors tomorrow", "tomorrow"},
           {"show me tomorrow's errors", "tomorrow"},
           {"logs for next week", "next week"},
           {"logs for the next week", "next week"},
           {"errors of tomorrow", "tomorrow"},
           {"logs from tomorrow", "from tomorrow"},
           {"errors since tomorrow", "since tomorrow"},
           {"what happened on 2099-01-01", "on 2099-01-01"},
           {"what happened at 15:00 tomorrow", "at 15:00 tomorrow"},
           {"tomorrow in prod", "tomorrow"},
           {"the next 2 hours", "next 2 hours"},
           {"errors in the next 2 hours", "next 2 hours"},
           {"any errors within the next hour?", "next hour"},
           {"show me errors in checkout prod in the next 2 hours", "next 2 hours"},
           {"show me the last 0 hours", "last 0 hours"},
       }) {
    EXPECT_EQ(extract(request, words).parameters.time_range.problem, fmt::format("`{}` is not in the past", phrase))
        << request;
  }
}

TEST(Times, AChangeIsNotAskedForItsTime) {
  const Intent intent = extract("restart checkout in prod, we release on 2099-01-01", sample_vocabulary());
  EXPECT_EQ(intent.type, IntentType::act);
  for (const std::string& question : intent.clarifications_needed) EXPECT_FALSE(question.contains("time")) << question;
}

TEST(Times, RatiosPortsAndColumnsAreNoClockTimes) {
  expect_no_time({"the split is about 80:20", "bind to 80:80", "syntax error at 42:13"});
}

TEST(Times, AnImpossibleClockTimeLosesToTheTimeOfAnotherClause) {
  expect_times({
      {"traffic is about 20:80, show errors of the last hour",
       "from=2026-11-18T09:30 to=2026-11-18T10:30 back=1 says='last hour'"},
      {"errors at 25:00 yesterday", "problem='`at 25:00` is not a date or time I can read'"},
      {"errors from 25:00 to 10:00", "problem='`from 25:00` is not a date or time I can read'"},
      {"errors at 25:00:00", "problem='`at 25:00:00` is not a date or time I can read'"},
  });
}

TEST(Times, WhatIsLookedForInQuotesIsNoProblem) {
  expect_all({
      {R"(search the prod logs for "invalid date 2026-02-30")", "env=prod text='invalid date 2026-02-30'"},
      {R"(search the prod logs for "31.12.2025")", "env=prod text='31.12.2025'"},
      {R"(search the prod logs for "parse error at 42:13")", "env=prod text='parse error at 42:13'"},
      {"search the prod logs for `parse error at 25:13`", "env=prod text='parse error at 25:13'"},
      {R"(search the prod logs for "deadlock" on 2026-02-30)",
       "env=prod problem='`on 2026-02-30` is not a date or time I can read' text='deadlock'"},
  });
}

TEST(Times, FollowTheClockThroughSummerTime) {
  Vocabulary words = sample_vocabulary();
  words.now = utc(10, 26, 9, 0);  // the day after clocks went back an hour at 01:00 UTC
  words.utc_offset = [](Timestamp at) { return std::chrono::hours(at < utc(10, 25, 1, 0) ? 2 : 1); };
  EXPECT_EQ(in_one_line(extract("yesterday", words).parameters),
            "from=2026-10-24T22:00 to=2026-10-25T23:00 back=35 says='yesterday'");
}

}  // namespace
}  // namespace deputy::intent
