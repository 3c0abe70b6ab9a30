// deputy config check | show | init | trust | reference
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <boost/asio/io_context.hpp>

#include "app/command_line.h"
#include "base/json.h"
#include "base/text.h"
#include "channel/terminal/styled_text.h"
#include "config/files.h"
#include "config/reference.h"
#include "config/trust.h"
#include "config/yaml.h"

namespace deputy::app {

namespace {

namespace fs = std::filesystem;
using config::LocatedProblem;

constexpr const char* kGroupExamples = R"(Examples:
  deputy config init                     create a settings file
  deputy config init slack               create the Slack app
  deputy config check                    find every problem in the settings
  deputy config show                     show every setting and where it comes from
  deputy config trust                    trust ./deputy.yaml, as it is now
  deputy config reference                every setting, as Markdown)";

constexpr const char* kCheckExamples = R"(Examples:
  deputy config check                                 problems in the files that are used here
  deputy config check --config /srv/deputy.yaml       of one file
  deputy config check --set models.budgets.run_usd=2  with one setting changed
  deputy config check --json                          for programs: an array, empty if there are no problems)";

constexpr const char* kShowExamples = R"(Examples:
  deputy config show                       every setting and where it comes from
  deputy config show --set timezone=UTC    with one setting changed
  deputy config show --json                for programs)";

constexpr const char* kInitExamples = R"(Examples:
  deputy config init                            in your own settings folder
  deputy config init --config /srv/deputy.yaml  at this path
  deputy config init slack                      the Slack app: its manifest, the steps, who may approve)";

constexpr const char* kReferenceExamples = R"(Examples:
  deputy config reference                     print it
  deputy config reference > docs/settings.md  save it)";

constexpr const char* kTrustExamples = R"(Examples:
  deputy config trust                      ./deputy.yaml
  deputy config trust /srv/x/deputy.yaml   the file of another project)";

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
    out << channel::one_line(config::describe(problem)) << "\n";  // keys and values may contain anything
    if (!problem.hint.empty()) out << "    fix: " << channel::one_line(problem.hint) << "\n";
  }
  out << problems.size() << (problems.size() == 1 ? " problem\n" : " problems\n");
}

Result<config::Loaded<Settings>> load_only(const Context& context) {
  const SystemClock clock;
  asio::io_context loop;
  TRY(ReadSettings read, load_settings(context, clock, loop.get_executor()));
  return std::move(read.loaded);
}

ExitCode check(const Context& context) {
  const auto loaded = load_only(context);
  if (!loaded) return print_failure(context, loaded.error());
  std::ostream& out = context.outside.out;
  if (context.json) {
    out << json::serialize(problems_as_json(loaded->problems)) << "\n";
  } else if (!loaded->ok()) {
    print_problems(out, loaded->problems);
  } else if (loaded->files.empty()) {
    out << "ok: no settings file; defaults and environment variables apply\n";
  } else {
    out << "ok:";
    for (const config::ReadFile& file : loaded->files) out << " " << file.path.string();
    out << "\n";
  }
  return loaded->ok() ? ExitCode::done : ExitCode::failed;
}

ExitCode show(const Context& context) {
  const auto loaded = load_only(context);
  if (!loaded) return print_failure(context, loaded.error());
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
    return fail(ErrorKind::conflict, file.string() + " already exists and was not changed",
                "edit it, or name another with --config FILE");
  }
  if (!written) return std::unexpected(written.error());
  return file;
}

ExitCode init(const Context& context) {
  const auto file = begin_file(context);
  if (!file) return print_failure(context, file.error());
  context.outside.out << "wrote " << file->string()
                      << "; every setting in it is commented out; check it with `deputy config check`\n";
  return ExitCode::done;
}

struct TrustedNow {
  fs::path file;
  std::string digest;
};

constexpr std::array<std::string_view, 2> kProjectFiles{"deputy.yaml", "deputy.json"};

Result<fs::path> project_file(const fs::path& folder, const std::string& named) {
  if (!named.empty()) {
    fs::path file = (folder / named).lexically_normal();
    if (contains(kProjectFiles, file.filename().string())) return file;
    return fail(ErrorKind::invalid_input, file.string() + " is never used as a project's settings",
                "a project's settings are in deputy.yaml or deputy.json; any other file works with --config FILE, "
                "without trust");
  }
  for (const std::string_view name : kProjectFiles) {
    std::error_code ignored;
    if (fs::exists(folder / name, ignored)) return (folder / name).lexically_normal();
  }
  return fail(ErrorKind::not_found, "there is no deputy.yaml in " + folder.string(),
              "go to the project's folder, or name its settings file");
}

Result<TrustedNow> trust_file(const Context& context, const std::string& named) {
  const Outside& outside = context.outside;
  TRY(const fs::path file, project_file(outside.working_dir, named));
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

// The settings from now on, for commands in the file's folder.
Result<config::LoadReport> load_beside(const Context& context, const fs::path& file) {
  TRY(config::Sources sources, sources_of(context, config::LoadMode::command));
  TRY(sources.places,
      config::find_places(config::LoadMode::command, context.places, sources.environment, file.parent_path()));
  const SystemClock clock;
  asio::io_context loop;
  return read_settings(sources, {}, clock, loop.get_executor()).loaded;
}

ExitCode trust(const Context& context, const std::string& named) {
  const auto trusted = trust_file(context, named);
  if (!trusted) return print_failure(context, trusted.error());
  const auto loaded = load_beside(context, trusted->file);
  if (!loaded) return print_failure(context, loaded.error());
  std::ostream& errors = context.outside.errors;
  for (const std::string& notice : loaded->notices) errors << "notice: " << channel::one_line(notice) << "\n";
  if (context.json) {
    context.outside.out << json::serialize(json::object{{"path", trusted->file.string()},
                                                        {"sha256", trusted->digest},
                                                        {"problems", problems_as_json(loaded->problems)}})
                        << "\n";
  } else {
    context.outside.out << "trusted " << trusted->file.string() << "\nsha256 " << trusted->digest << "\n";
    if (!loaded->ok()) {
      errors << "the file is trusted, but the settings cannot be used with it:\n";
      print_problems(errors, loaded->problems);
    }
  }
  return loaded->ok() ? ExitCode::done : ExitCode::failed;
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
  CLI::App* group = program.add_subcommand("config", "Check, show and create settings");
  group->require_subcommand(1);
  group->fallthrough();
  group->footer(kGroupExamples);
  const auto add = [&](const char* name, const char* what, const char* examples, ExitCode (*run)(const Context&)) {
    CLI::App* command = group->add_subcommand(name, what);
    command->footer(examples);
    command->fallthrough();
    command->callback([&context, command, run] {
      // A command below this one has set what is done.
      if (command->get_subcommands().empty()) context.action = [&context, run] { return run(context); };
    });
    return command;
  };
  add("check", "Print every problem with file, line and fix", kCheckExamples, check);
  add("show", "Print every setting and where it comes from, with secrets hidden", kShowExamples, show);
  CLI::App* beginning =
      add("init", "Write a commented settings file; an existing one is left alone", kInitExamples, init);
  add_config_init_slack(*beginning, context);
  add("reference", "Print the settings reference as Markdown", kReferenceExamples, reference);

  CLI::App* command = group->add_subcommand("trust", "Trust this project's deputy.yaml, as it is now");
  command->footer(kTrustExamples);
  command->fallthrough();
  auto file = std::make_shared<std::string>();
  command->add_option("FILE", *file, "The project's settings file, deputy.yaml when not given");
  command->callback([&context, file] { context.action = [&context, file] { return trust(context, *file); }; });
}

}  // namespace deputy::app
