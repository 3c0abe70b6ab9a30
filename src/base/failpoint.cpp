#include "base/failpoint.h"

#ifdef DEPUTY_FAILPOINTS

#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <string>
#include <string_view>

namespace deputy {

namespace {

struct Chosen {
  std::string name;
  std::atomic<int> times_left = 1;

  Chosen() {
    const char* variable = std::getenv("DEPUTY_FAILPOINT");
    if (variable == nullptr) return;
    const std::string_view text = variable;
    const std::size_t colon = text.find(':');
    name = text.substr(0, colon);
    if (colon != std::string_view::npos) {
      int times = 1;
      std::from_chars(text.data() + colon + 1, text.data() + text.size(), times);
      times_left = times;
    }
  }
};

}  // namespace

void failpoint(const char* name) {
  static Chosen chosen;
  if (chosen.name == name && --chosen.times_left == 0) std::raise(SIGKILL);
}

}  // namespace deputy

#endif
