// respond_directly = [ respond ]
#include "tools/talk/talk.h"

namespace deputy::tools {

namespace {

constexpr std::size_t kLongestMessage = 40'000;

struct RespondDirectlyParams {
  std::string message;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&RespondDirectlyParams::message, "message", "The whole answer, in Markdown")
        .characters(1, kLongestMessage);
  }
};

Task<toolkit::Step> respond(std::string message) { co_return toolkit::Output{std::move(message), {}}; }

}  // namespace

std::shared_ptr<const toolkit::Tool> respond_directly() {
  toolkit::ToolSpec spec{.name = "respond_directly",
                         .description =
                             "Answers the request with exactly this message and ends the run. For answers "
                             "that need no further tool.",
                         .category = std::string(toolkit::kTalkTools),
                         .effect = toolkit::Effect::read};
  return toolkit::make_tool<RespondDirectlyParams>(std::move(spec), [](const RespondDirectlyParams& params) {
    toolkit::Pipeline pipeline;
    pipeline.then({.name = "respond", .repeatable = true, .call = [message = params.message](toolkit::CallContext&) {
                     return respond(message);
                   }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  });
}

}  // namespace deputy::tools
