#include "sim/slack/people/interactions.h"

#include <algorithm>
#include <ranges>

#include "base/text.h"
#include "sim/slack/api/posting.h"
#include "sim/slack/api/views.h"
#include "sim/slack/events/events.h"
#include "sim/slack/people/elements.h"

namespace deputy::sim::slack {

namespace {

constexpr int kMaxResponses = 5;
constexpr std::chrono::minutes kResponseLifetime{30};
constexpr std::string_view kNoAnswer = "We had some trouble connecting. Try again?";

std::unexpected<Error> cannot(std::string message) { return fail(ErrorKind::invalid_input, std::move(message)); }

const json::object& object_or_empty(const json::object& in, std::string_view key) {
  static const json::object kEmpty;
  const json::object* found = find_object(in, key);
  return found == nullptr ? kEmpty : *found;
}

Result<Person*> active_person(World& world, const json::object& wanted) {
  Person* person = world.workspace.person(text_at(wanted, "user"));
  if (person == nullptr) return cannot("There is no person `" + text_at(wanted, "user") + "`");
  if (person->deleted) return cannot("The account of `" + person->name + "` is deactivated");
  return person;
}

json::object user_of(const Person& person) {
  return {{"id", person.id}, {"username", person.name}, {"name", person.name}, {"team_id", person.team_id}};
}

json::object interaction(const World& world, std::string_view type, const Person& person) {
  const Workspace& workspace = world.workspace;
  return {{"type", type},
          {"user", user_of(person)},
          {"api_app_id", workspace.app.id},
          {"token", workspace.app.verification_token},
          {"team", {{"id", workspace.team_id}, {"domain", workspace.domain}}},
          {"enterprise", nullptr},
          {"is_enterprise_install", false}};
}

std::string channel_name(const Channel& channel) {
  if (channel.kind == ChannelKind::direct) return "directmessage";
  return channel.kind == ChannelKind::closed ? "privategroup" : channel.name;
}

/// The place of an interaction: a message in a channel, or a view.
struct Surroundings {
  Channel* channel = nullptr;
  Message* message = nullptr;
  View* view = nullptr;
  json::array blocks;                     // of the message and of its attachments, or of the view
  std::size_t blocks_of_attachments = 0;  // the last of them
};

Result<Message*> seen_message(World& world, Channel& channel, const Person& person, const std::string& ts) {
  if (channel.kind != ChannelKind::open && !channel.members.contains(person.id))
    return cannot("`" + person.name + "` does not see this channel");
  Message* message = world.workspace.message(channel, ts);
  if (message == nullptr) return cannot("There is no message `" + ts + "` in this channel");
  if (!message->only_for.empty() && message->only_for != person.id)
    return cannot("`" + person.name + "` does not see this message");
  return message;
}

Result<Surroundings> surroundings(World& world, const Person& person, const json::object& wanted) {
  Surroundings place;
  if (const std::string view_id = text_at(wanted, "view_id"); !view_id.empty()) {
    const auto found = world.workspace.views.find(view_id);
    if (found == world.workspace.views.end() || found->second.user != person.id)
      return cannot("`" + person.name + "` has no view `" + view_id + "`");
    if (!found->second.open) return cannot("The view is closed");
    place.view = &found->second;
    if (const json::value* blocks = place.view->body.if_contains("blocks")) place.blocks = blocks->as_array();
    return place;
  }
  place.channel = world.workspace.channel(text_at(wanted, "channel"));
  if (place.channel == nullptr) return cannot("There is no channel `" + text_at(wanted, "channel") + "`");
  TRY(place.message, seen_message(world, *place.channel, person, text_at(wanted, "ts")));
  if (const json::value* blocks = place.message->body.if_contains("blocks")) place.blocks = blocks->as_array();
  if (const json::value* attachments = place.message->body.if_contains("attachments")) {
    for (const json::value& attachment : attachments->as_array()) {
      const json::value* blocks = attachment.as_object().if_contains("blocks");
      if (blocks == nullptr) continue;
      for (const json::value& block : blocks->as_array()) place.blocks.push_back(block);
      place.blocks_of_attachments += blocks->as_array().size();
    }
  }
  if (const json::value* still_seen = wanted.if_contains("blocks"); still_seen != nullptr && still_seen->is_array()) {
    place.blocks = still_seen->get_array();
    place.blocks_of_attachments = 0;
  }
  return place;
}

Result<Element> find_element(const json::array& blocks, const json::object& wanted) {
  const std::string action_id = text_at(wanted, "action_id");
  const std::string block_id = text_at(wanted, "block_id");
  for (const Element& element : elements_of(blocks)) {
    if (element.action_id() == action_id && (block_id.empty() || element.block_id == block_id)) return element;
  }
  return cannot("There is no element `" + action_id + "` to click");
}

bool is_in_attachment(const Surroundings& place, std::string_view block_id) {
  return std::ranges::any_of(
      place.blocks | std::views::reverse | std::views::take(place.blocks_of_attachments),
      [&](const json::value& block) { return text_at(block.as_object(), "block_id") == block_id; });
}

/// Where it happened, as every interaction says it. `block_id` is empty for a shortcut.
void add_place(World& world, json::object& payload, const Surroundings& place, const Person& person,
               std::string_view block_id) {
  Workspace& workspace = world.workspace;
  if (place.view != nullptr) {
    payload["container"] = {{"type", "view"}, {"view_id", place.view->id}};
    payload["view"] = workspace.show(*place.view);
    return;
  }
  json::object container = {{"type", is_in_attachment(place, block_id) ? "message_attachment" : "message"},
                            {"message_ts", place.message->ts},
                            {"channel_id", place.channel->id},
                            {"is_ephemeral", !place.message->only_for.empty()}};
  if (!place.message->thread_ts.empty()) container["thread_ts"] = place.message->thread_ts;
  payload["container"] = std::move(container);
  payload["channel"] = {{"id", place.channel->id}, {"name", channel_name(*place.channel)}};
  // Of an ephemeral message Slack sends no content.
  if (place.message->only_for.empty()) payload["message"] = workspace.show(*place.channel, *place.message);
  payload["response_url"] =
      workspace.new_response_url("actions", {.channel = place.channel->id,
                                             .user = person.id,
                                             .message_ts = place.message->ts,
                                             .ephemeral_message = !place.message->only_for.empty()});
}

json::object as_person_sees(const Acknowledgement& answer) {
  if (answer.received) return {{"acknowledged", true}};
  return {{"acknowledged", false}, {"sees", kNoAnswer}, {"reason", answer.problem}};
}

}  // namespace

Task<Result<json::object>> click(World& world, json::object wanted) {
  CO_TRY(Person* const person, active_person(world, wanted));
  CO_TRY(Surroundings place, surroundings(world, *person, wanted));
  CO_TRY(const Element element, find_element(place.blocks, wanted));
  const json::value* dispatches = element.input == nullptr ? nullptr : element.input->if_contains("dispatch_action");
  if (element.input != nullptr && !(dispatches != nullptr && dispatches->is_bool() && dispatches->get_bool())) {
    co_return cannot("This input sends nothing before its form is submitted");
  }
  const json::value* value = wanted.if_contains("value");
  CO_TRY(json::object action, chosen(*element.element, value == nullptr ? json::value(nullptr) : *value));
  json::object choices = object_or_empty(wanted, "state");
  if (keeps_state(element.type()) && value != nullptr) {
    json::value& block = choices[element.block_id];
    if (!block.is_object()) block = json::object();
    block.get_object()[element.action_id()] = *value;
  }
  CO_TRY(json::object state, state_of(place.blocks, choices));
  action["action_id"] = element.action_id();
  action["block_id"] = element.block_id;
  action["action_ts"] = world.workspace.next_ts();
  for (const std::string_view copied : {"text", "style", "url", "placeholder"}) {
    if (const json::value* shown = element.element->if_contains(copied)) action[copied] = *shown;
  }
  if (element.type() == "feedback_buttons") {
    // The value of the chosen button, positive or negative.
    action["value"] = value == nullptr ? json::value("") : *value;
  } else if (!keeps_state(element.type())) {
    if (const json::value* fixed = element.element->if_contains("value")) action["value"] = *fixed;
  }
  json::object payload = interaction(world, "block_actions", *person);
  if (place.view != nullptr) place.view->body["state"] = {{"values", state}};
  add_place(world, payload, place, *person, element.block_id);
  if (place.view == nullptr) payload["state"] = {{"values", std::move(state)}};
  payload["trigger_id"] = world.workspace.new_trigger(person->id, place.view == nullptr ? "" : place.view->id);
  json::array actions;
  actions.push_back(std::move(action));
  payload["actions"] = std::move(actions);
  world.record.add("click", {{"user", person->id}, {"action_id", element.action_id()}});
  const Acknowledgement answer =
      co_await world.deliveries.deliver({EnvelopeKind::interactive, "block_actions", std::move(payload), false});
  co_return as_person_sees(answer);
}

Task<Result<json::object>> suggest(World& world, json::object wanted) {
  CO_TRY(Person* const person, active_person(world, wanted));
  CO_TRY(Surroundings place, surroundings(world, *person, wanted));
  CO_TRY(const Element element, find_element(place.blocks, wanted));
  if (!element.type().ends_with("external_select"))
    co_return cannot("Only an external select asks the app for its options");
  json::object payload = interaction(world, "block_suggestion", *person);
  add_place(world, payload, place, *person, element.block_id);
  payload.erase("response_url");
  payload["action_id"] = element.action_id();
  payload["block_id"] = element.block_id;
  payload["value"] = text_at(wanted, "value");
  const Acknowledgement answer =
      co_await world.deliveries.deliver({EnvelopeKind::interactive, "block_suggestion", std::move(payload), true});
  json::object seen = as_person_sees(answer);
  if (answer.payload.is_object()) seen["answer"] = answer.payload;
  co_return seen;
}

namespace {

/// What the answer to a submission does to the screen.
Result<json::object> after_submission(World& world, View& view, const json::value& answer) {
  Workspace& workspace = world.workspace;
  const auto bad = [&](std::string why) {
    world.record.add("bad_response_action", {{"view_id", view.id}, {"why", why}, {"answer", answer}});
    return json::object{
        {"acknowledged", true}, {"result", "bad_answer"}, {"sees", kNoAnswer}, {"reason", std::move(why)}};
  };
  const json::object* object = answer.if_object();
  const std::string action = object == nullptr ? "" : text_at(*object, "response_action");
  if (action.empty()) {
    view.open = false;
    return json::object{{"acknowledged", true}, {"result", "closed"}};
  }
  if (action == "clear") {
    const std::string root = view.root_id.empty() ? view.id : view.root_id;
    for (auto& [id, other] : workspace.views) {
      if (id == root || other.root_id == root) other.open = false;
    }
    return json::object{{"acknowledged", true}, {"result", "cleared"}};
  }
  if (action == "errors") {
    const json::object* errors = find_object(*object, "errors");
    if (errors == nullptr || errors->empty()) return bad("errors must be an object with at least one block id");
    for (const auto& [block_id, sentence] : *errors) {
      const bool is_input =
          std::ranges::any_of(elements_of(view.body.at("blocks").as_array()), [&](const Element& element) {
            return element.input != nullptr && element.block_id == std::string_view(block_id.data(), block_id.size());
          });
      if (!is_input || !sentence.is_string())
        return bad("`" + std::string(block_id) + "` is not an input block of the view");
    }
    return json::object{{"acknowledged", true}, {"result", "errors"}, {"errors", *errors}};
  }
  if (action != "update" && action != "push") return bad("unknown response_action `" + action + "`");
  const json::value* given = object->if_contains("view");
  auto body = read_view(workspace, given == nullptr ? std::nullopt : std::optional(*given), "modal",
                        action == "update" ? view.id : "");
  if (!body)
    return bad(body.error().error + (body.error().messages.empty() ? "" : " " + body.error().messages.front()));
  if (action == "update") {
    change_view(workspace, view, *std::move(body));
    return json::object{{"acknowledged", true}, {"result", "updated"}, {"view_id", view.id}};
  }
  const View& pushed = add_view(workspace, view.user, *std::move(body), view.id);
  return json::object{{"acknowledged", true}, {"result", "pushed"}, {"view_id", pushed.id}};
}

}  // namespace

Task<Result<json::object>> submit(World& world, json::object wanted) {
  CO_TRY(Person* const person, active_person(world, wanted));
  CO_TRY(const Surroundings place, surroundings(world, *person, wanted));
  if (place.view == nullptr || text_at(place.view->body, "type") != "modal")
    co_return cannot("Only a modal is submitted");
  if (!place.view->body.contains("submit")) co_return cannot("The modal has no submit button");
  CO_TRY(json::object state, state_of(place.blocks, object_or_empty(wanted, "values")));
  if (json::object missing = missing_inputs(place.blocks, state); !missing.empty()) {
    co_return json::object{{"acknowledged", false}, {"result", "incomplete"}, {"errors", std::move(missing)}};
  }
  const std::string view_id = place.view->id;
  place.view->body["state"] = {{"values", std::move(state)}};
  json::object payload = interaction(world, "view_submission", *person);
  payload["trigger_id"] = world.workspace.new_trigger(person->id, view_id);
  payload["view"] = world.workspace.show(*place.view);
  payload["response_urls"] = json::array();
  world.record.add("submit", {{"user", person->id}, {"view_id", view_id}});
  const Acknowledgement answer =
      co_await world.deliveries.deliver({EnvelopeKind::interactive, "view_submission", std::move(payload), true});
  if (!answer.received) co_return as_person_sees(answer);
  co_return after_submission(world, world.workspace.views.at(view_id), answer.payload);
}

Task<Result<json::object>> close_view(World& world, json::object wanted) {
  CO_TRY(Person* const person, active_person(world, wanted));
  CO_TRY(const Surroundings place, surroundings(world, *person, wanted));
  if (place.view == nullptr) co_return cannot("Pass the view_id of the modal to close");
  const json::value* all = wanted.if_contains("all");
  const bool cleared = all != nullptr && all->is_bool() && all->get_bool();
  place.view->open = false;
  const json::value* notify = place.view->body.if_contains("notify_on_close");
  if (notify == nullptr || !notify->is_bool() || !notify->get_bool()) co_return json::object{{"notified", false}};
  json::object payload = interaction(world, "view_closed", *person);
  payload["view"] = world.workspace.show(*place.view);
  payload["is_cleared"] = cleared;
  const Acknowledgement answer =
      co_await world.deliveries.deliver({EnvelopeKind::interactive, "view_closed", std::move(payload), false});
  co_return as_person_sees(answer);
}

namespace {

/// A message that the app sent through a response URL or as the answer to a command.
Result<json::object> show_response(World& world, Channel& channel, const std::string& user,
                                   const json::object& answer) {
  Arguments arguments;
  for (const auto& [key, value] : answer) {
    if (!value.is_null()) arguments.set(std::string(key), value);
  }
  auto content = read_content(world.workspace, arguments);
  if (!content) return fail(ErrorKind::invalid_input, content.error().error);
  const bool everyone = text_at(answer, "response_type") == "in_channel";
  Message message = {.ts = world.workspace.next_ts(),
                     .thread_ts = text_at(answer, "thread_ts"),
                     .user = world.workspace.app.bot_user,
                     .body = std::move(content->body)};
  const std::string ts = message.ts;
  if (everyone) {
    tell_message(world, channel, world.workspace.add(channel, std::move(message)));
  } else {
    message.only_for = user;
    channel.messages.push_back(std::move(message));
  }
  return json::object{{"ts", ts}, {"ephemeral", !everyone}};
}

}  // namespace

Task<Result<json::object>> run_command(World& world, json::object wanted) {
  CO_TRY(Person* const person, active_person(world, wanted));
  Workspace& workspace = world.workspace;
  Channel* channel = workspace.channel(text_at(wanted, "channel"));
  if (channel == nullptr || !channel->members.contains(person->id))
    co_return cannot("`" + person->name + "` is not in this channel");
  const std::string channel_id = channel->id;
  json::object payload = {
      {"token", workspace.app.verification_token},
      {"team_id", workspace.team_id},
      {"team_domain", workspace.domain},
      {"channel_id", channel->id},
      {"channel_name", channel_name(*channel)},
      {"user_id", person->id},
      {"user_name", person->name},
      {"command", text_at(wanted, "command")},
      {"text", text_at(wanted, "text")},
      {"api_app_id", workspace.app.id},
      {"is_enterprise_install", "false"},
      {"response_url", workspace.new_response_url("commands", {.channel = channel->id, .user = person->id})},
      {"trigger_id", workspace.new_trigger(person->id)}};
  const std::string user_id = person->id;
  const std::string command = text_at(wanted, "command");
  world.record.add("command", {{"user", user_id}, {"command", command}});
  const Acknowledgement answer =
      co_await world.deliveries.deliver({EnvelopeKind::slash_commands, command, std::move(payload), true});
  json::object seen = as_person_sees(answer);
  if (!answer.received) seen["sees"] = command + " failed with the error \"dispatch_failed\"";
  if (!answer.payload.is_object() || answer.payload.get_object().empty()) co_return seen;
  auto shown = show_response(world, *workspace.channel(channel_id), user_id, answer.payload.get_object());
  if (!shown) world.record.add("bad_response", {{"command", command}, {"error", shown.error().message}});
  seen["message"] = shown ? json::value(*shown) : json::value(nullptr);
  co_return seen;
}

Task<Result<json::object>> run_shortcut(World& world, json::object wanted) {
  CO_TRY(Person* const person, active_person(world, wanted));
  const bool on_message = wanted.contains("ts");
  json::object payload = interaction(world, on_message ? "message_action" : "shortcut", *person);
  payload["callback_id"] = text_at(wanted, "callback_id");
  payload["trigger_id"] = world.workspace.new_trigger(person->id);
  payload["action_ts"] = world.workspace.next_ts();
  if (on_message) {
    CO_TRY(Surroundings place, surroundings(world, *person, wanted));
    add_place(world, payload, place, *person, "");
    payload.erase("container");
    payload["message_ts"] = place.message->ts;
  }
  world.record.add("shortcut", {{"user", person->id}, {"callback_id", text_at(wanted, "callback_id")}});
  const std::string name = text_at(payload, "type");
  const Acknowledgement answer =
      co_await world.deliveries.deliver({EnvelopeKind::interactive, name, std::move(payload), false});
  co_return as_person_sees(answer);
}

namespace {

net::Response plain(int status, std::string text) {
  return {status, {{"Content-Type", "text/plain; charset=utf-8"}}, std::move(text)};
}

bool is_true(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_bool() && value->get_bool();
}

}  // namespace

net::Response answer_response_url(World& world, const net::ServerRequest& request) {
  const auto found = world.workspace.response_urls.find(request.path);
  const auto finish = [&](int status, std::string text) {
    world.record.add(
        "response_url",
        {{"path", request.path}, {"status", status}, {"body", request.body.substr(0, 20'000)}, {"answer", text}});
    return plain(status, std::move(text));
  };
  if (request.method != "POST" || found == world.workspace.response_urls.end()) return finish(404, "no_team");
  ResponseUrl& url = found->second;
  if (world.workspace.clock.now() - url.made > kResponseLifetime) return finish(404, "expired_url");
  if (url.uses >= kMaxResponses) return finish(404, "used_url");
  const auto answer = parse_json_object(request.body);
  if (!answer) return finish(400, "invalid_payload");
  ++url.uses;
  Channel* channel = world.workspace.channel(url.channel);
  Message* original =
      channel == nullptr || url.message_ts.empty() ? nullptr : world.workspace.message(*channel, url.message_ts);
  if (channel == nullptr) return finish(404, "channel_not_found");
  if (is_true(*answer, "delete_original")) {
    if (original == nullptr) return finish(404, "message_not_found");
    if (original->only_for.empty())
      remove_message(world, *channel, url.message_ts);
    else
      std::erase_if(channel->messages, [&](const Message& message) { return message.ts == url.message_ts; });
    return finish(200, "ok");
  }
  if (is_true(*answer, "replace_original") && original != nullptr) {
    Arguments arguments;
    for (const auto& [key, value] : *answer) {
      if (!value.is_null()) arguments.set(std::string(key), value);
    }
    const auto content = read_content(world.workspace, arguments);
    if (!content) return finish(400, content.error().error);
    json::object before = world.workspace.show(*channel, *original);
    for (const std::string_view part : {"text", "blocks", "attachments"}) {
      if (content->body.contains(part))
        original->body[part] = content->body.at(part);
      else
        original->body.erase(part);
    }
    original->body["edited"] = {{"user", world.workspace.app.bot_user}, {"ts", world.workspace.next_ts()}};
    tell_changed(world, *channel, *original, std::move(before));
    return finish(200, "ok");
  }
  const auto shown = show_response(world, *channel, url.user, *answer);
  return shown ? finish(200, "ok") : finish(400, shown.error().message);
}

}  // namespace deputy::sim::slack
