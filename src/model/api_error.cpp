#include "model/api_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "net/retry_after.h"

namespace deputy::model {

namespace {

constexpr std::size_t kMaxWords = 200;
constexpr std::size_t kMaxQuote = 40;
constexpr std::size_t kMaxCode = 60;

// Field names are short; a long quote is a piece of the request.
std::string without_long_quotes(std::string_view text) {
  std::string kept;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    kept += c;
    if (c != '"' && c != '\'' && c != '`') continue;
    const std::size_t end = text.find(c, at + 1);
    if (end == std::string_view::npos) continue;
    if (end - at - 1 > kMaxQuote) {
      kept += "…";
      kept += c;
      at = end;
    }
  }
  return kept;
}

std::string in_a_line(std::string_view words) {
  std::string line = to_valid_utf8(std::string(cut_bytes(words, kMaxWords * 8)));
  std::ranges::replace_if(line, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, ' ');
  return std::string(trim(cut_characters(without_long_quotes(trim(line)), kMaxWords)));
}

std::string plain_code(std::string_view code) {
  std::string plain(code.substr(0, kMaxCode));
  std::erase_if(plain, [](char c) { return !(is_letter_or_digit(c) || c == '_' || c == '-' || c == '.'); });
  return plain;
}

/// " (invalid_request_error: max_tokens: Field required)", or shorter, or empty.
std::string what_it_said(const ApiError& said) {
  const std::string code = plain_code(said.code);
  const std::string words = in_a_line(said.words);
  if (code.empty() && words.empty()) return {};
  return fmt::format(" ({}{}{})", code, code.empty() || words.empty() ? "" : ": ", words);
}

Error by_status(const ApiError& said) {
  if (!said.is_paid_up || said.status == 402) {
    return {said.status == 429 ? ErrorKind::rate_limit : ErrorKind::permission,
            "the credit or quota of the model's account is used up", "check the plan and the billing of the account"};
  }
  switch (said.status) {
    case 401:  // the API's text may contain part of the key
      return {ErrorKind::authentication, "the model's API does not accept the key",
              "set a valid key for this model's API"};
    case 403:
      return {ErrorKind::permission, fmt::format("the model's API does not allow this{}", what_it_said(said)),
              "check that the account may use this model, and from here"};
    case 404:
      return {ErrorKind::not_found,
              fmt::format("the model's API does not know this model or address{}", what_it_said(said)),
              "check the model's name and the address of the API"};
    case 429:
      return {ErrorKind::rate_limit, "rate limited by the model's API", {}, true};
    case 529:
      return {ErrorKind::upstream, "the model's API is overloaded", {}, true};
    default:
      break;
  }
  if (said.status == 408 || said.status == 409 || said.status >= 500) {
    const std::string code = plain_code(said.code);
    return {ErrorKind::upstream,
            fmt::format("the model's API failed with status {}{}", said.status,
                        code.empty() ? "" : fmt::format(" ({})", code)),
            {},
            true};
  }
  if (said.status >= 400) {
    return {ErrorKind::invalid_input,
            fmt::format("the model's API refused the request with status {}{}", said.status, what_it_said(said)),
            "check the model's name and settings"};
  }
  return {ErrorKind::upstream, fmt::format("the model's API answered with status {}", said.status),
          "check the address of the API"};
}

}  // namespace

Error error_of(const ApiError& said, const std::vector<net::Header>& headers, Timestamp now) {
  Error error = by_status(said);
  if (const auto should = net::find_header(headers, "x-should-retry")) {
    if (*should == "true") error.retryable = true;
    if (*should == "false") error.retryable = false;
  }
  if (error.retryable) error.retry_after = net::retry_after(headers, now);
  return error;
}

bool has_any(std::string_view words, std::span<const std::string_view> phrases) {
  const std::string lower = to_lower(words);
  return std::ranges::any_of(phrases, [&](std::string_view phrase) { return lower.contains(phrase); });
}

bool says_it_does_not_fit(std::string_view words, std::span<const std::string_view> beside) {
  constexpr auto kSaidByMost =
      std::to_array<std::string_view>({"context length", "context window", "input is too long", "prompt is too long"});
  return has_any(words, kSaidByMost) || has_any(words, beside);
}

Error malformed_reply(std::string_view why) {
  return {ErrorKind::upstream, fmt::format("the model's reply is malformed: {}", why), {}, true};
}

Error broken_off() { return {ErrorKind::network, "the model's reply ended before it was complete", {}, true}; }

}  // namespace deputy::model
