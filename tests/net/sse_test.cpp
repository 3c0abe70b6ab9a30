// Server-sent events from bytes cut anywhere.
#include "net/sse.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/results.h"

namespace deputy::net {
namespace {

using Events = std::vector<SseEvent>;

Result<> take_all(SseReader& reader, std::string_view bytes, Events& events) {
  reader.add(bytes);
  for (;;) {
    TRY(auto event, reader.next());
    if (!event) return {};
    events.push_back(*std::move(event));
  }
}

Result<Events> feed(SseReader& reader, std::string_view bytes) {
  Events events;
  TRY(take_all(reader, bytes, events));
  return events;
}

Result<Events> read_in_pieces(std::string_view bytes, const std::vector<std::size_t>& sizes) {
  SseReader reader;
  Events events;
  for (std::size_t i = 0; !bytes.empty(); ++i) {
    const std::string_view piece = bytes.substr(0, sizes.empty() ? bytes.size() : sizes[i % sizes.size()]);
    bytes.remove_prefix(piece.size());
    TRY(take_all(reader, piece, events));
  }
  return events;
}

struct Row {
  const char* name;
  std::string bytes;
  Events events;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

class Sse : public testing::TestWithParam<Row> {};

TEST_P(Sse, IsReadTheSameWholeAndByteByByte) {
  EXPECT_EQ(read_in_pieces(GetParam().bytes, {}), GetParam().events);
  EXPECT_EQ(read_in_pieces(GetParam().bytes, {1}), GetParam().events);
  EXPECT_EQ(read_in_pieces(GetParam().bytes, {2}), GetParam().events);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Sse,
    testing::Values(
        Row{"OneEvent", "event: ping\ndata: {}\n\n", {{"ping", "{}"}}},
        Row{"NoName", "data: a\n\n", {{"message", "a"}}},
        Row{"SeveralDataLines", "data: a\ndata:\ndata: b\n\n", {{"message", "a\n\nb"}}},
        Row{"CarriageReturns", "event: x\rdata: 1\r\rdata: 2\r\r", {{"x", "1"}, {"message", "2"}}},
        Row{"BothLineEnds", "event: x\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n", {{"x", "1"}, {"message", "2"}}},
        Row{"MixedLineEnds",
            "data: 1\r\n\ndata: 2\n\r\ndata: 3\r\r\n",
            {{"message", "1"}, {"message", "2"}, {"message", "3"}}},
        Row{"ByteOrderMark",
            "\xEF\xBB\xBF"
            "data: a\n\n",
            {{"message", "a"}}},
        Row{"HalfAByteOrderMark",
            "\xEF\xBB"
            "data: a\n\ndata: b\n\n",
            {{"message", "b"}}},
        Row{"ASecondByteOrderMarkIsData",
            "\xEF\xBB\xBF\xEF\xBB\xBF"
            "data: a\n\n",
            {}},
        Row{"CommentsAndKeepAlives", ": hello\n\n:\n\ndata: a\n: between\ndata: b\n\n", {{"message", "a\nb"}}},
        Row{"OnlyOneSpaceIsTaken", "data:  a\n\n", {{"message", " a"}}},
        Row{"NoSpaceIsNeeded", "data:a\n\n", {{"message", "a"}}},
        Row{"ColonsInTheValue", "data: a:b: c\n\n", {{"message", "a:b: c"}}},
        Row{"NoColon", "data\n\n", {{"message", ""}}},
        Row{"NameWithoutDataIsNoEvent", "event: x\n\ndata: a\n\n", {{"message", "a"}}},
        Row{"OtherFieldsAreNotKept", "id: 7\nretry: 10\nfoo: bar\ndata: a\n\n", {{"message", "a"}}},
        Row{"TheLastIsUnfinished", "data: a\n\ndata: b\n", {{"message", "a"}}},
        Row{"NotUtf8", "data: a\xFF\n\n", {{"message", "a\xEF\xBF\xBD"}}},
        Row{"CutCharacters",
            "data: gr\xC3\xBC\xC3\x9F \xF0\x9F\x9A\x80\n\n",
            {{"message", "gr\xC3\xBC\xC3\x9F \xF0\x9F\x9A\x80"}}}),
    [](const auto& info) { return info.param.name; });

TEST(SseReader, AnEventThatIsTooLargeIsRefusedAndSoIsAllAfterIt) {
  for (const char* bytes : {"data: 123456789\n\n", "data: 12345\ndata: 12345\n\n", "abcdefghijklm"}) {
    SseReader reader(10);
    EXPECT_FAILS(feed(reader, bytes), upstream);
    EXPECT_FAILS(feed(reader, "data: a\n\n"), upstream);
  }
}

TEST(SseReader, AnEventThatIsTooLargeTakesNoneBeforeItWithIt) {
  constexpr std::string_view kBytes = "data: 1\n\ndata: 2\n\ndata: 123456789\n\ndata: 3\n\n";
  for (const std::size_t step : {std::size_t{1}, std::size_t{7}, kBytes.size()}) {
    SseReader reader(10);
    Events events;
    Result<> taken;
    for (std::size_t at = 0; at < kBytes.size() && taken; at += step) {
      taken = take_all(reader, kBytes.substr(at, step), events);
    }
    EXPECT_FAILS(taken, upstream);
    EXPECT_EQ(events, (Events{{"message", "1"}, {"message", "2"}})) << step;
  }
}

TEST(SseReader, ManySmallEventsAreNotOneLargeOne) {
  SseReader reader(10);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(feed(reader, "data: 1234\n\n"), (Events{{"message", "1234"}}));
}

TEST(SseReader, ACommentOfAnyLengthTakesNoRoom) {
  SseReader reader(10);
  EXPECT_EQ(feed(reader, ":"), Events{});
  for (int i = 0; i < 100; ++i) EXPECT_EQ(feed(reader, "never ending, never ending"), Events{});
  EXPECT_EQ(feed(reader, "\ndata: a\n\n"), (Events{{"message", "a"}}));
}

RC_GTEST_PROP(SseReaderProperty, AnyChunkingGivesTheSameEvents, ()) {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(
      rc::gen::element<std::string>("data: a", "data", "event: b", ":", ": c", "\n", "\r", "\r\n", "\n\n",
                                    "\xEF\xBB\xBF", "\xC3\xBC", "x", " ", "\xFF"));
  std::string bytes;
  for (const std::string& piece : pieces) bytes += piece;
  const auto sizes = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange(1UL, 9UL)));
  const auto whole = read_in_pieces(bytes, {});
  RC_ASSERT(whole.has_value());
  const auto cut = read_in_pieces(bytes, sizes);
  RC_ASSERT(cut.has_value());
  RC_ASSERT(*cut == *whole);
}

}  // namespace
}  // namespace deputy::net
