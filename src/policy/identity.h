// Identities and places as a channel reports them, and the call that is asked for. Data only: policy looks nothing up.
// What a channel could not find out keeps its default here, and every default means "no".
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace deputy::policy {

struct Account {
  std::string channel;  // its kind
  std::string id;       // as settings write it, such as T1/U1

  /// "kind:id": unique to this account, and unlike any person's name.
  std::string key() const { return channel + ":" + id; }

  bool operator==(const Account&) const = default;
};

enum class AccountKind {
  unknown,     // the platform gave no answer
  outsider,    // from another team
  guest,       // admitted to some channels
  member,      // a full member of the home team
  signed_in,   // by Deputy itself: the owner of a token or a console session
  local_user,  // the OS user on this machine
  service,     // not a person: an alert, a schedule, a service token
};

/// How the channel's question to its platform ended.
enum class Lookup {
  done,
  refused,  // the platform does not tell, and asking again does not help
  failed,   // no answer just now: what is missing may be true all the same, and asking again may help
};

struct Identity {
  Account account;
  AccountKind standing = AccountKind::unknown;
  bool bot = false;  // or a workflow
  bool deactivated = false;
  std::string team = {};              // of an outsider
  std::string email = {};             // from the platform
  std::set<std::string> groups = {};  // ids of known groups
  std::string owner = {};             // signed_in only: the person's name
  std::set<std::string> roles = {};   // service only: roles from its settings
  std::string time_zone = {};         // an IANA name from the platform's profile
  Lookup lookup = Lookup::done;

  bool operator==(const Identity&) const = default;
};

enum class PlaceKind {
  terminal,
  own,  // Deputy's other own surfaces: console, HTTP API
  direct,
  private_channel,  // and messages among several people
  public_channel,
};

/// Who may speak if settings do not say.
enum class OpenTo { nobody, members };

struct Place {
  std::string channel;  // its kind
  std::string id = {};  // the platform's channel id; empty on Deputy's own surfaces
  PlaceKind kind = PlaceKind::public_channel;
  bool external = false;            // shared with another team
  OpenTo open_to = OpenTo::nobody;  // the channel's default
  Lookup lookup = Lookup::done;     // else nobody knows who reads it: it counts as private and external

  bool operator==(const Place&) const = default;
};

enum class Effect { read, write };

/// How to compare a value with patterns.
enum class ValueKind { plain, path, command_line };

/// An argument of a call as rules see it.
struct Value {
  std::string text;  // settled: the one spelling that is also shown and done
  ValueKind kind = ValueKind::plain;
  /// Other texts that reach the same thing: where the links of a path lead, a URL without escapes.
  std::vector<std::string> also = {};
  /// The file has several hard links, so that no path tells which file it is.
  bool several_names = false;

  bool operator==(const Value&) const = default;
};

constexpr std::string_view kAskUser = "ask_user";

/// A call as policy sees it: plain data from the tool's description, the arguments and the settings of its target.
struct Call {
  std::string tool;  // never an alias
  std::string category;
  Effect effect = Effect::write;  // unknown counts as write
  /// The canonical name. Absent: the tool uses no environment. Empty: it uses one that is unknown.
  std::optional<std::string> environment = std::nullopt;
  std::string primary = {};                  // the parameter that rules look at unless they name another
  std::map<std::string, Value> values = {};  // by parameter; those that are absent have none
  std::string place = {};                    // the parameter that says in which folder it works; "." is the root
  std::string path_rules_of = {};            // a tool whose deny rules hold for the paths of this one too
  bool always_ask = false;
  bool talk_tool = false;
  bool off_until_listed = false;                    // on network channels: off until the channel lists the category
  std::optional<std::string> never = std::nullopt;  // why the tool itself always refuses these arguments
  std::string digest = {};                          // of tool and arguments, as stored
  std::map<std::string, std::string> pins = {};     // arguments that a grant may fix, with their values
  bool session_pins = false;                        // a grant for a thread may not have these pins
  bool free_text = false;                           // some argument accepts arbitrary text
  std::string why_write = {};                       // why it is asked about; empty: it changes something

  bool operator==(const Call&) const = default;
};

}  // namespace deputy::policy
