#include "gateway/inbound/reach.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/log.h"
#include "base/text.h"
#include "gateway/inbound/approvals.h"
#include "gateway/inbound/settle.h"
#include "run/journal/delivery.h"
#include "run/journal/stored_rows.h"

namespace deputy::gateway {

namespace {

constexpr std::chrono::seconds kMaxDirect{5};

// Accounts that were found by the platform, and the members of groups, each once.
Task<std::vector<policy::Account>> everybody(InboundDependencies& parts, std::string channel,
                                             channel::Mentions approvers) {
  std::vector<policy::Account> all = std::move(approvers.accounts);
  for (const std::string& group : approvers.groups) {
    const std::set<std::string> members = co_await parts.people.members_of_group(channel, group);
    for (const std::string& key : members) {
      policy::Account account = run::account_of(key);
      if (!contains(all, account)) all.push_back(std::move(account));
    }
  }
  co_return all;
}

// Who sees the conversation. In a direct message only the person who asked does.
Task<std::set<std::string>> readers_of(InboundDependencies& parts, run::InteractionBody asking, policy::Place place) {
  const bool is_channel =
      place.kind == policy::PlaceKind::public_channel || place.kind == policy::PlaceKind::private_channel;
  if (!is_channel) co_return std::set<std::string>(asking.askers.begin(), asking.askers.end());
  const std::optional<std::set<std::string>> members = co_await parts.people.members(std::move(place));
  co_return members.value_or(std::set<std::string>{});
}

// The direct conversations of the first approvers who may answer this now.
Task<std::vector<std::string>> direct_conversations(InboundDependencies& parts, channel::Channel& channel,
                                                    std::vector<policy::Account> approvers, store::InteractionRow row,
                                                    run::InteractionBody asking, policy::OpenTo open_to) {
  std::vector<std::string> conversations;
  if (!channel.capabilities().direct) co_return conversations;
  for (const policy::Account& account : approvers) {
    if (conversations.size() == interaction::kMaxApproversMentioned) break;
    const policy::Identity identity = co_await parts.people.who(account);
    const policy::Place place{account.channel, {}, policy::PlaceKind::direct, false, open_to};
    const Result<> may = co_await may_decide(parts, row, asking, identity, place);
    if (!may) continue;
    Result<channel::ConversationKey> direct = co_await with_timeout(kMaxDirect, channel.direct(account));
    if (!direct) {
      log::warning("an approver could not be reached",
                   {{"account", account.key()}, {"error", describe(direct.error())}});
    } else if (!contains(conversations, *direct) && *direct != row.conversation) {
      conversations.push_back(*std::move(direct));
    }
  }
  co_return conversations;
}

Task<std::vector<std::string>> more_places(InboundDependencies& parts, channel::Channel& channel,
                                           run::InteractionBody asking, store::InteractionRow row) {
  std::vector<std::string> none;
  const Result<policy::Place> place = run::read_place(asking.place);
  if (!place || !asking.approval) co_return none;
  channel::Mentions named = co_await approvers_on(parts, row.conversation, asking.approval->approvers);
  std::vector<policy::Account> approvers = co_await everybody(parts, std::string(channel.name()), std::move(named));
  const std::set<std::string> readers = co_await readers_of(parts, asking, *place);
  const bool one_sees_it =
      std::ranges::any_of(approvers, [&](const policy::Account& account) { return readers.contains(account.key()); });
  if (one_sees_it) co_return none;
  const std::string elsewhere = parts.rules()->policy.settings.approvals.channel;
  if (place->kind == policy::PlaceKind::public_channel && !elsewhere.empty()) {
    const std::string prefix = place->channel + ":";
    const std::string id = elsewhere.starts_with(prefix) ? elsewhere.substr(prefix.size()) : elsewhere;
    if (id != place->id) co_return std::vector<std::string>{channel.conversation_in(id)};
  }
  co_return co_await direct_conversations(parts, channel, std::move(approvers), std::move(row), std::move(asking),
                                          place->open_to);
}

// Who may approve is named where nobody can be mentioned.
std::string words_of_reminder(const store::InteractionRow& row, const run::InteractionBody& asking,
                              const channel::Mentions& mentioned, const interaction::Zone& zone) {
  std::string words =
      fmt::format("Still {}. It expires at {}.", describe_pending(asking), interaction::time_in(zone, row.expires_at));
  const bool is_mention = !mentioned.accounts.empty() || !mentioned.groups.empty();
  if (!is_mention && asking.approval && !asking.approval->approvers.empty())
    words += fmt::format(" It can be approved by {}.", join(asking.approval->approvers, ", "));
  return words;
}

}  // namespace

Task<channel::Mentions> approvers_on(InboundDependencies& parts, std::string conversation,
                                     std::vector<std::string> entries) {
  const std::string channel(channel::kind_of(conversation));
  policy::Addressees found = policy::addressees_on(channel, entries, parts.rules()->policy.settings);
  channel::Mentions approvers{std::move(found.accounts), std::move(found.groups)};
  for (const std::string& id : found.ids) {
    const policy::Account account{channel, id};
    const policy::Identity identity = co_await parts.people.who(account);
    if (identity.standing != policy::AccountKind::unknown) {
      approvers.accounts.push_back(account);
      continue;
    }
    const std::set<std::string> members = co_await parts.people.members_of_group(channel, id);
    if (!members.empty()) approvers.groups.push_back(id);
  }
  co_return approvers;
}

channel::Mentions to_mention(channel::Mentions approvers) {
  if (approvers.accounts.size() > interaction::kMaxApproversMentioned)
    approvers.accounts.resize(interaction::kMaxApproversMentioned);
  return approvers;
}

Task<Result<>> reach_approvers(InboundDependencies& parts, store::DueRow due, store::InteractionRow row) {
  channel::Channel* const channel = parts.channels.of(row.conversation);
  // A process that runs its channel does it.
  if (channel == nullptr) co_return Result<>{};
  CO_TRY(const run::InteractionBody asking, run::read_interaction_body(row));
  const std::vector<std::string> places = co_await more_places(parts, *channel, asking, row);
  CO_TRY(const InteractionId card, InteractionId::parse(asking.card));
  store::Effects effects;
  for (const std::string& conversation : places) {
    store::DeliveryRow view = run::owe(run::CardDelivery{}, conversation, parts.clock.now(), row.run);
    view.interaction = card;
    effects.deliveries.push_back(std::move(view));
  }
  effects.dues_ended = {{due.kind, due.id}};
  const store::ConsumedRow once{fmt::format("due:{}:{}", due.kind, due.id), row.conversation};
  CO_TRY((co_await take_in(parts, once, store::ToNobody{}, std::move(effects))));
  co_return Result<>{};
}

bool is_shown_in(const InboundDependencies& parts, std::string_view view, std::string_view conversation,
                 const policy::Place& place) {
  if (view == conversation) return true;
  const channel::Channel* const channel = parts.channels.of(conversation);
  return channel != nullptr && !place.id.empty() && view == channel->conversation_in(place.id);
}

Task<Result<bool>> is_asked_in(InboundDependencies& parts, store::InteractionRow row, std::string conversation,
                               policy::Place place) {
  if (row.conversation == conversation) co_return true;
  // The views are those of its card, which another interaction of the turn may have begun.
  const Result<run::InteractionBody> asking = run::read_interaction_body(row);
  const Result<InteractionId> card = asking ? InteractionId::parse(asking->card) : std::unexpected(asking.error());
  CO_TRY(const std::vector<store::DeliveryRow> views, co_await parts.store.views(card ? *card : row.id));
  co_return std::ranges::any_of(views, [&](const store::DeliveryRow& view) {
    return is_shown_in(parts, view.conversation, conversation, place);
  });
}

Task<Result<>> remind_approvers(InboundDependencies& parts, store::DueRow due, store::InteractionRow row) {
  CO_TRY(const run::InteractionBody asking, run::read_interaction_body(row));
  channel::Mentions approvers;
  if (asking.approval)
    approvers = to_mention(co_await approvers_on(parts, row.conversation, asking.approval->approvers));
  run::NoticeDelivery notice{words_of_reminder(row, asking, approvers, zone_of(*parts.rules(), asking))};
  for (const policy::Account& account : approvers.accounts) notice.accounts.push_back(account.key());
  notice.groups = approvers.groups;
  std::vector<std::string> conversations{row.conversation};
  const Result<InteractionId> card = InteractionId::parse(asking.card);
  CO_TRY(std::vector<store::DeliveryRow> deliveries, co_await parts.store.views(card ? *card : row.id));
  for (const store::DeliveryRow& view : cards_among(std::move(deliveries))) {
    if (!contains(conversations, view.conversation)) conversations.push_back(view.conversation);
  }
  store::Effects effects;
  for (const std::string& conversation : conversations)
    effects.deliveries.push_back(run::owe(notice, conversation, parts.clock.now(), row.run));
  effects.dues_ended = {{due.kind, due.id}};
  const store::ConsumedRow once{fmt::format("due:{}:{}", due.kind, due.id), row.conversation};
  CO_TRY((co_await take_in(parts, once, store::ToNobody{}, std::move(effects))));
  co_return Result<>{};
}

}  // namespace deputy::gateway
