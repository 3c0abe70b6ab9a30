#include "sim/slack/kit/blocks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "sim/slack/block_samples.h"
#include "sim/slack/kit/block_shapes.h"

namespace deputy::sim::slack {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<std::pair<std::string, Surface>> kSurfaces = {
    {"message", Surface::message}, {"modal", Surface::modal}, {"home", Surface::home}};

std::vector<std::string> refused(std::string_view block, Surface surface = Surface::message) {
  return sentences(check_blocks(parsed("[" + std::string(block) + "]"), surface));
}

bool lists(std::string_view words, std::string_view word) { return contains(split(words, " "), word); }

/// A surface on which a sample is accepted.
Surface surface_of(std::string_view surfaces) {
  for (const auto& [name, surface] : kSurfaces)
    if (lists(surfaces, name)) return surface;
  return Surface::message;
}

const Holder& holder(std::string_view name) { return *std::ranges::find(kHolders, name, &Holder::name); }

TEST(SlackBlocks, EveryShapeThatATableNamesExists) {
  for (const auto& shape : block_shapes()) {
    for (const auto& field : shape.fields) {
      if (field.kind == Kind::word || field.kind == Kind::texts || field.of.empty()) continue;
      for (const auto name : split(field.of, " "))
        EXPECT_TRUE(contains(block_shapes(), name, &Shape::name)) << shape.name << " names " << name;
    }
  }
}

TEST(SlackBlocks, EachBlockIsTakenOnItsSurfacesOnly) {
  for (const auto& sample : kBlockSamples) {
    for (const auto& [name, surface] : kSurfaces) {
      const auto expected =
          lists(sample.surfaces, name)
              ? std::vector<std::string>{}
              : std::vector{fmt::format("unsupported type: {} [json-pointer:/blocks/0/type]", sample.type)};
      EXPECT_EQ(refused(sample.block, surface), expected) << sample.type << " on a " << name;
    }
  }
}

TEST(SlackBlocks, EachElementIsTakenByItsBlocksAndOnItsSurfacesOnly) {
  for (const auto& sample : kElementSamples) {
    for (const auto& holder : kHolders) {
      for (const auto& [name, surface] : kSurfaces) {
        if (!lists(holder.surfaces, name)) continue;
        const bool taken = lists(sample.holders, holder.name) && lists(sample.surfaces, name);
        const auto expected = taken ? std::vector<std::string>{}
                                    : std::vector{fmt::format("unsupported type: {} [json-pointer:/blocks/0{}/type]",
                                                              sample.type, holder.pointer)};
        auto found = refused(filled(holder.block, sample.element), surface);
        // Only text inputs may say when they dispatch; a refused element is refused as a whole.
        EXPECT_EQ(found, expected) << sample.type << " in " << holder.name << " on a " << name;
      }
    }
  }
}

TEST(SlackBlocks, ARequiredFieldIsMissed) {
  const auto without = [](std::string_view text, std::string_view field) {
    auto object = parsed(text).as_object();
    EXPECT_EQ(object.erase(field), 1U) << field;
    return json::serialize(object);
  };
  for (const auto& sample : kBlockSamples) {
    if (sample.required.empty()) continue;
    for (const auto field : split(sample.required, " "))
      EXPECT_THAT(refused(without(sample.block, field), surface_of(sample.surfaces)),
                  testing::Contains(fmt::format("missing required field: {} [json-pointer:/blocks/0]", field)))
          << sample.type;
  }
  for (const auto& sample : kElementSamples) {
    if (sample.required.empty()) continue;
    const auto& in = holder(split(sample.holders, " ").front());
    for (const auto field : split(sample.required, " "))
      EXPECT_THAT(
          refused(filled(in.block, without(sample.element, field)), surface_of(sample.surfaces)),
          testing::Contains(fmt::format("missing required field: {} [json-pointer:/blocks/0{}]", field, in.pointer)))
          << sample.type;
  }
}

TEST(SlackBlocks, AnUnknownPropertyIsRefused) {
  const auto with_more = [](std::string_view text) {
    auto object = parsed(text).as_object();
    object["nonsense"] = 1;
    return json::serialize(object);
  };
  for (const auto& sample : kBlockSamples) {
    if (sample.surfaces.empty()) continue;
    EXPECT_THAT(refused(with_more(sample.block), surface_of(sample.surfaces)),
                ElementsAre("invalid additional property: nonsense [json-pointer:/blocks/0]"))
        << sample.type;
  }
  for (const auto& sample : kElementSamples) {
    const auto& in = holder(split(sample.holders, " ").front());
    EXPECT_THAT(
        refused(filled(in.block, with_more(sample.element)), surface_of(sample.surfaces)),
        ElementsAre(fmt::format("invalid additional property: nonsense [json-pointer:/blocks/0{}]", in.pointer)))
        << sample.type;
  }
}

/// A text limit: "@" is filled up to `most` characters in all and then with one more.
struct Limit {
  std::size_t most;
  std::string_view pointer;
  std::string_view block;
  std::string_view prefix = "";
  Surface surface = Surface::message;
};

#define PLAIN(text) R"({"type": "plain_text", "text": ")" text R"("})"
#define BUTTON(more) R"({"type": "actions", "elements": [{"type": "button", "text": )" PLAIN("x") more "}]}"
#define CHOICE(text, more) R"({"text": )" PLAIN(text) more "}"
#define SELECT(more) R"({"type": "actions", "elements": [{"type": "static_select", )" more "}]}"
#define INPUT(element) R"({"type": "input", "label": )" PLAIN("x") R"(, "element": )" element "}"

const Limit kLimits[] = {
    {3000, "/text/text", R"({"type": "section", "text": {"type": "mrkdwn", "text": "@"}})"},
    {2000, "/fields/0/text", R"({"type": "section", "fields": [{"type": "mrkdwn", "text": "@"}]})"},
    {150, "/text/text", R"({"type": "header", "text": )" PLAIN("@") "}"},
    {3000, "/elements/0/text", R"({"type": "context", "elements": [{"type": "mrkdwn", "text": "@"}]})"},
    {255, "/block_id", R"({"type": "divider", "block_id": "@"})"},
    {255, "/elements/0/action_id", BUTTON(R"(, "action_id": "@")")},
    {75, "/elements/0/text/text", R"({"type": "actions", "elements": [{"type": "button", "text": )" PLAIN("@") "}]}"},
    {2000, "/elements/0/value", BUTTON(R"(, "value": "@")")},
    {3000, "/elements/0/url", BUTTON(R"(, "url": "https://@")"), "https://"},
    {75, "/elements/0/accessibility_label", BUTTON(R"(, "accessibility_label": "@")")},
    {100, "/elements/0/confirm/title/text",
     BUTTON(R"(, "confirm": {"title": )" PLAIN("@") R"(, "text": )" PLAIN("x") R"(, "confirm": )" PLAIN(
         "x") R"(, "deny": )" PLAIN("x") "}")},
    {300, "/elements/0/confirm/text/text",
     BUTTON(R"(, "confirm": {"title": )" PLAIN("x") R"(, "text": )" PLAIN("@") R"(, "confirm": )" PLAIN(
         "x") R"(, "deny": )" PLAIN("x") "}")},
    {30, "/elements/0/confirm/confirm/text",
     BUTTON(R"(, "confirm": {"title": )" PLAIN("x") R"(, "text": )" PLAIN("x") R"(, "confirm": )" PLAIN(
         "@") R"(, "deny": )" PLAIN("x") "}")},
    {30, "/elements/0/confirm/deny/text",
     BUTTON(R"(, "confirm": {"title": )" PLAIN("x") R"(, "text": )" PLAIN("x") R"(, "confirm": )" PLAIN(
         "x") R"(, "deny": )" PLAIN("@") "}")},
    {75, "/elements/0/options/0/text/text", SELECT(R"("options": [)" CHOICE("@", R"(, "value": "v")") "]")},
    {75, "/elements/0/options/0/value", SELECT(R"("options": [)" CHOICE("x", R"(, "value": "@")") "]")},
    {75, "/elements/0/options/0/description/text",
     SELECT(R"("options": [)" CHOICE("x", R"(, "value": "v", "description": )" PLAIN("@")) "]")},
    {75, "/elements/0/option_groups/0/label/text",
     SELECT(R"("option_groups": [{"label": )" PLAIN("@") R"(, "options": [)" CHOICE("x", R"(, "value": "v")") "]}]")},
    {150, "/elements/0/placeholder/text",
     R"({"type": "actions", "elements": [{"type": "users_select", "placeholder": )" PLAIN("@") "}]}"},
    {3000, "/elements/0/options/0/url",
     R"({"type": "actions", "elements": [{"type": "overflow", "options": [)" CHOICE(
         "x", R"(, "value": "v", "url": "https://@")") "]}]}",
     "https://"},
    {2000, "/label/text", R"({"type": "input", "label": )" PLAIN("@") R"(, "element": {"type": "plain_text_input"}})"},
    {2000, "/hint/text",
     R"({"type": "input", "label": )" PLAIN("x") R"(, "hint": )" PLAIN(
         "@") R"(, "element": {"type": "plain_text_input"}})"},
    {3000, "/element/initial_value", INPUT(R"({"type": "plain_text_input", "initial_value": "@"})")},
    {3000, "/image_url", R"({"type": "image", "alt_text": "x", "image_url": "https://@"})", "https://"},
    {2000, "/alt_text", R"({"type": "image", "alt_text": "@", "image_url": "https://x"})"},
    {2000, "/title/text", R"({"type": "image", "alt_text": "x", "image_url": "https://x", "title": )" PLAIN("@") "}"},
    {12000, "/text", R"({"type": "markdown", "text": "@"})"},
    {200, "/text/text", R"({"type": "alert", "text": )" PLAIN("@") "}", "", Surface::modal},
    {150, "/title/text", R"({"type": "card", "title": {"type": "mrkdwn", "text": "@"}})"},
    {150, "/subtitle/text",
     R"({"type": "card", "title": {"type": "mrkdwn", "text": "x"}, "subtitle": {"type": "mrkdwn", "text": "@"}})"},
    {200, "/body/text", R"({"type": "card", "body": {"type": "mrkdwn", "text": "@"}})"},
    {150, "/title/text", R"({"type": "container", "title": )" PLAIN("@") R"(, "child_blocks": [{"type": "divider"}]})"},
    {150, "/subtitle/text",
     R"({"type": "container", "title": )" PLAIN("x") R"(, "subtitle": )" PLAIN(
         "@") R"(, "child_blocks": [{"type": "divider"}]})"},
    {75, "/elements/0/positive_button/text/text",
     R"({"type": "context_actions", "elements": [{"type": "feedback_buttons", "positive_button": {"text": )" PLAIN(
         "@") R"(, "value": "v"}, "negative_button": {"text": )" PLAIN("x") R"(, "value": "v"}}]})"},
    {2000, "/elements/0/negative_button/value",
     R"({"type": "context_actions", "elements": [{"type": "feedback_buttons", "positive_button": {"text": )" PLAIN(
         "x") R"(, "value": "v"}, "negative_button": {"text": )" PLAIN("x") R"(, "value": "@"}}]})"},
    {199, "/title/text",
     R"({"type": "video", "alt_text": "x", "thumbnail_url": "https://x", "video_url": "https://x", "title": )" PLAIN(
         "@") "}"},
    {49, "/author_name",
     R"({"type": "video", "alt_text": "x", "thumbnail_url": "https://x", "video_url": "https://x", "title": )" PLAIN(
         "x") R"(, "author_name": "@"})"},
};

TEST(SlackBlocks, TextIsTakenUpToItsLimitInCharacters) {
  for (const auto& limit : kLimits) {
    const auto at_limit = letters(limit.most - limit.prefix.size());
    EXPECT_THAT(refused(filled(limit.block, at_limit), limit.surface), IsEmpty()) << limit.block;
    EXPECT_THAT(refused(filled(limit.block, at_limit + "x"), limit.surface),
                ElementsAre(fmt::format("must be less than {} characters [json-pointer:/blocks/0{}]", limit.most + 1,
                                        limit.pointer)))
        << limit.block;
  }
}

TEST(SlackBlocks, TextMustNotBeEmpty) {
  for (const auto& limit : kLimits) {
    if (!limit.prefix.empty()) continue;
    EXPECT_THAT(refused(filled(limit.block, ""), limit.surface),
                ElementsAre(fmt::format("must be more than 0 characters [json-pointer:/blocks/0{}]", limit.pointer)))
        << limit.block;
  }
}

/// A limit on a list: "@" is filled with items, in which "#" is the number of the item.
struct Count {
  std::size_t least, most;
  std::string_view pointer;
  std::string_view block;
  std::string_view item;
  Surface surface = Surface::message;
};

#define NUMBERED_OPTION R"({"text": {"type": "plain_text", "text": "#"}, "value": "#"})"

const Count kCounts[] = {
    {1, 25, "/elements", R"({"type": "actions", "elements": [@]})",
     R"({"type": "button", "action_id": "#", "text": {"type": "plain_text", "text": "x"}})"},
    {1, 10, "/elements", R"({"type": "context", "elements": [@]})", R"({"type": "mrkdwn", "text": "#"})"},
    {1, 5, "/elements", R"({"type": "context_actions", "elements": [@]})",
     R"({"type": "icon_button", "icon": "trash", "action_id": "#", "text": {"type": "plain_text", "text": "x"}})"},
    {1, 10, "/fields", R"({"type": "section", "fields": [@]})", R"({"type": "mrkdwn", "text": "#"})"},
    {1, 100, "/elements/0/options", SELECT(R"("options": [@])"), NUMBERED_OPTION},
    {1, 100, "/elements/0/option_groups", SELECT(R"("option_groups": [@])"),
     R"({"label": {"type": "plain_text", "text": "#"}, "options": [)" NUMBERED_OPTION "]}"},
    {1, 100, "/elements/0/option_groups/0/options",
     SELECT(R"("option_groups": [{"label": {"type": "plain_text", "text": "x"}, "options": [@]}])"), NUMBERED_OPTION},
    {1, 100, "/accessory/options",
     R"({"type": "section", "text": {"type": "mrkdwn", "text": "x"}, "accessory": {"type": "multi_static_select", "options": [@]}})",
     NUMBERED_OPTION},
    {1, 10, "/element/options", INPUT(R"({"type": "radio_buttons", "options": [@]})"), NUMBERED_OPTION},
    {1, 10, "/element/options", INPUT(R"({"type": "checkboxes", "options": [@]})"), NUMBERED_OPTION},
    {1, 5, "/elements/0/options", R"({"type": "actions", "elements": [{"type": "overflow", "options": [@]}]})",
     NUMBERED_OPTION},
    {1, 100, "/rows", R"({"type": "table", "rows": [@]})", R"([{"type": "raw_text", "text": "#"}])"},
    {1, 20, "/rows/0", R"({"type": "table", "rows": [[@]]})", R"({"type": "raw_text", "text": "#"})"},
    {0, 20, "/column_settings",
     R"({"type": "table", "rows": [[{"type": "raw_text", "text": "x"}]], "column_settings": [@]})",
     R"({"align": "center"})"},
    {2, 201, "/rows", R"({"type": "data_table", "caption": "x", "rows": [@]})",
     R"([{"type": "raw_text", "text": "#"}])"},
    {1, 3, "/actions", R"({"type": "card", "actions": [@]})",
     R"({"type": "button", "action_id": "#", "text": {"type": "plain_text", "text": "x"}})"},
    {1, 10, "/elements", R"({"type": "carousel", "elements": [@]})",
     R"({"type": "card", "title": {"type": "mrkdwn", "text": "#"}})"},
    {1, 10, "/child_blocks",
     R"({"type": "container", "title": {"type": "plain_text", "text": "x"}, "child_blocks": [@]})",
     R"({"type": "divider"})"},
};

TEST(SlackBlocks, ListsAreTakenBetweenTheirLimits) {
  for (const auto& count : kCounts) {
    for (const auto size : {count.least, count.most})
      EXPECT_THAT(refused(filled(count.block, numbered(count.item, size)), count.surface), IsEmpty())
          << size << " in " << count.block;
    EXPECT_THAT(
        refused(filled(count.block, numbered(count.item, count.most + 1)), count.surface),
        ElementsAre(fmt::format("no more than {} items allowed [json-pointer:/blocks/0{}]", count.most, count.pointer)))
        << count.block;
    if (count.least > 0) {
      EXPECT_THAT(refused(filled(count.block, numbered(count.item, count.least - 1)), count.surface),
                  testing::Contains(fmt::format("must provide at least {} items [json-pointer:/blocks/0{}]",
                                                count.least, count.pointer)))
          << count.block;
    }
  }
}

TEST(SlackBlocks, AMessageHasFiftyBlocksAndAViewAHundred) {
  const auto many = [](std::size_t count) { return parsed("[" + numbered(R"({"type": "divider"})", count) + "]"); };
  EXPECT_THAT(check_blocks(many(0), Surface::message), IsEmpty());
  EXPECT_THAT(check_blocks(many(50), Surface::message), IsEmpty());
  EXPECT_THAT(sentences(check_blocks(many(51), Surface::message)),
              ElementsAre("no more than 50 items allowed [json-pointer:/blocks]"));
  for (const auto surface : {Surface::modal, Surface::home}) {
    EXPECT_THAT(check_blocks(many(100), surface), IsEmpty());
    EXPECT_THAT(sentences(check_blocks(many(101), surface)),
                ElementsAre("no more than 100 items allowed [json-pointer:/blocks]"));
  }
}

TEST(SlackBlocks, AMessageHasTwelveThousandCharactersInAll) {
  const auto sections = [](std::size_t last) {
    std::string list;
    for (const std::size_t size : {std::size_t{3000}, std::size_t{3000}, std::size_t{3000}, last})
      list += (list.empty() ? "" : ", ") +
              filled(R"({"type": "section", "text": {"type": "mrkdwn", "text": "@"}})", letters(size));
    return parsed("[" + list + ", " + R"({"type": "divider"})" + "]");
  };
  EXPECT_THAT(check_blocks(sections(3000), Surface::message), IsEmpty());
  auto blocks = sections(3000);
  blocks.as_array().push_back(parsed(R"({"type": "markdown", "text": "x"})"));
  EXPECT_THAT(check_blocks(blocks, Surface::message),
              ElementsAre(BlockProblem{"must be less than 12001 characters", "/blocks", "msg_blocks_too_long"}));
  EXPECT_THAT(check_blocks(sections(3000), Surface::modal), IsEmpty());
}

TEST(SlackBlocks, ATableHasTenThousandCharactersInAllItsCells) {
  const auto table = [](std::size_t last) {
    std::string cells;
    for (const std::size_t size : {std::size_t{2500}, std::size_t{2500}, std::size_t{2500}, last})
      cells += (cells.empty() ? "" : ", ") + filled(R"({"type": "raw_text", "text": "@"})", letters(size));
    return R"({"type": "table", "rows": [[)" + cells + "]]}";
  };
  EXPECT_THAT(refused(table(2500)), IsEmpty());
  EXPECT_THAT(refused(table(2501)), ElementsAre("must be less than 10001 characters [json-pointer:/blocks/0/rows]"));
}

struct Refusal {
  std::string_view name;
  std::string_view block;
  std::vector<std::string> expected;  // "[json-pointer:/blocks/0" and "]" are added
  Surface surface = Surface::message;
};

#define OPTIONS R"("options": [{"text": {"type": "plain_text", "text": "A"}, "value": "a"}])"

const Refusal kRefusals[] = {
    {"NotAnObject", "7", {"must provide an object "}},
    {"NoType", R"({"text": "x"})", {"missing required field: type "}},
    {"TypeIsNoText", R"({"type": 4})", {"must provide a string /type"}},
    {"UnknownType", R"({"type": "banner"})", {"unsupported type: banner /type"}},
    {"ChartsAreNotInSlacksTypes", R"({"type": "data_visualization"})", {"unsupported type: data_visualization /type"}},
    {"TextIsAString", R"({"type": "section", "text": "x"})", {"must provide an object /text"}},
    {"TextIsANumber",
     R"({"type": "section", "text": {"type": "mrkdwn", "text": 4}})",
     {"must provide a string /text/text"}},
    {"NullIsNotAbsent",
     R"({"type": "section", "text": {"type": "mrkdwn", "text": "x"}, "accessory": null})",
     {"must provide an object /accessory"}},
    {"HeaderIsPlain",
     R"({"type": "header", "text": {"type": "mrkdwn", "text": "x"}})",
     {"unsupported type: mrkdwn /text/type"}},
    {"ButtonIsPlain",
     R"({"type": "actions", "elements": [{"type": "button", "text": {"type": "mrkdwn", "text": "x"}}]})",
     {"unsupported type: mrkdwn /elements/0/text/type"}},
    {"SelectOptionIsPlain",
     SELECT(R"("options": [{"text": {"type": "mrkdwn", "text": "x"}, "value": "v"}])"),
     {"unsupported type: mrkdwn /elements/0/options/0/text/type"}},
    {"MrkdwnHasNoEmoji",
     R"({"type": "section", "text": {"type": "mrkdwn", "text": "x", "emoji": true}})",
     {"invalid additional property: emoji /text"}},
    {"PlainTextIsNotVerbatim",
     R"({"type": "section", "text": {"type": "plain_text", "text": "x", "verbatim": true}})",
     {"invalid additional property: verbatim /text"}},
    {"SectionWithoutContent", R"({"type": "section"})", {"must define either `text` or `fields` "}},
    {"ImageWithoutSource",
     R"({"type": "image", "alt_text": "x"})",
     {"must define either `image_url` or `slack_file` "}},
    {"ImageWithBothSources",
     R"({"type": "image", "alt_text": "x", "image_url": "https://x", "slack_file": {"id": "F1"}})",
     {"must define either `image_url` or `slack_file` "}},
    {"SlackFileWithBothNames",
     R"({"type": "image", "alt_text": "x", "slack_file": {"id": "F1", "url": "https://x"}})",
     {"must define either `id` or `url` /slack_file"}},
    {"UrlIsNone",
     R"({"type": "image", "alt_text": "x", "image_url": "javascript:go"})",
     {"must be a valid URL /image_url"}},
    {"VideoNeedsHttps",
     R"({"type": "video", "alt_text": "x", "thumbnail_url": "http://x", "video_url": "http://x", "title": )" PLAIN(
         "x") "}",
     {"must be a valid HTTPS URL /video_url"}},
    {"CardWithoutContent",
     R"({"type": "card", "subtitle": {"type": "mrkdwn", "text": "x"}})",
     {"must define at least one of `hero_image`, `title`, `actions` or `body` "}},
    {"CardTitleIsAString", R"({"type": "card", "title": "x"})", {"must provide an object /title"}},
    {"PlanTitleIsAnObject", R"({"type": "plan", "title": )" PLAIN("x") "}", {"must provide a string /title"}},
    {"TaskAloneIsNotPending",
     R"({"type": "task_card", "task_id": "t", "title": "x", "status": "pending"})",
     {"must be a valid enum value /status"}},
    {"TaskIsNotDone",
     R"({"type": "plan", "title": "x", "tasks": [
      {"type": "task_card", "task_id": "t", "title": "x", "status": "done"}]})",
     {"must be a valid enum value /tasks/0/status"}},
    {"ContainerWithoutTitle",
     R"({"type": "container", "child_blocks": [{"type": "divider"}]})",
     {"must define either `title` or `rich_text_title` "}},
    {"ContainerInContainer",
     R"({"type": "container", "title": )" PLAIN("x") R"(, "child_blocks": [{"type": "container"}]})",
     {"unsupported type: container /child_blocks/0/type"}},
    {"CollapsedButNotCollapsible",
     R"({"type": "container", "title": )" PLAIN(
         "x") R"(, "default_collapsed": true, "child_blocks": [{"type": "divider"}]})",
     {"requires `is_collapsible` /default_collapsed"}},
    {"ButtonStyle", BUTTON(R"(, "style": "default")"), {"must be a valid enum value /elements/0/style"}},
    {"ButtonStyleIsEmptyText", BUTTON(R"(, "style": "")"), {"must be a valid enum value /elements/0/style"}},
    {"IconIsTrash",
     R"({"type": "context_actions", "elements": [{"type": "icon_button", "icon": "pencil", "text": )" PLAIN("x") "}]}",
     {"must be a valid enum value /elements/0/icon"}},
    {"SameActionTwiceInABlock",
     R"({"type": "actions", "elements": [
      {"type": "button", "action_id": "a", "text": )" PLAIN("x") R"(},
      {"type": "button", "action_id": "a", "text": )" PLAIN("y") "}]}",
     {"`action_id` \"a\" already exists /elements/1/action_id"}},
    {"ConfirmNeedsItsParts",
     BUTTON(R"(, "confirm": {})"),
     {"missing required field: title /elements/0/confirm", "missing required field: text /elements/0/confirm",
      "missing required field: confirm /elements/0/confirm", "missing required field: deny /elements/0/confirm"}},
    {"DispatchKnowsTwoTriggers",
     R"({"type": "input", "dispatch_action": true, "label": )" PLAIN("x") R"(, "element": {"type": "plain_text_input",
      "dispatch_action_config": {"trigger_actions_on": ["on_blur"]}}})",
     {"must be a valid enum value /element/dispatch_action_config/trigger_actions_on/0"}},
    {"DispatchConfigWithoutDispatch",
     INPUT(R"({"type": "plain_text_input", "dispatch_action_config": {"trigger_actions_on": ["on_enter_pressed"]}})"),
     {"requires `dispatch_action` /element/dispatch_action_config"}},
    {"SelectWithoutOptions",
     SELECT(R"("action_id": "a")"),
     {"must define either `options` or `option_groups` /elements/0"}},
    {"SelectWithBothOptions",
     SELECT(OPTIONS R"(, "option_groups": [{"label": )" PLAIN("x") R"(, "options": [{"text": )" PLAIN(
         "B") R"(, "value": "b"}]}])"),
     {"must define either `options` or `option_groups` /elements/0"}},
    {"SameValueTwice",
     SELECT(R"("options": [{"text": )" PLAIN("A") R"(, "value": "a"}, {"text": )" PLAIN("B") R"(, "value": "a"}])"),
     {"`value` \"a\" already exists /elements/0/options"}},
    {"OptionWithoutValue",
     SELECT(R"("options": [{"text": )" PLAIN("A") "}]"),
     {"missing required field: value /elements/0/options/0"}},
    {"OptionWithUrlOutsideOverflow",
     SELECT(R"("options": [{"text": )" PLAIN("A") R"(, "value": "a", "url": ""}])"),
     {"invalid additional property: url /elements/0/options/0"}},
    {"InitialOptionIsNotOffered",
     SELECT(OPTIONS R"(, "initial_option": {"text": )" PLAIN("B") R"(, "value": "b"})"),
     {"must be one of the provided options /elements/0/initial_option"}},
    {"InitialOptionDiffersInItsText",
     SELECT(OPTIONS R"(, "initial_option": {"text": )" PLAIN("B") R"(, "value": "a"})"),
     {"must be one of the provided options /elements/0/initial_option"}},
    {"InitialOptionsAreEmpty",
     INPUT(R"({"type": "checkboxes", )" OPTIONS R"(, "initial_options": []})"),
     {"must provide at least 1 items /element/initial_options"}},
    {"MoreInitialOptionsThanAllowed",
     INPUT(R"({"type": "multi_static_select", "max_selected_items": 1, "options": [
      {"text": )" PLAIN("A") R"(, "value": "a"}, {"text": )" PLAIN("B") R"(, "value": "b"}], "initial_options": [
      {"text": )" PLAIN("A") R"(, "value": "a"}, {"text": )" PLAIN("B") R"(, "value": "b"}]})"),
     {"no more than 1 items allowed /element/initial_options"}},
    {"NothingMayBeSelected",
     INPUT(R"({"type": "multi_users_select", "max_selected_items": 0})"),
     {"must be more than 0 /element/max_selected_items"}},
    {"FilterSaysNothing",
     R"({"type": "actions", "elements": [{"type": "conversations_select", "filter": {}}]})",
     {"must define at least one filter /elements/0/filter"}},
    {"FilterIncludesNothing",
     R"({"type": "actions", "elements": [{"type": "conversations_select", "filter": {"include": []}}]})",
     {"must provide at least 1 items /elements/0/filter/include"}},
    {"ResponseUrlInAMessage",
     INPUT(R"({"type": "channels_select", "response_url_enabled": true})"),
     {"invalid additional property: response_url_enabled /element"}},
    {"ResponseUrlOutsideAnInput",
     R"({"type": "actions", "elements": [{"type": "channels_select", "response_url_enabled": true}]})",
     {"invalid additional property: response_url_enabled /elements/0"},
     Surface::modal},
    {"FocusInAMessage",
     INPUT(R"({"type": "plain_text_input", "focus_on_load": true})"),
     {"invalid additional property: focus_on_load /element"}},
    {"NoSuchDay",
     INPUT(R"({"type": "datepicker", "initial_date": "2026-02-29"})"),
     {"must be a valid date /element/initial_date"}},
    {"NoSuchTime",
     INPUT(R"({"type": "timepicker", "initial_time": "24:00"})"),
     {"must be a valid time /element/initial_time"}},
    {"TimeInMilliseconds",
     INPUT(R"({"type": "datetimepicker", "initial_date_time": 1628633820000})"),
     {"must be less than 10000000000 /element/initial_date_time"}},
    {"NumberIsText",
     INPUT(R"({"type": "number_input", "is_decimal_allowed": true, "min_value": "ten"})"),
     {"must be a valid number /element/min_value"},
     Surface::modal},
    {"NumberIsNotWhole",
     INPUT(R"({"type": "number_input", "is_decimal_allowed": false, "min_value": "1.5"})"),
     {"must be a whole number /element/min_value"},
     Surface::modal},
    {"NumbersOutOfOrder",
     INPUT(R"({"type": "number_input", "is_decimal_allowed": false, "min_value": "5", "max_value": "-4"})"),
     {"cannot be greater than `max_value` /element/min_value"},
     Surface::modal},
    {"NumberOutOfRange",
     INPUT(R"({"type": "number_input", "is_decimal_allowed": false, "max_value": "5", "initial_value": "6"})"),
     {"must be between `min_value` and `max_value` /element/initial_value"},
     Surface::modal},
    {"LengthsOutOfOrder",
     INPUT(R"({"type": "plain_text_input", "min_length": 5, "max_length": 4})"),
     {"cannot be greater than `max_length` /element/min_length"}},
    {"LengthTooGreat",
     INPUT(R"({"type": "plain_text_input", "max_length": 3001})"),
     {"must be less than 3001 /element/max_length"}},
    {"TooManyFiles",
     INPUT(R"({"type": "file_input", "max_files": 11})"),
     {"must be less than 11 /element/max_files"},
     Surface::modal},
    {"NoFiles",
     INPUT(R"({"type": "file_input", "max_files": 0})"),
     {"must be more than 0 /element/max_files"},
     Surface::modal},
    {"TooManyLines",
     INPUT(R"({"type": "rich_text_input", "max_lines": 101})"),
     {"must be less than 101 /element/max_lines"},
     Surface::modal},
    {"FlagIsText",
     INPUT(R"({"type": "plain_text_input", "multiline": "yes"})"),
     {"must provide a boolean /element/multiline"}},
    {"RichTextRunsAreKnown",
     R"({"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [{"type": "heading"}]}]})",
     {"unsupported type: heading /elements/0/elements/0/type"}},
    {"RichTextListHoldsSections",
     R"({"type": "rich_text", "elements": [{"type": "rich_text_list", "style": "bullet", "elements": [{"type": "rich_text_list"}]}]})",
     {"unsupported type: rich_text_list /elements/0/elements/0/type"}},
    {"RichTextIndent",
     R"({"type": "rich_text", "elements": [{"type": "rich_text_list", "style": "ordered", "indent": 9, "elements": [
      {"type": "rich_text_section", "elements": [{"type": "text", "text": "x"}]}]}]})",
     {"must be less than 9 /elements/0/indent"}},
    {"PreformattedHoldsTextAndLinks",
     R"({"type": "rich_text", "elements": [{"type": "rich_text_preformatted", "elements": [{"type": "emoji", "name": "x"}]}]})",
     {"unsupported type: emoji /elements/0/elements/0/type"}},
    {"TextStyleIsKnown",
     R"({"type": "rich_text", "elements": [{"type": "rich_text_section", "elements": [
      {"type": "text", "text": "x", "style": {"blink": true}}]}]})",
     {"invalid additional property: blink /elements/0/elements/0/style"}},
    {"NumberCellWithoutNumber",
     R"({"type": "table", "rows": [[{"type": "raw_number", "text": "1"}]]})",
     {"missing required field: value /rows/0/0"}},
    {"RowIsNoList",
     R"({"type": "table", "rows": [{"type": "raw_text", "text": "1"}]})",
     {"must provide an array /rows/0"}},
    {"DataTableIsRagged",
     R"({"type": "data_table", "caption": "x", "rows": [[{"type": "raw_text", "text": "1"}],
      [{"type": "raw_text", "text": "1"}, {"type": "raw_text", "text": "2"}]]})",
     {"all rows must have the same number of cells /rows/1"}},
    {"DataTablePage",
     R"({"type": "data_table", "caption": "x", "page_size": 101, "rows": [[{"type": "raw_text", "text": "1"}],
      [{"type": "raw_text", "text": "1"}]]})",
     {"must be less than 101 /page_size"}},
};

TEST(SlackBlocks, RefusesWhatSlackRefuses) {
  for (const auto& refusal : kRefusals) {
    std::vector<std::string> expected;
    for (const auto& sentence : refusal.expected) {
      const auto space = sentence.rfind(' ');
      expected.push_back(
          fmt::format("{} [json-pointer:/blocks/0{}]", sentence.substr(0, space), sentence.substr(space + 1)));
    }
    EXPECT_EQ(refused(refusal.block, refusal.surface), expected) << refusal.name;
  }
}

TEST(SlackBlocks, ABlockIdIsUniqueInAMessageAndAnActionIdInABlock) {
  EXPECT_THAT(refused(R"({"type": "divider", "block_id": "a"}, {"type": "divider", "block_id": "a"})"),
              ElementsAre("`block_id` \"a\" already exists [json-pointer:/blocks/1/block_id]"));
  EXPECT_THAT(refused(R"({"type": "container", "block_id": "a", "title": {"type": "plain_text", "text": "x"},
                          "child_blocks": [{"type": "divider", "block_id": "a"}]})"),
              ElementsAre("`block_id` \"a\" already exists [json-pointer:/blocks/0/child_blocks/0/block_id]"));
  EXPECT_THAT(refused(BUTTON(R"(, "action_id": "a")") ", " BUTTON(R"(, "action_id": "a")")), IsEmpty());
}

TEST(SlackBlocks, AContainerHasARichTitleAndADividerUnlessItCollapses) {
  const auto container = [](std::string_view collapsible) {
    return refused(filled(R"({"type": "container", "has_header_divider": true, "is_collapsible": @,
      "rich_text_title": {"type": "rich_text", "elements": [
        {"type": "rich_text_section", "elements": [{"type": "text", "text": "x"}]}]},
      "child_blocks": [{"type": "divider"}]})",
                          collapsible));
  };
  EXPECT_THAT(container("false"), IsEmpty());
  EXPECT_THAT(container("true"),
              ElementsAre("cannot be used with `is_collapsible` [json-pointer:/blocks/0/has_header_divider]"));
}

TEST(SlackBlocks, AMessageHasOneTable) {
  EXPECT_THAT(refused(R"({"type": "table", "rows": [[{"type": "raw_text", "text": "a"}]]},
                         {"type": "table", "rows": [[{"type": "raw_text", "text": "b"}]]})"),
              ElementsAre("only_one_table_allowed [json-pointer:/blocks/1]"));
}

TEST(SlackBlocks, BlocksAreAList) {
  EXPECT_THAT(sentences(check_blocks(parsed(R"({"type": "divider"})"), Surface::message)),
              ElementsAre("must provide an array [json-pointer:/blocks]"));
  EXPECT_THAT(sentences(check_blocks(json::value(nullptr), Surface::home)),
              ElementsAre("must provide an array [json-pointer:/blocks]"));
}

TEST(SlackBlocks, SaysAllThatIsWrongInOneBlockButNotWithoutEnd) {
  EXPECT_THAT(refused(R"({"type": "header"}, {"type": "section", "text": {"type": "mrkdwn", "text": ""}})"),
              ElementsAre("missing required field: text [json-pointer:/blocks/0]",
                          "must be more than 0 characters [json-pointer:/blocks/1/text/text]"));
  json::object block{{"type", "divider"}};
  for (int i = 0; i < 10'000; ++i) block[std::to_string(i)] = i;
  EXPECT_EQ(check_blocks(json::array{block}, Surface::message).size(), 100U);
}

}  // namespace
}  // namespace deputy::sim::slack
