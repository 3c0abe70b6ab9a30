#include "clients/slack/manifest.h"

#include <array>

#include "clients/slack/api.h"
#include "clients/slack/scopes.h"

namespace deputy::clients::slack {

namespace {

// Slack sends `app_home_opened` and `app_context_changed` to new apps in place of the assistant's own events.
constexpr auto kEvents = std::to_array<std::string_view>(
    {"agent_session_stopped", "app_context_changed", "app_home_opened", "app_mention", "message.channels",
     "message.groups", "message.im", "message.mpim", "reaction_added"});

constexpr std::string_view kAbout = "Investigates, asks when it is unsure, and changes nothing without a yes.";

json::object prompt(std::string_view text) { return {{"title", text}, {"message", text}}; }

json::array list_of(json::object one) {
  json::array list;
  list.push_back(std::move(one));
  return list;
}

json::object features(const std::string& request_url) {
  json::object command{{"command", "/deputy"},
                       {"description", "Ask Deputy, or see what it does"},
                       {"usage_hint", "help | status | approvals | stop | a question"},
                       {"should_escape", false}};
  if (!request_url.empty()) command["url"] = request_url;
  json::array prompts{prompt("What is failing in prod?"), prompt("What waits for my approval?")};
  json::object shortcut{{"name", "Ask Deputy"},
                        {"type", "message"},
                        {"callback_id", kAskShortcut},
                        {"description", "Ask Deputy about this message"}};
  return {{"bot_user", {{"display_name", "deputy"}, {"always_online", true}}},
          {"app_home",
           {{"home_tab_enabled", true}, {"messages_tab_enabled", true}, {"messages_tab_read_only_enabled", false}}},
          {"agent_view", {{"agent_description", kAbout}, {"suggested_prompts", std::move(prompts)}}},
          {"slash_commands", list_of(std::move(command))},
          {"shortcuts", list_of(std::move(shortcut))}};
}

void write(const json::value& value, std::size_t depth, std::string& out) {
  const std::string inner(2 * (depth + 1), ' ');
  const std::string closing(2 * depth, ' ');
  std::string_view between = "\n";
  if (value.is_object() && !value.get_object().empty()) {
    out += "{";
    for (const auto& [name, one] : value.get_object()) {
      out.append(between).append(inner).append(json::serialize(name)).append(": ");
      write(one, depth + 1, out);
      between = ",\n";
    }
    out.append("\n").append(closing).append("}");
  } else if (value.is_array() && !value.get_array().empty()) {
    out += "[";
    for (const json::value& one : value.get_array()) {
      out.append(between).append(inner);
      write(one, depth + 1, out);
      between = ",\n";
    }
    out.append("\n").append(closing).append("]");
  } else {
    out += json::serialize(value);
  }
}

}  // namespace

json::object app_manifest(const std::string& request_url) {
  json::array scopes;
  for (const Scope& scope : bot_scopes()) scopes.emplace_back(scope.name);
  json::array subscribed;
  for (const std::string_view event : kEvents) subscribed.emplace_back(event);
  json::object events{{"bot_events", std::move(subscribed)}};
  json::object interactivity{{"is_enabled", true}};
  if (!request_url.empty()) events["request_url"] = interactivity["request_url"] = request_url;
  return {{"display_information", {{"name", "Deputy"}, {"description", kAbout}, {"background_color", "#1f3a5f"}}},
          {"features", features(request_url)},
          {"oauth_config", {{"scopes", {{"bot", std::move(scopes)}}}}},
          {"settings",
           {{"event_subscriptions", std::move(events)},
            {"interactivity", std::move(interactivity)},
            {"org_deploy_enabled", false},
            {"socket_mode_enabled", request_url.empty()},
            {"token_rotation_enabled", false}}}};
}

std::string manifest_text(const json::value& manifest) {
  std::string out;
  write(manifest, 0, out);
  return out + "\n";
}

Task<Result<CreatedApp>> create_app(std::string api_url, Secret configuration_token, json::object manifest,
                                    net::HttpClient& http, const Clock& clock) {
  // An account of its own for this one call: its token is the configuration token.
  Settings settings;
  settings.api_url = std::move(api_url);
  settings.bot_token = std::move(configuration_token);
  Api api(std::move(settings), http, clock);
  json::object arguments;
  arguments["manifest"] = std::move(manifest);
  Result<json::object> reply = co_await api.call("apps.manifest.create", std::move(arguments));
  if (!reply) {
    Error error = std::move(reply.error());
    if (error.kind == ErrorKind::authentication)
      error.hint = "make a new configuration token at https://api.slack.com/apps; one is valid for 12 hours";
    if (error.kind == ErrorKind::network || error.kind == ErrorKind::timeout)
      error.hint = "the app may have been created: look at https://api.slack.com/apps before you try again";
    co_return std::unexpected(std::move(error));
  }
  CreatedApp app{text_at(*reply, "app_id"), text_at(*reply, "oauth_authorize_url")};
  if (app.id.empty()) co_return fail(ErrorKind::upstream, "Slack's reply does not say which app it created");
  co_return app;
}

}  // namespace deputy::clients::slack
