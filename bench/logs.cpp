// How fast a search through 1 GB of logs is, grouping and counting included, against ripgrep counting the same word in
// the same files in the same run, with the files in memory.
//
// It works in a folder of its own under $TMPDIR, or beside the program, and removes it.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "sized.h"
#include "tools/logs/files/files_backend.h"

namespace {

using namespace deputy;
using namespace deputy::tools;
using SteadyClock = std::chrono::steady_clock;

const std::uint64_t kBytes = deputy::bench::sized<std::uint64_t>(1'000'000'000, 10'000'000);
constexpr int kFiles = 8;
const std::uint64_t kRareHits = deputy::bench::sized<std::uint64_t>(500, 5);
const std::uint64_t kCommonHits = deputy::bench::sized<std::uint64_t>(500'000, 5'000);
constexpr std::uint64_t kLineSize = 125;  // about
const int kRounds = deputy::bench::sized(5, 1);
constexpr double kMaxRatio = 1.5;  // target
constexpr std::string_view kRare = "quokka";
constexpr std::string_view kCommon = "wombat";
const Timestamp kBegin = from_millis(1'700'000'000'000);

void write_logs(const std::filesystem::path& folder) {
  std::mt19937_64 random(7);
  std::filesystem::create_directories(folder / "prod");
  const std::uint64_t kLines = kBytes / kLineSize;
  for (int number = 0; number < kFiles; ++number) {
    std::ofstream out(folder / "prod" / fmt::format("service-{}.log", number), std::ios::binary);
    std::string block;
    Timestamp at = kBegin;
    for (std::uint64_t written = 0; written < kBytes / kFiles;) {
      block.clear();
      while (block.size() < 1'000'000) {
        at += std::chrono::milliseconds(random() % 20);
        const std::uint64_t n = random();
        const std::string_view word = random() % kLines < kRareHits     ? kRare
                                      : random() % kLines < kCommonHits ? kCommon
                                                                        : "handled";
        block +=
            fmt::format("{} {} [worker-{}] c.e.orders.OrderDesk - {} order {} of customer {:016x} in {} ms\n",
                        format_timestamp(at), n % 50 == 0 ? "ERROR" : "INFO", n % 32, word, n % 1'000'003, n, n % 900);
      }
      out << block;
      written += block.size();
    }
  }
}

struct Measured {
  double seconds = 1e9;  // of the fastest round
  std::int64_t hits = 0;
};

template <class Work>
Measured fastest(Work work) {
  Measured best;
  for (int round = 0; round < kRounds; ++round) {
    const auto begin = SteadyClock::now();
    best.hits = work();
    if (best.hits < 0) break;
    best.seconds = std::min(best.seconds, std::chrono::duration<double>(SteadyClock::now() - begin).count());
  }
  return best;
}

std::int64_t by_deputy(const std::filesystem::path& folder, std::string_view word) {
  const files::FilesOptions options{.root = folder,
                                    .paths = {{*files::PathPattern::compile("{environment}/{service}.log"), "", ""}},
                                    .environments = {{"prod", {}}},
                                    .threads = 2};
  LogQuery query{.environment = "prod", .span = {kBegin, kBegin + std::chrono::days(365)}};
  query.text.words = {std::string(word)};
  const auto findings = files::search_files(options, query, {});
  return findings ? findings->matched : -1;
}

/// Adds up what it counts in each file; -1 when it cannot be run.
std::int64_t by_command(const std::string& command) {
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return -1;
  std::int64_t sum = 0;
  std::array<char, 4096> line{};
  while (std::fgets(line.data(), line.size(), pipe) != nullptr) {
    const std::string_view text(line.data());
    sum += std::atoll(text.substr(text.rfind(':') + 1).data());
  }
  return ::pclose(pipe) == 0 ? sum : -1;
}

bool compare(const std::filesystem::path& folder, std::string_view word, std::string_view target) {
  const Measured ours = fastest([&] { return by_deputy(folder, word); });
  const Measured theirs =
      fastest([&] { return by_command(fmt::format("rg -j2 -c --no-ignore {} '{}'", word, folder.string())); });
  fmt::print("{:>8} hits: search_logs {:.0f} ms", ours.hits, ours.seconds * 1e3);
  if (theirs.hits < 0) {
    fmt::print("; rg could not be run\n");
    return false;
  }
  fmt::print(", rg -j2 -c {:.0f} ms, ratio {:.2f}{}\n", theirs.seconds * 1e3, ours.seconds / theirs.seconds, target);
  if (ours.hits != theirs.hits) fmt::print("rg counts {}\n", theirs.hits);
  return ours.hits == theirs.hits;
}

}  // namespace

int main() {
  const char* temporary = std::getenv("TMPDIR");
  const std::filesystem::path folder =
      std::filesystem::absolute(temporary != nullptr ? temporary : ".") / fmt::format("bench_logs.{}", ::getpid());
  std::filesystem::create_directories(folder);
  write_logs(folder);
  const bool rare = compare(folder, kRare, fmt::format(" (target: at most {})", kMaxRatio));
  const bool common = compare(folder, kCommon, "");
  std::filesystem::remove_all(folder);
  return rare && common ? 0 : 1;
}
