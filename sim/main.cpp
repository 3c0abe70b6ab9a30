// deputy-sim slack: runs a Slack workspace on this machine until it is ended. The first lines say where it is and which
// tokens it takes.
#include <CLI/CLI.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <cstdio>
#include <iostream>

#include "sim/slack/simulator.h"

namespace {

using deputy::sim::slack::Simulator;

void print_ready(Simulator& simulator) {
  const auto& workspace = simulator.world().workspace;
  std::cout << "ready " << simulator.address() << "\n"
            << "  SLACK_API_URL=" << simulator.address() << "/api/\n";
  for (const auto& token : workspace.tokens) {
    using deputy::sim::slack::TokenKind;
    if (token.kind == TokenKind::bot) std::cout << "  SLACK_BOT_TOKEN=" << token.value << "\n";
    if (token.kind == TokenKind::app) std::cout << "  SLACK_APP_TOKEN=" << token.value << "\n";
    if (token.kind == TokenKind::user) std::cout << "  SLACK_USER_TOKEN=" << token.value << "\n";
  }
  std::cout << "  SLACK_SIGNING_SECRET=" << workspace.app.signing_secret << "\n"
            << "  control: POST " << simulator.address()
            << "/control/say {\"user\":\"U0ANA000001\",\"channel\":\"ops\",\"text\":\"hello\",\"mention\":true}\n"
            << std::flush;
}

int run_slack(int port) {
  boost::asio::io_context loop;
  const deputy::SystemClock clock;
  auto simulator = Simulator::start(loop.get_executor(), clock, {.port = port});
  if (!simulator) {
    std::cerr << "deputy-sim: " << deputy::describe(simulator.error()) << "\n";
    return 1;
  }
  print_ready(**simulator);
  boost::asio::signal_set signals(loop, SIGINT, SIGTERM);
  signals.async_wait([&](const boost::system::error_code& failed, int) {
    if (failed) return;
    deputy::spawn(loop.get_executor(), "stop", (*simulator)->stop());
  });
  loop.run();
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  CLI::App app("Vendors on this machine, to develop and test against");
  app.require_subcommand(1);
  CLI::App* slack = app.add_subcommand("slack", "A Slack workspace: Web API, Socket Mode, HTTP events");
  int port = 0;
  slack->add_option("--port", port, "The port of 127.0.0.1 to listen on; 0: any that is free")
      ->check(CLI::Range(0, 65535));
  CLI11_PARSE(app, count, arguments);
  return run_slack(port);
}
