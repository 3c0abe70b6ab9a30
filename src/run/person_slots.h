// How many runs of one person work at once in this process; the rest wait. On the loop only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace deputy::run {

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
    int& working = working_[person];
    if (most > 0 && working >= most) return {};
    ++working;
    return {shared_from_this(), person};
  }

  /// Nobody is woken any more: whoever waited is about to go.
  void close() {
    closed_ = true;
    waiting_.clear();
  }

  /// `wake` is called once when a slot of this person may be free, unless it is gone by then.
  void wait(const std::string& person, std::weak_ptr<std::function<void()>> wake) {
    waiting_[person].insert(std::move(wake));
  }

 private:
  void leave(const std::string& person) {
    if (--working_[person] == 0) working_.erase(person);
    if (closed_) return;
    // All of them: one that is woken may fail before it takes the slot.
    const auto found = waiting_.extract(person);
    if (found.empty()) return;
    for (const auto& waiting : found.mapped()) {
      if (const auto wake = waiting.lock()) (*wake)();
    }
  }

  bool closed_ = false;
  std::map<std::string, int> working_;
  using Wakes = std::set<std::weak_ptr<std::function<void()>>, std::owner_less<>>;  // waiting twice is waiting once
  std::map<std::string, Wakes> waiting_;
};

}  // namespace deputy::run
