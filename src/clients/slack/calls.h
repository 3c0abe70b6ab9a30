// Slack's Web API as typed calls, for the channel and the tools.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "clients/slack/api.h"

namespace deputy::clients::slack {

/// The app itself, as its bot token tells.
struct Self {
  std::string team;  // id
  std::string team_name;
  std::string user;  // of the bot
  std::string user_name = {};
  std::string bot;
  std::string url;                 // of the workspace
  bool is_org_wide = false;        // installed for a whole organisation, which Deputy does not support
  std::string enterprise = {};     // id of the organisation on Enterprise Grid
  std::optional<std::string> app;  // id, where Slack tells it
};
Task<Result<Self>> auth_test(Api& api);
/// An error that says what to do where the app is installed for a whole organisation.
Result<> check_workspace(const Self& self);

/// The address of a new socket. It can be used once and soon expires.
Task<Result<std::string>> open_connection(Api& api);

// ---- Messages.

struct Sent {
  std::string channel;
  std::string ts;

  bool operator==(const Sent&) const = default;
};

struct OutgoingMessage {
  std::string channel;
  std::string thread = {};  // its ts; empty: not in a thread
  std::string text = {};    // mrkdwn: what a notification shows, and everything where there are no blocks
  json::array blocks = {};
  json::object metadata = {};
};
Task<Result<Sent>> post_message(Api& api, OutgoingMessage message);
Task<Result<>> update_message(Api& api, std::string ts, OutgoingMessage message, Use use = Use::needed);
Task<Result<>> delete_message(Api& api, std::string channel, std::string ts);
/// Only `user` sees it.
Task<Result<>> post_ephemeral(Api& api, std::string user, OutgoingMessage message);

/// A stream is a reply in a thread, for one person.
struct StreamStart {
  std::string channel;
  std::string thread;
  std::string team;
  std::string user;
  json::array chunks = {};
};
Task<Result<Sent>> start_stream(Api& api, StreamStart start);
Task<Result<>> append_stream(Api& api, Sent stream, json::array chunks);
Task<Result<>> stop_stream(Api& api, Sent stream, json::array chunks, json::array blocks, json::object metadata);

/// Empty words remove the status. Slack removes it by itself after two minutes, and when the app posts.
Task<Result<>> set_status(Api& api, std::string channel, std::string thread, std::string words);
Task<Result<>> set_title(Api& api, std::string channel, std::string thread, std::string title);

/// What a person might ask in a new assistant thread, at most 4; without `thread`, in the direct message itself.
Task<Result<>> suggest_prompts(Api& api, std::string channel, std::string thread, std::vector<std::string> prompts);

enum class Reacted { on, off };
/// A reaction that is there already, or gone already, is a success.
Task<Result<>> react(Api& api, std::string channel, std::string ts, std::string emoji, Reacted reacted);

// ---- Reading.

/// Messages as Slack has them, oldest first.
struct Messages {
  json::array messages;
  std::size_t left_out = 0;  // between the first message of a thread and the newest ones
  bool has_more = false;     // that were not read
};
struct Range {
  std::string oldest = {};  // ts; empty: no bound
  std::string latest = {};  // before this one
  std::size_t most = 100;
};
/// The first message of the thread and the newest ones of the range. Slack has the oldest first, so all of the thread
/// is read, up to 2,000 messages.
Task<Result<Messages>> read_thread(Api& api, std::string channel, std::string thread, Range range);
/// The newest messages of the range that are in no thread, page by page. What a rate limit ends early has more.
Task<Result<Messages>> read_channel(Api& api, std::string channel, Range range);

struct ChannelInfo {
  std::string id;
  std::string name;
  std::string user = {};  // the other person of a direct message
  bool is_direct = false;
  bool is_group_message = false;  // of several people
  bool is_private = false;
  bool is_archived = false;
  bool app_is_outside = false;  // Slack says that the app is not a member
  bool is_external = false;     // shared with another organisation
};
Task<Result<ChannelInfo>> channel_info(Api& api, std::string channel);
/// The channels the app can see; those it is a member of with `only_own`.
enum class Listed { all, only_own };
Task<Result<std::vector<ChannelInfo>>> list_channels(Api& api, std::string types, std::size_t most, Listed listed);
Task<Result<std::vector<std::string>>> channel_members(Api& api, std::string channel);
/// The direct message with one person.
Task<Result<std::string>> open_direct(Api& api, std::string user);
Task<Result<std::string>> permalink(Api& api, std::string channel, std::string ts);

struct User {
  std::string id;
  std::string team;  // on Enterprise Grid that of the organisation, or one of their workspaces
  std::string name;  // as people call them
  std::string email = {};
  std::string time_zone = {};  // an IANA name
  bool is_bot = false;
  bool is_deactivated = false;
  bool is_guest = false;
  bool is_stranger = false;                  // from another organisation
  std::vector<std::string> workspaces = {};  // on Enterprise Grid: those that they are in
};
Task<Result<User>> user_info(Api& api, std::string user);
/// A bot, which may have no user: incoming webhooks have none.
struct Bot {
  std::string id;
  std::string name;
  bool is_deactivated = false;
};
Task<Result<Bot>> bot_info(Api& api, std::string bot);
Task<Result<std::vector<User>>> list_users(Api& api, std::size_t most);
Task<Result<std::vector<std::string>>> group_members(Api& api, std::string group);

// ---- Views, files, search.

Task<Result<std::string>> open_view(Api& api, std::string trigger, json::object view);  // its id
Task<Result<>> update_view(Api& api, std::string id, json::object view);
Task<Result<>> publish_home(Api& api, std::string user, json::object view);

struct NewFile {
  std::string channel;
  std::string thread = {};
  std::string name;
  std::string title;
  std::string content;
  std::string comment = {};
};
/// The file's id. Slack posts its message some moments later.
Task<Result<std::string>> upload_file(Api& api, NewFile file);
/// The first half of it: nobody sees the file yet. Its id.
Task<Result<std::string>> store_file(Api& api, std::string name, std::string content);
/// The second half: shares the file with this id. Its content is not looked at.
Task<Result<>> share_file(Api& api, std::string id, NewFile file);

struct FileInfo {
  std::string id;
  std::string name;
  std::string media_type;
  std::string url;  // for Api::download
  std::int64_t size = 0;
  std::vector<std::string> channels = {};  // where it is shared
};
Task<Result<FileInfo>> file_info(Api& api, std::string file);

struct SearchHit {
  std::string channel;
  std::string channel_name;
  std::string ts;
  std::string user;
  std::string text;  // mrkdwn
  std::string permalink;
};
/// Messages that the asker may see, by the action token that was kept of them; not_configured if there is none.
Task<Result<std::vector<SearchHit>>> search_for(Api& api, Asker asker, std::string query, std::size_t most);
/// Messages that the owner of the user token may see.
Task<Result<std::vector<SearchHit>>> search_as_user(Api& api, std::string query, std::size_t most);

}  // namespace deputy::clients::slack
