// Tells those who follow runs that something may have changed, as it happens. It is the watcher of the runs of this
// process; Deliveries and the store tell it of the rest, also of what other processes committed. On the loop only.
#pragma once

#include <functional>
#include <list>
#include <memory>

#include "run/surroundings.h"

namespace deputy::gateway {

/// What a follower is called for. Both may be called too often, and neither is the only way to know.
struct Follower {
  std::function<void()> changed;                             // look again
  std::function<void(RunId, std::string_view part)> text{};  // what a model of this process says; empty: not told
};

/// Ends with its object.
class Following {
 public:
  Following() = default;
  explicit Following(std::shared_ptr<Follower> follower) : follower_(std::move(follower)) {}

 private:
  std::shared_ptr<Follower> follower_;
};

class Live final : public run::Watcher {
 public:
  /// `also` hears the same, where it is not null; it outlives this.
  explicit Live(run::Watcher* also = nullptr) : also_(also) {}

  Following follow(Follower follower);
  /// Something may have changed.
  void tell();

  void on_text(RunId run, std::string_view conversation, std::string_view part) override;
  void on_thinking(RunId run, std::string_view conversation, std::string_view part) override;
  bool hears_thinking() const override { return also_ != nullptr && also_->hears_thinking(); }
  void on_delta(RunId run, std::string_view conversation, std::string_view call, std::string_view part) override;
  void on_entry(RunId run, std::string_view conversation, const run::EntryBody& body) override;

 private:
  template <class Call>
  void each(Call call);

  run::Watcher* also_;
  std::list<std::weak_ptr<Follower>> followers_;
};

}  // namespace deputy::gateway
