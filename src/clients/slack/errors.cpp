#include "clients/slack/errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"

namespace deputy::clients::slack {

namespace {

struct Meaning {
  std::string_view code;
  ErrorKind kind;
  std::string_view message;
  std::string_view hint;
};

constexpr std::string_view kNewToken = "install the app again and set the new token (SLACK_BOT_TOKEN)";

// Sorted by code.
constexpr auto kMeanings = std::to_array<Meaning>({
    {"account_inactive", ErrorKind::authentication, "Slack says that the token's account is deactivated", kNewToken},
    {"already_reacted", ErrorKind::conflict, "that reaction is already there", ""},
    {"bad_timestamp", ErrorKind::invalid_input, "this is not the timestamp of a Slack message",
     "a timestamp looks like 1700000000.000100"},
    {"cannot_reply_to_message", ErrorKind::invalid_input, "Slack allows no replies to that message", ""},
    {"cant_delete_message", ErrorKind::permission, "Slack does not let the app delete that message",
     "an app can delete its own messages only"},
    {"cant_update_message", ErrorKind::permission, "Slack does not let the app edit that message",
     "an app can edit its own messages only"},
    {"channel_is_limited_access", ErrorKind::permission, "the channel restricts who may use it", ""},
    {"channel_not_found", ErrorKind::not_found, "Slack knows no such channel, or the app cannot see it",
     "check the name or use an ID, and invite the app to a private channel with /invite"},
    {"channel_type_not_supported", ErrorKind::invalid_input, "Slack does not allow this in a channel of that type", ""},
    {"edit_window_closed", ErrorKind::conflict, "the message can no longer be edited", ""},
    {"exchanged_trigger_id", ErrorKind::conflict, "the form was opened already", "click again"},
    {"expired_trigger_id", ErrorKind::timeout, "the click is more than 3 seconds old, so no form can be opened for it",
     "click again"},
    {"feature_not_enabled", ErrorKind::not_configured, "this feature is off in the Slack workspace", ""},
    {"file_deleted", ErrorKind::not_found, "the file was deleted", ""},
    {"file_not_found", ErrorKind::not_found, "Slack knows no such file, or the app cannot see it",
     "use the file's ID, and invite the app to its channel with /invite"},
    {"file_uploads_disabled", ErrorKind::permission, "uploads are off in this Slack workspace", ""},
    {"hash_conflict", ErrorKind::conflict, "the view has changed meanwhile", ""},
    {"invalid_action_token", ErrorKind::invalid_input, "Slack's permission to search for this message has run out",
     "mention Deputy again and search then"},
    {"invalid_auth", ErrorKind::authentication, "Slack does not accept the token", kNewToken},
    {"invalid_blocks", ErrorKind::invalid_input, "Slack refuses the blocks of the message", ""},
    {"invalid_blocks_format", ErrorKind::invalid_input, "Slack cannot read the blocks of the message", ""},
    {"invalid_cursor", ErrorKind::invalid_input, "Slack no longer knows this page", "begin with the first page again"},
    {"invalid_name", ErrorKind::invalid_input, "there is no emoji of that name",
     "use a name without colons, such as white_check_mark"},
    {"is_archived", ErrorKind::conflict, "the channel is archived", "unarchive it, or use another channel"},
    {"message_not_found", ErrorKind::not_found, "there is no such message", "check channel and timestamp"},
    {"message_not_in_streaming_state", ErrorKind::conflict, "the streamed message has ended", ""},
    {"messages_tab_disabled", ErrorKind::permission, "the app's Messages tab is off",
     "turn it on under App Home in the app's settings"},
    {"method_deprecated", ErrorKind::not_configured, "Slack no longer has this method", ""},
    {"missing_scope", ErrorKind::permission, "the token lacks a scope", ""},
    {"msg_blocks_too_long", ErrorKind::invalid_input, "the blocks of the message are too long", "shorten the text"},
    {"msg_too_long", ErrorKind::invalid_input, "the message is too long", "shorten the text"},
    {"no_reaction", ErrorKind::conflict, "that reaction is not there", ""},
    {"no_text", ErrorKind::invalid_input, "the text cannot be empty", "write some text"},
    {"not_authed", ErrorKind::authentication, "Slack got no token", kNewToken},
    {"not_enabled", ErrorKind::not_configured, "the app's Home tab is off",
     "turn it on under App Home in the app's settings"},
    {"not_in_channel", ErrorKind::permission, "the app is not a member of the channel",
     "invite the bot with /invite @deputy"},
    {"plan_upgrade_required", ErrorKind::permission, "the workspace's plan does not have this", ""},
    {"restricted_action", ErrorKind::permission, "a setting of the workspace forbids this", "ask a Slack admin"},
    {"stopped_by_user", ErrorKind::conflict, "the person stopped the answer", ""},
    {"streaming_state_conflict", ErrorKind::conflict, "the message is still being streamed", ""},
    {"team_access_not_granted", ErrorKind::permission, "the app has no access to that workspace", ""},
    {"thread_not_found", ErrorKind::not_found, "there is no such thread", "check thread_ts"},
    {"token_expired", ErrorKind::authentication, "the token has expired", kNewToken},
    {"token_revoked", ErrorKind::authentication, "the token was revoked", kNewToken},
    {"unknown_method", ErrorKind::not_configured, "Slack has no such method here", ""},
    {"user_disabled", ErrorKind::not_found, "the account is deactivated", ""},
    {"user_not_found", ErrorKind::not_found, "Slack knows no such person", "use the person's ID, such as U012AB3CD"},
    {"user_not_in_channel", ErrorKind::permission, "the person is not a member of the channel", ""},
    {"user_not_visible", ErrorKind::permission, "the app cannot see that person", ""},
    {"users_not_found", ErrorKind::not_found, "Slack knows nobody with that e-mail address", ""},
});
static_assert(std::ranges::is_sorted(kMeanings, {}, &Meaning::code));

constexpr auto kUnknownFate = std::to_array<std::string_view>(
    {"fatal_error", "internal_error", "messaging_processing_failed", "request_timeout", "service_unavailable"});
// No retry helps before somebody changes the app or its tokens.
constexpr auto kTerminal = std::to_array<std::string_view>(
    {"forbidden_team", "not_allowed_token_type", "org_login_required", "team_disabled", "user_removed_from_team"});

// Slack's own remarks, such as which block is wrong. They may quote what was sent, so only the first and only a part.
std::string remark_in(const json::object& reply) {
  const json::object* metadata = find_object(reply, "response_metadata");
  const json::value* messages = metadata == nullptr ? nullptr : metadata->if_contains("messages");
  if (messages == nullptr || !messages->is_array() || messages->get_array().empty()) return "";
  const json::value& first = messages->get_array().front();
  return first.is_string() ? cut_with_mark(to_valid_utf8(std::string(as_view(first.get_string()))), 200) : "";
}

}  // namespace

bool is_of_unknown_fate(std::string_view code) { return contains(kUnknownFate, code); }

Error error_of(const Method& method, const json::object& reply) {
  const std::string code = cut_with_mark(to_valid_utf8(text_at(reply, "error")), 100);
  if (is_of_unknown_fate(code)) {
    Error error{ErrorKind::upstream, fmt::format("Slack failed at {} ({})", method.name, code), "", true};
    // The contract of channels: an error of kind network may have arrived.
    if (!method.repeatable) error.kind = ErrorKind::network;
    return error;
  }
  const auto found = std::ranges::lower_bound(kMeanings, code, {}, &Meaning::code);
  if (contains(kTerminal, code))
    return {ErrorKind::authentication, fmt::format("Slack refused {}: {}", method.name, code), std::string(kNewToken)};
  if (found == kMeanings.end() || found->code != code)
    return {ErrorKind::upstream, fmt::format("Slack refused {}: {}", method.name, code.empty() ? "no reason" : code),
            remark_in(reply)};
  Error error{found->kind, fmt::format("{} ({}: {})", found->message, method.name, code), std::string(found->hint)};
  if (code == "missing_scope") {
    const std::string needed = cut_with_mark(text_at(reply, "needed"), 100);
    error.hint = fmt::format("add the scope {} to the app and install it again", needed.empty() ? "it needs" : needed);
  }
  if (code == "invalid_blocks") error.hint = remark_in(reply);
  return error;
}

}  // namespace deputy::clients::slack
