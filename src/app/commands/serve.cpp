// deputy serve
#include "app/serve.h"

#include <CLI/CLI.hpp>

#include "app/command_line.h"
#include "app/commands/listing.h"

namespace deputy::app {

namespace {

constexpr const char* kServeHelp = R"(Examples:
  deputy serve                                 with the settings of this user, else those of the machine
  deputy --config /etc/deputy/prod.yaml serve  with this file alone

It never reads ./deputy.yaml. Changed settings count without a restart; what needs one is said in the log and in the
alert channel. SIGTERM lets what must not be interrupted end, within 30 s; a second signal ends it at once.)";

ExitCode serve_channels(const Context& context) { return serve(context, {}); }

}  // namespace

void add_serve(CLI::App& program, Context& context) {
  add_plain(program, context, "serve", "Run the channels that are set up, until stopped", serve_channels)
      ->footer(kServeHelp);
}

}  // namespace deputy::app
