#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "base/text.h"
#include "intent/sample_vocabulary.h"
#include "intent/suspicion.h"
#include "intent/tokens.h"
#include "support/growth.h"

namespace deputy::intent {
namespace {

// Words that the rules know, numbers, symbols and bytes in any order: more of the rules are reached than by bytes
// alone.
std::string any_request() {
  static const std::vector<std::string> kPieces{"last",       "past",
                                                "since",      "between",
                                                "and",        "from",
                                                "to",         "yesterday",
                                                "Monday",     "at",
                                                "around",     "14:00",
                                                "3pm",        "2h",
                                                "90",         "hours",
                                                "min",        "ago",
                                                "2026-11-01", "T10:00Z",
                                                "week",       "night",
                                                "prod",       "live",
                                                "not",        "the",
                                                "checkout",   "cast",
                                                "-",          "core",
                                                "search",     "in",
                                                "PR",         "#45",
                                                "ABC-12",     "incident",
                                                "PT4KHLK",    "https://a.example/pull/4",
                                                "<@U1>",      "<#C1|x>",
                                                "messages",   "20",
                                                "fifty",      "give",
                                                "me",         "password",
                                                "select",     "*",
                                                "users",      "without",
                                                "approval",   "don't",
                                                "ask",        "run",
                                                "\n",         ". ",
                                                ", ",         "'",
                                                "`",          "_",
                                                "\xff",       "\xe2\x80\x8b",
                                                "ü",          "(",
                                                "half",       "an",
                                                "1.5",        "Nov",
                                                "3rd",        "the",
                                                "weekend",    "what",
                                                "is",         "Anna's",
                                                "what's",     "tomorrow",
                                                "next",       "2026-02-30",
                                                "25:00",      "999999999999",
                                                "until",      "Feb",
                                                "errors",     "logs",
                                                "task",       "for"};
  const auto picked =
      *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, kPieces.size() * 2));
  std::string request;
  for (const std::size_t at : picked) {
    request += kPieces[at % kPieces.size()];
    if (at < kPieces.size()) request += ' ';
  }
  return request;
}

void check(const std::string& request) {
  static const Vocabulary words = sample_vocabulary();
  const Intent intent = extract(request, words);
  for (const std::string& key : intent.parameters.services) {
    RC_ASSERT(contains(words.services, key, &KnownService::key));
  }
  if (intent.parameters.environment) RC_ASSERT(words.environments.contains(*intent.parameters.environment));
  for (const auto* tools : {&intent.suggested_tools, &intent.fallback_options}) {
    for (const std::string& tool : *tools) RC_ASSERT(contains(words.tools, tool, &KnownTool::name));
  }
  const TimeRange& time = intent.parameters.time_range;
  RC_ASSERT(time.from.has_value() == time.to.has_value() && time.from.has_value() == time.hours_back.has_value());
  if (time.from && time.to && time.hours_back) {
    RC_ASSERT(*time.from <= *time.to && *time.to <= words.now && *time.hours_back >= 1);
    RC_ASSERT(*time.from >= words.now - std::chrono::hours(*time.hours_back));
  }
  RC_ASSERT(time.problem.empty() || !time.from);
  RC_ASSERT(intent.parameters.message_count.value_or(1) >= 1 &&
            intent.parameters.message_count.value_or(1) <= kMaxMessages);
  RC_ASSERT(intent.parameters.urls.size() <= kMaxKind && intent.parameters.pr_ids.size() <= kMaxKind);
  RC_ASSERT(intent.confidence >= 0 && intent.confidence <= 1);
  RC_ASSERT(extract(request, words) == intent);
  const auto again = parse_arguments<Intent>(to_json(intent));
  RC_ASSERT(again.has_value() && *again == intent);
  static_cast<void>(suspicious(request));
}

RC_GTEST_PROP(IntentProperty, KnownWordsInAnyOrderKeepTheRules, ()) { check(any_request()); }

RC_GTEST_PROP(IntentProperty, AnyBytesKeepTheRules, ()) { check(*rc::gen::arbitrary<std::string>()); }

TEST(Extract, LongRequestsTakeLinearTime) {
  const Vocabulary words = sample_vocabulary();
  for (const std::string_view piece : {"last ",
                                       "<@",
                                       "`",
                                       "checkout-",
                                       "PR #1, ",
                                       "the last ",
                                       "between 14:00 and ",
                                       "give me ",
                                       "select ",
                                       "no need to ask ",
                                       "\xff",
                                       "https://a.example/ ",
                                       "1:1:1:",
                                       "incident 1, ",
                                       "what's ",
                                       "a",
                                       "-",
                                       "2h",
                                       "2026-02-3 ",
                                       "tomorrow ",
                                       "9999999999",
                                       "1-1-",
                                       "' ",
                                       "cast core ",
                                       "for errors ",
                                       "task 1 "}) {
    const auto work = [&](const std::string& request) {
      static_cast<void>(extract(request, words));
      static_cast<void>(suspicious(request));
    };
    EXPECT_LT(test::growth(piece, 20'000, work), test::kMaxGrowth) << piece;
  }
}

}  // namespace
}  // namespace deputy::intent
