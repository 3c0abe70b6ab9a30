// The parts of Block Kit that Deputy draws with, each within Slack's limits. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "channel/message.h"

namespace deputy::channel::slack::kit {

// Slack's limits, in characters.
inline constexpr std::size_t kMaxSection = 3'000;
inline constexpr std::size_t kMaxContext = 2'000;
inline constexpr std::size_t kMaxOptionText = 75;  // of buttons too
inline constexpr std::size_t kMaxLabel = 200;
inline constexpr std::size_t kMaxModalTitle = 24;

json::object plain_text(std::string_view text, std::size_t most);
json::object mrkdwn(std::string_view text, std::size_t most = kMaxSection);

json::object header(std::string_view text);
json::object section(std::string_view text);
json::object context(std::string_view text);
json::object divider();
/// Shown as it is: nothing in it is read as formatting.
json::object preformatted(std::string_view text);
json::object button(std::string_view label, const std::string& token, std::string_view name,
                    std::string_view style = "");

/// A view without a form, and one with a form, which comes back under the name `callback`. `data` comes back too.
json::object modal(std::string_view title, json::array blocks, const std::string& data);
json::object form_modal(std::string_view callback, std::string_view title, std::string_view submit, json::array blocks,
                        const std::string& data);

// Words of people and tools inside mrkdwn: no sign in them formats, links or notifies.
std::string as_code(std::string_view text);
std::string as_words(std::string_view text);

std::string mention_of(const policy::Account& account);
std::string mentions_of(const Mentions& mentions);

/// How many characters of it people read.
std::size_t text_in(const json::value& value);

/// The text of a message beside its blocks: an edit takes 4,000 bytes of it, in whatever script they are.
std::string notification(std::string_view mrkdwn);

}  // namespace deputy::channel::slack::kit
