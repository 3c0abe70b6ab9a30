#include <gtest/gtest.h>

#include "intent/sample_vocabulary.h"

namespace deputy::intent {
namespace {

TEST(Services, AreFoundByKeyFullNameAndAlias) {
  expect_all({
      {"errors in cast-core", "services=cast-core"},
      {"errors in Cast Core Service", "services=cast-core"},
      {"errors in cast_core", "services=cast-core"},
      {"errors in cast core", "services=cast-core"},
      {"errors in castcore", "services=cast-core"},
      {"errors in CastCore", "services=cast-core"},
      {"errors in CAST-CORE!", "services=cast-core"},
      {"is castc ok?", "services=cast-core"},
      {"cast-core's memory", "services=cast-core"},
      {"cast-core’s memory", "services=cast-core"},
      {"restart `cast-core`", "services=cast-core"},
      {"*checkout* is slow", "services=checkout"},
      {"the Identity Provider is slow", "services=auth"},
      {"idp, checkout and cast-core are down", "services=auth,checkout,cast-core"},
      {"checkout/auth errors", "services=checkout,auth"},
      {"checkout checkout checkout", "services=checkout"},
      {"look at cast-core-7f9c8d-xk2lp", "services=cast-core"},
  });
}

TEST(Services, TheLongestNameWins) {
  expect_all({
      {"logs of payments-gateway-worker", "services=payments-gateway-worker"},
      {"logs of payments gateway worker", "services=payments-gateway-worker"},
      {"logs of payments-gateway", "services=payments-gateway"},
      {"logs of payments", "services=payments-gateway"},
      {"core platform is slow", "services=core"},
  });
}

TEST(Services, AreNotFoundInsideOtherNames) {
  expect_all({
      {"broadcast-core is down", ""},
      {"errors in other-core", ""},
      {"author of the change", ""},
      {"auth-proxy is down", ""},
      {"mail auth@example.com", ""},
      {"open auth.example.com", ""},
      {"the checkouts went up", ""},
      {"https://auth.example.com/checkout", "urls=https://auth.example.com/checkout"},
  });
}

TEST(Services, AVerbIsNoService) {
  expect_all({
      {"search the logs for timeouts", "text='timeouts'"},
      {"can you search for it", ""},
      {"errors in search", "services=search"},
      {"search is down", "services=search"},
      {"restart search in staging", "services=search env=staging"},
      {"`search`", "services=search"},
      {"search", "services=search"},
      {"errors in core", "services=core"},
      {"product search is slow", "services=search"},
  });
}

TEST(Environments, AreFoundByNameAndOtherName) {
  expect_all({
      {"errors in prod", "env=prod"},
      {"errors in production", "env=prod"},
      {"errors in PROD!", "env=prod"},
      {"prod's errors", "env=prod"},
      {"prod’s errors", "env=prod"},
      {"what happens on #prod", "env=prod"},
      {"prod errors", "env=prod"},
      {"(prod)", "env=prod"},
      {"env=prod errors", "env=prod"},
      {"the prod-eu cluster", "env=prod"},
      {"checkout-prod is down", "services=checkout env=prod"},
      {"prod-checkout is down", "services=checkout env=prod"},
      {"errors in live", "env=prod"},
      {"errors on live in the cluster", "env=prod"},
      {"the live environment", "env=prod"},
      {"deploy it to live please", "env=prod"},
      {"logs in stage", "env=staging"},
      {"staging logs", "env=staging"},
      {"dev logs", "env=dev"},
      {"restart checkout in dev", "services=checkout env=dev"},
      {"errors in prod, not in staging", "env=prod"},
      {"errors in prod but not staging", "env=prod"},
      {"<#C012|prod> looks odd", "env=prod"},
  });
}

TEST(Environments, AreNotFoundInOtherWordsOrMeanings) {
  expect_all({
      {"the product page", ""},
      {"can you reproduce it", ""},
      {"is it alive", ""},
      {"liveness probe fails", ""},
      {"devs are waiting", ""},
      {"non-prod only", ""},
      {"pre-prod is broken", ""},
      {"prod.example.com is slow", ""},
      {"stages of grief", ""},
      {"we are not in prod", ""},
  });
}

TEST(Environments, TwoAreAQuestion) {
  const Intent intent = extract("get errors of checkout in staging and prod", sample_vocabulary());
  EXPECT_EQ(intent.parameters.environment, std::nullopt);
  EXPECT_EQ(intent.clarifications_needed, std::vector<std::string>{"Which environment: staging or prod?"});
}

}  // namespace
}  // namespace deputy::intent
