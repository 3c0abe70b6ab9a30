// Memory of idle WebSockets: the server in this process, all clients in another, both on our own code; plain and over
// TLS. Resident memory, before the first connection and when all are open and have exchanged a message.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>

#include "net/server.h"
#include "sized.h"

extern char** environ;

namespace {

using namespace deputy;
using namespace std::chrono_literals;
using Sockets = std::vector<std::shared_ptr<net::WebSocket>>;

std::size_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::size_t all = 0;
  std::size_t resident = 0;
  statm >> all >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

[[noreturn]] void give_up(std::string_view why) {
  std::cerr << why << '\n';
  std::exit(1);
}

void allow_many_files() {
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
}

// The clients: opens them one after the other, says so, and holds them until its input ends.

Task<> open_all(std::string url, std::string ca_file, std::size_t count, Sockets& sockets) {
  while (sockets.size() < count) {
    auto socket = co_await net::WebSocket::connect(url, {}, {.idle = 1h, .ca_file = ca_file});
    if (!socket) give_up(describe(socket.error()));
    const auto written = co_await (*socket)->write("hello");
    const auto answer = co_await (*socket)->read();
    if (!written || !answer) give_up("no answer");
    sockets.push_back(*std::move(socket));
  }
}

int hold(const std::string& url, const std::string& ca_file, std::size_t count) {
  asio::io_context loop;
  Sockets sockets;
  const std::size_t before = resident_bytes();
  asio::co_spawn(loop, open_all(url, ca_file, count, sockets), [](const std::exception_ptr& thrown) {
    if (thrown) give_up(what_of(thrown));
  });
  while (sockets.size() < count) loop.run_one();
  std::cout << (resident_bytes() - before) / count << std::endl;
  std::cin.get();
  return 0;
}

// The server.

Task<> echo(std::shared_ptr<net::WebSocket> socket) {
  for (;;) {
    auto message = co_await socket->read();
    if (!message) co_return;
    const auto written = co_await socket->write(*std::move(message));
    if (!written) co_return;
  }
}

Task<net::Answer> take(net::ServerRequest) { co_return net::TakeWebSocket{echo, {.idle = 1h}}; }

struct Clients {
  pid_t pid = -1;
  int input = -1;   // open while they shall stay
  int output = -1;  // one number, when all are open
};

Clients start_clients(const std::string& url, const std::string& ca_file, const std::string& count) {
  int in[2];
  int out[2];
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) give_up("no pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  std::vector<std::string> words{"/proc/self/exe", "hold", url, ca_file, count};
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  Clients clients{.input = in[1], .output = out[0]};
  if (posix_spawn(&clients.pid, words[0].c_str(), &actions, nullptr, arguments.data(), environ) != 0) {
    give_up("the clients did not start");
  }
  posix_spawn_file_actions_destroy(&actions);
  close(in[0]);
  close(out[1]);
  return clients;
}

std::string text_of(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

void measure(const std::string& scheme, const std::string& folder, std::size_t count) {
  asio::io_context loop;
  net::ServerOptions options{.limits = {.connections = count, .idle = 1h}};
  if (scheme == "wss") {
    options.certificate = text_of(folder + "/certificate.pem");
    options.key = Secret(text_of(folder + "/key.pem"));
  }
  auto server = net::Server::listen(loop.get_executor(), options, take);
  if (!server) give_up(describe(server.error()));
  const std::size_t before = resident_bytes();
  const auto clients = start_clients(fmt::format("{}://localhost:{}/", scheme, (*server)->port()),
                                     folder + "/certificate.pem", std::to_string(count));
  std::string said;
  fcntl(clients.output, F_SETFL, O_NONBLOCK);
  while (!said.contains('\n')) {
    loop.run_one_for(10ms);
    char piece[100];
    const ssize_t size = read(clients.output, piece, sizeof piece);
    if (size == 0) give_up("the clients have failed");
    if (size > 0) said.append(piece, static_cast<std::size_t>(size));
  }
  if ((*server)->connections() != count) give_up("a connection is missing");
  std::cout << fmt::format("{}: {} idle WebSockets, {:.1f} KB each here, {:.1f} KB each at the clients\n", scheme,
                           count, static_cast<double>(resident_bytes() - before) / static_cast<double>(count) / 1024,
                           std::stod(said) / 1024);
  close(clients.input);
  close(clients.output);
  int status = 0;
  waitpid(clients.pid, &status, 0);
}

}  // namespace

int main(int argc, char** argv) {
  allow_many_files();
  if (argc == 5) return hold(argv[2], argv[3], std::stoul(argv[4]));
  const std::size_t count = bench::sized(2000, 50);
  char folder[] = "/tmp/deputy-bench-XXXXXX";
  if (mkdtemp(folder) == nullptr) give_up("no folder");
  const std::string command = fmt::format(
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=localhost -addext "
      "subjectAltName=DNS:localhost -keyout {0}/key.pem -out {0}/certificate.pem 2>/dev/null",
      folder);
  if (std::system(command.c_str()) != 0) give_up("openssl made no certificate");
  measure("ws", folder, count);
  measure("wss", folder, count);
  std::filesystem::remove_all(folder);
}
