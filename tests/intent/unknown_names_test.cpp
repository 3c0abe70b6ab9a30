// What narrows a question and is in no list is kept as typed: a service that nobody knows, words that entries must
// hold.
#include "intent/sample_vocabulary.h"

namespace deputy::intent {
namespace {

TEST(UnknownServices, AreKeptAsTypedWhereAServiceStands) {
  expect_all({{"errors of nosuchsvc in prod", "services=nosuchsvc env=prod"},
              {"show me errors of service parcel in prod", "services=parcel env=prod"},
              {"errors in the parcel service on live", "services=parcel env=prod"},
              {"what is failing in parcel in production?", "services=parcel env=prod"},
              {"prod errors parcel", "services=parcel env=prod"},
              {"errors parcel prod", "services=parcel env=prod"},
              {"errors in prod for parcel", "services=parcel env=prod"},
              {"status of parcel in prod", "services=parcel env=prod"},
              {"is parcel down in prod?", "services=parcel env=prod"},
              {"parcel is down in prod", "services=parcel env=prod"},
              {"why is parcel slow in prod", "services=parcel env=prod"},
              {"what is wrong with parcel in prod", "services=parcel env=prod"},
              {"what errors did parcel have in staging", "services=parcel env=staging"},
              {"parcel's errors in prod", "services=parcel env=prod"},
              {"investigate parcel in prod", "services=parcel env=prod"},
              {"tail parcel in prod", "services=parcel env=prod"},
              {"logs of `parcel` in prod", "services=parcel env=prod"},
              {"errors of order-desk in prod", "services=order-desk env=prod"},
              {"order-desk errors in prod", "services=order-desk env=prod"},
              {"service: parcel, env prod, errors", "services=parcel env=prod"},
              {"errors in the parcel tracker in prod", "services=parcel tracker env=prod"}});
}

TEST(UnknownServices, StandBesideKnownOnes) {
  expect_all({{"errors of cast-core and nosuchsvc in prod", "services=cast-core,nosuchsvc env=prod"},
              {"compare errors of checkout vs parcel in prod", "services=checkout,parcel env=prod"},
              {"errors of parcel and depot in prod", "services=parcel,depot env=prod"}});
}

TEST(UnknownServices, ASlipOfThePenIsNoOtherService) {
  expect_all({{"errors in chekout prod", "services=chekout env=prod"},
              {"chekout errors in prod", "services=chekout env=prod"},
              {"errors of cast-cor in prod", "services=cast-cor env=prod"}});
}

TEST(UnknownServices, AMistypedEnvironmentIsNone) {
  expect_all({{"errors in checkout prdo", "services=checkout"},
              {"errors in checkout in produciton", "services=checkout"},
              {"errors in stagin", ""},
              {"errors in cast-core qa", "services=cast-core"}});
}

TEST(UnknownServices, OrdinaryWordsAreNone) {
  expect_all({{"what is failing in prod?", "env=prod"},
              {"errors in the logs in prod", "env=prod"},
              {"any errors in production right now?", "env=prod"},
              {"show me the top errors in prod please", "env=prod"},
              {"which service has the most errors in prod", "env=prod"},
              {"error count by service in prod", "env=prod"},
              {"are there new errors since the release in prod", "env=prod"},
              {"errors of all services in prod", "env=prod"},
              {"errors for everyone in prod", "env=prod"},
              {"is everything ok in prod?", "env=prod"},
              {"is anything broken in prod?", "env=prod"},
              {"gimme errors in prod", "env=prod"},
              {"show log entries in prod", "env=prod"},
              {"which services are there?", ""},
              {"what happened in the meeting", ""},
              {"long-running errors in prod", "env=prod"},
              {"client-side errors in prod", "env=prod"},
              {"investigate latency in prod", "env=prod"},
              {"thanks, the errors are gone", ""}});
}

TEST(UnknownServices, AreNotWhatAChangeIsMadeTo) {
  EXPECT_EQ(extract("restart parcel in prod", sample_vocabulary()).parameters.services, std::vector<std::string>{});
  EXPECT_EQ(extract("stop service parcel in prod", sample_vocabulary()).parameters.services,
            std::vector<std::string>{});
}

TEST(WantedText, IsWhatEntriesMustHold) {
  expect_all({{"timeout errors in checkout prod", "services=checkout env=prod text='timeout'"},
              {"connection timeout errors in checkout prod", "services=checkout env=prod text='connection timeout'"},
              {"database errors in prod", "env=prod text='database'"},
              {"invoice errors in prod", "env=prod text='invoice'"},
              {"logs of checkout in prod with \"token\"", "services=checkout env=prod text='token'"},
              {"errors containing deadlock in checkout prod", "services=checkout env=prod text='deadlock'"},
              {"errors for user 42 in checkout prod", "services=checkout env=prod text='user 42'"},
              {"timeouts in checkout prod", "services=checkout env=prod text='timeout'"},
              {"search the logs for \"pool exhausted\" in prod", "env=prod text='pool exhausted'"},
              {"grep the prod logs for OutOfMemory", "env=prod text='OutOfMemory'"},
              {"errors on startup in checkout prod", "services=checkout env=prod"}});
}

TEST(WantedText, ALevelIsWhatItsEntriesHold) {
  expect_all(
      {{"show me warnings in cast-core prod", "services=cast-core env=prod text='warn'"},
       {"any warnings in prod?", "env=prod text='warn'"},
       {"warning messages of checkout in prod", "services=checkout env=prod text='warn'"},
       {"warn level logs of checkout in prod", "services=checkout env=prod text='warn'"},
       {"warning-level entries of checkout in prod", "services=checkout env=prod text='warn'"},
       {"show me the debug logs of checkout in prod", "services=checkout env=prod text='debug'"},
       {"info logs of parcel in prod", "services=parcel env=prod text='info'"},
       {"trace lines of checkout in prod", "services=checkout env=prod text='trace'"},
       {"checkout warnings in prod containing deadlock", "services=checkout env=prod text='deadlock warn'"},
       {"warnings in checkout prod with \"pool exhausted\"", "services=checkout env=prod text='pool exhausted warn'"},
       {"database warnings in prod", "env=prod text='database warn'"},
       {"warnings of parcel in prod", "services=parcel env=prod text='warn'"}});
}

TEST(WantedText, NoLevelIsWhereNoneIsMeantOrMoreIsAskedFor) {
  expect_all({{"errors and warnings in checkout prod", "services=checkout env=prod"},
              {"critical alarms of checkout in prod", "services=checkout env=prod"},
              {"show warning alerts of checkout", "services=checkout"},
              {"debug checkout in prod", "services=checkout env=prod"},
              {"info on checkout please", "services=checkout"},
              {"fatal logs of checkout in prod", "services=checkout env=prod"},
              {"critical errors in checkout prod", "services=checkout env=prod"},
              {"fatals of parcel in prod", "services=parcel env=prod"}});
}

TEST(WantedText, LeadsToAToolThatTakesIt) {
  const auto first = [](std::string_view request) {
    const Intent intent = extract(request, sample_vocabulary());
    return intent.suggested_tools.empty() ? "" : intent.suggested_tools.front();
  };
  EXPECT_EQ(first("timeout errors in checkout prod"), "search_logs");
  EXPECT_EQ(first("logs of checkout in prod with \"token\""), "search_logs");
  EXPECT_EQ(first("errors in checkout prod"), "get_recent_errors");
  EXPECT_EQ(first("warnings in checkout prod"), "search_logs");
  EXPECT_EQ(first("show me the debug logs of checkout in prod"), "search_logs");
  EXPECT_EQ(first("any fatals in prod?"), "get_recent_errors");
  EXPECT_EQ(first("critical log entries of checkout in prod"), "get_recent_errors");
}

}  // namespace
}  // namespace deputy::intent
