// Typed answers to an approval: `approve CODE`, `deny CODE reason`, and nothing else. "yes", "ok" and `approve` alone
// answer nothing, whoever types them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/fields.h"

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

// Callback identifiers: what a button or a field of a view carries. A token is opaque and short enough for every
// platform (20 bytes); what it means stands in the store beside the interaction, as the JSON of an Action. Nothing is
// trusted that came back but that the token is known.
//
// To add a control: a row of Control and of choices_of.

inline constexpr std::size_t kTokenLength = 20;

/// From 13 bytes of the system's generator: 100 bits, so a token cannot be guessed.
std::string make_token(const std::array<std::uint8_t, 13>& random);

/// It has the shape of one: worth looking up.
bool is_token(std::string_view text);

enum class Control {
  approve_once,
  approve_for_thread,
  approve_all,
  deny,
  deny_with_reason,
  show_whole,  // the full text of what a card folds
  ask_again,
  option,     // one option of one question
  own_words,  // the field, or the button before the next typed message
  done,
  submit,
  skip,
  open_form,
};

constexpr auto choices_of(Control) {
  return std::to_array<std::pair<Control, std::string_view>>({
      {Control::approve_once, "approve_once"},
      {Control::approve_for_thread, "approve_for_thread"},
      {Control::approve_all, "approve_all"},
      {Control::deny, "deny"},
      {Control::deny_with_reason, "deny_with_reason"},
      {Control::show_whole, "show_whole"},
      {Control::ask_again, "ask_again"},
      {Control::option, "option"},
      {Control::own_words, "own_words"},
      {Control::done, "done"},
      {Control::submit, "submit"},
      {Control::skip, "skip"},
      {Control::open_form, "open_form"},
  });
}

/// One interaction that a control acts on, and the digest of what its view showed.
struct Acted {
  std::string interaction;
  std::string digest;

  bool operator==(const Acted&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&Acted::interaction, "interaction", "Its id");
    f.optional(&Acted::digest, "digest", "Of what was shown with this control");
  }
};

struct Action {
  Control control = Control::skip;
  std::vector<Acted> on;                // one; several for approve_all
  std::optional<std::size_t> question;  // from 0
  std::optional<std::size_t> option;    // from 0

  bool operator==(const Action&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&Action::control, "control", "What was pressed");
    f.required(&Action::on, "on", "What it acts on");
    f.optional(&Action::question, "question", "Which question, from 0");
    f.optional(&Action::option, "option", "Which option, from 0");
  }
};

std::string write_action(const Action& action);
Result<Action> read_action(std::string_view stored);

// Random bytes as text that a person can read aloud: digits and lower-case letters without i, l, o and u. Reading minds
// neither case nor those letters: i and l are 1, o is 0.

/// `length` characters, five bits of the bytes each; there are enough bytes for them.
std::string random_text(std::span<const std::uint8_t> bytes, std::size_t length);

/// The one spelling of what was typed, or nothing when it has a character that no such text has.
std::optional<std::string> read_random_text(std::string_view typed);

}  // namespace deputy::interaction
