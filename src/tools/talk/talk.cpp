#include "tools/talk/talk.h"

#include "tools/common_steps.h"

namespace deputy::tools {

namespace {

class AskUser final : public toolkit::Tool {
 public:
  explicit AskUser(json::object form)
      : spec_{.name = "ask_user",
              .version = 1,
              .description =
                  "Asks the people of this conversation, in one form, for a decision or a fact that no tool can find, "
                  "such as which environment is meant. Put every open question into one call. The result is their "
                  "answers by label. Never ask for a password, key or token.",
              .category = std::string(toolkit::kTalkTools),
              .params = std::move(form),
              .effect = toolkit::Effect::read} {}

  const toolkit::ToolSpec& spec() const override { return spec_; }
  // The run checks the form, not this tool.
  Result<json::object> complete_arguments(const json::object& arguments) const override { return arguments; }
  std::vector<Problem> problems_of(const json::object&) const override { return {}; }

 private:
  Result<toolkit::Pipeline> chain_for(const json::object&) const override {
    return fail(ErrorKind::invalid_input, "`ask_user` cannot be run by itself",
                "only a model can call it, during a request");
  }

  toolkit::ToolSpec spec_;
};

}  // namespace

std::shared_ptr<const toolkit::Tool> ask_user(json::object form) { return std::make_shared<AskUser>(std::move(form)); }

namespace {

constexpr int kLargestResult = 1 << 20;

struct ReadResultParams {
  std::string call_id;
  int offset = 0;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&ReadResultParams::call_id, "call_id", "Id of the call whose result was cut, as its last line says")
        .characters(1, 200);
    f.optional(&ReadResultParams::offset, "offset", "Character to start from").in_range(0, kLargestResult);
  }
};

}  // namespace

std::shared_ptr<const toolkit::Tool> read_result() {
  toolkit::ToolSpec spec{.name = "read_result",
                         .version = 1,
                         .description =
                             "Returns more of a result that was cut, from the given character on. The last line of a "
                             "cut result names the call_id and the offset to use.",
                         .category = std::string(toolkit::kTalkTools),
                         .effect = toolkit::Effect::read};
  return toolkit::make_tool<ReadResultParams>(std::move(spec), [](const ReadResultParams& params) {
    return Result<toolkit::Pipeline>(
        delegating(toolkit::DelegateKind::result, {{"call_id", params.call_id}, {"offset", params.offset}}));
  });
}

namespace {

struct ReadAttachmentParams {
  std::string file;
  int offset = 0;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&ReadAttachmentParams::file, "file", "Its name, as the request lists it").characters(1, 500);
    f.optional(&ReadAttachmentParams::offset, "offset", "Character to start from").in_range(0, kLargestResult);
  }
};

}  // namespace

std::shared_ptr<const toolkit::Tool> read_attachment() {
  toolkit::ToolSpec spec{.name = "read_attachment",
                         .version = 1,
                         .description =
                             "Returns a text file that came with the request, from the given character on. Its last "
                             "line says how to read on if there is more.",
                         .category = std::string(toolkit::kTalkTools),
                         .effect = toolkit::Effect::read};
  return toolkit::make_tool<ReadAttachmentParams>(std::move(spec), [](const ReadAttachmentParams& params) {
    return Result<toolkit::Pipeline>(
        delegating(toolkit::DelegateKind::attachment, {{"file", params.file}, {"offset", params.offset}}));
  });
}

// respond_directly = [ respond ]

namespace {

constexpr std::size_t kMaxMessage = 40'000;

struct RespondDirectlyParams {
  std::string message;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&RespondDirectlyParams::message, "message", "The whole answer, in Markdown").characters(1, kMaxMessage);
  }
};

Task<toolkit::Step> respond(std::string message) { co_return toolkit::Output{std::move(message), {}}; }

}  // namespace

std::shared_ptr<const toolkit::Tool> respond_directly() {
  toolkit::ToolSpec spec{
      .name = "respond_directly",
      .version = 1,
      .description =
          "Sends this message as the answer, unchanged, and ends the run. Use it only when no other tool is needed.",
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
