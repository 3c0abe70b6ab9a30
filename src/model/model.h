// A model is an LLM behind one interface: one request shape, one reply, streamed. It decides what it would like done;
// it performs nothing and keeps nothing between calls.
//
// To add one: implement Provider (provider.h) in model/<name>/, one line in app/models.cpp, and a factory in
// tests/conformance/model.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/json.h"
#include "base/task.h"

namespace deputy::model {

/// A tool as the model is offered it.
struct ToolDescription {
  std::string name;
  std::string description;
  json::object params;  // JSON Schema

  bool operator==(const ToolDescription&) const = default;
};

struct Text {
  std::string text;

  bool operator==(const Text&) const = default;
};

/// Stands where a model named no tool: a name that every API takes back.
inline constexpr std::string_view kUnnamedTool = "unnamed_tool";

/// The model's wish to use a tool once. Ids are the provider's: unique within a reply, not beyond it.
struct Call {
  std::string id;
  std::string tool;
  json::object arguments;
  /// It cannot be run as it came: what is wrong, and what to send instead, for the model. Its arguments are then empty.
  std::optional<std::string> fault = {};

  bool operator==(const Call&) const = default;
};

/// What became of a call. Every call of a turn has exactly one in the turn after it.
struct CallResult {
  std::string call;
  std::string text;
  bool failed = false;

  bool operator==(const CallResult&) const = default;
};

/// What a model thought, as its provider sent it: only that provider reads it. It goes back unchanged and in place to
/// who wrote it, behind the same beginning of the conversation, or not at all (thinking.h).
struct Thinking {
  json::object part;        // the provider's own block or item
  std::string summary;      // of it what people can read; of one that goes back, nothing
  std::string origin = {};  // who wrote it (Provider::origin)
  std::string prefix = {};  // digest of all that its model was shown

  bool operator==(const Thinking&) const = default;
};

using Block = std::variant<Text, Call, CallResult, Thinking>;

enum class Role { user, assistant };

/// Neighbours have different roles; the first is the user's.
struct Turn {
  Role role = Role::user;
  std::vector<Block> blocks;

  bool operator==(const Turn&) const = default;
};

/// Whether the reply may hold calls. The tools are sent all the same: turns that hold calls need them, and the start of
/// a prompt stays the same.
enum class Calls { allowed, none };

struct Request {
  std::string system;
  std::vector<Turn> turns;
  std::vector<ToolDescription> tools;  // sorted by name, so that the start of a prompt stays the same
  int max_tokens = 0;                  // of thinking and text together
  Calls calls = Calls::allowed;
  /// The reply is one JSON object that fits this schema. A provider that cannot hold a model to it asks in words, so
  /// the reply is still to be checked.
  std::optional<json::object> format = {};

  bool operator==(const Request&) const = default;
};

enum class Stop {
  end_turn,
  calls,       // it wants something done
  max_tokens,  // its prose was cut
  cut_call,    // it was cut inside a call; that call is not in the reply
  refusal,
  overflow,  // the request does not fit its context
};

struct Usage {
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  std::int64_t cache_read_tokens = 0;
  std::int64_t cache_write_tokens = 0;

  std::int64_t tokens() const { return input_tokens + output_tokens + cache_read_tokens + cache_write_tokens; }
  bool operator==(const Usage&) const = default;
};

/// The model that answered where the one that was asked could not.
struct StandIn {
  std::string name;
  std::optional<std::int64_t> cost;  // in millionths of a dollar; nothing when no price is known

  bool operator==(const StandIn&) const = default;
};

struct Reply {
  std::vector<Block> blocks;  // texts, calls and thinking, in the order they came
  Stop stop = Stop::end_turn;
  Usage usage;
  std::optional<StandIn> by = {};
  bool thinking_was_refused = false;  // the API took none of the thinking that was sent back; it was asked without

  bool operator==(const Reply&) const = default;
};

/// Told of text while it comes, on the loop. It is the same text as in the reply; of a reply that fails, its beginning.
/// Of one that broke off and was asked for again: what came of it, a line that says so, then the text of the reply.
struct OnText {
  using Heard = std::function<void(std::string_view part)>;

  OnText() = default;
  template <std::invocable<std::string_view> Text>
  OnText(Text heard) : text(std::move(heard)) {}  // NOLINT: whoever wants only the text gives only that
  OnText(Heard heard, Heard summary) : text(std::move(heard)), thinking(std::move(summary)) {}

  explicit operator bool() const { return static_cast<bool>(text); }
  void operator()(std::string_view part) const {
    if (text) text(part);
  }

  Heard text;
  Heard thinking;  // summaries of what the model thinks; a provider asks for them only where somebody listens
};

class Model {
 public:
  virtual ~Model() = default;

  /// As the journal names it: "anthropic/claude-sonnet-5-5".
  virtual std::string_view name() const = 0;

  /// Hears cancellation. Retries what is worth it by itself; an error is final, in one sentence for people.
  virtual Task<Result<Reply>> ask(Request request, OnText on_text) = 0;

  /// How much fits: request and reply together; 0 when it is not known.
  virtual std::int64_t context_tokens() const { return 0; }

  /// In millionths of a dollar; nothing when no price is known.
  virtual std::optional<std::int64_t> cost_of(const Usage& usage) const = 0;
  /// At the price of whoever gave it.
  std::optional<std::int64_t> cost_of(const Reply& reply) const {
    return reply.by ? reply.by->cost : cost_of(reply.usage);
  }

  /// What a request will use, before it is sent: of its text a guess, of the reply the most.
  virtual Usage estimate(const Request& request) const;
};

/// Characters of all that is sent, a quarter of which is a fair guess at tokens.
std::size_t characters_of(const Request& request);

/// The texts of a reply, joined.
std::string text_of(const Reply& reply);

// A provider's API as one exchange: one request, one reply, streamed. It retries nothing, knows no prices and keeps
// nothing of a request, at most what it learned of the server; reliable.h makes a Model of it.

class Provider {
 public:
  virtual ~Provider() = default;

  /// As the journal names it: "anthropic/claude-sonnet-5-5".
  virtual std::string_view name() const = 0;

  /// Who can read the thinking in its replies: API, model and key as one word that tells nobody the key. Empty: there
  /// is none to send back.
  virtual std::string_view origin() const { return {}; }

  /// The names of the models that its API lists for this key.
  virtual Task<Result<std::vector<std::string>>> list_models() {
    co_return fail(ErrorKind::not_found, "this API lists no models");
  }

  /// Hears cancellation. An error says with `retryable` whether the same request may do better later, and with
  /// `retry_after` from when on. A request that does not fit, a refusal and a cut call are replies, no errors. Calls in
  /// a reply to `Calls::none` are left out of it.
  virtual Task<Result<Reply>> attempt(Request request, OnText on_text) = 0;
};

}  // namespace deputy::model
