#include "tools/talk/talk.h"

namespace deputy::tools {

namespace {

class AskUser final : public toolkit::Tool {
 public:
  explicit AskUser(json::object form)
      : spec_{
            .name = "ask_user",
            .description =
                "Asks people what no tool can tell, such as which environment or service is meant, in one form. Their "
                "answers are the result. Never ask for a password, key or token.",
            .category = std::string(toolkit::kTalkTools),
            .params = std::move(form),
            .effect = toolkit::Effect::read} {}

  const toolkit::ToolSpec& spec() const override { return spec_; }
  // The rules of a form are its owner's: the run holds them against what is asked.
  Result<json::object> complete_arguments(const json::object& arguments) const override { return arguments; }
  std::vector<Problem> problems_of(const json::object&) const override { return {}; }

 private:
  Result<toolkit::Pipeline> chain_for(const json::object&) const override {
    return fail(ErrorKind::invalid_input, "`ask_user` asks people and is not run",
                "it is for a model at work on a request");
  }

  toolkit::ToolSpec spec_;
};

}  // namespace

std::shared_ptr<const toolkit::Tool> ask_user(json::object form) { return std::make_shared<AskUser>(std::move(form)); }

}  // namespace deputy::tools
