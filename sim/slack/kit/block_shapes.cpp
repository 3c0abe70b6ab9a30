#include "sim/slack/kit/block_shapes.h"

#include "sim/slack/kit/block_rules.h"

namespace deputy::sim::slack {
namespace {

// Strings for which Slack publishes no limit get that of a text object.
constexpr std::int64_t kText = kTextObjectCharacters;
constexpr std::int64_t kUrl = 3000;
constexpr std::int64_t kId = 255;

// ---- What may stand where -------------------------------------------------------------------------------------------

// Slack's types allow multi-selects and rich text inputs here too; its API refuses them.
constexpr std::string_view kActionElements =
    "element/button element/checkboxes element/datepicker element/datetimepicker element/overflow "
    "element/radio_buttons element/timepicker element/workflow_button element/static_select element/external_select "
    "element/users_select element/conversations_select element/channels_select";

constexpr std::string_view kAccessories =
    "element/button element/checkboxes element/datepicker element/image element/overflow element/radio_buttons "
    "element/timepicker element/workflow_button element/static_select element/external_select element/users_select "
    "element/conversations_select element/channels_select element/multi_static_select element/multi_external_select "
    "element/multi_users_select element/multi_conversations_select element/multi_channels_select";

constexpr std::string_view kInputElements =
    "element/checkboxes element/datepicker element/datetimepicker element/email_text_input element/file_input "
    "element/number_input element/plain_text_input element/radio_buttons element/rich_text_input element/timepicker "
    "element/url_text_input element/static_select element/external_select element/users_select "
    "element/conversations_select element/channels_select element/multi_static_select element/multi_external_select "
    "element/multi_users_select element/multi_conversations_select element/multi_channels_select";

constexpr std::string_view kContainedBlocks =
    "block/actions block/context block/divider block/file block/header block/image block/input block/rich_text "
    "block/section block/table block/video";

constexpr std::string_view kCells = "cell/raw_text cell/raw_number nested/rich_text";

constexpr std::string_view kRichTextParts =
    "rich/rich_text_section rich/rich_text_list rich/rich_text_quote rich/rich_text_preformatted";
constexpr std::string_view kRichTextRuns =
    "run/text run/link run/emoji run/user run/channel run/usergroup run/team run/broadcast run/date run/color";

// ---- Fields that many have ------------------------------------------------------------------------------------------

constexpr Field kBlockId = text("block_id", kId).unique_in(Unique::in_document);
constexpr Field kActionId = text("action_id", kId).unique_in(Unique::in_block);
constexpr Field kConfirm = object("confirm", "part/confirm");
constexpr Field kPlaceholder = plain_text("placeholder", 150);
constexpr Field kFocus = flag("focus_on_load").on(kOnModals | kOnHomes);
constexpr Field kDispatch = object("dispatch_action_config", "part/dispatch_action_config");
constexpr Field kMaxSelected = whole("max_selected_items", 1, kUnlimited);
constexpr Field kFilter = object("filter", "part/filter");
constexpr Field kButtonStyle = word("style", "primary danger");
constexpr Field kAccessibilityLabel = text("accessibility_label", 75);
constexpr Field kPlainOptions = objects("options", "part/plain_option", 1, 100);
constexpr Field kOptionGroups = objects("option_groups", "part/option_group", 1, 100);
constexpr Field kChoices = objects("options", "part/choice", 1, 10).required();
constexpr Field kAltText = text("alt_text", 2000).required();
constexpr Field kImageUrl = text("image_url", kUrl).like(kWebAddress);
constexpr Field kSlackFile = object("slack_file", "part/slack_file");

// ---- Blocks ---------------------------------------------------------------------------------------------------------

constexpr Field kActions[] = {kBlockId, objects("elements", kActionElements, 1, 25).required()};
constexpr Field kAlert[] = {kBlockId, any_text("text", 200).required(),
                            word("level", "default info warning error success")};
constexpr Field kCard[] = {kBlockId,
                           object("hero_image", "element/image"),
                           object("icon", "element/image"),
                           mrkdwn("title", 150),
                           mrkdwn("subtitle", 150),
                           mrkdwn("body", 200),
                           objects("actions", "element/button", 1, 3)};
constexpr Field kCarousel[] = {kBlockId, objects("elements", "block/card", 1, 10).required()};
constexpr Field kContainer[] = {kBlockId,
                                plain_text("title", 150),
                                object("rich_text_title", "nested/rich_text"),
                                any_text("subtitle", 150),
                                objects("child_blocks", kContainedBlocks, 1, 10).required(),
                                word("width", "narrow standard wide full"),
                                object("icon", "element/image"),
                                flag("is_collapsible"),
                                flag("default_collapsed"),
                                flag("has_header_divider")};
constexpr Field kContext[] = {kBlockId,
                              objects("elements", "element/image text/plain_text text/mrkdwn", 1, 10).required()};
constexpr Field kContextActions[] = {
    kBlockId, objects("elements", "element/feedback_buttons element/icon_button", 1, 5).required()};
constexpr Field kDataTable[] = {kBlockId, rows("rows", kCells, 2, 201).each_up_to(20).required(),
                                text("caption", kText).shown().required(), whole("page_size", 1, 100),
                                whole("row_header_column_index", 0, 19)};
constexpr Field kDivider[] = {kBlockId};
constexpr Field kHeader[] = {kBlockId, plain_text("text", 150).required()};
constexpr Field kImageBlock[] = {kBlockId, kAltText, kImageUrl, kSlackFile, plain_text("title", 2000)};
constexpr Field kInput[] = {kBlockId,
                            plain_text("label", 2000).required(),
                            object("element", kInputElements).required(),
                            plain_text("hint", 2000),
                            flag("optional"),
                            flag("dispatch_action")};
constexpr Field kMarkdown[] = {kBlockId, text("text", 12'000).shown().required()};
constexpr Field kPlan[] = {kBlockId, text("title", kText).shown().required(),
                           objects("tasks", "nested/task_card", 0, 50)};
constexpr Field kRichText[] = {kBlockId, objects("elements", kRichTextParts, 1, kUnlimited).required()};
constexpr Field kSection[] = {kBlockId, any_text("text", 3000),
                              objects("fields", "text/plain_text text/mrkdwn", 1, 10).each_up_to(2000),
                              object("accessory", kAccessories), flag("expand")};
constexpr Field kTable[] = {kBlockId, rows("rows", kCells, 1, 100).each_up_to(20).required(),
                            objects("column_settings", "part/column_settings", 0, 20)};
// Slack's API refuses `pending` here, outside of a plan.
constexpr Field kTaskCard[] = {kBlockId,
                               text("task_id", kId).required(),
                               text("title", kText).shown().required(),
                               word("status", "in_progress complete error").required(),
                               object("details", "nested/rich_text"),
                               object("output", "nested/rich_text"),
                               objects("sources", "source/url", 0, 50)};
constexpr Field kPlannedTask[] = {kBlockId,
                                  text("task_id", kId).required(),
                                  text("title", kText).shown().required(),
                                  word("status", "pending in_progress complete error").required(),
                                  object("details", "nested/rich_text"),
                                  object("output", "nested/rich_text"),
                                  objects("sources", "source/url", 0, 50)};
constexpr Field kVideo[] = {kBlockId,
                            text("alt_text", 2000).required(),
                            plain_text("title", 199).required(),
                            text("thumbnail_url", kUrl).like(kWebAddress).required(),
                            text("video_url", kUrl).like(kHttpsAddress).required(),
                            text("title_url", kUrl).like(kHttpsAddress),
                            plain_text("description", 199),
                            text("author_name", 49),
                            text("provider_name", kText),
                            text("provider_icon_url", kUrl).like(kWebAddress)};

// ---- Elements -------------------------------------------------------------------------------------------------------

constexpr Field kButton[] = {kActionId,           plain_text("text", 75).required(),
                             text("value", 2000), text("url", kUrl).like(kWebAddress),
                             kButtonStyle,        kConfirm,
                             kAccessibilityLabel};
constexpr Field kCheckboxes[] = {kActionId, kChoices, objects("initial_options", "part/choice", 1, 10), kConfirm,
                                 kFocus};
constexpr Field kDatepicker[] = {kActionId, text("initial_date", 10).like({"must be a valid date", is_date}), kConfirm,
                                 kFocus, kPlaceholder};
constexpr Field kDatetimepicker[] = {kActionId, whole("initial_date_time", 1'000'000'000, 9'999'999'999), kConfirm,
                                     kFocus};
constexpr Field kTextLine[] = {kActionId, text("initial_value", kText), kDispatch, kFocus, kPlaceholder};
constexpr Field kFeedbackButtons[] = {kActionId, object("positive_button", "part/feedback_button").required(),
                                      object("negative_button", "part/feedback_button").required()};
constexpr Field kFileInput[] = {kActionId, texts("filetypes", 1, 100).each_up_to(kId), whole("max_files", 1, 10)};
constexpr Field kIconButton[] = {kActionId,
                                 word("icon", "trash").required(),
                                 plain_text("text", 75).required(),
                                 text("value", 2000),
                                 kConfirm,
                                 kAccessibilityLabel,
                                 texts("visible_to_user_ids", 1, 100).each_up_to(kId)};
constexpr Field kImageElement[] = {kAltText, kImageUrl, kSlackFile};
constexpr Field kNumberInput[] = {kActionId,
                                  flag("is_decimal_allowed").required(),
                                  text("initial_value", kId).like({"must be a valid number", is_number}),
                                  text("min_value", kId).like({"must be a valid number", is_number}),
                                  text("max_value", kId).like({"must be a valid number", is_number}),
                                  kDispatch,
                                  kFocus,
                                  kPlaceholder};
constexpr Field kOverflow[] = {kActionId, objects("options", "part/menu_option", 1, 5).required(), kConfirm};
constexpr Field kPlainTextInput[] = {kActionId,
                                     text("initial_value", 3000),
                                     flag("multiline"),
                                     whole("min_length", 0, 3000),
                                     whole("max_length", 1, 3000),
                                     kDispatch,
                                     kFocus,
                                     kPlaceholder};
constexpr Field kRadioButtons[] = {kActionId, kChoices, object("initial_option", "part/choice"), kConfirm, kFocus};
constexpr Field kRichTextInput[] = {kActionId,
                                    object("initial_value", "nested/rich_text"),
                                    whole("min_lines", 1, 100),
                                    whole("max_lines", 1, 100),
                                    kDispatch,
                                    kFocus,
                                    kPlaceholder};
constexpr Field kTimepicker[] = {kActionId,
                                 text("initial_time", 5).like({"must be a valid time", is_time}),
                                 text("timezone", kId),
                                 kConfirm,
                                 kFocus,
                                 kPlaceholder};
constexpr Field kWorkflowButton[] = {kActionId,
                                     plain_text("text", 75).required(),
                                     object("workflow", "part/workflow").required(),
                                     kButtonStyle,
                                     kConfirm,
                                     kAccessibilityLabel};
constexpr Field kStaticSelect[] = {
    kActionId, kPlainOptions, kOptionGroups, object("initial_option", "part/plain_option"),
    kConfirm,  kFocus,        kPlaceholder};
constexpr Field kMultiStaticSelect[] = {
    kActionId,    kPlainOptions, kOptionGroups, objects("initial_options", "part/plain_option", 1, 100),
    kMaxSelected, kConfirm,      kFocus,        kPlaceholder};
constexpr Field kExternalSelect[] = {kActionId,
                                     object("initial_option", "part/plain_option"),
                                     whole("min_query_length", 0, kUnlimited),
                                     kConfirm,
                                     kFocus,
                                     kPlaceholder};
constexpr Field kMultiExternalSelect[] = {kActionId,
                                          objects("initial_options", "part/plain_option", 1, 100),
                                          whole("min_query_length", 0, kUnlimited),
                                          kMaxSelected,
                                          kConfirm,
                                          kFocus,
                                          kPlaceholder};
constexpr Field kUsersSelect[] = {kActionId, text("initial_user", kId), kConfirm, kFocus, kPlaceholder};
constexpr Field kMultiUsersSelect[] = {
    kActionId, texts("initial_users", 1, 100).each_up_to(kId), kMaxSelected, kConfirm, kFocus, kPlaceholder};
constexpr Field kConversationsSelect[] = {kActionId,
                                          text("initial_conversation", kId),
                                          flag("default_to_current_conversation"),
                                          flag("response_url_enabled").on(kOnModals),
                                          kFilter,
                                          kConfirm,
                                          kFocus,
                                          kPlaceholder};
constexpr Field kMultiConversationsSelect[] = {kActionId,
                                               texts("initial_conversations", 1, 100).each_up_to(kId),
                                               flag("default_to_current_conversation"),
                                               kFilter,
                                               kMaxSelected,
                                               kConfirm,
                                               kFocus,
                                               kPlaceholder};
constexpr Field kChannelsSelect[] = {
    kActionId,   text("initial_channel", kId), flag("response_url_enabled").on(kOnModals), kConfirm, kFocus,
    kPlaceholder};
constexpr Field kMultiChannelsSelect[] = {
    kActionId, texts("initial_channels", 1, 100).each_up_to(kId), kMaxSelected, kConfirm, kFocus, kPlaceholder};

// ---- Text and parts -------------------------------------------------------------------------------------------------

// Slack cuts the blanks off before it counts.
constexpr Format kNotBlank{"must be more than 0 characters", is_not_blank};
constexpr Field kPlainText[] = {text("text", kText).like(kNotBlank).shown().required(), flag("emoji")};
constexpr Field kMrkdwn[] = {text("text", kText).like(kNotBlank).shown().required(), flag("verbatim")};
constexpr Field kRawText[] = {text("text", kText).shown().required()};
constexpr Field kRawNumber[] = {text("text", kText).shown().required(), decimal("value").required()};

// Slack's documentation allows 150 characters, its types 75.
constexpr Field kOptionValue = text("value", 75).required();
constexpr Field kOptionDescription = plain_text("description", 75);
constexpr Field kPlainOption[] = {plain_text("text", 75).required(), kOptionValue, kOptionDescription};
constexpr Field kMenuOption[] = {plain_text("text", 75).required(), kOptionValue, kOptionDescription,
                                 text("url", kUrl).like(kWebAddress)};
constexpr Field kChoice[] = {any_text("text", 75).required(), kOptionValue, kOptionDescription};
constexpr Field kOptionGroup[] = {plain_text("label", 75).required(),
                                  objects("options", "part/plain_option", 1, 100).required()};

constexpr Field kConfirmDialog[] = {plain_text("title", 100).required(), any_text("text", 300).required(),
                                    plain_text("confirm", 30).required(), plain_text("deny", 30).required(),
                                    kButtonStyle};
constexpr Field kDispatchConfig[] = {
    texts("trigger_actions_on", 1, 2, "on_enter_pressed on_character_entered").required()};
constexpr Field kConversationFilter[] = {texts("include", 1, 4, "im mpim private public"),
                                         flag("exclude_external_shared_channels"), flag("exclude_bot_users")};
constexpr Field kFeedbackButton[] = {plain_text("text", 75).required(), text("value", 2000).required(),
                                     kAccessibilityLabel};
constexpr Field kSlackFilePart[] = {text("id", kId), text("url", kUrl).like(kWebAddress)};
constexpr Field kColumnSettings[] = {word("align", "left center right"), flag("is_wrapped")};
constexpr Field kUrlSource[] = {text("url", kUrl).like(kWebAddress).required(), text("text", kText).shown().required()};
constexpr Field kWorkflow[] = {object("trigger", "part/trigger").required()};
constexpr Field kTrigger[] = {text("url", kUrl).like(kHttpsAddress).required(),
                              objects("customizable_input_parameters", "part/trigger_parameter", 0, 100)};
constexpr Field kTriggerParameter[] = {text("name", kId).required(), text("value", kText).required()};

// ---- Rich text ------------------------------------------------------------------------------------------------------

constexpr Field kRunStyle = object("style", "part/run_style");
constexpr Field kBorder = whole("border", 0, 1);
constexpr Field kNestedRichText[] = {text("block_id", kId),
                                     objects("elements", kRichTextParts, 1, kUnlimited).required()};
constexpr Field kRichSection[] = {objects("elements", kRichTextRuns, 1, kUnlimited).required()};
constexpr Field kRichList[] = {objects("elements", "rich/rich_text_section", 1, kUnlimited).required(),
                               word("style", "bullet ordered").required(), whole("indent", 0, 8), kBorder};
constexpr Field kRichQuote[] = {objects("elements", kRichTextRuns, 1, kUnlimited).required(), kBorder};
constexpr Field kRichPreformatted[] = {objects("elements", "run/text run/link", 1, kUnlimited).required(), kBorder};
constexpr Field kRunStyles[] = {flag("bold"), flag("italic"), flag("strike"), flag("code"), flag("underline")};
constexpr Field kRunText[] = {text("text", kUnlimited).shown().required(), kRunStyle};
constexpr Field kRunLink[] = {text("url", kUrl).like(kWebAddress).required(), text("text", kText).shown(),
                              flag("unsafe"), kRunStyle};
constexpr Field kRunEmoji[] = {text("name", kId).required(), text("unicode", kId), text("url", kUrl).like(kWebAddress),
                               kRunStyle};
constexpr Field kRunUser[] = {text("user_id", kId).required(), kRunStyle};
constexpr Field kRunChannel[] = {text("channel_id", kId).required(), kRunStyle};
constexpr Field kRunUsergroup[] = {text("usergroup_id", kId).required(), kRunStyle};
constexpr Field kRunTeam[] = {text("team_id", kId).required(), kRunStyle};
constexpr Field kRunBroadcast[] = {word("range", "here channel everyone").required(), kRunStyle};
constexpr Field kRunDate[] = {whole("timestamp", 0, kUnlimited - 1).required(),
                              text("format", kText).shown().required(), text("url", kUrl).like(kWebAddress),
                              text("fallback", kText), kRunStyle};
constexpr Field kRunColor[] = {text("value", 7).like({"must be a valid hex color", is_hex_color}).required(),
                               kRunStyle};

// ---- Views and attachments ------------------------------------------------------------------------------------------

constexpr std::string_view kAllBlocks =
    "block/actions block/alert block/card block/carousel block/container block/context block/context_actions "
    "block/data_table block/divider block/file block/header block/image block/input block/markdown block/plan "
    "block/rich_text block/section block/table block/task_card block/video";

constexpr Field kViewBlocks = objects("blocks", kAllBlocks, 0, kMaxViewBlocks).required();
constexpr Field kModal[] = {plain_text("title", 24).required(),
                            plain_text("submit", 24),
                            plain_text("close", 24),
                            kViewBlocks,
                            text("private_metadata", 3000, 0),
                            text("callback_id", 255, 0),
                            text("external_id", 255, 0),
                            flag("clear_on_close"),
                            flag("notify_on_close")};
constexpr Field kHome[] = {kViewBlocks, text("private_metadata", 3000, 0), text("callback_id", 255, 0),
                           text("external_id", 255, 0)};

constexpr Field kAttachment[] = {objects("blocks", kAllBlocks, 1, kMaxMessageBlocks),
                                 text("fallback", kUnlimited).shown(),
                                 text("color", 7).like({"must be a valid color", is_attachment_color}),
                                 text("pretext", kText).shown(),
                                 text("author_name", kText).shown(),
                                 text("author_link", kUrl).like(kWebAddress),
                                 text("author_icon", kUrl).like(kWebAddress),
                                 text("author_subname", kText).shown(),
                                 text("title", kText).shown(),
                                 text("title_link", kUrl).like(kWebAddress),
                                 text("text", kUnlimited).shown(),
                                 objects("fields", "part/attachment_field", 1, 100),
                                 text("image_url", kUrl).like(kWebAddress),
                                 text("thumb_url", kUrl).like(kWebAddress),
                                 text("footer", 300).shown(),
                                 text("footer_icon", kUrl).like(kWebAddress),
                                 text("ts", kId),
                                 text("callback_id", kId),
                                 texts("mrkdwn_in", 1, 3, "pretext text fields")};
constexpr Field kAttachmentField[] = {text("title", kText).shown().required(), text("value", kText).shown().required(),
                                      flag("short")};

constexpr Surfaces kOnMessagesAndHomes = kOnMessages | kOnHomes;
// No app may post a file block: Slack adds them to messages with remote files.
constexpr Surfaces kNowhere = 0;

constexpr Shape kShapes[] = {
    {"block/actions", kActions},
    {"block/alert", kAlert, kOnModals},
    {"block/card", kCard, kAnywhere, card_has_content},
    {"block/carousel", kCarousel, kOnMessagesAndHomes},
    {"block/container", kContainer, kOnMessagesAndHomes, container_has_title},
    {"block/context", kContext},
    {"block/context_actions", kContextActions, kOnMessages},
    {"block/data_table", kDataTable, kOnMessagesAndHomes, data_table_is_rectangular},
    {"block/divider", kDivider},
    {"block/file", {}, kNowhere},
    {"block/header", kHeader},
    {"block/image", kImageBlock, kAnywhere, image_has_one_source},
    {"block/input", kInput, kAnywhere, input_is_noted},
    {"block/markdown", kMarkdown, kOnMessages},
    {"block/plan", kPlan, kOnMessages},
    {"block/rich_text", kRichText},
    {"block/section", kSection, kAnywhere, section_has_text_or_fields},
    {"block/table", kTable, kOnMessagesAndHomes, table_begins, table_ends},
    {"block/task_card", kTaskCard, kOnMessages},
    {"block/video", kVideo},

    {"element/button", kButton},
    {"element/checkboxes", kCheckboxes, kAnywhere, options_are_consistent},
    {"element/datepicker", kDatepicker, kAnywhere, element_is_focused_once},
    {"element/datetimepicker", kDatetimepicker, kOnMessages | kOnModals, element_is_focused_once},
    {"element/email_text_input", kTextLine, kOnModals, element_is_focused_once},
    {"element/feedback_buttons", kFeedbackButtons, kOnMessages},
    {"element/file_input", kFileInput, kOnModals},
    {"element/icon_button", kIconButton, kOnMessages},
    {"element/image", kImageElement, kAnywhere, image_has_one_source},
    {"element/number_input", kNumberInput, kOnModals, numbers_are_ordered},
    {"element/overflow", kOverflow, kAnywhere, options_are_consistent},
    {"element/plain_text_input", kPlainTextInput, kAnywhere, lengths_are_ordered},
    {"element/radio_buttons", kRadioButtons, kAnywhere, options_are_consistent},
    {"element/rich_text_input", kRichTextInput, kOnModals | kOnHomes, lines_are_ordered},
    {"element/timepicker", kTimepicker, kAnywhere, element_is_focused_once},
    {"element/url_text_input", kTextLine, kOnModals, element_is_focused_once},
    {"element/workflow_button", kWorkflowButton, kOnMessages},
    {"element/static_select", kStaticSelect, kAnywhere, options_are_consistent},
    {"element/external_select", kExternalSelect, kAnywhere, options_are_consistent},
    {"element/users_select", kUsersSelect, kAnywhere, element_is_focused_once},
    {"element/conversations_select", kConversationsSelect, kAnywhere, response_url_is_for_inputs},
    {"element/channels_select", kChannelsSelect, kAnywhere, response_url_is_for_inputs},
    {"element/multi_static_select", kMultiStaticSelect, kAnywhere, options_are_consistent},
    {"element/multi_external_select", kMultiExternalSelect, kAnywhere, options_are_consistent},
    {"element/multi_users_select", kMultiUsersSelect, kAnywhere, element_is_focused_once},
    {"element/multi_conversations_select", kMultiConversationsSelect, kAnywhere, element_is_focused_once},
    {"element/multi_channels_select", kMultiChannelsSelect, kAnywhere, element_is_focused_once},

    {"text/plain_text", kPlainText},
    {"text/mrkdwn", kMrkdwn},
    {"cell/raw_text", kRawText},
    {"cell/raw_number", kRawNumber},
    {"source/url", kUrlSource},
    {"nested/rich_text", kNestedRichText},
    {"nested/task_card", kPlannedTask},

    {"rich/rich_text_section", kRichSection},
    {"rich/rich_text_list", kRichList},
    {"rich/rich_text_quote", kRichQuote},
    {"rich/rich_text_preformatted", kRichPreformatted},
    {"run/text", kRunText},
    {"run/link", kRunLink},
    {"run/emoji", kRunEmoji},
    {"run/user", kRunUser},
    {"run/channel", kRunChannel},
    {"run/usergroup", kRunUsergroup},
    {"run/team", kRunTeam},
    {"run/broadcast", kRunBroadcast},
    {"run/date", kRunDate},
    {"run/color", kRunColor},

    {"part/plain_option", kPlainOption},
    {"part/menu_option", kMenuOption},
    {"part/choice", kChoice},
    {"part/option_group", kOptionGroup},
    {"part/confirm", kConfirmDialog},
    {"part/dispatch_action_config", kDispatchConfig},
    {"part/filter", kConversationFilter, kAnywhere, filter_says_something},
    {"part/feedback_button", kFeedbackButton},
    {"part/slack_file", kSlackFilePart, kAnywhere, slack_file_has_one_name},
    {"part/column_settings", kColumnSettings},
    {"part/workflow", kWorkflow},
    {"part/trigger", kTrigger},
    {"part/trigger_parameter", kTriggerParameter},
    {"part/run_style", kRunStyles},

    {"view/modal", kModal, kOnModals},
    {"view/home", kHome, kOnHomes},
    {"part/attachment", kAttachment, kOnMessages, attachment_has_content},
    {"part/attachment_field", kAttachmentField},
};

}  // namespace

const std::string_view kBlocks = kAllBlocks;

std::span<const Shape> block_shapes() { return kShapes; }

}  // namespace deputy::sim::slack
