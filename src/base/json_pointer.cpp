#include "base/json_pointer.h"

namespace deputy {

const json::value* find_in(const json::value& document, std::string_view pointer) {
  boost::system::error_code missing;
  return document.find_pointer({pointer.data(), pointer.size()}, missing);
}

std::string text_in(const json::value& document, std::string_view pointer) {
  const json::value* found = find_in(document, pointer);
  const bool is_scalar = found != nullptr && !found->is_null() && !found->is_structured();
  return is_scalar ? as_text(*found) : std::string();
}

std::optional<std::int64_t> whole_in(const json::value& document, std::string_view pointer) {
  const json::value* found = find_in(document, pointer);
  return found == nullptr ? std::nullopt : as_whole(*found);
}

bool is_true_in(const json::value& document, std::string_view pointer) {
  const json::value* found = find_in(document, pointer);
  return found != nullptr && found->is_bool() && found->get_bool();
}

const json::array& items_in(const json::value& document, std::string_view pointer) {
  static const json::array kNone;
  const json::value* found = find_in(document, pointer);
  return found != nullptr && found->is_array() ? found->get_array() : kNone;
}

}  // namespace deputy
