#include "sim/slack/page/page.h"

#include <fmt/format.h>

#include <charconv>

#include "base/text.h"
#include "sim/slack/kit/block_rules.h"
#include "sim/slack/kit/shape.h"
#include "sim/slack/page/emoji.h"
#include "sim/slack/page/markup.h"
#include "sim/slack/page/page_blocks.h"
#include "sim/slack/page/page_style.h"

namespace deputy::sim::slack {
namespace {

/// "AB" for "Ann Bell", "D" for "deputy".
std::string initials(std::string_view name) {
  std::string letters;
  for (const auto word : split(name, " ")) {
    if (word.empty() || count_characters(letters) == 2) continue;
    const auto first = cut_characters(word, 1);
    letters += first.size() == 1 && is_lower(first[0]) ? std::string(1, static_cast<char>(first[0] - 'a' + 'A'))
                                                       : std::string(first);
  }
  return letters;
}

std::string avatar_html(std::string_view name) {
  unsigned sum = 0;
  for (const char c : name) sum = sum * 31 + static_cast<unsigned char>(c);
  return fmt::format(R"(<div class="avatar avatar{}">{}</div>)", sum % kAvatarColors, escape_html(initials(name)));
}

/// The time of a message's ts, in UTC.
std::string time_of(std::string_view ts) {
  std::int64_t seconds = 0;
  const auto whole = ts.substr(0, ts.find('.'));
  const auto [end, error] = std::from_chars(whole.data(), whole.data() + whole.size(), seconds);
  return error == std::errc() && end == whole.data() + whole.size() ? format_date(seconds, "{time}") : std::string();
}

std::string attachment_html(const json::object& attachment) {
  const auto color = text_at(attachment, "color");
  const bool known = is_attachment_color(color);
  const auto style = known && color.starts_with('#') ? fmt::format(R"( style="border-color: {}")", color) : "";
  const auto name = known && !color.starts_with('#') ? " " + color : "";
  std::string html;
  if (const auto* const blocks = find_array(attachment, "blocks")) html += blocks_html(*blocks);
  if (const auto author = text_at(attachment, "author_name"); !author.empty())
    html += fmt::format(R"(<div class="hint">{}</div>)", plain_html(author));
  if (const auto title = text_at(attachment, "title"); !title.empty()) {
    const auto url = text_at(attachment, "title_link");
    html += is_linkable(url) ? fmt::format(R"(<div><a href="{}" rel="noreferrer noopener"><b>{}</b></a></div>)",
                                           escape_html(url), plain_html(title))
                             : fmt::format("<div><b>{}</b></div>", plain_html(title));
  }
  html += mrkdwn_html(text_at(attachment, "text"));
  std::string fields;
  if (const auto* const list = find_array(attachment, "fields"))
    for (const auto& field : *list)
      if (field.is_object())
        fields += fmt::format("<div><b>{}</b><br>{}</div>", plain_html(text_at(field.get_object(), "title")),
                              mrkdwn_html(text_at(field.get_object(), "value")));
  if (!fields.empty()) html += fmt::format(R"(<div class="fields">{}</div>)", fields);
  if (html.empty()) html = mrkdwn_html(text_at(attachment, "fallback"));
  if (const auto footer = text_at(attachment, "footer"); !footer.empty())
    html += fmt::format(R"(<div class="hint">{}</div>)", plain_html(footer));
  const auto pretext = mrkdwn_html(text_at(attachment, "pretext"));
  return fmt::format(R"({}<div class="attachment{}"{}>{}</div>)", pretext, name, style, html);
}

std::string file_html(const json::object& file) {
  const auto title = text_at(file, "title");
  const auto name = escape_html(title.empty() ? text_at(file, "name") : title);
  if (const auto png = text_at(file, "png"); !png.empty())
    return fmt::format(
        R"(<figure class="picture"><figcaption>{0}</figcaption><img alt="{0}" src="data:image/png;base64,{1}"></figure>)",
        name, escape_html(png));
  return fmt::format(R"(<div class="file">📄 <div><b>{}</b><div class="hint">{}</div></div></div>)", name,
                     escape_html(text_at(file, "filetype")));
}

std::string reaction_html(const json::object& reaction) {
  const auto name = text_at(reaction, "name");
  const auto characters = emoji(name);
  const auto* const given = member(reaction, "count");
  const auto* const users = find_array(reaction, "users");
  const auto counted = given == nullptr ? std::nullopt : as_whole(*given);
  const auto count = counted.value_or(users == nullptr ? 1 : static_cast<std::int64_t>(users->size()));
  return fmt::format(R"(<span class="reaction">{} {}</span>)",
                     characters.empty() ? fmt::format(":{}:", escape_html(name)) : std::string(characters), count);
}

template <class Html>
std::string each(const json::array& list, Html html) {
  std::string result;
  for (const auto& value : list)
    if (value.is_object()) result += html(value.get_object());
  return result;
}

std::string content_html(const SeenMessage& message) {
  std::string html = chunks_html(message.chunks);
  const bool is_stream = message.streaming || !message.chunks.empty();
  // Blocks stand in place of the text, but after that of a stream.
  if (message.blocks.empty() || is_stream) {
    const bool markdown = message.markdown || is_stream;
    const auto text = markdown ? markdown_html(message.text) : mrkdwn_html(message.text);
    if (!text.empty()) html += fmt::format(R"(<div class="block rich">{}</div>)", text);
  }
  html += blocks_html(message.blocks);
  html += each(message.attachments, attachment_html);
  html += each(message.files, file_html);
  if (message.streaming) html += R"(<span class="cursor"></span>)";
  if (message.edited) html += R"(<span class="edited">(edited)</span>)";
  const auto reactions = each(message.reactions, reaction_html);
  return reactions.empty() ? html : html + fmt::format(R"(<div class="reactions">{}</div>)", reactions);
}

std::string message_html(const SeenMessage& message) {
  const auto notice = message.ephemeral ? R"(<div class="only-you">👁 Only visible to you</div>)" : "";
  return fmt::format(
      R"({}<article class="message{}">{}<div class="content"><div class="by"><b>{}</b>{}<time>{}</time></div>{}</div></article>)",
      notice, message.ephemeral ? " ephemeral" : "", avatar_html(message.user_name), escape_html(message.user_name),
      message.bot ? R"(<span class="app">APP</span>)" : "", time_of(message.ts), content_html(message));
}

std::string page(std::string_view title, std::string_view body, bool dark) {
  // The policy is a second wall: should anything slip through the escaping, it still loads and runs nothing.
  return to_valid_utf8(fmt::format(
      R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>{}</title><style>{}</style></head>
<body class="{}">{}</body></html>
)",
      escape_html(title), kPageStyle, dark ? "dark" : "light", body));
}

}  // namespace

std::string thread_page(std::string_view title, std::span<const SeenMessage> messages, bool dark) {
  std::string body = fmt::format(R"(<main class="thread"><h1>{}</h1>)", plain_html(title));
  for (std::size_t i = 0; i < messages.size(); ++i) {
    body += message_html(messages[i]);
    const bool is_parent = i == 0 && messages.size() > 1 && messages[1].thread_ts == messages[0].ts;
    const auto replies = messages.size() - 1;
    if (is_parent && !messages[0].ts.empty())
      body += fmt::format(R"(<div class="replies">{} {}</div>)", replies, replies == 1 ? "reply" : "replies");
  }
  return page(title, body + "</main>", dark);
}

std::string view_page(const json::value& view, bool dark) {
  static const json::object kNone;
  const auto& object = view.is_object() ? view.get_object() : kNone;
  const auto* const list = find_array(object, "blocks");
  const auto blocks = list == nullptr ? std::string() : blocks_html(*list);
  if (text_at(object, "type") == "home")
    return page("Home", fmt::format(R"(<main class="home">{}</main>)", blocks), dark);
  const auto title = text_object_html(member(object, "title"));
  const auto close = text_object_html(member(object, "close"));
  const auto submit = text_object_html(member(object, "submit"));
  const auto buttons =
      button_html(close.empty() ? "Close" : close, "") + (submit.empty() ? "" : button_html(submit, "primary"));
  const auto* const title_object = find_object(object, "title");
  return page(title_object == nullptr ? "" : text_at(*title_object, "text"),
              fmt::format(R"(<div class="backdrop"><main class="modal"><header>{}<span class="cross">✕</span></header>)"
                          R"(<div class="body">{}</div><footer>{}</footer></main></div>)",
                          title, blocks, buttons),
              dark);
}

}  // namespace deputy::sim::slack
