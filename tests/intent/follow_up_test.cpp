#include <gtest/gtest.h>

#include "intent/match.h"
#include "intent/sample_vocabulary.h"

namespace deputy::intent {
namespace {

TEST(FollowUp, IsToldByHowItBeginsOrByNamingOnlyWhatIsDifferent) {
  const Vocabulary words = sample_vocabulary();
  for (const std::string_view request : {"same for staging", "and yesterday?", "what about auth?",
                                         "how about the last 2 hours", "again", "and the logs?", "now in staging",
                                         "the same in dev please", "staging?", "yesterday", "since 09:00", "in prod"}) {
    EXPECT_TRUE(is_follow_up(request, extract(request, words))) << request;
  }
  for (const std::string_view request : {"errors in checkout prod", "hello", "which services are there?", "thanks", "",
                                         "show me the logs of checkout in prod since yesterday"}) {
    EXPECT_FALSE(is_follow_up(request, extract(request, words))) << request;
  }
}

}  // namespace
}  // namespace deputy::intent
