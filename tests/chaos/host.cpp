// `deputy serve` in a process that can be killed: a channel over standard input and output, a scripted model, and write
// tools that append a line to a file and sync it. Nothing else is its own: settings, signals and the rest are serve's.
//
//   host FOLDER SECONDS_UNTIL_APPROVALS_EXPIRE [streams]
//
// FOLDER has `deputy.yaml`; the data, the lines that writes leave (`effects`) and what people see (`platform`) go
// there.
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "app/serve.h"
#include "chaos/lines_channel.h"
#include "support/model_script.h"
#include "toolkit/tool.h"

namespace deputy::chaos {
namespace {

using toolkit::CallContext;
using toolkit::Step;

struct LineParams {
  std::string line;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&LineParams::line, "line", "What to write").characters(1, 200);
  }
};

std::filesystem::path g_folder;

bool append_to_effects(std::string line) {
  line += "\n";
  const int file = ::open((g_folder / "effects").c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  const bool written =
      file >= 0 && ::write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size()) && ::fsync(file) == 0;
  if (file >= 0) ::close(file);
  return written;
}

Task<Step> append_line(std::string line) {
  if (!append_to_effects(std::move(line))) co_return Error{ErrorKind::internal, "the line could not be written"};
  co_return toolkit::Output{"wrote it", {}};
}

// Says that it has begun, and ends when the test lets it.
Task<Step> append_line_slowly(std::string line) {
  append_to_effects("begun: " + line);
  while (!std::filesystem::exists(g_folder / "go")) co_await sleep_for(std::chrono::milliseconds(20));
  co_return co_await append_line(std::move(line));
}

Task<Result<toolkit::Looked>> look_for_line(std::string line) {
  using Answer = toolkit::Looked::Answer;
  std::ifstream file(g_folder / "effects");
  for (std::string one; std::getline(file, one);) {
    if (one == line) co_return toolkit::Looked{Answer::done, toolkit::Output{"wrote it", {}}};
  }
  co_return toolkit::Looked{Answer::not_done};
}

Task<Step> read_something(std::string line) { co_return toolkit::Output{"read " + line, {}}; }

Task<Step> ask_a_child(std::optional<json::value> answer, std::string line) {
  if (!answer) co_return toolkit::Delegate{toolkit::DelegateKind::child_run, {{"task", "child of " + line}}};
  co_return toolkit::Output{"the child said " + json::serialize(*answer), {}};
}

Task<Step> clean_up() { co_return toolkit::Continue{}; }

// Ends the process, whichever takes it up.
Task<Step> die() {
  std::raise(SIGKILL);
  co_return toolkit::Continue{};
}

enum class Kind { read, child, deadly, write, checked_write, slow_write };

bool writes(Kind kind) { return kind >= Kind::write; }

std::shared_ptr<const toolkit::Tool> tool(std::string name, Kind kind) {
  toolkit::ToolSpec spec{.name = std::move(name),
                         .version = 1,
                         .description = "A tool of the chaos tests",
                         .category = writes(kind) ? "service_tools" : "doc_tools",
                         .effect = writes(kind) ? toolkit::Effect::write : toolkit::Effect::read};
  spec.starts_child_run = kind == Kind::child;
  return toolkit::make_tool<LineParams>(std::move(spec), [kind](const LineParams& params) {
    const std::string line = params.line;
    toolkit::Pipeline pipeline;
    const auto act = [kind, line](CallContext& context) {
      if (kind == Kind::read) return read_something(line);
      if (kind == Kind::child) return ask_a_child(context.answer, line);
      if (kind == Kind::deadly) return die();
      if (kind == Kind::slow_write) return append_line_slowly(line);
      return append_line(line);
    };
    if (writes(kind)) {
      pipeline.then(
          {.name = "preview", .repeatable = true, .call = [line](CallContext&) { return read_something(line); }});
      pipeline.await_approval();
    }
    toolkit::Handler handler{.name = "act", .repeatable = !writes(kind), .call = act};
    if (kind == Kind::checked_write) handler.look = [line](CallContext&) { return look_for_line(line); };
    handler.look_after = std::chrono::milliseconds(0);
    pipeline.then(std::move(handler));
    pipeline.finally({.name = "clean_up", .repeatable = true, .call = [](CallContext&) { return clean_up(); }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  });
}

json::object line(std::string text) { return {{"line", std::move(text)}}; }

// What the model does for the requests "everything N", "expire N", "limit N", "noted N", "stopped N", "deadly N", "slow
// N", and for a child run; each line ends with N. Each write has a tool of its own, so that what people are told of it
// can be told apart.
class Model final : public model::Model {
 public:
  std::string_view name() const override { return "scripted"; }
  using model::Model::cost_of;
  std::optional<std::int64_t> cost_of(const model::Usage&) const override { return 10; }

  Task<Result<model::Reply>> ask(model::Request request, model::OnText on_text) override {
    const std::string text = request_text(request);
    const std::string number = text.substr(text.find_last_not_of("0123456789") + 1);
    const std::shared_ptr<test::ScriptedModel> script = script_for(text, number);
    co_return co_await script->ask(std::move(request), std::move(on_text));
  }

 private:
  // Its first line, without what was added to it. A note is the request from then on.
  static std::string request_text(const model::Request& request) {
    std::string first;
    for (const model::Turn& turn : request.turns) {
      if (turn.role != model::Role::user) continue;
      for (const model::Block& block : turn.blocks) {
        const auto* text = std::get_if<model::Text>(&block);
        if (text == nullptr) continue;
        const std::size_t note = text->text.find("a note ");
        if (note != std::string::npos) return text->text.substr(note, text->text.find('\n', note) - note);
        if (first.empty()) first = text->text.substr(0, text->text.find('\n'));
      }
    }
    return first;
  }
  static std::shared_ptr<test::ScriptedModel> script_for(const std::string& text, const std::string& number) {
    test::ModelScript script;
    if (text.find("child of") != std::string::npos) return script.says("child answer").make_by_turns();
    if (text.find("expire") != std::string::npos)
      return script.calls("write_expired", line("expired " + number)).says("nobody said yes").make_by_turns();
    if (text.find("a note") != std::string::npos) {
      for (int i = 0; i < 5; ++i) script.says("done with the note " + number);  // it comes before or after any turn
      return script.make_by_turns();
    }
    if (text.find("noted") != std::string::npos) {
      for (int i = 0; i < 3; ++i) script.calls("read", line("n " + number));
      return script.says("done without a note").make_by_turns();
    }
    if (text.find("stopped") != std::string::npos)
      return script.calls("write", line("stopped " + number)).says("nobody stopped me").make_by_turns();
    if (text.find("deadly") != std::string::npos)
      return script.calls("deadly", line("die " + number)).says("I am alive").make_by_turns();
    if (text.find("slow") != std::string::npos)
      return script.calls("slow_write", line("slow " + number)).says("slow but done").make_by_turns();
    if (text.find("limit") != std::string::npos) {
      for (int i = 0; i < 6; ++i) script.calls("read", line("a " + number));
      return script.says("that was a lot").make_by_turns();
    }
    json::object background = line("background " + number);
    background["background"] = true;
    const json::object form{
        {"questions", json::array{json::object{
                          {"label", "env"},
                          {"question", "Which?"},
                          {"options", json::array{json::object{{"label", "prod"}}, json::object{{"label", "dev"}}}}}}}};
    return script.calls({{"read", line("a " + number)}, {"read", line("b " + number)}})
        .calls({{"checked_write", line("checked " + number)},
                {"write", line("approved " + number)},
                {"write_denied", line("denied " + number)}})
        .calls("ask_user", form)
        .calls("child", line("c " + number))
        .calls("write_background", background)
        .says("all done")
        .make_by_turns();
  }
};

int run_host(std::chrono::seconds expiry, LinesChannel::Form form) {
  std::ostream nowhere(nullptr);
  app::Outside outside{{{"HOME", g_folder.string()}}, g_folder, nowhere, std::cerr};
  app::Context context(outside);
  context.places.config = (g_folder / "deputy.yaml").string();
  context.places.data = (g_folder / "data").string();
  app::ServeSetup setup;
  setup.channels = {{"lines", [](const app::Settings&) { return std::string(); },
                     [form](const app::ChannelParts& parts) -> Result<std::shared_ptr<channel::Channel>> {
                       return std::make_shared<LinesChannel>(parts.loop, g_folder / "platform", form);
                     }}};
  setup.model = std::make_shared<Model>();
  setup.tools = {tool("read", Kind::read),
                 tool("write", Kind::write),
                 tool("write_denied", Kind::write),
                 tool("write_expired", Kind::write),
                 tool("write_background", Kind::write),
                 tool("deadly", Kind::deadly),
                 tool("checked_write", Kind::checked_write),
                 tool("slow_write", Kind::slow_write),
                 tool("child", Kind::child)};
  // Settings do not take so short a time.
  setup.adjust = [expiry](app::Settings& settings) { settings.approvals.expiry = expiry; };
  return static_cast<int>(app::serve(context, std::move(setup)));
}

}  // namespace
}  // namespace deputy::chaos

int main(int count, char** arguments) {
  using deputy::chaos::LinesChannel;
  if (count < 3) return 2;
  deputy::chaos::g_folder = arguments[1];
  const bool streams = count > 3 && std::string_view(arguments[3]) == "streams";
  return deputy::chaos::run_host(std::chrono::seconds(std::atoi(arguments[2])),
                                 streams ? LinesChannel::Form::streams : LinesChannel::Form::posts);
}
