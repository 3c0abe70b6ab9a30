#include "logs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <fstream>

namespace deputy::demo {

namespace {

using namespace std::chrono_literals;

constexpr int kDays = 14;
constexpr std::chrono::days kDay{1};

enum class Grade { info, warning, error };

struct Line {
  Timestamp at;
  Grade grade = Grade::info;
  std::string message;
  std::string trace = {};  // lines behind it
};

struct Stage {
  std::string environment;
  int lines_a_day = 0;
  int trouble_in = 0;  // one line in so many
};
const std::vector<Stage> kStages{{"prod", 320, 90}, {"staging", 90, 60}, {"dev", 40, 30}};

std::string_view word(Grade grade) {
  return grade == Grade::error ? "ERROR" : grade == Grade::warning ? "WARN" : "INFO";
}
std::string_view small_word(Grade grade) {
  return grade == Grade::error ? "error" : grade == Grade::warning ? "warn" : "info";
}

/// Pieces of a time: "2026-11-15T04:10:02.123Z" as it is, and as others write it.
struct Written {
  explicit Written(Timestamp at) : iso(format_timestamp(at)), millis(to_millis(at)) {
    static const std::vector<std::string> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                  "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    month = kMonths[static_cast<std::size_t>(std::stoi(iso.substr(5, 2)) - 1)];
  }
  std::string date() const { return iso.substr(0, 10); }
  std::string clock() const { return iso.substr(11, 8); }
  std::string fraction() const { return iso.substr(20, 3); }

  std::string iso;
  std::int64_t millis;
  std::string month;
};

std::string written(const DemoService& service, const Line& line, Chance& chance) {
  const Written at(line.at);
  switch (service.format) {
    case Format::java:
      return fmt::format("{} {},{} {:<5} [exec-{}] n.c.{} - {}", at.date(), at.clock(), at.fraction(), word(line.grade),
                         1 + chance.below(16), line.grade == Grade::info ? "StreamDesk" : "PaymentClient",
                         line.message);
    case Format::json_numbers:
      return fmt::format(R"({{"level":{},"time":{},"pid":1,"msg":"{}"}})",
                         line.grade == Grade::error     ? 50
                         : line.grade == Grade::warning ? 40
                                                        : 30,
                         at.millis, line.message);
    case Format::logfmt:
      return fmt::format(R"(time={} level={} trace={} msg="{}")", at.iso, small_word(line.grade), chance.hex(16),
                         line.message);
    case Format::access:
      return fmt::format(R"(10.1.{}.{} - - [{}/{}/{}:{} +0000] "{} HTTP/2.0" {} {} "-" "Mozilla/5.0")",
                         chance.below(250), chance.below(250), at.iso.substr(8, 2), at.month, at.iso.substr(0, 4),
                         at.clock(), line.message,
                         line.grade == Grade::error     ? 502
                         : line.grade == Grade::warning ? 404
                                                        : 200,
                         chance.below(90000));
    case Format::klog:
      return fmt::format("{}{}{} {}.{}000       1 relay.go:{}] {}", word(line.grade)[0], at.iso.substr(5, 2),
                         at.iso.substr(8, 2), at.clock(), at.fraction(), 10 + chance.below(300), line.message);
    case Format::syslog:
      return fmt::format("{} {:>2} {} lens-{} {}: {}", at.month, std::stoi(at.iso.substr(8, 2)), at.clock(),
                         1 + chance.below(3), line.message.starts_with("Out of") ? "kernel" : "lensd[812]",
                         line.message);
    case Format::json_stackdriver:
      return fmt::format(R"({{"@timestamp":"{}","severity":"{}","message":"{}","shard":{}}})", at.iso, word(line.grade),
                         line.message, chance.below(8));
    case Format::python:
      return fmt::format("{} {} catalog.{}: {}", at.iso, word(line.grade),
                         line.grade == Grade::info ? "imports" : "titles", line.message);
    case Format::epoch:
      return fmt::format("{} {} {}", at.millis, word(line.grade), line.message);
    case Format::bracketed:
      return fmt::format("[{} {}] {}: {}", at.date(), at.clock(), word(line.grade), line.message);
  }
  return {};
}

/// `count` lines spread over a while.
void add_burst(std::vector<Line>& lines, Chance& chance, Timestamp begin, std::chrono::minutes length,
               std::uint64_t count, Grade grade, std::string_view message, std::string_view trace = {}) {
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto after = std::chrono::milliseconds(chance.below(static_cast<std::uint64_t>(length / 1ms)));
    lines.push_back({begin + after, grade, chance.fill(message), std::string(trace)});
  }
}

constexpr std::string_view kPaymentTrace =
    "java.net.SocketTimeoutException: Read timed out\n"
    "\tat n.c.PaymentClient.capture(PaymentClient.java:88)\n"
    "\tat n.c.StreamDesk.start(StreamDesk.java:41)\n";

void add_incidents(std::vector<Line>& lines, const World& world, const DemoService& service,
                   std::string_view environment, Chance& chance) {
  const Timestamp now = world.now;
  if (service.key == "cast-core" && environment == "prod") {
    add_burst(lines, chance, now - 150min, 1min, 1, Grade::info, "version 3.12.0 deployed, commit @");
    add_burst(lines, chance, now - 125min, 40min, 11 + chance.below(20), Grade::error,
              "Connection timeout to payment gateway after 2000 ms", kPaymentTrace);
    add_burst(lines, chance, now - 120min, 40min, 4 + chance.below(6), Grade::error, "Payment # gave up after 3 tries");
    add_burst(lines, chance, now - 127min, 45min, 20 + chance.below(20), Grade::warning, "Retrying payment # in # ms");
  }
  if (service.key == "gate-auth" && environment == "prod") {
    const Timestamp yesterday = std::chrono::floor<std::chrono::days>(now) - kDay;
    add_burst(lines, chance, yesterday + 2h + 54min, 12min, 8 + chance.below(9), Grade::error,
              "keys could not be rotated: the vault answered 503");
  }
  if (service.key == "tide-billing" && environment == "prod") {
    add_burst(lines, chance, now - 27h, 1min, 1, Grade::info, "version 4.7.0 deployed, commit @");
    add_burst(lines, chance, now - 27h + 6min, 50min, 60 + chance.below(60), Grade::error,
              "connection pool exhausted: 20 of 20 in use, waited # ms");
    add_burst(lines, chance, now - 26h, 1min, 1, Grade::info, "version 4.6.2 deployed, commit @");
  }
  if (service.key == "lens-transcoder" && environment == "prod") {
    for (int kill = 0; kill < 3; ++kill) {
      add_burst(lines, chance, now - 72h + kill * 20min, 2min, 1, Grade::error,
                "Out of memory: Killed process 812 (lensd) total-vm:8388608kB, anon-rss:#kB");
      add_burst(lines, chance, now - 72h + kill * 20min + 3min, 1min, 1, Grade::warning,
                "started again after exit code 137");
    }
  }
}

std::vector<Line> lines_of(const World& world, const DemoService& service, const Stage& stage, Chance& chance) {
  std::vector<Line> lines;
  const Timestamp begin = world.now - kDay * kDays;
  const auto all = static_cast<std::uint64_t>(kDay * kDays / 1ms);
  for (int i = 0; i < stage.lines_a_day * kDays; ++i) {
    const Timestamp at = begin + std::chrono::milliseconds(chance.below(all));
    const std::uint64_t kind = chance.below(static_cast<std::uint64_t>(stage.trouble_in));
    const Grade grade = kind == 0 ? Grade::error : kind < 3 ? Grade::warning : Grade::info;
    lines.push_back(
        {at, grade, chance.fill(chance.one_of(grade == Grade::info ? service.ordinary : service.troubles))});
  }
  add_incidents(lines, world, service, stage.environment, chance);
  std::ranges::stable_sort(lines, {}, &Line::at);
  return lines;
}

void write_plain(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

void write_packed(const std::filesystem::path& path, const std::string& text) {
  // No name and no time in it, so that the same text gives the same bytes.
  if (gzFile file = gzopen(path.c_str(), "wb6")) {
    gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
  }
}

void set_written(const std::filesystem::path& path, Timestamp at) {
  const timespec moment{.tv_sec = to_millis(at) / 1000, .tv_nsec = 0};
  const timespec both[] = {moment, moment};
  ::utimensat(AT_FDCWD, path.c_str(), both, 0);
}

}  // namespace

void write_logs(const World& world, const std::filesystem::path& folder) {
  Chance chance(world.seed);
  for (const Stage& stage : kStages) {
    std::filesystem::create_directories(folder / stage.environment);
    for (const DemoService& service : services()) {
      std::vector<std::string> days(kDays);  // today first
      for (const Line& line : lines_of(world, service, stage, chance)) {
        const auto ago = static_cast<std::size_t>((world.now - line.at) / kDay);
        days[std::min<std::size_t>(ago, kDays - 1)] += written(service, line, chance) + "\n" + line.trace;
      }
      for (std::size_t ago = 0; ago < days.size(); ++ago) {
        std::string name = service.key + ".log";
        if (ago > 0) name += fmt::format(".{}{}", ago, ago > 1 ? ".gz" : "");
        const std::filesystem::path path = folder / stage.environment / name;
        ago > 1 ? write_packed(path, days[ago]) : write_plain(path, days[ago]);
        set_written(path, world.now - kDay * static_cast<int>(ago));
      }
    }
  }
}

}  // namespace deputy::demo
