#include "channel/terminal/input.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "base/files.h"
#include "support/loop.h"
#include "support/results.h"
#include "support/temporary_folder.h"

namespace deputy::channel {
namespace {

using namespace std::chrono_literals;
using Line = Result<std::optional<std::string>>;

FileDescriptor open_to_read(const std::filesystem::path& path) {
  return FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
}

/// Lines of a file.
struct Typed {
  explicit Typed(const std::string& text) : file(open_to_read(folder.write("typed", text))) {}

  Line next() { return test::run(lines.next(1min)); }

  test::TemporaryFolder folder;
  FileDescriptor file;
  InputLines lines{file.number};
};

TEST(InputLines, AreGivenOneAfterAnotherWithoutTheirEnds) {
  Typed typed("one\n\r\ntwo\r\nthree");
  for (const char* line : {"one", "", "two"}) EXPECT_EQ(typed.next(), line);
  EXPECT_FALSE(typed.lines.ended());
  EXPECT_EQ(typed.next(), "three");
  EXPECT_EQ(typed.next(), std::nullopt);
  EXPECT_TRUE(typed.lines.ended());
}

TEST(InputLines, ALineThatIsTooLongIsAnErrorAndTheNextOneIsRead) {
  Typed typed(std::string(200'000, 'x') + "\nnext\n" + std::string(200'000, 'x'));
  EXPECT_FAILS(typed.next(), invalid_input);
  EXPECT_EQ(typed.next(), "next");
  EXPECT_FAILS(typed.next(), invalid_input);
  EXPECT_EQ(typed.next(), std::nullopt);
}

TEST(InputLines, WhatWasTypedBeforeIsDiscarded) {
  int master = -1, slave = -1;
  ASSERT_EQ(openpty(&master, &slave, nullptr, nullptr, nullptr), 0);
  const FileDescriptor keyboard(master), terminal(slave);
  InputLines lines(terminal.number);
  ASSERT_EQ(::write(keyboard.number, "early\nyes\n", 10), 10);
  EXPECT_EQ(test::run(lines.next(1min)), "early");
  lines.discard();
  ASSERT_EQ(::write(keyboard.number, "no\n", 3), 3);
  EXPECT_EQ(test::run(lines.next(1min)), "no");
}

TEST(InputLines, AllIsReadToItsEndOrItsLimit) {
  Typed whole("one\ntwo");
  EXPECT_EQ(test::run(whole.lines.all(1min, 100)).text, "one\ntwo");
  Typed much(std::string(500, 'x'));
  const PipedText cut = test::run(much.lines.all(1min, 100));
  EXPECT_EQ(cut.text.size(), 100U);
  EXPECT_EQ(cut.end, PipedText::End::too_much);
}

TEST(InputLines, ALineWithoutEndIsWaitedForNoLongerThanAnyOther) {
  const FileDescriptor endless = open_to_read("/dev/zero");
  InputLines lines(endless.number);
  EXPECT_EQ(test::run(lines.next(50ms)), std::nullopt);
  EXPECT_FALSE(lines.ended());
}

TEST(InputLines, ALineWithoutEndHearsCancellation) {
  const FileDescriptor endless = open_to_read("/dev/zero");
  InputLines lines(endless.number);
  asio::io_context loop;
  asio::cancellation_signal cancel;
  std::exception_ptr thrown;
  asio::co_spawn(loop, lines.next(1min),
                 asio::bind_cancellation_slot(cancel.slot(),
                                              [&](const std::exception_ptr& error, const Line&) { thrown = error; }));
  asio::post(loop, [&] { cancel.emit(asio::cancellation_type::terminal); });
  loop.run();
  ASSERT_TRUE(thrown);
  EXPECT_TRUE(is_cancellation(thrown));
}

Task<int> count_until(const bool& enough, InputLines& lines) {
  for (int count = 0;; ++count) {
    const Line line = co_await lines.next(1min);
    if (!line || !*line || enough) co_return count;
  }
}

TEST(InputLines, WhoeverReadsManyLetsOthersHaveTheirTurn) {
  std::string text;
  constexpr int kLines = 50'000;
  for (int line = 0; line < kLines; ++line) text += "x\n";
  Typed typed(text);
  asio::io_context loop;
  bool enough = false;
  int count = kLines;
  asio::co_spawn(loop, count_until(enough, typed.lines),
                 [&](const std::exception_ptr&, int counted) { count = counted; });
  asio::post(loop, [&] { enough = true; });
  loop.run();
  EXPECT_LT(count, kLines);
}

}  // namespace
}  // namespace deputy::channel
