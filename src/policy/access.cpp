#include "policy/access.h"

#include "base/text.h"
#include "policy/persons.h"

namespace deputy::policy {

namespace {

std::unexpected<Error> refuse(std::string message, std::string hint = {}) {
  return fail(ErrorKind::permission, std::move(message), std::move(hint));
}

std::unexpected<Error> refuse_unknown(const Identity& identity) {
  return std::unexpected(Error{.kind = ErrorKind::permission,
                               .message = "I could not find out who you are",
                               .hint = "try again in a minute",
                               .retryable = identity.lookup == Lookup::failed});
}

bool lists_id(const std::vector<std::string>& list, const std::string& channel, const std::string& id) {
  return !id.empty() && (contains(list, id) || contains(list, channel + ":" + id));
}

Result<> by_default(const Identity& identity, OpenTo open_to) {
  switch (identity.standing) {
    case AccountKind::signed_in:
      return {};
    case AccountKind::member:
    case AccountKind::outsider:  // of a team listed as our own, checked before
      if (open_to == OpenTo::members) return {};
      return refuse("nobody has access here yet", "add people to access.people or groups to access.groups");
    case AccountKind::guest:
      return refuse("guests have no access by default", "add them to access.people");
    case AccountKind::unknown:
      return refuse_unknown(identity);
    case AccountKind::local_user:
    case AccountKind::service:
      return {};
  }
  return refuse("I do not know who you are");
}

}  // namespace

Result<> who_may_speak(const Identity& identity, OpenTo open_to, const Settings& settings) {
  const AccessSettings& access = settings.access;
  if (identity.deactivated) return refuse("this account is deactivated");
  if (identity.standing == AccountKind::service) return {};
  if (identity.standing == AccountKind::outsider && !lists_id(access.external, identity.account.channel, identity.team))
    return refuse("people from other teams have no access", "add the team's id to access.external");
  if (identity.bot) {
    if (bond_with(access.bots, identity, settings) == Membership::named) return {};
    return refuse("bots have no access by default", "add the bot's account id to access.bots");
  }
  if (identity.standing == AccountKind::local_user) return {};
  if (!access.people && !access.groups) return by_default(identity, open_to);
  const auto is_in = [&](const std::optional<std::vector<std::string>>& list) {
    return list && bond_with(*list, identity, settings) != Membership::none;
  };
  if (is_in(access.people) || is_in(access.groups)) return {};
  // The e-mail address or the groups that could not be read may be on a list.
  if (identity.standing == AccountKind::unknown || identity.lookup == Lookup::failed) return refuse_unknown(identity);
  return refuse("you are not on the access list", "ask an admin to add you to access.people or access.groups");
}

Result<> may_speak_in(const Place& place, const Settings& settings) {
  const AccessSettings& access = settings.access;
  switch (place.kind) {
    case PlaceKind::terminal:
    case PlaceKind::own:
      return {};
    case PlaceKind::direct:
      if (!access.direct_messages) return refuse("direct messages are turned off", "set access.direct_messages");
      break;
    case PlaceKind::private_channel:
    case PlaceKind::public_channel:
      if (access.channels && !lists_id(*access.channels, place.channel, place.id))
        return refuse("this channel is not enabled", "add the channel's id to access.channels");
      break;
  }
  if (!place.external || lists_id(access.external, place.channel, place.id)) return {};
  switch (place.lookup) {
    case Lookup::done:
      return refuse("channels shared with other teams are not enabled", "add the channel's id to access.external");
    case Lookup::refused:
      return refuse("I cannot see this channel, so I do not know who reads it",
                    "add me to it, or its id to access.external");
    case Lookup::failed:
      break;
  }
  return std::unexpected(Error{.kind = ErrorKind::permission,
                               .message = "I could not find out who reads this channel",
                               .hint = "try again in a minute",
                               .retryable = true});
}

Result<> may_speak(const Identity& identity, const Place& place, const Settings& settings) {
  TRY(who_may_speak(identity, place.open_to, settings));
  return may_speak_in(place, settings);
}

}  // namespace deputy::policy
