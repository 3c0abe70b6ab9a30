// shell = [ run ]: policy asks for an approval before it unless the command only reads, or a rule or a grant allows it
#include "tools/workspace/shell.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/command_line.h"
#include "base/text.h"
#include "tools/workspace/hidden_paths.h"
#include "tools/workspace/root.h"
#include "tools/workspace/workspace.h"

namespace deputy::tools {

namespace {

using toolkit::Output;
using toolkit::Step;

// Time to kill the command and report its output before the executor gives up on the handler.
constexpr std::chrono::milliseconds kToTell{500};
constexpr std::size_t kTail = ShellOutput::kMax - ShellOutput::kHead;

struct ShellParams {
  std::string command;
  std::string working_dir;

  template <class Fields>
  static void fields(Fields& f) {
    using P = ShellParams;
    f.required(&P::command, "command", "The command line, for /bin/sh, such as git log --oneline -5")
        .characters(1, 8000)
        .kind(toolkit::Kind::command);
    f.optional(&P::working_dir, "working_dir",
               "Folder to run it in, relative to the workspace; the workspace itself by default")
        .characters(0, kMaxPath)
        .kind(toolkit::Kind::path);
  }
};

SandboxedProgram program_of(const WorkspaceSetup& setup, const ShellParams& params) {
  SandboxedProgram program;
  program.arguments = {"/bin/sh", "-c", params.command};
  program.folder = setup.root->folder();
  program.working_dir = params.working_dir;
  program.network = setup.network;
  program.limits = setup.limits;
  // Git refuses a repository of another account, and in the sandbox every repository of root is one. This is safe,
  // because whatever git is made to do stays in the sandbox.
  program.environment = {
      {"GIT_CONFIG_COUNT", "1"}, {"GIT_CONFIG_KEY_0", "safe.directory"}, {"GIT_CONFIG_VALUE_0", "*"}};
  program.max_output = 2000;  // of each stream, for the sandbox's own errors; the command's output goes to the sink
  return program;
}

// Settings of a repository name programs that git runs by itself.
constexpr auto kGitRunsNothing =
    std::to_array<std::pair<std::string_view, std::string_view>>({{"core.fsmonitor", "false"},
                                                                  {"gpg.program", "false"},
                                                                  {"gpg.ssh.program", "false"},
                                                                  {"gpg.x509.program", "false"},
                                                                  {"core.hooksPath", "/dev/null"}});

Task<Result<>> make_read_only(const WorkspaceSetup& setup, const ShellParams& params, SandboxedProgram& program,
                              toolkit::CallContext& context) {
  program.access = FolderAccess::read_only;
  program.network = Network::none;
  int count = 1;  // program_of() sets the first
  for (const auto& [key, value] : kGitRunsNothing) {
    program.environment.emplace_back(fmt::format("GIT_CONFIG_KEY_{}", count), key);
    program.environment.emplace_back(fmt::format("GIT_CONFIG_VALUE_{}", count), value);
    ++count;
  }
  program.environment.front().second = std::to_string(count);  // GIT_CONFIG_COUNT
  program.environment.emplace_back("GIT_ALLOW_PROTOCOL", "");  // to fetch what is missing, git runs programs
  program.environment.emplace_back("GIT_OPTIONAL_LOCKS", "0");
  program.environment.emplace_back("GIT_PAGER", "cat");
  const GitFolders git = ReadCommands::runs_git(params.command) ? GitFolders::entered : GitFolders::left_out;
  auto job = [root = setup.root, may_read = context.may_read, git, most = setup.max_walked](
                 const std::stop_token& stop) { return hidden_paths(*root, may_read, git, most, stop); };
  CO_TRY(program.hidden, co_await on_worker<std::vector<HiddenPath>>(*setup.workers, context.time_left(), job));
  co_return Result<>{};
}

bool only_reads(const WorkspaceSetup& setup, const ShellParams& params) {
  return setup.read_commands->only_reads(params.command).has_value();
}

bool is_bare(std::string_view word) {
  const auto is_lower = [](char c) { return c >= 'a' && c <= 'z'; };
  return !word.empty() && is_lower(word[0]) &&
         std::ranges::all_of(word, [&](char c) { return is_lower(c) || is_digit(c) || c == '-'; });
}

std::string in_quotes(std::string_view word) {
  const auto is_plain = [](char c) { return is_letter_or_digit(c) || std::string_view("-_./=:,@+%").contains(c); };
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return std::string(word);
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

// The program, its subcommand and its options; `…` stands for other arguments. Words of lower-case letters and digits
// right behind the program count as its subcommand. Nothing where options come first, which could belong to either, and
// for a command that hides what it does.
std::optional<std::string> pin_of(const Command& command) {
  const std::vector<std::string>& words = command.words;
  if (words.empty() || command.redirects || !command.hides.empty() || is_assignment(words[0]) || runs_others(words[0]))
    return std::nullopt;
  std::string pin = in_quotes(words[0]);
  std::size_t at = 1;
  for (; at < words.size() && is_bare(words[at]); ++at) pin += " " + in_quotes(words[at]);
  const bool has_subcommand = at > 1;
  bool others = false;
  bool only_operands = false;
  for (; at < words.size(); ++at) {
    only_operands = only_operands || words[at] == "--";
    const bool is_option = words[at].starts_with('-') && (!only_operands || words[at] == "--");
    if (is_option) pin += " " + in_quotes(words[at]);
    if (!is_option && !has_subcommand && is_bare(words[at])) return std::nullopt;
    others = others || !is_option;
  }
  return others ? pin + " …" : pin;
}

// Bound to each command of the line, in their order, and to the folder.
std::map<std::string, std::string> shell_pins(const std::string& line, const std::string& folder) {
  const auto commands = parse_command_line(line);
  if (!commands) return {};
  std::vector<std::string> pins;
  for (const Command& command : *commands) {
    std::optional<std::string> pin = pin_of(command);
    if (!pin) return {};
    pins.push_back(*std::move(pin));
  }
  std::map<std::string, std::string> bound{{"command", join(pins, "; ")}};
  if (!folder.empty() && folder != ".") bound.emplace("working_dir", folder);
  return bound;
}

std::string command_in(const json::object& arguments) {
  const json::value* command = arguments.if_contains("command");
  return command == nullptr ? std::string() : as_text(*command);
}

Task<Step> run(WorkspaceSetup setup, ShellParams params, toolkit::CallContext& context) {
  SandboxedProgram program = program_of(setup, params);
  if (only_reads(setup, params)) {
    const Result<> ready = co_await make_read_only(setup, params, program, context);
    if (!ready) co_return ready.error();
  }
  program.timeout = std::max(context.time_left() - kToTell, kToTell);
  const auto said = std::make_shared<ShellOutput>();
  auto sink = [said, &context](OutputStream, std::string_view piece) {
    if (!said->full()) context.emit(piece);
    said->add(piece);
  };
  auto ended = co_await run_sandboxed(setup.programs, std::move(program), std::move(sink));
  if (!ended) co_return std::move(ended).error();
  auto job = [said, redact = context.redact](const std::stop_token&) {
    return Result<std::string>(said->text(redact));
  };
  auto redacted = co_await on_worker<std::string>(*setup.workers, std::max(context.time_left(), kToTell), job);
  if (!redacted) co_return std::move(redacted).error();
  std::string text = *std::move(redacted);
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  if (ended->disk_full) {
    // Of kind cancelled, so that the outcome counts as unknown.
    co_return Error{ErrorKind::cancelled,
                    fmt::format("the disk of the workspace became nearly full and the command was stopped; its output "
                                "so far: {}",
                                cut_with_mark(text, 2000)),
                    "free some space on it, or lower tools.workspace_tools.sandbox.least_free_mb"};
  }
  if (ended->timed_out) {
    co_return Error{
        ErrorKind::timeout,
        fmt::format("the command took too long and was stopped; its output so far: {}", cut_with_mark(text, 2000)),
        "run it with background: true"};
  }
  text += fmt::format("[exit code {}]", ended->exit_code);
  if (const auto owner = owner_of(setup.root->folder()); owner && ended->exit_code != 0) {
    const std::string why = why_not_writable(our_account(), *owner);
    if (!why.empty()) text += fmt::format("\n[{}]", why);
  }
  co_return Output{std::move(text), {{toolkit::kExitCode, ended->exit_code}}};
}

}  // namespace

std::shared_ptr<const toolkit::Tool> shell_tool(const WorkspaceSetup& setup) {
  toolkit::ToolSpec spec = workspace_spec(
      setup, "shell", 2,
      "Runs a command line with /bin/sh in the workspace, in a sandbox without network and without access to the rest "
      "of the machine. Plain commands that only read, such as ls, cat, grep, find and git log, run at once; others a "
      "person approves. Returns output and exit code; of long output the beginning and the end, 50 kB.",
      toolkit::Effect::write);
  if (setup.network == Network::shared) {
    spec.description =
        "Runs a command line in the workspace, in a sandbox that sees no other file of this machine but has its "
        "network, the machine's own services included";
  }
  spec.primary_param = "command";
  spec.primary_is_command_line = true;
  spec.place_param = "working_dir";
  spec.path_rules_of = "read_file";
  spec.effect = [commands = setup.read_commands](const json::object& arguments) -> std::optional<toolkit::Effect> {
    if (!commands->only_reads(command_in(arguments))) return toolkit::Effect::write;
    return toolkit::Effect::read;
  };
  spec.reads_around_rules = [](const json::object& arguments) {
    return ReadCommands::prints_history(command_in(arguments));
  };
  spec.pins_of = [](const json::object& arguments) {
    const json::value* folder = arguments.if_contains("working_dir");
    return shell_pins(command_in(arguments), folder == nullptr ? std::string() : as_text(*folder));
  };
  spec.words = [commands = setup.read_commands](const json::object& arguments) {
    const Result<> reads = commands->only_reads(command_in(arguments));
    return toolkit::CallDescription{.why_write = reads ? std::string() : reads.error().message};
  };
  spec.timeout = std::chrono::seconds(120);
  spec.target["network"] = setup.network == Network::shared ? "this machine's, with its own services" : "none";
  if (spec.missing.empty()) spec.missing = setup.programs.missing();
  spec.topics = {.words = {"command", "shell"},
                 .verbs = {"run", "execute"},
                 .examples = {"run `{command}`"},
                 .working = "Running a command"};
  return toolkit::make_tool<ShellParams>(std::move(spec),
                                         [setup](const ShellParams& params) -> Result<toolkit::Pipeline> {
                                           toolkit::Pipeline pipeline;
                                           pipeline.then({.name = "run",
                                                          .repeatable = only_reads(setup, params),
                                                          .call = [setup, params](toolkit::CallContext& context) {
                                                            ShellParams judged = params;
                                                            judged.working_dir = context.path_of("working_dir");
                                                            return run(setup, judged, context);
                                                          }});
                                           return pipeline;
                                         });
}

void ShellOutput::add(std::string_view piece) {
  bytes_ += piece.size();
  const std::size_t room = kHead + kMargin - head_.size();
  head_ += piece.substr(0, room);
  if (piece.size() <= room) return;
  tail_ += piece.substr(room);
  if (tail_.size() > 2 * (kTail + kMargin)) tail_.erase(0, tail_.size() - kTail - kMargin);
}

std::string ShellOutput::text(const toolkit::Redact& redact) const {
  const bool whole = bytes_ <= head_.size() + tail_.size();
  std::string head = toolkit::redact_or_withhold(whole ? head_ + tail_ : head_, redact);
  std::string tail = whole ? std::string() : toolkit::redact_or_withhold(tail_, redact);
  if (whole) {
    if (head.size() <= kMax) return head;
    tail = head.substr(kHead);
  }
  head.resize(cut_bytes(head, kHead).size());
  std::size_t from = tail.size() - std::min(tail.size(), kTail);
  while (from < tail.size() && (static_cast<unsigned char>(tail[from]) & 0xC0) == 0x80) ++from;
  tail.erase(0, from);
  const std::uint64_t shown = head.size() + tail.size();
  return fmt::format("{}\n… {} bytes of output are not shown …\n{}", head, bytes_ - std::min(bytes_, shown), tail);
}

}  // namespace deputy::tools
