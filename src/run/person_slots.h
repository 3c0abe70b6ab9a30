// How many runs of one person work at once in this process. The rest wait as rows: nothing of them is here. On the loop
// only.
#pragma once

#include <map>
#include <memory>
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
    int& working = at_work_[person];
    if (most > 0 && working >= most) return {};
    ++working;
    return {shared_from_this(), person};
  }

  /// How many of each person work now.
  const std::map<std::string, int, std::less<>>& at_work() const { return at_work_; }

 private:
  void leave(const std::string& person) {
    const auto found = at_work_.find(person);
    if (--found->second == 0) at_work_.erase(found);
  }

  std::map<std::string, int, std::less<>> at_work_;
};

}  // namespace deputy::run
