#include "redact/marker.h"

#include <gtest/gtest.h>

#include "redact/redact.h"

namespace deputy::redact {
namespace {

TEST(Marker, OneSecretHasOneMarkerUnderOneSalt) {
  EXPECT_EQ(make_marker("aws", "secret", "salt"), make_marker("aws", "secret", "salt"));
  EXPECT_NE(make_marker("aws", "secret", "salt"), make_marker("aws", "another", "salt"));
  EXPECT_NE(make_marker("aws", "secret", "salt"), make_marker("aws", "secret", "another"));
}

TEST(Marker, ItsDigitsAreTheBeginningOfAnHmac) {
  // printf secret | openssl dgst -sha256 -hmac salt
  EXPECT_EQ(make_marker("aws", "secret", "salt"), "[redacted:aws#98e534]");
}

TEST(Marker, IsFoundInAnyText) {
  EXPECT_TRUE(holds_marker("x [redacted:http-auth#0a1b2c] y"));
  EXPECT_TRUE(holds_marker("[redacted:[redacted:url#0a1b2c]"));
  EXPECT_EQ(next_marker("ab[redacted:url#0a1b2c]", 1), (Range{2, 23}));
  for (const std::string_view text :
       {"", "[redacted:]", "[redacted:url]", "[redacted:url#0a1b2]", "[redacted:url#0a1b2g]", "[redacted:url#0a1b2c",
        "[redacted:URL#0a1b2c]", "[redacted:#0a1b2c]", "[redacted:"}) {
    EXPECT_FALSE(holds_marker(text)) << text;
  }
}

TEST(Marker, NoPartOfAFindingLiesInAMarker) {
  const std::string text = "aa[redacted:url#0a1b2c]bb[redacted:url#0a1b2c]";
  const std::vector<Finding> whole{{{0, text.size()}, "named"}};
  EXPECT_EQ(outside_markers(text, whole), (std::vector<Finding>{{{0, 2}, "named"}, {{23, 25}, "named"}}));
  EXPECT_TRUE(outside_markers(text, {{{4, 20}, "named"}}).empty());
  EXPECT_EQ(outside_markers(text, {{{4, 20}, "named"}, {{22, 24}, "url"}}), (std::vector<Finding>{{{23, 24}, "url"}}));
}

TEST(Marker, IsNeverRedactedAgain) {
  const Redactor redactor("salt");
  for (const std::string text : {"password=[redacted:named#0a1b2c]", "\"token\": \"[redacted:named#0a1b2c]\"",
                                 "Bearer [redacted:http-auth#0a1b2c]", "postgres://a:[redacted:url#0a1b2c]@h/d",
                                 "--password [redacted:named#0a1b2c]"}) {
    EXPECT_EQ(redactor.redact(text), text);
    EXPECT_TRUE(find(text).empty()) << text;
  }
}

}  // namespace
}  // namespace deputy::redact
