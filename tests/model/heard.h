// What a reader made of a stream, written short.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "model/model.h"

namespace deputy::test {}
namespace deputy::model::test {
using namespace deputy::test;  // `test::` means both here

struct Heard {
  Result<Reply> reply;
  std::string streamed;
};

/// The reply in a line: `text I look.; call t1 search_logs {}; calls`.
inline std::string in_a_line(const Reply& reply) {
  std::string line;
  for (const Block& block : reply.blocks) {
    if (const auto* text = std::get_if<Text>(&block)) line += "text " + text->text + "; ";
    if (const auto* call = std::get_if<Call>(&block)) {
      line += "call " + call->id + " " + call->tool + " " + json::serialize(call->arguments);
      line += call->fault ? " with a fault; " : "; ";
    }
  }
  constexpr auto kStops =
      std::to_array<std::string_view>({"end_turn", "calls", "max_tokens", "cut_call", "refusal", "overflow"});
  return line + std::string(kStops.at(static_cast<std::size_t>(reply.stop)));
}

}  // namespace deputy::model::test
