#include <re2/re2.h>

#include "base/text.h"
#include "tools/tickets/ticket_backend.h"

namespace deputy::tools {

namespace {

constexpr std::size_t kMaxKeys = 50;

// A field and an operator at the beginning, or after AND, OR, NOT or a parenthesis; or an order.
const RE2& jql_pattern() {
  static const RE2 pattern(
      R"((?i)(?:^\s*|\(\s*|\b(?:and|or|not)\s+)(?:[a-z][\w.]*|"[^"]+"|cf\[\d+\])\s*)"
      R"((?:=|!=|~|!~|<=|>=|<|>|\s(?:not\s+)?in\s*\(|\sis\s+(?:not\s+)?(?:empty|null)\b)|^\s*order\s+by\s)");
  return pattern;
}

const RE2& key_pattern() {
  static const RE2 pattern(R"((?i)[a-z][a-z0-9_]{1,19}-[1-9]\d{0,9})");
  return pattern;
}

}  // namespace

std::string ticket_key_in(std::string_view text) {
  std::string key(trim(text));
  if (!RE2::FullMatch(key, key_pattern())) return {};
  for (char& c : key) {
    if (is_lower(c)) c = static_cast<char>(c - 'a' + 'A');
  }
  return key;
}

TicketQuery read_ticket_query(std::string_view text) {
  TicketQuery query{TicketQuery::Kind::words, std::string(trim(text))};
  std::string separated = query.text;
  std::ranges::replace_if(separated, [](char c) { return c == ',' || c == '\n' || c == '\t'; }, ' ');
  for (const std::string_view word : split(separated, " ")) {
    if (word.empty()) continue;
    std::string key = ticket_key_in(word);
    if (key.empty() || query.keys.size() == kMaxKeys) {
      query.keys.clear();
      break;
    }
    query.keys.push_back(std::move(key));
  }
  if (!query.keys.empty())
    query.kind = TicketQuery::Kind::keys;
  else if (RE2::PartialMatch(query.text, jql_pattern()))
    query.kind = TicketQuery::Kind::query;
  return query;
}

}  // namespace deputy::tools
