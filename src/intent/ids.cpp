#include "intent/ids.h"

#include <algorithm>

#include "base/text.h"

namespace deputy::intent {

namespace {

constexpr std::size_t kLongestAddress = 2'000;

// Standards and measures that are spelt like a ticket.
constexpr std::string_view kNotProjects[] = {
    "UTF",  "SHA", "COVID", "ISO",  "CVE",      "RFC",   "HTTP",  "AES",   "RSA",     "MD",   "TLS",   "SSL",   "GPT",
    "PR",   "MR",  "PEP",   "IEEE", "RS",       "HS",    "ES",    "UTC",   "GMT",     "SEV",  "TOP",   "CAT",   "ARM",
    "AMD",  "INT", "UINT",  "BASE", "X86",      "IPV",   "HMAC",  "ASCII", "UCS",     "WIN",  "EC",    "EN",    "DIN",
    "USB",  "PCI", "SOC",   "CWE",  "GHSA",     "ED",    "CRC",   "LATIN", "WINDOWS", "CP",   "ECDSA", "BLAKE", "SAE",
    "MP",   "H",   "VT",    "INC",  "INCIDENT", "ERROR", "HTTPS", "PORT",  "PHASE",   "STEP", "PART",  "LEVEL", "PRIO",
    "TIER", "DAY", "CLASS", "FIPS", "ANSI",     "IEC",   "MPEG",  "AWS"};

constexpr std::string_view kUnitsOfTime[] = {"s",      "sec",    "secs",    "second", "seconds", "m",     "min",
                                             "mins",   "minute", "minutes", "h",      "hr",      "hrs",   "hour",
                                             "hours",  "d",      "day",     "days",   "week",    "weeks", "month",
                                             "months", "times",  "more",    "am",     "pm",      "am",    "percent"};

bool is_upper_name(std::string_view text, std::size_t least, std::size_t most) {
  if (text.size() < least || text.size() > most || text[0] < 'A' || text[0] > 'Z') return false;
  return std::ranges::all_of(text, [](char c) { return is_upper(c) || is_digit(c); });
}

void add(std::vector<std::string>& list, std::string_view item) {
  if (list.size() < kMostOfAKind && !contains(list, item)) list.emplace_back(item);
}

bool is_id_number(std::string_view text) { return all_digits(text) && text.size() <= 9; }

/// ABC-123 beginning at the token: one key of letters and a number, tied together and to no other number.
bool is_ticket(const Tokens& tokens, std::size_t at) {
  if (!is_upper_name(tokens[at].text, 2, 10) || contains(kNotProjects, tokens[at].text)) return false;
  if (!tokens[at + 1].is_symbol('-') || !tokens.tied_behind(at) || tokens.tied_before(at)) return false;
  const std::string_view number = tokens[at + 2].text;
  if (!all_digits(number) || number.size() > 7 || number[0] == '0') return false;
  if (tokens[at].text[0] == 'Q' && tokens[at].text.size() == 2) return false;  // Q3-2026
  return !tokens.tied_behind(at + 2) || !all_digits(tokens[at + 4].text);
}

/// The incident ids that PagerDuty gives: without the word beside them only those that no person would write as a word.
bool looks_like_incident(std::string_view text, bool named) {
  if (!is_upper_name(text, 7, 14) || (text[0] != 'P' && text[0] != 'Q')) return false;
  bool digit_before_letter = false;
  bool digit = false;
  for (const char c : text) {
    digit_before_letter = digit_before_letter || (digit && !is_digit(c));
    digit = digit || is_digit(c);
  }
  return digit_before_letter || (named && (digit || text.size() == 7 || text.size() == 14));
}

class Reader {
 public:
  Reader(const Tokens& tokens, Parameters& parameters, Claims& claims)
      : tokens_(tokens), parameters_(parameters), claims_(claims) {}

  void read() {
    for (std::size_t at = 0; at < tokens_.size(); ++at) {
      if (tokens_[at].kind == TokenKind::url) {
        read_address(at);
      } else if (tokens_[at].is_word() && !claims_[at]) {
        if (read_ticket(at) || read_pull_requests(at) || read_incidents(at) || read_message_count(at)) continue;
      }
    }
    read_loose_pull_requests();
  }

 private:
  void claim(std::size_t first, std::size_t next) {
    for (std::size_t i = first; i < next && i < claims_.size(); ++i) claims_[i] = true;
  }

  void read_address(std::size_t at) {
    claim(at, at + 1);
    const std::string_view url = tokens_[at].text;
    if (url.size() > kLongestAddress) return;
    add(parameters_.urls, url);
    const auto parts = split(url.substr(0, url.find_first_of("?#")), "/");
    for (std::size_t i = 3; i + 1 < parts.size(); ++i) {
      static constexpr std::string_view kPullRequests[] = {"pull-requests", "pull", "pulls", "pullrequests",
                                                           "merge_requests"};
      if (contains(kPullRequests, parts[i]) && is_id_number(parts[i + 1])) add(parameters_.pr_ids, parts[i + 1]);
      if (parts[i] == "incidents" && (is_id_number(parts[i + 1]) || looks_like_incident(parts[i + 1], true))) {
        add(parameters_.incident_ids, parts[i + 1]);
      }
      if (parts[i] == "browse" || parts[i] == "issues") {
        const Tokens key(parts[i + 1]);
        if (key.size() == 3 && is_ticket(key, 0)) add(parameters_.ticket_ids, parts[i + 1]);
      }
    }
  }

  bool read_ticket(std::size_t at) {
    if (!is_ticket(tokens_, at)) return false;
    add(parameters_.ticket_ids, tokens_.text(at, at + 3));
    claim(at, at + 3);
    return true;
  }

  /// A number that names something: not an amount of time, not part of a date or a larger number.
  bool names_something(std::size_t at) const {
    if (!is_id_number(tokens_[at].text) || contains(kUnitsOfTime, tokens_[at + 1].lower)) return false;
    const Token& behind = tokens_[at + 1];
    const bool goes_on = behind.glued && tokens_.joined(at + 1) &&
                         (behind.is_symbol('-') || behind.is_symbol(':') || behind.is_symbol('.') ||
                          behind.is_symbol('/') || behind.is_symbol(',')) &&
                         tokens_[at + 2].is_word() && all_digits(tokens_[at + 2].lower.substr(0, 1));
    return !goes_on && !(behind.glued && behind.is_symbol('%'));
  }

  /// "45, #46 and 47" from the token on.
  void read_numbers(std::size_t at, std::vector<std::string>& into) {
    static constexpr std::string_view kBetween[] = {"and", "or", "number", "no", "id", "nr"};
    while (into.size() < kMostOfAKind) {
      std::size_t number = at;
      for (int skipped = 0; skipped < 4; ++skipped) {
        const Token& token = tokens_[number];
        const bool separator = token.kind == TokenKind::symbol && std::string_view("#,&!:-.").contains(token.text[0]);
        if (!separator && !contains(kBetween, token.lower)) break;
        if (tokens_.sentence_starts(number + 1) && !token.is_symbol(',')) return;
        ++number;
      }
      if (!names_something(number)) return;
      add(into, tokens_[number].text);
      claim(number, number + 1);
      at = number + 1;
    }
  }

  bool read_pull_requests(std::size_t at) {
    static constexpr std::string_view kOneWord[] = {"pr", "prs", "mr", "mrs", "pullrequest"};
    static constexpr std::string_view kRequests[] = {"request", "requests"};
    const std::string_view word = tokens_[at].lower;
    if ((word.starts_with("pr") || word.starts_with("mr")) && is_id_number(word.substr(2)) && word.size() > 3) {
      add(parameters_.pr_ids, tokens_[at].text.substr(2));
      claim(at, at + 1);
      return true;
    }
    const std::size_t second = tokens_[at + 1].is_symbol('-') ? at + 2 : at + 1;
    const bool two_words = (word == "pull" || word == "merge") && contains(kRequests, tokens_[second].lower);
    if (!two_words && !contains(kOneWord, word)) return false;
    pull_request_words_.push_back(at);
    read_numbers(two_words ? second + 1 : at + 1, parameters_.pr_ids);
    return true;
  }

  /// "#123" counts with a pull request in the neighbourhood.
  void read_loose_pull_requests() {
    constexpr std::size_t kNear = 8;
    std::size_t next_word = 0;
    for (std::size_t at = 0; at + 1 < tokens_.size(); ++at) {
      while (next_word < pull_request_words_.size() && pull_request_words_[next_word] + kNear < at) ++next_word;
      if (next_word == pull_request_words_.size()) return;
      const bool near = pull_request_words_[next_word] < at + kNear;
      if (near && tokens_[at].is_symbol('#') && tokens_.joined(at) && !claims_[at + 1] && names_something(at + 1)) {
        add(parameters_.pr_ids, tokens_[at + 1].text);
        claim(at + 1, at + 2);
      }
    }
  }

  bool read_incidents(std::size_t at) {
    const std::string_view text = tokens_[at].text;
    const std::string_view lower = tokens_[at].lower;
    if (lower == "inc" && tokens_[at + 1].is_symbol('-') && tokens_.tied_behind(at) &&
        is_id_number(tokens_[at + 2].text)) {
      add(parameters_.incident_ids, "INC-" + std::string(tokens_[at + 2].text));
      claim(at, at + 3);
      return true;
    }
    if (lower.starts_with("inc") && lower.size() >= 7 && is_id_number(lower.substr(3))) {
      add(parameters_.incident_ids, "INC" + std::string(lower.substr(3)));
      claim(at, at + 1);
      return true;
    }
    static constexpr std::string_view kIncidentWords[] = {"incident", "incidents", "pagerduty", "pd"};
    const std::size_t near_before = at - std::min<std::size_t>(at, 3);
    bool named = false;
    for (std::size_t i = near_before; i < at; ++i) named = named || contains(kIncidentWords, tokens_[i].lower);
    if (!tokens_.tied_before(at) && !tokens_.tied_behind(at) && looks_like_incident(text, named)) {
      add(parameters_.incident_ids, text);
      claim(at, at + 1);
      return true;
    }
    if (lower == "incident" || lower == "incidents") {
      read_numbers(at + 1, parameters_.incident_ids);
      return true;
    }
    return false;
  }

  /// "last 20 messages", "summarize the last fifty messages", "read 30 messages"; not "the queue holds 20 messages".
  bool read_message_count(std::size_t at) {
    static constexpr std::string_view kMessages[] = {"message", "messages", "msg",     "msgs",
                                                     "replies", "posts",    "comments"};
    static constexpr std::string_view kNewest[] = {"last", "latest", "past", "previous", "recent", "newest"};
    static constexpr std::string_view kReading[] = {"summarize", "summarise", "summary", "recap",   "read",   "show",
                                                    "list",      "get",       "fetch",   "analyze", "analyse"};
    static constexpr std::string_view kBeforeNumber[] = {"the",    "of",   "most",     "last",
                                                         "latest", "past", "previous", "recent"};
    const bool newest = contains(kNewest, tokens_[at].lower);
    if (!newest && !contains(kReading, tokens_[at].lower)) return false;
    std::size_t number = at + 1;
    while (number < at + 4 && contains(kBeforeNumber, tokens_[number].lower)) ++number;
    if (tokens_[number].is("few") || tokens_[number].is("couple")) return false;
    const bool last_one = newest && (tokens_[at + 1].is("message") || tokens_[at + 1].is("msg"));
    const auto count = last_one ? Count{1, at + 1} : read_count(tokens_, number);
    if (!count || count->value < 1) return false;
    static constexpr std::string_view kBetween[] = {"slack",  "channel", "thread", "chat", "new",
                                                    "unread", "recent",  "or",     "so"};
    std::size_t noun = count->next;
    while (noun < count->next + 3 && contains(kBetween, tokens_[noun].lower)) ++noun;
    if (!contains(kMessages, tokens_[noun].lower)) return false;
    if (!parameters_.message_count) parameters_.message_count = std::clamp(count->value, 1, kMostMessages);
    claim(at, noun + 1);
    return true;
  }

  const Tokens& tokens_;
  Parameters& parameters_;
  Claims& claims_;
  std::vector<std::size_t> pull_request_words_;
};

}  // namespace

void find_ids(const Tokens& tokens, Parameters& parameters, Claims& claims) {
  Reader(tokens, parameters, claims).read();
}

}  // namespace deputy::intent
