#include "sim/slack/api/arguments.h"

#include <gtest/gtest.h>

namespace deputy::sim::slack {
namespace {

net::ServerRequest request(std::string type, std::string body) {
  net::ServerRequest made{.method = "POST",
                          .path = "/api/chat.postMessage",
                          .query = "",
                          .headers = {},
                          .body = std::move(body),
                          .peer = ""};
  if (!type.empty()) made.headers.push_back({"Content-Type", std::move(type)});
  return made;
}

constexpr std::string_view kForm = "application/x-www-form-urlencoded";
constexpr std::string_view kMultipart =
    "--cut\r\nContent-Disposition: form-data; name=\"channel\"\r\n\r\nC1\r\n"
    "--cut\r\nContent-Disposition: form-data; name=\"body\"; filename=\"a.log\"\r\nContent-Type: "
    "text/plain\r\n\r\nline\r\n\r\nlast\r\n"
    "--cut--\r\n";

TEST(SlackArguments, FormJsonAndMultipartSayTheSame) {
  for (const auto& [type, body] : std::vector<std::pair<std::string, std::string>>{
           {std::string(kForm), "channel=C1&blocks=%5B1%5D&limit=7&flag=true"},
           {"application/json; charset=utf-8", R"({"channel":"C1","blocks":[1],"limit":7,"flag":true})"},
           {"multipart/form-data; boundary=x",
            "--x\r\nContent-Disposition: form-data; name=\"channel\"\r\n\r\nC1\r\n--x\r\nContent-Disposition: "
            "form-data; "
            "name=\"blocks\"\r\n\r\n[1]\r\n--x\r\nContent-Disposition: form-data; "
            "name=\"limit\"\r\n\r\n7\r\n--x\r\nContent-Disposition: "
            "form-data; name=\"flag\"\r\n\r\ntrue\r\n--x--\r\n"}}) {
    const auto arguments = Arguments::read(request(type, body));
    ASSERT_TRUE(arguments) << type << ": " << arguments.error();
    EXPECT_EQ(arguments->text("channel"), "C1") << type;
    EXPECT_EQ(arguments->structured("blocks"), json::value(json::array{1})) << type;
    EXPECT_EQ(arguments->number("limit"), 7) << type;
    EXPECT_TRUE(arguments->flag("flag")) << type;
    EXPECT_FALSE(arguments->has("text")) << type;
  }
}

TEST(SlackArguments, WhatCannotBeReadHasSlacksCode) {
  EXPECT_EQ(Arguments::read(request("", "x")).error(), "missing_post_type");
  EXPECT_EQ(Arguments::read(request("image/png", "x")).error(), "invalid_post_type");
  EXPECT_EQ(Arguments::read(request("application/json", "{")).error(), "invalid_json");
  EXPECT_EQ(Arguments::read(request("application/json", "[]")).error(), "json_not_object");
  EXPECT_EQ(Arguments::read(request(std::string(kForm), "a=%")).error(), "invalid_form_data");
  EXPECT_EQ(Arguments::read(request("multipart/form-data", "x")).error(), "invalid_form_data");
}

TEST(SlackArguments, TextThatShouldBeJsonAndIsNotBecomesNull) {
  const auto arguments = Arguments::read(request(std::string(kForm), "blocks=%5B1"));
  ASSERT_TRUE(arguments);
  EXPECT_EQ(arguments->structured("blocks"), json::value(nullptr));
  EXPECT_EQ(arguments->structured("attachments"), std::nullopt);
}

TEST(SlackArguments, AFileOfAMultipartBodyKeepsItsBytes) {
  const net::ServerRequest upload = request("multipart/form-data; boundary=cut", std::string(kMultipart));
  EXPECT_EQ(multipart_field(upload, "body"), "line\r\n\r\nlast");
  EXPECT_EQ(multipart_field(upload, "nothing"), std::nullopt);
}

TEST(SlackArguments, AMultipartBodyThatEndsEarlyIsRefused) {
  for (std::size_t length = 1; length < kMultipart.size() - 4; ++length) {
    EXPECT_EQ(multipart_field(request("multipart/form-data; boundary=cut", std::string(kMultipart.substr(0, length))),
                              "body"),
              std::nullopt)
        << length;
  }
}

}  // namespace
}  // namespace deputy::sim::slack
