#include "net/url.h"

#include "support/results.h"

namespace deputy::net {
namespace {

TEST(Url, IsTakenApartInItsNormalForm) {
  struct Row {
    const char* text;
    Url url;
  };
  const Row rows[] = {
      {"https://Example.COM/a?b=c#d", {"https", "example.com", 443, "https://example.com/a?b=c"}},
      {"http://example.com", {"http", "example.com", 80, "http://example.com/"}},
      {"http://example.com/?u=file:///x", {"http", "example.com", 80, "http://example.com/?u=file:///x"}},
      {"HTTP://example.com:8080/x", {"http", "example.com", 8080, "http://example.com:8080/x"}},
      {"http://[::1]:90/", {"http", "::1", 90, "http://[::1]:90/"}},
      {"http://0x7f.1/", {"http", "127.0.0.1", 80, "http://127.0.0.1/"}},
      {"http://2130706433/", {"http", "127.0.0.1", 80, "http://127.0.0.1/"}},
      {"http://017700000001/", {"http", "127.0.0.1", 80, "http://127.0.0.1/"}},
      {"http://example.com/\xc3\xa9", {"http", "example.com", 80, "http://example.com/%c3%a9"}},
  };
  for (const Row& row : rows) {
    const Result<Url> url = parse_url(row.text);
    ASSERT_OK(url);
    EXPECT_EQ(url->scheme, row.url.scheme) << row.text;
    EXPECT_EQ(url->host, row.url.host) << row.text;
    EXPECT_EQ(url->port, row.url.port) << row.text;
    EXPECT_EQ(url->text, row.url.text) << row.text;
  }
}

TEST(Url, IsRefusedWhenItIsNotOneToAskForAndIsNotRepeated) {
  for (const char* text : {"",
                           "example.com",
                           "example.com/?u=http://a.com/",
                           "ftp://example.com/",
                           "file:///etc/passwd",
                           "gopher://x/",
                           "http://",
                           "http:///x",
                           "http://user:hunter2@example.com/",
                           "http://user@example.com/",
                           "http://@example.com/",
                           "http://a b/",
                           "http://a/\r\nHost: b",
                           "http://a:99999/",
                           "http://a:0/",
                           "http://[fe80::1%25eth0]/",
                           "http://a\\@b/",
                           "http://\xc3\xa9.com/",
                           "javascript://x/",
                           "https://exa%6dple.com@evil/"}) {
    const Result<Url> url = parse_url(text);
    EXPECT_FAILS(url, invalid_input) << text << " " << (url ? url->text : "");
    if (!url) EXPECT_FALSE(describe(url.error()).contains("hunter2"));
  }
  EXPECT_FAILS(parse_url("http://a/" + std::string(9000, 'x')), invalid_input);
  EXPECT_FAILS(parse_url(std::string("http://a/\0b", 11)), invalid_input);
}

TEST(Url, ARedirectIsReadFromWhereItStands) {
  const Url base = *parse_url("https://example.com/a/b?c=d");
  EXPECT_EQ(resolve_url(base, "e")->text, "https://example.com/a/e");
  EXPECT_EQ(resolve_url(base, "/e#f")->text, "https://example.com/e");
  EXPECT_EQ(resolve_url(base, "//other.org/x")->text, "https://other.org/x");
  EXPECT_EQ(resolve_url(base, "http://127.1/")->host, "127.0.0.1");
  EXPECT_FAILS(resolve_url(base, "ftp://x/"), invalid_input);
  EXPECT_FAILS(resolve_url(base, "//user:x@other.org/"), invalid_input);
  EXPECT_FAILS(resolve_url(base, "/a\nb"), invalid_input);
}

TEST(Proxy, IsLeftOutForThisMachineAndTheHostsThatAreListed) {
  struct Row {
    const char* url;
    const char* list;
    bool direct;
  };
  const Row rows[] = {
      {"http://example.com/", "", false},
      {"http://example.com/", "*", true},
      {"http://example.com/", "example.com", true},
      {"http://a.example.com/", "example.com", true},
      {"http://a.example.com/", "other.org,.Example.com", true},
      {"http://badexample.com/", "example.com", false},
      {"http://example.com:8080/", "example.com:8080", true},
      {"http://example.com/", "example.com:8080", false},
      {"http://10.1.2.3/", "10.0.0.0/8", true},
      {"http://11.1.2.3/", "10.0.0.0/8", false},
      {"http://10.1.2.3/", "10.1.2.3", true},
      {"http://10.1.2.3/", "2.3", false},
      {"http://[fd00::1]/", "fd00::1", true},
      {"http://[fd00::1]:80/", "[fd00::1]:80", true},
      {"http://[fd00::1]:80/", "[fd00::1]:81", false},
      {"http://[fd00::1]/", "fd00::/8", true},
      {"http://10.1.2.3/", "10.0.0.0/99 , nonsense/8 :", false},
      {"http://localhost/", "localhost 127.0.0.1", true},
      {"http://localhost:11434/v1", "", true},
      {"http://127.0.0.1:11434/v1", "", true},
      {"https://127.9.9.9/", "example.com", true},
      {"http://[::1]:8080/", "", true},
      {"http://[::ffff:127.0.0.1]/", "", true},
      {"http://localhost.example.com/", "", false},
      {"http://128.0.0.1/", "", false},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(goes_direct(*parse_url(row.url), split_no_proxy(row.list)), row.direct) << row.url << " " << row.list;
  }
}

}  // namespace
}  // namespace deputy::net
