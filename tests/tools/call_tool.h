// Calls a tool as the executor would, without its bounds: arguments completed, the chain composed, its handlers in
// order.
#pragma once

#include "support/loop.h"
#include "toolkit/tool.h"

namespace deputy::test {

inline Task<Result<toolkit::Output>> call_chain(const toolkit::Tool& tool, json::object given,
                                                std::stop_token stop = {}) {
  CO_TRY(json::object arguments, tool.complete_arguments(given));
  CO_TRY(const toolkit::Pipeline names, tool.compose(arguments));
  toolkit::Output output;
  for (const toolkit::LinkInfo& info : names.links()) {
    CO_TRY(toolkit::Pipeline chain, tool.compose(arguments));
    CO_TRY(toolkit::Link link, std::move(chain).take(info.name));
    toolkit::CallContext context;
    context.arguments = arguments;
    context.stop = stop;
    toolkit::Step step = co_await link.handler.call(context);
    if (Error* error = std::get_if<Error>(&step)) co_return std::unexpected(std::move(*error));
    if (toolkit::Output* said = std::get_if<toolkit::Output>(&step)) output = std::move(*said);
  }
  co_return output;
}

inline Result<toolkit::Output> call_tool(const toolkit::Tool& tool, json::object arguments) {
  return run(call_chain(tool, std::move(arguments)));
}

}  // namespace deputy::test
