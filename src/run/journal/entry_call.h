// Entries that the owner of a run writes of a call, from its ruling over its handlers to its one result.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "run/journal/kinds.h"

namespace deputy::run {

/// One handler of a call's chain, as it was when the call was ruled.
struct StepInfo {
  std::string name;
  bool repeatable = false;
  bool can_look = false;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&StepInfo::name, "name", "The handler");
    f.optional(&StepInfo::repeatable, "repeatable", "Safe to run again");
    f.optional(&StepInfo::can_look, "can_look", "Can tell whether it happened");
  }
};

/// A ruling on a call. The first one holds the chain of the call; after the gate it is judged anew.
struct Ruled {
  static constexpr std::string_view kKind = "ruled";
  static constexpr int kVersion = 1;

  std::string call;
  Verdict verdict = Verdict::unknown;
  std::string rule;
  std::string words;  // for people and the model
  bool after_gate = false;
  std::string chain;   // digest
  std::string digest;  // of tool, arguments, background and chain: who goes on compares
  std::string wish;    // digest of tool and arguments alone: whether the same is wanted again
  std::vector<StepInfo> steps;
  std::optional<int> gate;  // how many steps come before it
  std::vector<std::string> finals;
  std::optional<std::string> grant;
  bool background = false;  // it is to answer at once and work on

  template <class Fields>
  static void fields(Fields& f) {
    using B = Ruled;
    f.required(&B::call, "call", "Which call");
    f.required(&B::verdict, "verdict", "What was said");
    f.required(&B::rule, "rule", "By which rule");
    f.required(&B::words, "words", "In words");
    f.optional(&B::after_gate, "after_gate", "Judged anew after an approval");
    f.optional(&B::chain, "chain", "Digest of the chain");
    f.optional(&B::digest, "digest", "Digest of the call");
    f.optional(&B::wish, "wish", "Digest of tool and arguments");
    f.optional(&B::steps, "steps", "The handlers in order");
    f.optional(&B::gate, "gate", "After how many handlers a person is asked").in_range(0, 1000);
    f.optional(&B::finals, "finals", "The handlers that always run");
    f.optional(&B::grant, "grant", "The grant that was used");
    f.optional(&B::background, "background", "Answer at once, work on");
  }
};

struct Asked {
  static constexpr std::string_view kKind = "asked";
  static constexpr int kVersion = 1;

  std::string call;
  std::string interaction;
  AskKind kind = AskKind::unknown;
  std::string digest;  // of what was shown
  std::string card;    // the interaction whose views show it

  template <class Fields>
  static void fields(Fields& f) {
    using B = Asked;
    f.required(&B::call, "call", "Which call");
    f.required(&B::interaction, "interaction", "The question");
    f.required(&B::kind, "kind", "What kind");
    f.optional(&B::digest, "digest", "Of what was shown");
    f.optional(&B::card, "card", "The interaction whose views show it");
  }
};

struct StepStarted {
  static constexpr std::string_view kKind = "step_started";
  static constexpr int kVersion = 1;

  std::string call;
  std::string handler;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&StepStarted::call, "call", "Which call");
    f.required(&StepStarted::handler, "handler", "Which handler");
  }
};

struct StepDone {
  static constexpr std::string_view kKind = "step_done";
  static constexpr int kVersion = 1;

  std::string call;
  std::string handler;
  StepOutcome outcome = StepOutcome::unknown;
  std::optional<std::string> output;      // cut for the model
  std::optional<json::object> data;       // for later handlers
  std::optional<std::string> error_kind;  // name of an ErrorKind; only people read it
  std::optional<std::string> error;       // one sentence and its hint
  std::optional<bool> looked;             // a look found this out, after the attempt

  template <class Fields>
  static void fields(Fields& f) {
    using B = StepDone;
    f.required(&B::call, "call", "Which call");
    f.required(&B::handler, "handler", "Which handler");
    f.required(&B::outcome, "outcome", "How it ended");
    f.optional(&B::output, "output", "The result");
    f.optional(&B::data, "data", "What later handlers need of it");
    f.optional(&B::error_kind, "error_kind", "Of the error");
    f.optional(&B::error, "error", "In words");
    f.optional(&B::looked, "looked", "Found out by looking");
  }
};

/// A handler left its work to the layer above.
struct Delegated {
  static constexpr std::string_view kKind = "delegated";
  static constexpr int kVersion = 1;

  std::string call;
  std::string handler;
  DelegateTo kind = DelegateTo::unknown;
  json::object payload;
  std::optional<std::string> child;

  template <class Fields>
  static void fields(Fields& f) {
    using B = Delegated;
    f.required(&B::call, "call", "Which call");
    f.required(&B::handler, "handler", "Which handler");
    f.required(&B::kind, "kind", "To whom");
    f.required(&B::payload, "payload", "What is wanted");
    f.optional(&B::child, "child", "The child run it started");
  }
};

struct DelegateAnswered {
  static constexpr std::string_view kKind = "delegate_answered";
  static constexpr int kVersion = 1;

  std::string call;
  std::string answer;
  std::int64_t cost = 0;
  std::int64_t tokens = 0;
  std::optional<std::int64_t> unpriced_tokens;  // those of them that no price is known for

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&DelegateAnswered::call, "call", "Which call");
    f.required(&DelegateAnswered::answer, "answer", "What came back");
    f.optional(&DelegateAnswered::cost, "cost", "Millionths of a dollar");
    f.optional(&DelegateAnswered::tokens, "tokens", "What the model used");
    f.optional(&DelegateAnswered::unpriced_tokens, "unpriced_tokens", "Those of them that no price is known for");
  }
};

/// The one result of a call, whatever happened to it.
struct CallFinished {
  static constexpr std::string_view kKind = "call_finished";
  static constexpr int kVersion = 1;

  std::string call;
  CallStatus status = CallStatus::unknown;
  std::string text;  // what the model gets

  template <class Fields>
  static void fields(Fields& f) {
    using B = CallFinished;
    f.required(&B::call, "call", "Which call");
    f.required(&B::status, "status", "How it ended");
    f.required(&B::text, "text", "For the model");
  }
};

}  // namespace deputy::run
