// The fields of the samples, one at a time: too long, too large, of the wrong kind, missing. Rows name a sample and a
// place in it; what is expected there is from Slack's reference.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "sim/slack/block_samples.h"
#include "sim/slack/kit/blocks.h"

namespace deputy::sim::slack {
namespace {

using testing::Contains;
using testing::IsEmpty;

/// A block with a sample in it: the sample itself, or what holds an element.
struct Placed {
  json::value block;
  std::string pointer;  // of the sample
  Surface surface = Surface::message;

  json::value& at(std::string_view place) { return block.at_pointer(pointer + std::string(place)); }
  std::vector<std::string> refused() const { return sentences(check_blocks(json::array{block}, surface)); }
  std::string expected(std::string_view sentence, std::string_view place) const {
    return fmt::format("{} [json-pointer:/blocks/0{}{}]", sentence, pointer, place);
  }
};

Surface surface_of(std::string_view surfaces) {
  return surfaces.starts_with("message") ? Surface::message
         : surfaces.starts_with("modal") ? Surface::modal
                                         : Surface::home;
}

/// "section" is a block and "element button" an element.
Placed placed(std::string_view name) {
  constexpr std::string_view kElement = "element ";
  if (!name.starts_with(kElement)) {
    const auto sample = std::ranges::find(kBlockSamples, name, &BlockSample::type);
    return {parsed(sample->block), "", surface_of(sample->surfaces)};
  }
  const auto sample = std::ranges::find(kElementSamples, name.substr(kElement.size()), &ElementSample::type);
  const auto holder = std::ranges::find(kHolders, split(sample->holders, " ").front(), &Holder::name);
  return {parsed(filled(holder->block, sample->element)), std::string(holder->pointer), surface_of(sample->surfaces)};
}

struct TextLimit {
  std::string_view sample;
  std::string_view place;
  std::size_t most;
  std::string_view prefix = "";
};

const TextLimit kTextLimits[] = {
    {"card", "/hero_image/image_url", 3000, "https://"},
    {"card", "/icon/alt_text", 2000},
    {"container", "/icon/image_url", 3000, "http://"},
    {"image", "/image_url", 3000, "https://"},
    {"plan", "/tasks/1/sources/0/text", 3000},
    {"rich_text", "/elements/0/elements/4/unicode", 255},
    {"rich_text", "/elements/0/elements/4/url", 3000, "https://"},
    {"rich_text", "/elements/0/elements/9/url", 3000, "https://"},
    {"data_table", "/caption", 3000},
    {"data_table", "/rows/1/0/text", 3000},
    {"data_table", "/rows/1/1/text", 3000},
    {"plan", "/title", 3000},
    {"plan", "/tasks/0/task_id", 255},
    {"plan", "/tasks/0/title", 3000},
    {"rich_text", "/elements/0/elements/1/url", 3000, "https://"},
    {"rich_text", "/elements/0/elements/1/text", 3000},
    {"rich_text", "/elements/0/elements/2/user_id", 255},
    {"rich_text", "/elements/0/elements/3/channel_id", 255},
    {"rich_text", "/elements/0/elements/4/name", 255},
    {"rich_text", "/elements/0/elements/5/usergroup_id", 255},
    {"rich_text", "/elements/0/elements/6/team_id", 255},
    {"rich_text", "/elements/0/elements/9/format", 3000},
    {"rich_text", "/elements/0/elements/9/fallback", 3000},
    {"task_card", "/task_id", 255},
    {"task_card", "/title", 3000},
    {"task_card", "/details/block_id", 255},
    {"task_card", "/sources/0/url", 3000, "https://"},
    {"task_card", "/sources/0/text", 3000},
    {"video", "/alt_text", 2000},
    {"video", "/title/text", 199},
    {"video", "/description/text", 199},
    {"video", "/author_name", 49},
    {"video", "/provider_name", 3000},
    {"video", "/title_url", 3000, "https://"},
    {"video", "/thumbnail_url", 3000, "https://"},
    {"video", "/video_url", 3000, "https://"},
    {"video", "/provider_icon_url", 3000, "https://"},
    {"element button", "/url", 3000, "https://"},
    {"element checkboxes", "/options/0/text/text", 75},
    {"element checkboxes", "/options/0/value", 75},
    {"element checkboxes", "/options/0/description/text", 75},
    {"element overflow", "/options/0/text/text", 75},
    {"element overflow", "/options/0/value", 75},
    {"element overflow", "/options/0/description/text", 75},
    {"element overflow", "/options/0/url", 3000, "https://"},
    {"element workflow_button", "/accessibility_label", 75},
    {"element url_text_input", "/initial_value", 3000},
    {"element email_text_input", "/initial_value", 3000},
    {"element feedback_buttons", "/positive_button/accessibility_label", 75},
    {"element feedback_buttons", "/negative_button/text/text", 75},
    {"element file_input", "/filetypes/0", 255},
    {"element icon_button", "/text/text", 75},
    {"element icon_button", "/value", 2000},
    {"element icon_button", "/accessibility_label", 75},
    {"element icon_button", "/visible_to_user_ids/0", 255},
    {"element image", "/slack_file/id", 255},
    {"element timepicker", "/timezone", 255},
    {"element users_select", "/initial_user", 255},
    {"element conversations_select", "/initial_conversation", 255},
    {"element channels_select", "/initial_channel", 255},
    {"element multi_users_select", "/initial_users/0", 255},
    {"element multi_conversations_select", "/initial_conversations/0", 255},
    {"element multi_channels_select", "/initial_channels/0", 255},
    {"element workflow_button", "/text/text", 75},
    {"element workflow_button", "/workflow/trigger/url", 3000, "https://"},
    {"element workflow_button", "/workflow/trigger/customizable_input_parameters/0/name", 255},
    {"element workflow_button", "/workflow/trigger/customizable_input_parameters/0/value", 3000},
};

TEST(SlackBlockParts, TextIsTakenUpToItsLimit) {
  for (const auto& limit : kTextLimits) {
    auto sample = placed(limit.sample);
    const auto at_limit = std::string(limit.prefix) + letters(limit.most - limit.prefix.size());
    sample.at(limit.place) = at_limit;
    EXPECT_THAT(sample.refused(), IsEmpty()) << limit.sample << limit.place;
    sample.at(limit.place) = at_limit + "x";
    EXPECT_THAT(sample.refused(),
                Contains(sample.expected(fmt::format("must be less than {} characters", limit.most + 1), limit.place)))
        << limit.sample;
    sample.at(limit.place) = "";
    EXPECT_THAT(sample.refused(), Contains(sample.expected("must be more than 0 characters", limit.place)))
        << limit.sample;
    if (limit.prefix.empty()) continue;
    sample.at(limit.place) = "ftp://example.com";
    EXPECT_THAT(sample.refused(), Contains(testing::StartsWith("must be a valid "))) << limit.sample << limit.place;
  }
}

TEST(SlackBlockParts, AnAddressIsOfTheWeb) {
  for (const auto* const bad : {"example.com", "https://", "javascript:go", "https://a b", "https://<x>", "HTTPS//x"}) {
    auto sample = placed("element button");
    sample.at("/url") = bad;
    EXPECT_THAT(sample.refused(), Contains(sample.expected("must be a valid URL", "/url"))) << bad;
  }
}

/// What holds for a text field of many: 1 to `most` characters.
void expect_text_limit(Placed sample, std::string_view object, std::string_view key, std::size_t most) {
  const auto place = fmt::format("{}/{}", object, key);
  const auto with = [&](std::string text) {
    sample.at(object).as_object()[key] = text;
    return sample.refused();
  };
  EXPECT_THAT(with("x"), IsEmpty()) << json::serialize(sample.block);
  EXPECT_THAT(with(letters(most)), IsEmpty()) << json::serialize(sample.block);
  EXPECT_THAT(with(letters(most + 1)),
              Contains(sample.expected(fmt::format("must be less than {} characters", most + 1), place)));
  EXPECT_THAT(with(""), Contains(sample.expected("must be more than 0 characters", place)));
}

TEST(SlackBlockParts, EveryBlockHasAnIdThatIsItsOwn) {
  for (const auto& block : kBlockSamples) {
    if (block.surfaces.empty()) continue;
    auto sample = placed(block.type);
    expect_text_limit(sample, "", "block_id", 255);
    sample.at("").as_object()["block_id"] = "mine";
    const json::array blocks{sample.block, parsed(R"({"type": "divider", "block_id": "mine"})")};
    EXPECT_THAT(sentences(check_blocks(blocks, sample.surface)),
                Contains("`block_id` \"mine\" already exists [json-pointer:/blocks/1/block_id]"))
        << block.type;
  }
}

TEST(SlackBlockParts, EveryInteractiveElementHasAnActionId) {
  for (const auto& element : kElementSamples) {
    if (element.type == "image") continue;
    const auto sample = placed(fmt::format("element {}", element.type));
    expect_text_limit(sample, "", "action_id", 255);
    // Only these hold several elements.
    if (!sample.pointer.ends_with("/0")) continue;
    auto twice = sample;
    auto& list = twice.block.at_pointer(sample.pointer.substr(0, sample.pointer.size() - 2)).as_array();
    list[0].as_object()["action_id"] = "mine";
    list.push_back(list[0]);
    EXPECT_THAT(twice.refused(), Contains(testing::StartsWith("`action_id` \"mine\" already exists"))) << element.type;
  }
}

TEST(SlackBlockParts, APlaceholderHas150Characters) {
  for (const auto& element : kElementSamples) {
    if (!element.element.contains("\"placeholder\"")) continue;
    expect_text_limit(placed(fmt::format("element {}", element.type)), "/placeholder", "text", 150);
  }
}

TEST(SlackBlockParts, InputsOfViewsCanBeFocusedOneAtATime) {
  const auto& holder = *std::ranges::find(kHolders, "input", &Holder::name);
  for (const auto& element : kElementSamples) {
    if (!contains(split(element.holders, " "), std::string_view("input"))) continue;
    auto block = parsed(filled(holder.block, element.element));
    block.at("element").as_object()["focus_on_load"] = true;
    const auto one = sentences(check_blocks(json::array{block}, Surface::modal));
    if (element.type == "file_input") {
      EXPECT_THAT(one,
                  testing::ElementsAre("invalid additional property: focus_on_load [json-pointer:/blocks/0/element]"));
      continue;
    }
    EXPECT_THAT(one, IsEmpty()) << element.type;
    EXPECT_THAT(sentences(check_blocks(json::array{block, block}, Surface::modal)),
                testing::ElementsAre(
                    "only one element can have `focus_on_load` [json-pointer:/blocks/1/element/focus_on_load]"))
        << element.type;
    if (!element.surfaces.starts_with("message")) continue;
    EXPECT_THAT(sentences(check_blocks(json::array{block}, Surface::message)),
                testing::ElementsAre("invalid additional property: focus_on_load [json-pointer:/blocks/0/element]"))
        << element.type;
  }
}

TEST(SlackBlockParts, AMenuOfAnInputMayAskForAResponseUrl) {
  const auto& holder = *std::ranges::find(kHolders, "input", &Holder::name);
  for (const auto* const type : {"conversations_select", "channels_select"}) {
    const auto input =
        parsed(filled(holder.block, fmt::format(R"({{"type": "{}", "response_url_enabled": true}})", type)));
    EXPECT_THAT(check_blocks(json::array{input}, Surface::modal), IsEmpty()) << type;
    EXPECT_FALSE(check_blocks(json::array{input}, Surface::message).empty()) << type;
  }
}

struct NumberLimit {
  std::string_view sample;
  std::string_view place;
  std::int64_t least, most;
};

const NumberLimit kNumberLimits[] = {
    {"data_table", "/page_size", 1, 100},
    {"data_table", "/row_header_column_index", 0, 1},
    {"rich_text", "/elements/1/indent", 0, 8},
    {"rich_text", "/elements/1/border", 0, 1},
    {"rich_text", "/elements/0/elements/9/timestamp", 0, 1'000'000},
    {"rich_text", "/elements/2/border", 0, 1},
    {"rich_text", "/elements/3/border", 0, 1},
    {"element multi_external_select", "/max_selected_items", 1, 1'000'000},
    {"element multi_conversations_select", "/max_selected_items", 1, 1'000'000},
    {"element multi_channels_select", "/max_selected_items", 1, 1'000'000},
    {"element datetimepicker", "/initial_date_time", 1'000'000'000, 9'999'999'999},
    {"element file_input", "/max_files", 1, 10},
    {"element plain_text_input", "/min_length", 0, 3000},
    {"element plain_text_input", "/max_length", 1, 3000},
    {"element rich_text_input", "/min_lines", 1, 100},
    {"element rich_text_input", "/max_lines", 1, 100},
    {"element multi_users_select", "/max_selected_items", 1, 1'000'000},
    {"element external_select", "/min_query_length", 0, 1'000'000},
    {"element multi_external_select", "/min_query_length", 0, 1'000'000},
};

TEST(SlackBlockParts, NumbersAreTakenBetweenTheirLimits) {
  for (const auto& limit : kNumberLimits) {
    auto sample = placed(limit.sample);
    for (const auto number : {limit.least, limit.most}) {
      sample.at(limit.place) = number;
      EXPECT_THAT(sample.refused(), IsEmpty()) << limit.sample << limit.place << " " << number;
    }
    sample.at(limit.place) = limit.least - 1;
    EXPECT_THAT(sample.refused(),
                Contains(sample.expected(fmt::format("must be more than {}", limit.least - 1), limit.place)));
    sample.at(limit.place) = "4";
    EXPECT_THAT(sample.refused(), Contains(sample.expected("must provide an integer", limit.place)));
    if (limit.most == 1'000'000) continue;
    sample.at(limit.place) = limit.most + 1;
    EXPECT_THAT(sample.refused(),
                Contains(sample.expected(fmt::format("must be less than {}", limit.most + 1), limit.place)));
  }
}

struct ListLimit {
  std::string_view sample;
  std::string_view place;
  std::size_t least, most;
  std::string_view item;
};

const ListLimit kListLimits[] = {
    {"data_table", "/rows/0", 1, 20, R"({"type": "raw_text", "text": "x"})"},
    {"plan", "/tasks", 0, 50, R"({"type": "task_card", "task_id": "#", "title": "x", "status": "error"})"},
    {"task_card", "/sources", 0, 50, R"({"type": "url", "url": "https://x", "text": "x"})"},
    {"plan", "/tasks/1/sources", 0, 50, R"({"type": "url", "url": "https://x", "text": "x"})"},
    {"element multi_users_select", "/initial_users", 1, 100, R"("U#")"},
    {"element multi_channels_select", "/initial_channels", 1, 100, R"("C#")"},
    {"element multi_external_select", "/initial_options", 1, 100,
     R"({"text": {"type": "plain_text", "text": "a"}, "value": "a#"})"},
    {"element multi_static_select", "/option_groups", 1, 100,
     R"({"label": {"type": "plain_text", "text": "g"}, "options": [{"text": {"type": "plain_text", "text": "a"}, "value": "a#"}]})"},
    {"element file_input", "/filetypes", 1, 100, R"("log")"},
    {"element icon_button", "/visible_to_user_ids", 1, 100, R"("U#")"},
    {"element email_text_input", "/dispatch_action_config/trigger_actions_on", 1, 2, R"("on_enter_pressed")"},
    {"element conversations_select", "/filter/include", 1, 4, R"("im")"},
    {"element multi_conversations_select", "/initial_conversations", 1, 100, R"("C#")"},
    {"element workflow_button", "/workflow/trigger/customizable_input_parameters", 0, 100,
     R"({"name": "#", "value": "x"})"},
    {"element multi_static_select", "/option_groups/0/options", 1, 100,
     R"({"text": {"type": "plain_text", "text": "a"}, "value": "a#"})"},
};

TEST(SlackBlockParts, ListsAreTakenBetweenTheirLimits) {
  for (const auto& limit : kListLimits) {
    auto sample = placed(limit.sample);
    const auto with = [&](std::size_t count) {
      sample.at(limit.place) = parsed("[" + numbered(limit.item, count) + "]");
      auto problems = sample.refused();
      // Other rules depend on these lists; here their limits count.
      std::erase_if(problems, [](const std::string& problem) {
        return (problem.starts_with("no more than 2 items") && problem.ends_with("/initial_options]")) ||
               problem.starts_with("all rows must") || problem.starts_with("must be one of the provided") ||
               problem.starts_with("must be less than 1 [json-pointer:/blocks/0/row_header");
      });
      return problems;
    };
    EXPECT_THAT(with(limit.least), IsEmpty()) << limit.sample << limit.place;
    EXPECT_THAT(with(limit.most), IsEmpty()) << limit.sample << limit.place;
    EXPECT_THAT(with(limit.most + 1),
                Contains(sample.expected(fmt::format("no more than {} items allowed", limit.most), limit.place)));
    if (limit.least > 0) {
      EXPECT_THAT(with(0), Contains(sample.expected("must provide at least 1 items", limit.place)));
    }
  }
}

struct Required {
  std::string_view sample;
  std::string_view place;
  std::string_view keys;
};

const Required kRequired[] = {
    {"section", "/text", "text"},
    {"section", "/fields/1", "text"},
    {"data_table", "/rows/0/0", "text"},
    {"data_table", "/rows/1/1", "text value"},
    {"plan", "/tasks/0", "task_id title status"},
    {"rich_text", "/elements/0", "elements"},
    {"rich_text", "/elements/0/elements/0", "text"},
    {"rich_text", "/elements/0/elements/1", "url"},
    {"rich_text", "/elements/0/elements/2", "user_id"},
    {"rich_text", "/elements/0/elements/3", "channel_id"},
    {"rich_text", "/elements/0/elements/4", "name"},
    {"rich_text", "/elements/0/elements/5", "usergroup_id"},
    {"rich_text", "/elements/0/elements/6", "team_id"},
    {"rich_text", "/elements/0/elements/7", "range"},
    {"rich_text", "/elements/0/elements/8", "value"},
    {"rich_text", "/elements/0/elements/9", "timestamp format"},
    {"rich_text", "/elements/1", "elements style"},
    {"rich_text", "/elements/2", "elements"},
    {"rich_text", "/elements/3", "elements"},
    {"task_card", "/sources/0", "url text"},
    {"task_card", "/output", "elements"},
    {"element button", "/confirm", "title text confirm deny"},
    {"element checkboxes", "/options/0", "text value"},
    {"element feedback_buttons", "/positive_button", "text value"},
    {"element overflow", "/options/0", "text value"},
    {"element static_select", "/options/0", "text value"},
    {"element multi_static_select", "/option_groups/0", "label options"},
    {"element plain_text_input", "/dispatch_action_config", "trigger_actions_on"},
    {"element workflow_button", "/workflow", "trigger"},
    {"element workflow_button", "/workflow/trigger", "url"},
    {"element workflow_button", "/workflow/trigger/customizable_input_parameters/0", "name value"},
};

TEST(SlackBlockParts, ARequiredFieldIsMissed) {
  for (const auto& required : kRequired) {
    for (const auto key : split(required.keys, " ")) {
      auto sample = placed(required.sample);
      EXPECT_EQ(sample.at(required.place).as_object().erase(key), 1U) << required.sample << required.place << key;
      EXPECT_THAT(sample.refused(),
                  Contains(sample.expected(fmt::format("missing required field: {}", key), required.place)));
    }
  }
}

struct Wrong {
  std::string_view sample;
  std::string_view place;
  json::value value;
  std::string_view sentence;
};

TEST(SlackBlockParts, AValueOfTheWrongKindOrFormIsRefused) {
  const Wrong wrongs[] = {
      {"section", "/fields/1/text", " \n\t", "must be more than 0 characters"},
      {"section", "/text/text", " ", "must be more than 0 characters"},
      {"rich_text", "/elements", json::array(), "must provide at least 1 items"},
      {"rich_text", "/elements/0/elements", json::array(), "must provide at least 1 items"},
      {"rich_text", "/elements/1/elements", json::array(), "must provide at least 1 items"},
      {"rich_text", "/elements/2/elements", json::array(), "must provide at least 1 items"},
      {"rich_text", "/elements/3/elements", json::array(), "must provide at least 1 items"},
      {"rich_text", "/elements/0/elements/0/text", "", "must be more than 0 characters"},
      {"task_card", "/details/elements", json::array(), "must provide at least 1 items"},
      {"element image", "/slack_file", parsed("{}"), "must define either `id` or `url`"},
      {"element image", "", parsed(R"({"type": "image", "alt_text": "x"})"),
       "must define either `image_url` or `slack_file`"},
      {"element overflow", "/options",
       parsed("[" + numbered(R"({"text": {"type": "plain_text", "text": "x"}, "value": "same"})", 2) + "]"),
       "`value` \"same\" already exists"},
      {"element radio_buttons", "/initial_option/value", "none", "must be one of the provided options"},
      {"element rich_text_input", "/max_lines", 0, "must be more than 0"},
      {"alert", "/level", "fatal", "must be a valid enum value"},
      {"container", "/width", "huge", "must be a valid enum value"},
      {"container", "/is_collapsible", 1, "must provide a boolean"},
      {"table", "/column_settings/0/align", "middle", "must be a valid enum value"},
      {"table", "/column_settings/0", nullptr, "must provide an object"},
      {"table", "/rows/0/1/value", "1.5", "must provide a number"},
      {"rich_text", "/elements/0/elements/0/style/bold", "yes", "must provide a boolean"},
      {"rich_text", "/elements/0/elements/7/range", "all", "must be a valid enum value"},
      {"rich_text", "/elements/0/elements/8/value", "#ff00", "must be a valid hex color"},
      {"rich_text", "/elements/0/elements/8/value", "#ff00zz", "must be a valid hex color"},
      {"rich_text", "/elements/1/style", "numbered", "must be a valid enum value"},
      {"element datepicker", "/initial_date", "28.02.2026", "must be a valid date"},
      {"element datepicker", "/initial_date", "2026-13-01", "must be a valid date"},
      {"element timepicker", "/initial_time", "9:05", "must be a valid time"},
      {"element timepicker", "/initial_time", "09:60", "must be a valid time"},
      {"element number_input", "/initial_value", "1,5", "must be a valid number"},
      {"element number_input", "/max_value", "5.", "must be a valid number"},
      {"element number_input", "/min_value", -10, "must provide a string"},
      {"element overflow", "/options/0/url", "docs", "must be a valid URL"},
      {"element conversations_select", "/filter/include/0", "channel", "must be a valid enum value"},
      {"element static_select", "/options", json::object(), "must provide an array"},
      {"element image", "/slack_file", "F1", "must provide an object"},
  };
  for (const auto& wrong : wrongs) {
    auto sample = placed(wrong.sample);
    sample.at(wrong.place) = wrong.value;
    const std::string_view place = wrong.sentence.contains("provided options") ? "/initial_option" : wrong.place;
    EXPECT_THAT(sample.refused(), Contains(sample.expected(wrong.sentence, place))) << wrong.sample;
  }
}

TEST(SlackBlockParts, LinesOfARichTextInputAreOrdered) {
  auto sample = placed("element rich_text_input");
  sample.at("/min_lines") = 5;
  sample.at("/max_lines") = 4;
  EXPECT_THAT(sample.refused(), Contains(sample.expected("cannot be greater than `max_lines`", "/min_lines")));
}

TEST(SlackBlockParts, EveryTextThatAPersonSeesCountsTowardsTheMessage) {
  // A place in a sample, given 2,500 more characters beside a message of 10,000.
  const std::pair<std::string_view, std::string_view> places[] = {
      {"section", "/text/text"},

      {"markdown", "/text"},
      {"context", "/elements/1/text"},
      {"plan", "/title"},
      {"plan", "/tasks/0/title"},
      {"task_card", "/title"},
      {"task_card", "/sources/0/text"},
      {"rich_text", "/elements/0/elements/0/text"},
      {"data_table", "/caption"},
      {"data_table", "/rows/0/0/text"},
      {"table", "/rows/0/1/text"},
      {"rich_text", "/elements/0/elements/1/text"},
      {"rich_text", "/elements/0/elements/9/format"},
      {"task_card", "/details/elements/0/elements/0/text"},
  };
  for (const auto& [name, place] : places) {
    auto sample = placed(name);
    json::array blocks{parsed(filled(R"({"type": "markdown", "text": "@"})", letters(10'000))), sample.block};
    EXPECT_THAT(check_blocks(blocks, Surface::message), IsEmpty()) << name;
    sample.at(place) = letters(2'500);
    blocks[1] = sample.block;
    EXPECT_THAT(sentences(check_blocks(blocks, Surface::message)),
                testing::ElementsAre("must be less than 12001 characters [json-pointer:/blocks]"))
        << name << place;
  }
}

}  // namespace
}  // namespace deputy::sim::slack
