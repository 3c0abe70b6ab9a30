// Slack's own text format (mrkdwn), both ways. Pure.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace deputy::channel::slack {

/// `&`, `<` and `>` as Slack wants them in all text; nothing else is escaped there.
std::string escape(std::string_view text);
std::string unescape(std::string_view text);

/// Markdown as mrkdwn, for notifications and for clients that show no blocks. Nothing in it notifies anybody.
std::string to_mrkdwn(std::string_view markdown);

/// The name of a user, channel or group by its id; empty if it is not known.
using NameOf = std::function<std::string(std::string_view id)>;

/// mrkdwn as a reader sees it: `<@U1>` as "@Ana", `<https://example.com|the page>` as "the page (https://example.com)".
std::string readable(std::string_view mrkdwn, const NameOf& name_of);

/// Who a message is for.
struct Addressed {
  bool us = false;
  bool others = false;  // people or groups
  std::string rest;     // the text without the mentions of us
};
Addressed read_mentions(std::string_view mrkdwn, std::string_view our_user);

}  // namespace deputy::channel::slack
