#include "company.h"

namespace deputy::demo {

const std::vector<DemoService>& services() {
  static const std::vector<DemoService> all{
      {"cast-core",
       "Cast Core",
       "api",
       "Starts and pays for streams",
       "Java 21, PostgreSQL",
       {"castcore", "casting-api"},
       Format::java,
       {"Stream @ started for viewer #", "Payment # captured in # ms", "Session @ renewed",
        "Cache refreshed with # titles"},
       {"Viewer # has no entitlement for title #", "Could not write session @ to the store"}},
      {"tide-billing",
       "Tide Billing",
       "worker",
       "Bills subscriptions each night",
       "TypeScript, PostgreSQL",
       {"tidebill", "subscription-billing"},
       Format::json_numbers,
       {"invoice # issued", "charged account # for plan @", "ledger page # written"},
       {"invoice # could not be rendered"}},
      {"gate-auth",
       "Gate Auth",
       "api",
       "Signs viewers in",
       "Go",
       {"gateauth", "signin-gate"},
       Format::logfmt,
       {"sign-in of viewer #", "token @ refreshed", "keys rotated, # left"},
       {"token @ has expired twice"}},
      {"harbor-web",
       "Harbor Web",
       "site",
       "The site that viewers see",
       "nginx, Svelte",
       {"harborweb", "harbor-site"},
       Format::access,
       {"GET /titles/#", "GET /watch/@", "POST /lists/#/add", "GET /assets/app.js"},
       {"GET /watch/@/manifest"}},
      {"edge-relay",
       "Edge Relay",
       "daemon",
       "Keeps segments close to viewers",
       "Go, Kubernetes",
       {"edgerelay", "segment-relay"},
       Format::klog,
       {"segment @ relayed in # ms", "peer edge-# joined", "cache holds # segments"},
       {"peer edge-# went silent"}},
      {"lens-transcoder",
       "Lens Transcoder",
       "worker",
       "Makes renditions of films",
       "C++, ffmpeg",
       {"lenscoder", "rendition-worker"},
       Format::syslog,
       {"rendition @ done in # s", "picked up title #", "queue length #"},
       {"error: rendition @ has no audio track"}},
      {"hive-search",
       "Hive Search",
       "api",
       "Finds titles",
       "Kotlin, Lucene",
       {"hivesearch", "title-search"},
       Format::json_stackdriver,
       {"query took # ms for # hits", "segment @ merged", "index holds # titles"},
       {"query # was refused by shard #"}},
      {"reel-catalog",
       "Reel Catalog",
       "api",
       "Knows all titles",
       "Python, PostgreSQL",
       {"reelcatalog", "title-catalog"},
       Format::python,
       {"title # updated by @", "import of # titles begun", "import took # s"},
       {"title # has no poster in any size"}},
      {"pulse-notify",
       "Pulse Notify",
       "worker",
       "Sends mail and push messages",
       "Rust",
       {"pulsenotify", "push-sender"},
       Format::epoch,
       {"push @ sent to # devices", "digest # mailed", "device @ registered"},
       {"device @ does not answer"}},
      {"ledger-sync",
       "Ledger Sync",
       "job",
       "Carries billing into accounting",
       "Ruby",
       {"ledgersync", "accounting-sync"},
       Format::bracketed,
       {"batch # of # carried over", "checkpoint @ written", "nothing new since batch #"},
       {"batch # differs from accounting by # cents"}},
  };
  return all;
}

std::string Chance::hex(int digits) {
  std::string text;
  for (int i = 0; i < digits; ++i) text += "0123456789abcdef"[below(16)];
  return text;
}

std::string Chance::fill(std::string_view message) {
  std::string text;
  for (const char c : message) {
    if (c == '#') {
      text += std::to_string(1 + below(9000));
    } else if (c == '@') {
      text += hex(12);
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace deputy::demo
