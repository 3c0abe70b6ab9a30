#include "store/sqlite/filtered.h"

namespace deputy::store {

FilteredSelect::FilteredSelect(std::string_view head, std::initializer_list<std::string_view> conditions,
                               std::string_view tail) {
  for (std::size_t bits = 0; bits < std::size_t{1} << conditions.size(); ++bits) {
    std::string text(head);
    std::string_view joint = " WHERE ";
    std::size_t bit = 1;
    for (const std::string_view condition : conditions) {
      if ((bits & bit) != 0) text.append(std::exchange(joint, " AND ")).append(condition);
      bit <<= 1;
    }
    texts_.push_back(std::move(text.append(" ").append(tail)));
  }
}

std::string_view FilteredSelect::with(std::initializer_list<bool> set) const {
  std::size_t bits = 0;
  std::size_t bit = 1;
  for (const bool is_set : set) {
    if (is_set) bits |= bit;
    bit <<= 1;
  }
  return texts_.at(bits);
}

}  // namespace deputy::store
