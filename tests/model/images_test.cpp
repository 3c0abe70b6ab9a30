// Images in requests: what is one, and how each API is sent it, as its reference writes it.
#include "model/images.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/anthropic/messages.h"
#include "model/bedrock/converse.h"
#include "model/openai/body.h"
#include "model/openai_chat/body.h"
#include "model/sendable.h"
#include "model/written.h"
#include "support/results.h"

namespace deputy::model {
namespace {

using testing::HasSubstr;

const std::string kPng = std::string("\x89PNG\r\n\x1a\n", 8) + "abc";
// By `printf '\x89PNG\r\n\x1a\nabc' | base64`.
constexpr std::string_view kPngInBase64 = "iVBORw0KGgphYmM=";

Image png() { return image_of(kPng).value(); }

Request shows_png() {
  Request request = test::asks("what is wrong?");
  request.turns[0].blocks.insert(request.turns[0].blocks.begin(), png());
  return request;
}

TEST(Images, AreToldByTheirFirstBytes) {
  EXPECT_EQ(png().media_type, "image/png");
  EXPECT_EQ(*png().base64, kPngInBase64);
  EXPECT_EQ(image_of("\xff\xd8\xff\xe0 jpeg")->media_type, "image/jpeg");
  EXPECT_EQ(image_of("GIF89a…")->media_type, "image/gif");
  EXPECT_EQ(image_of(std::string("RIFF\0\0\0\0WEBPVP8 ", 16))->media_type, "image/webp");
  for (const char* other : {"", "RIFF", "<svg/>", "%PDF-1.7", "BM6"}) EXPECT_FALSE(image_of(other)) << other;
}

TEST(Images, AreAtMostFiveMegabytes) {
  EXPECT_OK(image_of(kPng + std::string(kMaxImage - kPng.size(), 'x')));
  EXPECT_FALSE(image_of(kPng + std::string(kMaxImage, 'x')));
}

TEST(Images, OnlySomeKindsAreTaken) {
  for (const char* type : {"image/png", "IMAGE/JPEG", "image/gif", "image/webp; q=1"}) EXPECT_TRUE(is_image_type(type));
  for (const char* type : {"", "image/svg+xml", "image/tiff", "text/plain"}) EXPECT_FALSE(is_image_type(type)) << type;
}

TEST(Images, OneThatIsNotSentHasALineInItsPlace) {
  Request request = shows_png();
  EXPECT_TRUE(has_images(request));
  drop_images(request.turns);
  EXPECT_FALSE(has_images(request));
  EXPECT_EQ(test::in_a_line(sendable_turns(request.turns)),
            "user[text (An image stood here that could not be shown to you: say so if it matters.) | text what is "
            "wrong?]");
}

TEST(Images, AnthropicIsSentABlock) {
  const auto body = anthropic::messages_body(shows_png(), {.manner = {.model = "claude-x"}, .second_try = {}}).body;
  EXPECT_EQ(body.at("messages"), test::read_json(R"([{"role": "user", "content": [
      {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgphYmM="}},
      {"type": "text", "text": "what is wrong?", "cache_control": {"type": "ephemeral"}}]}])"));
}

TEST(Images, ConverseIsSentABlock) {
  const auto body =
      bedrock::converse_body(
          shows_png(), {.manner = {.model = "amazon.nova-pro-v1:0"}, .second_try = {}, .api = MessagesApi::bedrock})
          .body;
  EXPECT_EQ(body.at("messages"), test::read_json(R"([{"role": "user", "content": [
      {"image": {"format": "png", "source": {"bytes": "iVBORw0KGgphYmM="}}}, {"text": "what is wrong?"}]}])"));
}

TEST(Images, ResponsesIsSentADataUrl) {
  const auto body = openai::responses_body(shows_png(), {.model = "gpt-x"}, {}, /*shows_thinking=*/false).body;
  EXPECT_EQ(body.at("input"), test::read_json(R"([{"type": "message", "role": "user", "content": [
      {"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgphYmM="},
      {"type": "input_text", "text": "what is wrong?"}]}])"));
}

TEST(Images, ChatCompletionsIsSentADataUrl) {
  const auto body = openai_chat::completions_body(shows_png(), {.model = "m"}, {}, {}).body;
  EXPECT_EQ(body.at("messages"), test::read_json(R"([{"role": "user", "content": [
      {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgphYmM="}},
      {"type": "text", "text": "what is wrong?"}]}])"));
}

struct Refusal {
  int status;
  std::string said;
};

TEST(Images, ThatAModelRefusesAreLeftOutOfASecondTry) {
  for (const Refusal& refusal : {Refusal{400, "Invalid content type. image_url is only supported by certain models."},
                                 Refusal{404, "No endpoints found that support image input"},
                                 Refusal{400, "This model doesn't support the image content block that you provided"},
                                 Refusal{500, "m is not a multimodal model"}}) {
    Request request = shows_png();
    SecondTry second_try;
    EXPECT_TRUE(second_try.may_help(refusal.status, refusal.said, 0, request)) << refusal.said;
    EXPECT_FALSE(has_images(request));
    EXPECT_FALSE(second_try.may_help(refusal.status, refusal.said, 0, request)) << "once";
  }
  Request request = shows_png();
  SecondTry second_try;
  EXPECT_FALSE(second_try.may_help(429, "too many image requests", 0, request));
  EXPECT_TRUE(has_images(request));
}

}  // namespace
}  // namespace deputy::model
