// An answer of Coralogix of any bytes: it is read or refused, and what is made of an entry is bounded by it.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tools/logs/coralogix/coralogix.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace deputy::tools;
  const auto answer = coralogix::read_answer({reinterpret_cast<const char*>(data), size});
  if (!answer) return 0;
  for (const coralogix::Entry& entry : answer->entries) {
    entry.time();
    entry.level();
    if (entry.at("$l.subsystemname").size() > size || entry.at("$m.logid").size() > size) std::abort();
    entry.at("$d.a.b");
    entry.text();
  }
  if (answer->error.size() > 4096) std::abort();
  return 0;
}
