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

TEST(SlackAttachments, TextIsTakenUpToItsLimit) {
  const std::tuple<std::string_view, std::size_t, std::string_view> limits[] = {
      {"pretext", 3000, ""},
      {"author_name", 3000, ""},
      {"author_subname", 3000, ""},
      {"title", 3000, ""},
      {"footer", 300, ""},
      {"ts", 255, ""},
      {"callback_id", 255, ""},
      {"author_link", 3000, "https://"},
      {"author_icon", 3000, "https://"},
      {"title_link", 3000, "https://"},
      {"image_url", 3000, "https://"},
      {"thumb_url", 3000, "https://"},
      {"footer_icon", 3000, "https://"},
  };
  for (const auto& [key, most, prefix] : limits) {
    const auto with = [&](const std::string& value) {
      return sentences(check_attachments(json::array{json::object{{"text", "x"}, {key, value}}}));
    };
    const auto at_limit = std::string(prefix) + letters(most - prefix.size());
    EXPECT_THAT(with(at_limit), IsEmpty()) << key;
    EXPECT_THAT(
        with(at_limit + "x"),
        ElementsAre(fmt::format("must be less than {} characters [json-pointer:/attachments/0/{}]", most + 1, key)));
    EXPECT_THAT(with(""),
                ElementsAre(fmt::format("must be more than 0 characters [json-pointer:/attachments/0/{}]", key)));
    if (!prefix.empty()) {
      EXPECT_THAT(with("example.com"),
                  ElementsAre(fmt::format("must be a valid URL [json-pointer:/attachments/0/{}]", key)));
    }
  }
}

TEST(SlackAttachments, TheirTextCountsTowardsTheMessage) {
  for (const std::string_view key : {"text", "fallback", "pretext", "author_name", "author_subname", "title"}) {
    json::array list{
        json::object{{"blocks", json::array{json::object{{"type", "markdown"}, {"text", letters(10'000)}}}}}};
    list.push_back(json::object{{key, letters(2'001)}});
    if (key == "author_name" || key == "author_subname") list[1].as_object()["image_url"] = "https://x";
    EXPECT_THAT(check_attachments(list),
                ElementsAre(BlockProblem{"must be less than 12001 characters", "/attachments", "msg_blocks_too_long"}))
        << key;
  }
}

TEST(SlackViews, AHomeTabHasTheLimitsOfAModal) {
  for (const auto& [key, most] : {std::pair<std::string_view, std::size_t>{"private_metadata", 3000},
                                  {"callback_id", 255},
                                  {"external_id", 255}}) {
    const auto with = [&](std::size_t size) {
      return refused_view(json::object{{"type", "home"}, {"blocks", json::array()}, {key, letters(size)}});
    };
    EXPECT_THAT(with(0), IsEmpty()) << key;
    EXPECT_THAT(with(most), IsEmpty()) << key;
    EXPECT_THAT(with(most + 1),
                ElementsAre(fmt::format("must be less than {} characters [json-pointer:/view/{}]", most + 1, key)));
  }
  EXPECT_THAT(refused_view(parsed(R"({"type": "home"})")),
              ElementsAre("missing required field: blocks [json-pointer:/view]"));
}

TEST(SlackViews, AViewHasAHundredBlocks) {
  const auto with = [](std::string_view type, std::size_t count) {
    json::object view{{"type", type}, {"blocks", parsed("[" + numbered(R"({"type": "divider"})", count) + "]")}};
    if (type == "modal") view["title"] = {{"type", "plain_text"}, {"text", "x"}};
    return refused_view(view);
  };
  for (const std::string_view type : {"modal", "home"}) {
    EXPECT_THAT(with(type, 100), IsEmpty()) << type;
    EXPECT_THAT(with(type, 101), ElementsAre("no more than 100 items allowed [json-pointer:/view/blocks]")) << type;
  }
}

TEST(SlackAttachments, AMessageHasAHundred) {
  const auto many = [](std::size_t count) { return parsed("[" + numbered(R"({"text": "#"})", count) + "]"); };
  EXPECT_THAT(check_attachments(many(100)), IsEmpty());
  EXPECT_THAT(check_attachments(many(101)),
              ElementsAre(BlockProblem{"no more than 100 items allowed", "/attachments", "too_many_attachments"}));
}

}  // namespace
}  // namespace deputy::sim::slack
