#include "tools/sandbox_fixture.h"

#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <fstream>

#include "base/json.h"
#include "base/text.h"
#include "support/loop.h"

namespace deputy::tools {

namespace fs = std::filesystem;

namespace {

void give_to(const fs::path& path, uid_t user) {
  if (geteuid() == 0) ASSERT_EQ(lchown(path.c_str(), user, user), 0);
}

std::string read_to_end(int from) {
  std::string text;
  char piece[65536];
  for (ssize_t size = 0; (size = read(from, piece, sizeof piece)) > 0;)
    text.append(piece, static_cast<std::size_t>(size));
  return text;
}

json::object as_json(const Result<SandboxEnd>& end) {
  if (!end) return {{"error", end.error().message}, {"hint", end.error().hint}};
  return {{"exit_code", end->exit_code},          {"timed_out", end->timed_out},
          {"disk_full", end->disk_full},          {"output", to_valid_utf8(end->output)},
          {"errors", to_valid_utf8(end->errors)}, {"output_bytes", end->output_bytes}};
}

std::vector<pid_t> processes_with(const std::string& marker) {
  std::vector<pid_t> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (test::read_file(entry.path() / "cmdline").contains(marker)) found.push_back(std::stoi(name));
  }
  return found;
}

}  // namespace

void SandboxTest::SetUp() {
  ASSERT_EQ(programs.missing(), "");
  if (GetParam().user == 0 && geteuid() != 0) GTEST_SKIP() << "this needs root";
  fs::permissions(folder.path(), fs::perms{0755});
  fs::permissions(work, fs::perms{0755});
  fs::permissions(work / "a.txt", fs::perms{0644});
  fs::permissions(secret, fs::perms{0666});  // anybody who reaches it may read and write it
  give_to(work, GetParam().folder);
  give_to(work / "a.txt", GetParam().folder);
}

SandboxedProgram SandboxTest::shell(std::string script) const {
  SandboxedProgram program;
  program.arguments = {"/bin/sh", "-c", std::move(script)};
  program.folder = work;
  return program;
}

pid_t SandboxTest::start(const SandboxedProgram& program, int write_to) const {
  const pid_t pid = fork();
  if (pid != 0) return pid;
  const uid_t user = GetParam().user;
  if (geteuid() == 0 && user != 0 && (setgroups(0, nullptr) != 0 || setgid(user) != 0 || setuid(user) != 0)) _exit(1);
  std::string text = json::serialize(as_json(test::run(run_sandboxed(programs, program))));
  for (std::string_view rest = text; !rest.empty();) {
    const ssize_t written = write(write_to, rest.data(), rest.size());
    if (written <= 0) _exit(1);
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  _exit(0);
}

Result<SandboxEnd> SandboxTest::run(const SandboxedProgram& program) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return fail(ErrorKind::internal, "there is no pipe");
  const pid_t pid = start(program, ends[1]);
  close(ends[1]);
  const std::string text = read_to_end(ends[0]);
  close(ends[0]);
  waitpid(pid, nullptr, 0);
  TRY(const json::object said, parse_json_object(text));
  if (said.contains("error")) {
    return fail(ErrorKind::not_configured, std::string(as_view(said.at("error").as_string())),
                std::string(as_view(said.at("hint").as_string())));
  }
  SandboxEnd end;
  end.exit_code = said.at("exit_code").to_number<int>();
  end.timed_out = said.at("timed_out").as_bool();
  end.disk_full = said.at("disk_full").as_bool();
  end.output = as_view(said.at("output").as_string());
  end.errors = as_view(said.at("errors").as_string());
  end.output_bytes = said.at("output_bytes").to_number<std::uint64_t>();
  return end;
}

std::string SandboxTest::said_by(const std::string& script) {
  const Result<SandboxEnd> end = run(script);
  if (!end) return describe(end.error());
  return end->output + end->errors + "[" + std::to_string(end->exit_code) + "]";
}

bool SandboxTest::all_gone(const std::string& marker) {
  for (const pid_t pid : processes_with(marker)) {
    const int descriptor = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
    if (descriptor < 0) continue;
    pollfd ended{descriptor, POLLIN, 0};
    const bool in_time = poll(&ended, 1, 20'000) == 1;
    close(descriptor);
    if (!in_time) return false;
  }
  return processes_with(marker).empty();
}

std::string SandboxTest::marker() const { return "marker_" + folder.path().filename().string(); }

}  // namespace deputy::tools
