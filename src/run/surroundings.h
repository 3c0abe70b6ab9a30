// What a run needs to know of the people and the place around it, asked of the layer that has the channels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/task.h"
#include "policy/identity.h"
#include "run/entry.h"

namespace deputy::run {

struct ThreadContext {
  std::string channel_name;
  std::vector<ThreadLine> lines;  // the root first, then the newest
  std::size_t left_out = 0;
};

class Surroundings {
 public:
  virtual ~Surroundings() = default;

  /// Live, with what the platform knows now. Where it gives no answer: an identity that may do nothing.
  virtual Task<policy::Identity> who(policy::Account account) = 0;

  /// The thread before the request; empty where it cannot be had.
  virtual Task<ThreadContext> thread(std::string conversation, int most) = 0;
};

/// Told on the loop how runs are getting on, for whoever watches live. Nothing of it is kept, and it may come twice
/// after a crash.
class Watcher {
 public:
  virtual ~Watcher() = default;

  virtual void on_text(RunId run, std::string_view conversation, std::string_view part) = 0;
  /// Summaries of what its model thinks, where `hears_thinking`.
  virtual void on_thinking(RunId, std::string_view /*conversation*/, std::string_view /*part*/) {}
  virtual bool hears_thinking() const { return false; }
  virtual void on_delta(RunId run, std::string_view conversation, std::string_view call, std::string_view part) = 0;
  /// An entry was stored.
  virtual void on_entry(RunId run, std::string_view conversation, const EntryBody& body) = 0;
};

}  // namespace deputy::run
