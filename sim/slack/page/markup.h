// Text as Slack shows it: its own markup (mrkdwn) and standard Markdown as HTML. Whatever is not markup is escaped, so
// the result can stand in a page; it has no scripts, no images and only links to the web and to mail.
#pragma once

#include <string>
#include <string_view>

namespace deputy::sim::slack {

/// Slack's markup: *bold*, _italic_, ~strike~, `code`, fences, quotes, <tokens>, :emoji:. Line breaks stay.
std::string mrkdwn_html(std::string_view text);

/// Standard Markdown as markdown blocks and `markdown_text` take it: headings, lists, tables, fences, quotes, rules.
std::string markdown_html(std::string_view text);

/// Plain text: nothing but emoji names means anything.
std::string plain_html(std::string_view text);

/// Mrkdwn as a person reads it aloud: tokens become their labels, escapes the characters they stand for; markers stay.
std::string mrkdwn_text(std::string_view text);

/// Safe between tags and in quoted attributes.
std::string escape_html(std::string_view text);

/// True for an address that a page may link to.
bool is_linkable(std::string_view url);

/// A moment in Slack's date format, "{date_num} {time}", in UTC; other braces stay as they are.
std::string format_date(std::int64_t seconds, std::string_view format);

}  // namespace deputy::sim::slack
