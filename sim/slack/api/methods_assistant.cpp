#include <algorithm>

#include "base/text.h"
#include "sim/slack/api/web_api.h"

namespace deputy::sim::slack {

namespace {

constexpr std::size_t kMaxLoadingMessages = 10;
constexpr std::size_t kMaxPrompts = 4;
constexpr std::size_t kMaxQuery = 500;
constexpr std::size_t kMaxResults = 20;

std::expected<AssistantThread*, Refusal> thread_of(Call& call) {
  TRY(Channel* const channel, visible_channel(call, call.arguments.text("channel_id")));
  if (!channel->members.contains(call.user())) return refuse("channel_not_found");
  const std::string ts = call.arguments.text("thread_ts");
  const Message* root = call.workspace.message(*channel, ts);
  if (root == nullptr || root->is_reply() || !root->only_for.empty()) return refuse("invalid_thread_ts");
  return &channel->assistant_threads[ts];
}

Reply set_status(Call& call) {
  TRY(AssistantThread* const thread, thread_of(call));
  json::array loading;
  if (const auto given = call.arguments.structured("loading_messages")) {
    if (!given->is_array() || given->get_array().size() > kMaxLoadingMessages)
      return refuse("invalid_arguments", {"[ERROR] loading_messages: no more than 10 items allowed"});
    loading = given->get_array();
  }
  thread->status = call.arguments.text("status");
  thread->status_set = call.workspace.clock.now();
  thread->loading_messages = std::move(loading);
  return json::object{};
}

Reply set_title(Call& call) {
  TRY(AssistantThread* const thread, thread_of(call));
  thread->title = call.arguments.text("title");
  return json::object{};
}

Reply set_prompts(Call& call) {
  const auto prompts = call.arguments.structured("prompts");
  if (!prompts || !prompts->is_array() || prompts->get_array().empty() || prompts->get_array().size() > kMaxPrompts) {
    return refuse("invalid_arguments", {"[ERROR] prompts: between 1 and 4 items allowed"});
  }
  for (const json::value& prompt : prompts->get_array()) {
    const json::object* object = prompt.if_object();
    if (object == nullptr || text_at(*object, "title").empty() || text_at(*object, "message").empty()) {
      return refuse("invalid_arguments", {"[ERROR] a prompt needs title and message"});
    }
  }
  // With an agent view prompts stand in the conversation itself, outside of threads.
  if (!call.arguments.has("thread_ts")) {
    if (!call.workspace.app.agent_view)
      return refuse("invalid_arguments", {"[ERROR] missing required field: thread_ts"});
    TRY(Channel* const channel, visible_channel(call, call.arguments.text("channel_id")));
    channel->assistant_threads[""].prompts = prompts->get_array();
    return json::object{};
  }
  TRY(AssistantThread* const thread, thread_of(call));
  thread->prompts = prompts->get_array();
  return json::object{};
}

/// Messages that hold every word of the query and that `reader` may see, the newest first.
std::vector<std::pair<const Channel*, const Message*>> found_by(const Workspace& workspace, const std::string& reader,
                                                                std::string_view query, bool public_only) {
  std::vector<std::pair<const Channel*, const Message*>> found;
  const std::string lower_query = to_lower(query);
  for (const auto& [id, channel] : workspace.channels) {
    if (channel.kind != ChannelKind::open && (public_only || !channel.members.contains(reader))) continue;
    for (const Message& message : channel.messages) {
      if (!message.only_for.empty()) continue;
      const std::string text = to_lower(text_at(message.body, "text"));
      const auto words = split(lower_query, " ");
      const bool all = std::ranges::all_of(words, [&](std::string_view word) {
        return word.empty() || word.find(':') != std::string_view::npos || text.find(word) != std::string::npos;
      });
      if (all) found.emplace_back(&channel, &message);
    }
  }
  std::ranges::sort(found, [](const auto& a, const auto& b) { return a.second->ts > b.second->ts; });
  return found;
}

std::string name_of(const Workspace& workspace, const std::string& user) {
  const auto found = workspace.people.find(user);
  return found == workspace.people.end() ? user : found->second.name;
}

// The shape of its results is not documented where we can read it: these are the fields that clients expect.
Reply search_context(Call& call) {
  const std::string query = call.arguments.text("query");
  if (trim(query).empty()) return refuse("missing_query");
  if (count_characters(query) > kMaxQuery) return refuse("query_too_long");
  std::string reader = call.user();
  if (call.token->kind == TokenKind::bot) {
    const auto token = call.workspace.action_tokens.find(call.arguments.text("action_token"));
    if (token == call.workspace.action_tokens.end()) return refuse("invalid_action_token");
    reader = token->second;
  }
  const auto found = found_by(call.workspace, reader, query, /*public_only=*/call.token->kind == TokenKind::bot);
  TRY(const Page page, page_of(call, found.size(), kMaxResults, kMaxResults));
  json::array messages;
  for (std::size_t i = page.begin; i < page.end; ++i) {
    const auto [channel, message] = found[i];
    const auto writer = call.workspace.people.find(message->user);
    const bool is_bot = writer != call.workspace.people.end() && !writer->second.bot_id.empty();
    if (is_bot && !call.arguments.flag("include_bots")) continue;
    messages.push_back({{"author_name", name_of(call.workspace, message->user)},
                        {"author_user_id", message->user},
                        {"team_id", call.workspace.team_id},
                        {"channel_id", channel->id},
                        {"channel_name", channel->name},
                        {"message_ts", message->ts},
                        {"content", text_at(message->body, "text")},
                        {"is_author_bot", is_bot},
                        {"permalink", call.workspace.permalink(*channel, *message)}});
  }
  return json::object{{"results", {{"messages", std::move(messages)}}},
                      {"response_metadata", {{"next_cursor", page.next}}}};
}

Reply search_info(Call&) { return json::object{{"is_ai_search_enabled", true}}; }

Reply search_messages(Call& call) {
  const std::string query = call.arguments.text("query");
  if (trim(query).empty()) return refuse("no_query");
  const auto found = found_by(call.workspace, call.user(), query, /*public_only=*/false);
  const std::size_t count =
      static_cast<std::size_t>(std::clamp<std::int64_t>(call.arguments.number("count").value_or(20), 1, 100));
  const std::size_t page =
      static_cast<std::size_t>(std::clamp<std::int64_t>(call.arguments.number("page").value_or(1), 1, 100));
  const std::size_t pages = (found.size() + count - 1) / count;
  json::array matches;
  for (std::size_t i = (page - 1) * count; i < std::min(found.size(), page * count); ++i) {
    const auto [channel, message] = found[i];
    matches.push_back({{"iid", sha256_hex(channel->id + message->ts).substr(0, 32)},
                       {"team", call.workspace.team_id},
                       {"score", 0},
                       {"channel",
                        {{"id", channel->id},
                         {"name", channel->name},
                         {"is_channel", channel->kind == ChannelKind::open},
                         {"is_private", channel->kind != ChannelKind::open},
                         {"is_im", channel->kind == ChannelKind::direct},
                         {"is_mpim", channel->kind == ChannelKind::group},
                         {"is_ext_shared", !channel->connected_teams.empty()}}},
                       {"type", "message"},
                       {"user", message->user},
                       {"username", name_of(call.workspace, message->user)},
                       {"ts", message->ts},
                       {"text", text_at(message->body, "text")},
                       {"permalink", call.workspace.permalink(*channel, *message)}});
  }
  return json::object{{"query", query},
                      {"messages",
                       {{"total", found.size()},
                        {"pagination",
                         {{"total_count", found.size()},
                          {"page", page},
                          {"per_page", count},
                          {"page_count", pages},
                          {"first", 1},
                          {"last", matches.size()}}},
                        {"paging", {{"count", count}, {"total", found.size()}, {"page", page}, {"pages", pages}}},
                        {"matches", std::move(matches)}}}};
}

}  // namespace

std::span<const Method> assistant_methods() {
  static const std::vector<Method> kMethods = {
      {"assistant.threads.setStatus",
       Tier::special,
       kBot,
       {"chat:write"},
       {},
       {"channel_id", "status", "thread_ts"},
       {"icon_emoji", "icon_url", "loading_messages", "username"},
       set_status},
      {"assistant.threads.setTitle",
       Tier::four,
       kBot,
       {"assistant:write"},
       {},
       {"channel_id", "thread_ts", "title"},
       {},
       set_title},
      {"assistant.threads.setSuggestedPrompts",
       Tier::four,
       kBot,
       {"assistant:write"},
       {},
       {"channel_id", "prompts"},
       {"thread_ts", "title"},
       set_prompts},
      {"assistant.search.context",
       Tier::special,
       kBot | kUser,
       {"search:read.public", "search:read.files", "search:read.users"},
       {"search:read.public", "search:read.private", "search:read.im", "search:read.mpim", "search:read.files",
        "search:read.users"},
       {"query"},
       {"action_token", "after", "before", "channel_types", "content_types", "context_channel_id", "cursor",
        "disable_semantic_search", "highlight", "include_archived_channels", "include_bots", "include_context_messages",
        "include_deleted_users", "include_message_blocks", "limit", "modifiers", "sort", "sort_dir", "term_clauses"},
       search_context},
      {"assistant.search.info",
       Tier::two,
       kBot | kUser,
       {"search:read.public"},
       {"search:read.public"},
       {},
       {},
       search_info},
      {"search.messages",
       Tier::two,
       kUser,
       {},
       {"search:read"},
       {"query"},
       {"count", "cursor", "highlight", "page", "sort", "sort_dir"},
       search_messages},
  };
  return kMethods;
}

}  // namespace deputy::sim::slack
