#include "redact/corpus.h"

#include <gtest/gtest.h>

#include <iostream>

#include "redact/redact.h"

namespace deputy::redact {
namespace {

struct Case {
  std::string text;
  std::string expected;  // with every marker written as [kind]
};

Case read_case(const std::string& line) {
  const std::size_t tab = line.find('\t');
  const std::string kind = line.substr(0, tab);
  Case read{read_marked(line.substr(tab + 1)).text, line.substr(tab + 1)};
  for (std::size_t open = read.expected.find(kOpen); open != std::string::npos; open = read.expected.find(kOpen)) {
    const std::size_t close = read.expected.find(kClose, open);
    read.expected.replace(open, close + kClose.size() - open, "[" + kind + "]");
  }
  return read;
}

/// `[redacted:aws#012345]` as `[aws]`.
std::string with_plain_markers(std::string text) {
  for (auto marker = next_marker(text); marker; marker = next_marker(text, marker->begin + 1)) {
    const std::string whole(marker->of(text));
    const std::size_t colon = whole.find(':');
    text.replace(marker->begin, whole.size(), "[" + whole.substr(colon + 1, whole.find('#') - colon - 1) + "]");
  }
  return text;
}

TEST(Corpus, EverySecretIsFoundAndNoOrdinaryLineIsTouched) {
  const Redactor redactor("salt");
  int secrets = 0, missed = 0, ordinary = 0, false_hits = 0;
  for (const std::string& line : lines_of("secrets.txt")) {
    const Case tried = read_case(line);
    const std::string got = with_plain_markers(redactor.redact(tried.text));
    ++secrets;
    if (got == tried.expected) continue;
    ++missed;
    ADD_FAILURE() << tried.text << "\n  gives    " << got << "\n  and not  " << tried.expected;
  }
  for (const std::string& line : lines_of("ordinary.txt")) {
    ++ordinary;
    const std::string got = redactor.redact(line);
    if (got == line) continue;
    ++false_hits;
    ADD_FAILURE() << line << "\n  gives  " << got;
  }
  std::cout << secrets << " secrets, " << missed << " missed; " << ordinary << " ordinary lines, " << false_hits
            << " false hits\n";
  EXPECT_GE(secrets, 120);
  EXPECT_GE(ordinary, 300);
}

TEST(Corpus, TheOrdinaryLinesAsOneTextAreUntouchedToo) {
  const std::string text = test::read_file(std::filesystem::path(REDACT_CORPUS) / "ordinary.txt");
  EXPECT_EQ(Redactor("salt").redact(text), text);
  EXPECT_TRUE(find(text).empty());
}

}  // namespace
}  // namespace deputy::redact
