// A model is an LLM behind one interface: one request, one reply, streamed. It says what it wants done; it performs
// nothing and keeps nothing between calls. A Provider is one API for one exchange; reliable.h makes a Model of
// providers.
//
// To add one: implement Provider in model/<name>/, add one line to app/models.cpp and a factory to
// tests/conformance/model.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/json.h"
#include "base/task.h"
#include "model/tool_list.h"

namespace deputy::model {

struct Text {
  std::string text;

  bool operator==(const Text&) const = default;
};

/// The name used where a model named no tool; every API accepts it back.
inline constexpr std::string_view kUnnamedTool = "unnamed_tool";

/// The model's request to use a tool once. The id comes from the provider and is unique within a reply only.
struct Call {
  std::string id;
  std::string tool;
  json::object arguments;
  /// Set when the call cannot run: what is wrong and what to send instead, written for the model. The arguments are
  /// then empty.
  std::optional<std::string> fault = {};

  bool operator==(const Call&) const = default;
};

/// The result of a call. The turn after a call holds exactly one for it.
struct CallResult {
  std::string call;
  std::string text;
  bool failed = false;

  bool operator==(const CallResult&) const = default;
};

/// A model's thinking as its provider sent it; only that provider reads it. It goes back unchanged and in place to the
/// model that wrote it, after the same start of the conversation, or not at all (thinking.h).
struct Thinking {
  json::object part;        // the provider's own block or item
  std::string summary;      // the readable part; empty in thinking that is sent back
  std::string origin = {};  // the writer (Provider::origin)
  std::string prefix = {};  // digest of everything the model was shown before it

  bool operator==(const Thinking&) const = default;
};

/// An image that a person sent with a request (images.h).
struct Image {
  std::string media_type;  // "image/png"
  std::string digest;      // SHA-256 of the file
  /// The file in base64. Null: it is not sent, and a line in its place says so.
  std::shared_ptr<const std::string> base64 = {};

  bool operator==(const Image& other) const { return media_type == other.media_type && digest == other.digest; }
};

using Block = std::variant<Text, Call, CallResult, Thinking, Image>;

enum class Role { user, assistant };

/// Neighbouring turns have different roles; the first is the user's.
struct Turn {
  Role role = Role::user;
  std::vector<Block> blocks;

  bool operator==(const Turn&) const = default;
};

/// Says if the reply may hold calls. The tools are sent either way: earlier turns with calls need them, and the start
/// of the prompt stays the same for the cache.
enum class Calls { allowed, none };

struct Request {
  std::string system;
  std::vector<Turn> turns;
  ToolList tools;
  int max_tokens = 0;  // thinking and text together
  Calls calls = Calls::allowed;
  /// The reply is one JSON object that fits this schema. A provider that cannot enforce it asks in the prompt, so check
  /// the reply.
  std::optional<json::object> format = {};

  bool operator==(const Request&) const = default;
};

enum class Stop {
  end_turn,
  calls,       // it wants tools run
  max_tokens,  // its text was cut
  cut_call,    // it was cut inside a call; that call is not in the reply
  refusal,
  overflow,  // the request does not fit the context
};

struct Usage {
  std::int64_t input_tokens = 0;
  std::int64_t output_tokens = 0;
  std::int64_t cache_read_tokens = 0;
  std::int64_t cache_write_tokens = 0;

  std::int64_t tokens() const { return input_tokens + output_tokens + cache_read_tokens + cache_write_tokens; }
  bool operator==(const Usage&) const = default;
};

/// The model that answered when the chosen one could not.
struct Fallback {
  std::string name;
  std::optional<std::int64_t> cost;  // in millionths of a dollar; empty if no price is known

  bool operator==(const Fallback&) const = default;
};

struct Reply {
  std::vector<Block> blocks;  // texts, calls and thinking, in order of arrival
  Stop stop = Stop::end_turn;
  Usage usage;
  std::optional<Fallback> by = {};
  bool thinking_was_refused = false;  // the API rejected the thinking sent back, so the request was repeated without it

  bool operator==(const Reply&) const = default;
};

/// Called with text as it arrives, on the loop: the same text as in the reply, or the start of a reply that fails. When
/// a reply breaks off and is retried: its start, a line that says so, then the text of the new reply.
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
  Heard thinking;  // summaries of the model's thinking; requested only if somebody listens
};

class Model {
 public:
  virtual ~Model() = default;

  /// The name in the journal: "anthropic/claude-sonnet-5-5".
  virtual std::string_view name() const = 0;

  /// Can be cancelled. Retries by itself where that helps; an error is final and one sentence for people.
  virtual Task<Result<Reply>> ask(Request request, OnText on_text) = 0;

  /// It may be sent images. A model that then refuses them is asked again without.
  virtual bool takes_images() const { return false; }

  /// It draws conclusions. One that does not only repeats what results say.
  virtual bool concludes() const { return true; }

  /// Size of the context, request and reply together; 0 if unknown.
  virtual std::int64_t context_tokens() const { return 0; }

  /// In millionths of a dollar; empty if no price is known.
  virtual std::optional<std::int64_t> cost_of(const Usage& usage) const = 0;
  /// At the price of the model that answered.
  std::optional<std::int64_t> cost_of(const Reply& reply) const {
    return reply.by ? reply.by->cost : cost_of(reply.usage);
  }

  /// The usage of a request before it is sent: a guess for its text, the maximum for the reply.
  virtual Usage estimate(const Request& request) const;
};

/// Characters of everything that is sent. A quarter of it is a fair estimate of tokens.
std::size_t characters_of(const Request& request);

/// The texts of a reply, joined.
std::string text_of(const Reply& reply);

/// A provider's API as one exchange: one request, one reply, streamed. It does not retry, knows no prices and keeps
/// nothing of a request; it may remember what the server refuses. reliable.h makes a Model of it.
class Provider {
 public:
  virtual ~Provider() = default;

  /// The name in the journal: "anthropic/claude-sonnet-5-5".
  virtual std::string_view name() const = 0;

  /// Identifies who can read the thinking in its replies: API, model and key in one word that does not reveal the key.
  /// Empty if there is no thinking to send back.
  virtual std::string_view origin() const { return {}; }

  /// The names of the models that the API lists for this key.
  virtual Task<Result<std::vector<std::string>>> list_models() {
    co_return fail(ErrorKind::not_found, "this API lists no models");
  }

  /// Can be cancelled. An error's `retryable` says if the same request may succeed later, `retry_after` from when. An
  /// overflow, a refusal and a cut call are replies, not errors. With `Calls::none` calls are left out of the reply.
  virtual Task<Result<Reply>> attempt(Request request, OnText on_text) = 0;
};

}  // namespace deputy::model
