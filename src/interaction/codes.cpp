#include "interaction/codes.h"

#include <fmt/format.h>

#include "base/text.h"

namespace deputy::interaction {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

// Splits off the first word; the rest is without leading space.
std::pair<std::string_view, std::string_view> first_word(std::string_view text) {
  const std::size_t end = std::min(text.find_first_of(kSpace), text.size());
  return {text.substr(0, end), trim(text.substr(end))};
}

constexpr std::string_view kAlphabet = "0123456789abcdefghjkmnpqrstvwxyz";
static_assert(kAlphabet.size() == 32);

char as_written(char c) {
  if (c == 'i' || c == 'l') return '1';
  return c == 'o' ? '0' : c;
}

}  // namespace

std::string make_code(const std::array<std::uint8_t, 4>& random) { return random_text(random, kCodeLength); }

TypedDecision read_decision(std::string_view text) {
  const auto [verb, after_verb] = first_word(trim(text));
  const std::string lower = to_lower(verb);
  if (lower != "approve" && lower != "deny") return TypedElse{};
  if (after_verb.empty()) {
    return TypedWrong{fmt::format("`{}` alone does nothing: add the code from the card.", lower)};
  }
  const auto [typed_code, rest] = first_word(after_verb);
  const auto code = read_random_text(typed_code);
  if (!code || code->size() != kCodeLength) return TypedElse{};
  if (lower == "approve") {
    if (rest.empty()) return TypedApprove{*code};
    return TypedWrong{
        "Nothing was approved: type nothing after the code. An approval covers exactly what the card shows."};
  }
  if (count_characters(rest) > kMaxReason) {
    return TypedWrong{fmt::format("Nothing was denied: a reason may have at most {} characters.", kMaxReason)};
  }
  return TypedDeny{*code, std::string(rest)};
}

std::expected<std::string, CodeRefusal> find_by_code(std::span<const PendingCode> pending, std::string_view code,
                                                     int wrong_before) {
  if (wrong_before >= kCodeTries) return std::unexpected(CodeRefusal::no_tries_left);
  const auto typed = read_random_text(code);
  const PendingCode* found = nullptr;
  for (const PendingCode& one : pending) {
    if (!typed || one.code.size() != kCodeLength || one.code != *typed) continue;
    // Two cards with the same code: accept neither.
    if (found != nullptr) return std::unexpected(CodeRefusal::no_such_code);
    found = &one;
  }
  if (found == nullptr) return std::unexpected(CodeRefusal::no_such_code);
  return found->interaction;
}

std::string words(CodeRefusal refusal, int wrong_before) {
  if (refusal == CodeRefusal::no_tries_left) {
    return "Too many wrong codes: I no longer accept typed answers from you here. Use the card's buttons or the "
           "console.";
  }
  const int left = kCodeTries - wrong_before - 1;
  return fmt::format("No pending approval here has that code; {} left.",
                     left == 1 ? "1 try is" : fmt::format("{} tries are", left));
}

std::string make_token(const std::array<std::uint8_t, 13>& random) { return random_text(random, kTokenLength); }

bool is_token(std::string_view text) { return text.size() == kTokenLength && read_random_text(text) == text; }

std::string write_action(const Action& action) { return json::serialize(to_json(action)); }

Result<Action> read_action(std::string_view stored) {
  TRY(const json::object object, parse_json_object(stored));
  return parse_arguments<Action>(object);
}

std::string random_text(std::span<const std::uint8_t> bytes, std::size_t length) {
  std::string text;
  std::uint32_t bits = 0;
  int held = 0;
  for (const std::uint8_t byte : bytes) {
    bits = (bits << 8) | byte;
    for (held += 8; held >= 5 && text.size() < length; held -= 5) text += kAlphabet[(bits >> (held - 5)) & 31];
    if (text.size() == length) break;
  }
  return text;
}

std::optional<std::string> read_random_text(std::string_view typed) {
  std::string text = to_lower(typed);
  for (char& c : text) {
    c = as_written(c);
    if (!kAlphabet.contains(c)) return std::nullopt;
  }
  return text;
}

}  // namespace deputy::interaction
