// Entries that the owner of a run writes of the run as a whole: that it was taken up, what the model was shown, asked
// and said, what limits it, its answer, its end.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "run/journal/entry_mail.h"
#include "run/journal/kinds.h"

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

/// One message of the thread before the request, cut and redacted.
struct ThreadLine {
  std::string writer;
  std::string text;
  bool by_deputy = false;
  bool by_bot = false;
  std::string ref = {};  // the channel's name of it; not kept

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&ThreadLine::writer, "writer", "Who wrote it");
    f.required(&ThreadLine::text, "text", "What it says");
    f.optional(&ThreadLine::by_deputy, "by_deputy", "It is one of ours");
    f.optional(&ThreadLine::by_bot, "by_bot", "Another bot's: quoted data");
  }
};

/// The earlier runs of its conversation that a run is shown (memory.h). Kept by their ids: their journals have the
/// rest.
struct MemoryShown {
  std::vector<std::string> runs;  // oldest first
  std::size_t summed_up = 0;      // of the first so many only what was asked and answered, in a line each
  std::size_t shortened = 0;      // of the first so many the results are shortened
  std::size_t left_out = 0;       // how many older ones are not shown at all
  std::size_t calls = 0;          // how many calls all of them made, so that ids go on from there
  std::optional<std::vector<std::string>> known_hosts = {};  // those that they knew (known_hosts.h)

  bool operator==(const MemoryShown&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    using M = MemoryShown;
    f.required(&M::runs, "runs", "Earlier runs, oldest first");
    f.optional(&M::summed_up, "summed_up", "How many of the first are shown in a line each");
    f.optional(&M::shortened, "shortened", "How many of the first are shown with shortened results");
    f.optional(&M::left_out, "left_out", "How many older ones are not shown");
    f.optional(&M::calls, "calls", "How many calls all of them made");
    f.optional(&M::known_hosts, "known_hosts", "Hosts that they knew");
  }
};

/// An image of the request that the model is shown. Its bytes stay on the platform.
struct ShownImage {
  std::string file;  // its id there
  std::string media_type;
  std::string digest;  // SHA-256

  bool operator==(const ShownImage&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&ShownImage::file, "file", "The platform's id");
    f.required(&ShownImage::media_type, "media_type", "What it is");
    f.required(&ShownImage::digest, "digest", "Of its bytes");
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
  std::optional<MemoryShown> memory;
  std::optional<std::vector<ShownImage>> images;

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
    f.optional(&Enriched::memory, "memory", "What is shown of earlier runs of the conversation");
    f.optional(&Enriched::images, "images", "Images of the request that are shown");
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

/// One block of a reply that held thinking, in its place: exactly one of these.
struct ReplyPart {
  std::optional<json::object> thinking;  // as the provider sent it
  std::optional<std::size_t> text;       // so many bytes of the reply's text
  std::optional<std::string> call;       // by its id

  bool operator==(const ReplyPart&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&ReplyPart::thinking, "thinking", "What it thought, as the provider sent it");
    f.optional(&ReplyPart::text, "text", "How many bytes of the text stand here");
    f.optional(&ReplyPart::call, "call", "The call that stands here");
  }
};

/// The thinking of a reply, which goes back to who wrote it as long as all before it is the same (model/thinking.h).
struct ReplyThinking {
  std::string origin;
  std::string prefix;
  std::vector<ReplyPart> parts;  // of the whole reply, in order

  bool operator==(const ReplyThinking&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&ReplyThinking::origin, "origin", "Who wrote it");
    f.required(&ReplyThinking::prefix, "prefix", "Digest of all that the model was shown");
    f.required(&ReplyThinking::parts, "parts", "The reply, block by block");
  }
};

struct ModelReplied {
  static constexpr std::string_view kKind = "model_replied";
  static constexpr int kVersion = 1;

  std::string text;
  std::vector<CallRequested> calls;
  ReplyStop stop = ReplyStop::unknown;
  std::int64_t cost = 0;
  std::int64_t tokens = 0;
  std::optional<std::string> error;             // with failed: one sentence for people
  std::optional<std::string> by;                // the model that answered in place of the one that was asked
  std::optional<std::int64_t> unpriced_tokens;  // those of them that no price is known for
  std::optional<ReplyThinking> thinking;
  std::optional<bool> thinking_refused;  // the API took back none of the thinking before this reply

  template <class Fields>
  static void fields(Fields& f) {
    using B = ModelReplied;
    f.required(&B::text, "text", "What it said");
    f.required(&B::calls, "calls", "What it wants done");
    f.required(&B::stop, "stop", "Why it stopped");
    f.optional(&B::cost, "cost", "Millionths of a dollar");
    f.optional(&B::tokens, "tokens", "What it used");
    f.optional(&B::error, "error", "Why it failed");
    f.optional(&B::by, "by", "Who answered instead");
    f.optional(&B::unpriced_tokens, "unpriced_tokens", "Those of them that no price is known for");
    f.optional(&B::thinking, "thinking", "What it thought, to be sent back");
    f.optional(&B::thinking_refused, "thinking_refused", "Earlier thinking is not sent any more");
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
