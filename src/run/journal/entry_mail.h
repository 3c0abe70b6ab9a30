// Entries that others write to a run: mail. The store adds it to a journal whoever owns the run.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/fields.h"
#include "interaction/lifecycle.h"
#include "run/journal/kinds.h"

namespace deputy::run {

/// A call: the model asks for a tool once. Its id is the run's own.
struct CallRequested {
  std::string id;
  std::string tool;
  json::object arguments;
  std::optional<std::string> fault = {};        // why it is not run as the model gave it, for the model
  std::optional<std::string> provider_id = {};  // what the model's API calls it, where that is something else

  template <class Fields>
  static void fields(Fields& f) {
    using B = CallRequested;
    f.required(&B::id, "id", "The call");
    f.required(&B::tool, "tool", "Which tool");
    f.required(&B::arguments, "arguments", "As the model gave them");
    f.optional(&B::fault, "fault", "What is wrong with it, so that it is not run");
    f.optional(&B::provider_id, "provider_id", "What the model's API calls it");
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

/// A call that a child run begins with, before its model is asked.
struct FirstCall {
  std::string tool;
  json::object arguments;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&FirstCall::tool, "tool", "Which tool");
    f.optional(&FirstCall::arguments, "arguments", "Its arguments");
  }
};

/// A file that came with a request; its content stays on the platform until it is read.
struct AttachedFile {
  std::string id;  // the platform's
  std::string name;
  std::string media_type;
  std::int64_t size = 0;  // bytes

  bool operator==(const AttachedFile&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&AttachedFile::id, "id", "The platform's id");
    f.required(&AttachedFile::name, "name", "Its name");
    f.optional(&AttachedFile::media_type, "media_type", "What it holds");
    f.optional(&AttachedFile::size, "size", "Bytes");
  }
};

/// The message that started the run. A child run is told by its parent what to do.
struct Received {
  static constexpr std::string_view kKind = "received";
  static constexpr int kVersion = 1;

  std::string text;
  std::string requester;
  std::string conversation;
  std::string account;                                  // key of the account they asked with
  std::string name;                                     // as people call them
  json::object place;                                   // where (stored_rows.h)
  std::optional<std::string> suspicion;                 // why every write of this run asks
  std::optional<std::string> parent;                    // of a child run
  std::optional<OnlyCall> only_call;                    // of a background call; no model is asked
  std::optional<std::vector<std::string>> only_tools;   // at most these
  std::optional<std::vector<std::string>> also;         // of a child run: accounts whose notes its parent had read
  std::optional<std::string> parent_call;               // the call that waits for it
  std::optional<std::int64_t> budget;                   // of a child run: what is left of its parent's, in millionths
  std::optional<std::string> request;                   // the message that asked, by its channel's name of it
  std::optional<std::vector<std::string>> pending;      // what else waits for people in the conversation, a line each
  std::optional<std::string> label;                     // of a child run: its short name
  std::optional<bool> reads_only;                       // it may use no tool that writes
  std::optional<int> tool_turns;                        // its own limit, where that is lower
  std::optional<std::vector<std::string>> known_hosts;  // of a child run: those its parent knew when it started it
  std::optional<std::string> piped;                     // what was piped in with the request: data
  std::optional<bool> begins_thread;                    // nothing was said before the request
  std::optional<std::vector<AttachedFile>> files;       // that came with the request
  std::optional<std::string> time_zone;                 // of the requester, an IANA name
  std::optional<std::vector<FirstCall>> first_calls;    // of a child run: it begins with these
  std::optional<Timestamp> asked_at;                    // when the platform says that the message was written

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
    f.optional(&B::known_hosts, "known_hosts", "Hosts that its parent knew");
    f.optional(&B::piped, "piped", "What was piped in with it, redacted and cut");
    f.optional(&B::begins_thread, "begins_thread", "Nothing was said before it");
    f.optional(&B::files, "files", "Files that came with it");
    f.optional(&B::time_zone, "time_zone", "The requester's time zone");
    f.optional(&B::first_calls, "first_calls", "Calls that it begins with");
    f.optional(&B::asked_at, "asked_at", "When the message was written");
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

/// A call of a child run, as its parent hears of it.
struct CallOfChild {
  std::string id;
  std::string tool;
  json::object arguments;
  CallStatus status = CallStatus::unknown;
  std::string text;  // the beginning of its result

  template <class Fields>
  static void fields(Fields& f) {
    using C = CallOfChild;
    f.required(&C::id, "id", "The call");
    f.required(&C::tool, "tool", "Which tool");
    f.required(&C::arguments, "arguments", "As they were asked for");
    f.required(&C::status, "status", "How it ended");
    f.required(&C::text, "text", "The beginning of its result");
  }
};

struct ChildFinished {
  static constexpr std::string_view kKind = "child_finished";
  static constexpr int kVersion = 1;

  std::string child;
  std::string call;
  RunOutcome outcome = RunOutcome::unknown;
  std::string text;
  std::int64_t cost = 0;
  std::optional<std::vector<CallOfChild>> calls;  // of one that began with calls it was given

  template <class Fields>
  static void fields(Fields& f) {
    using B = ChildFinished;
    f.required(&B::child, "child", "The child run");
    f.required(&B::call, "call", "The call that started it");
    f.required(&B::outcome, "outcome", "How it ended");
    f.required(&B::text, "text", "What it answered");
    f.optional(&B::cost, "cost", "Millionths of a dollar");
    f.optional(&B::calls, "calls", "The calls that it made");
  }
};

struct Woken {
  static constexpr std::string_view kKind = "woken";
  static constexpr int kVersion = 1;

  WakeUp due = WakeUp::unknown;

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

}  // namespace deputy::run
