// A log file of any bytes: it is read to its end, divided anyhow it gives the same counts, every entry is counted once,
// and what is told of it is UTF-8.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "base/text.h"
#include "tools/logs/entry.h"
#include "tools/logs/files/find_files.h"
#include "tools/logs/files/scan.h"
#include "tools/logs/shape.h"

namespace {

using namespace deputy;
using namespace deputy::tools;
using namespace deputy::tools::files;
using namespace deputy::tools::logs;

class MemorySource final : public ByteSource {
 public:
  MemorySource(std::string_view bytes, std::size_t begin) : bytes_(bytes.substr(begin)) {}
  Result<std::size_t> read(char* into, std::size_t most) override {
    const std::size_t count = std::min(most, bytes_.size());
    std::memcpy(into, bytes_.data(), count);
    bytes_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view bytes_;
};

const TimeRules kRules{std::chrono::minutes(0), from_millis(1'794'715'802'000)};

LogFindings read(std::string_view bytes, const TextQuery& query, std::size_t part) {
  const Matcher matcher(query);
  const TimeSpan span{from_millis(0), from_millis(4'000'000'000'000)};
  Collector collected(5, span);
  Scanner scanner(matcher, {span, LogLevel::none}, collected);
  Scanned scanned;
  const Times times = times_in(bytes, kRules);
  for (std::size_t begin = 0, number = 0; begin < bytes.size(); begin += part, ++number) {
    const std::size_t end = std::min(bytes.size(), begin + part);
    MemorySource source(bytes, begin > 0 ? begin - 1 : 0);
    if (!scanner.scan(source, {number, 0, begin, end, times}, kRules, {}, scanned)) std::abort();
  }
  LogFindings findings;
  collected.report({"service"}, findings);
  findings.coverage.lines = scanned.lines;
  findings.coverage.bytes = scanned.bytes;
  return findings;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::size_t part = 1 + data[0];
  const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
  for (const TextQuery& query : {TextQuery{}, TextQuery{{"error"}, ""}, TextQuery{{}, "a.*b"}}) {
    const LogFindings whole = read(bytes, query, bytes.size());
    const LogFindings parts = read(bytes, query, std::max(part, bytes.size() / 16));
    if (whole.matched != parts.matched || whole.groups.size() != parts.groups.size()) std::abort();
    if (whole.coverage.lines != std::ranges::count(bytes, '\n') || parts.coverage.lines != whole.coverage.lines)
      std::abort();
    if (whole.coverage.bytes != static_cast<std::int64_t>(bytes.size())) std::abort();
    std::int64_t counted = whole.ungrouped;
    for (const MessageGroup& group : whole.groups) {
      counted += group.count;
      if (!is_valid_utf8(group.message) || !is_valid_utf8(group.example)) std::abort();
    }
    if (counted != whole.matched) std::abort();
  }
  JsonLine fields(bytes);
  while (const auto field = fields.next()) unescape(field->value);
  unrotated(bytes);
  return 0;
}
