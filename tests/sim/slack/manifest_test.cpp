#include "sim/slack/kit/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/slack/block_samples.h"

namespace deputy::sim::slack {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const json::value kManifest = parsed(R"({
  "_metadata": {"major_version": 2, "minor_version": 1},
  "display_information": {"name": "Deputy", "description": "Looks into incidents", "background_color": "#0a0"},
  "features": {
    "bot_user": {"display_name": "deputy", "always_online": true},
    "app_home": {"home_tab_enabled": true, "messages_tab_enabled": true, "messages_tab_read_only_enabled": false},
    "agent_view": {"agent_description": "Asks before it changes anything",
                   "suggested_prompts": [{"title": "Errors", "message": "What fails?"}]},
    "slash_commands": [{"command": "/deputy", "description": "Ask", "usage_hint": "question", "should_escape": false}],
    "shortcuts": [{"name": "Ask", "type": "message", "callback_id": "ask", "description": "Ask about this message"}]},
  "oauth_config": {"scopes": {"bot": ["app_mentions:read", "assistant:write", "chat:write", "commands", "im:history",
                                      "channels:history", "reactions:read", "files:read", "search:read.public"]}},
  "settings": {
    "event_subscriptions": {"bot_events": ["app_mention", "message.im", "message.channels", "app_home_opened",
                                           "agent_session_stopped", "reaction_added"]},
    "interactivity": {"is_enabled": true},
    "org_deploy_enabled": false, "socket_mode_enabled": true, "token_rotation_enabled": false}})");

/// Puts a value under a JSON pointer; takes it out when there is none.
void put(json::value& manifest, std::string_view pointer, std::optional<json::value> value) {
  const auto slash = pointer.rfind('/');
  const auto key = pointer.substr(slash + 1);
  auto& parent = manifest.at_pointer(pointer.substr(0, slash));
  if (parent.is_array())
    parent.as_array().at(std::stoul(std::string(key))) = value.value();
  else if (value)
    parent.as_object()[key] = *value;
  else
    parent.as_object().erase(key);
}

json::value changed(std::string_view pointer, std::optional<json::value> value) {
  auto manifest = kManifest;
  put(manifest, pointer, std::move(value));
  return manifest;
}

TEST(SlackManifest, TakesAnAppOnSocketMode) { EXPECT_THAT(sentences(check_manifest(kManifest)), IsEmpty()); }

TEST(SlackManifest, TakesAnAppOfTheAssistantEra) {
  auto manifest = changed("/features/agent_view", std::nullopt);
  put(manifest, "/features/assistant_view", json::value{{"assistant_description", "Helps"}});
  put(manifest, "/settings/event_subscriptions/bot_events", json::array{"assistant_thread_started"});
  EXPECT_THAT(sentences(check_manifest(manifest)), IsEmpty());
}

TEST(SlackManifest, TextIsTakenUpToItsLimit) {
  const std::tuple<std::string, std::string, std::size_t> limits[] = {
      {"/display_information/name", "", 35},
      {"/display_information/description", "", 140},
      {"/display_information/long_description", "", 4000},
      {"/features/bot_user/display_name", "", 80},
      {"/features/agent_view/agent_description", "", 300},
      {"/features/slash_commands/0/command", "/", 32},
      {"/features/slash_commands/0/description", "", 2000},
      {"/features/slash_commands/0/usage_hint", "", 1000},
      {"/features/shortcuts/0/callback_id", "", 255},
      {"/features/shortcuts/0/description", "", 150},
  };
  for (const auto& [pointer, prefix, most] : limits) {
    const auto with = [&](std::size_t size) {
      return sentences(check_manifest(changed(pointer, json::value(prefix + std::string(size - prefix.size(), 'x')))));
    };
    EXPECT_THAT(with(most), IsEmpty()) << pointer;
    EXPECT_THAT(with(most + 1),
                ElementsAre(fmt::format("must be less than {} characters [json-pointer:{}]", most + 1, pointer)));
  }
}

TEST(SlackManifest, ListsAreTakenUpToTheirLimit) {
  const std::tuple<std::string, std::string, std::size_t> limits[] = {
      {"/features/slash_commands", R"({"command": "/c#", "description": "x"})", 50},
      {"/features/shortcuts", R"({"name": "x", "type": "global", "callback_id": "#", "description": "x"})", 10},
      {"/features/unfurl_domains", R"("a#.example.com")", 5},
      {"/features/agent_view/suggested_prompts", R"({"title": "#", "message": "x"})", 4},
      {"/oauth_config/redirect_urls", R"("https://example.com/#")", 1000},
      {"/oauth_config/scopes/user", R"("search:read")", 255},
      {"/settings/event_subscriptions/user_events", R"("reaction_added")", 100},
      {"/settings/event_subscriptions/metadata_subscriptions", R"({"app_id": "A#", "event_type": "x"})", 20},
      {"/settings/allowed_ip_address_ranges", R"("10.0.0.#")", 50},
  };
  for (const auto& [pointer, item, most] : limits) {
    const auto with = [&](std::size_t count) {
      return sentences(check_manifest(changed(pointer, parsed("[" + numbered(item, count) + "]"))));
    };
    EXPECT_THAT(with(most), IsEmpty()) << pointer;
    EXPECT_THAT(with(most + 1),
                ElementsAre(fmt::format("no more than {} items allowed [json-pointer:{}]", most, pointer)));
  }
}

struct Refusal {
  std::string_view pointer;
  std::optional<json::value> value;
  std::string_view expected;
};

TEST(SlackManifest, RefusesWhatSlackRefusesOrWouldNeverDeliver) {
  const Refusal refusals[] = {
      {"/display_information", std::nullopt, "missing required field: display_information [json-pointer:]"},
      {"/display_information/name", std::nullopt, "missing required field: name [json-pointer:/display_information]"},
      {"/display_information/long_description", "short",
       "must be more than 173 characters [json-pointer:/display_information/long_description]"},
      {"/display_information/background_color", "green",
       "must be a valid hex color [json-pointer:/display_information/background_color]"},
      {"/display_information/colour", "#000",
       "invalid additional property: colour [json-pointer:/display_information]"},
      {"/features/bot_user", std::nullopt, "requires `features.bot_user` [json-pointer:/oauth_config/scopes/bot]"},
      {"/features/bot_user/display_name", "De Puty",
       "may hold a-z, 0-9, -, _ and . only [json-pointer:/features/bot_user/display_name]"},
      {"/features/assistant_view", json::value{{"assistant_description", "x"}},
       "cannot be used with `agent_view` [json-pointer:/features/assistant_view]"},
      {"/features/slash_commands/0/command", "deputy",
       "must be a slash and then a-z, 0-9, - or _ [json-pointer:/features/slash_commands/0/command]"},
      {"/features/shortcuts/0/type", "app", "must be a valid enum value [json-pointer:/features/shortcuts/0/type]"},
      {"/oauth_config/scopes/bot/0", "app_mentions",
       "must be a valid enum value [json-pointer:/oauth_config/scopes/bot/0]"},
      {"/settings/event_subscriptions/bot_events/3", "app_mentioned",
       "must be a valid enum value [json-pointer:/settings/event_subscriptions/bot_events/3]"},
      {"/settings/event_subscriptions/bot_events/3", "message.groups",
       "requires the bot scope `groups:history` [json-pointer:/settings/event_subscriptions/bot_events/3]"},
      {"/settings/event_subscriptions/bot_events/3", "assistant_thread_started",
       "is not sent to apps with `agent_view` [json-pointer:/settings/event_subscriptions/bot_events/3]"},
      {"/settings/interactivity/is_enabled", std::nullopt,
       "missing required field: is_enabled [json-pointer:/settings/interactivity]"},
      {"/settings/interactivity/request_url", "http://example.com",
       "must be a valid HTTPS URL [json-pointer:/settings/interactivity/request_url]"},
      {"/settings/socket_mode_enabled", "yes", "must provide a boolean [json-pointer:/settings/socket_mode_enabled]"},
  };
  for (const auto& refusal : refusals)
    EXPECT_THAT(sentences(check_manifest(changed(refusal.pointer, refusal.value))), testing::Contains(refusal.expected))
        << refusal.pointer;
}

TEST(SlackManifest, CommandsAndShortcutsNeedTheirScope) {
  EXPECT_THAT(sentences(check_manifest(changed("/oauth_config/scopes/bot/3", "chat:write.public"))),
              ElementsAre("requires the bot scope `commands` [json-pointer:/features/slash_commands]",
                          "requires the bot scope `commands` [json-pointer:/features/shortcuts]"));
}

TEST(SlackManifest, WithoutSocketModeEverythingNeedsAnAddress) {
  auto manifest = changed("/settings/socket_mode_enabled", false);
  EXPECT_THAT(sentences(check_manifest(manifest)),
              ElementsAre("requires either `request_url` or Socket Mode [json-pointer:/settings/event_subscriptions]",
                          "requires either `request_url` or Socket Mode [json-pointer:/settings/interactivity]",
                          "requires either `url` or Socket Mode [json-pointer:/features/slash_commands/0]"));
  for (const auto* const pointer : {"/settings/event_subscriptions/request_url", "/settings/interactivity/request_url",
                                    "/features/slash_commands/0/url"})
    put(manifest, pointer, "https://example.com/slack");
  EXPECT_THAT(sentences(check_manifest(manifest)), IsEmpty());
}

TEST(SlackManifest, IsAnObject) {
  EXPECT_THAT(sentences(check_manifest(json::array())), ElementsAre("must provide an object [json-pointer:]"));
}

}  // namespace
}  // namespace deputy::sim::slack
