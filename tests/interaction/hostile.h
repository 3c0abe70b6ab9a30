// Texts and forms made of pieces that break careless readers, for property tests.
#pragma once

#include <rapidcheck.h>

#include <set>
#include <string>
#include <vector>

#include "interaction/questions.h"

namespace deputy::test {}
namespace deputy::interaction::test {
using namespace deputy::test;  // `test::` means both here

inline rc::Gen<std::string> piece() {
  return rc::gen::oneOf(rc::gen::elementOf(std::vector<std::string>{"1",
                                                                    "2",
                                                                    "3",
                                                                    "9",
                                                                    "25",
                                                                    "26",
                                                                    "#1",
                                                                    "#2",
                                                                    "##1",
                                                                    ",",
                                                                    ", ",
                                                                    " ",
                                                                    "  ",
                                                                    "-",
                                                                    "1-2",
                                                                    "1,2",
                                                                    ".",
                                                                    ")",
                                                                    "a",
                                                                    "b",
                                                                    "A",
                                                                    "prod",
                                                                    "stop",
                                                                    "cancel",
                                                                    "skip",
                                                                    "skip form",
                                                                    "done",
                                                                    "\"",
                                                                    "“",
                                                                    "”",
                                                                    "„",
                                                                    "\n",
                                                                    "\r",
                                                                    "\t",
                                                                    "`",
                                                                    "```",
                                                                    "~~~",
                                                                    "\\",
                                                                    "\\u{",
                                                                    "\\x{",
                                                                    "u{202E}",
                                                                    "{",
                                                                    "}",
                                                                    ": ",
                                                                    "|",
                                                                    "  | ",
                                                                    "\u202E",
                                                                    "\u200B",
                                                                    "\u00A0",
                                                                    "\uFEFF",
                                                                    "e\u0301",
                                                                    "\U000E0041",
                                                                    "\xFF",
                                                                    "\xC3",
                                                                    "ü",
                                                                    "東",
                                                                    "approve",
                                                                    "deny",
                                                                    "k7m2p9",
                                                                    "yes",
                                                                    "ok",
                                                                    "text of 1 line, 1 character",
                                                                    "… 1 more character not shown"}),
                        rc::gen::map(rc::gen::arbitrary<char>(), [](char c) { return std::string(1, c); }));
}

inline rc::Gen<std::string> hostile_text() {
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(piece()),
                      [](const std::vector<std::string>& pieces) {
                        std::string text;
                        for (const std::string& one : pieces) text += one;
                        return text;
                      });
}

/// Not blank, short enough for a label.
inline rc::Gen<std::string> hostile_name() {
  return rc::gen::map(rc::gen::pair(piece(), piece()), [](const std::pair<std::string, std::string>& pieces) {
    const std::string name = pieces.first + (pieces.second.size() < 3 ? pieces.second : "");
    return name.find_first_not_of(" \t\r\n\v\f") == std::string::npos ? std::string("x") : name;
  });
}

inline Question any_question(std::string label) {
  Question question;
  question.label = std::move(label);
  question.question = "Which " + *hostile_name();
  question.multi_select = *rc::gen::arbitrary<bool>();
  std::set<std::string> values;
  const int wanted = *rc::gen::inRange(0, 8);
  bool selected = false;
  for (int i = 0; i < wanted; ++i) {
    Option option;
    option.label = *hostile_name();
    if (*rc::gen::arbitrary<bool>()) option.value = *hostile_name();
    if (!values.insert(option.answer()).second) continue;
    option.selected = (question.multi_select || !selected) && *rc::gen::arbitrary<bool>();
    selected = selected || option.selected;
    question.options.push_back(std::move(option));
  }
  if (question.options.size() < kLeastOptions) question.options.clear();
  question.allow_custom = question.options.empty() || *rc::gen::arbitrary<bool>();
  return question;
}

inline Form any_form() {
  Form form;
  const int count = *rc::gen::inRange(1, 4);
  for (int i = 0; i < count; ++i) form.questions.push_back(any_question("q" + std::to_string(i)));
  return form;
}

}  // namespace deputy::interaction::test
