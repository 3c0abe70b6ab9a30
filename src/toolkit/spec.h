// What is said of a tool without running it: for the model, for policy, for people and for digests.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "base/task.h"
#include "intent/vocabulary.h"

namespace deputy::toolkit {

/// Whether a call changes anything outside Deputy.
enum class Effect { read, write };

std::string_view name(Effect effect);

/// The effect of a call, where its arguments decide; nothing when it cannot be told, which counts as write.
using EffectOfArguments = std::function<std::optional<Effect>(const json::object& arguments)>;

/// What the value of a parameter is, such as a service or a path: `.kind(Kind::service)` in fields().
using Kind = intent::ParameterKind;
using Topics = intent::ToolTopics;

/// What people are told of one call, where its arguments say more than settings do.
struct CallDescription {
  std::string target;     // what it works on; empty: what settings decide
  std::string why_write;  // why it counts as write, or always asks, though it may change nothing; empty: it changes it
};

/// Pure; of arguments that are complete.
using WordsOfArguments = std::function<CallDescription(const json::object& arguments)>;

/// True for arguments that always ask. Pure; of arguments that are complete.
using AlwaysAsksFor = std::function<bool(const json::object& arguments)>;

/// True for arguments with which a call that only reads may return what the rules of ToolSpec::path_rules_of forbid,
/// such as the history of a file. Pure; of arguments that are complete.
using ReadsAroundRules = std::function<bool(const json::object& arguments)>;

/// What a grant of a call with these arguments is bound to, in place of the values of `pins`: every call of the same,
/// by name. Empty: exactly these arguments. Pure; of arguments that are complete.
using PinsOfArguments = std::function<std::map<std::string, std::string>(const json::object& arguments)>;

/// Makes a result shorter for the model; what it leaves out stays readable with `read_result`.
using Compaction = std::function<std::string(std::string_view text)>;

/// Where a path leads if its links are followed.
struct Led {
  std::string path;
  bool several_names = false;  // a file with several hard links

  bool operator==(const Led&) const = default;
};

/// An error: it leads nowhere that the tool can reach.
using LeadsTo = std::function<Task<Result<Led>>(std::string path)>;

inline constexpr std::chrono::seconds kShortestTimeout{1};
inline constexpr std::chrono::seconds kMaxTimeout{300};
inline constexpr std::string_view kTalkTools = "talk_tools";

struct ToolSpec {
  std::string name;                  // the wire name
  std::vector<std::string> aliases;  // other names it answers to
  int version = 0;                   // from 1; raise it when a handler of the same name comes to do something else
  std::string description;           // for the model: 10 to 500 characters
  std::string category;              // one of known_categories(), or mcp:<server>
  json::object params;               // JSON Schema; make_tool writes it from the typed declaration
  std::variant<Effect, EffectOfArguments> effect = Effect::write;
  std::string primary_param;             // what policy's patterns look at; empty: none
  bool primary_is_command_line = false;  // then patterns look at each command in it
  std::vector<std::string> pins;         // parameters that a grant may fix
  PinsOfArguments pins_of;               // optional: such pins are given for a session only
  std::string place_param;    // the folder it works in: an allow rule holds in the root only, unless one is on this
  std::string path_rules_of;  // the tool whose deny rules hold for the paths of this one too
  ReadsAroundRules reads_around_rules;  // optional: with them it counts as write where there are such rules
  LeadsTo leads_to;                     // of its path parameters, where they may have links
  std::chrono::milliseconds timeout = std::chrono::seconds(30);
  bool enabled = true;                    // unless settings say otherwise
  bool always_ask = false;                // no mode and no grant lets it run unasked
  AlwaysAsksFor always_asks_for;          // optional: nor with these arguments
  bool changes_runs = false;              // it stops other runs, say: a run that may only read is not offered it
  bool starts_child_run = false;          // such a tool takes no `background`
  bool means_default_environment = true;  // where a call names no environment, that of the place counts
  json::object
      target;  // what settings decide: backend, address, account, environment, root; part of the chain's digest
  WordsOfArguments words;             // optional
  std::string missing;                // what to set before it can work; empty: it is configured
  json::object probe;                 // harmless arguments for `deputy doctor --tools` that settings cannot say; a
                                      // name that does not exist will do: "not found" is an answer
  Compaction compact;                 // optional
  Topics topics;                      // what it is about: how a request finds it without a model
  std::map<std::string, Kind> kinds;  // by parameter; make_tool takes them from the typed declaration

  bool talk_tool() const { return category == kTalkTools; }
  bool accepts_background() const { return !talk_tool() && !starts_child_run; }
};

/// What cannot be told is write, and so is what throws.
Effect effect_of(const ToolSpec& spec, const json::object& arguments);

/// True also where it cannot be told, because the tool throws.
bool always_asks(const ToolSpec& spec, const json::object& arguments);

/// Empty where the tool has none, or throws.
CallDescription words_of(const ToolSpec& spec, const json::object& arguments);

/// True also where it cannot be told, because the tool throws.
bool reads_around_rules(const ToolSpec& spec, const json::object& arguments);

/// By name, with their values. None where the tool has none, or throws.
std::map<std::string, std::string> pins_of(const ToolSpec& spec, const json::object& arguments);

/// The line shown while a call works, "Searching logs of checkout"; empty where the tool has none.
std::string working_line(const ToolSpec& spec, const json::object& arguments);

/// The tool as requests are matched with it.
intent::KnownTool known_tool(const ToolSpec& spec);

/// Whatever its arguments are, it changes nothing, also no other run.
bool always_reads(const ToolSpec& spec);

/// `read`, `write`, or `by_arguments` where these decide.
std::string_view effect_in_words(const ToolSpec& spec);

std::span<const std::string> known_categories();
bool is_known_category(std::string_view category);

/// Everything wrong with a spec, each a sentence; none when it keeps the rules.
std::vector<std::string> check_spec(const ToolSpec& spec);

// `background: true` is an argument of almost every tool and a parameter of none: it is offered next to a tool's own
// parameters and removed before the tool sees its arguments.

inline constexpr std::string_view kBackground = "background";

enum class CallMode { foreground, background };

struct ModedCall {
  CallMode mode = CallMode::foreground;
  json::object arguments;  // without `background`
};

/// Refuses the argument, whatever its value, if the tool does not support it.
Result<ModedCall> take_background(const ToolSpec& spec, json::object arguments);

/// The schema offered to models: the tool's own, plus `background` if the tool supports it.
json::object offered_params(const ToolSpec& spec);

}  // namespace deputy::toolkit
