// What a card shows: nothing hides in it, nothing leaves its fence, and two different arguments never look the same.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "base/text.h"
#include "interaction/arguments.h"
#include "interaction/escape.h"
#include "interaction/hostile.h"
#include "interaction/text_form.h"

namespace deputy::interaction {
namespace {

using test::hostile_text;

// Its own reading of an escape, and its own list of what hides.
std::string unescape(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const bool character = text.starts_with("\\u{"), byte = text.starts_with("\\x{");
    if (!character && !byte) {
      out += text.front();
      text.remove_prefix(1);
      continue;
    }
    const std::size_t end = text.find('}');
    const auto code = static_cast<std::uint32_t>(std::stoul(std::string(text.substr(3, end - 3)), nullptr, 16));
    text.remove_prefix(end + 1);
    if (byte || code < 0x80) {
      out += static_cast<char>(code);
    } else if (code < 0x800) {
      out += static_cast<char>(0xC0 | (code >> 6));
      out += static_cast<char>(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
      out += static_cast<char>(0xE0 | (code >> 12));
      out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
      out += static_cast<char>(0x80 | (code & 0x3F));
    } else {
      out += static_cast<char>(0xF0 | (code >> 18));
      out += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
      out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
      out += static_cast<char>(0x80 | (code & 0x3F));
    }
  }
  return out;
}

bool hides(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || c == 0x061C || c == 0x115F || c == 0x180E || c == 0x3164 ||
         c == 0xFEFF || c == 0x200B || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2060 && c <= 0x2064) || (c >= 0x2066 && c <= 0x2069) || (c >= 0xFE00 && c <= 0xFE0E) ||
         (c >= 0xE0000 && c <= 0xE01EF);
}

bool nothing_hides(std::string_view text, bool lines) {
  while (!text.empty()) {
    const CodePoint next = decode_utf8(text);
    if (!next.valid || (hides(next.value) && !(lines && next.value == '\n'))) return false;
    text.remove_prefix(next.bytes);
  }
  return true;
}

RC_GTEST_PROP(EscapeProperty, CanBeReadBackInOneWay, ()) {
  const std::string text = *hostile_text();
  for (const std::string& shown :
       {escape(text, Showing::exactly), escape(text, Showing::as_prose), escape_with_spaces(text), escape_line(text)}) {
    RC_ASSERT(unescape(shown) == text);
    RC_ASSERT(nothing_hides(shown, false));
  }
}

TEST(EscapeProperty, EveryCharacterThatHidesIsEscaped) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (hides(c)) {
      EXPECT_TRUE(is_hidden(c, Showing::exactly) && is_hidden(c, Showing::as_prose))
          << std::hex << static_cast<std::uint32_t>(c);
    }
    if (c >= 0x20 && c < 0x7F) {
      EXPECT_FALSE(is_hidden(c, Showing::exactly));
    }
  }
}

// CommonMark: a fence ends at a line of at least as many backticks after at most three spaces.
bool fence_holds(std::string_view markdown) {
  const std::size_t ticks = markdown.find_first_not_of('`');
  std::vector<std::string_view> lines = split(markdown, "\n");
  for (std::size_t i = 1; i + 2 < lines.size(); ++i) {
    std::string_view line = lines[i];
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.starts_with(std::string(ticks, '`'))) return false;
  }
  return ticks >= 3 && lines.size() >= 3 && lines[lines.size() - 2] == lines[0];
}

RC_GTEST_PROP(MarkdownProperty, AFenceHolds, ()) { RC_ASSERT(fence_holds(fenced(*hostile_text()))); }

RC_GTEST_PROP(MarkdownProperty, ACodeSpanHolds, ()) {
  const std::string text = *hostile_text();
  RC_PRE(!text.empty());
  const std::string span = code_span(text);
  const std::size_t ticks = span.find_first_not_of('`');
  RC_ASSERT(ticks != std::string::npos && span.ends_with(std::string(ticks, '`')));
  // No run of exactly that many ends it early.
  std::size_t run = 0;
  for (const char c : span.substr(ticks, span.size() - 2 * ticks)) {
    run = c == '`' ? run + 1 : 0;
    RC_ASSERT(run < ticks);
  }
  RC_ASSERT(nothing_hides(span, false));
}

json::value any_value(int depth) {
  switch (*rc::gen::inRange(0, depth > 2 ? 3 : 5)) {
    case 0:
      return json::value(*rc::gen::inRange(-3, 30));
    case 1:
      return json::value(*rc::gen::arbitrary<bool>());
    case 2:
      return json::value(*hostile_text());
    case 3: {
      json::array list;
      const int count = *rc::gen::inRange(0, 3);
      for (int i = 0; i < count; ++i) list.push_back(any_value(depth + 1));
      return list;
    }
    default: {
      json::object object;
      const int count = *rc::gen::inRange(0, 3);
      for (int i = 0; i < count; ++i) object[*hostile_text()] = any_value(depth + 1);
      return object;
    }
  }
}

json::object any_arguments() {
  json::object arguments;
  const int count = *rc::gen::inRange(0, 4);
  for (int i = 0; i < count; ++i) arguments[*test::hostile_name()] = any_value(1);
  return arguments;
}

// Reads a card's lines back: its own parser, so two arguments that look the same would show.
json::object read_back(std::string_view text) {
  json::object arguments;
  std::vector<std::string_view> lines = split(text, "\n");
  lines.pop_back();
  for (std::size_t i = 0; i < lines.size();) {
    std::string_view line = lines[i++];
    std::string block;
    const bool has_block = i < lines.size() && lines[i].starts_with("  | ");
    for (bool first = true; i < lines.size() && lines[i].starts_with("  | "); ++i, first = false) {
      block += (first ? "" : "\n") + unescape(lines[i].substr(4));
    }
    // The name ends at the last ": " after which there is a value.
    for (std::size_t at = line.find(": "); at != std::string_view::npos; at = line.find(": ", at + 1)) {
      const std::string name = unescape(line.substr(0, at)), value = std::string(line.substr(at + 2));
      if (has_block) {
        if (line.find(": text of ", at) != at && line.find(": JSON of ", at) != at) continue;
        if (line.find(": text of ", at + 1) != std::string_view::npos ||
            line.find(": JSON of ", at + 1) != std::string_view::npos)
          continue;
        arguments[name] = value.starts_with("text of ") ? json::value(block) : parse_json(block).value();
        break;
      }
      if (const auto parsed = parse_json(unescape(value))) {
        arguments[name] = *parsed;
        break;
      }
    }
  }
  return arguments;
}

RC_GTEST_PROP(ArgumentsProperty, WhatIsShownSaysExactlyWhatItIs, ()) {
  const json::object arguments = any_arguments();
  RC_PRE(is_valid_utf8(canonical_json(arguments)));
  const Preformatted shown = show_arguments(arguments, Fold::nothing());
  RC_ASSERT(shown.whole);
  RC_ASSERT(canonical_json(read_back(shown.text)) == canonical_json(arguments));
}

RC_GTEST_PROP(ArgumentsProperty, NothingHidesOnACard, ()) {
  ApprovalView view;
  view.approval.run = *hostile_text();
  view.approval.requester = *hostile_text();
  view.approval.tool = *hostile_text();
  view.approval.target = *hostile_text();
  view.approval.environment = *hostile_text();
  view.approval.why = {*hostile_text()};
  view.approval.arguments = any_arguments();
  view.approval.preview = any_value(1);
  RC_ASSERT(nothing_hides(approval_text(view, Zone{}).markdown, true));
  RC_ASSERT(nothing_hides(
      settled_text(view, Settled{State::denied, *hostile_text(), {}, Scope::once, *hostile_text()}, Zone{}), true));
  RC_ASSERT(nothing_hides(notification_line(view.approval), false));
}

RC_GTEST_PROP(ArgumentsProperty, NothingHidesOnAForm, ()) {
  const Form form = test::any_form();
  RC_ASSERT(nothing_hides(question_text(form, begin(form), {}, Zone{}, Writers::one), true));
}

}  // namespace
}  // namespace deputy::interaction
