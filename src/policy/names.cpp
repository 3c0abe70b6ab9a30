#include "policy/names.h"

#include <algorithm>

#include "base/characters.h"

namespace deputy::policy {

namespace {

bool is_graphic(char c) { return c > ' ' && c < 0x7f; }

bool is_name(std::string_view entry) {
  return entry.size() <= 64 && is_lower(entry.front()) && std::ranges::all_of(entry, [](char c) {
           return is_lower(c) || is_digit(c) || c == '_' || c == '-' || c == '.';
         });
}

bool is_email(std::string_view entry) {
  const std::size_t at = entry.find('@');
  if (at == std::string_view::npos || at == 0 || entry.size() > 254) return false;
  const std::string_view host = entry.substr(at + 1);
  return host.find('@') == std::string_view::npos && host.find('.') != std::string_view::npos && host.front() != '.' &&
         host.back() != '.' && std::ranges::all_of(entry, is_graphic);
}

bool is_id(std::string_view entry) {
  return entry.size() <= 128 && std::ranges::all_of(entry, [](char c) {
           return is_upper(c) || is_digit(c) || c == '/' || c == '-' || c == '_';
         });
}

bool is_id_with_channel(std::string_view entry) {
  const std::size_t colon = entry.find(':');
  if (colon == std::string_view::npos || colon == 0 || entry.size() > 200) return false;
  const std::string_view id = entry.substr(colon + 1);
  return is_name(entry.substr(0, colon)) && !id.empty() && std::ranges::all_of(id, is_graphic);
}

}  // namespace

Spelling spelling_of(std::string_view entry) {
  if (entry.empty()) return Spelling::display_name;
  if (is_name(entry)) return Spelling::name;
  if (is_id_with_channel(entry)) return Spelling::id_with_channel;
  if (is_email(entry)) return Spelling::email;
  if (!is_id(entry) || std::ranges::none_of(entry, is_digit)) return Spelling::display_name;
  return std::ranges::any_of(entry, is_upper) ? Spelling::id : Spelling::bare_number;
}

}  // namespace deputy::policy
