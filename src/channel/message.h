// What passes between people and Deputy, as every channel knows it: plain data, nothing of a platform.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "interaction/questions.h"
#include "policy/identity.h"

namespace deputy::channel {

/// One thread in one channel: "kind:…", the rest as the channel likes it.
using ConversationKey = std::string;

/// The platform's name of something that was posted; only its channel reads it.
using MessageRef = std::string;

/// How a channel says which delivery a message was, so that `find` can tell whether it arrived. It stays the same over
/// all attempts.
using DeliveryKey = std::string;

// ---- What comes in.

enum class InboundKind { posted, edited, deleted };

/// Whether a message speaks to Deputy by itself; where it does not, settings (`follow`) say who may go on.
enum class AddressedTo {
  to_deputy,       // a mention, a direct message, a command
  to_nobody,       // a message in a thread that Deputy has part in
  to_someone_else  // it mentions another person
};

struct InboundMessage {
  std::string key;  // the platform's identity of it: duplicates have the same
  ConversationKey conversation;
  policy::Place place;
  policy::Account sender;
  std::string sender_name;  // as people call them
  std::string text;         // without the mention of the bot
  MessageRef ref;
  Timestamp at;
  InboundKind kind = InboundKind::posted;
  AddressedTo spoken = AddressedTo::to_deputy;
  bool only_writer = false;              // nobody else can write here
  bool stays_here = false;               // its run belongs to this process while that lives: a terminal
  std::optional<MessageRef> replies_to;  // one of ours
};

/// A click or a submitted form: a token that a view of ours carried, and what was filled in. Typed answers come as
/// messages.
struct InboundAnswer {
  std::string key;  // the platform's identity of the click
  ConversationKey conversation;
  policy::Place place;
  policy::Account sender;
  std::string sender_name;
  std::string token;
  std::string words;                                // with "Deny with a reason": the reason
  std::map<std::string, interaction::Given> given;  // with "Submit": by question label
  std::optional<MessageRef> view;                   // the message it came from
};

/// What typed words or keys press, and what they fill in.
struct Press {
  std::string token;
  std::string words = {};                                // the reason of a denial
  std::map<std::string, interaction::Given> given = {};  // of a form, by question label
};

// ---- What goes out.

/// One thing that a run does, for channels with the capability `progress`. It replaces what was told of the same call
/// of the same run before. Nothing of it is escaped.
struct ProgressLine {
  enum class State {
    thinking,     // the model is at work; `call` is empty
    running,      // `detail`: the last line of what it says
    handed_over,  // it works on in the background; `detail`: the id of its task
    done,         // these three are its end; `detail`: its result
    failed,
    denied,  // or skipped
    gone,    // neither runs nor has ended: it waits for people, or has nothing to show
    ended,   // nothing of this run runs any more
  };

  std::string call = {};  // its id
  std::string line = {};  // "shell make test"
  State state = State::running;
  std::string detail = {};
  bool in_background = false;
  bool is_child = false;  // of a run that another run started

  bool operator==(const ProgressLine&) const = default;
};

/// Markdown (CommonMark); each channel renders it to its own form.
struct Message {
  enum class Kind {
    answer,    // of a run
    notice,    // any other line
    progress,  // what a run does; nobody keeps it
  };

  std::string markdown = {};
  std::optional<policy::Account> mention = {};  // who is to be notified
  std::string footer = {};                      // small print
  DeliveryKey key = {};
  Kind kind = Kind::notice;
  std::optional<RunId> run = {};              // that it belongs to
  bool was_shown = false;                     // an answer whose text people here have seen: it streamed
  std::optional<ProgressLine> progress = {};  // with `progress`

  bool operator==(const Message&) const = default;
};

struct File {
  std::string name;
  std::string content;
  std::string title;
  DeliveryKey key;
};

/// The native sign that something is being worked on.
enum class Working { on, off };

/// What was said before, oldest first.
struct ThreadMessage {
  policy::Account writer;
  std::string writer_name;
  std::string text;  // with what cards, attachments, forwarded messages and file names say
  bool by_deputy = false;
  bool by_bot = false;
  MessageRef ref = {};  // the platform's name of it: the request, and what comes after it, are no context
};

struct ConversationContext {
  std::string channel_name;
  std::vector<ThreadMessage> said;  // the root first, then the newest
  std::size_t left_out = 0;
};

struct Diagnosis {
  struct Check {
    std::string name;
    bool ok = false;
    std::string words;  // what to do when not
  };
  std::vector<Check> checks;
};

/// What a channel can do. What it cannot, the gateway does with text.
struct Capabilities {
  bool buttons = false;
  bool forms = false;
  bool edit = false;
  bool stream = false;
  bool progress = false;  // takes messages of the kind `progress`, as they come
  bool files = false;
  bool threads = false;
  bool whisper = false;
  bool working = false;                // a native sign, in place of a line
  bool find = false;                   // `find` can tell whether a delivery arrived
  bool key_is_idempotent = false;      // posting twice under one key shows one message
  std::size_t longest_message = 4000;  // bytes of Markdown that surely fit one message
};

}  // namespace deputy::channel
