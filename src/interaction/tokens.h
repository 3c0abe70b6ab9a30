// Callback identifiers: what a button or a field of a view carries. A token is opaque and short enough for every
// platform (20 bytes); what it means stands in the store beside the interaction, as the JSON of an Action. Nothing is
// trusted that came back but that the token is known.
//
// To add a control: a row of Control and of choices_of.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fields.h"

namespace deputy::interaction {

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

}  // namespace deputy::interaction
