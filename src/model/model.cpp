#include "model/model.h"

#include "base/text.h"

namespace deputy::model {

namespace {

constexpr std::size_t kCharactersAToken = 4;

std::size_t size_of(const Block& block) {
  struct Measure {
    std::size_t operator()(const Text& text) const { return text.text.size(); }
    std::size_t operator()(const Call& call) const { return call.tool.size() + json::serialize(call.arguments).size(); }
    std::size_t operator()(const CallResult& result) const { return result.text.size(); }
    // No API counts much more for one, whatever its size.
    std::size_t operator()(const Image&) const { return 1600 * kCharactersAToken; }
    std::size_t operator()(const Thinking& thinking) const { return json::serialize(thinking.part).size(); }
  };
  return std::visit(Measure{}, block);
}

}  // namespace

Usage Model::estimate(const Request& request) const {
  return {.input_tokens = static_cast<std::int64_t>(characters_of(request) / kCharactersAToken),
          .output_tokens = request.max_tokens};
}

std::size_t characters_of(const Request& request) {
  std::size_t characters = request.system.size() + (request.tools.empty() ? 0 : request.tools.text().size());
  for (const Turn& turn : request.turns) {
    for (const Block& block : turn.blocks) characters += size_of(block);
  }
  return characters;
}

std::string text_of(const Reply& reply) {
  std::string text;
  for (const Block& block : reply.blocks) {
    if (const auto* part = std::get_if<Text>(&block)) text += part->text;
  }
  return text;
}

}  // namespace deputy::model
