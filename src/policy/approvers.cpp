#include "policy/approvers.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "policy/access.h"
#include "policy/persons.h"

namespace deputy::policy {

namespace {

std::unexpected<Error> refuse(std::string message, std::string hint = {}) {
  return fail(ErrorKind::permission, std::move(message), std::move(hint));
}

bool has_members(const RoleSettings& role) { return !role.people.empty() || !role.groups.empty(); }

/// True if the role itself approves calls like this one.
bool approves(const std::string& name, const RoleSettings& role, const Call& call) {
  if (is_built_in_role(name)) return name == kApprover || name == kAdmin;
  return (contains(role.approve, call.category) || contains(role.approve, call.tool)) &&
         holds_environment(role.environments, call.environment);
}

/// The `approvers` list that applies: the tool's, else the category's.
const std::vector<std::string>* listed_for(const Call& call, const Settings& settings) {
  for (const std::string& key : {call.tool, call.category}) {
    const auto found = settings.policy.approvers.find(key);
    if (found != settings.policy.approvers.end()) return &found->second;
  }
  return nullptr;
}

bool nobody_is_named(const Call& call, const Settings& settings) {
  if (listed_for(call, settings) != nullptr) return false;
  return std::ranges::none_of(settings.roles, [&](const auto& role) {
    return has_members(role.second) && approves(role.first, role.second, call);
  });
}

Membership bond_with_approvers(const Identity& identity, const Person& person, const Call& call,
                               const Settings& settings) {
  Membership bond = Membership::none;
  if (const auto* list = listed_for(call, settings)) bond = bond_with(*list, identity, settings, &person);
  for (const auto& [name, held] : person.roles) {
    const auto role = settings.roles.find(name);
    if (role != settings.roles.end() && approves(name, role->second, call)) bond = std::max(bond, held);
  }
  return bond;
}

/// Guests, bots, outsiders and unknown accounts may approve only if they are named individually.
bool needs_own_name(const Identity& identity) {
  return identity.bot || identity.standing == AccountKind::guest || identity.standing == AccountKind::outsider ||
         identity.standing == AccountKind::unknown || identity.standing == AccountKind::service;
}

std::string missing_setting(const Call& call) {
  return fmt::format("name people in policy.approvers.{} of the settings", call.category);
}

Result<> is_not_an_asker(const Person& person, const ApprovalRequest& approval, const Settings& settings) {
  for (const Identity& asker : approval.askers) {
    const Person asked = person_of(asker, settings);
    if (asked.id == person.id) {
      return refuse(approval.suspicious ? "this run is suspicious, so the person who asked may not approve it"
                                        : "approvals need two people here, and you asked for this call",
                    "another approver must answer");
    }
    if (may_be_one_human(asked, person)) {
      return refuse("approvals need two people here, and I cannot tell whether you are the one who asked",
                    fmt::format("join the account {} to a person in `people`", person.joined ? asked.id : person.id));
    }
  }
  return {};
}

}  // namespace

bool takes_two_persons(bool suspicious, const Settings& settings) {
  return suspicious || !settings.policy.requester_may_approve;
}

Result<> has_right_to_approve(const Identity& identity, const Place& place, const ApprovalRequest& approval,
                              const Settings& settings) {
  if (identity.deactivated) return refuse("this account is deactivated");
  if (approval.askers.empty()) return refuse("it is unknown who asked for this call");
  const Person person = person_of(identity, settings);
  if (nobody_is_named(approval.call, settings)) {
    if (identity.standing != AccountKind::local_user || place.kind != PlaceKind::terminal) {
      return fail(ErrorKind::not_configured, fmt::format("nobody may approve calls of {} yet", approval.call.category),
                  missing_setting(approval.call));
    }
  } else {
    const Membership bond = bond_with_approvers(identity, person, approval.call, settings);
    if (bond == Membership::none) return refuse(fmt::format("you are not an approver of {}", approval.call.tool));
    if (bond != Membership::named && needs_own_name(identity))
      return refuse("guests, bots and people from other teams may approve only if they are named individually");
  }
  if (!takes_two_persons(approval.suspicious, settings)) return {};
  return is_not_an_asker(person, approval, settings);
}

Result<> may_approve(const Identity& clicker, const Place& place, const ApprovalRequest& approval,
                     const Settings& settings) {
  TRY(may_speak(clicker, place, settings));
  return has_right_to_approve(clicker, place, approval, settings);
}

Result<> someone_may_approve(const Place& place, const ApprovalRequest& approval, const Settings& settings) {
  if (!nobody_is_named(approval.call, settings)) return {};
  const bool the_local_user_may =
      place.kind == PlaceKind::terminal && (!takes_two_persons(approval.suspicious, settings) ||
                                            std::ranges::none_of(approval.askers, [](const Identity& asker) {
                                              return asker.standing == AccountKind::local_user;
                                            }));
  if (the_local_user_may) return {};
  return fail(ErrorKind::not_configured, fmt::format("nobody may approve {} here", approval.call.tool),
              missing_setting(approval.call));
}

std::vector<std::string> named_approvers(const Call& call, const Settings& settings) {
  std::vector<std::string> named;
  const auto add = [&](const std::string& entry) {
    if (!contains(named, entry)) named.push_back(entry);
  };
  const auto add_role = [&](const RoleSettings& role) {
    std::ranges::for_each(role.people, add);
    std::ranges::for_each(role.groups, add);
  };
  if (const auto* list = listed_for(call, settings)) {
    for (const std::string& entry : *list) {
      const auto role = settings.roles.find(entry);
      if (role != settings.roles.end()) {
        add_role(role->second);
      } else if (!is_built_in_role(entry)) {
        add(entry);
      }
    }
  }
  for (const auto& [name, role] : settings.roles) {
    if (approves(name, role, call)) add_role(role);
  }
  return named;
}

namespace {

/// The person's account on the channel, if settings know one.
std::optional<Account> account_on(std::string_view channel, const PersonSettings& person) {
  const auto found = person.accounts.find(std::string(channel));
  if (found == person.accounts.end()) return std::nullopt;
  return Account{found->first, found->second};
}

bool is_listed_as_group(const std::string& id, std::string_view channel, const Settings& settings) {
  return std::ranges::any_of(settings.roles, [&](const auto& role) {
    return contains(role.second.groups, id) || contains(role.second.groups, std::string(channel) + ":" + id);
  });
}

}  // namespace

Addressees addressees_on(std::string_view channel, const std::vector<std::string>& entries, const Settings& settings) {
  Addressees found;
  const auto add = [](auto& list, auto value) {
    if (!contains(list, value)) list.push_back(std::move(value));
  };
  const auto add_person = [&](const PersonSettings& person) {
    if (auto account = account_on(channel, person)) add(found.accounts, *std::move(account));
  };
  const auto add_id = [&](const std::string& id) {
    const Account account{std::string(channel), id};
    const bool is_known = std::ranges::any_of(
        settings.people, [&](const auto& person) { return account_on(channel, person.second) == account; });
    if (is_known) return add(found.accounts, account);
    add(is_listed_as_group(id, channel, settings) ? found.groups : found.ids, id);
  };
  for (const std::string& entry : entries) {
    switch (spelling_of(entry)) {
      case Spelling::name:
        if (const auto person = settings.people.find(entry); person != settings.people.end())
          add_person(person->second);
        break;
      case Spelling::email:
        for (const auto& [name, person] : settings.people) {
          if (to_lower(person.email) == to_lower(entry)) add_person(person);
        }
        break;
      case Spelling::id:
        add_id(entry);
        break;
      case Spelling::id_with_channel:
        if (entry.starts_with(std::string(channel) + ":")) add_id(entry.substr(channel.size() + 1));
        break;
      case Spelling::bare_number:
      case Spelling::display_name:
        break;
    }
  }
  return found;
}

Result<> may_answer_question(const Identity& clicker, const Place& place, const Identity& requester,
                             const Settings& settings) {
  TRY(may_speak(clicker, place, settings));
  if (settings.questions.anyone || person_of(clicker, settings).id == person_of(requester, settings).id) return {};
  return refuse("only the person who asked may answer this", "set questions.anyone to let others");
}

namespace {

bool may_approve_something(const Identity& clicker, const Person& person, const Settings& settings) {
  Membership bond = Membership::none;
  for (const auto& [key, list] : settings.policy.approvers)
    bond = std::max(bond, bond_with(list, clicker, settings, &person));
  for (const auto& [name, held] : person.roles) {
    const auto role = settings.roles.find(name);
    const bool approves_something =
        name == kApprover || name == kAdmin || (role != settings.roles.end() && !role->second.approve.empty());
    if (approves_something) bond = std::max(bond, held);
  }
  return bond == Membership::named || (bond == Membership::group && !needs_own_name(clicker));
}

}  // namespace

Result<> may_stop(const Identity& clicker, const Place& place, const Identity& requester, const Settings& settings) {
  TRY(may_speak(clicker, place, settings));
  const Person person = person_of(clicker, settings);
  if (person.id == person_of(requester, settings).id) return {};
  if (may_approve_something(clicker, person, settings)) return {};
  return refuse("only the person who asked, or an approver, may stop this");
}

Result<> may_pause(const Identity& identity, const Place& place, const Settings& settings) {
  TRY(may_speak(identity, place, settings));
  const bool is_own_place = place.kind == PlaceKind::terminal || place.kind == PlaceKind::own;
  if (identity.standing == AccountKind::local_user && is_own_place) return {};
  if (may_approve_something(identity, person_of(identity, settings), settings)) return {};
  return refuse("only an approver or an admin may pause and resume me");
}

}  // namespace deputy::policy
