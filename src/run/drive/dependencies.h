// The dependencies of runs. All of them outlive the runs.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "base/json.h"
#include "base/task.h"
#include "model/model.h"
#include "policy/identity.h"
#include "redact/redact.h"
#include "run/journal/entry.h"
#include "run/plan/rules.h"
#include "run/prompt/enrich.h"
#include "run/prompt/prompt.h"
#include "store/retry.h"
#include "store/store.h"
#include "toolkit/executor.h"
#include "toolkit/registry.h"

namespace deputy::run {

/// Looks up the people and the thread of a conversation, in the layer that has the channels.
class Lookups {
 public:
  virtual ~Lookups() = default;

  /// Live, with what the platform knows now. Where it gives no answer: an identity that may do nothing.
  virtual Task<policy::Identity> who(policy::Account account) = 0;

  /// The thread before the message `before`, which is the request; empty where it cannot be had.
  virtual Task<ThreadContext> thread(std::string conversation, std::string before, int most) = 0;

  /// What people call the place; empty where it has no name, or it cannot be had.
  virtual Task<std::string> name_of(policy::Place) { co_return std::string(); }

  /// Keys of the accounts that can see the place, at most 5 minutes old; nothing if it is unknown.
  virtual Task<std::optional<std::set<std::string>>> members(policy::Place) { co_return std::nullopt; }
  /// Keys of the accounts in a group of a channel; none if it is unknown.
  virtual Task<std::set<std::string>> members_of_group(std::string /*channel*/, std::string /*group*/) {
    co_return std::set<std::string>{};
  }

  /// The content of a file that came with a request; an error if it is larger than `most` bytes.
  virtual Task<Result<std::string>> attachment(std::string /*conversation*/, AttachedFile /*file*/,
                                               std::size_t /*most*/) {
    co_return fail(ErrorKind::not_configured, "files cannot be read here");
  }
};

/// Hears on the loop how runs progress, for live views. Nothing of it is stored, and it may come twice after a crash.
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
  /// This process no longer works on it: it waits for mail, or it is another's.
  enum class Left { waits, for_others };
  virtual void on_left(RunId, Left /*how*/) {}
};

/// Makes the redactor of one run: the same secret has the same marker in it, in whatever process.
class Redaction {
 public:
  /// `secret` is random and the same in all processes on one store.
  explicit Redaction(std::string secret) : secret_(std::move(secret)) {}

  redact::Redactor of(const RunId& run) const { return redact::Redactor(sha256_hex(secret_ + run.text())); }

 private:
  std::string secret_;
};

/// Counts the runs of each person that work at once in this process. The rest wait as rows: nothing of them is here.
/// On the loop only.
class PersonSlots : public std::enable_shared_from_this<PersonSlots> {
 public:
  /// Held while a run works.
  class Slot {
   public:
    Slot() = default;
    Slot(std::shared_ptr<PersonSlots> slots, std::string person)
        : slots_(std::move(slots)), person_(std::move(person)) {}
    Slot(Slot&&) noexcept = default;
    Slot& operator=(Slot&& other) noexcept {
      std::swap(slots_, other.slots_);
      std::swap(person_, other.person_);
      return *this;
    }
    ~Slot() {
      if (slots_ != nullptr) slots_->leave(person_);
    }
    explicit operator bool() const { return slots_ != nullptr; }

   private:
    std::shared_ptr<PersonSlots> slots_;
    std::string person_;
  };

  /// Empty when `most` are taken; 0 is no limit.
  Slot try_enter(const std::string& person, int most) {
    int& working = at_work_[person];
    if (most > 0 && working >= most) return {};
    ++working;
    return {shared_from_this(), person};
  }

  /// The number of runs that work now, by person.
  const std::map<std::string, int, std::less<>>& at_work() const { return at_work_; }

 private:
  void leave(const std::string& person) {
    const auto found = at_work_.find(person);
    if (--found->second == 0) at_work_.erase(found);
  }

  std::map<std::string, int, std::less<>> at_work_;
};

using CurrentModel = std::function<std::shared_ptr<model::Model>()>;

struct RunDependencies {
  store::Store& store;
  const Clock& clock;
  const toolkit::Registry& registry;
  toolkit::Executor& executor;
  Lookups& lookups;
  CurrentRules rules;
  CurrentModel model;
  Redaction redaction;
  Watcher* watcher = nullptr;    // null: nobody watches
  CurrentModel fast_model = {};  // for small questions; empty, or giving nothing: there is none
  std::shared_ptr<Prompts> prompts = std::make_shared<Prompts>();
  /// As the runner last read it: at most a second old.
  std::shared_ptr<store::BrakeRow> brake = std::make_shared<store::BrakeRow>();
  std::shared_ptr<PersonSlots> slots = std::make_shared<PersonSlots>();
  /// Asks a store that is busy or full again, for whoever owns a run; it ends when this instance stops.
  std::shared_ptr<store::StoreRetry> patience = std::make_shared<store::StoreRetry>();
};

/// Nothing where there is none.
inline std::shared_ptr<model::Model> fast_model_of(const RunDependencies& dependencies) {
  return dependencies.fast_model ? dependencies.fast_model() : nullptr;
}

}  // namespace deputy::run
