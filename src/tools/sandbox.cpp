#include "tools/sandbox.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "base/process.h"
#include "base/text.h"
#include "tools/cgroup.h"

namespace deputy::tools {

namespace {

constexpr SandboxAccount kNobody{65534, 65534};

// Runs under our account and joins the control groups. Passes generated passwd and group files as descriptors 3 and 4,
// the filter of system calls, which comes in the file of the start mark, as 5.
// `env -i` removes the variables that the shell sets, because bwrap's environment can be read inside the sandbox, in
// /proc/1/environ.
constexpr std::string_view kStart = R"(for file in $1; do
  echo $$ 2>/dev/null >"$file" || { echo "cannot join the control group" >&2; exit 125; }
done
shift
exec /usr/bin/env -i "$@" 5<&9 3<<'PASSWD' 4<<'GROUP'
deputy:x:1000:1000:deputy:/home/deputy:/bin/sh
nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
PASSWD
deputy:x:1000:
nogroup:x:65534:
GROUP
)";

constexpr std::string_view kPutInReach = R"(/bin/mount -n --bind "$1" "$2" && shift 2 && exec /usr/bin/env -i "$@")";

// A place to mount the folder at so that another account can reach it, whatever the folders above it allow.
std::string_view reachable_place() {
  for (const char* place : {"/srv", "/media", "/mnt"}) {
    if (access(place, X_OK) == 0) return place;
  }
  return "/tmp";
}

class Arguments {
 public:
  template <class... Words>
  void add(Words&&... words) {
    (list.emplace_back(std::forward<Words>(words)), ...);
  }
  std::vector<std::string> list;
};

// A program that may only read needs nothing else of /usr, and some machines keep settings in /usr/local.
void add_programs_and_libraries(Arguments& line) {
  for (const char* folder : {"/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libx32",
                             "/usr/libexec", "/usr/local/bin", "/usr/local/lib", "/usr/share/misc"})
    line.add("--ro-bind-try", folder, folder);
}

// On most systems these are links into /usr; they stay links in the sandbox.
void add_system_folders(Arguments& line, FolderAccess access) {
  if (access == FolderAccess::read_only) {
    add_programs_and_libraries(line);
  } else {
    line.add("--ro-bind", "/usr", "/usr");
  }
  for (const char* folder : {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}) {
    std::error_code failed;
    if (const auto target = std::filesystem::read_symlink(folder, failed); !failed) {
      line.add("--symlink", target.string(), folder);
    } else {
      line.add("--ro-bind-try", folder, folder);
    }
  }
}

void add_settings_of_system(Arguments& line, Network network) {
  line.add("--ro-bind-data", "3", "/etc/passwd", "--ro-bind-data", "4", "/etc/group");
  for (const char* file : {"/etc/ld.so.cache", "/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/alternatives",
                           "/etc/localtime", "/etc/nsswitch.conf"}) {
    line.add("--ro-bind-try", file, file);
  }
  if (network == Network::none) return;
  for (const char* file : {"/etc/resolv.conf", "/etc/hosts"}) line.add("--ro-bind-try", file, file);
}

void add_bounded_memory_folder(Arguments& line, std::string_view place, std::uint64_t bytes) {
  line.add("--perms", "1777", "--size", std::to_string(bytes), "--tmpfs", place);
}

// A device on a mount without devices cannot be opened, and nobody may enter a folder of mode 0.
void add_hidden(Arguments& line, const HiddenPath& hidden) {
  const std::string place = "/workspace/" + hidden.path;
  if (hidden.kind == HiddenPath::Kind::file) {
    line.add("--ro-bind", "/dev/null", place);
  } else {
    line.add("--perms", "0000", "--tmpfs", place, "--remount-ro", place);
  }
}

void add_namespaces(Arguments& line, Network network) {
  line.add("--unshare-all", "--unshare-user", "--disable-userns", "--uid", "1000", "--gid", "1000");
  line.add("--hostname", "sandbox", "--cap-drop", "ALL", "--new-session", "--die-with-parent", "--clearenv");
  line.add("--seccomp", "5");
  if (network == Network::shared) line.add("--share-net");
}

void add_environment(Arguments& line, const SandboxedProgram& program) {
  line.add("--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin");
  line.add("--setenv", "HOME", "/home/deputy", "--setenv", "LANG", "C.UTF-8");
  for (const auto& [name, value] : program.environment) line.add("--setenv", name, value);
}

using Filter = std::unique_ptr<void, decltype(&seccomp_release)>;

// Adds the rules; false if one cannot be added.
bool add_rules(scmp_filter_ctx filter) {
  const auto refuse = [&](int call, auto... when) {
    return call == __NR_SCMP_ERROR ||
           seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, sizeof...(when), when...) == 0;
  };
  // What would go around the rules is hidden; programs fall back to the calls that are filtered.
  const auto hide = [&](int call) { return seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), call, 0) == 0; };
  bool added = true;
  for (const int call : {SCMP_SYS(keyctl), SCMP_SYS(add_key), SCMP_SYS(request_key)}) added = added && refuse(call);
  // The kernel's other protocols (netlink, packet, vsock, bluetooth …) are much code that a command does not need.
  constexpr unsigned kMaxFamily = AF_MAX;
  for (unsigned family = 0; family < kMaxFamily; ++family) {
    if (family == AF_UNIX || family == AF_INET || family == AF_INET6) continue;
    added = added && refuse(SCMP_SYS(socket), SCMP_A0(SCMP_CMP_EQ, family));
  }
  added = added && refuse(SCMP_SYS(socket), SCMP_A0(SCMP_CMP_GE, kMaxFamily));
  // Files in the folder are the account's own: with such a bit, others who run them would become that account.
  for (const unsigned bit : {S_ISUID, S_ISGID}) {
    const auto has = [&](unsigned argument) { return scmp_arg_cmp{argument, SCMP_CMP_MASKED_EQ, bit, bit}; };
    added = added && refuse(SCMP_SYS(chmod), has(1)) && refuse(SCMP_SYS(fchmod), has(1)) &&
            refuse(SCMP_SYS(fchmodat), has(2)) && refuse(SCMP_SYS(open), has(2)) && refuse(SCMP_SYS(openat), has(3)) &&
            refuse(SCMP_SYS(creat), has(1)) && refuse(SCMP_SYS(mknod), has(1)) && refuse(SCMP_SYS(mknodat), has(2)) &&
            refuse(SCMP_SYS(mkdir), has(1)) && refuse(SCMP_SYS(mkdirat), has(2));
  }
  constexpr int kFchmodat2 = 452;  // the same number on every machine; the library does not know it yet
  return added && hide(SCMP_SYS(openat2)) && hide(SCMP_SYS(io_uring_setup)) && hide(kFchmodat2);
}

Error no_filter() { return {ErrorKind::internal, "cannot make the sandbox's filter of system calls"}; }

// The program of the filter, as the kernel takes it.
Result<std::string> make_filter() {
  const Filter filter(seccomp_init(SCMP_ACT_ALLOW), &seccomp_release);
  const FileDescriptor file(memfd_create("filter", MFD_CLOEXEC));
  if (!filter || file.number < 0) return std::unexpected(no_filter());
  // Programs of another kind of machine (32 bits) have other numbers, so they get nothing.
  if (seccomp_attr_set(filter.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(ENOSYS)) != 0 ||
      !add_rules(filter.get()) || seccomp_export_bpf(filter.get(), file.number) != 0) {
    return std::unexpected(no_filter());
  }
  std::string program(static_cast<std::size_t>(lseek(file.number, 0, SEEK_END)), '\0');
  const ssize_t bytes = pread(file.number, program.data(), program.size(), 0);
  if (bytes <= 0 || static_cast<std::size_t>(bytes) != program.size()) return std::unexpected(no_filter());
  return program;
}

// Each of the programs that create the sandbox writes its error in the first line.
Error setup_failure(const ProcessEnd& end) {
  const std::string_view said = std::string_view(end.errors).substr(0, end.errors.find('\n'));
  std::string why = cut_with_mark(to_valid_utf8(std::string(said)), 300);
  if (why.empty()) why = end.timed_out ? "it took too long" : "it ended without an error message";
  return {ErrorKind::not_configured, fmt::format("cannot create the sandbox: {}", why),
          "install bubblewrap 0.8 or newer and allow unprivileged user namespaces"};
}

Error no_room() {
  return {ErrorKind::conflict, "the disk of the workspace is nearly full, so nothing was started",
          "free some space on it, or lower tools.workspace_tools.sandbox.least_free_mb"};
}

// Nothing limits how much a program writes to the folder, so it is killed before the disk is full.
Task<Result<SandboxEnd>> while_there_is_room(std::filesystem::path folder, std::uint64_t least,
                                             Task<Result<ProcessEnd>> program) {
  const auto executor = co_await asio::this_coro::executor;
  auto both = asio::experimental::make_parallel_group(
      asio::co_spawn(executor, std::move(program), asio::deferred),
      asio::co_spawn(executor, until_full(std::move(folder), least), asio::deferred));
  auto [order, thrown, end, watch_thrown] =
      co_await std::move(both).async_wait(asio::experimental::wait_for_one(), asio::use_awaitable);
  if (!thrown) {
    CO_TRY(ProcessEnd ended, std::move(end));
    co_return SandboxEnd{std::move(ended)};
  }
  const bool is_full = order[0] == 1 && !watch_thrown;
  if (is_full && is_cancellation(thrown)) co_return SandboxEnd{{.exit_code = 128 + SIGKILL}, true};
  std::rethrow_exception(thrown);
}

Task<Result<SandboxEnd>> run_to_its_end(std::filesystem::path folder, std::uint64_t least,
                                        Task<Result<ProcessEnd>> program) {
  if (least > 0) co_return co_await while_there_is_room(std::move(folder), least, std::move(program));
  CO_TRY(ProcessEnd end, co_await std::move(program));
  co_return SandboxEnd{std::move(end)};
}

}  // namespace

std::string SandboxPrograms::missing() const {
  if (bwrap.empty()) return "install bubblewrap (apt-get install bubblewrap): commands run only in its sandbox";
  if (setpriv.empty() || prlimit.empty())
    return "install util-linux: it has setpriv and prlimit, which limit a command";
  return {};
}

SandboxPrograms find_sandbox_programs() {
  const char* path = std::getenv("PATH");
  const auto find = [&](std::string_view name) -> std::string {
    for (const std::string_view folder : split(path == nullptr ? "/usr/local/bin:/usr/bin:/bin" : path, ":")) {
      std::string candidate = fmt::format("{}/{}", folder, name);
      if (folder.starts_with('/') && access(candidate.c_str(), X_OK) == 0) return candidate;
    }
    return {};
  };
  // prlimit runs inside the sandbox, which has only the system's own folders.
  return {find("bwrap"), find("setpriv"), access("/usr/bin/prlimit", X_OK) == 0 ? "/usr/bin/prlimit" : ""};
}

SandboxAccount sandbox_account(SandboxAccount ours, SandboxAccount owner_of_folder) {
  if (ours.user != 0) return ours;
  return owner_of_folder.user == 0 ? kNobody : owner_of_folder;
}

Result<SandboxAccount> owner_of(const std::filesystem::path& folder) {
  struct stat about{};
  if (stat(folder.c_str(), &about) != 0) {
    return fail(ErrorKind::not_found, fmt::format("there is no folder `{}`", folder.string()));
  }
  return SandboxAccount{about.st_uid, about.st_gid};
}

SandboxAccount our_account() { return {geteuid(), getegid()}; }

std::string why_not_writable(SandboxAccount ours, SandboxAccount owner_of_folder) {
  if (ours.user != 0 || owner_of_folder.user != 0) return {};
  return "the workspace belongs to root, and commands never run as root: they can read it but not write it; give it to "
         "another user with chown -R";
}

Result<> check_enterable(SandboxAccount ours, const std::filesystem::path& folder) {
  struct stat about{};
  if (stat(folder.c_str(), &about) != 0) {
    return fail(ErrorKind::not_found, fmt::format("there is no folder `{}`", folder.string()));
  }
  const SandboxAccount account = sandbox_account(ours, {about.st_uid, about.st_gid});
  if (account.user == ours.user) return {};  // the system itself checks then, groups and access lists included
  const mode_t shift = account.user == about.st_uid ? 6 : account.group == about.st_gid ? 3 : 0;
  constexpr mode_t kEnter = 01;
  if (((about.st_mode >> shift) & kEnter) != 0) return {};
  const bool is_roots = about.st_uid == 0;
  return fail(
      ErrorKind::not_configured,
      fmt::format("the workspace `{}` has mode {:04o}: {} cannot enter it", folder.string(), about.st_mode & 07777,
                  is_roots ? "it belongs to root, and commands, which never run as root," : "its owner"),
      is_roots ? "give it to another user with chown -R, or let others read it with chmod o+rx"
               : "let its owner enter it with chmod u+rx");
}

std::vector<std::string> sandbox_command_line(const SandboxPrograms& programs, const SandboxedProgram& program,
                                              SandboxAccount ours, SandboxAccount account,
                                              const std::vector<std::string>& groups) {
  Arguments line;
  line.add("/bin/sh", "-c", kStart, "sh", join(groups, " "));
  std::string folder = program.folder.string();
  if (ours.user != account.user) {
    // The other account may have no access to the folders above this one. So root first mounts it where that account
    // can reach it, in a private mount namespace, and then becomes that account. All of it is one process: the kernel
    // does not let a parent without capabilities kill a child of another account when it dies.
    const std::string place(reachable_place());
    line.add("/usr/bin/unshare", "--mount", "--propagation", "private");
    line.add("/bin/sh", "-c", kPutInReach, "sh", folder, place);
    line.add(programs.setpriv, "--reuid", std::to_string(account.user), "--regid", std::to_string(account.group));
    line.add("--clear-groups", "--inh-caps=-all", "--no-new-privs");
    // The kernel clears the parent-death signal when the account changes, and setpriv sets it before that; so a second
    // setpriv sets it again.
    line.add(programs.setpriv, "--pdeathsig", "KILL");
    folder = place;
  }
  line.add(programs.bwrap);
  add_namespaces(line, program.network);
  add_environment(line, program);
  add_system_folders(line, program.access);
  add_settings_of_system(line, program.network);
  line.add("--proc", "/proc", "--dev", "/dev");
  for (const char* place : {"/tmp", "/home/deputy", "/dev/shm"}) {
    add_bounded_memory_folder(line, place, program.limits.tmp_bytes);
  }
  line.add("--symlink", "../tmp", "/var/tmp");
  line.add(program.access == FolderAccess::read_write ? "--bind" : "--ro-bind", folder, "/workspace");
  for (const HiddenPath& hidden : program.hidden) add_hidden(line, hidden);
  // bwrap's own file systems have no size limit, so they become read-only.
  line.add("--remount-ro", "/dev", "--remount-ro", "/");
  line.add(
      "--chdir",
      program.working_dir.empty() || program.working_dir == "." ? "/workspace" : "/workspace/" + program.working_dir,
      "--");
  line.add(programs.prlimit, fmt::format("--nproc={}", program.limits.processes),
           fmt::format("--fsize={}", program.limits.file_bytes), fmt::format("--nofile={}", program.limits.open_files),
           "--core=0");
  // Many programs reserve more address space than they ever use, so it is limited only if memory itself is not.
  if (groups.empty()) line.add(fmt::format("--as={}", program.limits.memory_bytes));
  line.add("--");
  line.list.insert(line.list.end(), program.arguments.begin(), program.arguments.end());
  return std::move(line.list);
}

Task<Result<SandboxEnd>> run_sandboxed(SandboxPrograms programs, SandboxedProgram program, OutputSink sink) {
  if (const std::string missing = programs.missing(); !missing.empty()) {
    co_return std::unexpected(Error{ErrorKind::not_configured, "the sandbox is not available", missing});
  }
  CO_TRY(const SandboxAccount owner, owner_of(program.folder));
  const SandboxAccount ours = our_account();
  CO_TRY(check_enterable(ours, program.folder));
  CO_TRY(const StartMark mark, StartMark::make());
  program.arguments = StartMark::before(std::move(program.arguments));
  ProcessSpec spec;
  std::optional<Cgroup> group = Cgroup::make(program.limits.memory_bytes, program.limits.processes);
  spec.arguments = sandbox_command_line(programs, program, ours, sandbox_account(ours, owner),
                                        group ? group->files_to_join() : std::vector<std::string>());
  spec.working_dir = "/";
  spec.input = std::move(program.input);
  spec.timeout = program.timeout;
  spec.max_output = program.max_output;
  spec.passed = mark.descriptor();
  const std::uint64_t least = program.access == FolderAccess::read_write ? program.limits.least_free_bytes : 0;
  if (!has_room(program.folder, least)) co_return std::unexpected(no_room());
  Result<SandboxEnd> end =
      co_await run_to_its_end(program.folder, least, run_process(std::move(spec), std::move(sink)));
  const bool begun = mark.was_left();
  if (!end) {
    if (begun) end.error().kind = ErrorKind::timeout;  // it could not be killed
    co_return end;
  }
  if (begun) co_return end;
  co_return std::unexpected(end->disk_full ? no_room() : setup_failure(*end));
}

Result<StartMark> StartMark::make() {
  static const Result<std::string> filter = make_filter();
  if (!filter) return std::unexpected(filter.error());
  FileDescriptor file(memfd_create("start", MFD_CLOEXEC));
  const auto size = static_cast<ssize_t>(filter->size());
  if (file.number < 0 || write(file.number, filter->data(), filter->size()) != size ||
      lseek(file.number, 0, SEEK_SET) != 0) {
    return fail(ErrorKind::internal, fmt::format("cannot create a file in memory: {}", std::strerror(errno)));
  }
  return StartMark(std::move(file), filter->size());
}

std::vector<std::string> StartMark::before(std::vector<std::string> program) {
  // If the mark cannot be written, the program is not started.
  std::vector<std::string> line{"/bin/sh", "-c",
                                fmt::format(R"(printf x >&{0} && exec {0}>&- && exec "$@")", kPassedDescriptor), "sh"};
  line.insert(line.end(), std::make_move_iterator(program.begin()), std::make_move_iterator(program.end()));
  return line;
}

bool StartMark::was_left() const {
  struct stat about{};
  return fstat(file_.number, &about) == 0 && static_cast<std::size_t>(about.st_size) > filter_bytes_;
}

}  // namespace deputy::tools
