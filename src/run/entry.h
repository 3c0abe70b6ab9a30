// The facts of a run. A journal is a list of entries; the state of a run is a fold over it (fold.h). Bodies only gain
// optional fields; any other change is a new version with an upcaster, and golden journals of every release stay in the
// tests.
//
// To add a kind: a struct here with kKind, kVersion and fields(), its place in EntryBody, and what it does in fold.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/fields.h"
#include "interaction/lifecycle.h"
#include "store/rows.h"

namespace deputy::run {

using store::Seq;

/// One wish of the model. Its id is the run's own.
struct CallRequested {
  std::string id;
  std::string tool;
  json::object arguments;
  std::optional<std::string> fault = {};  // why it is not run as the model gave it, for the model

  template <class Fields>
  static void fields(Fields& f) {
    using B = CallRequested;
    f.required(&B::id, "id", "The call");
    f.required(&B::tool, "tool", "Which tool");
    f.required(&B::arguments, "arguments", "As the model gave them");
    f.optional(&B::fault, "fault", "What is wrong with it, so that it is not run");
  }
};

/// The one call of a background run, and the yes it was given.
struct OnlyCall {
  CallRequested call;
  std::string approved_by;  // empty: it was allowed without one
  std::string digest;       // of what was approved

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&OnlyCall::call, "call", "What is to be done");
    f.optional(&OnlyCall::approved_by, "approved_by", "The person who said yes");
    f.optional(&OnlyCall::digest, "digest", "Of what they were shown");
  }
};

// ---- What a run is told by others: mail.

/// The message that started the run. For a child run, what its parent wants of it.
struct Received {
  static constexpr std::string_view kKind = "received";
  static constexpr int kVersion = 1;

  std::string text;
  std::string requester;
  std::string conversation;
  std::string account;                                 // key of the account they asked with
  std::string name;                                    // as people call them
  json::object place;                                  // where (place.h)
  std::optional<std::string> suspicion;                // why every write of this run asks
  std::optional<std::string> parent;                   // of a child run
  std::optional<OnlyCall> only_call;                   // of a background call; no model is asked
  std::optional<std::vector<std::string>> only_tools;  // at most these
  std::optional<std::vector<std::string>> also;        // of a child run: accounts whose notes its parent had read
  std::optional<std::string> parent_call;              // the call that waits for it
  std::optional<std::int64_t> budget;                  // of a child run: what is left of its parent's, in millionths
  std::optional<std::string> request;                  // the message that asked, by its channel's name of it
  std::optional<std::vector<std::string>> pending;     // what else waits for people in the conversation, a line each
  std::optional<std::string> label;                    // of a child run: its short name
  std::optional<bool> reads_only;                      // it may use no tool that writes
  std::optional<int> tool_turns;                       // its own limit, where that is lower

  template <class Fields>
  static void fields(Fields& f) {
    using B = Received;
    f.required(&B::text, "text", "The request");
    f.required(&B::requester, "requester", "The person it acts for");
    f.required(&B::conversation, "conversation", "Where it was asked");
    f.required(&B::account, "account", "The account they asked with");
    f.optional(&B::name, "name", "As people call them");
    f.required(&B::place, "place", "What is known of the place");
    f.optional(&B::suspicion, "suspicion", "Why it is suspicious");
    f.optional(&B::parent, "parent", "The run that started it");
    f.optional(&B::only_call, "only_call", "The one call of a background run");
    f.optional(&B::only_tools, "only_tools", "The tools it may use at most");
    f.optional(&B::also, "also", "Accounts it is ruled for beside the requester's");
    f.optional(&B::parent_call, "parent_call", "The call that started it");
    f.optional(&B::budget, "budget", "What it may cost at most");
    f.optional(&B::request, "request", "The message that asked");
    f.optional(&B::pending, "pending", "What else waits for people here");
    f.optional(&B::label, "label", "The short name of a child run");
    f.optional(&B::reads_only, "reads_only", "It may use no tool that writes");
    f.optional(&B::tool_turns, "tool_turns", "How often its model may call tools");
  }
};

struct Noted {
  static constexpr std::string_view kKind = "noted";
  static constexpr int kVersion = 1;

  std::string text;
  std::string writer;
  std::string account;
  std::string name;
  bool edits_request = false;            // it is the request as it was edited
  std::optional<std::string> suspicion;  // why every write of this run asks from here on

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&Noted::text, "text", "What was written");
    f.required(&Noted::writer, "writer", "The person who wrote it");
    f.required(&Noted::account, "account", "The account they wrote with");
    f.optional(&Noted::name, "name", "As people call them");
    f.optional(&Noted::edits_request, "edits_request", "It is the request as it was edited");
    f.optional(&Noted::suspicion, "suspicion", "Why it is suspicious");
  }
};

/// An interaction was settled: by a person, by time, or by the run itself.
using interaction::Answered;

struct ChildFinished {
  static constexpr std::string_view kKind = "child_finished";
  static constexpr int kVersion = 1;

  std::string child;
  std::string call;
  std::string outcome;
  std::string text;
  std::int64_t cost = 0;

  template <class Fields>
  static void fields(Fields& f) {
    using B = ChildFinished;
    f.required(&B::child, "child", "The child run");
    f.required(&B::call, "call", "The call that started it");
    f.required(&B::outcome, "outcome", "How it ended");
    f.required(&B::text, "text", "What it answered");
    f.optional(&B::cost, "cost", "Millionths of a dollar");
  }
};

struct Woken {
  static constexpr std::string_view kKind = "woken";
  static constexpr int kVersion = 1;

  std::string due;  // deadline

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&Woken::due, "due", "What has come");
  }
};

struct CancelRequested {
  static constexpr std::string_view kKind = "cancel_requested";
  static constexpr int kVersion = 1;

  std::string by;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&CancelRequested::by, "by", "The person who said stop");
  }
};

// ---- What its owner writes.

/// An owner begins. What was started before it and has no outcome is orphaned.
struct TakenUp {
  static constexpr std::string_view kKind = "taken_up";
  static constexpr int kVersion = 1;

  std::string instance;
  std::string after;  // new | mail | release | crash

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&TakenUp::instance, "instance", "Who");
    f.required(&TakenUp::after, "after", "Why").one_of({"new", "mail", "release", "crash"});
  }
};

/// One message of the thread before the request, cut and redacted.
struct ThreadLine {
  std::string writer;
  std::string text;
  bool by_deputy = false;
  bool by_bot = false;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&ThreadLine::writer, "writer", "Who wrote it");
    f.required(&ThreadLine::text, "text", "What it says");
    f.optional(&ThreadLine::by_deputy, "by_deputy", "It is one of ours");
    f.optional(&ThreadLine::by_bot, "by_bot", "Another bot's: quoted data");
  }
};

struct Enriched {
  static constexpr std::string_view kKind = "enriched";
  static constexpr int kVersion = 1;

  std::string context;  // what the model is told behind the request, as text
  std::optional<json::object> intent;
  std::vector<ThreadLine> thread;
  std::optional<std::string> extracted_by;          // a model's name, or rules
  std::optional<std::vector<std::string>> dropped;  // what a model found and did not hold, a line each
  std::int64_t cost = 0;                            // of asking that model
  std::int64_t tokens = 0;
  std::optional<std::int64_t> unpriced_tokens;  // those of them that no price is known for

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&Enriched::context, "context", "Channel and extracted context");
    f.optional(&Enriched::intent, "intent", "What the request is about");
    f.optional(&Enriched::thread, "thread", "What was said before");
    f.optional(&Enriched::extracted_by, "extracted_by", "Who found the intent: a model, or rules");
    f.optional(&Enriched::dropped, "dropped", "What was found and did not hold");
    f.optional(&Enriched::cost, "cost", "Millionths of a dollar");
    f.optional(&Enriched::tokens, "tokens", "What the model used");
    f.optional(&Enriched::unpriced_tokens, "unpriced_tokens", "Those of them that no price is known for");
  }
};

struct ModelCalled {
  static constexpr std::string_view kKind = "model_called";
  static constexpr int kVersion = 1;

  std::string model;
  std::string prompt;  // digest
  std::string tools;   // digest
  int max_tokens = 0;
  std::int64_t estimate = 0;  // millionths of a dollar, until the reply corrects it
  std::int64_t estimated_tokens = 0;

  template <class Fields>
  static void fields(Fields& f) {
    using B = ModelCalled;
    f.required(&B::model, "model", "Which");
    f.required(&B::prompt, "prompt", "Digest of the system prompt");
    f.required(&B::tools, "tools", "Digest of the tool list");
    f.required(&B::max_tokens, "max_tokens", "The limit of the reply");
    f.optional(&B::estimate, "estimate", "What it may cost");
    f.optional(&B::estimated_tokens, "estimated_tokens", "What it may use");
  }
};

struct ModelReplied {
  static constexpr std::string_view kKind = "model_replied";
  static constexpr int kVersion = 1;

  std::string text;
  std::vector<CallRequested> calls;
  std::string stop;  // end_turn | calls | max_tokens | cut_call | refusal | overflow | failed
  std::int64_t cost = 0;
  std::int64_t tokens = 0;
  std::optional<std::string> error;             // with failed: one sentence for people
  std::optional<std::string> by;                // the model that answered in place of the one that was asked
  std::optional<std::int64_t> unpriced_tokens;  // those of them that no price is known for

  template <class Fields>
  static void fields(Fields& f) {
    using B = ModelReplied;
    f.required(&B::text, "text", "What it said");
    f.required(&B::calls, "calls", "What it wants done");
    f.required(&B::stop, "stop", "Why it stopped")
        .one_of({"end_turn", "calls", "max_tokens", "cut_call", "refusal", "overflow", "failed"});
    f.optional(&B::cost, "cost", "Millionths of a dollar");
    f.optional(&B::tokens, "tokens", "What it used");
    f.optional(&B::error, "error", "Why it failed");
    f.optional(&B::by, "by", "Who answered instead");
    f.optional(&B::unpriced_tokens, "unpriced_tokens", "Those of them that no price is known for");
  }
};

/// The model's own words for what it did so far, in place of turns that do not fit any more.
struct Summarised {
  static constexpr std::string_view kKind = "summarised";
  static constexpr int kVersion = 1;

  std::string text;
  std::size_t items = 0;  // how many of the first notes and turns of the run it stands for
  std::int64_t cost = 0;
  std::int64_t tokens = 0;
  std::optional<std::string> error;             // why there is none: one sentence for people
  std::optional<std::int64_t> unpriced_tokens;  // those of them that no price is known for

  template <class Fields>
  static void fields(Fields& f) {
    using B = Summarised;
    f.required(&B::text, "text", "The summary");
    f.required(&B::items, "items", "How many notes and turns it stands for");
    f.optional(&B::cost, "cost", "Millionths of a dollar");
    f.optional(&B::tokens, "tokens", "What it used");
    f.optional(&B::error, "error", "Why there is none");
    f.optional(&B::unpriced_tokens, "unpriced_tokens", "Those of them that no price is known for");
  }
};

/// One link of a call's chain, as it was when the call was ruled.
struct Link {
  std::string name;
  bool repeatable = false;
  bool can_look = false;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&Link::name, "name", "The handler");
    f.optional(&Link::repeatable, "repeatable", "Safe to run again");
    f.optional(&Link::can_look, "can_look", "Can tell whether it happened");
  }
};

/// What policy said of a call. The first one holds the chain the call goes by; after the gate it is judged anew.
struct Ruled {
  static constexpr std::string_view kKind = "ruled";
  static constexpr int kVersion = 1;

  std::string call;
  std::string
      verdict;  // allow | ask | deny | refused (it cannot be run as it is: unknown tool, bad arguments, withdrawn)
  std::string rule;
  std::string words;  // for people and the model
  bool after_gate = false;
  std::string chain;   // digest
  std::string digest;  // of tool, arguments, background and chain: who goes on compares
  std::string wish;    // digest of tool and arguments alone: whether the same is wanted again
  std::vector<Link> steps;
  std::optional<int> gate;  // how many steps come before it
  std::vector<std::string> finals;
  std::optional<std::string> grant;
  bool background = false;  // it is to answer at once and work on

  template <class Fields>
  static void fields(Fields& f) {
    using B = Ruled;
    f.required(&B::call, "call", "Which call");
    f.required(&B::verdict, "verdict", "What was said").one_of({"allow", "ask", "deny", "refused"});
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
  std::string kind;    // approval | questions
  std::string digest;  // of what was shown
  std::string card;    // the interaction whose views show it

  template <class Fields>
  static void fields(Fields& f) {
    using B = Asked;
    f.required(&B::call, "call", "Which call");
    f.required(&B::interaction, "interaction", "The question");
    f.required(&B::kind, "kind", "What kind").one_of({"approval", "questions"});
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
  std::string outcome;                // continue | output | error | timeout | cancelled | unknown | not_done
  std::optional<std::string> output;  // cut for the model
  std::optional<json::object> data;   // for later handlers
  std::optional<std::string> error_kind;
  std::optional<std::string> error;  // one sentence and its hint

  template <class Fields>
  static void fields(Fields& f) {
    using B = StepDone;
    f.required(&B::call, "call", "Which call");
    f.required(&B::handler, "handler", "Which handler");
    f.required(&B::outcome, "outcome", "How it ended")
        .one_of({"continue", "output", "error", "timeout", "cancelled", "unknown", "not_done"});
    f.optional(&B::output, "output", "The result");
    f.optional(&B::data, "data", "What later handlers need of it");
    f.optional(&B::error_kind, "error_kind", "Of the error");
    f.optional(&B::error, "error", "In words");
  }
};

/// A handler left its work to the layer above.
struct Delegated {
  static constexpr std::string_view kKind = "delegated";
  static constexpr int kVersion = 1;

  std::string call;
  std::string handler;
  std::string kind;  // a toolkit::DelegateKind by name, or background
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
  std::string status;  // success | error | timeout | cancelled | denied | unknown
  std::string text;    // what the model gets

  template <class Fields>
  static void fields(Fields& f) {
    using B = CallFinished;
    f.required(&B::call, "call", "Which call");
    f.required(&B::status, "status", "How it ended")
        .one_of({"success", "error", "timeout", "cancelled", "denied", "unknown"});
    f.required(&B::text, "text", "For the model");
  }
};

/// Something the entries cannot tell stands against going on as planned.
struct Limited {
  static constexpr std::string_view kKind = "limited";
  static constexpr int kVersion = 1;

  std::string what;  // budget | turns | deadline
  std::string words;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&Limited::what, "what", "Which limit").one_of({"budget", "turns", "deadline"});
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

  std::string outcome;  // answered | failed | cancelled

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&Finished::outcome, "outcome", "How").one_of({"answered", "failed", "cancelled"});
  }
};

using EntryBody = std::variant<Received, Noted, Answered, ChildFinished, Woken, CancelRequested, TakenUp, Enriched,
                               ModelCalled, ModelReplied, Summarised, Ruled, Asked, StepStarted, StepDone, Delegated,
                               DelegateAnswered, CallFinished, Limited, Replied, Finished>;

struct Entry {
  Seq seq = 0;
  Timestamp at;
  EntryBody body;
};

std::string_view kind_of(const EntryBody& body);

/// A row for the store; its seq is the store's to give.
store::EntryRow encode(const EntryBody& body, Timestamp at);

/// An error for a kind or version this program does not know: the run is then given back, never skipped.
Result<Entry> decode(const store::EntryRow& row);

}  // namespace deputy::run
