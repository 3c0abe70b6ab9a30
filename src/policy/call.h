// A call as policy sees it: plain data, made from the tool's description, the arguments and the settings of its target.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace deputy::policy {

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
