// Maps accounts to persons and their roles. Settings join accounts to a person; an account that is not joined is a
// person of its own, known by its key. An entry of settings is recognised by its spelling.
//
// A person's roles add up: see `may_use`. The built-in roles take only members from settings:
//   viewer    may see
//   user      may use every category in every environment; the role of anyone without a role
//   approver  a user who may approve everything
//   admin     an approver who also manages settings, pause and everyone's runs
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "policy/identity.h"
#include "policy/settings.h"

namespace deputy::policy {

constexpr std::string_view kViewer = "viewer";
constexpr std::string_view kUser = "user";
constexpr std::string_view kApprover = "approver";
constexpr std::string_view kAdmin = "admin";

bool is_built_in_role(std::string_view role);

/// How someone is in a list, weakest first.
enum class Membership {
  none,
  group,  // by a group, or by default
  named,  // by name, account or e-mail
};

enum class PersonKind { human, bot, service };

struct Person {
  std::string id;  // the name in settings, else the account's key
  PersonKind kind = PersonKind::human;
  bool joined = false;  // listed in settings
  std::string channel;  // the kind of the account they act through
  std::map<std::string, Membership, std::less<>> roles;

  bool has(std::string_view role) const { return roles.contains(role); }
};

/// An account takes precedence over an e-mail. An e-mail identifies full members only: others may claim any address.
Person person_of(const Identity& identity, const Settings& settings);

/// How `list` (names, ids, e-mails, groups) contains this identity. Role names count if `person` is given.
Membership bond_with(const std::vector<std::string>& list, const Identity& identity, const Settings& settings,
                     const Person* person = nullptr);

/// Ids of this channel that settings list wherever a group may stand. Only the platform knows which of them are groups.
std::set<std::string> possible_groups(std::string_view channel, const Settings& settings);

/// True if one human could be behind both: the same person, or accounts on two channels of which one is not joined to a
/// person. For rules that need two people.
bool may_be_one_human(const Person& a, const Person& b);

/// `environment` is the canonical name; absent if the tool uses none; empty if it uses an unknown one, which only those
/// allowed everywhere may. One and the same role must give both category and environment.
bool may_use(const Person& person, std::string_view category, const std::optional<std::string>& environment,
             const Settings& settings);

/// True if a list of environments (absent: all) contains that of a call.
bool holds_environment(const std::optional<std::vector<std::string>>& environments,
                       const std::optional<std::string>& environment);

/// The ways settings refer to people, roles, accounts and groups. They do not overlap, so an entry's meaning is clear
/// from the entry alone, and a name can never collide with an id:
///
///   ana                  the name of a person or role: lower case
///   ana@example.com      an e-mail
///   T1/U1, S1            an id as its platform writes it: capitals and at least one digit
///   <channel>:42         an id with its channel kind; needed for ids of digits only, which two platforms might share
///
/// Anything else ("Ana Lee", "@ana") is a display name. Anyone can take any display name, so these are refused.
enum class Spelling { name, email, id, id_with_channel, bare_number, display_name };

Spelling spelling_of(std::string_view entry);

}  // namespace deputy::policy
