#include "sim/slack/people/elements.h"

#include <gtest/gtest.h>

#include "support/results.h"

namespace deputy::sim::slack {
namespace {

json::value parsed(std::string_view text) { return *parse_json(text); }

// Expected values are those of Slack's documents on interaction payloads.
struct Row {
  std::string name;
  std::string element;
  std::string choice;
  std::string chosen;
};

class SlackElements : public testing::TestWithParam<Row> {};

TEST_P(SlackElements, SayWhatWasChosenInSlacksShape) {
  const Row& row = GetParam();
  const auto answer = chosen(parsed(row.element).as_object(), parsed(row.choice));
  ASSERT_OK(answer);
  EXPECT_EQ(canonical_json(*answer), canonical_json(parsed(row.chosen)));
}

const std::vector<Row> kRows = {
    {"ButtonHasNoChoice", R"({"type":"button","action_id":"a"})", "null", R"({"type":"button"})"},
    {"Select", R"({"type":"static_select","options":[{"value":"x","text":{"type":"plain_text","text":"X"}}]})",
     R"("x")", R"({"type":"static_select","selected_option":{"value":"x","text":{"type":"plain_text","text":"X"}}})"},
    {"SelectWithGroups",
     R"({"type":"static_select","option_groups":[{"options":[{"value":"a"}]},{"options":[{"value":"b"}]}]})", R"("b")",
     R"({"type":"static_select","selected_option":{"value":"b"}})"},
    {"EmptySelect", R"({"type":"static_select","options":[{"value":"x"}]})", "null",
     R"({"type":"static_select","selected_option":null})"},
    {"SelectBeginsWithItsInitialOption",
     R"({"type":"static_select","initial_option":{"value":"x"},"options":[{"value":"x"},{"value":"y"}]})", "null",
     R"({"type":"static_select","selected_option":{"value":"x"}})"},
    {"Checkboxes", R"({"type":"checkboxes","options":[{"value":"x"},{"value":"y"},{"value":"z"}]})", R"(["z","x"])",
     R"({"type":"checkboxes","selected_options":[{"value":"z"},{"value":"x"}]})"},
    {"EmptyCheckboxes", R"({"type":"checkboxes","options":[{"value":"x"}]})", "null",
     R"({"type":"checkboxes","selected_options":[]})"},
    {"Users", R"({"type":"users_select"})", R"("U1")", R"({"type":"users_select","selected_user":"U1"})"},
    {"Conversations", R"({"type":"conversations_select"})", R"("C1")",
     R"({"type":"conversations_select","selected_conversation":"C1"})"},
    {"Channels", R"({"type":"channels_select"})", R"("C1")", R"({"type":"channels_select","selected_channel":"C1"})"},
    {"ManyUsers", R"({"type":"multi_users_select"})", R"(["U1","U2"])",
     R"({"type":"multi_users_select","selected_users":["U1","U2"]})"},
    {"Date", R"({"type":"datepicker"})", R"("2026-11-16")", R"({"type":"datepicker","selected_date":"2026-11-16"})"},
    {"Time", R"({"type":"timepicker"})", R"("14:00")", R"({"type":"timepicker","selected_time":"14:00"})"},
    {"DateTime", R"({"type":"datetimepicker"})", "1700000000",
     R"({"type":"datetimepicker","selected_date_time":1700000000})"},
    {"Text", R"({"type":"plain_text_input"})", R"("hi")", R"({"type":"plain_text_input","value":"hi"})"},
    {"EmptyText", R"({"type":"plain_text_input"})", "null", R"({"type":"plain_text_input","value":null})"},
    {"NumbersAreText", R"({"type":"number_input"})", "7", R"({"type":"number_input","value":"7"})"},
    {"Overflow", R"({"type":"overflow","options":[{"value":"x"}]})", R"("x")",
     R"({"type":"overflow","selected_option":{"value":"x"}})"},
};
INSTANTIATE_TEST_SUITE_P(, SlackElements, testing::ValuesIn(kRows), [](const auto& row) { return row.param.name; });

TEST(SlackState, HasEveryStatefulElementAndNoButton) {
  const json::value blocks = parsed(R"([
    {"type":"section","block_id":"s","accessory":{"type":"overflow","action_id":"more","options":[{"value":"x"}]}},
    {"type":"input","block_id":"i","element":{"type":"plain_text_input","action_id":"t"}},
    {"type":"actions","block_id":"b","elements":[{"type":"button","action_id":"ok"},{"type":"users_select","action_id":"u"}]}])");
  const auto state = state_of(blocks.as_array(), parsed(R"({"i":{"t":"hello"}})").as_object());
  ASSERT_OK(state);
  EXPECT_EQ(canonical_json(*state), canonical_json(parsed(R"({
    "i":{"t":{"type":"plain_text_input","value":"hello"}},
    "b":{"u":{"type":"users_select","selected_user":null}}})")));
}

TEST(SlackState, APersonCannotChooseWhatIsNotThere) {
  const json::value blocks = parsed(
      R"([{"type":"input","block_id":"i","element":{"type":"radio_buttons","action_id":"r","options":[{"value":"x"}]}}])");
  EXPECT_FAILS(state_of(blocks.as_array(), parsed(R"({"i":{"r":"y"}})").as_object()), invalid_input);
  EXPECT_FAILS(state_of(blocks.as_array(), parsed(R"({"i":{"other":"x"}})").as_object()), invalid_input);
  EXPECT_FAILS(state_of(blocks.as_array(), parsed(R"({"other":{"r":"x"}})").as_object()), invalid_input);
}

TEST(SlackState, RequiredInputsThatAreEmptyAreNamed) {
  const json::value blocks = parsed(R"([
    {"type":"input","block_id":"needed","element":{"type":"plain_text_input","action_id":"t"}},
    {"type":"input","block_id":"free","optional":true,"element":{"type":"plain_text_input","action_id":"t"}},
    {"type":"input","block_id":"boxes","element":{"type":"checkboxes","action_id":"c","options":[{"value":"x"}]}}])");
  const auto empty = state_of(blocks.as_array(), {});
  ASSERT_OK(empty);
  EXPECT_EQ(canonical_json(missing_inputs(blocks.as_array(), *empty)),
            R"({"boxes":"Please complete this required field.","needed":"Please complete this required field."})");
  const auto filled = state_of(blocks.as_array(), parsed(R"({"needed":{"t":"x"},"boxes":{"c":["x"]}})").as_object());
  ASSERT_OK(filled);
  EXPECT_EQ(missing_inputs(blocks.as_array(), *filled), json::object());
}

}  // namespace
}  // namespace deputy::sim::slack
