// The Web API: one table of methods with their rate limit, tokens, scopes and arguments. The dispatcher checks what is
// the same for all of them; each method then does its own work on the workspace.
//
// To add one: a line in the table of its methods_*.cpp and its function.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "net/server.h"
#include "sim/slack/api/arguments.h"
#include "sim/slack/kit/blocks.h"
#include "sim/slack/world.h"

namespace deputy::sim::slack {

/// A refusal as Slack answers it: an error code, sentences for the developer, and more fields.
struct Refusal {
  std::string error;
  std::vector<std::string> messages = {};
  json::object more = {};
};
using Reply = std::expected<json::object, Refusal>;

inline std::unexpected<Refusal> refuse(std::string error, std::vector<std::string> messages = {}) {
  return std::unexpected(Refusal{std::move(error), std::move(messages)});
}

struct Call {
  World& world;
  Workspace& workspace;
  const Arguments& arguments;
  const Token* token;  // null for a method that needs none

  const std::string& user() const { return token->user; }
};

/// Which tokens a method takes, as bits.
constexpr unsigned kNoToken = 0;
constexpr unsigned kBot = 1;
constexpr unsigned kUser = 2;
constexpr unsigned kApp = 4;
constexpr unsigned kConfiguration = 8;

struct Method {
  std::string_view name;
  Tier tier;
  unsigned tokens;
  std::vector<std::string_view> bot_scopes;   // one of them is needed
  std::vector<std::string_view> user_scopes;  // the same for a user's token
  std::vector<std::string_view> required;
  std::vector<std::string_view> optional;
  Reply (*handle)(Call&);
};

std::span<const Method> app_methods();
std::span<const Method> chat_methods();
std::span<const Method> stream_methods();
std::span<const Method> conversation_methods();
std::span<const Method> people_methods();
std::span<const Method> reaction_methods();
std::span<const Method> file_methods();
std::span<const Method> view_methods();
std::span<const Method> assistant_methods();

/// Every method, by name.
std::vector<const Method*> all_methods();

/// Answers a request to /api/METHOD.
Task<net::Answer> answer_api(World& world, net::ServerRequest request);

// What several methods share.

/// Refused with missing_scope unless the token has this scope.
std::expected<void, Refusal> need_scope(const Call& call, std::string_view scope);

/// The channel of this id, when the caller may know that it exists: public, or one it is in.
std::expected<Channel*, Refusal> visible_channel(Call& call, std::string_view id);

/// "channels:history" for a public channel, "groups:history" for a private one …
std::string scope_for(ChannelKind kind, std::string_view what);

/// Refused with the code of the first problem and Slack's sentence for each.
std::expected<void, Refusal> blocks_are_fine(const std::vector<BlockProblem>& problems);

/// Gives every block and interactive element without an id one, as Slack does.
void fill_ids(Workspace& workspace, json::array& blocks);

/// One page of `count` items: where it begins and ends, and the cursor after it (empty at the end).
struct Page {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string next;
};
std::expected<Page, Refusal> page_of(const Call& call, std::size_t count, std::size_t usual, std::size_t most);

}  // namespace deputy::sim::slack
