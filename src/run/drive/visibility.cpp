#include "run/drive/visibility.h"

#include "policy/access.h"
#include "run/journal/stored_rows.h"

namespace deputy::run {

using policy::ConversationKind;
using policy::PlaceKind;
using policy::SeenConversation;

Task<SeenConversation> seen_conversation(Lookups& lookups, policy::Place place, std::string account,
                                         policy::Viewer viewer) {
  SeenConversation seen{.id = place.id.empty() ? std::string() : place.channel + ":" + place.id};
  seen.external = place.external;
  switch (place.kind) {
    case PlaceKind::public_channel:
      seen.kind = ConversationKind::public_channel;
      break;
    case PlaceKind::private_channel:
      seen.kind = ConversationKind::private_channel;
      break;
    case PlaceKind::terminal:
    case PlaceKind::own:
    case PlaceKind::direct:
      seen.kind = ConversationKind::direct;
      if (!account.empty()) seen.members = {std::move(account)};
      break;
  }
  const bool members_decide = seen.kind != ConversationKind::public_channel || viewer.sees_own_only;
  if (members_decide && !seen.members) seen.members = co_await lookups.members(std::move(place));
  co_return seen;
}

Task<SeenConversation> seen_conversation(Lookups& lookups, json::object place, std::string account,
                                         policy::Viewer viewer) {
  Result<policy::Place> read = read_place(place);
  if (!read) co_return SeenConversation{};
  co_return co_await seen_conversation(lookups, *std::move(read), std::move(account), std::move(viewer));
}

Task<Audience> audience_of(const RunDependencies& dependencies, std::string account, json::object place) {
  const std::shared_ptr<const Rules> rules = dependencies.rules();
  const policy::Settings& settings = rules->policy.settings;
  const policy::Identity identity = co_await dependencies.lookups.who(account_of(account));
  const Result<policy::Place> read = read_place(place);
  const bool has_access = read && policy::may_speak(identity, *read, settings).has_value();
  Audience audience{policy::viewer_of(identity, has_access, settings), {}};
  audience.answer =
      co_await seen_conversation(dependencies.lookups, std::move(place), std::move(account), audience.requester);
  co_return audience;
}

Task<Result<std::optional<Received>>> request_of_run(store::Store& store, RunId run) {
  Result<std::vector<store::EntryRow>> first = co_await store.journal(run, 1, 1);
  if (!first && first.error().kind == ErrorKind::not_found) co_return std::nullopt;
  if (!first) co_return std::unexpected(first.error());
  std::vector<Result<Entry>> entries = co_await decode_all(*std::move(first));
  Received* received = entries.empty() || !entries[0] ? nullptr : std::get_if<Received>(&entries[0]->body);
  if (received == nullptr) co_return std::nullopt;
  co_return std::move(*received);
}

}  // namespace deputy::run
