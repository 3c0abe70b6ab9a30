// Random JSON: neither the checks nor the pages crash, and every problem says where it is.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/text.h"
#include "sim/slack/block_samples.h"
#include "sim/slack/kit/blocks.h"
#include "sim/slack/kit/manifest.h"
#include "sim/slack/page/page.h"

namespace deputy::sim::slack {
namespace {

const std::vector<std::string> kKeys = {"type",
                                        "text",
                                        "blocks",
                                        "elements",
                                        "element",
                                        "fields",
                                        "accessory",
                                        "options",
                                        "value",
                                        "title",
                                        "rows",
                                        "child_blocks",
                                        "tasks",
                                        "confirm",
                                        "label",
                                        "initial_options",
                                        "settings",
                                        "actions",
                                        "attachments",
                                        "option_groups",
                                        "style",
                                        "details",
                                        "placeholder",
                                        "initial_option",
                                        "features",
                                        "url",
                                        "min_value",
                                        "max_value",
                                        "indent",
                                        "timestamp",
                                        "column_settings",
                                        "unicode",
                                        "bot_events",
                                        "event_subscriptions",
                                        "oauth_config",
                                        "scopes",
                                        "bot",
                                        "slash_commands",
                                        "color",
                                        "count"};

const std::vector<std::string> kWords = {"section",
                                         "actions",
                                         "context",
                                         "input",
                                         "rich_text",
                                         "rich_text_section",
                                         "rich_text_list",
                                         "text",
                                         "mrkdwn",
                                         "table",
                                         "card",
                                         "container",
                                         "carousel",
                                         "plan",
                                         "task_card",
                                         "modal",
                                         "home",
                                         "button",
                                         "markdown",
                                         "header",
                                         "checkboxes",
                                         "static_select",
                                         "plain_text",
                                         "raw_text",
                                         "date",
                                         "emoji",
                                         "",
                                         "```",
                                         "*a* <@U1|b> `c`",
                                         "- a\n  - b\n| a |\n|--|",
                                         "1f44d-1f3fb",
                                         "99999999999999999999",
                                         "\xc3\xa9"};

/// JSON that often has the shape of blocks.
json::value random_json(int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 9 : 5)) {
    case 0:
      return nullptr;
    case 1:
      return *rc::gen::arbitrary<bool>();
    case 2:
      return *rc::gen::arbitrary<std::int64_t>();
    case 3:
      return *rc::gen::arbitrary<double>();
    case 4:
      return json::string(*rc::gen::elementOf(kWords));
    case 5:
    case 6: {
      json::array list;
      for (int i = *rc::gen::inRange(0, 4); i > 0; --i) list.push_back(random_json(depth - 1));
      return list;
    }
    default: {
      json::object object;
      for (int i = *rc::gen::inRange(0, 5); i > 0; --i) object[*rc::gen::elementOf(kKeys)] = random_json(depth - 1);
      if (*rc::gen::inRange(0, 4) > 0) object["type"] = *rc::gen::elementOf(kWords);
      return object;
    }
  }
}

/// A sample with one value somewhere in it replaced by random JSON.
void spoil(json::value& value, int depth) {
  if (value.is_object() && !value.get_object().empty() && depth > 0) {
    auto& object = value.get_object();
    auto place = object.begin();
    std::advance(place, *rc::gen::inRange<std::size_t>(0, object.size()));
    return spoil(place->value(), depth - *rc::gen::inRange(0, 2));
  }
  if (value.is_array() && !value.get_array().empty() && depth > 0) {
    auto& list = value.get_array();
    return spoil(list[*rc::gen::inRange<std::size_t>(0, list.size())], depth - *rc::gen::inRange(0, 2));
  }
  value = random_json(3);
}

void look_at(const json::value& value) {
  for (const auto surface : {Surface::message, Surface::modal, Surface::home}) {
    for (const auto& problem : check_blocks(value, surface)) {
      RC_ASSERT(!problem.error.empty());
      RC_ASSERT(problem.pointer.starts_with("/blocks"));
    }
  }
  for (const auto& problem : check_view(value)) RC_ASSERT(problem.pointer.starts_with("/view"));
  for (const auto& problem : check_attachments(value)) RC_ASSERT(problem.pointer.starts_with("/attachments"));
  check_manifest(value);
  SeenMessage message{.text = "x"};
  if (value.is_array())
    message.blocks = message.attachments = message.chunks = message.files = message.reactions = value.get_array();
  RC_ASSERT(is_valid_utf8(thread_page("t", std::span(&message, 1), false)));
  RC_ASSERT(is_valid_utf8(thread_text(std::span(&message, 1))));
  RC_ASSERT(is_valid_utf8(view_page(value, true)));
}

TEST(SlackBlocksProperty, RandomJsonNeverCrashes) {
  EXPECT_TRUE(rc::check([] { look_at(random_json(6)); }));
}

TEST(SlackBlocksProperty, SpoiltBlocksNeverCrash) {
  EXPECT_TRUE(rc::check([] {
    json::value blocks = sample_message();
    spoil(blocks, 6);
    look_at(blocks);
  }));
}

TEST(SlackBlocksProperty, SpoiltViewsNeverCrash) {
  EXPECT_TRUE(rc::check([] {
    json::value view = sample_modal();
    spoil(view, 6);
    look_at(view);
  }));
}

TEST(SlackBlocksProperty, EveryPrefixOfAGoodListIsGood) {
  EXPECT_TRUE(rc::check([] {
    auto blocks = sample_message();
    blocks.resize(*rc::gen::inRange<std::size_t>(0, blocks.size() + 1));
    RC_ASSERT(check_blocks(blocks, Surface::message).empty());
  }));
}

}  // namespace
}  // namespace deputy::sim::slack
