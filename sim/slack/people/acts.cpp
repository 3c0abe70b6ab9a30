#include "sim/slack/people/acts.h"

#include <algorithm>

#include "base/text.h"
#include "sim/slack/api/posting.h"
#include "sim/slack/events/events.h"

namespace deputy::sim::slack {

namespace {

std::unexpected<Error> cannot(std::string message) { return fail(ErrorKind::invalid_input, std::move(message)); }

Result<Person*> who(World& world, const json::object& wanted) {
  Person* person = world.workspace.person(text_at(wanted, "user"));
  if (person == nullptr) return cannot("There is no person `" + text_at(wanted, "user") + "`");
  if (person->deleted) return cannot("The account of `" + person->name + "` is deactivated");
  return person;
}

/// A channel by id or name; "im" is the person's direct message with the app.
Result<Channel*> where(World& world, const Person& person, const json::object& wanted) {
  const std::string name = text_at(wanted, "channel");
  if (name == "im") return &world.workspace.direct(person.id, world.workspace.app.bot_user);
  if (!world.workspace.has_room_for_message()) return cannot("The workspace is full; start another");
  Channel* channel = world.workspace.channel(name);
  if (channel == nullptr) channel = world.workspace.channel_by_name(name);
  if (channel == nullptr) return cannot("There is no channel `" + name + "`");
  if (!channel->members.contains(person.id)) return cannot("`" + person.name + "` is not in this channel");
  if (channel->archived) return cannot("The channel is archived");
  return channel;
}

Result<Message*> own_message(World& world, Channel& channel, const Person& person, const json::object& wanted) {
  Message* message = world.workspace.message(channel, text_at(wanted, "ts"));
  if (message == nullptr) return cannot("There is no message `" + text_at(wanted, "ts") + "`");
  if (message->user != person.id) return cannot("The message is not by `" + person.name + "`");
  return message;
}

bool is_true(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_bool() && value->get_bool();
}

/// A message of the past needs a ts that is over and that no other message of the channel has.
Result<> can_be_written_at(World& world, Channel& channel, const std::string& ts, const std::string& thread_ts) {
  const auto is_ts = [](std::string_view text) {
    return text.size() == 17 && text[10] == '.' && std::ranges::count_if(text, is_digit) == 16;
  };
  if (!is_ts(ts)) return cannot("`" + ts + "` is not a ts such as 1700000000.000100");
  if (ts >= world.workspace.next_ts()) return cannot("`" + ts + "` is not in the past");
  if (world.workspace.message(channel, ts) != nullptr) return cannot("Another message has the ts `" + ts + "`");
  if (!thread_ts.empty() && ts < thread_ts) return cannot("A reply is later than the root of its thread");
  return {};
}

/// What stands between "<" and ">" as an element of rich text.
json::object rich_token(std::string_view token) {
  const std::string_view target = token.substr(0, token.find('|'));
  if (target.starts_with('@')) return {{"type", "user"}, {"user_id", target.substr(1)}};
  if (target.starts_with('#')) return {{"type", "channel"}, {"channel_id", target.substr(1)}};
  if (target.starts_with("!subteam^")) return {{"type", "usergroup"}, {"usergroup_id", target.substr(9)}};
  if (target.starts_with('!')) return {{"type", "broadcast"}, {"range", target.substr(1)}};
  return {{"type", "link"}, {"url", target}};
}

/// Typed text as Slack's clients send it: one paragraph of rich text with its mentions and links.
json::array rich_text(Workspace& workspace, std::string_view text) {
  json::array elements;
  while (!text.empty()) {
    const auto begin = text.find('<');
    const auto end = begin == std::string_view::npos ? begin : text.find('>', begin);
    if (end == std::string_view::npos) break;
    if (begin > 0) elements.push_back({{"type", "text"}, {"text", text.substr(0, begin)}});
    elements.push_back(rich_token(text.substr(begin + 1, end - begin - 1)));
    text.remove_prefix(end + 1);
  }
  if (!text.empty()) elements.push_back({{"type", "text"}, {"text", text}});
  json::object section = {{"type", "rich_text_section"}, {"elements", std::move(elements)}};
  json::array sections;
  sections.push_back(std::move(section));
  json::array blocks;
  blocks.push_back(json::object{{"type", "rich_text"}, {"elements", std::move(sections)}});
  fill_ids(workspace, blocks);
  return blocks;
}

json::object typed(Workspace& workspace, const Person& person, const std::string& text) {
  json::object body = {{"text", text}};
  if (!person.bot_id.empty()) return body;
  body["client_msg_id"] = workspace.next_id("client-message-");
  if (!text.empty()) body["blocks"] = rich_text(workspace, text);
  return body;
}

json::object context_of(const World& world, const json::object& wanted) {
  const std::string channel = text_at(wanted, "context_channel");
  json::array entities;
  if (!channel.empty())
    entities.push_back({{"type", "slack#/types/channel_id"},
                        {"value", channel},
                        {"team_id", world.workspace.team_id},
                        {"enterprise_id", nullptr}});
  return {{"entities", std::move(entities)}};
}

json::object assistant_context(const World& world, const json::object& wanted) {
  const std::string channel = text_at(wanted, "context_channel");
  if (channel.empty()) return {};
  return {{"channel_id", channel}, {"team_id", world.workspace.team_id}, {"enterprise_id", nullptr}};
}

}  // namespace

/// `{user, channel, text, thread_ts?, mention?, blocks?, attachments?, webhook?, context_channel?, ts?}`. A bot's post
/// is checked as any app's is; so an alert card is said by a bot with blocks or attachments. What came by its webhook
/// names the bot and no user. With a ts it was said at that time, and the app is not told: Slack has given up on an app
/// that was away.
Result<json::object> say(World& world, const json::object& wanted) {
  TRY(Person* const person, who(world, wanted));
  TRY(Channel* const channel, where(world, *person, wanted));
  const std::string thread_ts = text_at(wanted, "thread_ts");
  if (!can_reply(world.workspace, *channel, thread_ts))
    return cannot("`" + thread_ts + "` is not the root of a thread in this channel");
  const std::string past_ts = text_at(wanted, "ts");
  if (!past_ts.empty()) TRY((can_be_written_at(world, *channel, past_ts, thread_ts)));
  std::string text = text_at(wanted, "text");
  if (is_true(wanted, "mention")) text = "<@" + world.workspace.app.bot_user + "> " + text;
  json::object body = typed(world.workspace, *person, text);
  if (wanted.contains("blocks") || wanted.contains("attachments")) {
    Arguments arguments;
    arguments.set("text", json::string(text));
    for (const std::string_view part : {"blocks", "attachments"}) {
      if (wanted.contains(part)) arguments.set(std::string(part), wanted.at(part));
    }
    auto content = read_content(world.workspace, arguments);
    if (!content)
      return cannot(content.error().error +
                    (content.error().messages.empty() ? "" : ": " + content.error().messages.front()));
    body = std::move(content->body);
    if (!person->bot_id.empty()) body["subtype"] = "bot_message";
  }
  if (is_true(wanted, "webhook")) {
    if (person->bot_id.empty()) return cannot("Only a bot has a webhook");
    body["subtype"] = "bot_message";
    body["username"] = person->real_name;
  }
  if (wanted.contains("context_channel") && channel->kind == ChannelKind::direct)
    body["app_context"] = context_of(world, wanted);
  const Message& message = world.workspace.add(*channel, {.ts = past_ts,
                                                          .thread_ts = thread_ts,
                                                          .user = person->id,
                                                          .body = std::move(body),
                                                          .by_webhook = is_true(wanted, "webhook")});
  world.record.add("said", {{"user", person->id}, {"channel", channel->id}, {"ts", message.ts}, {"text", text}});
  if (past_ts.empty()) tell_message(world, *channel, message);
  return json::object{{"channel", channel->id}, {"ts", message.ts}};
}

Result<json::object> edit(World& world, const json::object& wanted) {
  TRY(Person* const person, who(world, wanted));
  TRY(Channel* const channel, where(world, *person, wanted));
  TRY(Message* const message, own_message(world, *channel, *person, wanted));
  json::object before = world.workspace.show(*channel, *message);
  const bool mentioned =
      text_at(message->body, "text").find("<@" + world.workspace.app.bot_user + ">") != std::string::npos;
  const std::string text = text_at(wanted, "text");
  message->body["text"] = text;
  if (person->bot_id.empty()) message->body["blocks"] = rich_text(world.workspace, text);
  message->body["edited"] = {{"user", person->id}, {"ts", world.workspace.next_ts()}};
  tell_changed(world, *channel, *message, std::move(before));
  // An edit that adds a mention counts as one.
  const bool mentions = text.find("<@" + world.workspace.app.bot_user + ">") != std::string::npos;
  if (mentions && !mentioned && channel->kind != ChannelKind::direct &&
      channel->members.contains(world.workspace.app.bot_user)) {
    json::object event = world.workspace.show(*channel, *message);
    event["type"] = "app_mention";
    event["channel"] = channel->id;
    tell(world, "app_mention", "app_mentions:read", std::move(event), channel);
  }
  return json::object{{"channel", channel->id}, {"ts", message->ts}};
}

Result<json::object> take_back(World& world, const json::object& wanted) {
  TRY(Person* const person, who(world, wanted));
  TRY(Channel* const channel, where(world, *person, wanted));
  TRY(Message* const message, own_message(world, *channel, *person, wanted));
  const std::string ts = message->ts;
  remove_message(world, *channel, ts);
  return json::object{{"channel", channel->id}, {"ts", ts}};
}

Result<json::object> react(World& world, const json::object& wanted) {
  TRY(Person* const person, who(world, wanted));
  TRY(Channel* const channel, where(world, *person, wanted));
  Message* message = world.workspace.message(*channel, text_at(wanted, "ts"));
  if (message == nullptr) return cannot("There is no message `" + text_at(wanted, "ts") + "`");
  const std::string name = text_at(wanted, "name");
  auto reaction = std::ranges::find(message->reactions, name, &Reaction::name);
  if (is_true(wanted, "remove")) {
    if (reaction == message->reactions.end() || std::erase(reaction->users, person->id) == 0)
      return cannot("`" + person->name + "` has not reacted so");
    if (reaction->users.empty()) message->reactions.erase(reaction);
    tell_reaction(world, *channel, *message, person->id, name, /*added=*/false);
    return json::object{};
  }
  if (reaction == message->reactions.end()) reaction = message->reactions.insert(message->reactions.end(), {name, {}});
  if (contains(reaction->users, person->id)) return cannot("`" + person->name + "` has already reacted so");
  reaction->users.push_back(person->id);
  tell_reaction(world, *channel, *message, person->id, name, /*added=*/true);
  return json::object{};
}

/// `{user, channel, name, content, text?, thread_ts?}`
Result<json::object> upload(World& world, const json::object& wanted) {
  TRY(Person* const person, who(world, wanted));
  TRY(Channel* const channel, where(world, *person, wanted));
  const std::string thread_ts = text_at(wanted, "thread_ts");
  if (!can_reply(world.workspace, *channel, thread_ts))
    return cannot("`" + thread_ts + "` is not the root of a thread in this channel");
  Workspace& workspace = world.workspace;
  File file = {.id = workspace.next_id("F0"),
               .name = text_at(wanted, "name"),
               .title = text_at(wanted, "name"),
               .user = person->id,
               .content = text_at(wanted, "content")};
  file.created = to_millis(workspace.clock.now()) / 1000;
  file.uploaded = file.completed = true;
  file.channels.insert(channel->id);
  const std::string id = file.id;
  workspace.files[id] = std::move(file);
  std::string text = text_at(wanted, "text");
  if (is_true(wanted, "mention")) text = "<@" + workspace.app.bot_user + "> " + text;
  json::object body = typed(workspace, *person, text);
  json::array files;
  files.push_back(workspace.show(workspace.files[id]));
  body["files"] = std::move(files);
  body["upload"] = false;
  body["subtype"] = "file_share";
  const Message& message =
      workspace.add(*channel, {.ts = {}, .thread_ts = thread_ts, .user = person->id, .body = std::move(body)});
  tell_message(world, *channel, message);
  if (channel->members.contains(workspace.app.bot_user)) {
    tell(world, "file_shared", "files:read",
         {{"type", "file_shared"},
          {"file_id", id},
          {"user_id", person->id},
          {"file", {{"id", id}}},
          {"channel_id", channel->id}},
         channel);
  }
  return json::object{{"channel", channel->id}, {"ts", message.ts}, {"file", id}};
}

/// `{user, channel, by?}`: the person, or the app, comes into the channel.
Result<json::object> invite(World& world, const json::object& wanted) {
  TRY(Person* const person, who(world, wanted));
  Channel* channel = world.workspace.channel(text_at(wanted, "channel"));
  if (channel == nullptr) return cannot("There is no channel `" + text_at(wanted, "channel") + "`");
  if (channel->kind == ChannelKind::direct || channel->kind == ChannelKind::group)
    return cannot("Nobody is invited to a direct message");
  if (!channel->members.insert(person->id).second) return cannot("`" + person->name + "` is already in the channel");
  const Message& message =
      world.workspace.add(*channel, {.ts = {},
                                     .user = person->id,
                                     .body = {{"subtype", "channel_join"},
                                              {"text", "<@" + person->id + "> has joined the channel"},
                                              {"inviter", text_at(wanted, "by")}}});
  tell_message(world, *channel, message);
  tell_joined(world, *channel, person->id, text_at(wanted, "by"));
  return json::object{{"channel", channel->id}};
}

Result<json::object> leave(World& world, const json::object& wanted) {
  TRY(Person* const person, who(world, wanted));
  TRY(Channel* const channel, where(world, *person, wanted));
  tell(world, "member_left_channel", channel->kind == ChannelKind::open ? "channels:read" : "groups:read",
       {{"type", "member_left_channel"},
        {"user", person->id},
        {"channel", channel->id},
        {"channel_type", channel->kind == ChannelKind::open ? "C" : "G"},
        {"team", world.workspace.team_id}},
       channel);
  channel->members.erase(person->id);
  return json::object{{"channel", channel->id}};
}

/// `{user, tab: home|messages, context_channel?}`
Result<json::object> open_home(World& world, const json::object& wanted) {
  TRY(Person* const person, who(world, wanted));
  Channel& channel = world.workspace.direct(person->id, world.workspace.app.bot_user);
  const std::string tab = wanted.contains("tab") ? text_at(wanted, "tab") : "home";
  if (tab != "home" && tab != "messages") return cannot("The tabs are home and messages");
  json::object event = {{"type", "app_home_opened"}, {"user", person->id}, {"channel", channel.id}, {"tab", tab}};
  const auto view = world.workspace.home_views.find(person->id);
  if (tab == "home" && view != world.workspace.home_views.end())
    event["view"] = world.workspace.show(world.workspace.views.at(view->second));
  if (world.workspace.app.agent_view && tab == "messages") event["context"] = context_of(world, wanted);
  tell(world, "app_home_opened", "", std::move(event), &channel);
  return json::object{{"channel", channel.id}};
}

/// `{user, context_channel?}`. With an agent view this is the messages tab; before it, a thread of its own.
Result<json::object> open_assistant(World& world, const json::object& wanted) {
  TRY(Person* const person, who(world, wanted));
  if (world.workspace.app.agent_view) {
    json::object tab = wanted;
    tab["tab"] = "messages";
    return open_home(world, tab);
  }
  Channel& channel = world.workspace.direct(person->id, world.workspace.app.bot_user);
  const Message& root =
      world.workspace.add(channel, {.ts = {},
                                    .user = world.workspace.app.bot_user,
                                    .body = {{"text", "New Assistant Thread"}, {"subtype", "assistant_app_thread"}}});
  channel.assistant_threads[root.ts] = {};
  tell(world, "assistant_thread_started", "assistant:write",
       {{"type", "assistant_thread_started"},
        {"assistant_thread",
         {{"user_id", person->id},
          {"context", assistant_context(world, wanted)},
          {"channel_id", channel.id},
          {"thread_ts", root.ts}}}},
       &channel);
  return json::object{{"channel", channel.id}, {"thread_ts", root.ts}};
}

/// `{user, context_channel, thread_ts?}`: the person looks at another channel while the assistant is open.
Result<json::object> change_context(World& world, const json::object& wanted) {
  TRY(Person* const person, who(world, wanted));
  Channel& channel = world.workspace.direct(person->id, world.workspace.app.bot_user);
  if (world.workspace.app.agent_view) {
    tell(world, "app_context_changed", "",
         {{"type", "app_context_changed"},
          {"channel", channel.id},
          {"user", person->id},
          {"context", context_of(world, wanted)}},
         &channel);
  } else {
    tell(world, "assistant_thread_context_changed", "assistant:write",
         {{"type", "assistant_thread_context_changed"},
          {"assistant_thread",
           {{"user_id", person->id},
            {"context", assistant_context(world, wanted)},
            {"channel_id", channel.id},
            {"thread_ts", text_at(wanted, "thread_ts")}}}},
         &channel);
  }
  return json::object{{"channel", channel.id}};
}

/// `{user, channel, thread_ts}`: the person presses Stop.
Result<json::object> stop_agent(World& world, const json::object& wanted) {
  TRY(Person* const person, who(world, wanted));
  TRY(Channel* const channel, where(world, *person, wanted));
  const std::string thread_ts = text_at(wanted, "thread_ts");
  json::array stopped;
  for (Message& message : channel->messages) {
    if (message.thread_ts != thread_ts || message.stream != StreamState::in_progress) continue;
    message.stream = StreamState::stopped_by_user;
    stopped.emplace_back(message.ts);
  }
  clear_status(*channel, thread_ts);
  json::object reply = {{"stopped", stopped}};
  tell(world, "agent_session_stopped", "",
       {{"type", "agent_session_stopped"},
        {"channel", channel->id},
        {"user", person->id},
        {"thread_ts", thread_ts},
        {"streaming_message_ts", std::move(stopped)}},
       channel);
  return reply;
}

/// `{user, channel, thread_ts, title}`
Result<json::object> rename_session(World& world, const json::object& wanted) {
  TRY(Person* const person, who(world, wanted));
  TRY(Channel* const channel, where(world, *person, wanted));
  AssistantThread& thread = channel->assistant_threads[text_at(wanted, "thread_ts")];
  json::object event = {{"type", "agent_session_title_changed"},
                        {"channel", channel->id},
                        {"user", person->id},
                        {"team_id", world.workspace.team_id},
                        {"thread_ts", text_at(wanted, "thread_ts")},
                        {"title", text_at(wanted, "title")}};
  if (!thread.title.empty()) event["previous_title"] = thread.title;
  thread.title = text_at(wanted, "title");
  tell(world, "agent_session_title_changed", "", std::move(event), channel);
  return json::object{{"channel", channel->id}};
}

}  // namespace deputy::sim::slack
