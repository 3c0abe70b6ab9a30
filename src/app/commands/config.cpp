// deputy config check | show | init | trust | reference
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "app/command_line.h"
#include "base/json.h"
#include "config/files.h"
#include "config/reference.h"
#include "config/show.h"
#include "config/starter.h"
#include "config/trust.h"
#include "config/yaml.h"

namespace deputy::app {

namespace {

namespace fs = std::filesystem;
using config::LocatedProblem;

// Settings that could not even be looked for: a --set that is not key=value, or no HOME.
ExitCode print_unloadable(const Context& context, const Error& error) {
  print_error(context, error);
  return error.kind == ErrorKind::invalid_input ? ExitCode::usage : ExitCode::failed;
}

json::array problems_as_json(const std::vector<LocatedProblem>& problems) {
  json::array list;
  for (const LocatedProblem& problem : problems) {
    list.push_back({{"source", problem.source},
                    {"line", problem.line},
                    {"path", problem.path},
                    {"message", problem.message},
                    {"fix", problem.hint}});
  }
  return list;
}

void print_problems(std::ostream& out, const std::vector<LocatedProblem>& problems) {
  for (const LocatedProblem& problem : problems) {
    out << config::describe(problem) << "\n";
    if (!problem.hint.empty()) out << "    fix: " << problem.hint << "\n";
  }
  out << problems.size() << (problems.size() == 1 ? " problem\n" : " problems\n");
}

ExitCode check(const Context& context) {
  const auto loaded = load_settings(context, config::Mode::command);
  if (!loaded) return print_unloadable(context, loaded.error());
  std::ostream& out = context.outside.out;
  if (context.json) {
    out << json::serialize(problems_as_json(loaded->problems)) << "\n";
  } else if (!loaded->ok()) {
    print_problems(out, loaded->problems);
  } else if (loaded->files.empty()) {
    out << "ok: no settings file, so defaults and the environment hold\n";
  } else {
    out << "ok:";
    for (const config::ReadFile& file : loaded->files) out << " " << file.path.string();
    out << "\n";
  }
  return loaded->ok() ? ExitCode::done : ExitCode::failed;
}

ExitCode show(const Context& context) {
  const auto loaded = load_settings(context, config::Mode::command);
  if (!loaded) return print_unloadable(context, loaded.error());
  if (!loaded->ok()) {
    print_problems(context.outside.errors, loaded->problems);
    return ExitCode::failed;
  }
  const json::object settings = to_json(loaded->settings);
  if (context.json) {
    context.outside.out << json::serialize(config::show_json(settings, loaded->provenance)) << "\n";
  } else {
    context.outside.out << config::show_yaml(settings, loaded->provenance);
  }
  return ExitCode::done;
}

Result<fs::path> begin_file(const Context& context) {
  const Outside& outside = context.outside;
  TRY(fs::path file, config::file_to_begin(context.places, outside.environment, outside.working_dir));
  const std::string text = config::starter_yaml(to_json(Settings{}), describe_fields<Settings>());
  const Result<> written = config::write_private(file, text, config::Existing::keep);
  if (!written && written.error().kind == ErrorKind::conflict) {
    return fail(ErrorKind::conflict, file.string() + " is there already and is left as it is",
                "edit it, or name another with --config FILE");
  }
  if (!written) return std::unexpected(written.error());
  return file;
}

ExitCode init(const Context& context) {
  const auto file = begin_file(context);
  if (!file) return print_failure(context, file.error());
  context.outside.out << "wrote " << file->string()
                      << "; every setting in it is commented out, `deputy config check` reads it\n";
  return ExitCode::done;
}

struct TrustedNow {
  fs::path file;
  std::string digest;
};

Result<TrustedNow> trust_file(const Context& context, const std::string& named) {
  const Outside& outside = context.outside;
  fs::path file = outside.working_dir / (named.empty() ? "deputy.yaml" : named);
  std::error_code ignored;
  if (named.empty() && !fs::exists(file, ignored)) file = outside.working_dir / "deputy.json";
  file = file.lexically_normal();
  TRY(const config::FileContent content, config::read_bounded(file, config::kLargestFile));
  if (config::others_can_write(content.owner, geteuid())) {
    return fail(ErrorKind::permission, "others can write " + file.string() + ", so it cannot be trusted",
                "make it yours alone: `chmod 600 " + file.string() + "`");
  }
  TRY(const fs::path data, config::data_folder(context.places, outside.environment, outside.working_dir));
  TRY(auto trusted, config::TrustedFiles::read(data / "trusted.json"));
  TRY(std::string digest, trusted.trust(file, content.text));
  return TrustedNow{file, std::move(digest)};
}

ExitCode trust(const Context& context, const std::string& named) {
  const auto trusted = trust_file(context, named);
  if (!trusted) return print_failure(context, trusted.error());
  if (context.json) {
    context.outside.out << json::serialize(json::object{{"path", trusted->file.string()}, {"sha256", trusted->digest}})
                        << "\n";
  } else {
    context.outside.out << "trusted " << trusted->file.string() << "\nsha256 " << trusted->digest << "\n";
  }
  return ExitCode::done;
}

ExitCode reference(const Context& context) {
  context.outside.out << "# Settings\n\nEvery setting, generated by `deputy config reference` from the lists that read "
                         "them. How files, "
                         "environment and flags work\ntogether is in [configuration.md](configuration.md).\n\n"
                      << config::reference_markdown(describe_fields<Settings>());
  return ExitCode::done;
}

}  // namespace

void add_config(CLI::App& program, Context& context) {
  CLI::App* group = program.add_subcommand("config", "Check, show and begin settings");
  group->require_subcommand(1);
  group->fallthrough();
  const auto add = [&](const char* name, const char* what, ExitCode (*run)(const Context&)) {
    CLI::App* command = group->add_subcommand(name, what);
    command->fallthrough();
    command->callback([&context, run] { context.action = [&context, run] { return run(context); }; });
  };
  add("check", "Print every problem with file, line and fix", check);
  add("show", "Print the settings that hold and where each comes from, secrets hidden", show);
  add("init", "Write a commented settings file; an existing one is left alone", init);
  add("reference", "Print the settings reference as Markdown", reference);

  CLI::App* command = group->add_subcommand("trust", "Let this project's deputy.yaml count, as it is now");
  command->fallthrough();
  auto file = std::make_shared<std::string>();
  command->add_option("FILE", *file, "The project's settings file, deputy.yaml when not given");
  command->callback([&context, file] { context.action = [&context, file] { return trust(context, *file); }; });
}

}  // namespace deputy::app
