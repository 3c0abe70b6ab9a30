// A SELECT whose conditions come and go with a filter. SQLite picks an index only for a condition that stands in the
// text, not for `(?1 IS NULL OR run = ?1)`; so each combination is a text of its own, all made once.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace deputy::store {

class FilteredSelect {
 public:
  /// `tail` takes a parameter of a higher number than all conditions, so that those left out may still be bound.
  FilteredSelect(std::string_view head, std::initializer_list<std::string_view> conditions, std::string_view tail);

  /// The text with the conditions that are set, in the order they were given. It lives as long as this does.
  std::string_view with(std::initializer_list<bool> set) const;

 private:
  std::vector<std::string> texts_;  // by the bits of what is set
};

}  // namespace deputy::store
