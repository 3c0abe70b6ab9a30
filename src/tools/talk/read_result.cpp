#include "tools/delegating.h"
#include "tools/talk/talk.h"

namespace deputy::tools {

namespace {

constexpr int kLargestResult = 1 << 20;

struct ReadResultParams {
  std::string call_id;
  int offset = 0;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&ReadResultParams::call_id, "call_id", "The call whose result was cut, as the cut says it")
        .characters(1, 200);
    f.optional(&ReadResultParams::offset, "offset", "From which character on").in_range(0, kLargestResult);
  }
};

}  // namespace

std::shared_ptr<const toolkit::Tool> read_result() {
  toolkit::ToolSpec spec{.name = "read_result",
                         .description = "Reads more of a result of this run that was cut, from a character on",
                         .category = std::string(toolkit::kTalkTools),
                         .effect = toolkit::Effect::read};
  return toolkit::make_tool<ReadResultParams>(std::move(spec), [](const ReadResultParams& params) {
    return Result<toolkit::Pipeline>(
        delegating(toolkit::DelegateKind::result, {{"call_id", params.call_id}, {"offset", params.offset}}));
  });
}

}  // namespace deputy::tools
