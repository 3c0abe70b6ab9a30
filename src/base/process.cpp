#include "base/process.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <cstring>
#include <exception>
#include <thread>

#include "base/files.h"
#include "base/log.h"

namespace deputy {

namespace {

using std::chrono::milliseconds;
using Descriptor = asio::posix::stream_descriptor;

constexpr auto kQuietly = asio::as_tuple(asio::use_awaitable);
// How long output that is already in the pipe may take to arrive after the program has ended.
constexpr milliseconds kDrain{500};
// How long a killed program may take to disappear. One stuck in the kernel takes longer and is reaped by a separate
// thread.
constexpr milliseconds kDying{2'000};

std::unexpected<Error> system_failure(std::string_view what, int code) {
  return fail(ErrorKind::internal, fmt::format("{}: {}", what, std::strerror(code)));
}

struct Pipe {
  FileDescriptor read;
  FileDescriptor write;
};

Result<Pipe> make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return system_failure("cannot create a pipe", errno);
  return Pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

// Only async-signal-safe calls are allowed between fork and exec, so everything is prepared here.
struct Plan {
  std::vector<char*> arguments;
  std::vector<char*> environment;
  std::vector<std::pair<int, rlimit>> limits;
  const char* working_dir = nullptr;
  int passed = -1;
};

Plan lay_out(ProcessSpec& spec) {
  Plan plan;
  for (std::string& argument : spec.arguments) plan.arguments.push_back(argument.data());
  plan.arguments.push_back(nullptr);
  for (std::string& variable : spec.environment) plan.environment.push_back(variable.data());
  plan.environment.push_back(nullptr);
  const auto limit = [&](int resource, std::optional<std::uint64_t> value) {
    if (value) plan.limits.emplace_back(resource, rlimit{*value, *value});
  };
  limit(RLIMIT_CPU, spec.limits.cpu_seconds);
  limit(RLIMIT_AS, spec.limits.memory_bytes);
  limit(RLIMIT_FSIZE, spec.limits.file_bytes);
  limit(RLIMIT_NOFILE, spec.limits.open_files);
  limit(RLIMIT_NPROC, spec.limits.processes);
  limit(RLIMIT_CORE, 0);
  if (!spec.working_dir.empty()) plan.working_dir = spec.working_dir.c_str();
  plan.passed = spec.passed;
  return plan;
}

// The step that failed before exec, and its errno.
struct Obstacle {
  enum Step { streams, limits, working_dir, program } step;
  int code;
};

// Gives the child the descriptor under its agreed number; false on failure.
bool pass_on(int descriptor) {
  if (descriptor == kPassedDescriptor) return fcntl(descriptor, F_SETFD, 0) == 0;
  return dup2(descriptor, kPassedDescriptor) >= 0;
}

[[noreturn]] void become(const Plan& plan, int in, int out, int errors, int report, pid_t parent) {
  if (report == kPassedDescriptor) report = fcntl(report, F_DUPFD_CLOEXEC, kPassedDescriptor + 1);
  const auto give_up = [report](Obstacle::Step step) {
    const Obstacle obstacle{step, errno};
    [[maybe_unused]] const auto written = write(report, &obstacle, sizeof obstacle);
    _exit(127);
  };
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int number : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGCHLD}) signal(number, SIG_DFL);
  if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(errors, 2) < 0) give_up(Obstacle::streams);
  close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);  // a library may have opened descriptors without O_CLOEXEC
  if (plan.passed >= 0 && !pass_on(plan.passed)) give_up(Obstacle::streams);
  for (const auto& [resource, value] : plan.limits) {
    if (setrlimit(static_cast<__rlimit_resource>(resource), &value) != 0) give_up(Obstacle::limits);
  }
  if (plan.working_dir != nullptr && chdir(plan.working_dir) != 0) give_up(Obstacle::working_dir);
  execve(plan.arguments.front(), plan.arguments.data(), plan.environment.data());
  give_up(Obstacle::program);
  _exit(127);
}

// Repeats a call that a signal interrupted.
template <class Call>
auto uninterrupted(Call call) {
  decltype(call()) result;
  do {
    result = call();
  } while (result < 0 && errno == EINTR);
  return result;
}

void reap_now(pid_t pid) {
  uninterrupted([pid] { return waitpid(pid, nullptr, 0); });
}

Error describe_obstacle(const Obstacle& obstacle, const ProcessSpec& spec) {
  Error error{obstacle.code == ENOENT   ? ErrorKind::not_found
              : obstacle.code == EACCES ? ErrorKind::permission
                                        : ErrorKind::internal,
              {},
              {}};
  switch (obstacle.step) {
    case Obstacle::streams:
      error.message = "cannot set up the streams of";
      break;
    case Obstacle::limits:
      error.message = "cannot set the limits of";
      break;
    case Obstacle::working_dir:
      error.message = fmt::format("cannot enter the folder `{}` for", spec.working_dir);
      break;
    case Obstacle::program:
      error.message = "cannot run";
      break;
  }
  error.message += fmt::format(" `{}`: {}", spec.arguments.front(), std::strerror(obstacle.code));
  return error;
}

// A NUL would end the text early, and a different program or argument would run.
Result<> check(const ProcessSpec& spec) {
  if (spec.arguments.empty()) return fail(ErrorKind::invalid_input, "there is no program to run");
  // A bare name would run whatever is in the working folder.
  if (!spec.arguments.front().contains('/'))
    return fail(ErrorKind::invalid_input, fmt::format("`{}` is not a path to a program", spec.arguments.front()),
                "give the program's full path");
  const auto has_nul = [](const std::string& text) { return text.contains('\0'); };
  if (std::ranges::any_of(spec.arguments, has_nul) || std::ranges::any_of(spec.environment, has_nul) ||
      has_nul(spec.working_dir)) {
    return fail(ErrorKind::invalid_input, "an argument of a program cannot contain a NUL byte");
  }
  return {};
}

// A running child. Its group is always killed and the child always reaped: here, or by a thread left to wait for it.
class Child {
 public:
  Child(const asio::any_io_executor& executor, pid_t pid, int pid_descriptor)
      : pid_(pid), ended_(executor, pid_descriptor) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  ~Child() {
    if (reaped_) return;
    end_group();
    if (waitpid(pid_, nullptr, WNOHANG) != 0) return;
    // Killed but not gone yet (it may be inside the kernel): do not block the loop, which may itself be ending.
    std::thread(reap_now, pid_).detach();
  }

  void end_group() const { kill(-pid_, SIGKILL); }

  // The loop may wake us for an earlier descriptor with the same number, so ask the kernel.
  Task<Result<>> wait_until_ended() {
    do {
      co_await ended_.async_wait(Descriptor::wait_read, asio::use_awaitable);
    } while (!has_ended());
    co_return Result<>{};
  }

  // Call it once the child has ended. Its group is killed first: once the leader is reaped its id may be reused.
  int reap() {
    end_group();
    int status = 0;
    uninterrupted([&] { return waitpid(pid_, &status, 0); });
    reaped_ = true;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }

 private:
  bool has_ended() const {
    siginfo_t about{};
    return waitid(P_PID, static_cast<id_t>(pid_), &about, WEXITED | WNOHANG | WNOWAIT) != 0 || about.si_pid == pid_;
  }

  pid_t pid_;
  bool reaped_ = false;
  Descriptor ended_;
};

// The child's three streams and their output. The reading tasks share it, because a stream that somebody keeps open
// ends later than the call that created it.
struct Streams {
  Streams(const asio::any_io_executor& executor, Pipe& in, Pipe& out, Pipe& err)
      : input(executor, in.write.release()),
        output(executor, out.read.release()),
        errors(executor, err.read.release()),
        drained(executor, asio::steady_timer::time_point::max()) {}

  void close() {
    sink = nullptr;
    boost::system::error_code ignored;
    input.close(ignored);
    output.close(ignored);
    errors.close(ignored);
  }

  Descriptor input;
  Descriptor output;
  Descriptor errors;
  asio::steady_timer drained;  // cancelled when both outputs have ended
  int open = 2;
  OutputSink sink;
  ProcessEnd end;
};

// Reads to the end and keeps the first `most` bytes. It never stops reading, so a flood cannot block the child.
Task<> collect(std::shared_ptr<Streams> streams, OutputStream which, std::size_t most) {
  const bool is_output = which == OutputStream::output;
  Descriptor& from = is_output ? streams->output : streams->errors;
  std::string& kept = is_output ? streams->end.output : streams->end.errors;
  std::uint64_t& total = is_output ? streams->end.output_bytes : streams->end.errors_bytes;
  std::array<char, 16'384> buffer;
  for (;;) {
    const auto [error, size] = co_await from.async_read_some(asio::buffer(buffer), kQuietly);
    if (error) break;
    const std::string_view piece(buffer.data(), size);
    total += size;
    kept += piece.substr(0, most - std::min(most, kept.size()));
    if (streams->sink) streams->sink(which, piece);
  }
  if (--streams->open == 0) streams->drained.cancel();
}

Task<> feed(std::shared_ptr<Streams> streams, std::string input) {
  co_await asio::async_write(streams->input, asio::buffer(input), kQuietly);
  boost::system::error_code ignored;
  streams->input.close(ignored);
}

struct Started {
  std::unique_ptr<Child> child;
  std::shared_ptr<Streams> streams;
};

Result<Started> start(ProcessSpec& spec, const asio::any_io_executor& executor) {
  // A program may end without reading its input; writing to it must then fail instead of killing us.
  [[maybe_unused]] static const auto before = signal(SIGPIPE, SIG_IGN);
  TRY(check(spec));
  TRY(Pipe in, make_pipe());
  TRY(Pipe out, make_pipe());
  TRY(Pipe errors, make_pipe());
  TRY(Pipe report, make_pipe());
  const Plan plan = lay_out(spec);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) return system_failure("cannot start a process", errno);
  if (pid == 0) become(plan, in.read.number, out.write.number, errors.write.number, report.write.number, parent);
  setpgid(pid, pid);  // the child does it too: whichever is first, the group exists before either continues
  report.write.close();
  Obstacle obstacle{};
  // A successful exec closes the pipe.
  if (uninterrupted([&] { return read(report.read.number, &obstacle, sizeof obstacle); }) == sizeof obstacle) {
    reap_now(pid);
    return std::unexpected(describe_obstacle(obstacle, spec));
  }
  const auto pid_descriptor = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  if (pid_descriptor < 0) {
    const int failed = errno;
    kill(-pid, SIGKILL);
    reap_now(pid);
    return system_failure("cannot watch a process", failed);
  }
  return Started{std::make_unique<Child>(executor, pid, pid_descriptor),
                 std::make_shared<Streams>(executor, in, out, errors)};
}

}  // namespace

Task<Result<ProcessEnd>> run_process(ProcessSpec spec, OutputSink sink) {
  const auto executor = co_await asio::this_coro::executor;
  CO_TRY(Started started, start(spec, executor));
  Child& child = *started.child;
  Streams& streams = *started.streams;
  struct Closer {
    Streams& streams;
    ~Closer() { streams.close(); }
  } const closer{streams};
  streams.sink = std::move(sink);
  spawn(executor, "child output", collect(started.streams, OutputStream::output, spec.max_output));
  spawn(executor, "child errors", collect(started.streams, OutputStream::errors, spec.max_output));
  spawn(executor, "child input", feed(started.streams, std::move(spec.input)));

  Result<> ended;
  std::exception_ptr cancelled;
  try {
    ended = co_await with_timeout(spec.timeout, child.wait_until_ended());
  } catch (...) {
    cancelled = std::current_exception();
  }
  if (cancelled || !ended) {
    // Ignore cancellation from here on: first make sure that the child is gone.
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    streams.end.timed_out = !cancelled;
    child.end_group();
    ended = co_await with_timeout(kDying, child.wait_until_ended());
  }
  if (!ended)
    co_return std::unexpected(
        Error{ErrorKind::internal, fmt::format("`{}` could not be killed", spec.arguments.front()), {}});
  streams.end.exit_code = child.reap();
  if (cancelled) std::rethrow_exception(cancelled);
  if (streams.open > 0) {
    streams.drained.expires_after(kDrain);
    co_await streams.drained.async_wait(kQuietly);
  }
  co_return std::move(streams.end);
}

void restart_interrupted_calls(int signal) {
  struct sigaction action{};
  if (sigaction(signal, nullptr, &action) != 0) return;
  action.sa_flags |= SA_RESTART;
  sigaction(signal, &action, nullptr);
}

}  // namespace deputy
