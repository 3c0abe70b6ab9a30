// What its owner writes of the run as a whole: that it was taken up, what limits it, its answer, its end.
#pragma once

#include <string>
#include <string_view>

#include "base/fields.h"
#include "run/kinds.h"

namespace deputy::run {

/// An owner begins. What was started before it and has no outcome is orphaned.
struct TakenUp {
  static constexpr std::string_view kKind = "taken_up";
  static constexpr int kVersion = 1;

  std::string instance;
  TakenAfter after = TakenAfter::unknown;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&TakenUp::instance, "instance", "Who");
    f.required(&TakenUp::after, "after", "Why");
  }
};

/// Something the entries cannot tell stands against going on as planned.
struct Limited {
  static constexpr std::string_view kKind = "limited";
  static constexpr int kVersion = 1;

  LimitKind what = LimitKind::unknown;
  std::string words;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&Limited::what, "what", "Which limit");
    f.required(&Limited::words, "words", "For people");
  }
};

struct Replied {
  static constexpr std::string_view kKind = "replied";
  static constexpr int kVersion = 1;

  std::string text;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&Replied::text, "text", "The answer");
  }
};

struct Finished {
  static constexpr std::string_view kKind = "finished";
  static constexpr int kVersion = 1;

  RunOutcome outcome = RunOutcome::unknown;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&Finished::outcome, "outcome", "How");
  }
};

}  // namespace deputy::run
