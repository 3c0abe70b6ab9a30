// What is remembered of people for a while, in memory and bounded: when it is full the oldest is forgotten. It is for
// politeness and for counting tries, never for what must hold.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>

namespace deputy::gateway {

template <class Value>
class Remembered {
 public:
  explicit Remembered(std::size_t most) : most_(most) {}

  const Value* find(std::string_view key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? nullptr : &found->second;
  }

  void put(const std::string& key, Value value) {
    const auto [place, is_new] = values_.insert_or_assign(key, std::move(value));
    if (!is_new) return;
    order_.push_back(key);
    if (order_.size() > most_) {
      values_.erase(order_.front());
      order_.pop_front();
    }
  }

  void forget(std::string_view key) {
    const auto found = values_.find(key);
    if (found == values_.end()) return;
    std::erase(order_, found->first);
    values_.erase(found);
  }

  std::size_t size() const { return values_.size(); }

 private:
  std::size_t most_;
  std::map<std::string, Value, std::less<>> values_;
  std::deque<std::string> order_;  // the keys of values_, the oldest first
};

}  // namespace deputy::gateway
