#include "policy/persons.h"

#include <algorithm>

#include "base/text.h"

namespace deputy::policy {

namespace {

bool has_email(const Identity& identity, std::string_view email) {
  return identity.standing == AccountKind::member && !identity.bot && !email.empty() &&
         to_lower(identity.email) == to_lower(email);
}

/// The name settings give to the person behind an identity, or empty.
std::string name_of(const Identity& identity, const Settings& settings) {
  if (identity.standing == AccountKind::service) return {};
  if (identity.standing == AccountKind::signed_in && settings.people.contains(identity.owner)) return identity.owner;
  for (const auto& [name, person] : settings.people) {
    const auto account = person.accounts.find(identity.account.channel);
    if (account != person.accounts.end() && account->second == identity.account.id) return name;
  }
  for (const auto& [name, person] : settings.people) {
    if (has_email(identity, person.email)) return name;
  }
  return {};
}

bool is_in_group(const Identity& identity, std::string_view entry, Spelling spelling) {
  return std::ranges::any_of(identity.groups, [&](const std::string& group) {
    return spelling == Spelling::id ? group == entry : identity.account.channel + ":" + group == entry;
  });
}

Membership bond_with_entry(const std::string& entry, const Identity& identity, const std::string& name,
                           const Person* person) {
  const Spelling spelling = spelling_of(entry);
  switch (spelling) {
    case Spelling::name: {
      if (!name.empty() && entry == name) return Membership::named;
      if (person == nullptr) return Membership::none;
      const auto role = person->roles.find(entry);
      return role == person->roles.end() ? Membership::none : role->second;
    }
    case Spelling::email:
      return has_email(identity, entry) ? Membership::named : Membership::none;
    case Spelling::id:
      if (identity.account.id == entry) return Membership::named;
      return is_in_group(identity, entry, spelling) ? Membership::group : Membership::none;
    case Spelling::id_with_channel:
      if (identity.account.key() == entry) return Membership::named;
      return is_in_group(identity, entry, spelling) ? Membership::group : Membership::none;
    case Spelling::bare_number:
    case Spelling::display_name:
      return Membership::none;
  }
  return Membership::none;
}

Membership bond_with_list(const std::vector<std::string>& list, const Identity& identity, const std::string& name,
                          const Person* person) {
  Membership bond = Membership::none;
  for (const std::string& entry : list) bond = std::max(bond, bond_with_entry(entry, identity, name, person));
  return bond;
}

PersonKind kind_of(const Identity& identity) {
  if (identity.standing == AccountKind::service) return PersonKind::service;
  return identity.bot ? PersonKind::bot : PersonKind::human;
}

bool is_graphic(char c) { return c > ' ' && c < 0x7f; }

bool is_name(std::string_view entry) {
  return entry.size() <= 64 && is_lower(entry.front()) && std::ranges::all_of(entry, [](char c) {
           return is_lower(c) || is_digit(c) || c == '_' || c == '-' || c == '.';
         });
}

bool is_email(std::string_view entry) {
  const std::size_t at = entry.find('@');
  if (at == std::string_view::npos || at == 0 || entry.size() > 254) return false;
  const std::string_view host = entry.substr(at + 1);
  return host.find('@') == std::string_view::npos && host.find('.') != std::string_view::npos && host.front() != '.' &&
         host.back() != '.' && std::ranges::all_of(entry, is_graphic);
}

bool is_id(std::string_view entry) {
  return entry.size() <= 128 && std::ranges::all_of(entry, [](char c) {
           return is_upper(c) || is_digit(c) || c == '/' || c == '-' || c == '_';
         });
}

bool is_id_with_channel(std::string_view entry) {
  const std::size_t colon = entry.find(':');
  if (colon == std::string_view::npos || colon == 0 || entry.size() > 200) return false;
  const std::string_view id = entry.substr(colon + 1);
  return is_name(entry.substr(0, colon)) && !id.empty() && std::ranges::all_of(id, is_graphic);
}

}  // namespace

bool is_built_in_role(std::string_view role) {
  return role == kViewer || role == kUser || role == kApprover || role == kAdmin;
}

Person person_of(const Identity& identity, const Settings& settings) {
  const std::string name = name_of(identity, settings);
  Person person;
  person.id = name.empty() ? identity.account.key() : name;
  person.kind = kind_of(identity);
  person.joined = !name.empty();
  person.channel = identity.account.channel;
  for (const auto& [role, members] : settings.roles) {
    const Membership by_people = bond_with_list(members.people, identity, name, nullptr);
    const Membership by_groups = std::min(bond_with_list(members.groups, identity, name, nullptr), Membership::group);
    const Membership bond = std::max(by_people, by_groups);
    if (bond != Membership::none) person.roles.emplace(role, bond);
  }
  if (person.kind == PersonKind::service) {
    for (const std::string& role : identity.roles) {
      if (is_built_in_role(role) || settings.roles.contains(role)) person.roles.emplace(role, Membership::group);
    }
  }
  if (person.roles.empty()) person.roles.emplace(kUser, Membership::group);
  return person;
}

Membership bond_with(const std::vector<std::string>& list, const Identity& identity, const Settings& settings,
                     const Person* person) {
  return bond_with_list(list, identity, name_of(identity, settings), person);
}

std::set<std::string> possible_groups(std::string_view channel, const Settings& settings) {
  std::set<std::string> ids;
  const auto add = [&](const std::vector<std::string>& entries) {
    for (const std::string& entry : entries) {
      const Spelling spelling = spelling_of(entry);
      if (spelling == Spelling::id) ids.insert(entry);
      if (spelling == Spelling::id_with_channel && entry.starts_with(std::string(channel) + ":"))
        ids.insert(entry.substr(channel.size() + 1));
    }
  };
  if (settings.access.people) add(*settings.access.people);
  if (settings.access.groups) add(*settings.access.groups);
  for (const auto& [name, role] : settings.roles) {
    add(role.people);
    add(role.groups);
  }
  for (const auto& [key, approvers] : settings.policy.approvers) add(approvers);
  return ids;
}

bool may_be_one_human(const Person& a, const Person& b) {
  if (a.id == b.id) return true;
  if (a.kind == PersonKind::service || b.kind == PersonKind::service) return false;
  return a.channel != b.channel && (!a.joined || !b.joined);
}

bool holds_environment(const std::optional<std::vector<std::string>>& environments,
                       const std::optional<std::string>& environment) {
  if (!environments || !environment) return true;
  return !environment->empty() && contains(*environments, *environment);
}

bool may_use(const Person& person, std::string_view category, const std::optional<std::string>& environment,
             const Settings& settings) {
  if (person.has(kUser) || person.has(kApprover) || person.has(kAdmin)) return true;
  return std::ranges::any_of(person.roles, [&](const auto& held) {
    const auto role = settings.roles.find(held.first);
    return role != settings.roles.end() && !is_built_in_role(held.first) && contains(role->second.may, category) &&
           holds_environment(role->second.environments, environment);
  });
}

Spelling spelling_of(std::string_view entry) {
  if (entry.empty()) return Spelling::display_name;
  if (is_name(entry)) return Spelling::name;
  if (is_id_with_channel(entry)) return Spelling::id_with_channel;
  if (is_email(entry)) return Spelling::email;
  if (!is_id(entry) || std::ranges::none_of(entry, is_digit)) return Spelling::display_name;
  return std::ranges::any_of(entry, is_upper) ? Spelling::id : Spelling::bare_number;
}

}  // namespace deputy::policy
