// deputy serve
#include "app/serve.h"

#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/command_line.h"
#include "app/commands/listing.h"

namespace deputy::app {

namespace {

constexpr const char* kServeHelp = R"(Examples:
  deputy serve                                 with the settings of this user, else those of the machine
  deputy --config /etc/deputy/prod.yaml serve  with this file alone

It never reads ./deputy.yaml. Changed settings count without a restart; what needs one is said in the log and in the
alert channel. SIGTERM lets what must not be interrupted end, within 30 s; a second signal ends it at once.)";

// Each request that waits for a model may hold a connection; systems allow 1,024 files unless a program asks for more.
void allow_many_files() {
  constexpr rlim_t kEnough = 65'536;
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= kEnough) return;
  files.rlim_cur = std::min(files.rlim_max, kEnough);
  (void)setrlimit(RLIMIT_NOFILE, &files);
}

ExitCode serve_channels(const Context& context) {
  allow_many_files();
  return serve(context, {});
}

}  // namespace

void add_serve(CLI::App& program, Context& context) {
  add_plain(program, context, "serve", "Run the channels that are set up, until stopped", serve_channels)
      ->footer(kServeHelp);
}

}  // namespace deputy::app
