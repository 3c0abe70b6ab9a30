#include <gtest/gtest.h>

#include "model/reply_builder.h"
#include "support/results.h"

namespace deputy::model {
namespace {

/// Keeps what it reads.
class Keeping final : public EventReader {
 public:
  Result<> read(const json::object& event) override {
    events.push_back(json::serialize(event));
    return {};
  }
  Result<> read_message(const json::object&) override { return {}; }
  void end() override { ended = true; }
  bool has_ended() const override { return ended; }
  bool is_whole() const override { return ended; }

  std::vector<std::string> events;
  bool ended = false;
};

Result<> feed_with(EventFeed& feed, std::string_view bytes) {
  feed.add(bytes);
  for (;;) {
    TRY(const auto event, feed.next());
    if (!event) return {};
    TRY(feed.read(parse_json_object(*event)));
  }
}

using Events = std::vector<std::string>;

TEST(EventFeed, ReadsUpToTheEndAndNothingAfterIt) {
  Keeping reader;
  EventFeed feed(reader);
  EXPECT_OK(feed_with(feed, "data: {\"a\":1}\n\ndata: [DONE]\n\ndata: no JSON\n\n"));
  EXPECT_TRUE(reader.ended);
  EXPECT_OK(feed_with(feed, "data: {\"a\":2}\n\n"));
  EXPECT_EQ(reader.events, Events{"{\"a\":1}"});
}

TEST(EventFeed, ReadsWhatCameBeforeAnEventThatIsTooLarge) {
  Keeping reader;
  EventFeed feed(reader);
  EXPECT_FAILS(feed_with(feed, "data: {\"a\":1}\n\ndata: " + std::string(9UL << 20, 'x') + "\n\n"), upstream);
  EXPECT_EQ(reader.events, Events{"{\"a\":1}"});
}

}  // namespace
}  // namespace deputy::model
