// The pure parts of fetch_url: HTML as text, content types, hosts, addresses.
#include <gtest/gtest.h>

#include "support/growth.h"
#include "support/results.h"
#include "tools/workspace/fetch_url.h"
#include "tools/workspace/html_text.h"

namespace deputy::tools {
namespace {

TEST(HtmlText, IsWhatAPersonWouldRead) {
  struct Row {
    const char* html;
    const char* text;
  };
  const Row rows[] = {
      {"", ""},
      {"plain words", "plain words"},
      {"<p>one</p><p>two</p>", "one\n\ntwo"},
      {"  a \n\t b<br>c<br/>d ", "a b\nc\nd"},
      {"<div>a</div><div>b</div>", "a\nb"},
      {"<title>T &amp; U</title><h1>Head</h1>body", "T & U\n\nHead\n\nbody"},
      {"<ul><li>x<li> y </ul>z", "- x\n- y\n\nz"},
      {"<tr><td>a</td><td>b</td></tr><tr><td>c</td></tr>", "a b\nc"},
      {"a<script>var x = '<p>no</p>';</script>b", "ab"},
      {"a<STYLE>p{}</Style >b", "ab"},
      {"a<script>if (x </ y) { }</script>b", "ab"},
      {"a<script>never closed", "a"},
      {"a<!-- <p>hidden</p> -->b<!doctype html><?php echo ?>c", "abc"},
      {"a<!-- never closed", "a"},
      {"<a href=\"x>y\" title='<b>'>link</a>", "link"},
      {"<p class=it's>word</p>", "word"},
      {"1 < 2 and 3 > 2 <3 <", "1 < 2 and 3 > 2 <3 <"},
      {"&lt;b&gt; &#233; &#xe9; &#x1F600; &nbsp;x &hellip;", "<b> é é 😀 x …"},
      {"&bogus; &; & &#xZZ; &#55296; &#0; &#99999999999;", "&bogus; &; & &#xZZ; \uFFFD \uFFFD \uFFFD"},
      {"<pre>a\n  b\tc</pre>d", "a\n  b\tc\n\nd"},
      {"x\x01y\x7fz", "xyz"},
      {"caf\xe9", "caf\uFFFD"},
  };
  for (const Row& row : rows) EXPECT_EQ(html_to_text(row.html), row.text) << row.html;
}

TEST(HtmlText, TakesTimeInProportionToThePage) {
  for (const std::string piece :
       {"<", "<a '", "<a b=\"", "<!--", "&", "&#", "</", "<script></", "<p>", "<pre> ", "<li>"}) {
    const auto work = [](const std::string& page) { EXPECT_LE(html_to_text(page).size(), page.size() + 10); };
    EXPECT_LT(test::growth(piece, 100'000, work), test::kMaxGrowth) << piece;
  }
}

TEST(WebText, IsDecidedByTheContentType) {
  EXPECT_EQ(*web_text("text/html; charset=utf-8", "<p>a</p>"), "a");
  EXPECT_EQ(*web_text("Application/XHTML+XML", "<p>a</p>"), "a");
  EXPECT_EQ(*web_text("text/plain", "<p>a</p>"), "<p>a</p>");
  EXPECT_EQ(*web_text("application/problem+json", "{}"), "{}");
  EXPECT_EQ(*web_text("text/plain; charset=ISO-8859-1", "caf\xe9"), "café");
  EXPECT_EQ(*web_text("text/plain", "caf\xe9"), "caf\uFFFD");
  EXPECT_EQ(*web_text("", "words"), "words");
  for (const auto& [type, body, said] : {std::tuple{"image/png", "x", "`image/png`"},
                                         {"application/octet-stream", "x", "`application/octet-stream`"},
                                         {"", "caf\xe9", "bytes of no known type"},
                                         {"x/y`\n\x1b[31m", "x", "`x/y[31m`"}}) {
    const Result<std::string> text = web_text(type, body);
    ASSERT_FAILS(text, invalid_input);
    EXPECT_EQ(text.error().message, std::string("the response is ") + said + ", which is not text");
  }
  EXPECT_FAILS(web_text("text/plain", std::string_view("a\0b", 3)), invalid_input);
}

TEST(FetchHosts, AreListedByTheirVeryName) {
  const std::vector<std::string> hosts{"Status.example.com", "api.example.com:8443", "[::1]:90"};
  const auto listed = [&](const char* url) { return is_listed(*net::parse_url(url), hosts); };
  EXPECT_TRUE(listed("https://status.example.com/x"));
  EXPECT_TRUE(listed("http://STATUS.example.com/"));
  EXPECT_TRUE(listed("https://status.example.com:443/"));
  EXPECT_FALSE(listed("https://status.example.com:8443/"));
  EXPECT_FALSE(listed("https://a.status.example.com/"));
  EXPECT_FALSE(listed("https://example.com/"));
  EXPECT_FALSE(listed("https://status.example.com.evil.org/"));
  EXPECT_TRUE(listed("https://api.example.com:8443/"));
  EXPECT_FALSE(listed("https://api.example.com/"));
  EXPECT_TRUE(listed("http://[::1]:90/"));
}

TEST(FetchHosts, AnEntryThatCouldNeverMatchIsAProblem) {
  const auto problems = [](const char* entry) {
    FieldReader reader(FieldReader::Scalars::text);
    check_fetch_hosts({entry}, reader);
    return reader.problems_found();
  };
  for (const char* entry : {"example.com", "Example.com:8443", "10.0.0.1", "[::1]", "[::1]:90", "example.com:443"}) {
    EXPECT_EQ(problems(entry), 0U) << entry;
  }
  for (const char* entry : {"", "https://example.com", "example.com/x", "*.example.com", "a b", "::1", "0x7f.1",
                            "user@example.com", "example.com:99999"}) {
    EXPECT_EQ(problems(entry), 1U) << entry;
  }
}

TEST(FetchHosts, ARedirectStaysOnItsHostOrGoesToAListedOne) {
  const auto follows = [&](const char* from, const char* to) {
    return may_follow(*net::parse_url(from), *net::parse_url(to), {"listed.org"});
  };
  EXPECT_TRUE(follows("http://a.com/", "https://a.com/x"));
  EXPECT_TRUE(follows("http://a.com:81/", "http://a.com:81/x"));
  EXPECT_TRUE(follows("http://a.com/", "https://listed.org/"));
  EXPECT_FALSE(follows("http://a.com/", "http://a.com:6379/"));
  EXPECT_FALSE(follows("http://a.com/", "http://www.a.com/"));
  EXPECT_FALSE(follows("http://listed.org/", "http://b.com/"));
}

TEST(FetchHosts, OnlyPublicAddressesAreReadFromUnlessPrivateOnesAreAllowed) {
  using P = PrivateAddresses;
  struct Row {
    const char* address;
    bool refused_allows;
    bool allowed_allows;
  };
  for (const Row& row :
       {Row{"8.8.8.8", true, true}, Row{"127.0.0.1", false, true}, Row{"10.0.0.1", false, true},
        Row{"100.64.0.1", false, true}, Row{"fd00::1", false, true}, Row{"::1", false, true},
        Row{"169.254.169.254", false, false}, Row{"fe80::1", false, false}, Row{"::ffff:169.254.169.254", false, false},
        Row{"0.0.0.0", false, false}, Row{"224.0.0.1", false, false}, Row{"192.0.2.1", false, false}}) {
    const auto address = asio::ip::make_address(row.address);
    EXPECT_EQ(fetch_allows(P::refused)(address).has_value(), row.refused_allows) << row.address;
    EXPECT_EQ(fetch_allows(P::allowed)(address).has_value(), row.allowed_allows) << row.address;
  }
}

}  // namespace
}  // namespace deputy::tools
