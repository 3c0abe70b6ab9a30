// Calls put together from the parts they are streamed in. By the API's reference a part says by its index which call it
// belongs to, and id and name come once; servers leave the index out, use 0 for all, repeat the name or send it piece
// by piece, leave out the id, or send a call whole. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace deputy::model::openai_chat {

/// Says, without reading it twice, when a text that grows holds a whole JSON object.
class ObjectEnd {
 public:
  void read(std::string_view part);
  bool is_whole() const { return is_whole_; }

 private:
  int depth_ = 0;
  bool in_text_ = false;
  bool is_escaped_ = false;
  bool is_whole_ = false;
};

struct PartedCall {
  std::optional<std::int64_t> index;
  std::string id;
  std::string name;
  std::string arguments;
  ObjectEnd end;
};

class CallParts {
 public:
  /// Whether a part came in a list with others: then those without an index are different calls.
  enum class Among { none, others };

  /// One element of `tool_calls`, or a `function_call` of the older form. Gives how many bytes it had.
  std::size_t add(const json::object& fragment, Among among = Among::none);

  /// In the order in which they began.
  const std::vector<PartedCall>& calls() const { return calls_; }

 private:
  struct Part {
    std::optional<std::int64_t> index;
    std::string id;
    std::string name;
    std::string arguments;
  };

  static Part read(const json::object& part);
  PartedCall* call_of(const Part& part);
  static bool is_said_again(const PartedCall& call, const Part& part);
  static bool begins_another(const PartedCall& call, const Part& part);
  static void add_name(std::string& name, const std::string& part);

  std::vector<PartedCall> calls_;
};

}  // namespace deputy::model::openai_chat
