// Typed answers to an approval: `approve CODE`, `deny CODE reason`, and nothing else. "yes", "ok" and `approve` alone
// answer nothing, whoever types them.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace deputy::interaction {

inline constexpr std::size_t kCodeLength = 6;
inline constexpr int kCodeTries = 5;
inline constexpr std::size_t kLongestReason = 1000;  // characters

/// A code of 30 random bits, from bytes of the system's generator.
std::string make_code(const std::array<std::uint8_t, 4>& random);

struct TypedApprove {
  std::string code;
  bool operator==(const TypedApprove&) const = default;
};
struct TypedDeny {
  std::string code;
  std::string reason;  // may be empty
  bool operator==(const TypedDeny&) const = default;
};
struct TypedWrong {   // it was meant as an answer and is none; nothing changes
  std::string words;  // what to type instead
  bool operator==(const TypedWrong&) const = default;
};
struct TypedElse {  // an ordinary message
  bool operator==(const TypedElse&) const = default;
};
using TypedDecision = std::variant<TypedApprove, TypedDeny, TypedWrong, TypedElse>;

/// A whole message, without the mention of the bot.
TypedDecision read_decision(std::string_view text);

struct PendingCode {
  std::string interaction;
  std::string code;
};

enum class CodeRefusal { no_such_code, no_tries_left };

/// The interaction that a typed code answers. `wrong_before` counts the wrong codes of this person in this
/// conversation; the caller keeps it, adds one for `no_such_code`, and forgets it after a right one.
std::expected<std::string, CodeRefusal> find_by_code(std::span<const PendingCode> pending, std::string_view code,
                                                     int wrong_before);

std::string words(CodeRefusal refusal, int wrong_before);

}  // namespace deputy::interaction
