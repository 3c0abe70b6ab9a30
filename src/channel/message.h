// The messages between people and Deputy, in the same form for all channels: plain data, nothing platform-specific.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/fields.h"
#include "base/ids.h"
#include "interaction/questions.h"
#include "policy/identity.h"

namespace deputy::channel {

/// One thread in one channel: "kind:…"; each channel chooses the format of the rest.
using ConversationKey = std::string;

/// The platform's id of something that was posted; only its channel understands it.
using MessageRef = std::string;

/// Identifies a delivery, so that `find` can tell whether it arrived. It is the same for all attempts.
using DeliveryKey = std::string;

// ---- Incoming.

enum class InboundKind { posted, edited, deleted };

/// Whether a message is addressed to Deputy. If it is not, the setting `follow` says whose messages still count.
enum class AddressedTo {
  to_deputy,       // a mention, a direct message, a command
  to_nobody,       // a message in a thread that Deputy takes part in
  to_someone_else  // it mentions another person
};

/// A file that came with a message. Its content is read only if it is needed.
struct InboundFile {
  std::string id;  // the platform's
  std::string name;
  std::string media_type;  // "image/png"
  std::int64_t size = 0;   // bytes

  bool operator==(const InboundFile&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    using F = InboundFile;
    f.required(&F::id, "id", "The platform's id");
    f.required(&F::name, "name", "Its name");
    f.optional(&F::media_type, "media_type", "What it holds");
    f.optional(&F::size, "size", "Bytes");
  }
};

/// When Deputy did not receive, so that a message is read back after it.
struct Absence {
  Timestamp from;
  Timestamp to;
};

struct InboundMessage {
  std::string key;  // the platform's id of the event; duplicates have the same key
  ConversationKey conversation;
  policy::Place place;
  policy::Account sender;
  std::optional<policy::Account> bot = {};  // that posted it, where the platform says so; settings may name either
  std::string sender_name;                  // for display
  std::string text;                         // without the mention of the bot
  std::string piped = {};                   // what was piped into the command that asks: data, never an answer
  MessageRef ref;
  Timestamp at;
  InboundKind kind = InboundKind::posted;
  AddressedTo spoken = AddressedTo::to_deputy;
  bool only_writer = false;              // nobody else can write here
  bool stays_here = false;               // its run belongs to this process as long as the process lives: a terminal
  std::optional<MessageRef> replies_to;  // a message of Deputy's
  bool begins_thread = false;            // nothing was said before it
  std::vector<InboundFile> files = {};
  std::optional<Absence> missed = {};  // it was read back
  bool unposted = false;               // no message of it stands in the conversation: a command, a submitted form
};

/// A click or a submitted form: the token of the control, and the values filled in. Typed answers arrive as messages.
struct InboundAnswer {
  std::string key;  // the platform's id of the click
  ConversationKey conversation;
  policy::Place place;
  policy::Account sender;
  std::string sender_name;
  std::string token;
  std::string words;                                // with "Deny with a reason": the reason
  std::map<std::string, interaction::Given> given;  // with "Submit": by question label
  std::optional<MessageRef> view;                   // the message it came from
  // What was filled in, by the tokens that were drawn: the options that are chosen, and the own words of each field.
  std::vector<std::string> chosen = {};
  std::map<std::string, std::string> written = {};
};

/// The control that typed text or keys press, and the values they fill in.
struct Press {
  std::string token;
  std::string words = {};                                // the reason of a denial
  std::map<std::string, interaction::Given> given = {};  // of a form, by question label
};

// ---- Outgoing.

/// The state of one call of a run, for channels with the capability `progress`. It replaces the earlier line for the
/// same call of the same run. Its text is not escaped.
struct ProgressLine {
  enum class State {
    thinking,     // the model is working; `call` is empty
    running,      // `detail`: the last line of its output
    handed_over,  // it continues in the background; `detail`: the id of its task
    done,         // done, failed and denied end the call; `detail`: its result
    failed,
    denied,  // or skipped
    gone,    // neither running nor finished: it waits for people, or has nothing to show
    ended,   // nothing in this run is running any more
  };

  std::string call = {};  // the call's id
  std::string line = {};  // "shell make test"
  State state = State::running;
  std::string detail = {};
  bool in_background = false;
  bool is_child = false;  // of a run that another run started
  int exit_code = 0;      // of the command that it ran

  bool operator==(const ProgressLine&) const = default;
};

/// Accounts and groups of the channel to notify.
struct Mentions {
  std::vector<policy::Account> accounts = {};
  std::vector<std::string> groups = {};  // ids

  bool operator==(const Mentions&) const = default;
};

/// A button under a message. A click on it comes back as an InboundAnswer with its token.
struct MessageControl {
  enum class Kind {
    plain,
    helpful,  // feedback on an answer; a channel may have its own form for the two
    wrong,    // asks why where the channel has modals: the reason comes back as `words`
  };

  std::string label;
  std::string token;
  Kind kind = Kind::plain;

  bool operator==(const MessageControl&) const = default;
};

/// Markdown (CommonMark); each channel renders it to its own form.
struct Message {
  enum class Kind {
    answer,    // of a run
    notice,    // anything else
    progress,  // what a run is doing; it is not kept
  };

  std::string markdown = {};
  std::optional<policy::Account> mention = {};  // the account to notify
  std::string footer = {};                      // small print
  DeliveryKey key = {};
  Kind kind = Kind::notice;
  std::optional<RunId> run = {};              // the run it belongs to
  bool was_shown = false;                     // its text was already shown here: streamed, or with its call
  std::optional<ProgressLine> progress = {};  // for the kind `progress`
  Mentions mentions = {};                     // whom else to notify
  std::vector<MessageControl> controls = {};  // only with the capability `buttons`; the text says how to do without

  bool operator==(const Message&) const = default;
};

struct File {
  std::string name;
  std::string content;
  std::string title;
  DeliveryKey key;
};

/// The platform's own sign that a request is being worked on.
struct Working {
  bool on = false;
  std::string words = {};  // "Searching logs of order-desk…"

  bool operator==(const Working&) const = default;
};

/// The next part of a stream: text of the answer, or the state of a call.
using StreamPart = std::variant<std::string, ProgressLine>;

/// An earlier message of a thread.
struct ThreadMessage {
  policy::Account writer;
  std::string writer_name;
  std::string text;  // including the text of cards, attachments, forwarded messages and file names
  bool by_deputy = false;
  bool by_bot = false;
  MessageRef ref = {};  // used to leave out the request itself and everything after it
};

struct ConversationContext {
  std::string channel_name;
  std::vector<ThreadMessage> said;  // the first message of the thread, then the newest ones, oldest first
  std::size_t left_out = 0;
};

/// What a person sees first on a page of their own or in a new conversation.
struct Welcome {
  struct Waiting {
    std::string text;              // one line of Markdown
    ConversationKey conversation;  // where its card is
    Timestamp expires_at;
  };
  std::vector<Waiting> waiting = {};       // for this person's answer
  std::vector<std::string> examples = {};  // of requests
};

struct Diagnosis {
  struct Check {
    std::string name;
    bool ok = false;
    std::string words;  // if not ok, what to do
  };
  std::vector<Check> checks;
};

/// What fits into a form of the channel. More questions are asked page by page; a form whose options do not fit is
/// asked as text.
struct FormLimits {
  std::size_t questions = 10;
  std::size_t options = 25;      // of a question
  std::size_t option_text = 75;  // characters of a label
};

/// What a channel can do. For everything else the gateway uses text.
struct Capabilities {
  bool buttons = false;
  bool forms = false;
  bool modals = false;  // a click can open a card of its own
  bool edit = false;
  bool stream = false;
  bool progress = false;  // shows messages of the kind `progress` as they arrive
  bool files = false;
  bool threads = false;
  bool whisper = false;
  bool working = false;            // has its own "working" sign, so no text line is needed
  bool marks_request = false;      // without such a sign, `working` marks the request beside a text line
  bool find = false;               // `find` can tell whether a delivery arrived
  bool key_is_idempotent = false;  // posting twice under one key shows one message
  bool remove = false;
  bool direct = false;
  bool titles = false;             // threads have a name
  bool feedback = false;           // answers have buttons for feedback and details
  std::size_t max_message = 4000;  // bytes of Markdown that always fit into one message
  std::size_t max_edit = 4000;     // and into an edit of one
  FormLimits form = {};
};

}  // namespace deputy::channel
