// Any request over a tool of any schema: the offline planner does not crash, ends, and calls only what it was offered.
// The first line is the request, the second the schema; every further line is what a call was answered.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/text.h"
#include "model/offline/conversation.h"
#include "model/offline/offline.h"
#include "model/offline/planner.h"
#include "model/offline/world.h"

namespace {

using namespace deputy;
using namespace deputy::model;

void must(bool holds) {
  if (!holds) std::abort();
}

void check_call(const Call& call, const Request& request) {
  const auto offered = std::ranges::find(request.tools, call.tool, &ToolDescription::name);
  must(offered != request.tools.end());
  const json::value* required = offered->params.if_contains("required");
  if (required == nullptr || !required->is_array()) return;
  for (const json::value& name : required->get_array()) {
    if (name.is_string()) must(call.arguments.contains(name.get_string()));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::vector<std::string_view> lines = split(bytes, "\n");
  Request request{.system = "", .turns = {{Role::user, {Text{std::string(lines[0])}}}}, .tools = {}, .max_tokens = 600};
  const auto schema = parse_json_object(lines.size() > 1 ? lines[1] : "");
  std::vector<toolkit::ToolSpec> specs = offline::shop_tools();
  toolkit::ToolSpec any = offline::described("get_events", {{"errors", "events"}, {}, {}, ""});
  any.params = schema.value_or(json::object());
  for (const auto& [kind, name] : choices_of(toolkit::Kind{})) any.kinds[std::string(name)] = kind;
  if (toolkit::check_spec(any).empty()) specs.push_back(any);
  const toolkit::Registry registry = offline::registry_of(specs);
  request.tools = offline::offered(registry);
  std::size_t line = 2;
  for (std::size_t turn = 0;; ++turn) {
    must(turn <= offline::kMaxTurns);
    const Reply reply = offline::answer(request, registry);
    must(is_valid_utf8(text_of(reply)));
    if (reply.stop != Stop::calls) break;
    Turn results{Role::user, {}};
    for (const Block& block : reply.blocks) {
      const Call& call = std::get<Call>(block);
      check_call(call, request);
      const std::string_view answer = line < lines.size() ? lines[line++] : "";
      results.blocks.emplace_back(CallResult{call.id, std::string(answer), answer.starts_with('E')});
    }
    request.turns.push_back({Role::assistant, reply.blocks});
    request.turns.push_back(std::move(results));
  }
  return 0;
}
