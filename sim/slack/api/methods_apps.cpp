#include "sim/slack/api/posting.h"
#include "sim/slack/kit/manifest.h"

namespace deputy::sim::slack {

namespace {

Reply auth_test(Call& call) {
  const Workspace& workspace = call.workspace;
  const Person& user = workspace.people.at(call.user());
  json::object reply = {{"url", "https://" + workspace.domain + ".slack.com/"},
                        {"team", workspace.team_name},
                        {"user", user.name},
                        {"team_id", workspace.team_id},
                        {"user_id", user.id},
                        {"is_enterprise_install", workspace.app.org_wide}};
  if (!workspace.enterprise_id.empty()) reply["enterprise_id"] = workspace.enterprise_id;
  if (call.token->kind == TokenKind::bot) reply["bot_id"] = user.bot_id;
  if (call.token->kind == TokenKind::app) {
    reply["app_id"] = workspace.app.id;
    reply["app_name"] = workspace.app.name;
  }
  return reply;
}

Reply api_test(Call& call) {
  json::object sent;
  for (const auto& [name, value] : call.arguments.all()) sent[name] = value;
  if (call.arguments.has("error"))
    return std::unexpected(Refusal{call.arguments.text("error"), {}, {{"args", std::move(sent)}}});
  return json::object{{"args", std::move(sent)}};
}

Reply connections_open(Call& call) {
  if (!call.workspace.app.socket_mode) return refuse("forbidden_team");
  return json::object{{"url", call.world.deliveries.sockets.new_url()}};
}

/// The problems as a list, each with its place below `root`.
std::unexpected<Refusal> listed(std::string_view error, const std::vector<BlockProblem>& problems,
                                std::string_view root = "") {
  json::array errors;
  std::vector<std::string> messages;
  for (const BlockProblem& problem : problems) {
    std::string_view pointer = problem.pointer;
    if (pointer.starts_with(root)) pointer.remove_prefix(root.size());
    errors.push_back({{"code", problem.code},
                      {"message", problem.error},
                      {"field", pointer.substr(pointer.rfind('/') + 1)},
                      {"pointer", pointer}});
    messages.push_back("[ERROR] " + as_sentence(problem));
  }
  return std::unexpected(Refusal{std::string(error), std::move(messages), {{"errors", std::move(errors)}}});
}

Reply blocks_validate(Call& call) {
  const auto blocks = call.arguments.structured("blocks");
  const auto view = call.arguments.structured("view");
  const auto message = call.arguments.structured("message");
  if (blocks.has_value() + view.has_value() + message.has_value() != 1) {
    return refuse("invalid_arguments", {"[ERROR] pass one of blocks, message and view"});
  }
  std::vector<BlockProblem> problems;
  if (blocks) problems = check_blocks(*blocks, Surface::message);
  if (view) problems = check_view(*view);
  if (message) {
    const json::object* object = message->if_object();
    if (object == nullptr) return refuse("invalid_arguments", {"[ERROR] message must be a JSON object"});
    if (const json::value* inner = object->if_contains("blocks")) problems = check_blocks(*inner, Surface::message);
    if (const json::value* attachments = object->if_contains("attachments")) {
      const std::vector<BlockProblem> more = check_attachments(*attachments);
      problems.insert(problems.end(), more.begin(), more.end());
    }
  }
  if (!problems.empty()) return listed("invalid_blocks", problems, blocks ? "/blocks" : view ? "/view" : "");
  return json::object{};
}

std::expected<json::value, Refusal> read_manifest(const Call& call) {
  const auto manifest = call.arguments.structured("manifest");
  if (!manifest || !manifest->is_object())
    return refuse("invalid_manifest", {"[ERROR] manifest must be a JSON object"});
  const std::vector<BlockProblem> problems = check_manifest(*manifest);
  if (!problems.empty()) return listed("invalid_manifest", problems);
  return *manifest;
}

Reply manifest_validate(Call& call) {
  TRY((read_manifest(call)));
  return json::object{};
}

/// The app of the workspace becomes what the manifest says: its name, scopes, subscriptions and features.
Reply manifest_create(Call& call) {
  TRY(const json::value manifest, read_manifest(call));
  Workspace& workspace = call.workspace;
  const json::object& root = manifest.get_object();
  if (const json::object* about = find_object(root, "display_information"))
    workspace.app.name = text_at(*about, "name");
  const auto texts = [](const json::object* in, std::string_view key) {
    std::set<std::string> found;
    const json::value* list = in == nullptr ? nullptr : in->if_contains(key);
    if (list == nullptr || !list->is_array()) return found;
    for (const json::value& item : list->get_array()) found.insert(as_text(item));
    return found;
  };
  const json::object* oauth = find_object(root, "oauth_config");
  const json::object* scopes = oauth == nullptr ? nullptr : find_object(*oauth, "scopes");
  for (Token& token : workspace.tokens) {
    if (token.kind == TokenKind::bot) token.scopes = texts(scopes, "bot");
    if (token.kind == TokenKind::user) token.scopes = texts(scopes, "user");
  }
  const json::object* settings = find_object(root, "settings");
  const json::object* subscriptions = settings == nullptr ? nullptr : find_object(*settings, "event_subscriptions");
  workspace.app.subscriptions = texts(subscriptions, "bot_events");
  const auto enabled = [](const json::object* in, std::string_view key) {
    const json::value* value = in == nullptr ? nullptr : in->if_contains(key);
    return value != nullptr && value->is_bool() && value->get_bool();
  };
  workspace.app.socket_mode = enabled(settings, "socket_mode_enabled");
  const json::object* features = find_object(root, "features");
  workspace.app.agent_view = features == nullptr || !features->contains("assistant_view");
  const json::object* home = features == nullptr ? nullptr : find_object(*features, "app_home");
  workspace.app.home_tab = enabled(home, "home_tab_enabled");
  workspace.app.messages_tab = home == nullptr || enabled(home, "messages_tab_enabled");
  return json::object{{"app_id", workspace.app.id},
                      {"credentials",
                       {{"client_id", "fake-client-id"},
                        {"client_secret", "fake-client-secret"},
                        {"verification_token", workspace.app.verification_token},
                        {"signing_secret", workspace.app.signing_secret}}},
                      {"oauth_authorize_url", workspace.address + "/oauth/v2/authorize?client_id=fake-client-id"},
                      {"team_id", workspace.team_id},
                      {"team_domain", workspace.domain}};
}

}  // namespace

std::span<const Method> app_methods() {
  static const std::vector<Method> kMethods = {
      {"api.test", Tier::four, kNoToken, {}, {}, {}, {"error", "*"}, api_test},
      {"auth.test", Tier::special, kBot | kUser | kApp, {}, {}, {}, {}, auth_test},
      {"apps.connections.open", Tier::three, kApp, {"connections:write"}, {}, {}, {}, connections_open},
      {"blocks.validate", Tier::four, kNoToken, {}, {}, {}, {"blocks", "message", "view"}, blocks_validate},
      {"apps.manifest.create",
       Tier::one,
       kConfiguration,
       {"app_configurations:write"},
       {},
       {"manifest"},
       {},
       manifest_create},
      {"apps.manifest.validate",
       Tier::three,
       kConfiguration,
       {"app_configurations:read"},
       {},
       {"manifest"},
       {"app_id"},
       manifest_validate},
  };
  return kMethods;
}

}  // namespace deputy::sim::slack
