#include "net/slow_names.h"

#include <dlfcn.h>
#include <netdb.h>

#include <condition_variable>
#include <mutex>
#include <string_view>

namespace deputy::test {

namespace {

std::mutex mutex;
std::condition_variable changed;
bool held = true;
int waiting = 0;

}  // namespace

int waiting_look_ups() {
  const std::lock_guard lock(mutex);
  return waiting;
}

void answer_look_ups() {
  const std::lock_guard lock(mutex);
  held = false;
  changed.notify_all();
}

void hold_look_ups() {
  const std::lock_guard lock(mutex);
  held = true;
}

static void look_up_slowly() {
  std::unique_lock lock(mutex);
  ++waiting;
  changed.wait(lock, [] { return !held; });
  --waiting;
}

}  // namespace deputy::test

// In place of the C library's, for libcurl too: a program's own symbols come first.
extern "C" int getaddrinfo(const char* name, const char* service, const addrinfo* hints, addrinfo** found) {
  using Function = int (*)(const char*, const char*, const addrinfo*, addrinfo**);
  static const auto real = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "getaddrinfo"));
  const std::string_view asked = name == nullptr ? "" : name;
  if (asked == "slow.test") deputy::test::look_up_slowly();
  return real(asked.ends_with(".test") ? "127.0.0.1" : name, service, hints, found);
}
