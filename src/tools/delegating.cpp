#include "tools/delegating.h"

namespace deputy::tools {

namespace {

Task<toolkit::Step> ask_above(std::optional<json::value> answer, toolkit::DelegateKind kind, json::object payload,
                              Shape shape) {
  if (!answer) co_return toolkit::Delegate{kind, std::move(payload)};
  std::string text = answer->is_string() ? std::string(as_view(answer->get_string())) : json::serialize(*answer);
  co_return toolkit::Output{shape ? shape(std::move(text)) : std::move(text), {}};
}

}  // namespace

toolkit::Pipeline delegating(toolkit::DelegateKind kind, json::object payload, Shape shape) {
  toolkit::Pipeline pipeline;
  pipeline.then({.name = "delegate",
                 .repeatable = true,
                 .call = [kind, payload = std::move(payload), shape = std::move(shape)](toolkit::CallContext& context) {
                   return ask_above(context.answer, kind, payload, shape);
                 }});
  return pipeline;
}

}  // namespace deputy::tools
