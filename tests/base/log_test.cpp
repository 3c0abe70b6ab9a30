#include "base/log.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/json.h"
#include "base/text.h"

namespace deputy {
namespace {

// Collects lines without their time, and puts everything back.
class Log : public testing::Test {
 protected:
  Log() {
    log::set_sink([this](std::string_view line) { lines_.emplace_back(line); });
  }
  ~Log() override {
    log::set_sink({});
    log::set_filter({});
    log::set_format(log::Format::text);
    log::set_level(log::Level::info);
  }

  // "2026-11-15T04:10:02.123Z " is 25 characters.
  std::vector<std::string> text_lines() const {
    std::vector<std::string> lines;
    lines.reserve(lines_.size());
    for (const std::string& line : lines_) lines.push_back(line.substr(25));
    return lines;
  }
  std::vector<json::object> json_lines() const {
    std::vector<json::object> lines;
    for (const std::string& line : lines_) {
      lines.push_back(parse_json_object(line).value());
      EXPECT_EQ(lines.back().at("at").as_string().size(), 24U);
      lines.back().erase("at");
    }
    return lines;
  }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::vector<std::string> lines_;
};

using Lines = std::vector<std::string>;

TEST_F(Log, WritesOneLineOfTextAnEvent) {
  log::info("run finished",
            {{"run", "01ARZ"}, {"steps", 3}, {"cost", 0.5}, {"ok", true}, {"who", "Bo B."}, {"empty", ""}});
  log::warning("slow");
  log::error("broken", {{"bytes", std::uint64_t{12}}});
  EXPECT_EQ(text_lines(), (Lines{R"(info    run finished run=01ARZ steps=3 cost=0.5 ok=true who="Bo B." empty="")",
                                 "warning slow", "error   broken bytes=12"}));
}

TEST_F(Log, WritesOneObjectAnEvent) {
  log::set_format(log::Format::json);
  log::info(
      "run finished",
      {{"run", "01ARZ"}, {"steps", 3}, {"cost", 0.5}, {"ok", true}, {"who", "Bo \"B\"\n"}, {"none", std::nan("")}});
  EXPECT_EQ(json_lines(), (std::vector<json::object>{{{"level", "info"},
                                                      {"event", "run finished"},
                                                      {"run", "01ARZ"},
                                                      {"steps", 3},
                                                      {"cost", 0.5},
                                                      {"ok", true},
                                                      {"who", "Bo \"B\"\n"},
                                                      {"none", "nan"}}}));
}

TEST_F(Log, OneEventIsOneLineWhateverItsTextsHold) {
  log::info("said", {{"text", "a\nb"}});
  log::info("said", {{"text", "a\r\x1b[2Jb\x7f"}});
  log::info("said", {{"text", "a\"b\\c=d"}});
  log::info("said", {{"text", "a\u0085b\u009bc\u2028d\u2029"}});
  log::info("said\n2026-11-15T04:10:02.123Z error   forged");
  log::info("grüße", {{"text", "grüße€"}});
  EXPECT_EQ(text_lines(),
            (Lines{R"(info    said text="a\nb")", R"(info    said text="a\u000d\u001b[2Jb\u007f")",
                   R"(info    said text="a\"b\\c=d")", R"(info    said text="a\u0085b\u009bc\u2028d\u2029")",
                   R"(info    "said\n2026-11-15T04:10:02.123Z error   forged")", "info    grüße text=grüße€"}));
}

TEST_F(Log, LinesAreUtf8WhateverTheirTextsHold) {
  log::info("said", {{"text", "a\xFFz"}});
  log::set_format(log::Format::json);
  log::info("said\n", {{"text", "a\xFFz\n"}});
  for (const std::string& line : lines()) {
    EXPECT_TRUE(is_valid_utf8(line)) << line;
    EXPECT_EQ(line.find('\n'), std::string::npos);
  }
  EXPECT_EQ(lines().size(), 2U);
}

TEST_F(Log, FiltersTheEventAndEveryTextBesideItsName) {
  log::set_filter([](std::string_view text) -> std::string {
    if (text == "hunter2") return "[redacted]";
    return text == "token=hunter2" ? "token=[redacted]" : std::string(text);
  });
  log::info("hunter2", {{"token", "hunter2"}, {"count", 2}});
  log::set_format(log::Format::json);
  log::info("hunter2", {{"token", "hunter2"}});
  EXPECT_EQ(lines().at(0).substr(25), "info    [redacted] token=[redacted] count=2");
  const auto second = parse_json_object(lines().at(1)).value();
  EXPECT_EQ(second.at("event"), json::value("[redacted]"));
  EXPECT_EQ(second.at("token"), json::value("[redacted]"));
}

TEST_F(Log, WhatTheFilterReturnsCannotBreakTheLineEither) {
  log::set_filter([](std::string_view) { return std::string("a\nb"); });
  log::info("x", {{"y", "z"}});
  EXPECT_EQ(text_lines(), (Lines{R"(info    "a\nb" y="a\nb")"}));
}

TEST_F(Log, LeavesOutWhatIsBelowTheLevel) {
  const auto log_all = [] {
    log::debug("d");
    log::info("i");
    log::warning("w");
    log::error("e");
  };
  log_all();
  EXPECT_EQ(text_lines(), (Lines{"info    i", "warning w", "error   e"}));
  log::set_level(log::Level::error);
  log_all();
  EXPECT_EQ(text_lines(), (Lines{"info    i", "warning w", "error   e", "error   e"}));
  log::set_level(log::Level::debug);
  log::debug("d");
  EXPECT_EQ(text_lines().back(), "debug   d");
}

}  // namespace
}  // namespace deputy
