// The limits and budgets of runs: `limits` and `models.budgets`.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/fields.h"

namespace deputy::run {

struct LimitSettings {
  int tool_turns = 10;
  int calls_at_once = 10;
  int reply_tokens = 16'000;
  int memory_tokens = 40'000;
  int thread_tokens = 12'000;
  std::chrono::milliseconds work = std::chrono::minutes(15);
  std::chrono::milliseconds background_timeout = std::chrono::hours(1);
  std::chrono::milliseconds intent_time = std::chrono::milliseconds(1500);
  int live_runs = 4000;
  int runs_a_person = 3;
  int requests_a_person = 60;

  template <class Fields>
  static void fields(Fields& f) {
    using L = LimitSettings;
    f.optional(&L::tool_turns, "tool_turns", "How often the model may call tools in one run").in_range(1, 100);
    f.optional(&L::calls_at_once, "calls_at_once", "How many calls of one turn run together").in_range(1, 100);
    f.optional(&L::reply_tokens, "reply_tokens",
               "The longest reply of a model in tokens, thinking and text together; a cut answer is continued once")
        .in_range(100, 1'000'000);
    for (const std::string_view old : {"first_tokens", "later_tokens", "tokens_after_a_cut"})
      f.retired(old, "write `reply_tokens`, the one bound of thinking and text together");
    f.optional(&L::memory_tokens, "memory_tokens",
               "How much of earlier requests of a conversation a model is shown, in tokens, 0 for none; at most a "
               "third of what it takes")
        .in_range(0, 1'000'000);
    f.optional(&L::thread_tokens, "thread_tokens",
               "How much of the thread before a request a model is shown, in tokens; its first message always")
        .in_range(0, 1'000'000);
    f.optional(&L::work, "work", "How long a run may work; waiting for people does not count")
        .check_with(at_least_a_second);
    f.optional(&L::background_timeout, "background_timeout", "How long a background call may work")
        .check_with(at_least_a_second);
    f.optional(&L::intent_time, "intent_time",
               "How long a fast model may take to find what a request is about, before rules alone do")
        .check_with(at_most_ten_seconds);
    f.optional(&L::live_runs, "live_runs", "How many runs an instance works on at once").in_range(1, 100'000);
    f.optional(&L::runs_a_person, "runs_a_person",
               "How many runs of one person work at once on network channels; 0 is off")
        .in_range(0, 1000);
    f.optional(&L::requests_a_person, "requests_a_person",
               "How many requests of one person are begun in 10 minutes on network channels; the rest wait; 0 is off")
        .in_range(0, 10'000);
  }

 private:
  static void at_most_ten_seconds(const std::chrono::milliseconds& time, FieldReader& reader) {
    if (time > std::chrono::seconds(10))
      reader.problem("it must be at most ten seconds", "write a time such as 1500ms");
  }
};

/// Dollars; 0 is off.
struct BudgetSettings {
  double run_usd = 1;
  double person_day_usd = 10;
  double day_usd = 50;
  std::int64_t run_tokens = 2'000'000;

  template <class Fields>
  static void fields(Fields& f) {
    using B = BudgetSettings;
    f.optional(&B::run_usd, "run_usd", "What one run may cost, in dollars; 0 is off").in_range(0, 1'000'000);
    f.optional(&B::person_day_usd, "person_day_usd", "What the runs of one person may cost in a day; 0 is off")
        .in_range(0, 1'000'000);
    f.optional(&B::day_usd, "day_usd", "What all runs may cost in a day; 0 is off").in_range(0, 1'000'000);
    f.optional(&B::run_tokens, "run_tokens", "What one run may use where no price is known; 0 is off")
        .in_range(0, 1'000'000'000);
  }
};

}  // namespace deputy::run
