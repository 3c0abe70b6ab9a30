// Views and attachments: what holds blocks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/slack/block_samples.h"
#include "sim/slack/kit/blocks.h"

namespace deputy::sim::slack {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> refused_view(const json::value& view) { return sentences(check_view(view)); }

TEST(SlackViews, AModalWithEveryInputIsTaken) { EXPECT_THAT(refused_view(sample_modal()), IsEmpty()); }

TEST(SlackViews, AHomeTabHasNoTitleAndNoButtons) {
  EXPECT_THAT(refused_view(parsed(R"({"type": "home", "blocks": [], "callback_id": "h", "private_metadata": ""})")),
              IsEmpty());
  EXPECT_THAT(refused_view(parsed(R"({"type": "home", "blocks": [], "title": {"type": "plain_text", "text": "x"}})")),
              ElementsAre("invalid additional property: title [json-pointer:/view]"));
}

TEST(SlackViews, SaysWhatAModalLacks) {
  EXPECT_THAT(refused_view(parsed("{}")), ElementsAre("missing required field: type [json-pointer:/view]"));
  EXPECT_THAT(refused_view(parsed(R"({"type": "modal"})")),
              ElementsAre("missing required field: title [json-pointer:/view]",
                          "missing required field: blocks [json-pointer:/view]"));
  EXPECT_THAT(refused_view(parsed(R"({"type": "workflow_step", "blocks": []})")),
              ElementsAre("unsupported type: workflow_step [json-pointer:/view/type]"));
  EXPECT_THAT(refused_view(parsed("[]")), ElementsAre("must provide an object [json-pointer:/view]"));
  auto modal = sample_modal();
  modal.erase("submit");
  EXPECT_THAT(check_view(modal), ElementsAre(BlockProblem{"must define `submit` to use an `input` block in modals",
                                                          "/view/blocks/1/input", "invalid_arguments"}));
}

TEST(SlackViews, TextIsTakenUpToItsLimit) {
  const std::pair<std::string, std::size_t> limits[] = {{R"({"title": {"type": "plain_text", "text": "@"}})", 24},
                                                        {R"({"submit": {"type": "plain_text", "text": "@"}})", 24},
                                                        {R"({"close": {"type": "plain_text", "text": "@"}})", 24},
                                                        {R"({"private_metadata": "@"})", 3000},
                                                        {R"({"callback_id": "@"})", 255},
                                                        {R"({"external_id": "@"})", 255}};
  for (const auto& [field, most] : limits) {
    const auto with = [&](std::size_t size) {
      auto modal = sample_modal();
      for (const auto& member : parsed(filled(field, letters(size))).as_object()) modal[member.key()] = member.value();
      return refused_view(modal);
    };
    EXPECT_THAT(with(most), IsEmpty()) << field;
    EXPECT_THAT(
        with(most + 1),
        ElementsAre(testing::StartsWith(fmt::format("must be less than {} characters [json-pointer:/view/", most + 1))))
        << field;
  }
}

TEST(SlackViews, OneElementIsFocused) {
  auto modal = sample_modal();
  for (const std::size_t i : {1, 2}) modal["blocks"].as_array()[i].at("element").as_object()["focus_on_load"] = true;
  EXPECT_THAT(refused_view(modal), ElementsAre("only one element can have `focus_on_load` "
                                               "[json-pointer:/view/blocks/2/element/focus_on_load]"));
}

TEST(SlackViews, AViewHas250Kilobytes) {
  auto modal = parsed(R"({"type": "modal", "title": {"type": "plain_text", "text": "x"}, "private_metadata": "",
                          "blocks": []})")
                   .as_object();
  const auto section =
      parsed(filled(R"({"type": "section", "text": {"type": "mrkdwn", "text": "@"}})", std::string(2900, 'x')));
  for (int i = 0; i < 84; ++i) modal["blocks"].as_array().push_back(section);
  const auto room = 250'000 - json::serialize(modal).size();
  ASSERT_LT(room, 3000U);
  modal["private_metadata"] = std::string(room, 'x');
  EXPECT_THAT(check_view(modal), IsEmpty());
  modal["title"].at("text") = "xx";
  EXPECT_THAT(check_view(modal),
              ElementsAre(BlockProblem{"must be less than 250001 bytes", "/view", "view_too_large"}));
}

TEST(SlackAttachments, TakesAColourBarWithBlocksAndTheOldFields) {
  EXPECT_THAT(check_attachments(parsed(R"([
      {"color": "#D93025", "fallback": "x", "blocks": [{"type": "divider"}]},
      {"color": "good", "pretext": "p", "author_name": "a", "title": "t", "title_link": "https://x", "text": "*x*",
       "fields": [{"title": "a", "value": "b", "short": true}], "footer": "f", "ts": "123456789",
       "mrkdwn_in": ["text"]}])")),
              IsEmpty());
}

TEST(SlackAttachments, RefusesWhatSlackDropsOrRefuses) {
  const std::pair<std::string_view, std::string_view> refusals[] = {
      {R"([{}])", "must define at least one of `blocks`, `text` or `fallback` [json-pointer:/attachments/0]"},
      {R"([{"text": "x", "color": "red"}])", "must be a valid color [json-pointer:/attachments/0/color]"},
      {R"([{"blocks": [{"type": "divider"}], "text": "x"}])",
       "invalid additional property: text [json-pointer:/attachments/0]"},
      {R"([{"blocks": [{"type": "alert"}]}])", "unsupported type: alert [json-pointer:/attachments/0/blocks/0/type]"},
      {R"([{"blocks": []}])", "must provide at least 1 items [json-pointer:/attachments/0/blocks]"},
      {R"({"text": "x"})", "must provide an array [json-pointer:/attachments]"},
      {R"([{"text": "x", "fields": [{"title": "x"}]}])",
       "missing required field: value [json-pointer:/attachments/0/fields/0]"},
  };
  for (const auto& [attachments, expected] : refusals)
    EXPECT_THAT(sentences(check_attachments(parsed(attachments))), ElementsAre(expected)) << attachments;
}

TEST(SlackAttachments, AMessageHasAHundred) {
  const auto many = [](std::size_t count) { return parsed("[" + numbered(R"({"text": "#"})", count) + "]"); };
  EXPECT_THAT(check_attachments(many(100)), IsEmpty());
  EXPECT_THAT(check_attachments(many(101)),
              ElementsAre(BlockProblem{"no more than 100 items allowed", "/attachments", "too_many_attachments"}));
}

}  // namespace
}  // namespace deputy::sim::slack
