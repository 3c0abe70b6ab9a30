// Whether a time is one of somebody's plans and not of the question: "we deploy at 15:00", "the release is on Friday".
// What has happened ("we deployed on Friday") is no plan.
#pragma once

#include <cstddef>
#include <string_view>

#include "intent/tokens.h"

namespace deputy::intent {

/// What is asked for with a time of its own.
inline constexpr std::string_view kData[] = {"errors", "logs",    "log",        "error",   "events",
                                             "alarms", "metrics", "exceptions", "warnings"};

/// Of the words before a time, within its clause, or behind one that a sentence begins with ("On Friday we deploy"); a
/// few of them are looked at.
bool is_of_a_plan(const Tokens& tokens, std::size_t first, std::size_t next);

/// Whether the words of a time say that it lies behind: "yesterday at 15:00", "last Friday", "2026-11-13".
bool says_past(const Tokens& tokens, std::size_t first, std::size_t next);

}  // namespace deputy::intent
