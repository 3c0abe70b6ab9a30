#include "channel/slack/text.h"

#include <fmt/format.h>

#include "base/text.h"
#include "channel/markdown_line.h"

namespace deputy::channel::slack {

namespace {

constexpr std::string_view kFence = "```";

// Slack reads a sign of formatting only if it stands beside text, and knows no escapes.
std::string wrapped(std::string_view text, std::string_view sign) {
  const std::string_view inner = trim(text);
  if (inner.empty()) return std::string(text);
  const std::size_t before = static_cast<std::size_t>(inner.data() - text.data());
  return fmt::format("{}{}{}{}{}", text.substr(0, before), sign, inner, sign, text.substr(before + inner.size()));
}

std::string span_as_mrkdwn(const Span& span) {
  if (span.code) return "`" + escape(span.text) + "`";
  std::string text = escape(span.text);
  if (!span.address.empty()) {
    std::string label = text;
    for (char& c : label) c = c == '|' ? '/' : c;
    text = label.empty() || label == span.address ? "<" + escape(span.address) + ">"
                                                  : "<" + escape(span.address) + "|" + label + ">";
  }
  if (span.italic) text = wrapped(text, "_");
  if (span.bold) text = wrapped(text, "*");
  return text;
}

std::string spans_as_mrkdwn(std::string_view line) {
  std::string text;
  for (const Span& span : spans_of(line)) text += span_as_mrkdwn(span);
  return text;
}

std::string line_as_mrkdwn(std::string_view line) {
  if (const Heading heading = heading_of(line); heading.depth > 0) return wrapped(spans_as_mrkdwn(heading.words), "*");
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  const std::string_view rest = line.substr(indent);
  const bool is_item = rest.size() > 1 && (rest[0] == '-' || rest[0] == '*' || rest[0] == '+') && rest[1] == ' ';
  if (is_item) return fmt::format("{}• {}", line.substr(0, indent), spans_as_mrkdwn(rest.substr(2)));
  if (rest.starts_with('>')) return ">" + spans_as_mrkdwn(rest.substr(1));
  return spans_as_mrkdwn(line);
}

/// What stands between `<` and `>`.
struct Token {
  std::string_view target;  // "@U1", "#C1", "!here", "https://example.com"
  std::string_view label;
};

Token token_of(std::string_view inside) {
  const std::size_t bar = inside.find('|');
  if (bar == std::string_view::npos) return {inside, {}};
  return {inside.substr(0, bar), inside.substr(bar + 1)};
}

std::string named(std::string_view sign, std::string_view id, std::string_view label, const NameOf& name_of) {
  std::string name(label);
  if (name.empty()) name = name_of(id);
  if (name.empty()) name = id;
  return name.starts_with(sign) ? name : std::string(sign) + name;
}

std::string token_as_text(const Token& token, const NameOf& name_of) {
  const auto& [target, label] = token;
  if (target.starts_with('@')) return named("@", target.substr(1), label, name_of);
  if (target.starts_with('#')) return named("#", target.substr(1), label, name_of);
  if (target.starts_with("!subteam^")) return named("@", target.substr(9), label, name_of);
  if (target.starts_with("!date^")) return std::string(label);
  if (target.starts_with('!')) return "@" + std::string(target.substr(1));
  if (label.empty() || label == target) return std::string(target);
  return fmt::format("{} ({})", label, target);
}

// Calls `plain` with the text between tokens and `token` with each token, in order.
template <class Plain, class OnToken>
void walk(std::string_view mrkdwn, Plain plain, OnToken on_token) {
  while (!mrkdwn.empty()) {
    const std::size_t open = mrkdwn.find('<');
    const std::size_t close = open == std::string_view::npos ? open : mrkdwn.find('>', open);
    if (close == std::string_view::npos) return plain(mrkdwn);
    plain(mrkdwn.substr(0, open));
    on_token(token_of(mrkdwn.substr(open + 1, close - open - 1)), mrkdwn.substr(open, close - open + 1));
    mrkdwn.remove_prefix(close + 1);
  }
}

}  // namespace

std::string escape(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) {
    if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if (c == '>')
      escaped += "&gt;";
    else
      escaped += c;
  }
  return escaped;
}

std::string unescape(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  while (!text.empty()) {
    const auto take = [&](std::string_view entity, char c) {
      if (!text.starts_with(entity)) return false;
      plain += c;
      text.remove_prefix(entity.size());
      return true;
    };
    if (take("&lt;", '<') || take("&gt;", '>') || take("&amp;", '&')) continue;
    plain += text.front();
    text.remove_prefix(1);
  }
  return plain;
}

std::string to_mrkdwn(std::string_view markdown) {
  std::string text;
  CodeBlocks blocks;
  for (const std::string_view line : split(markdown, "\n")) {
    if (!text.empty()) text += '\n';
    switch (blocks.next(line)) {
      case CodeBlocks::Line::fence:
        text += kFence;  // Slack would print the language
        break;
      case CodeBlocks::Line::code:
        text += escape(line);
        break;
      case CodeBlocks::Line::prose:
        text += line_as_mrkdwn(line);
        break;
    }
  }
  return text;
}

std::string readable(std::string_view mrkdwn, const NameOf& name_of) {
  std::string text;
  walk(
      mrkdwn, [&](std::string_view plain) { text += unescape(plain); },
      [&](const Token& token, std::string_view) { text += unescape(token_as_text(token, name_of)); });
  return text;
}

Addressed read_mentions(std::string_view mrkdwn, std::string_view our_user) {
  Addressed mentions;
  walk(
      mrkdwn, [&](std::string_view plain) { mentions.rest += plain; },
      [&](const Token& token, std::string_view whole) {
        const bool is_person = token.target.starts_with('@');
        if (is_person && token.target.substr(1) == our_user) {
          mentions.us = true;
          return;
        }
        mentions.others = mentions.others || is_person || token.target.starts_with("!subteam^");
        mentions.rest += whole;
      });
  mentions.rest = std::string(trim(mentions.rest));
  return mentions;
}

}  // namespace deputy::channel::slack
