// From accounts to persons and their roles. A person is who settings join accounts to; an account joined to nobody is a
// person of its own, known by its key.
//
// Roles of a person add up: see `may_use`. The built-in ones take members from settings and nothing else:
//   viewer    sees
//   user      uses every category in every environment; whoever is in no role
//   approver  a user who approves everything
//   admin     an approver who also has settings, pause and everyone's runs
#pragma once

#include <map>
#include <optional>
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

/// How someone comes to be in a list, the weakest first.
enum class Bond {
  none,
  group,  // by a group, or because nothing else was said
  named,  // by name, account or e-mail
};

enum class PersonKind { human, bot, service };

struct Person {
  std::string id;  // the name in settings, else the account's key
  PersonKind kind = PersonKind::human;
  bool joined = false;  // settings know them
  std::string channel;  // the kind of the account they act through
  std::map<std::string, Bond, std::less<>> roles;

  bool has(std::string_view role) const { return roles.contains(role); }
};

/// An account counts before an e-mail. An e-mail joins full members only: others may call themselves what they like.
Person person_of(const Identity& identity, const Settings& settings);

/// Whether `list` (names, ids, e-mails, groups) has this identity in it. Role names count where `person` is given.
Bond bond_with(const std::vector<std::string>& list, const Identity& identity, const Settings& settings,
               const Person* person = nullptr);

/// Whether one human could be behind both: the same person, or accounts on two channels of which one is joined to
/// nobody. For rules that need two people.
bool may_be_one_human(const Person& a, const Person& b);

/// `environment` is the canonical name; nothing when the tool works on none; empty when it works on one that is not
/// known, which only those allowed everywhere may. Category and environment must be given by one and the same role.
bool may_use(const Person& person, std::string_view category, const std::optional<std::string>& environment,
             const Settings& settings);

/// Whether a list of environments, all when absent, has that of a call.
bool holds_environment(const std::optional<std::vector<std::string>>& environments,
                       const std::optional<std::string>& environment);

// How settings write people, roles, accounts and groups. The spellings do not overlap, so what an entry means can be
// told from the entry alone, and a name can never collide with an id:
//
//   ana                  a name of a person or role: lower case
//   ana@example.com      an e-mail
//   T1/U1, S1            an id as its platform writes it: capitals and at least one digit
//   <channel>:42         an id with its channel kind; needed for ids of digits alone, which two platforms might share
//
// Whatever else is written ("Ana Lee", "@ana") is a display name. Anyone can take any display name: they are refused.

enum class Spelling { name, email, id, id_with_channel, bare_number, display_name };

Spelling spelling_of(std::string_view entry);

}  // namespace deputy::policy
