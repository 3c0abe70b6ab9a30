#include "sim/slack/api/web_api.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "sim/slack/relay.h"

namespace deputy::sim::slack {

namespace {

unsigned bit_of(TokenKind kind) {
  switch (kind) {
    case TokenKind::bot:
      return kBot;
    case TokenKind::user:
      return kUser;
    case TokenKind::app:
      return kApp;
    case TokenKind::configuration:
      return kConfiguration;
  }
  return kNoToken;
}

std::string joined(const std::set<std::string>& scopes) {
  return join(std::vector<std::string>(scopes.begin(), scopes.end()), ",");
}

Refusal missing_scope(const Token& token, std::string_view needed) {
  return {"missing_scope", {}, {{"needed", needed}, {"provided", joined(token.scopes)}}};
}

/// The token of a request: in the header, or in a form. A token in JSON or in the address counts for nothing.
std::string token_of(const net::ServerRequest& request, const Arguments& arguments) {
  const std::string_view header = net::find_header(request.headers, "authorization").value_or("");
  if (header.starts_with("Bearer ")) return std::string(trim(header.substr(7)));
  return arguments.is_json() ? "" : arguments.text("token");
}

std::expected<const Token*, Refusal> authenticate(World& world, const Method& method, const std::string& value,
                                                  const Arguments& arguments) {
  if (method.tokens == kNoToken) return nullptr;
  if (value.empty()) return refuse("not_authed");
  const auto found = std::ranges::find(world.workspace.tokens, value, &Token::value);
  if (found == world.workspace.tokens.end()) return refuse("invalid_auth");
  if (found->revoked) return refuse("token_revoked");
  const Person* owner = world.workspace.person(found->user);
  if (owner == nullptr || owner->deleted) return refuse("account_inactive");
  if ((method.tokens & bit_of(found->kind)) == 0) return refuse("not_allowed_token_type");
  if (found->kind == TokenKind::app && arguments.has("token")) return refuse("invalid_arguments");
  const auto& scopes = found->kind == TokenKind::user ? method.user_scopes : method.bot_scopes;
  const bool enough = scopes.empty() || std::ranges::any_of(scopes, [&](std::string_view scope) {
                        return found->scopes.contains(std::string(scope));
                      });
  if (!enough) return std::unexpected(missing_scope(*found, fmt::format("{}", fmt::join(scopes, ","))));
  return &*found;
}

/// Stricter than Slack, which ignores arguments it does not know: a typing mistake must not pass for a feature.
std::expected<void, Refusal> arguments_are_known(const Method& method, const Arguments& arguments) {
  for (const auto& [name, value] : arguments.all()) {
    if (name == "token" || name == "team_id" || name == "pretty" || contains(method.optional, "*")) continue;
    if (contains(method.required, name) || contains(method.optional, name)) continue;
    return refuse("invalid_arg_name", {fmt::format("[ERROR] {} has no argument `{}`", method.name, name)});
  }
  for (const std::string_view name : method.required) {
    if (arguments.has(name)) continue;
    return refuse("invalid_arguments", {fmt::format("[ERROR] missing required field: {}", name)});
  }
  return {};
}

net::Response as_response(json::object body, std::vector<net::Header> headers, int status = 200) {
  headers.push_back({"Content-Type", "application/json; charset=utf-8"});
  return {status, std::move(headers), json::serialize(body)};
}

json::object as_body(Refusal refusal) {
  json::object body = {{"ok", false}, {"error", refusal.error}};
  for (auto& [key, value] : refusal.more) body[key] = std::move(value);
  if (!refusal.messages.empty()) {
    json::array messages;
    for (std::string& message : refusal.messages) messages.emplace_back(std::move(message));
    body["response_metadata"] = {{"messages", std::move(messages)}};
  }
  return body;
}

json::object without_token(const Arguments& arguments) {
  json::object shown;
  for (const auto& [name, value] : arguments.all()) shown[name] = name == "token" ? json::value("…") : value;
  return shown;
}

/// One channel has one limit, whether it is named by id or by name.
std::string channel_posted_to(Workspace& workspace, const std::string& wanted) {
  if (workspace.channel(wanted) != nullptr) return wanted;
  const Channel* channel = workspace.channel_by_name(wanted);
  return channel == nullptr ? wanted : channel->id;
}

bool is_post(std::string_view method) { return method == "chat.postMessage" || method == "chat.startStream"; }

}  // namespace

std::vector<const Method*> all_methods() {
  std::vector<const Method*> methods;
  for (const auto table : {app_methods(), chat_methods(), stream_methods(), conversation_methods(), people_methods(),
                           reaction_methods(), file_methods(), view_methods(), assistant_methods()}) {
    for (const Method& method : table) methods.push_back(&method);
  }
  return methods;
}

namespace {

const Method* find_method(std::string_view name) {
  static const std::vector<const Method*> kAll = all_methods();
  const auto found = std::ranges::find(kAll, name, &Method::name);
  return found == kAll.end() ? nullptr : *found;
}

/// The answer to one call: the body, its status and headers.
net::Response handle(World& world, const net::ServerRequest& request, std::string_view name) {
  const auto finish = [&](const Arguments* arguments, json::object body, std::vector<net::Header> headers = {},
                          int status = 200) {
    world.record.add("call", {{"method", name},
                              {"arguments", arguments != nullptr ? without_token(*arguments) : json::object()},
                              {"status", status},
                              {"answer", body}});
    return as_response(std::move(body), std::move(headers), status);
  };
  const Method* method = find_method(name);
  if (method == nullptr) {
    return finish(nullptr, as_body({name == "files.upload" ? "method_deprecated" : "unknown_method"}));
  }
  const auto arguments = Arguments::read(request);
  if (!arguments) return finish(nullptr, as_body({arguments.error()}));
  if (name == "apps.connections.open" && request.method != "POST")
    return finish(&*arguments, as_body({"insecure_request"}));
  const auto token = authenticate(world, *method, token_of(request, *arguments), *arguments);
  if (!token) return finish(&*arguments, as_body(token.error()));
  const Timestamp now = world.workspace.clock.now();
  if (const auto wait = world.limits.call(name, method->tier, now)) {
    return finish(&*arguments, as_body({"ratelimited"}), {{"Retry-After", std::to_string(*wait)}}, 429);
  }
  if (const auto known = arguments_are_known(*method, *arguments); !known)
    return finish(&*arguments, as_body(known.error()));
  if (is_post(name)) {
    if (const auto wait = world.limits.post(channel_posted_to(world.workspace, arguments->text("channel")), now)) {
      return finish(&*arguments, as_body({"rate_limited"}), {{"Retry-After", std::to_string(*wait)}});
    }
  }
  Call call{world, world.workspace, *arguments, *token};
  Reply reply = method->handle(call);
  std::vector<net::Header> headers;
  if (*token != nullptr) {
    headers.push_back({"X-OAuth-Scopes", joined((*token)->scopes)});
    const auto& accepted = (*token)->kind == TokenKind::user ? method->user_scopes : method->bot_scopes;
    if (!accepted.empty()) headers.push_back({"X-Accepted-OAuth-Scopes", fmt::format("{}", fmt::join(accepted, ","))});
  }
  if (!reply) return finish(&*arguments, as_body(reply.error()), std::move(headers));
  json::object body = {{"ok", true}};
  for (auto& [key, value] : *reply) body[key] = std::move(value);
  const std::string_view type = net::find_header(request.headers, "content-type").value_or("");
  if (arguments->is_json() && to_lower(type).find("charset") == std::string::npos) {
    body["warning"] = "missing_charset";
    if (!body.contains("response_metadata")) body["response_metadata"] = json::object();
    body["response_metadata"].as_object()["warnings"] = json::array({json::value("missing_charset")});
  }
  return finish(&*arguments, std::move(body), std::move(headers));
}

}  // namespace

Task<net::Answer> answer_api(World& world, net::ServerRequest request) {
  const std::string name = request.path.substr(std::string_view("/api/").size());
  const std::optional<Fault> fault = world.faults.take(FaultPlace::api, name);
  if (fault) {
    world.record.add("fault", {{"on", "api"}, {"fault", fault->kind}, {"name", name}});
    if (fault->kind == "delay") co_await sleep_for(std::chrono::milliseconds(fault->ms));
    if (fault->kind == "drop") co_return net::Response{Relay::kCutStatus, {}, ""};
    if (fault->kind == "error")
      co_return as_response(as_body({fault->error.empty() ? "internal_error" : fault->error}), {});
    if (fault->kind == "status" && fault->status == 429) {
      co_return as_response(as_body({"ratelimited"}), {{"Retry-After", std::to_string(fault->retry_after)}}, 429);
    }
    if (fault->kind == "status" && !fault->error.empty())
      co_return as_response(as_body({fault->error}), {}, fault->status);
    if (fault->kind == "status")
      co_return net::Response{fault->status, {{"Content-Type", "text/html"}}, "<html><body>Server error</body></html>"};
  }
  net::Response response = handle(world, request, name);
  if (fault && fault->kind == "lose_response") co_return net::Response{Relay::kCutStatus, {}, ""};
  co_return response;
}

std::expected<void, Refusal> need_scope(const Call& call, std::string_view scope) {
  if (call.token != nullptr && call.token->scopes.contains(std::string(scope))) return {};
  return std::unexpected(missing_scope(*call.token, scope));
}

std::expected<Channel*, Refusal> visible_channel(Call& call, std::string_view id) {
  Channel* channel = call.workspace.channel(id);
  if (channel == nullptr) return refuse("channel_not_found");
  if (channel->kind != ChannelKind::open && !channel->members.contains(call.user())) return refuse("channel_not_found");
  return channel;
}

std::string scope_for(ChannelKind kind, std::string_view what) {
  switch (kind) {
    case ChannelKind::open:
      return fmt::format("channels:{}", what);
    case ChannelKind::closed:
      return fmt::format("groups:{}", what);
    case ChannelKind::direct:
      return fmt::format("im:{}", what);
    case ChannelKind::group:
      return fmt::format("mpim:{}", what);
  }
  return {};
}

std::expected<void, Refusal> blocks_are_fine(const std::vector<BlockProblem>& problems) {
  if (problems.empty()) return {};
  std::vector<std::string> messages;
  json::array errors;
  for (const BlockProblem& problem : problems) {
    messages.push_back("[ERROR] " + as_sentence(problem));
    errors.emplace_back(json::string(as_sentence(problem)));
  }
  return std::unexpected(Refusal{problems.front().code, std::move(messages), {{"errors", std::move(errors)}}});
}

namespace {

void fill_action_ids(Workspace& workspace, json::value& value) {
  static constexpr std::array kInteractive = {"button",
                                              "checkboxes",
                                              "datepicker",
                                              "datetimepicker",
                                              "email_text_input",
                                              "file_input",
                                              "feedback_buttons",
                                              "icon_button",
                                              "multi_static_select",
                                              "multi_external_select",
                                              "multi_users_select",
                                              "multi_conversations_select",
                                              "multi_channels_select",
                                              "number_input",
                                              "overflow",
                                              "plain_text_input",
                                              "radio_buttons",
                                              "rich_text_input",
                                              "static_select",
                                              "external_select",
                                              "users_select",
                                              "conversations_select",
                                              "channels_select",
                                              "timepicker",
                                              "url_text_input",
                                              "workflow_button"};
  if (json::array* list = value.if_array()) {
    for (json::value& item : *list) fill_action_ids(workspace, item);
  } else if (json::object* object = value.if_object()) {
    const std::string type = text_at(*object, "type");
    if (contains(kInteractive, std::string_view(type)) && text_at(*object, "action_id").empty()) {
      (*object)["action_id"] = sha256_hex(workspace.next_id("action")).substr(0, 5);
    }
    for (auto& [key, inner] : *object) fill_action_ids(workspace, inner);
  }
}

}  // namespace

void fill_ids(Workspace& workspace, json::array& blocks) {
  for (json::value& block : blocks) {
    json::object* object = block.if_object();
    if (object == nullptr) continue;
    if (text_at(*object, "block_id").empty())
      (*object)["block_id"] = sha256_hex(workspace.next_id("block")).substr(0, 5);
    fill_action_ids(workspace, block);
  }
}

std::expected<Page, Refusal> page_of(const Call& call, std::size_t count, std::size_t usual, std::size_t most) {
  std::size_t limit = usual;
  if (call.arguments.has("limit")) {
    const auto wanted = call.arguments.number("limit");
    if (!wanted || *wanted < 1) return refuse("invalid_limit");
    limit = std::min<std::size_t>(static_cast<std::size_t>(*wanted), most);
  }
  Page page;
  if (const std::string cursor = call.arguments.text("cursor"); !cursor.empty()) {
    // Opaque to callers: a place in the list with a check that no caller made it up.
    const auto parts = split(cursor, "=");
    const std::string number(parts.front());
    if (parts.size() != 2 || sha256_hex("cursor" + number).substr(0, 8) != parts.back())
      return refuse("invalid_cursor");
    page.begin = std::min<std::size_t>(std::stoul(number), count);
  }
  page.end = std::min(count, page.begin + limit);
  if (page.end < count) {
    const std::string number = std::to_string(page.end);
    page.next = number + "=" + sha256_hex("cursor" + number).substr(0, 8);
  }
  return page;
}

}  // namespace deputy::sim::slack
