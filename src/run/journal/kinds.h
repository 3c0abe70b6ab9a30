// Every word of a journal that comes from a fixed list, as an enum; on disk it is text. A stored word outside its list
// (another version wrote it) reads as the value `unknown`, so that the run stays readable. Fold and plan treat such a
// value as the least that it can mean: nothing runs, nothing is approved and nothing is repeated because of it.
//
// To add a list: the enum with its choices and its FieldCodec here, what fold and plan do with `unknown`, a line in
// tests/run/journal/entry_test.cpp.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "base/fields.h"
#include "base/result.h"

namespace deputy::run {

/// The owner of a run took it up after this. `unknown` does not count as a crash.
enum class TakenAfter { new_run, mail, release, crash, unknown };

constexpr auto choices_of(TakenAfter) {
  using A = TakenAfter;
  return std::to_array<std::pair<A, std::string_view>>(
      {{A::new_run, "new"}, {A::mail, "mail"}, {A::release, "release"}, {A::crash, "crash"}, {A::unknown, "unknown"}});
}

/// The reason why a model's reply ended. A reply that ended in an `unknown` way counts with its text and its calls.
enum class ReplyStop { end_turn, calls, max_tokens, cut_call, refusal, overflow, failed, unknown };

constexpr auto choices_of(ReplyStop) {
  using S = ReplyStop;
  return std::to_array<std::pair<S, std::string_view>>({{S::end_turn, "end_turn"},
                                                        {S::calls, "calls"},
                                                        {S::max_tokens, "max_tokens"},
                                                        {S::cut_call, "cut_call"},
                                                        {S::refusal, "refusal"},
                                                        {S::overflow, "overflow"},
                                                        {S::failed, "failed"},
                                                        {S::unknown, "unknown"}});
}

/// A ruling on a call. `refused`: it cannot be run as it is (unknown tool, bad arguments, withdrawn). An `unknown` one
/// lets nothing run, like `refused`.
enum class Verdict { allow, ask, deny, refused, unknown };

constexpr auto choices_of(Verdict) {
  using V = Verdict;
  return std::to_array<std::pair<V, std::string_view>>(
      {{V::allow, "allow"}, {V::ask, "ask"}, {V::deny, "deny"}, {V::refused, "refused"}, {V::unknown, "unknown"}});
}

/// The kind of an interaction. A call that asked in an `unknown` way waits for its answer and is not asked again.
enum class AskKind { approval, questions, unknown };

constexpr auto choices_of(AskKind) {
  using K = AskKind;
  return std::to_array<std::pair<K, std::string_view>>(
      {{K::approval, "approval"}, {K::questions, "questions"}, {K::unknown, "unknown"}});
}

/// The outcome of a handler. `unknown`: it may have acted; so is every outcome that cannot be read. `not_done`: a look
/// found that it had not happened.
enum class StepOutcome { continued, output, error, timeout, cancelled, unknown, not_done };

constexpr auto choices_of(StepOutcome) {
  using O = StepOutcome;
  return std::to_array<std::pair<O, std::string_view>>({{O::continued, "continue"},
                                                        {O::output, "output"},
                                                        {O::error, "error"},
                                                        {O::timeout, "timeout"},
                                                        {O::cancelled, "cancelled"},
                                                        {O::unknown, "unknown"},
                                                        {O::not_done, "not_done"}});
}

/// Answers a handler that delegated: each toolkit::DelegateKind; `background` also when the call itself goes there. An
/// `unknown` one ends the handler with an error.
enum class DelegateTo { child_run, model, result, history, tasks, attachment, background, visibility, unknown };

constexpr auto choices_of(DelegateTo) {
  using D = DelegateTo;
  return std::to_array<std::pair<D, std::string_view>>({{D::child_run, "child_run"},
                                                        {D::model, "model"},
                                                        {D::result, "result"},
                                                        {D::history, "history"},
                                                        {D::tasks, "tasks"},
                                                        {D::attachment, "attachment"},
                                                        {D::background, "background"},
                                                        {D::visibility, "visibility"},
                                                        {D::unknown, "unknown"}});
}

/// The status of a call that ended. `unknown`: it may have happened; so is every status that cannot be read.
enum class CallStatus { success, error, timeout, cancelled, denied, unknown };

constexpr auto choices_of(CallStatus) {
  using S = CallStatus;
  return std::to_array<std::pair<S, std::string_view>>({{S::success, "success"},
                                                        {S::error, "error"},
                                                        {S::timeout, "timeout"},
                                                        {S::cancelled, "cancelled"},
                                                        {S::denied, "denied"},
                                                        {S::unknown, "unknown"}});
}

/// A limit that a run reached. An `unknown` one narrows like `turns`: no more calls, but the model may still answer.
enum class LimitKind { budget, turns, deadline, unknown };

constexpr auto choices_of(LimitKind) {
  using L = LimitKind;
  return std::to_array<std::pair<L, std::string_view>>(
      {{L::budget, "budget"}, {L::turns, "turns"}, {L::deadline, "deadline"}, {L::unknown, "unknown"}});
}

/// The due that woke a run. An `unknown` one wakes it and changes nothing.
enum class WakeUp { deadline, turn, unknown };

constexpr auto choices_of(WakeUp) {
  using W = WakeUp;
  return std::to_array<std::pair<W, std::string_view>>(
      {{W::deadline, "deadline"}, {W::turn, "turn"}, {W::unknown, "unknown"}});
}

/// The outcome of a run. An `unknown` end is an end.
enum class RunOutcome { answered, failed, cancelled, unknown };

constexpr auto choices_of(RunOutcome) {
  using O = RunOutcome;
  return std::to_array<std::pair<O, std::string_view>>(
      {{O::answered, "answered"}, {O::failed, "failed"}, {O::cancelled, "cancelled"}, {O::unknown, "unknown"}});
}

/// The word as it is stored.
template <class E>
  requires requires { E::unknown; }
constexpr std::string_view name(E word) {
  for (const auto& [value, text] : choices_of(E{})) {
    if (value == word) return text;
  }
  return "unknown";
}

/// The value that is stored as `text`; `unknown` when it is outside the list.
template <class E>
constexpr E read_word(std::string_view text) {
  for (const auto& [value, word] : choices_of(E{})) {
    if (word == text) return value;
  }
  return E::unknown;
}

/// Reads, writes and describes such a word as a field.
template <class E>
struct StoredWord {
  static void read(const json::value& value, E& into, FieldReader& reader, const FieldRules&) {
    std::string text;
    if (read_text(value, text, reader)) into = read_word<E>(text);
  }
  static json::value write(E word) { return json::value(std::string(name(word))); }
  static json::object schema(const FieldRules&) { return FieldCodec<std::string>::schema(rules()); }
  static void describe(const std::string& path, const FieldInfo& info, std::vector<FieldDoc>& docs) {
    FieldInfo with_choices = info;
    with_choices.rules = rules();
    docs.push_back(doc_of(path, with_choices, "text"));
  }

 private:
  static FieldRules rules() {
    FieldRules rules;
    for (const auto& [value, word] : choices_of(E{})) {
      if (value != E::unknown) rules.choices.emplace_back(word);
    }
    return rules;
  }
};

}  // namespace deputy::run

namespace deputy {

template <>
struct FieldCodec<run::TakenAfter> : run::StoredWord<run::TakenAfter> {};
template <>
struct FieldCodec<run::ReplyStop> : run::StoredWord<run::ReplyStop> {};
template <>
struct FieldCodec<run::Verdict> : run::StoredWord<run::Verdict> {};
template <>
struct FieldCodec<run::AskKind> : run::StoredWord<run::AskKind> {};
template <>
struct FieldCodec<run::StepOutcome> : run::StoredWord<run::StepOutcome> {};
template <>
struct FieldCodec<run::DelegateTo> : run::StoredWord<run::DelegateTo> {};
template <>
struct FieldCodec<run::CallStatus> : run::StoredWord<run::CallStatus> {};
template <>
struct FieldCodec<run::LimitKind> : run::StoredWord<run::LimitKind> {};
template <>
struct FieldCodec<run::WakeUp> : run::StoredWord<run::WakeUp> {};
template <>
struct FieldCodec<run::RunOutcome> : run::StoredWord<run::RunOutcome> {};

}  // namespace deputy
