// Requests that were read back after Deputy was away. A recent one runs; an older one is kept as a mark until somebody
// writes "run it now", because nobody may still want it.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "channel/message.h"
#include "interaction/approval.h"
#include "run/journal/delivery.h"
#include "run/journal/entry_mail.h"
#include "store/rows.h"

namespace deputy::gateway {

inline constexpr std::chrono::minutes kRunsBy{30};    // a request older than this is not run by itself
inline constexpr std::chrono::hours kMissedKept{24};  // how long it can still be run

inline constexpr std::string_view kMissedMark = "missed";

/// A missed request as it is kept. Its text is redacted.
struct MissedRequest {
  std::string text;
  std::string ref;
  std::string name;  // of its writer
  bool begins_thread = false;
  std::optional<std::vector<run::AttachedFile>> files = {};

  template <class Fields>
  static void fields(Fields& f) {
    using M = MissedRequest;
    f.required(&M::text, "text", "The request");
    f.required(&M::ref, "ref", "The message");
    f.optional(&M::name, "name", "Who wrote it");
    f.optional(&M::begins_thread, "begins_thread", "Nothing was said before it");
    f.optional(&M::files, "files", "Files that came with it");
  }
};

store::MarkRow keep_missed(const channel::InboundMessage& message, std::string text, std::string person, Timestamp now);
Result<MissedRequest> read_missed(const store::MarkRow& mark);

/// "03:02–03:12", with the day and the zone where they are needed.
std::string period_in(const interaction::Zone& zone, const channel::Absence& away);
/// "I was away 03:02–03:12."
std::string away_words(const interaction::Zone& zone, const channel::Absence& away);
/// The line for a request that is too old to run by itself.
std::string late_words(const interaction::Zone& zone, const channel::Absence& away, Timestamp asked_at);

/// The files of a message as a run keeps them; nothing if there are none.
std::optional<std::vector<run::AttachedFile>> files_of(const channel::InboundMessage& message);

}  // namespace deputy::gateway
