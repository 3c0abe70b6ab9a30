// Runs a program in a sandbox: in its own namespaces (bubblewrap), without capabilities, never as root, and with limits
// on processes, memory, files and time. The program sees the system's /usr read-only (of which a program that may only
// read the folder sees programs and libraries), a few files of /etc, its own /proc, /dev and /tmp, an empty home and
// one folder, as /workspace. It sees no other file, no environment variable of ours, no socket of this machine, and no
// network unless that is asked for. A filter of system calls (libseccomp) takes away the kernel's keys, sockets other
// than unix and inet, and setuid bits.
//
// Running as root inside a user namespace is not enough: root there is mapped to this machine's root, may write
// /proc/sys and is not limited in its processes. So if Deputy runs as root, the program runs as the owner of the
// folder, or, if root owns it, as nobody, who can read the folder but not write it.
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

/// A path of the folder that cannot be read inside: opening it is refused.
struct HiddenPath {
  enum class Kind { file, folder };

  std::string path;  // relative to the folder; what it names must be there
  Kind kind = Kind::file;

  bool operator==(const HiddenPath&) const = default;
};

/// Memory is limited for all processes together if this machine lets us create a control group, else for each process.
struct SandboxLimits {
  std::uint64_t memory_bytes = 2048UL << 20;
  std::uint64_t processes = 256;
  std::uint64_t file_bytes = 1024UL << 20;
  std::uint64_t tmp_bytes = 256UL << 20;  // for each of /tmp, the home and /dev/shm
  std::uint64_t open_files = 1024;
  std::uint64_t least_free_bytes = 512UL << 20;  // on the folder's disk; with less the program is killed
};

/// Paths of the programs that create the sandbox; empty: not installed.
struct SandboxPrograms {
  std::string bwrap;
  std::string setpriv;
  std::string prlimit;

  /// Says what to install; empty: nothing is missing.
  std::string missing() const;
};
SandboxPrograms find_sandbox_programs();

struct SandboxedProgram {
  std::vector<std::string> arguments;  // the first is found by the PATH inside
  std::filesystem::path folder;        // seen as /workspace
  FolderAccess access = FolderAccess::read_write;
  std::vector<HiddenPath> hidden;
  std::string working_dir;  // relative to the folder
  std::vector<std::pair<std::string, std::string>> environment;
  std::string input;  // written to its standard input, which is then closed
  std::chrono::milliseconds timeout{30'000};
  std::size_t max_output = 50'000;  // bytes kept of each stream
  Network network = Network::none;
  SandboxLimits limits;
};

/// The account that the program runs as on this machine.
struct SandboxAccount {
  uid_t user = 0;
  gid_t group = 0;

  bool operator==(const SandboxAccount&) const = default;
};

/// Our own account unless that is root; then the folder's owner, or nobody if root owns it.
SandboxAccount sandbox_account(SandboxAccount ours, SandboxAccount owner_of_folder);

/// Explains why a program cannot write the folder; empty: it can.
std::string why_not_writable(SandboxAccount ours, SandboxAccount owner_of_folder);

/// An error if the account that programs run as may not enter the folder, judged by its owner and mode. Checks only if
/// Deputy is root and so runs programs as somebody else.
Result<> check_enterable(SandboxAccount ours, const std::filesystem::path& folder);

/// The whole command line that starts the program as `account` from a process of `ours`, in these control groups.
std::vector<std::string> sandbox_command_line(const SandboxPrograms& programs, const SandboxedProgram& program,
                                              SandboxAccount ours, SandboxAccount account,
                                              const std::vector<std::string>& groups);

Result<SandboxAccount> owner_of(const std::filesystem::path& folder);
SandboxAccount our_account();

/// How the program ended. If it was killed because the disk was full, it may have changed files, and its output went to
/// the sink only.
struct SandboxEnd : ProcessEnd {
  bool disk_full = false;
};

/// Runs the program until it ends or times out; then none of its processes is left, whatever group or session they
/// joined. An error means that it was not started, except an error of kind timeout: it was started and could not be
/// killed. Cancelling the caller kills the program too.
Task<Result<SandboxEnd>> run_sandboxed(SandboxPrograms programs, SandboxedProgram program, OutputSink sink = {});

/// Tells whether the program in the sandbox was started. The last wrapper writes a mark to a separate descriptor right
/// before it becomes the program. Without the mark the program has done nothing; the program itself cannot remove it.
/// The descriptor is a file in memory that begins with the filter of system calls: bwrap reads that, and the mark is
/// written behind it.
class StartMark {
 public:
  static Result<StartMark> make();

  /// The command line that writes the mark and then becomes `program`, in the same process and without the descriptor.
  static std::vector<std::string> before(std::vector<std::string> program);

  /// For ProcessSpec::passed.
  int descriptor() const { return file_.number; }

  /// True if the program was started. Call it after the program has ended.
  bool was_left() const;

 private:
  StartMark(FileDescriptor file, std::size_t filter_bytes) : file_(std::move(file)), filter_bytes_(filter_bytes) {}

  FileDescriptor file_;
  std::size_t filter_bytes_;
};

}  // namespace deputy::tools
