// How fast logs pass the redactor, against RE2 alone searching the same bytes for the same pattern.

#include "redact/redact.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <ctime>
#include <random>
#include <string>
#include <string_view>

#include "redact/shapes.h"
#include "sized.h"

namespace {

using namespace deputy;
using Random = std::mt19937;

std::string hex(Random& random, int digits) {
  std::string text;
  for (int i = 0; i < digits; ++i) text += "0123456789abcdef"[random() % 16];
  return text;
}

/// One line of the kind that web servers, services and clusters write.
std::string ordinary_line(Random& random) {
  const unsigned n = random();
  switch (n % 10) {
    case 0:
    case 1:
      return fmt::format(
          R"(10.0.{}.{} - - [04/Jan/2026:10:{:02}:{:02} +0000] "GET /orders/{}?page={} HTTP/1.1" 200 {} "-" "Mozilla/5.0")",
          n % 250, n % 199, n % 60, n % 59, n % 100000, n % 9, n % 9000);
    case 2:
    case 3:
      return fmt::format(
          "2026-01-04T10:{:02}:{:02}.{:03}Z INFO  [http-nio-8080-exec-{}] c.e.orders.OrderController : order {} "
          "created in {} ms",
          n % 60, n % 59, n % 999, n % 32, n % 100000, n % 900);
    case 4:
    case 5:
      return fmt::format(
          R"({{"level":"info","ts":"2026-01-04T10:{:02}:{:02}Z","msg":"request done","trace_id":"{}","status":200,"ms":{}}})",
          n % 60, n % 59, hex(random, 32), n % 900);
    case 6:
      return fmt::format(
          "level=warn ts=2026-01-04T10:{:02}:{:02}Z caller=pool.go:88 msg=\"slow query\" ms={} rows={} db=orders "
          "host=db-{}.internal:5432",
          n % 60, n % 59, n % 9000, n % 700, n % 4);
    case 7:
      return fmt::format("\tat com.example.orders.OrderService.place(OrderService.java:{})", n % 900);
    case 8:
      return fmt::format(
          "I0104 10:{:02}:{:02}.000000 1 event.go:291] \"Event occurred\" object=\"default/orders-{}\" "
          "reason=\"Pulled\" image=\"orders@sha256:{}\"",
          n % 60, n % 59, hex(random, 9), hex(random, 64));
    default:
      // One line in fifty speaks of tokens and the like without holding any.
      if (n / 10 % 5 == 0)
        return fmt::format("2026-01-04 10:{:02}:{:02} WARN auth: token of user {} expired, asking for a new one",
                           n % 60, n % 59, n % 5000);
      return fmt::format("Jan  4 10:{:02}:{:02} web-{} systemd[1]: Started session {} of user deploy.", n % 60, n % 59,
                         n % 9, n % 9000);
  }
}

std::string make_logs(std::size_t size) {
  Random random(1);
  std::string logs;
  logs.reserve(size + 1000);
  for (int line = 0; logs.size() < size; ++line) {
    logs += line % 10000 == 5000 ? fmt::format("connecting with password={} to db", hex(random, 12))
                                 : ordinary_line(random);
    logs += '\n';
  }
  return logs;
}

std::size_t count_hits(std::string_view text) {
  const re2::RE2& pattern = redact::patterns().suspect();
  const re2::StringPiece whole(text.data(), text.size());
  std::size_t hits = 0;
  re2::StringPiece hit;
  for (std::size_t at = 0; pattern.Match(whole, at, text.size(), re2::RE2::UNANCHORED, &hit, 1); ++hits) {
    at = static_cast<std::size_t>(hit.data() - text.data()) + hit.size();
  }
  return hits;
}

/// As a log file passes: read in parts. Returns how many secrets were replaced.
std::size_t redact_in_parts(redact::Stream stream, std::string_view text) {
  constexpr std::size_t kPart = 256 << 10;
  for (std::size_t at = 0; at < text.size(); at += kPart) (void)stream.feed(text.substr(at, kPart));
  (void)stream.finish();
  return stream.replaced();
}

/// By the processor's time, so that what else the machine does counts less.
double megabytes_per_second(std::size_t bytes, auto&& work) {
  const std::clock_t start = std::clock();
  work();
  const double took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return static_cast<double>(bytes) / 1e6 / took;
}

}  // namespace

int main() {
  const std::string logs = make_logs(bench::sized(64, 1) << 20);
  const redact::Redactor redactor("salt");
  std::size_t hits = 0;
  std::size_t secrets = 0;
  double searching = 0;
  double whole = 0;
  double streaming = 0;
  const auto measure = [&](double& best, auto&& work) {
    best = std::max(best, megabytes_per_second(logs.size(), work));
  };
  for (int round = 0; round < bench::sized(5, 1); ++round) {
    measure(searching, [&] { hits = count_hits(logs); });
    measure(whole, [&] { (void)redactor.redact(logs); });
    measure(streaming, [&] { secrets = redact_in_parts(redactor.stream(), logs); });
  }
  fmt::print("{:.0f} MB of logs, {} lines, {} suspect, {} secrets\n", static_cast<double>(logs.size()) / 1e6,
             std::ranges::count(logs, '\n'), hits, secrets);
  fmt::print("RE2 alone           {:4.0f} MB/s\n", searching);
  const auto print = [&](std::string_view name, double speed) {
    fmt::print("{:<19} {:4.0f} MB/s, RE2 alone is {:.2f} times as fast (target: within 2 times)\n", name, speed,
               searching / speed);
  };
  print("redact, one text", whole);
  print("redact, 256 kB parts", streaming);
}
