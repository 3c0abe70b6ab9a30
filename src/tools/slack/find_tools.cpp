// list_slack_channels, list_slack_users and search_slack_messages.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "tools/common_steps.h"
#include "tools/slack/messages.h"
#include "tools/slack/slack_tools.h"

namespace deputy::tools::slack {

namespace {

std::string left_out_line(std::size_t count, std::string_view noun) {
  if (count == 0) return "";
  return fmt::format("{} may not be shown in this conversation.\n",
                     count_of(static_cast<std::int64_t>(count), fmt::format("more {}", noun)));
}

}  // namespace

// list_slack_channels = [ list ]

namespace {

constexpr std::size_t kMaxListed = 200;  // as many as may be asked about
constexpr auto kTypes = std::to_array<std::string_view>({"public_channel", "private_channel", "mpim", "im"});

struct ListChannelsParams {
  int limit = 20;
  std::string types = "public_channel,private_channel";

  template <class Fields>
  static void fields(Fields& f) {
    using P = ListChannelsParams;
    f.optional(&P::limit, "limit", "How many channels at most").in_range(1, 200).kind(toolkit::Kind::count);
    f.optional(&P::types, "types", "Which, separated by commas: public_channel, private_channel, mpim, im")
        .characters(1, 100);
  }
};

Result<std::string> known_types(std::string_view given) {
  std::vector<std::string> types;
  for (const std::string_view part : split(given, ",")) {
    const std::string_view type = trim(part);
    if (!contains(kTypes, type)) {
      return fail(ErrorKind::invalid_input, fmt::format("`{}` is no type of channel", in_one_line(type, 50)),
                  "the types are public_channel, private_channel, mpim and im");
    }
    types.emplace_back(type);
  }
  return join(types, ",");
}

std::string line_of(const ChannelInfo& channel) {
  std::string line = fmt::format("{} ({})", in_one_line(shown_name(channel), 100), channel.id);
  if (!is_public(channel)) line += ", private";
  if (channel.is_external) line += ", shared with another organisation";
  if (channel.app_is_outside) line += ", Deputy is not a member";
  return line + "\n";
}

Task<Result<toolkit::Step>> list_channels(Workspace workspace, std::string types, std::size_t limit,
                                          toolkit::CallContext& context) {
  CO_TRY(std::vector<ChannelInfo> all,
         co_await clients::slack::list_channels(workspace->api(), std::move(types), kMaxListed + 1,
                                                clients::slack::Listed::all));
  const bool has_more = all.size() > kMaxListed;
  if (has_more) all.pop_back();
  if (!context.answer) co_return which_are_visible(all);
  CO_TRY(const std::set<std::string> visible, visible_in(*context.answer));
  const auto left_out = std::erase_if(all, [&](const ChannelInfo& one) { return !visible.contains(one.id); });
  const std::size_t shown = std::min(limit, all.size());
  std::string text = fmt::format("{}\n", count_of(static_cast<std::int64_t>(shown), "channel"));
  for (const ChannelInfo& channel : std::span(all).first(shown)) text += line_of(channel);
  if (shown < all.size()) text += fmt::format("{} more are not listed: raise `limit`.\n", all.size() - shown);
  text += left_out_line(left_out, "channel");
  if (has_more) text += fmt::format("Only the first {} channels of the workspace were looked at.\n", kMaxListed);
  co_return toolkit::Output{std::move(text), {{"channels", shown}}};
}

}  // namespace

Tool list_slack_channels(const Workspace& workspace) {
  toolkit::ToolSpec spec = slack_spec(workspace, "list_slack_channels",
                                      "Lists channels of the Slack workspace with name and ID, as far as the people of "
                                      "this conversation may see them.",
                                      toolkit::Effect::read);
  spec.topics = {.words = {"slack channels"},
                 .examples = {"which slack channels are there?"},
                 .working = "Listing Slack channels"};
  return toolkit::make_tool<ListChannelsParams>(
      std::move(spec), [workspace](const ListChannelsParams& params) -> Result<toolkit::Pipeline> {
        TRY(const std::string types, known_types(params.types));
        const std::size_t limit = static_cast<std::size_t>(params.limit);
        toolkit::Pipeline pipeline;
        pipeline.then(
            {.name = "list", .repeatable = true, .call = [workspace, types, limit](toolkit::CallContext& context) {
               return as_step(list_channels(workspace, types, limit, context));
             }});
        return pipeline;
      });
}

// list_slack_users = [ list ]

namespace {

constexpr std::size_t kMaxAccounts = 400;  // that are looked at

struct ListUsersParams {
  int limit = 30;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&ListUsersParams::limit, "limit", "How many people at most").in_range(1, 200).kind(toolkit::Kind::count);
  }
};

std::string line_of(const clients::slack::User& user) {
  std::string line = fmt::format("{} ({})", in_one_line(user.name, 100), user.id);
  if (user.is_bot) line += ", bot";
  if (user.is_guest) line += ", guest";
  if (user.is_stranger) line += ", of another organisation";
  if (!user.time_zone.empty()) line += ", " + in_one_line(user.time_zone, 50);
  return line + "\n";
}

// The people of a workspace are as visible as a public channel: not in one that is shared with another organisation.
Task<Result<toolkit::Step>> list_users(Workspace workspace, std::size_t limit, toolkit::CallContext& context) {
  const ChannelInfo everywhere{.id = "workspace", .name = ""};
  if (!context.answer) co_return which_are_visible(std::span(&everywhere, 1));
  CO_TRY(const std::set<std::string> visible, visible_in(*context.answer));
  if (!visible.contains(everywhere.id)) {
    co_return fail(ErrorKind::permission, "the people of the workspace may not be listed in this conversation",
                   "ask in a direct message");
  }
  CO_TRY(std::vector<clients::slack::User> users, co_await clients::slack::list_users(workspace->api(), kMaxAccounts));
  const bool has_more = users.size() == kMaxAccounts;
  std::erase_if(users, [](const clients::slack::User& user) { return user.is_deactivated; });
  const std::size_t shown = std::min(limit, users.size());
  std::string text = fmt::format("{} of the workspace\n", count_of(static_cast<std::int64_t>(shown), "account"));
  for (const clients::slack::User& user : std::span(users).first(shown)) text += line_of(user);
  if (shown < users.size()) text += fmt::format("{} more are not listed: raise `limit`.\n", users.size() - shown);
  if (has_more) text += fmt::format("Only the first {} accounts were looked at.\n", kMaxAccounts);
  co_return toolkit::Output{std::move(text), {{"users", shown}}};
}

}  // namespace

Tool list_slack_users(const Workspace& workspace) {
  toolkit::ToolSpec spec =
      slack_spec(workspace, "list_slack_users",
                 "Lists people and bots of the Slack workspace with name, ID and time zone, without deactivated ones.",
                 toolkit::Effect::read);
  spec.topics = {
      .words = {"slack users"}, .examples = {"which slack users are there?"}, .working = "Listing Slack users"};
  return toolkit::make_tool<ListUsersParams>(std::move(spec), [workspace](const ListUsersParams& params) {
    const std::size_t limit = static_cast<std::size_t>(params.limit);
    toolkit::Pipeline pipeline;
    pipeline.then({.name = "list", .repeatable = true, .call = [workspace, limit](toolkit::CallContext& context) {
                     return as_step(list_users(workspace, limit, context));
                   }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  });
}

// search_slack_messages = [ search ]

namespace {

using clients::slack::SearchHit;

struct SearchParams {
  std::string query;
  int count = 10;

  template <class Fields>
  static void fields(Fields& f) {
    using P = SearchParams;
    f.required(&P::query, "query", "Words to look for").characters(1, 500).kind(toolkit::Kind::query);
    f.optional(&P::count, "count", "How many messages at most").in_range(1, 20).kind(toolkit::Kind::count);
  }
};

// By the permission that came with the request; by the user token only where one is set and that permission is not
// there or does not help.
Task<Result<std::vector<SearchHit>>> hits_for(SlackWorkspace& workspace, SearchParams params,
                                              toolkit::CallFacts facts) {
  clients::slack::Api& api = workspace.api();
  const auto most = static_cast<std::size_t>(params.count);
  const bool has_user_token = api.has(clients::slack::Token::user);
  clients::slack::Asker asker{std::move(facts.conversation), std::move(facts.requester.account)};
  Result<std::vector<SearchHit>> hits = co_await clients::slack::search_for(api, std::move(asker), params.query, most);
  const bool is_refused = !hits && !hits.error().retryable && hits.error().kind != ErrorKind::authentication;
  if (!is_refused) co_return hits;
  if (has_user_token) co_return co_await clients::slack::search_as_user(api, params.query, most);
  Error error = std::move(hits).error();
  error.kind = ErrorKind::not_configured;
  error.hint += error.hint.empty() ? "set channels.slack.user_token" : ", or set channels.slack.user_token";
  co_return std::unexpected(std::move(error));
}

// Twice: what may not be shown is neither kept nor passed on between the two.
Task<Result<toolkit::Step>> search(Workspace workspace, SearchParams params, toolkit::CallContext& context) {
  CO_TRY(std::vector<SearchHit> hits, co_await hits_for(*workspace, params, context.facts));
  if (!context.answer) {
    std::map<std::string, ChannelInfo> places;
    for (const SearchHit& hit : hits) {
      if (hit.channel.empty() || places.contains(hit.channel)) continue;
      const Result<ChannelInfo> place = co_await workspace->channel(hit.channel);
      places[hit.channel] = place.value_or(ChannelInfo{.id = hit.channel, .name = "", .is_private = true});
    }
    std::vector<ChannelInfo> asked;
    for (auto& [id, place] : places) asked.push_back(std::move(place));
    co_return which_are_visible(asked);
  }
  CO_TRY(const std::set<std::string> visible, visible_in(*context.answer));
  const auto left_out = std::erase_if(hits, [&](const SearchHit& hit) { return !visible.contains(hit.channel); });
  json::array messages;
  for (const SearchHit& hit : hits)
    messages.push_back(json::object{{"user", hit.user}, {"ts", hit.ts}, {"text", hit.text}});
  CO_TRY(const std::vector<MessageLine> lines, co_await lines_of(*workspace, context, std::move(messages)));
  std::string text = fmt::format("{} found\n", count_of(std::ssize(hits), "message"));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const SearchHit& hit = hits[i];
    text += fmt::format("in {} ({}), {}\n{}\n", in_one_line(hit.channel_name, 100), hit.channel,
                        in_one_line(hit.permalink, 300), lines[i].text);
  }
  text += left_out_line(left_out, "message");
  co_return toolkit::Output{std::move(text), {{"messages", hits.size()}}};
}

}  // namespace

Tool search_slack_messages(const Workspace& workspace) {
  toolkit::ToolSpec spec =
      slack_spec(workspace, "search_slack_messages",
                 "Searches messages of the Slack workspace for words, as far as the people of this "
                 "conversation may see them. Use it for \"what was said about this?\".",
                 toolkit::Effect::read);
  spec.primary_param = "query";
  spec.topics = {.words = {"slack messages"}, .working = "Searching Slack"};
  return toolkit::make_tool<SearchParams>(
      std::move(spec), [workspace](const SearchParams& params) -> Result<toolkit::Pipeline> {
        if (trim(params.query).empty())
          return fail(ErrorKind::invalid_input, "the query cannot be empty", "name words to look for");
        toolkit::Pipeline pipeline;
        pipeline.then(
            {.name = "search", .repeatable = true, .call = [workspace, params](toolkit::CallContext& context) {
               return as_step(search(workspace, params, context));
             }});
        return pipeline;
      });
}

}  // namespace deputy::tools::slack
