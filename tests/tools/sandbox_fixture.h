// Runs a command in the sandbox as each kind of account Deputy may have: as root with a folder of root's, as root with
// a folder of somebody else's, and as an ordinary user. Where the tests are not run as root only the last is there.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "support/results.h"
#include "support/temporary_folder.h"
#include "tools/sandbox.h"

namespace deputy::tools {

struct Deputys {
  const char* name;
  uid_t user;    // whom Deputy runs as
  uid_t folder;  // who owns the workspace
};

inline void PrintTo(const Deputys& deputys, std::ostream* out) { *out << deputys.name; }

class SandboxTest : public testing::TestWithParam<Deputys> {
 protected:
  void SetUp() override;

  bool workspace_is_roots() const { return GetParam().user == 0 && GetParam().folder == 0; }

  SandboxedProgram shell(std::string script) const;

  /// In a process that is the account's own, as Deputy would be.
  Result<SandboxEnd> run(const SandboxedProgram& program);
  Result<SandboxEnd> run(std::string script) { return run(shell(std::move(script))); }

  /// Output and errors of a script together with its exit code, as text.
  std::string said_by(const std::string& script);

  /// Starts Deputy's process, which runs the program, and returns its id.
  pid_t start(const SandboxedProgram& program, int write_to) const;

  /// Waits until no process of this machine has `marker` in its command line; false when one is still there.
  static bool all_gone(const std::string& marker);

  /// A text that stands in no other process's command line.
  std::string marker() const;

  test::TemporaryFolder folder;
  std::filesystem::path secret = folder.write("secret.txt", "the secret\n");
  std::filesystem::path work = folder.write("work/a.txt", "a file\n").parent_path();
  SandboxPrograms programs = find_sandbox_programs();
};

}  // namespace deputy::tools
