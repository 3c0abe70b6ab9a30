#include "model/offline/offline.h"

#include <algorithm>

#include "base/text.h"
#include "model/offline/planner.h"

namespace deputy::model::offline {

namespace {

constexpr std::size_t kCharactersAToken = 4;
constexpr std::size_t kMaxCharacters = 100'000;  // of an answer when the request sets no limit

}  // namespace

Reply answer(const Request& request, const toolkit::Registry& registry) {
  const std::size_t room =
      request.max_tokens > 0 ? static_cast<std::size_t>(request.max_tokens) * kCharactersAToken : kMaxCharacters;
  Plan planned = plan(request, registry, room);
  Reply reply;
  reply.usage.input_tokens = static_cast<std::int64_t>(characters_of(request) / kCharactersAToken);
  std::size_t written = 0;
  if (planned.calls.empty()) {
    const std::string_view text = cut_characters(planned.text, room);
    reply.stop = text.size() < planned.text.size() ? Stop::max_tokens : Stop::end_turn;
    reply.blocks.emplace_back(Text{std::string(text)});
    written = count_characters(text);
  } else {
    reply.stop = Stop::calls;
    for (Call& call : planned.calls) {
      written += call.tool.size() + json::serialize(call.arguments).size();
      reply.blocks.emplace_back(std::move(call));
    }
  }
  reply.usage.output_tokens = static_cast<std::int64_t>(written / kCharactersAToken);
  return reply;
}

Task<Result<Reply>> OfflineModel::ask(Request request, OnText on_text) {
  Reply reply = answer(request, registry_);
  if (const std::string text = text_of(reply); on_text && !text.empty()) on_text(text);
  co_return reply;
}

}  // namespace deputy::model::offline
