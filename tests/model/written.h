// Requests for tests of what is sent, written short.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/model.h"

namespace deputy::test {}
namespace deputy::model::test {
using namespace deputy::test;  // `test::` means both here

inline Turn user(std::vector<Block> blocks) { return {Role::user, std::move(blocks)}; }
inline Turn assistant(std::vector<Block> blocks) { return {Role::assistant, std::move(blocks)}; }
inline Call call(std::string id, std::string tool = "search_logs", json::object arguments = {}) {
  return {std::move(id), std::move(tool), std::move(arguments)};
}
inline CallResult result(std::string id, std::string text, bool failed = false) {
  return {std::move(id), std::move(text), failed};
}

inline Request asks(std::string text) { return {.turns = {user({Text{std::move(text)}})}, .max_tokens = 600}; }
inline Request asks_with_tools(Calls calls, std::vector<ToolDescription> tools) {
  Request request = asks("why?");
  request.tools = std::move(tools);
  request.calls = calls;
  return request;
}
inline const ToolDescription kTool{"a_tool", "Does a.", {{"type", "object"}, {"properties", json::object{}}}};

inline json::value read_json(std::string_view text) { return parse_json(text).value(); }

/// The turns in a line: `user[text a | result t1 b] assistant[call t1 search_logs {}]`. Marks of data are left out.
inline std::string in_a_line(const std::vector<Turn>& turns) {
  struct Write {
    std::string operator()(const Text& text) const { return "text " + text.text; }
    std::string operator()(const Call& call) const {
      return "call " + call.id + " " + call.tool + " " + json::serialize(call.arguments);
    }
    std::string operator()(const CallResult& result) const {
      const std::size_t begin = result.text.find('\n') + 1;
      const std::string text = result.text.substr(begin, result.text.rfind('\n') - begin);
      return (result.failed ? "failed " : "result ") + result.call + " " + text;
    }
    std::string operator()(const Thinking& thinking) const { return "thinking " + json::serialize(thinking.part); }
    std::string operator()(const Image& image) const { return "image " + image.media_type; }
  };
  std::string line;
  for (const Turn& turn : turns) {
    if (!line.empty()) line += ' ';
    line += turn.role == Role::user ? "user[" : "assistant[";
    for (std::size_t i = 0; i < turn.blocks.size(); ++i)
      line += (i == 0 ? "" : " | ") + std::visit(Write{}, turn.blocks[i]);
    line += ']';
  }
  return line;
}

}  // namespace deputy::model::test
