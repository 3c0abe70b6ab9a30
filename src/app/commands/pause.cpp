// deputy pause | resume
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "app/command_line.h"
#include "app/commands/listing.h"

namespace deputy::app {

namespace {

constexpr const char* kPauseExamples = R"(Examples:
  deputy pause            start nothing, and interrupt what runs: within a second, on every instance of this store
  deputy pause --writes   look things up as before, but change nothing
  deputy resume           continue, also with what was interrupted

Anyone who asks meanwhile is told who paused it. Nothing is lost.)";

constexpr const char* kResumeExamples = R"(Examples:
  deputy resume           ends `deputy pause`
  deputy runs resume RUN  continues one run here)";

std::string_view in_words(store::Pause brake) {
  switch (brake) {
    case store::Pause::off:
      return "resumed";
    case store::Pause::writes:
      return "changes are paused: `deputy resume` ends the pause";
    case store::Pause::all:
      break;
  }
  return "paused: `deputy resume` ends the pause";
}

Task<Result<ExitCode>> set(const Context& context, Process& process, store::Pause brake) {
  const Timestamp now = process.clock().now();
  const std::string who = os_user();
  store::Effects effects;
  effects.audit = {{.at = now, .kind = brake == store::Pause::off ? "resumed" : "paused", .person = "terminal:" + who}};
  CO_TRY(const store::BrakeRow before, co_await process.store().brake());
  CO_TRY(co_await process.store().set_brake({brake, who, now}, std::move(effects)));
  std::ostream& out = context.outside.out;
  if (context.json) {
    out << json::serialize(json::object{{"paused", brake != store::Pause::off}}) << "\n";
  } else if (brake == store::Pause::off && before.brake == store::Pause::off) {
    out << "Deputy was not paused\n";
  } else {
    out << in_words(brake) << "\n";
  }
  co_return ExitCode::done;
}

ExitCode set_pause(const Context& context, store::Pause brake) {
  return with_store(context, [&](Process& process) { return set(context, process, brake); });
}

}  // namespace

void add_pause(CLI::App& program, Context& context) {
  CLI::App* pause = program.add_subcommand("pause", "Start nothing more, on every instance, until `resume`");
  pause->fallthrough();
  pause->footer(kPauseExamples);
  auto writes = std::make_shared<bool>(false);
  pause->add_flag("--writes", *writes, "Stop only changes");
  pause->callback([&context, writes] {
    context.action = [&context, writes] {
      return set_pause(context, *writes ? store::Pause::writes : store::Pause::all);
    };
  });
  CLI::App* resume = program.add_subcommand("resume", "End a pause");
  resume->fallthrough();
  resume->footer(kResumeExamples);
  resume->callback([&context] { context.action = [&context] { return set_pause(context, store::Pause::off); }; });
}

}  // namespace deputy::app
