#include "sim/slack/kit/manifest.h"

#include <fmt/format.h>

#include "base/text.h"

namespace deputy::sim::slack {
namespace {

constexpr std::string_view kBotScopes =
    "app_mentions:read assistant:write bookmarks:read bookmarks:write calls:read calls:write channels:history "
    "channels:join channels:manage channels:read channels:write.invites channels:write.topic chat:write "
    "chat:write.customize chat:write.public commands conversations.connect:manage conversations.connect:read "
    "conversations.connect:write datastore:read datastore:write dnd:read emoji:read files:read files:write "
    "groups:history groups:read groups:write groups:write.invites groups:write.topic im:history im:read im:write "
    "incoming-webhook links.embed:write links:read links:write metadata.message:read mpim:history mpim:read "
    "mpim:write mpim:write.invites mpim:write.topic pins:read pins:write reactions:read reactions:write "
    "reminders:read reminders:write remote_files:read remote_files:share remote_files:write search:read.files "
    "search:read.public search:read.users team.billing:read team.preferences:read team:read tokens.basic "
    "triggers:read triggers:write usergroups:read usergroups:write users.profile:read users:read users:read.email "
    "users:write workflow.steps:execute";

constexpr std::string_view kUserScopes =
    "admin admin.analytics:read admin.app_activities:read admin.apps:read admin.apps:write admin.barriers:read "
    "admin.barriers:write admin.conversations:read admin.conversations:write admin.invites:read "
    "admin.invites:write admin.roles:read admin.roles:write admin.teams:read admin.teams:write "
    "admin.usergroups:read admin.usergroups:write admin.users:read admin.users:write admin.workflows:read "
    "admin.workflows:write auditlogs:read bookmarks:read bookmarks:write calls:read calls:write channels:history "
    "channels:read channels:write channels:write.invites channels:write.topic chat:write chat:write:bot "
    "chat:write:user commands dnd:read dnd:write email emoji:read files:read files:write files:write:user "
    "groups:history groups:read groups:write groups:write.invites groups:write.topic identity.avatar "
    "identity.basic identity.email identity.team im:history im:read im:write incoming-webhook links.embed:write "
    "links:read links:write mpim:history mpim:read mpim:write mpim:write.invites mpim:write.topic openid "
    "pins:read pins:write profile reactions:read reactions:write reminders:read reminders:write remote_files:read "
    "remote_files:share search:read search:read.files search:read.im search:read.mpim search:read.private "
    "search:read.public search:read.users stars:read stars:write team.billing:read team.preferences:read "
    "team:read tokens.basic usergroups:read usergroups:write users.profile:read users.profile:write users:read "
    "users:read.email users:write";

constexpr std::string_view kEvents =
    "agent_session_stopped agent_session_title_changed app_context_changed app_home_opened app_mention "
    "app_requested app_uninstalled assistant_thread_context_changed assistant_thread_started call_rejected "
    "channel_archive channel_created channel_deleted channel_history_changed channel_id_changed channel_left "
    "channel_rename channel_shared channel_unarchive channel_unshared dnd_updated dnd_updated_user "
    "email_domain_changed emoji_changed entity_details_requested file_change file_comment_added "
    "file_comment_deleted file_comment_edited file_created file_deleted file_public file_shared file_unshared "
    "function_executed grid_migration_finished grid_migration_started group_archive group_close group_deleted "
    "group_history_changed group_left group_open group_rename group_unarchive im_close im_created "
    "im_history_changed im_open invite_requested link_shared member_joined_channel member_left_channel "
    "message.app_home message.channels message.groups message.im message.mpim message_metadata_deleted "
    "message_metadata_posted message_metadata_updated pin_added pin_removed reaction_added reaction_removed "
    "resources_added resources_removed scope_denied scope_granted shared_channel_invite_accepted "
    "shared_channel_invite_approved shared_channel_invite_declined shared_channel_invite_received star_added "
    "star_removed subteam_created subteam_members_changed subteam_self_added subteam_self_removed subteam_updated "
    "team_access_granted team_access_revoked team_domain_change team_join team_rename tokens_revoked user_change "
    "user_huddle_changed user_profile_changed user_resource_denied user_resource_granted user_resource_removed "
    "user_status_changed workflow_deleted workflow_published workflow_step_deleted workflow_step_execute "
    "workflow_unpublished";

/// The bot scopes without which Slack does not deliver an event.
constexpr std::pair<std::string_view, std::string_view> kScopeOfEvent[] = {
    {"app_mention", "app_mentions:read"},
    {"assistant_thread_context_changed", "assistant:write"},
    {"assistant_thread_started", "assistant:write"},
    {"message.channels", "channels:history"},
    {"message.groups", "groups:history"},
    {"message.im", "im:history"},
    {"message.mpim", "mpim:history"},
    {"reaction_added", "reactions:read"},
    {"reaction_removed", "reactions:read"},
};

bool is_color(std::string_view text) {
  return (text.size() == 4 || text.size() == 7) && text[0] == '#' &&
         text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string_view::npos;
}

bool is_bot_name(std::string_view text) {
  return std::ranges::all_of(text,
                             [](char c) { return is_lower(c) || is_digit(c) || c == '-' || c == '_' || c == '.'; });
}

bool is_command(std::string_view text) {
  return text.size() > 1 && text[0] == '/' &&
         std::ranges::all_of(text.substr(1), [](char c) { return is_lower(c) || is_digit(c) || c == '-' || c == '_'; });
}

// Strings for which Slack publishes no limit.
constexpr std::int64_t kAny = 3000;

constexpr Field kManifest[] = {
    object("_metadata", "part/metadata"), object("display_information", "part/display").required(),
    object("features", "part/features"), object("oauth_config", "part/oauth"), object("settings", "part/settings")};
constexpr Field kMetadata[] = {whole("major_version", 1, 2), whole("minor_version", 0, kUnlimited - 1)};
constexpr Field kDisplay[] = {text("name", 35).required(), text("description", 140),
                              text("long_description", 4000, 174),
                              text("background_color", 7).like({"must be a valid hex color", is_color})};

constexpr Field kFeatures[] = {object("bot_user", "part/bot_user"),
                               object("app_home", "part/app_home"),
                               object("agent_view", "part/agent_view"),
                               object("assistant_view", "part/assistant_view"),
                               objects("slash_commands", "part/slash_command", 1, 50),
                               objects("shortcuts", "part/shortcut", 1, 10),
                               texts("unfurl_domains", 1, 5).each_up_to(255)};
constexpr Field kBotUser[] = {
    text("display_name", 80).like({"may hold a-z, 0-9, -, _ and . only", is_bot_name}).required(),
    flag("always_online")};
constexpr Field kAppHome[] = {flag("home_tab_enabled"), flag("messages_tab_enabled"),
                              flag("messages_tab_read_only_enabled")};
constexpr Field kAgentView[] = {text("agent_description", 300).required(),
                                objects("suggested_prompts", "part/prompt", 1, 4),
                                objects("actions", "part/agent_action", 1, 100)};
constexpr Field kAssistantView[] = {text("assistant_description", 300).required(),
                                    objects("suggested_prompts", "part/prompt", 1, 4)};
constexpr Field kPrompt[] = {text("title", kAny).required(), text("message", kAny).required()};
constexpr Field kAgentAction[] = {text("name", kAny).required(), text("description", kAny).required()};
constexpr Field kSlashCommand[] = {text("command", 32)
                                       .like({"must be a slash and then a-z, 0-9, - or _", is_command})
                                       .unique_in(Unique::in_document)
                                       .required(),
                                   text("description", 2000).required(), text("usage_hint", 1000),
                                   text("url", kAny).like(kHttpsAddress), flag("should_escape")};
constexpr Field kShortcut[] = {text("name", 24).required(), word("type", "global message").required(),
                               text("callback_id", 255).unique_in(Unique::in_document).required(),
                               text("description", 150).required()};

constexpr Field kOauth[] = {texts("redirect_urls", 1, 1000).each_up_to(kAny).like(kHttpsAddress),
                            object("scopes", "part/scopes"), flag("token_management_enabled")};
constexpr Field kScopes[] = {texts("bot", 1, 255, kBotScopes), texts("bot_optional", 1, 255, kBotScopes),
                             texts("user", 1, 255, kUserScopes), texts("user_optional", 1, 255, kUserScopes)};

constexpr Field kSettings[] = {texts("allowed_ip_address_ranges", 1, 50).each_up_to(255),
                               object("event_subscriptions", "part/event_subscriptions"),
                               object("incoming_webhooks", "part/incoming_webhooks"),
                               object("interactivity", "part/interactivity"),
                               flag("org_deploy_enabled"),
                               flag("socket_mode_enabled"),
                               flag("token_rotation_enabled")};
constexpr Field kEventSubscriptions[] = {text("request_url", kAny).like(kHttpsAddress),
                                         texts("bot_events", 1, 100, kEvents), texts("user_events", 1, 100, kEvents),
                                         objects("metadata_subscriptions", "part/metadata_subscription", 1, 20)};
constexpr Field kMetadataSubscription[] = {text("app_id", 255).required(), text("event_type", 255).required()};
constexpr Field kIncomingWebhooks[] = {flag("incoming_webhooks_enabled")};
constexpr Field kInteractivity[] = {flag("is_enabled").required(), text("request_url", kAny).like(kHttpsAddress),
                                    text("message_menu_options_url", kAny).like(kHttpsAddress)};

constexpr Shape kShapes[] = {
    {"part/manifest", kManifest},
    {"part/metadata", kMetadata},
    {"part/display", kDisplay},
    {"part/features", kFeatures},
    {"part/bot_user", kBotUser},
    {"part/app_home", kAppHome},
    {"part/agent_view", kAgentView},
    {"part/assistant_view", kAssistantView},
    {"part/prompt", kPrompt},
    {"part/agent_action", kAgentAction},
    {"part/slash_command", kSlashCommand},
    {"part/shortcut", kShortcut},
    {"part/oauth", kOauth},
    {"part/scopes", kScopes},
    {"part/settings", kSettings},
    {"part/event_subscriptions", kEventSubscriptions},
    {"part/metadata_subscription", kMetadataSubscription},
    {"part/incoming_webhooks", kIncomingWebhooks},
    {"part/interactivity", kInteractivity},
};

/// The parts of a manifest that depend on each other; null where it has none.
struct Parts {
  const json::object* features = nullptr;
  const json::object* settings = nullptr;
  const json::object* events = nullptr;
  const json::object* interactivity = nullptr;
  std::vector<std::string_view> bot_scopes;
  bool socket_mode = false;

  explicit Parts(const json::object& manifest)
      : features(find_object(manifest, "features")), settings(find_object(manifest, "settings")) {
    if (settings != nullptr) {
      events = find_object(*settings, "event_subscriptions");
      interactivity = find_object(*settings, "interactivity");
      const auto* const socket = settings->if_contains("socket_mode_enabled");
      socket_mode = socket != nullptr && *socket == true;
    }
    const auto* const oauth = find_object(manifest, "oauth_config");
    const auto* const scopes = oauth == nullptr ? nullptr : find_object(*oauth, "scopes");
    const auto* const bot = scopes == nullptr ? nullptr : find_array(*scopes, "bot");
    if (bot == nullptr) return;
    for (const auto& scope : *bot)
      if (scope.is_string()) bot_scopes.push_back(as_view(scope.get_string()));
  }

  bool has_feature(std::string_view name) const { return features != nullptr && features->contains(name); }
};

void need_scope(Walk& walk, const Parts& parts, std::string_view scope, const std::string& pointer) {
  if (!contains(parts.bot_scopes, scope)) walk.complain(fmt::format("requires the bot scope `{}`", scope), pointer);
}

void check_scopes(Walk& walk, const Parts& parts) {
  if (!parts.bot_scopes.empty() && !parts.has_feature("bot_user"))
    walk.complain("requires `features.bot_user`", "/oauth_config/scopes/bot");
  for (const auto* const feature : {"slash_commands", "shortcuts"})
    if (parts.has_feature(feature)) need_scope(walk, parts, "commands", fmt::format("/features/{}", feature));
  for (const auto* const feature : {"agent_view", "assistant_view"})
    if (parts.has_feature(feature)) need_scope(walk, parts, "assistant:write", fmt::format("/features/{}", feature));
}

void check_events(Walk& walk, const Parts& parts) {
  const auto* const events = parts.events == nullptr ? nullptr : find_array(*parts.events, "bot_events");
  if (events == nullptr) return;
  for (std::size_t i = 0; i < events->size(); ++i) {
    if (!(*events)[i].is_string()) continue;
    const auto event = as_view((*events)[i].get_string());
    const auto pointer = fmt::format("/settings/event_subscriptions/bot_events/{}", i);
    for (const auto& [name, scope] : kScopeOfEvent)
      if (name == event) need_scope(walk, parts, scope, pointer);
    // Apps with agent_view get app_home_opened and app_context_changed in place of these.
    if (parts.has_feature("agent_view") && event.starts_with("assistant_thread_"))
      walk.complain("is not sent to apps with `agent_view`", pointer);
  }
}

/// Without Socket Mode everything that Slack sends needs an address.
void check_addresses(Walk& walk, const Parts& parts) {
  if (parts.socket_mode) return;
  if (parts.events != nullptr && !parts.events->contains("request_url"))
    walk.complain("requires either `request_url` or Socket Mode", "/settings/event_subscriptions");
  if (parts.interactivity != nullptr && !parts.interactivity->contains("request_url")) {
    const auto* const enabled = parts.interactivity->if_contains("is_enabled");
    if (enabled != nullptr && *enabled == true)
      walk.complain("requires either `request_url` or Socket Mode", "/settings/interactivity");
  }
  const auto* const commands = parts.features == nullptr ? nullptr : find_array(*parts.features, "slash_commands");
  if (commands == nullptr) return;
  for (std::size_t i = 0; i < commands->size(); ++i) {
    const auto* const command = (*commands)[i].if_object();
    if (command != nullptr && !command->contains("url"))
      walk.complain("requires either `url` or Socket Mode", fmt::format("/features/slash_commands/{}", i));
  }
}

}  // namespace

std::vector<BlockProblem> check_manifest(const json::value& manifest) {
  Walk walk(kShapes, kAnywhere, "invalid_manifest");
  walk.check_object(manifest, "part/manifest", "");
  if (manifest.is_object()) {
    const Parts parts(manifest.get_object());
    if (parts.has_feature("agent_view") && parts.has_feature("assistant_view"))
      walk.complain("cannot be used with `agent_view`", "/features/assistant_view");
    check_scopes(walk, parts);
    check_events(walk, parts);
    check_addresses(walk, parts);
  }
  return std::move(walk).take_problems();
}

}  // namespace deputy::sim::slack
