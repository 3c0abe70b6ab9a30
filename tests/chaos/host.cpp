// The engine in a process that can be killed: the libraries of `deputy`, a channel over standard input and output, a
// scripted model, and write tools that append a line to a file and sync it. No logic of its own.
//
// SIGTERM ends it as it ends `serve`.
//
//   host DATA_FOLDER EFFECTS_FILE PLATFORM_FILE SECONDS_UNTIL_APPROVALS_EXPIRE
#include <fcntl.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "base/failpoint.h"
#include "chaos/lines_channel.h"
#include "gateway/gateway.h"
#include "store/sqlite/sqlite_store.h"
#include "support/model_script.h"

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

std::string g_effects;  // the file

Task<Step> append_line(std::string line) {
  line += "\n";
  const int file = ::open(g_effects.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  const bool written =
      file >= 0 && ::write(file, line.data(), line.size()) == static_cast<ssize_t>(line.size()) && ::fsync(file) == 0;
  if (file >= 0) ::close(file);
  if (!written) co_return Error{ErrorKind::internal, "the line could not be written"};
  co_return toolkit::Output{"wrote it", {}};
}

Task<Result<toolkit::Looked>> look_for_line(std::string line) {
  using Answer = toolkit::Looked::Answer;
  std::ifstream file(g_effects);
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

enum class Kind { read, write, checked_write, child, deadly };

bool writes(Kind kind) { return kind == Kind::write || kind == Kind::checked_write; }

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

// What the model does for the requests "everything N", "expire N", "limit N", "noted N", "stopped N", "deadly N", and
// for a child run; each line ends with N. Each write has a tool of its own, so that what people are told of it can be
// told apart.
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
    if (text.find("a note") != std::string::npos) return script.says("done with the note " + number).make_by_turns();
    if (text.find("noted") != std::string::npos) {
      for (int i = 0; i < 3; ++i) script.calls("read", line("n " + number));
      return script.says("done without a note").make_by_turns();
    }
    if (text.find("stopped") != std::string::npos)
      return script.calls("write", line("stopped " + number)).says("nobody stopped me").make_by_turns();
    if (text.find("deadly") != std::string::npos)
      return script.calls("deadly", line("die " + number)).says("I am alive").make_by_turns();
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

std::shared_ptr<const run::Rules> rules(std::chrono::seconds expiry) {
  policy::Settings settings;
  settings.people = {{"ana", {.accounts = {{"lines", "U1"}}}}, {"bo", {.accounts = {{"lines", "U2"}}}}};
  settings.policy.approvers = {{"service_tools", {"bo"}}};
  settings.approvals.expiry = expiry;
  auto rules = std::make_shared<run::Rules>();
  rules->policy = *policy::Policy::make(std::move(settings));
  rules->environments = {{"prod", {}}};
  rules->limits.tool_turns = 6;
  return rules;
}

int run_host(const char* data, const char* effects, const char* platform, std::chrono::seconds expiry) {
  g_effects = effects;
  asio::io_context loop;
  const SystemClock clock;
  auto store = store::SqliteStore::open(loop.get_executor(), clock, {.folder = data});
  if (!store) {
    std::fprintf(stderr, "%s\n", store.error().message.c_str());
    return 1;
  }
  toolkit::Registry registry;
  for (const auto& [name, kind] :
       std::initializer_list<std::pair<const char*, Kind>>{{"read", Kind::read},
                                                           {"write", Kind::write},
                                                           {"write_denied", Kind::write},
                                                           {"write_expired", Kind::write},
                                                           {"write_background", Kind::write},
                                                           {"deadly", Kind::deadly},
                                                           {"checked_write", Kind::checked_write},
                                                           {"child", Kind::child}}) {
    if (!registry.add(tool(name, kind))) return 1;
  }
  toolkit::Executor executor(clock);
  std::shared_ptr<const run::Rules> settings = rules(expiry);
  auto model = std::make_shared<Model>();
  gateway::Channels channels;
  channels.add(std::make_shared<LinesChannel>(loop.get_executor(), platform));
  gateway::Gateway gateway(
      {**store, clock, registry, executor, [settings] { return settings; }, [model] { return model; },
       run::Redaction("secret"), std::move(channels), gateway::DeliverySettings{}},
      loop.get_executor());
  gateway.start();
  asio::signal_set signals(loop, SIGTERM);
  signals.async_wait([&](const boost::system::error_code& error, int) {
    if (error) return;
    asio::co_spawn(loop, gateway.stop(), [&](const std::exception_ptr&) { loop.stop(); });
  });
  loop.run();
  return 0;
}

}  // namespace
}  // namespace deputy::chaos

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  return deputy::chaos::run_host(argv[1], argv[2], argv[3], std::chrono::seconds(std::atoi(argv[4])));
}
