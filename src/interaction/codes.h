// Answers to an interaction that arrive as text or as a click: typed codes and the tokens of buttons.
//
// A typed approval is `approve CODE` or `deny CODE reason` and nothing else. "yes", "ok" and a bare `approve` answer
// nothing, whoever types them.
//
// A token is what a button or a field of a view carries: opaque, and short enough for every platform (20 bytes). Its
// meaning is stored with the interaction, as the JSON of an Action. Nothing that comes back is trusted except that the
// token is known.
//
// To add a control: a row of Control and of choices_of.
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
inline constexpr std::size_t kMaxReason = 1000;  // characters

/// A code of 30 bits, from bytes of the system's random generator.
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
struct TypedWrong {   // meant as an answer but invalid; nothing changes
  std::string words;  // what to type instead
  bool operator==(const TypedWrong&) const = default;
};
struct TypedElse {  // an ordinary message
  bool operator==(const TypedElse&) const = default;
};
using TypedDecision = std::variant<TypedApprove, TypedDeny, TypedWrong, TypedElse>;

/// Reads a whole message, without the mention of the bot.
TypedDecision read_decision(std::string_view text);

struct PendingCode {
  std::string interaction;
  std::string code;
};

enum class CodeRefusal { no_such_code, no_tries_left };

/// The interaction that a typed code answers. `wrong_before` counts this person's wrong codes in this conversation; the
/// caller keeps it, adds one for `no_such_code`, and resets it after a correct code.
std::expected<std::string, CodeRefusal> find_by_code(std::span<const PendingCode> pending, std::string_view code,
                                                     int wrong_before);

std::string words(CodeRefusal refusal, int wrong_before);

inline constexpr std::size_t kTokenLength = 20;

/// From 13 bytes of the system's random generator: 100 bits, so a token cannot be guessed.
std::string make_token(const std::array<std::uint8_t, 13>& random);

/// True if it has the form of a token and is worth looking up.
bool is_token(std::string_view text);

enum class Control {
  approve_once,
  approve_for_thread,
  approve_all,
  deny,
  deny_with_reason,
  show_whole,  // the full text of a folded card
  ask_again,
  option,     // one option of one question
  own_words,  // the text field, or the button before the next typed message
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

/// An interaction that a control acts on, and the digest of what was shown.
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

/// Encodes random bytes as text that people can read aloud: digits and lower-case letters without i, l, o and u, five
/// bits each. `bytes` must be enough for `length` characters.
std::string random_text(std::span<const std::uint8_t> bytes, std::size_t length);

/// Normalises typed text: ignores case, reads i and l as 1 and o as 0. Empty if it contains any other character.
std::optional<std::string> read_random_text(std::string_view typed);

}  // namespace deputy::interaction
