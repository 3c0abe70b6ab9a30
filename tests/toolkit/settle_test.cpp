#include "toolkit/settle.h"

#include <gtest/gtest.h>

#include "support/results.h"

namespace deputy::toolkit {
namespace {

ToolSpec spec() {
  ToolSpec spec;
  spec.kinds = {{"path", Kind::path}, {"url", Kind::url}, {"text", Kind::text}, {"channel", Kind::channel}};
  return spec;
}

struct Row {
  std::string parameter;
  std::string given;
  std::string settled;
};

TEST(Settle, BringsEveryArgumentToOneSpelling) {
  for (const auto& [parameter, given, settled] :
       {Row{"path", ".env", ".env"},
        Row{"path", "./.env", ".env"},
        Row{"path", ".env/", ".env"},
        Row{"path", ".env/.", ".env"},
        Row{"path", ".//.env", ".env"},
        Row{"path", "./secrets//x", "secrets/x"},
        Row{"path", "", "."},
        Row{"path", "./", "."},
        Row{"text", "./x", "./x"},
        Row{"channel", "#ops", "ops"},
        Row{"channel", " C012AB3CD ", "C012AB3CD"},
        Row{"channel", "<#C012AB3CD|ops>", "C012AB3CD"},
        Row{"channel", "<#C012AB3CD>", "C012AB3CD"},
        Row{"channel", "#", ""},
        Row{"channel", "<#>", ""},
        Row{"url", "http://LocalHost/%61dmin", "http://localhost/admin"},
        Row{"url", "HTTP://localhost.:80/a/%2e%2e/admin", "http://localhost/admin"},
        Row{"url", "https://example.com:443", "https://example.com/"},
        Row{"url", "https://example.com/a%2fb%20c#x", "https://example.com/a%2Fb%20c"},
        Row{"url", "https://example.com:8443/?q=%7e", "https://example.com:8443/?q=~"}}) {
    json::object arguments{{parameter, given}};
    ASSERT_OK(settle(spec(), arguments)) << given;
    EXPECT_EQ(arguments, (json::object{{parameter, settled}})) << given;
    ASSERT_OK(settle(spec(), arguments));
    EXPECT_EQ(arguments, (json::object{{parameter, settled}})) << "again " << given;
  }
}

TEST(Settle, RefusesWhatHasNoSpelling) {
  for (const auto& [parameter, given, unused] :
       {Row{"path", "../x", ""}, Row{"path", "/etc/passwd", ""}, Row{"path", "a\nb", ""}, Row{"url", "x.com", ""}}) {
    json::object arguments{{parameter, given}};
    EXPECT_FALSE(settle(spec(), arguments)) << given;
  }
}

TEST(Settle, AUrlIsAlsoWhatServersReadInIt) {
  EXPECT_EQ(other_spelling(Kind::url, "https://example.com/a%2Fb"), "https://example.com/a/b");
  EXPECT_EQ(other_spelling(Kind::url, "https://example.com//admin"), "https://example.com/admin");
  EXPECT_EQ(other_spelling(Kind::url, "https://example.com/%4gdmin%2Fx"), "https://example.com/%4gdmin/x");
  EXPECT_EQ(other_spelling(Kind::url, "https://example.com/admin"), "");
  EXPECT_EQ(other_spelling(Kind::path, "a"), "");
}

}  // namespace
}  // namespace deputy::toolkit
