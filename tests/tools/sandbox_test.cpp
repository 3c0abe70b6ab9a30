// Attempts to get out of the sandbox, as every kind of account. Nothing here changes this machine if the sandbox fails:
// what would be dangerous is only asked whether it could be done.
#include "tools/sandbox.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <csignal>

#include "base/files.h"
#include "support/loop.h"
#include "tools/cgroup.h"
#include "tools/sandbox_fixture.h"

namespace deputy::tools {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

TEST(SandboxAccount, IsNeverRoot) {
  EXPECT_EQ(sandbox_account({1000, 100}, {0, 0}), (SandboxAccount{1000, 100}));
  EXPECT_EQ(sandbox_account({1000, 100}, {7, 7}), (SandboxAccount{1000, 100}));
  EXPECT_EQ(sandbox_account({0, 0}, {7, 8}), (SandboxAccount{7, 8}));
  EXPECT_EQ(sandbox_account({0, 0}, {0, 0}), (SandboxAccount{65534, 65534}));
}

TEST(SandboxAccount, SaysWhyItCannotWriteAFolderOfRoots) {
  EXPECT_TRUE(why_not_writable({0, 0}, {0, 0}).contains("chown -R"));
  EXPECT_EQ(why_not_writable({0, 0}, {7, 7}), "");
  EXPECT_EQ(why_not_writable({7, 7}, {0, 0}), "");
}

TEST(SandboxAccount, SaysWhichModeKeepsItOut) {
  if (geteuid() != 0) GTEST_SKIP() << "only root runs commands as somebody else";
  const test::TemporaryFolder folder;
  fs::permissions(folder.path(), fs::perms(0700));
  const Result<> closed = check_enterable({0, 0}, folder.path());
  ASSERT_FAILS(closed, not_configured);
  EXPECT_TRUE(closed.error().message.contains("has mode 0700")) << closed.error().message;
  EXPECT_TRUE(closed.error().hint.contains("chmod o+rx")) << closed.error().hint;
  EXPECT_OK(check_enterable({7, 7}, folder.path()));  // then the system itself says so
  fs::permissions(folder.path(), fs::perms(0755));
  EXPECT_OK(check_enterable({0, 0}, folder.path()));
  ASSERT_EQ(chown(folder.path().c_str(), 7, 8), 0);
  fs::permissions(folder.path(), fs::perms(0700));
  EXPECT_OK(check_enterable({0, 0}, folder.path()));  // commands run as its owner
  EXPECT_FAILS(check_enterable({0, 0}, folder / "absent"), not_found);
}

TEST(SandboxPrograms, SayWhatToInstall) {
  EXPECT_EQ((SandboxPrograms{"", "/usr/bin/setpriv", "/usr/bin/prlimit"}).missing(),
            "install bubblewrap (apt-get install bubblewrap): commands run only in its sandbox");
  EXPECT_NE((SandboxPrograms{"/usr/bin/bwrap", "", ""}).missing(), "");
}

Task<> end_by_themselves(std::filesystem::path folder, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    SandboxedProgram program;
    program.arguments = {"/bin/sh", "-c", "exit 7"};
    program.folder = folder;
    program.access = FolderAccess::read_only;
    const Result<SandboxEnd> end = co_await run_sandboxed(find_sandbox_programs(), std::move(program));
    EXPECT_OK(end);
    if (end) EXPECT_EQ(end->exit_code, 7) << round;
  }
}

// What the loop still knows of one command must not be taken for word of the next one's end.
TEST(Sandbox, CommandsOneAfterTheOtherEndByThemselves) {
  const test::TemporaryFolder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  test::run(end_by_themselves(folder.path(), 60));
}

TEST_P(SandboxTest, SeesNoKeysOfTheKernelAndNoOtherSockets) {
  const std::string perl = R"(/usr/bin/perl -e '
print "keyctl ", syscall(250, 0, -3, 0), " ", 0 + $!, "\n";
for my $family (16, 17, 38, 40) { print socket(my $s, $family, 3, 0) ? "a" : "no", " socket $family ", 0 + $!, "\n" }
for my $family (1, 2) { print socket(my $s, $family, 1, 0) ? "a" : "no", " socket $family\n" }
')";
  EXPECT_EQ(said_by(perl),
            "keyctl -1 1\nno socket 16 1\nno socket 17 1\nno socket 38 1\nno socket 40 1\na socket 1\na socket 2\n[0]");
}

TEST_P(SandboxTest, MakesNoFileThatGivesItsOwnersRights) {
  const std::string said = said_by(
      "cp /bin/true /tmp/x && for m in 4755 2755 6755; do chmod $m /tmp/x 2>/dev/null && echo $m; done; "
      "chmod 755 /tmp/x && stat -c %a /tmp/x");
  EXPECT_TRUE(said.contains("755") && !said.contains("4755") && !said.contains("2755") && !said.contains("6755"))
      << said;
}

TEST_P(SandboxTest, RunsACommandInTheWorkspace) {
  EXPECT_EQ(said_by("pwd; cat a.txt; id -un; echo $HOME; exit 3"), "/workspace\na file\ndeputy\n/home/deputy\n[3]");
}

TEST_P(SandboxTest, WritesTheWorkspaceAsItsOwner) {
  if (workspace_is_roots()) {
    EXPECT_TRUE(said_by("echo new > b.txt").contains("Permission denied"));
    return;
  }
  EXPECT_EQ(said_by("echo new > b.txt; cat b.txt"), "new\n[0]");
  struct stat about{};
  ASSERT_EQ(stat((work / "b.txt").c_str(), &about), 0);
  EXPECT_EQ(about.st_uid, geteuid() == 0 ? GetParam().folder : geteuid());
}

TEST_P(SandboxTest, SeesNothingElseOfTheMachine) {
  EXPECT_EQ(said_by("ls -A / | grep -vE '^lib(32|64|x32)?$' | tr '\\n' ' '"),
            "bin dev etc home proc sbin tmp usr var workspace [0]");
  EXPECT_EQ(said_by("ls -A /tmp /home/deputy /dev/shm"), "/dev/shm:\n\n/home/deputy:\n\n/tmp:\n[0]");
  EXPECT_EQ(said_by("ls /etc | grep -vE '^(alternatives|group|ld.so.cache|localtime|nsswitch.conf|passwd|ssl)$'"),
            "[1]");
}

TEST_P(SandboxTest, PathsUpwardsLeadNowhere) {
  const std::string said = said_by("cat ../secret.txt ../../secret.txt; cd ..; cat secret.txt");
  EXPECT_FALSE(said.contains("the secret")) << said;
  EXPECT_TRUE(said.contains("No such file")) << said;
}

TEST_P(SandboxTest, LinksLeadNowhere) {
  fs::create_symlink(secret, work / "link");
  fs::create_symlink("../secret.txt", work / "up");
  fs::create_symlink("/proc/1/root" + secret.string(), work / "magic");
  const std::string said = said_by("cat link up magic; echo x > link");
  EXPECT_TRUE(said.contains("No such file")) << said;
  EXPECT_FALSE(said.contains("the secret")) << said;
  EXPECT_EQ(test::read_file(secret), "the secret\n");
}

TEST_P(SandboxTest, AbsolutePathsLeadNowhere) {
  const std::string said = said_by("cat " + secret.string() + "; echo x > " + secret.string());
  EXPECT_TRUE(said.contains("No such file")) << said;
  EXPECT_FALSE(said.contains("the secret")) << said;
  EXPECT_EQ(test::read_file(secret), "the secret\n");
}

TEST_P(SandboxTest, HasNoCredentials) {
  const std::string said =
      said_by("cat /etc/shadow /root/.ssh/* ~/.ssh/* /etc/ssl/private/*; ls -d /root /run /var/lib /home/*");
  EXPECT_TRUE(said.starts_with("/home/deputy\n")) << said;
  EXPECT_FALSE(said.contains("root:")) << said;
}

TEST_P(SandboxTest, SeesNoVariableOfDeputys) {
  ASSERT_EQ(setenv("DEPUTY_TEST_TOKEN", "token-of-deputy", 1), 0);
  const std::string said = said_by("env | sort; cat /proc/*/environ | tr '\\0' '\\n'");
  unsetenv("DEPUTY_TEST_TOKEN");
  EXPECT_TRUE(said.contains("HOME=/home/deputy\n")) << said;
  EXPECT_FALSE(said.contains("token-of-deputy")) << said;
  EXPECT_FALSE(said.contains("DEPUTY_")) << said;
}

TEST_P(SandboxTest, WritesNothingOutsideTheWorkspace) {
  const std::string name = marker();
  const std::string said = said_by("for at in / /usr /usr/bin /etc /dev /var /home /proc; do touch $at/" + name +
                                   " 2>/dev/null && echo wrote $at; done; echo tried; echo x > /etc/passwd; true");
  EXPECT_TRUE(said.starts_with("tried\n")) << said;
  EXPECT_FALSE(said.contains("wrote")) << said;
  EXPECT_FALSE(fs::exists("/usr/" + name) || fs::exists("/etc/" + name) || fs::exists("/" + name));
}

TEST_P(SandboxTest, HasNoCapabilityAndCannotGainOne) {
  EXPECT_EQ(said_by("grep -E '^(CapInh|CapPrm|CapEff|CapBnd|CapAmb|NoNewPrivs)' /proc/self/status | tr -d '\\t\\n'"),
            "CapInh:0000000000000000CapPrm:0000000000000000CapEff:0000000000000000CapBnd:0000000000000000"
            "CapAmb:0000000000000000NoNewPrivs:1[0]");
}

// Only asked, never tried: this one belongs to the whole machine. An account mapped to root's could.
TEST_P(SandboxTest, MayNotWriteSettingsOfTheKernel) {
  EXPECT_EQ(said_by("for file in kernel/core_pattern kernel/modprobe kernel/sysrq vm/overcommit_memory fs/file-max; do "
                    "test -w /proc/sys/$file && echo writable $file; "
                    "done; test -w /proc/sysrq-trigger && echo writable sysrq-trigger; "
                    "test -e /proc/sys/kernel/core_pattern && echo looked"),
            "looked\n[0]");
}

TEST_P(SandboxTest, CannotMountOrRemount) {
  for (const std::string command :
       {"mount -o remount,rw /usr", "mount -t tmpfs none /tmp", "umount /workspace",
        "unshare --user --map-root-user true", "unshare --mount true", "nsenter --target 1 --mount true"}) {
    const std::string said = said_by(command + " && echo done; echo tried");
    EXPECT_TRUE(said.starts_with("tried\n" + command.substr(0, command.find(' ')) + ": ")) << said;
    EXPECT_TRUE(said.ends_with("[0]")) << said;
  }
}

TEST_P(SandboxTest, CannotMakeDevices) {
  for (const char* device : {"/tmp/disk b 8 0", "/tmp/memory c 1 1"}) {
    const std::string said = said_by(std::string("mknod ") + device + " && echo done; echo tried");
    EXPECT_TRUE(said.starts_with("tried\nmknod: ")) << said;
    EXPECT_TRUE(said.contains("Operation not permitted")) << said;
  }
  const std::string devices = said_by("ls /dev");
  EXPECT_TRUE(devices.contains("null\n")) << devices;
  EXPECT_FALSE(devices.contains("sda") || devices.contains("vda") || devices.contains("kmsg")) << devices;
}

// It has run: to say that it has not would have it done again.
TEST_P(SandboxTest, ACommandCannotMakeItLookAsIfItHadNotRun) {
  for (const std::string name : {"bwrap", "mount", "unshare", "setpriv", "cgroup", "sh"}) {
    EXPECT_EQ(said_by("echo '" + name + ": no' >&2; exit 1"), name + ": no\n[1]");
  }
  const std::string said = said_by("touch made; mount -t tmpfs x /mnt");
  EXPECT_TRUE(said.contains("mount: ") && said.ends_with("]")) << said;
  EXPECT_EQ(fs::exists(work / "made"), !workspace_is_roots());
  EXPECT_TRUE(said_by("exec no-such-program").ends_with("[127]"));
  EXPECT_TRUE(said_by("exec 2>&-; exit 1").ends_with("[1]"));
}

TEST_P(SandboxTest, ACommandHasNoDescriptorButItsStreams) {
  EXPECT_EQ(said_by("for number in /proc/self/fd/*; do echo ${number##*/}; done | head -3; echo x >&9"),
            "0\n1\n2\n/bin/sh: 1: 9: Bad file descriptor\n[2]");
}

TEST_P(SandboxTest, OneThatCannotBeMadeIsAnError) {
  SandboxedProgram nowhere = shell("echo ran");
  nowhere.working_dir = "none";
  const Result<SandboxEnd> not_entered = run(nowhere);
  ASSERT_FALSE(not_entered);
  EXPECT_TRUE(not_entered.error().message.starts_with("cannot create the sandbox: bwrap: "))
      << not_entered.error().message;

  programs.bwrap = "/usr/bin/false";
  const Result<SandboxEnd> silent = run("echo ran");
  ASSERT_FALSE(silent);
  EXPECT_EQ(silent.error().message, "cannot create the sandbox: it ended without an error message");

  programs.bwrap = folder.write("bwrap", "#!/bin/sh\necho lied\necho bwrap: no namespaces >&2\nexit 0\n");
  fs::permissions(programs.bwrap, fs::perms{0755});
  const Result<SandboxEnd> lied = run("echo ran");
  ASSERT_FALSE(lied);
  EXPECT_EQ(lied.error().message, "cannot create the sandbox: bwrap: no namespaces");
}

TEST_P(SandboxTest, SeesNoProcessButItsOwn) {
  const std::string self = std::to_string(getpid());
  const std::string said = said_by("kill -0 " + self + " && echo reached; cat /proc/" + self +
                                   "/environ && echo reached; cat /proc/1/root/etc/shadow && echo reached; "
                                   "ls -d /proc/[0-9]* | wc -l");
  EXPECT_FALSE(said.contains("reached")) << said;
  EXPECT_TRUE(said.starts_with("3\n") || said.starts_with("4\n") || said.starts_with("5\n")) << said;
}

TEST_P(SandboxTest, CannotTraceItsParent) {
  // PTRACE_ATTACH to the process above, and to the first one.
  const std::string said =
      said_by("for pid in 1 " + std::to_string(getpid()) +
              "; do perl -e 'print syscall(101, 16, $ARGV[0], 0, 0) == 0 ? \"attached \" : \"no \"' "
              "$pid; done");
  EXPECT_EQ(said, "no no [0]");
}

// A listener of this machine, and whether anybody came.
struct Listener {
  FileDescriptor socket;

  Listener(const sockaddr* address, socklen_t size)
      : socket(::socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {
    EXPECT_EQ(bind(socket.number, address, size), 0);
    EXPECT_EQ(listen(socket.number, 5), 0);
  }
  bool somebody_came() const { return FileDescriptor(accept(socket.number, nullptr, nullptr)).number >= 0; }
};

TEST_P(SandboxTest, ReachesNoNetworkUnlessItIsGiven) {
  sockaddr_in loopback{.sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
  const Listener listener(reinterpret_cast<sockaddr*>(&loopback), sizeof loopback);
  socklen_t size = sizeof loopback;
  ASSERT_EQ(getsockname(listener.socket.number, reinterpret_cast<sockaddr*>(&loopback), &size), 0);
  const std::string script =
      "bash -c 'exec 3<>/dev/tcp/127.0.0.1/" + std::to_string(ntohs(loopback.sin_port)) + "' && echo connected";
  const std::string said = said_by(script);
  EXPECT_TRUE(said.contains("/dev/tcp/127.0.0.1")) << said;
  EXPECT_FALSE(said.contains("connected")) << said;
  EXPECT_FALSE(listener.somebody_came());

  SandboxedProgram open = shell(script);
  open.network = Network::shared;
  const Result<SandboxEnd> end = run(open);
  ASSERT_OK(end);
  EXPECT_EQ(end->output, "connected\n") << end->errors;
  EXPECT_TRUE(listener.somebody_came());
}

TEST_P(SandboxTest, ReachesNoSocketOfTheMachine) {
  const std::string path = (folder / "listening").string();
  sockaddr_un in_folder{.sun_family = AF_UNIX, .sun_path = {}};
  path.copy(in_folder.sun_path, sizeof in_folder.sun_path - 1);
  const Listener by_path(reinterpret_cast<sockaddr*>(&in_folder), sizeof in_folder);
  fs::permissions(path, fs::perms{0777});
  sockaddr_un abstract{.sun_family = AF_UNIX, .sun_path = {}};
  const std::string name = marker();
  name.copy(abstract.sun_path + 1, sizeof abstract.sun_path - 2);
  const Listener by_name(reinterpret_cast<sockaddr*>(&abstract),
                         static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size()));
  const std::string said = said_by(
      "perl -MSocket -e 'for my $to (@ARGV) { $to =~ s/^@/\\0/; socket(my $s, PF_UNIX, SOCK_STREAM, 0) or die; "
      "print connect($s, pack_sockaddr_un($to)) ? \"connected \" : \"no \" }' " +
      path + " @" + name);
  EXPECT_EQ(said, "no no [0]");
  EXPECT_FALSE(by_path.somebody_came());
  EXPECT_FALSE(by_name.somebody_came());
}

TEST_P(SandboxTest, BoundsProcesses) {
  SandboxedProgram program = shell("i=0; while [ $i -lt 200 ]; do sleep 300 & i=$((i+1)); done; echo all started");
  program.limits.processes = 40;
  const Result<SandboxEnd> end = run(program);
  ASSERT_OK(end);
  EXPECT_FALSE(end->output.contains("all started"));
  EXPECT_TRUE(end->errors.contains("annot fork")) << end->errors;
}

TEST_P(SandboxTest, SurvivesAForkBomb) {
  SandboxedProgram program = shell("bomb() { bomb | bomb & }; bomb 2>/dev/null; : " + marker() + "; sleep 300");
  program.limits.processes = 64;
  program.timeout = 1s;
  const Result<SandboxEnd> end = run(program);
  ASSERT_OK(end);
  EXPECT_TRUE(all_gone(marker()));
}

TEST_P(SandboxTest, BoundsMemory) {
  SandboxedProgram program = shell("perl -e '$text = \"x\" x 400_000_000; print \"had it\"'");
  program.limits.memory_bytes = 256UL << 20;
  const Result<SandboxEnd> end = run(program);
  ASSERT_OK(end);
  EXPECT_NE(end->exit_code, 0);
  EXPECT_EQ(end->output, "");
}

TEST_P(SandboxTest, BoundsTheMemoryOfAllProcessesTogetherWhereItMayMakeAControlGroup) {
  if (GetParam().user != 0 || !Cgroup::make(256UL << 20, 100)) GTEST_SKIP() << "no control group can be made";
  SandboxedProgram program = shell(
      "exec perl -e 'for (1..4) { next if fork; $t = \"x\" x 100_000_000; sleep 300; exit } "
      "wait; print \"one was ended\"'");
  program.limits.memory_bytes = 256UL << 20;
  const Result<SandboxEnd> end = run(program);
  ASSERT_OK(end);
  EXPECT_EQ(end->output, "one was ended");
}

TEST_P(SandboxTest, CannotFillMemoryWithFiles) {
  SandboxedProgram program = shell(
      "for at in /tmp /home/deputy /dev/shm /var/tmp; do head -c 50000000 /dev/zero > $at/x; "
      "test $(stat -L -c %s $at/x) -le 8388608 || echo too much in $at; done");
  program.limits.tmp_bytes = 8UL << 20;
  const Result<SandboxEnd> end = run(program);
  ASSERT_OK(end);
  EXPECT_EQ(end->output, "");
  EXPECT_TRUE(end->errors.contains("No space left")) << end->errors;
}

TEST_P(SandboxTest, CannotWriteAHugeFile) {
  SandboxedProgram program = shell("head -c 50000000 /dev/zero > big; echo $?");
  program.limits.file_bytes = 4UL << 20;
  ASSERT_OK(run(program));
  EXPECT_LE(fs::exists(work / "big") ? fs::file_size(work / "big") : 0, 4UL << 20);
}

TEST_P(SandboxTest, CannotFillTheDiskWithManyFiles) {
  if (workspace_is_roots()) GTEST_SKIP() << "it cannot write at all";
  SandboxedProgram program =
      shell("i=0; while [ $i -lt 40 ]; do head -c 10000000 /dev/zero > big$i || exit 3; i=$((i+1)); done; sleep 300");
  const fs::space_info space = fs::space(work);
  program.limits.least_free_bytes = space.available - (30UL << 20);
  const Result<SandboxEnd> end = run(program);
  ASSERT_OK(end);
  EXPECT_TRUE(end->disk_full) << "it wrote 400 MB";
}

TEST_P(SandboxTest, NothingIsStartedOnAFullDisk) {
  SandboxedProgram program = shell("touch made");
  program.limits.least_free_bytes = std::numeric_limits<std::uint64_t>::max();
  const Result<SandboxEnd> end = run(program);
  ASSERT_FALSE(end);
  EXPECT_TRUE(end.error().message.contains("nearly full, so nothing was started")) << end.error().message;
  EXPECT_FALSE(fs::exists(work / "made"));
}

TEST_P(SandboxTest, AChildDoesNotOutliveItsShell) {
  const Result<SandboxEnd> end =
      run("setsid sh -c 'trap \"\" TERM HUP; : " + marker() + "; while :; do sleep 300; done' & echo started");
  ASSERT_OK(end);
  EXPECT_EQ(end->output, "started\n");
  EXPECT_TRUE(all_gone(marker()));
}

TEST_P(SandboxTest, ATimeoutEndsAllOfIt) {
  SandboxedProgram program = shell("setsid sleep 300 & trap '' TERM; : " + marker() + "; echo started; sleep 300");
  program.timeout = 1s;
  const Result<SandboxEnd> end = run(program);
  ASSERT_OK(end);
  EXPECT_TRUE(end->timed_out);
  EXPECT_TRUE(all_gone(marker()));
}

TEST_P(SandboxTest, DiesWithDeputy) {
  const fs::path begun = work / "begun";
  ASSERT_EQ(mkfifo(begun.c_str(), 0666), 0);
  fs::permissions(begun, fs::perms{0666});
  const pid_t deputy = start(shell("setsid sleep 300 & echo begun > begun; : " + marker() + "; sleep 300"), 1);
  EXPECT_EQ(test::read_file(begun), "begun\n");  // waits for it
  ASSERT_EQ(kill(deputy, SIGKILL), 0);
  waitpid(deputy, nullptr, 0);
  EXPECT_TRUE(all_gone(marker()));
}

TEST_P(SandboxTest, ReadsAndCountsAFloodOfOutput) {
  SandboxedProgram program = shell("head -c 1000000000 /dev/zero");
  program.max_output = 1000;
  program.timeout = 100s;
  const Result<SandboxEnd> end = run(program);
  ASSERT_OK(end);
  EXPECT_EQ(end->output.size(), 1000U);
  EXPECT_EQ(end->output_bytes, 1'000'000'000U);
}

TEST_P(SandboxTest, GitRunsPlantedHooksAndFiltersOnlyInside) {
  const fs::path outside = folder / "touched";
  const std::string steal = "touch " + outside.string() + "; cat " + secret.string() + "; echo ran >&2";
  folder.write("work/evil.sh", "#!/bin/sh\n" + steal + "\n");
  fs::permissions(work / "evil.sh", fs::perms{0755});
  SandboxedProgram program = shell(
      "cp -r /workspace /tmp/repo && cd /tmp/repo && git init -q . && cp evil.sh .git/hooks/post-checkout && "
      "git config filter.evil.smudge /tmp/repo/evil.sh && git config filter.evil.clean cat && "
      "git config user.email a@b && git config user.name a && echo '* filter=evil' > .gitattributes && "
      "git add . && git commit -qm a && rm a.txt && git checkout -q HEAD -- a.txt && git checkout -q -b other; "
      "cat a.txt");
  const Result<SandboxEnd> end = run(program);
  ASSERT_OK(end);
  EXPECT_TRUE(end->errors.contains("ran")) << "the test plants nothing: " << end->errors;
  EXPECT_FALSE((end->output + end->errors).contains("the secret"));
  EXPECT_FALSE(fs::exists(outside));
}

TEST_P(SandboxTest, AFolderToReadIsNotWritten) {
  SandboxedProgram program = shell("cat a.txt; echo x > b.txt");
  program.access = FolderAccess::read_only;
  const Result<SandboxEnd> end = run(program);
  ASSERT_OK(end);
  EXPECT_EQ(end->output, "a file\n");
  EXPECT_FALSE(fs::exists(work / "b.txt"));
}

INSTANTIATE_TEST_SUITE_P(As, SandboxTest,
                         testing::Values(Deputys{"Root", 0, 0}, Deputys{"RootInAUsersFolder", 0, 54321},
                                         Deputys{"AnOrdinaryUser", 54322, 54322}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace deputy::tools
