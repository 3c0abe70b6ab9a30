// Shows that a run works, on channels that keep their messages: as parts of the run's stream, on the platform's own
// sign, or as edits of the acknowledgement. Each run has one of them, by what its channel can do.
//
// What is shown here may be lost, and is replaced: acknowledgement and answer are deliveries. It knows only runs that
// this process works on, and finds their message in the store. Use it on the loop only.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/task.h"
#include "channel/message.h"
#include "channel/safe_markdown.h"
#include "gateway/outbound/channels.h"
#include "store/store.h"

namespace deputy::gateway {

struct WorkSignSettings {
  channel::Hosts known_hosts = {};                     // links to them may be streamed
  std::chrono::milliseconds edit_every{3'000};         // of all runs of a channel together
  std::chrono::milliseconds append_every{500};         // of one stream
  std::chrono::milliseconds sign_every{1'000};         // of one run
  std::chrono::milliseconds renew_every{60'000};       // the platform's own sign
  std::chrono::milliseconds max_show{10'000};          // of one call to the channel
  std::chrono::milliseconds after_rate_limit{10'000};  // when the platform does not say how long
};

class WorkSigns {
 public:
  /// `store` and `channels` outlive it.
  WorkSigns(store::Store& store, const Channels& channels, const asio::any_io_executor& loop,
            WorkSignSettings settings = {});
  ~WorkSigns();
  WorkSigns(const WorkSigns&) = delete;
  WorkSigns& operator=(const WorkSigns&) = delete;

  /// This process works on the run from now on. Nothing is shown of a run that was not begun. One that is taken up
  /// again shows its sign again.
  enum class Taking { first, again };
  void begin(RunId run, std::string_view conversation, Taking taking = Taking::first);
  /// A delivery that can hold its message has arrived.
  void delivered(RunId run);

  /// What it does now, in plain words: "Searching logs of checkout…".
  void says(RunId run, std::string words);
  /// For a stream: the state of a call, and the next part of the model's text.
  void call(RunId run, channel::ProgressLine line);
  void text(RunId run, std::string_view part);
  void end_of_turn(RunId run);

  /// It waits for people, so the platform's sign goes out; or it is left to another process, and the sign stays.
  enum class Leaving { waits, for_others };
  void leave(RunId run, Leaving how);
  /// It has answered. Nothing more is shown but the last states of its calls; what is on its way ends before `flush`
  /// returns.
  void close(RunId run);

  Task<> flush(std::string conversation);
  /// Returns when nothing is on its way, and shows nothing more of the runs there are.
  Task<> stop();
  /// Renews the platform's signs until it is cancelled.
  Task<> renew();

  std::size_t runs() const;

 private:
  class Display;
  std::shared_ptr<Display> display_;
};

}  // namespace deputy::gateway
