// AWS event-stream frames: golden ones, every type of header, every kind of damage.
#include "net/event_stream.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/event_frames.h"
#include "support/results.h"

namespace deputy::net {
namespace {

using Frames = std::vector<EventFrame>;
using test::event_frame;
using test::event_number;
using test::event_text;

Result<> take_all(EventStreamReader& reader, std::string_view bytes, Frames& frames) {
  reader.add(bytes);
  for (;;) {
    TRY(auto frame, reader.next());
    if (!frame) return {};
    frames.push_back(*std::move(frame));
  }
}

Result<Frames> read_in_pieces(std::string_view bytes, const std::vector<std::size_t>& sizes) {
  EventStreamReader reader;
  Frames frames;
  for (std::size_t i = 0; !bytes.empty(); ++i) {
    const std::string_view piece = bytes.substr(0, sizes.empty() ? bytes.size() : sizes[i % sizes.size()]);
    bytes.remove_prefix(piece.size());
    TRY(take_all(reader, piece, frames));
  }
  TRY(reader.finish());
  return frames;
}

struct Golden {
  const char* name;
  const char* hex;
  EventFrame frame;
};

void PrintTo(const Golden& row, std::ostream* out) { *out << row.name; }

class GoldenFrame : public testing::TestWithParam<Golden> {};

TEST_P(GoldenFrame, IsReadWholeAndByteByByte) {
  const std::string bytes = test::from_hex(GetParam().hex);
  EXPECT_EQ(read_in_pieces(bytes, {}), Frames{GetParam().frame});
  EXPECT_EQ(read_in_pieces(bytes, {1}), Frames{GetParam().frame});
}

INSTANTIATE_TEST_SUITE_P(
    Rows, GoldenFrame,
    testing::Values(
        Golden{"Empty", "00000010 00000000 05c248eb 7d98c8ff", {}},
        Golden{"OneHeader",
               "0000003d 00000020 07fd8396 0c636f6e74656e742d74797065 07 0010 6170706c69636174696f6e2f6a736f6e "
               "7b27666f6f273a27626172277d 8d9c08b1",
               {{{"content-type", "application/json"}}, "{'foo':'bar'}"}},
        Golden{"MessageStart",
               "00000076 00000052 96d5fade 0d3a636f6e74656e742d74797065070010 6170706c69636174696f6e2f6a736f6e "
               "0b3a6576656e742d7479706507000c 6d6573736167655374617274 0d3a6d6573736167652d74797065070005 6576656e74 "
               "7b22726f6c65223a22617373697374616e74227d d8c5dff7",
               {{{":content-type", "application/json"}, {":event-type", "messageStart"}, {":message-type", "event"}},
                R"({"role":"assistant"})"}}),
    [](const auto& info) { return info.param.name; });

TEST(EventStream, EveryTypeOfHeaderIsRead) {
  const std::string uuid = "0123456789abcdef";
  const std::string bytes = event_frame({{"yes", std::string(1, '\0')},
                                         {"no", "\x01"},
                                         {"int8", event_number(2, 1, 0xFE)},
                                         {"int16", event_number(3, 2, 0xFFFE)},
                                         {"int32", event_number(4, 4, 0x7FFFFFFF)},
                                         {"int64", event_number(5, 8, 0xFFFFFFFFFFFFFFFF)},
                                         {"bytes", "\x06" + std::string("\0\x02\0\xFF", 4)},
                                         {"text", event_text("grün")},
                                         {"time", event_number(8, 8, 1'700'000'000'123)},
                                         {"uuid", "\x09" + uuid}},
                                        "payload");
  const auto frames = read_in_pieces(bytes, {3});
  ASSERT_OK(frames);
  ASSERT_EQ(frames->size(), 1U);
  EventUuid expected_uuid;
  std::ranges::copy(uuid, expected_uuid.bytes.begin());
  const std::vector<EventHeader> expected{{"yes", true},
                                          {"no", false},
                                          {"int8", std::int8_t{-2}},
                                          {"int16", std::int16_t{-2}},
                                          {"int32", std::int32_t{0x7FFFFFFF}},
                                          {"int64", std::int64_t{-1}},
                                          {"bytes", EventBytes{std::string("\0\xFF", 2)}},
                                          {"text", "grün"},
                                          {"time", from_millis(1'700'000'000'123)},
                                          {"uuid", expected_uuid}};
  EXPECT_EQ(frames->front().headers, expected);
  EXPECT_EQ(frames->front().payload, "payload");
  EXPECT_EQ(frames->front().header("text"), "grün");
  EXPECT_EQ(frames->front().header("int8"), std::nullopt);
  EXPECT_EQ(frames->front().header("none"), std::nullopt);
}

TEST(EventStream, HeadersThatCannotBeReadAreRefused) {
  const std::vector<test::EventHeaders> damaged{
      {{"", event_text("x")}},                           // no name
      {{"a", "\x0a"}},                                   // no such type
      {{"a", std::string("\x07\0\x05gone", 7)}},         // longer than the headers
      {{"a", std::string("\x04\0\0", 3)}},               // half a number
      {{"a", ""}},                                       // no type
      {{"a", event_text("x")}, {"a", event_text("y")}},  // twice
  };
  for (const auto& headers : damaged) EXPECT_FAILS(read_in_pieces(event_frame(headers, "{}"), {}), upstream);
}

TEST(EventStream, ALengthThatNoFrameHasIsRefusedFromTwelveBytes) {
  struct Lengths {
    std::uint64_t total, headers;
  };
  for (const auto& [total, headers] :
       {Lengths{0, 0}, Lengths{15, 0}, Lengths{16, 1}, Lengths{100, 85}, Lengths{100, 0xFFFFFFFF},
        Lengths{0xFFFFFFFF, 0}, Lengths{0xFFFFFFFF, 0xFFFFFFEF}, Lengths{16 + kMaxEventPayload + 1, 0},
        Lengths{16 + kMaxEventHeaders + 1, kMaxEventHeaders + 1}}) {
    EventStreamReader reader;
    reader.add(test::event_prelude(total, headers));
    EXPECT_FAILS(reader.next(), upstream);
  }
  EventStreamReader reader;
  reader.add(test::event_prelude(16 + kMaxEventPayload + kMaxEventHeaders, kMaxEventHeaders));
  EXPECT_OK(reader.next());
}

TEST(EventStream, HeadersAndPayloadHaveALimit) {
  test::EventHeaders headers;
  for (int i = 0; i < 5; ++i) headers.emplace_back("h" + std::to_string(i), event_text(std::string(30'000, 'x')));
  EXPECT_FAILS(read_in_pieces(event_frame(headers, ""), {}), upstream);
  headers.pop_back();
  EXPECT_OK(read_in_pieces(event_frame(headers, ""), {}));
  const std::string large = event_frame({}, std::string(kMaxEventPayload + 1, 'x'));
  EventStreamReader reader;
  reader.add(std::string_view(large).substr(0, 12));
  EXPECT_FAILS(reader.next(), upstream);
  reader.add(std::string_view(large).substr(12));
  EXPECT_FAILS(reader.next(), upstream);
}

TEST(EventStream, WhatIsBrokenTakesNoFrameBeforeItWithIt) {
  EventStreamReader reader;
  Frames frames;
  EXPECT_FAILS(take_all(reader, event_frame({}, "first") + event_frame({}, "second") + "no frame at all", frames),
               upstream);
  EXPECT_EQ(frames, (Frames{{{}, "first"}, {{}, "second"}}));
}

TEST(EventStream, AnEndInsideAFrameIsANetworkError) {
  const std::string frame = event_frame({{"a", event_text("b")}}, "payload");
  for (std::size_t size = 1; size < frame.size(); ++size) {
    EventStreamReader reader;
    Frames frames;
    EXPECT_OK(take_all(reader, std::string_view(frame).substr(0, size), frames));
    EXPECT_TRUE(frames.empty());
    EXPECT_FAILS(reader.finish(), network);
  }
}

TEST(EventStreamProperty, OneFlippedBitIsAlwaysRefused) {
  const std::string frame = test::event_of_type("chunk", R"({"bytes":"e30="})");
  const std::string two = frame + frame;
  for (std::size_t bit = 0; bit < frame.size() * 8; ++bit) {
    std::string damaged = two;
    damaged[bit / 8] = static_cast<char>(static_cast<unsigned char>(damaged[bit / 8]) ^ 1U << bit % 8);
    EXPECT_FAILS(read_in_pieces(damaged, {}), upstream);
  }
}

RC_GTEST_PROP(EventStreamProperty, WhatAnEncoderWroteReadsBackHoweverItIsCut, ()) {
  const auto texts = *rc::gen::container<std::vector<std::string>>(rc::gen::arbitrary<std::string>());
  std::string bytes;
  Frames expected;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string name = "name" + std::to_string(i);
    bytes += event_frame({{name, event_text(texts[i])}, {":n", event_number(4, 4, i)}}, texts[texts.size() - 1 - i]);
    expected.push_back({{{name, texts[i]}, {":n", static_cast<std::int32_t>(i)}}, texts[texts.size() - 1 - i]});
  }
  const auto sizes = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange(1UL, 40UL)));
  const auto read = read_in_pieces(bytes, sizes);
  RC_ASSERT(read.has_value());
  RC_ASSERT(*read == expected);
}

}  // namespace
}  // namespace deputy::net
