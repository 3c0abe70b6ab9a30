#include "base/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/system/system_error.hpp>
#include <csignal>

#include "base/files.h"
#include "support/loop.h"
#include "support/results.h"
#include "support/temporary_folder.h"

namespace deputy {

bool operator==(const ProcessEnd& a, const ProcessEnd& b) {
  const auto all = [](const ProcessEnd& end) {
    return std::tie(end.exit_code, end.timed_out, end.output, end.errors, end.output_bytes, end.errors_bytes);
  };
  return all(a) == all(b);
}

void PrintTo(const ProcessEnd& end, std::ostream* out) {
  *out << "exit code " << end.exit_code << (end.timed_out ? ", timed out" : "") << ", " << end.output_bytes
       << " bytes: " << end.output.substr(0, 500) << "; " << end.errors_bytes
       << " bytes of errors: " << end.errors.substr(0, 500);
}

namespace {

using namespace std::chrono_literals;

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr std::uint64_t kFlood = 100'000'000;
#else
constexpr std::uint64_t kFlood = 1'000'000'000;
#endif

ProcessSpec spec_of(std::vector<std::string> arguments) {
  ProcessSpec spec;
  spec.arguments = std::move(arguments);
  spec.environment = {"PATH=/usr/local/bin:/usr/bin:/bin"};
  return spec;
}

ProcessSpec shell(std::string script) { return spec_of({"/usr/bin/sh", "-c", std::move(script)}); }

ProcessEnd said(std::string output, std::string errors = {}, int exit_code = 0) {
  const std::uint64_t output_bytes = output.size();
  const std::uint64_t errors_bytes = errors.size();
  return {exit_code, false, std::move(output), std::move(errors), output_bytes, errors_bytes};
}

Result<ProcessEnd> run(ProcessSpec spec) { return test::run(run_process(std::move(spec))); }

// Waits for the end of a process that need not be our child; a zombie has ended too.
bool has_ended(pid_t pid) {
  const auto descriptor = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  if (descriptor < 0) return errno == ESRCH;
  pollfd ended{descriptor, POLLIN, 0};
  const bool in_time = poll(&ended, 1, 20'000) == 1;
  close(descriptor);
  return in_time;
}

bool has_no_children() { return waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD; }

std::size_t open_descriptors() {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) count += entry.path().empty() ? 0 : 1;
  return count;
}

TEST(Process, ReturnsOutputErrorsAndExitCode) {
  EXPECT_EQ(run(shell("echo out; echo err >&2; exit 3")), said("out\n", "err\n", 3));
  EXPECT_EQ(run(spec_of({"/usr/bin/echo", "a b", "$HOME", ""})), said("a b $HOME \n"));
}

TEST(Process, AProgramThatASignalEndsReturns128AndItsNumber) {
  EXPECT_EQ(run(shell("kill -TERM $$")), said("", "", 128 + SIGTERM));
}

TEST(Process, GetsItsInputAndThenItsEnd) {
  ProcessSpec spec = spec_of({"/usr/bin/cat"});
  EXPECT_EQ(run(spec), said(""));
  spec.input = "hello";
  EXPECT_EQ(run(spec), said("hello"));
  for (std::size_t i = 0; i < 1'000'000; ++i) spec.input += static_cast<char>(i % 251);
  spec.max_output = 2'000'000;
  EXPECT_EQ(run(spec), said(spec.input));
}

TEST(Process, InputThatNobodyReadsDoesNoHarm) {
  ProcessSpec spec = spec_of({"/usr/bin/true"});
  spec.input = std::string(1'000'000, 'x');
  EXPECT_EQ(run(spec), said(""));
}

TEST(Process, HasExactlyTheEnvironmentItWasGiven) {
  setenv("DEPUTY_TEST_SECRET", "hunter2", 1);
  ProcessSpec spec = spec_of({"/usr/bin/env"});
  spec.environment = {"A=1", "B=x y"};
  EXPECT_EQ(run(spec), said("A=1\nB=x y\n"));
  spec.environment = {};
  EXPECT_EQ(run(spec), said(""));
}

TEST(Process, InheritsNoDescriptorAndNoSignal) {
  const int leaky = open("/dev/null", O_RDONLY);  // NOLINT: without O_CLOEXEC on purpose
  EXPECT_EQ(run(spec_of({"/usr/bin/ls", "/proc/self/fd"})),
            said("0\n1\n2\n3\n"));  // the last is the folder that ls reads
  close(leaky);
  EXPECT_EQ(run(spec_of({"/usr/bin/grep", "-E", "SigBlk|SigIgn", "/proc/self/status"})),
            said("SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n"));
}

// Also when its number, or that of the pipe by which a child that cannot start is heard of, is the one it gets.
TEST(Process, IsGivenTheOneDescriptorThatIsPassed) {
  std::vector<FileDescriptor> taken;
  for (int opened = 0; opened < 20; ++opened) {
    int ends[2];
    ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
    const FileDescriptor read_end(ends[0]);
    const FileDescriptor write_end(ends[1]);
    ProcessSpec spec = shell("printf x >&9; ls /proc/self/fd | wc -l");
    spec.passed = write_end.number;
    const auto end = test::run(run_process(std::move(spec)));
    ASSERT_OK(end);
    EXPECT_EQ(end->output, "5\n");  // its streams, what was passed, and the folder it lists
    char mark = 0;
    EXPECT_EQ(read(read_end.number, &mark, 1), 1);
    EXPECT_FAILS(test::run(run_process(spec_of({"/no/such/program"}))), not_found);
    taken.emplace_back(open("/dev/null", O_RDONLY | O_CLOEXEC));
  }
}

TEST(Process, RunsInItsWorkingDir) {
  const test::TemporaryFolder folder;
  ProcessSpec spec = spec_of({"/usr/bin/pwd"});
  spec.working_dir = folder.path();
  EXPECT_EQ(run(spec), said(std::filesystem::canonical(folder.path()).string() + "\n"));
  spec.working_dir = folder / "none";
  EXPECT_EQ(run(spec), fail(ErrorKind::not_found, "cannot enter the folder `" + spec.working_dir +
                                                      "` for `/usr/bin/pwd`: No such file or directory"));
}

TEST(Process, AProgramThatIsNotThereIsNotFound) {
  EXPECT_EQ(run(spec_of({"/no/such/program"})),
            fail(ErrorKind::not_found, "cannot run `/no/such/program`: No such file or directory"));
  EXPECT_TRUE(has_no_children());
}

TEST(Process, ABareNameIsNotLookedForInTheWorkingFolder) {
  const test::TemporaryFolder folder;
  const std::string file = folder.write("trap", "#!/bin/sh\necho caught\n");
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  ProcessSpec spec = spec_of({"trap"});
  spec.working_dir = folder.path();
  EXPECT_EQ(run(spec),
            fail(ErrorKind::invalid_input, "`trap` is not a path to a program", "give the program's full path"));
}

TEST(Process, AFileThatIsNoProgramIsNotRun) {
  const test::TemporaryFolder folder;
  const std::string file = folder.write("text", "text");
  EXPECT_EQ(run(spec_of({file})), fail(ErrorKind::permission, "cannot run `" + file + "`: Permission denied"));
}

TEST(Process, RefusesWhatCannotBeAskedFor) {
  const auto nul = fail(ErrorKind::invalid_input, "an argument of a program cannot contain a NUL byte");
  EXPECT_EQ(run(spec_of({})), fail(ErrorKind::invalid_input, "there is no program to run"));
  EXPECT_EQ(run(spec_of({"/usr/bin/echo", std::string("a\0b", 3)})), nul);
  ProcessSpec spec = spec_of({"/usr/bin/env"});
  spec.environment = {std::string("A=\0", 3)};
  EXPECT_EQ(run(spec), nul);
}

TEST(Process, KeepsTheBeginningOfAFloodAndCountsItAll) {
  ProcessSpec spec = spec_of({"/usr/bin/head", "-c", std::to_string(kFlood), "/dev/zero"});
  spec.max_output = 1'000;
  spec.timeout = 100s;
  rusage before{};
  getrusage(RUSAGE_SELF, &before);
  EXPECT_EQ(run(spec), (ProcessEnd{0, false, std::string(1'000, '\0'), "", kFlood, 0}));
  rusage after{};
  getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 50'000);  // kilobytes
}

TEST(Process, AFloodOfErrorsDoesNotBlockASilentProgram) {
  ProcessSpec spec = shell("head -c 10000000 /dev/zero >&2; echo done");
  spec.max_output = 10;
  EXPECT_EQ(run(spec), (ProcessEnd{0, false, "done\n", std::string(10, '\0'), 5, 10'000'000}));
}

TEST(Process, HandsEachPieceToTheSinkCutOnesToo) {
  ProcessSpec spec = shell("echo out; echo err >&2; head -c 100000 /dev/zero");
  spec.max_output = 2;
  std::string output;
  std::string errors;
  const auto end = test::run(run_process(spec, [&](OutputStream stream, std::string_view piece) {
    (stream == OutputStream::output ? output : errors) += piece;
  }));
  EXPECT_EQ(end, (ProcessEnd{0, false, "ou", "er", 100'004, 4}));
  EXPECT_EQ(output, "out\n" + std::string(100'000, '\0'));
  EXPECT_EQ(errors, "err\n");
}

TEST(Process, ATimeoutEndsTheWholeGroup) {
  ProcessSpec spec = shell("sleep 1000 & echo $!; wait");
  spec.timeout = 1500ms;
  const auto end = run(spec);
  ASSERT_OK(end);
  EXPECT_TRUE(end->timed_out);
  EXPECT_EQ(end->exit_code, 128 + SIGKILL);
  EXPECT_TRUE(has_ended(std::stoi(end->output)));
  EXPECT_TRUE(has_no_children());
}

TEST(Process, AGrandchildThatKeepsTheOutputOpenIsEndedToo) {
  ProcessSpec spec = shell("sleep 1000 & echo $!");
  spec.timeout = 100s;
  const auto end = run(spec);
  ASSERT_OK(end);
  EXPECT_FALSE(end->timed_out);
  EXPECT_TRUE(has_ended(std::stoi(end->output)));
}

TEST(Process, AGrandchildThatLeftTheGroupDoesNotDelayTheReturn) {
  const test::TemporaryFolder folder;
  ProcessSpec spec =
      shell("mkfifo away; setsid sh -c 'echo $$; echo > away; exec sleep 1000' & read -r line < away; echo gone");
  spec.working_dir = folder.path();
  spec.timeout = 100s;
  const auto end = run(spec);
  ASSERT_OK(end);
  const pid_t away = std::stoi(end->output);
  EXPECT_EQ(*end, said(std::to_string(away) + "\ngone\n"));
  EXPECT_EQ(kill(away, SIGKILL), 0);
}

// Runs `script`, hands the first line it says to `spoken` and what the call threw to `ended`.
void run_script(asio::io_context& loop, asio::cancellation_slot slot, std::string script,
                const std::function<void(const std::string&)>& spoken,
                const std::function<void(const std::exception_ptr&)>& ended = {}) {
  asio::co_spawn(
      loop,
      run_process(shell(std::move(script)),
                  [spoken](OutputStream, std::string_view piece) { spoken(std::string(piece)); }),
      asio::bind_cancellation_slot(slot, [ended](const std::exception_ptr& thrown, const Result<ProcessEnd>&) {
        if (ended) ended(thrown);
      }));
}

TEST(Process, CancellingItEndsTheWholeGroupBeforeItReturns) {
  asio::io_context loop;
  asio::cancellation_signal cancel;
  std::string line;
  bool cancelled = false;
  bool reaped = false;
  run_script(
      loop, cancel.slot(), "sleep 1000 & echo $!; wait",
      [&](const std::string& said) {
        line = said;
        asio::post(loop, [&] { cancel.emit(asio::cancellation_type::terminal); });
      },
      [&](const std::exception_ptr& thrown) {
        cancelled = thrown && is_cancellation(thrown);
        reaped = has_no_children();
      });
  loop.run();
  EXPECT_TRUE(cancelled);
  EXPECT_TRUE(reaped);
  EXPECT_TRUE(has_ended(std::stoi(line)));
}

TEST(Process, ALoopThatIsDestroyedEndsItsProcesses) {
  std::string line;
  {
    asio::io_context loop;
    run_script(loop, {}, "echo $$; exec sleep 1000", [&](const std::string& said) {
      line = said;
      loop.stop();
    });
    loop.run();
  }
  EXPECT_TRUE(has_ended(std::stoi(line)));
  while (kill(std::stoi(line), 0) == 0) std::this_thread::yield();  // until it is reaped, on a thread of its own
}

TEST(Process, DiesWithItsParent) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const pid_t parent = fork();
  if (parent == 0) {
    asio::io_context loop;
    run_script(loop, {}, "echo $$; exec sleep 1000", [&](const std::string& said) {
      if (write(ends[1], said.data(), said.size()) < 0) _exit(1);
    });
    loop.run();
    _exit(0);
  }
  close(ends[1]);
  char line[32] = {};
  ASSERT_GT(read(ends[0], line, sizeof line - 1), 0);
  close(ends[0]);
  EXPECT_EQ(kill(parent, SIGKILL), 0);
  EXPECT_EQ(waitpid(parent, nullptr, 0), parent);
  EXPECT_TRUE(has_ended(std::stoi(line)));
}

TEST(Process, ItsLimitsHold) {
  const test::TemporaryFolder folder;
  ProcessSpec spec = shell("ulimit -t; ulimit -v; ulimit -f; ulimit -n; ulimit -c");
  spec.working_dir = folder.path();
  spec.limits = {.cpu_seconds = 7, .memory_bytes = 100'000 * 1'024, .file_bytes = 10 * 512, .open_files = 20};
  EXPECT_EQ(run(spec), said("7\n100000\n10\n20\n0\n"));

  spec.arguments = {"/usr/bin/sh", "-c", "head -c 10000 /dev/zero > large 2> /dev/null; wc -c < large"};
  EXPECT_EQ(run(spec).value().output, "5120\n");

  spec.arguments = {"/usr/bin/dd", "if=/dev/zero", "of=/dev/null", "bs=500M", "count=1"};
  EXPECT_EQ(run(spec).value().exit_code, 1);

  spec.arguments = {"/usr/bin/sh", "-c", "exec 3< /dev/null; exec 25< /dev/null"};
  EXPECT_NE(run(spec).value().exit_code, 0);
}

TEST(Process, ALimitThatCannotBeSetIsAnError) {
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  if (files.rlim_max == RLIM_INFINITY) return;
  ProcessSpec spec = spec_of({"/usr/bin/true"});
  spec.limits.open_files = 1ULL << 40;  // more than any kernel gives
  EXPECT_EQ(run(spec).error().message, "cannot set the limits of `/usr/bin/true`: Operation not permitted");
}

TEST(Process, SignalsThatComeMeanwhileChangeNothing) {
  struct sigaction ignore{};
  ignore.sa_handler = [](int) {};
  struct sigaction before{};
  sigaction(SIGALRM, &ignore, &before);  // without SA_RESTART
  const itimerval often{{0, 200}, {0, 200}};
  setitimer(ITIMER_REAL, &often, nullptr);
  for (int i = 0; i < 20; ++i) {
    EXPECT_FAILS(run(spec_of({"/no/such/program"})), not_found);
    EXPECT_EQ(run(spec_of({"/usr/bin/echo", "hello"})), said("hello\n"));
  }
  const itimerval never{};
  setitimer(ITIMER_REAL, &never, nullptr);
  sigaction(SIGALRM, &before, nullptr);
  EXPECT_TRUE(has_no_children());
}

TEST(Process, LeavesNoDescriptorAndNoZombieBehind) {
  EXPECT_OK(run(spec_of({"/usr/bin/true"})));
  const std::size_t before = open_descriptors();
  for (int i = 0; i < 10; ++i) {
    ProcessSpec late = shell("sleep 1000");
    late.timeout = 1ms;
    EXPECT_OK(run(spec_of({"/usr/bin/echo", "hello"})));
    EXPECT_OK(run(late));
    EXPECT_FAILS(run(spec_of({"/no/such/program"})), not_found);
  }
  EXPECT_EQ(open_descriptors(), before);
  EXPECT_TRUE(has_no_children());
}

}  // namespace
}  // namespace deputy
