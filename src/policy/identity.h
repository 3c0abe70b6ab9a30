// Who acts and where, as a channel says it. Data only: policy asks nobody. What a channel could not find out it leaves
// as it is here, and every default means "no".
#pragma once

#include <set>
#include <string>

namespace deputy::policy {

struct Account {
  std::string channel;  // its kind
  std::string id;       // as settings write it, such as T1/U1

  /// "kind:id": no other account has it, and no person's name looks like it.
  std::string key() const { return channel + ":" + id; }

  bool operator==(const Account&) const = default;
};

enum class Standing {
  unknown,     // the platform gave no answer
  outsider,    // of another team
  guest,       // let into some channels
  member,      // a full member of the home team
  signed_in,   // by Deputy itself: the owner of a token or a console session
  local_user,  // the OS user at this machine
  service,     // no person: an alert, a schedule, a service token
};

struct Identity {
  Account account;
  Standing standing = Standing::unknown;
  bool bot = false;  // or a workflow
  bool deactivated = false;
  std::string team = {};              // an outsider's
  std::string email = {};             // as the platform knows it
  std::set<std::string> groups = {};  // ids of the groups it is known to be in
  std::string owner = {};             // signed_in only: the name of the person
  std::set<std::string> roles = {};   // service only: the roles its settings give it

  bool operator==(const Identity&) const = default;
};

enum class PlaceKind {
  terminal,
  own,  // Deputy's other own surfaces: console, HTTP API
  direct,
  private_channel,  // and messages among several
  public_channel,
};

/// Who may speak where settings do not say.
enum class OpenTo { nobody, members };

struct Place {
  std::string channel;  // its kind
  std::string id = {};  // of the platform's channel; empty on Deputy's own surfaces
  PlaceKind kind = PlaceKind::public_channel;
  bool external = false;            // shared with another team
  OpenTo open_to = OpenTo::nobody;  // what the channel brings along

  bool operator==(const Place&) const = default;
};

}  // namespace deputy::policy
