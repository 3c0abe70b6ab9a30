// Files that nobody meant to be read as logs, and searches that are stopped.
#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include "tools/logs/log_folder.h"

namespace deputy::tools {
namespace {

using testing::HasSubstr;

TEST(HostileLogs, AreReadWithoutHarm) {
  LogFolder logs;
  std::string binary;
  for (unsigned i = 0; i < 300'000; ++i) binary += static_cast<char>(i * 7919 >> 3);
  logs.write("prod/binary.log", binary + "\n2026-11-15T04:00:00Z ERROR \xff\xfe needle\n" + binary);
  logs.write("prod/empty.log", "");
  logs.write("prod/torn.log.gz", "\x1f\x8b nothing of the kind");
  logs.write("prod/newlines.log", std::string(300'000, '\n'));
  const auto output = logs.call("search_logs", {{"query", "needle"}, {"environment", "prod"}});
  ASSERT_OK(output);
  EXPECT_THAT(output->text, HasSubstr("1 × \xEF\xBF\xBD\xEF\xBF\xBD needle"));
  EXPECT_THAT(output->text, HasSubstr("prod/torn.log.gz could not be read to its end: it is not a valid gzip file"));
}

TEST(HostileLogs, MayHaveALineOfManyMegabytes) {
  LogFolder logs;
  const std::string line(40'000'000, 'x');
  logs.write("prod/long.log",
             "2026-11-15T04:00:00Z ERROR before " + line + " needle\n2026-11-15T04:00:01Z ERROR needle\n");
  const auto output = logs.call("search_logs", {{"query", "needle"}, {"environment", "prod"}});
  ASSERT_OK(output);
  EXPECT_EQ(output->data.at("matched").to_number<int>(), 1)
      << "what lies behind the cut is not looked at, and that is said";
  EXPECT_THAT(output->text, HasSubstr("Note: 1 entry is longer than 256 KB: only the beginning was looked at."));
  EXPECT_EQ(output->data.at("lines").to_number<int>(), 2);
}

TEST(HostileLogs, OfManyShapesAreCountedAsOther) {
  LogFolder logs;
  std::string text;
  for (int i = 0; i < 5000; ++i) {
    std::string word;
    for (int rest = i; rest > 0; rest /= 26) word += static_cast<char>('a' + rest % 26);
    text += "2026-11-15T04:00:00Z ERROR word " + word + "\n";
  }
  logs.write("prod/orders.log", text);
  const auto output = logs.call("get_recent_errors", {{"environment", "prod"}});
  ASSERT_OK(output);
  EXPECT_THAT(output->text, HasSubstr("4,980 × other messages, not listed here"));
}

TEST(HostileLogs, LinksAreNotFollowed) {
  LogFolder logs;
  const test::TemporaryFolder elsewhere;
  elsewhere.write("orders.log", "2026-11-15T04:00:00Z ERROR x\n");
  logs.write("prod/other.log", "");
  std::filesystem::create_symlink(elsewhere / "orders.log", logs.folder / "prod/orders.log");
  std::filesystem::create_directory_symlink(elsewhere.path(), logs.folder / "staging");
  EXPECT_EQ(logs.matched("get_recent_errors", {{"environment", "prod"}}), 0);
  EXPECT_EQ(logs.matched("get_recent_errors", {{"environment", "staging"}}), 0);
}

TEST(StoppedSearch, EndsWithoutItsWorkBeingWaitedFor) {
  LogFolder logs;
  logs.write("prod/orders.log", service_lines(24 * 5, std::chrono::seconds(5), 1000));
  std::stop_source stop;
  stop.request_stop();
  files::FilesOptions options{.root = logs.folder.path(),
                              .paths = {{*files::PathPattern::compile("{environment}/{service}.log"), "", ""}},
                              .environments = logs.environments};
  EXPECT_FAILS(files::search_files(options, {.environment = "prod", .span = {kNow, kNow}}, stop.get_token()),
               cancelled);

  asio::io_context loop;
  asio::cancellation_signal signal;
  Result<LogFindings> found;
  bool ended = false;
  const auto backend = logs.backend();
  LogQuery query{.environment = "prod", .span = {kNow - std::chrono::hours(200), kNow}};
  asio::co_spawn(
      loop, backend->search(query, std::chrono::minutes(1)),
      asio::bind_cancellation_slot(signal.slot(), [&](const std::exception_ptr&, Result<LogFindings> result) {
        found = std::move(result);
        ended = true;
      }));
  asio::post(loop, [&] { signal.emit(asio::cancellation_type::terminal); });
  test::run_until(loop, [&] { return ended; });
  EXPECT_FAILS(found, cancelled);
}

/// However a file is divided among threads, what is found is the same.
RC_GTEST_PROP(PartsProperty, FindTheSameAsTheWhole, ()) {
  static const LogFolder logs;
  const auto line = rc::gen::elementOf(std::vector<std::string>{
      "2026-11-15T04:00:00Z ERROR needle one\n", "2026-11-15T04:10:00Z INFO two\n", "\tat needle.java:7\n", "\n",
      "Caused by: needle\n", "{\"ts\":\"2026-11-15T04:20:00Z\",\"msg\":\"needle\"}\n",
      "2026-11-15T09:00:00Z late needle\n"});
  std::string text;
  for (const std::string& one : *rc::gen::container<std::vector<std::string>>(line)) text += one;
  if (*rc::gen::arbitrary<bool>() && !text.empty()) text.pop_back();
  logs.write("prod/orders.log", "2026-11-15T04:00:00Z begun\n" + text);
  files::FilesOptions options{.root = logs.folder.path(),
                              .paths = {{*files::PathPattern::compile("{environment}/{service}.log"), "", ""}},
                              .environments = logs.environments};
  LogQuery query{.environment = "prod", .span = {kNow - std::chrono::hours(4), kNow}};
  if (*rc::gen::arbitrary<bool>()) query.text.words = {"needle"};
  const LogFindings whole = *files::search_files(options, query, {});
  options.largest_part = *rc::gen::inRange<std::uint64_t>(1, 120);
  const LogFindings parts = *files::search_files(options, query, {});
  RC_ASSERT(parts.matched == whole.matched);
  RC_ASSERT(parts.coverage.lines == whole.coverage.lines);
  RC_ASSERT(parts.coverage.bytes == whole.coverage.bytes);
  RC_ASSERT(parts.groups.size() == whole.groups.size());
  for (std::size_t at = 0; at < parts.groups.size(); ++at) {
    RC_ASSERT(parts.groups[at].message == whole.groups[at].message);
    RC_ASSERT(parts.groups[at].example == whole.groups[at].example);
  }
  RC_ASSERT(parts.newest.size() == whole.newest.size());
  for (std::size_t at = 0; at < parts.newest.size(); ++at) RC_ASSERT(parts.newest[at].text == whole.newest[at].text);
}

}  // namespace
}  // namespace deputy::tools
