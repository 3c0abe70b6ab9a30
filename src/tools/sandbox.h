// Runs a program where it can do no harm: in namespaces of its own (bubblewrap), without a capability, under an account
// that is not root, with bounded processes, memory, files and time. It sees the system's programs and libraries
// read-only, a few files of /etc, a /proc, /dev and /tmp of its own, an empty home and one folder, as /workspace; no
// other file, no variable of ours, no socket of this machine, and no network unless that is asked for.
//
// Root inside a user namespace would not do: mapped to this machine's root it may write /proc/sys, and limits on
// processes do not bind it. So when Deputy is root the program runs as the folder's owner, or as nobody when that is
// root; it can then read such a folder and not write it.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/process.h"
#include "base/result.h"
#include "base/task.h"

namespace deputy::tools {

enum class Network { none, shared };
enum class FolderAccess { read_only, read_write };

/// Memory is that of all processes together where this machine lets us make a control group, else of each.
struct SandboxLimits {
  std::uint64_t memory_bytes = 2048UL << 20;
  std::uint64_t processes = 256;
  std::uint64_t file_bytes = 1024UL << 20;
  std::uint64_t tmp_bytes = 256UL << 20;  // of /tmp, of the home and of /dev/shm, each
  std::uint64_t open_files = 1024;
  std::uint64_t least_free_bytes = 512UL << 20;  // of the folder's disk: a program that takes more is ended
};

/// Where the programs are that make the sandbox; empty: not installed.
struct SandboxPrograms {
  std::string bwrap;
  std::string setpriv;
  std::string prlimit;

  /// What to install before there can be a sandbox; empty: all is there.
  std::string missing() const;
};
SandboxPrograms find_sandbox_programs();

struct SandboxedProgram {
  std::vector<std::string> arguments;  // the first is found by the PATH inside
  std::filesystem::path folder;        // seen as /workspace
  FolderAccess access = FolderAccess::read_write;
  std::string working_dir;  // relative to the folder
  std::vector<std::pair<std::string, std::string>> environment;
  std::string input;  // written to its standard input, which is then closed
  std::chrono::milliseconds timeout{30'000};
  std::size_t most_output = 50'000;  // bytes kept of each stream
  Network network = Network::none;
  SandboxLimits limits;
};

/// Whom the program runs as on this machine.
struct SandboxAccount {
  uid_t user = 0;
  gid_t group = 0;

  bool operator==(const SandboxAccount&) const = default;
};

/// Ours, unless that is root: then the folder's owner, or nobody when root owns it.
SandboxAccount sandbox_account(SandboxAccount ours, SandboxAccount owner_of_folder);

/// What to tell whoever runs a program that wants to write the folder; empty: it may.
std::string why_not_writable(SandboxAccount ours, SandboxAccount owner_of_folder);

/// Whether the account that programs run as may enter the folder, by its owner and mode; the error says what to do. It
/// speaks only where Deputy is root and runs programs as somebody else.
Result<> check_enterable(SandboxAccount ours, const std::filesystem::path& folder);

/// The whole command line that starts the program as `account` from a process of `ours`, in these control groups.
std::vector<std::string> sandbox_command_line(const SandboxPrograms& programs, const SandboxedProgram& program,
                                              SandboxAccount ours, SandboxAccount account,
                                              const std::vector<std::string>& groups);

/// Who owns the folder.
Result<SandboxAccount> owner_of(const std::filesystem::path& folder);
SandboxAccount our_account();

/// How it ended. One that was ended for want of room has done something, and its output went to the sink only.
struct SandboxEnd : ProcessEnd {
  bool disk_full = false;
};

/// Runs it to its end or timeout; then nothing of it is left, in whatever group or session it was. An error means it
/// was not started, save one of kind timeout: it was, and cannot be ended. Cancelling the caller ends it too.
Task<Result<SandboxEnd>> run_sandboxed(SandboxPrograms programs, SandboxedProgram program, OutputSink sink = {});

// The sign that a program in the sandbox has begun. What makes the sandbox writes it to a descriptor of its own, as its
// last act before it becomes the program: where it is missing the program has done nothing, and nothing that the
// program says can make it look so.

class StartMark {
 public:
  static Result<StartMark> make();

  /// The command line that leaves the mark and then becomes `program`, in the same process and without the descriptor.
  static std::vector<std::string> before(std::vector<std::string> program);

  /// For ProcessSpec::passed.
  int descriptor() const { return write_.number; }

  /// Whether the program has begun; asked once, when it has ended.
  bool was_left() const;

 private:
  StartMark(FileDescriptor read, FileDescriptor write) : read_(std::move(read)), write_(std::move(write)) {}

  FileDescriptor read_;
  FileDescriptor write_;
};

}  // namespace deputy::tools
