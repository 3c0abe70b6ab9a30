// Who acts and where, as a channel says it. Data only: policy asks nobody. What a channel could not find out it leaves
// as it is here, and every default means "no".
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

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

// A call as policy sees it: plain data, made from the tool's description, the arguments and the settings of its target.

enum class Effect { read, write };

/// How the primary value is compared with patterns.
enum class ValueKind { plain, command_line };

constexpr std::string_view kAskUser = "ask_user";

struct Call {
  std::string tool;  // its own name, never an alias
  std::string category;
  Effect effect = Effect::write;  // what cannot be told is write
  /// The canonical name. Nothing: the tool works on no environment. Empty: it works on one that is not known.
  std::optional<std::string> environment = std::nullopt;
  std::optional<std::string> primary_value = std::nullopt;
  ValueKind primary_kind = ValueKind::plain;
  bool always_ask = false;
  bool talk_tool = false;
  bool off_until_listed = false;                    // on network channels: until the channel lists the category
  std::optional<std::string> never = std::nullopt;  // the tool itself refuses these arguments for good: why
  std::string digest = {};                          // of tool and arguments, as the store has it
  std::map<std::string, std::string> pins = {};     // the arguments that a grant may fix, with their values
  bool free_text = false;                           // some argument is text that anything can be written into
  std::string why_write = {};                       // in the tool's words; empty: it changes something

  bool operator==(const Call&) const = default;
};

}  // namespace deputy::policy
