#include "intent/ids.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "intent/time_words.h"

namespace deputy::intent {

namespace {

constexpr std::size_t kMaxAddress = 2'000;

// Prefixes of standards and measures that look like a ticket.
constexpr std::string_view kNotProjects =
    " UTF SHA COVID ISO CVE RFC HTTP HTTPS AES RSA MD TLS SSL GPT PR MR PEP IEEE RS HS ES UTC GMT SEV TOP ARM AMD INT "
    "UINT "
    "BASE X86 IPV HMAC EC EN DIN USB PCI SOC CWE GHSA ED CRC LATIN WINDOWS CP INC INCIDENT ERROR PORT PHASE STEP PART "
    "LEVEL TIER DAY FIPS ANSI IEC ";

bool is_upper_name(std::string_view text, std::size_t least, std::size_t most) {
  if (text.size() < least || text.size() > most || text[0] < 'A' || text[0] > 'Z') return false;
  return std::ranges::all_of(text, [](char c) { return is_upper(c) || is_digit(c); });
}

void add(std::vector<std::string>& list, std::string_view item) {
  if (list.size() < kMaxKind && !contains(list, item)) list.emplace_back(item);
}

bool is_id_number(std::string_view text) { return all_digits(text) && text.size() <= 9; }

/// Whether a ticket such as ABC-123 starts at the token: a project key and a number, not followed by another number.
bool is_ticket(const Tokens& tokens, std::size_t at) {
  if (!is_upper_name(tokens[at].text, 2, 10) || kNotProjects.contains(fmt::format(" {} ", tokens[at].text)))
    return false;
  if (!tokens[at + 1].is_symbol('-') || !tokens.tied_behind(at) || tokens.tied_before(at)) return false;
  const std::string_view number = tokens[at + 2].text;
  if (!all_digits(number) || number.size() > 7 || number[0] == '0') return false;
  if (tokens[at].text[0] == 'Q' && tokens[at].text.size() == 2) return false;  // Q3-2026
  return !tokens.tied_behind(at + 2) || !all_digits(tokens[at + 4].text);
}

/// PagerDuty incident ids, such as PT4KHLK: capital letters and digits mixed as in no ordinary word.
bool looks_like_incident(std::string_view text) {
  if (!is_upper_name(text, 7, 14) || (text[0] != 'P' && text[0] != 'Q')) return false;
  const std::size_t digit = std::min(text.find_first_of("0123456789"), text.size());
  return std::ranges::any_of(text.substr(digit), is_upper);
}

class Reader {
 public:
  Reader(const Tokens& tokens, Parameters& parameters, Claims& claims)
      : tokens_(tokens), parameters_(parameters), claims_(claims) {}

  void read() {
    for (std::size_t at = 0; at < tokens_.size(); ++at) {
      if (tokens_[at].kind == TokenKind::url) {
        claim(at, at + 1);
        if (tokens_[at].text.size() <= kMaxAddress) add(parameters_.urls, tokens_[at].text);
      } else if (tokens_[at].is_word() && !claims_[at]) {
        if (read_ticket(at) || read_pull_requests(at) || read_incidents(at) || read_count_of_things(at)) continue;
      }
    }
  }

 private:
  void claim(std::size_t first, std::size_t next) {
    for (std::size_t i = first; i < next && i < claims_.size(); ++i) claims_[i] = true;
  }

  bool read_ticket(std::size_t at) {
    if (!is_ticket(tokens_, at)) return false;
    add(parameters_.ticket_ids, tokens_.text(at, at + 3));
    claim(at, at + 3);
    return true;
  }

  /// Whether the number is an id: not a duration, not part of a date or a larger number.
  bool names_something(std::size_t at) const {
    if (!is_id_number(tokens_[at].text) || read_amount(tokens_, at, CountNeeded::yes)) return false;
    const Token& behind = tokens_[at + 1];
    const bool goes_on = behind.glued && tokens_.joined(at + 1) && std::string_view("-:./,").contains(behind.text[0]) &&
                         tokens_[at + 2].is_word() && is_digit(tokens_[at + 2].lower[0]);
    return !goes_on && !(behind.glued && behind.is_symbol('%'));
  }

  /// Reads a list such as "45, #46 and 47", starting at the token.
  void read_numbers(std::size_t at, std::vector<std::string>& into) {
    const auto between = [&](const Token& token) {
      return token.is("and") || (token.kind == TokenKind::symbol && std::string_view("#,!-").contains(token.text[0]));
    };
    while (into.size() < kMaxKind) {
      for (int skipped = 0; skipped < 3 && between(tokens_[at]); ++skipped) ++at;
      if (!names_something(at)) return;
      add(into, tokens_[at].text);
      claim(at, at + 1);
      ++at;
    }
  }

  bool read_pull_requests(std::size_t at) {
    static constexpr std::string_view kOneWord[] = {"pr", "prs", "mr", "mrs", "pullrequest"};
    static constexpr std::string_view kRequests[] = {"request", "requests"};
    const std::string_view word = tokens_[at].lower;
    const std::size_t second = tokens_[at + 1].is_symbol('-') ? at + 2 : at + 1;
    const bool two_words = (word == "pull" || word == "merge") && contains(kRequests, tokens_[second].lower);
    if (!two_words && !contains(kOneWord, word)) return false;
    read_numbers(two_words ? second + 1 : at + 1, parameters_.pr_ids);
    return true;
  }

  bool read_incidents(std::size_t at) {
    const std::string_view lower = tokens_[at].lower;
    const bool tied = lower == "inc" && tokens_[at + 1].is_symbol('-') && tokens_.tied_behind(at);
    const std::string_view number = tied ? tokens_[at + 2].text : lower.substr(std::min<std::size_t>(3, lower.size()));
    if (lower.starts_with("inc") && is_id_number(number)) {
      add(parameters_.incident_ids, fmt::format("INC{}{}", tied ? "-" : "", number));
      claim(at, at + (tied ? 3 : 1));
    } else if (!tokens_.tied_before(at) && !tokens_.tied_behind(at) && looks_like_incident(tokens_[at].text)) {
      add(parameters_.incident_ids, tokens_[at].text);
      claim(at, at + 1);
    } else if (lower == "incident" || lower == "incidents") {
      read_numbers(at + 1, parameters_.incident_ids);
    } else {
      return false;
    }
    return true;
  }

  /// "last 20 messages", "top 5 errors"; not "last 20 minutes".
  bool read_count_of_things(std::size_t at) {
    static constexpr std::string_view kNewest[] = {"last",   "latest", "past", "previous",
                                                   "recent", "newest", "top",  "first"};
    const auto count = contains(kNewest, tokens_[at].lower) ? read_count(tokens_, at + 1) : std::nullopt;
    if (!count || count->value < 1 || !tokens_[count->next].is_word()) return false;
    if (read_amount(tokens_, at + 1, CountNeeded::yes)) return false;
    if (!parameters_.message_count) parameters_.message_count = std::min(count->value, kMaxMessages);
    claim(at, count->next);
    return true;
  }

  const Tokens& tokens_;
  Parameters& parameters_;
  Claims& claims_;
};

}  // namespace

void find_ids(const Tokens& tokens, Parameters& parameters, Claims& claims) {
  Reader(tokens, parameters, claims).read();
}

}  // namespace deputy::intent
