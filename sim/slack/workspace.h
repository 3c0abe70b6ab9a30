// A Slack workspace as data: people, channels, messages, files, views, tokens. It checks nothing and tells nobody:
// methods (web_api.h) decide what a caller may do, events.h tells the app what happened.
//
// Everything a real workspace has in many kinds is here at the start: members, guests, a stranger from another
// workspace, a deactivated account, public, private, archived and shared channels, some of which the app is not in.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/json.h"

namespace deputy::sim::slack {

struct Person {
  std::string id;
  std::string name;
  std::string real_name;
  std::string team_id;
  std::string email = {};
  bool admin = false;
  bool deleted = false;
  bool restricted = false;        // a guest
  bool ultra_restricted = false;  // a guest of one channel
  bool stranger = false;          // of another workspace, met in a shared channel
  bool hidden = false;            // the app may not look them up (user_not_visible)
  std::string bot_id = {};        // not empty: a bot
  std::string app_id = {};        // of a bot
  bool webhook = false;           // a bot without a user, as incoming webhooks are: its messages name the bot alone
  std::vector<std::string> workspaces = {};  // on Enterprise Grid: those of the organisation that they are in
};

enum class ChannelKind { open, closed, direct, group };

enum class StreamState { none, in_progress, completed, stopped_by_user };

struct Reaction {
  std::string name;
  std::vector<std::string> users;
};

struct Message {
  std::string ts;
  std::string thread_ts = {};  // of a reply, and of a message that has replies
  std::string user = {};
  json::object body = {};  // all else that Slack shows: text, blocks, attachments, files, metadata, edited …
  std::vector<Reaction> reactions = {};
  std::string only_for = {};  // an ephemeral message: who sees it
  bool by_webhook = false;    // of a bot: Slack names the bot and no user
  StreamState stream = StreamState::none;
  json::array chunks = {};  // task_update and plan_update of a stream, the newest of each task

  bool is_reply() const { return !thread_ts.empty() && thread_ts != ts; }
};

/// What the app set in a thread of an assistant.
struct AssistantThread {
  std::string title;
  std::string status;
  Timestamp status_set;  // Slack takes it away after two minutes
  json::array loading_messages;
  json::array prompts;
};

struct Channel {
  std::string id;
  std::string name;
  ChannelKind kind = ChannelKind::open;
  std::string creator = {};
  std::set<std::string> members = {};
  bool archived = false;
  std::vector<std::string> connected_teams = {};  // not empty: a shared channel (Slack Connect)
  std::string topic = {};
  std::deque<Message> messages = {};  // by ts
  std::map<std::string, AssistantThread> assistant_threads = {};
  std::set<std::string> pins = {};
};

struct File {
  std::string id;
  std::string name;
  std::string title;
  std::string user;
  std::string content = {};
  std::int64_t expected_bytes = 0;
  std::int64_t created = 0;
  std::string snippet_type = {};
  std::string upload_key = {};
  bool uploaded = false;
  bool completed = false;
  std::set<std::string> channels = {};
};

struct View {
  std::string id;
  std::string user;
  std::string root_id = {};
  std::string previous_id = {};
  json::object body = {};  // as the app sent it, with block and action ids filled in
  std::string hash = {};
  bool open = true;
};

struct UserGroup {
  std::string id;
  std::string handle;
  std::string name;
  std::vector<std::string> users;
  bool disabled = false;
};

enum class TokenKind { bot, user, app, configuration };

struct Token {
  std::string value;
  TokenKind kind = TokenKind::bot;
  std::string user;
  std::set<std::string> scopes;
  bool revoked = false;
};

/// The app under development: what its settings page would say.
struct App {
  std::string id = "A0SIM000001";
  std::string name = "Deputy";
  std::string bot_user = "U0DEPUTY001";
  std::string bot_id = "B0DEPUTY001";
  std::string signing_secret = "fake-signing-secret-of-the-simulator";
  std::string verification_token = "fake-verification-token";
  std::set<std::string> subscriptions;  // message.channels, app_mention …
  bool agent_view = true;               // since 2026-06-30; false: assistant_view with assistant_thread_* events
  bool home_tab = true;
  bool messages_tab = true;
  std::string request_url = {};  // not empty: events go there, signed, and not over Socket Mode
  bool socket_mode = true;
  bool org_wide = false;  // installed for a whole Enterprise organisation
};

struct Trigger {
  std::string user;
  Timestamp made;
  bool used = false;
  std::string view_id = {};  // the modal it was made in
};

struct ResponseUrl {
  std::string channel;
  std::string user;
  std::string message_ts = {};
  bool ephemeral_message = false;
  Timestamp made;
  int uses = 0;
};

class Workspace {
 public:
  explicit Workspace(const Clock& clock);

  const Clock& clock;
  std::string team_id = "T0SIM000001";
  std::string team_name = "Simulated";
  std::string enterprise_id = {};  // of its organisation on Enterprise Grid
  std::string domain = "simulated";
  std::string address = {};  // http://127.0.0.1:PORT, set once it is known
  App app;
  std::map<std::string, Person> people;
  std::map<std::string, Channel> channels;
  std::map<std::string, File> files;
  std::map<std::string, View> views;
  std::map<std::string, std::string> home_views;  // user -> view
  std::map<std::string, UserGroup> groups;
  std::vector<Token> tokens;
  std::map<std::string, Trigger> triggers;
  std::map<std::string, ResponseUrl> response_urls;
  std::map<std::string, std::string> action_tokens;  // token -> user, for assistant.search.context

  Person* person(std::string_view id);
  Channel* channel(std::string_view id);
  Channel* channel_by_name(std::string_view name);
  Message* message(Channel& in, std::string_view ts);
  Person* bot(std::string_view bot_id);
  Person& app_bot() { return people.at(app.bot_user); }

  /// The direct message of two people, made when there is none.
  Channel& direct(const std::string& one, const std::string& other);
  Channel& group_message(const std::set<std::string>& members);

  /// A ts later than every one before.
  std::string next_ts();
  std::string next_id(std::string_view prefix);
  /// Puts a message into its place by ts; without one it is the newest.
  Message& add(Channel& in, Message message);

  /// False when the workspace holds as many messages, or files, as it can.
  bool has_room_for_message() const { return message_count_ < kMaxMessages; }
  bool has_room_for_file() const { return files.size() < kMaxFiles; }

  std::string new_trigger(const std::string& user, const std::string& view_id = {});
  std::string new_response_url(std::string_view kind, ResponseUrl use);

  /// The replies of a thread, without its root.
  std::vector<const Message*> replies(const Channel& in, std::string_view thread_ts) const;

  // As Slack writes them.
  json::object show(const Person& person, bool with_email) const;
  json::object show(const Channel& channel, std::string_view for_user) const;
  json::object show(const Channel& in, const Message& message) const;
  json::object show(const File& file) const;
  json::object show(const View& view) const;
  json::object show(const UserGroup& group, bool with_users) const;
  json::object bot_profile(const Person& bot) const;
  std::string permalink(const Channel& in, const Message& message) const;

 private:
  static constexpr std::size_t kMaxMessages = 200'000;
  static constexpr std::size_t kMaxFiles = 10'000;

  void seed();

  std::size_t message_count_ = 0;  // that were ever written
  std::int64_t last_micros_ = 0;
  std::int64_t ids_ = 0;
};

/// "channel", "group", "im" or "mpim": the kind in events and in the names of scopes.
std::string_view event_kind(ChannelKind kind);

}  // namespace deputy::sim::slack
