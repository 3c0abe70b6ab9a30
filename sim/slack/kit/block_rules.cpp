#include "sim/slack/kit/block_rules.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/text.h"

namespace deputy::sim::slack {
namespace {

constexpr std::int64_t kMaxTableCharacters = 10'000;

bool has(const json::object& object, std::string_view key) { return object.contains(key); }

std::int64_t count_of_keys(const json::object& object, std::initializer_list<std::string_view> keys) {
  return std::ranges::count_if(keys, [&](std::string_view key) { return has(object, key); });
}

bool is_true(const json::object& object, std::string_view key) {
  const auto* const value = object.if_contains(key);
  return value != nullptr && value->is_bool() && value->get_bool();
}

/// All digits, as a number; -1 when they are not.
int digits(std::string_view text) {
  int number = 0;
  for (const char c : text) {
    if (!is_digit(c)) return -1;
    number = number * 10 + (c - '0');
  }
  return number;
}

bool all_hex(std::string_view text) {
  return std::ranges::all_of(text,
                             [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); });
}

/// The options of a menu, those of its groups too.
std::vector<const json::value*> options_of(const json::object& element) {
  std::vector<const json::value*> found;
  const auto take = [&](const json::object& owner) {
    if (const auto* const list = find_array(owner, "options"))
      for (const auto& option : *list) found.push_back(&option);
  };
  take(element);
  if (const auto* const groups = find_array(element, "option_groups"))
    for (const auto& group : *groups)
      if (group.is_object()) take(group.get_object());
  return found;
}

void options_are_distinct(Walk& walk, std::span<const json::value* const> options, const std::string& pointer) {
  std::set<std::string_view> values;
  for (const auto* const option : options) {
    const auto* const value = option->is_object() ? find_string(option->get_object(), "value") : nullptr;
    if (value == nullptr || values.insert(as_view(*value)).second) continue;
    walk.complain(fmt::format("`value` \"{}\" already exists", cut_characters(as_view(*value), 100)), pointer);
  }
}

void initial_options_are_offered(Walk& walk, std::span<const json::value* const> options, const json::object& element,
                                 const std::string& pointer) {
  const auto offered = [&](const json::value& chosen) {
    return std::ranges::any_of(options, [&](const json::value* option) { return *option == chosen; });
  };
  if (const auto* const chosen = element.if_contains("initial_option"); chosen != nullptr && !offered(*chosen))
    walk.complain("must be one of the provided options", pointer + "/initial_option");
  if (const auto* const chosen = find_array(element, "initial_options");
      chosen != nullptr && !std::ranges::all_of(*chosen, offered))
    walk.complain("must be one of the provided options", pointer + "/initial_options");
}

/// Complains when the number under `low` is above the one under `high`.
void in_order(Walk& walk, const json::object& element, std::string_view low, std::string_view high,
              const std::string& pointer) {
  const auto* const lower = element.if_contains(low);
  const auto* const upper = element.if_contains(high);
  if (lower == nullptr || upper == nullptr) return;
  const auto lower_number = as_whole(*lower);
  const auto upper_number = as_whole(*upper);
  if (lower_number && upper_number && *lower_number > *upper_number)
    walk.complain(fmt::format("cannot be greater than `{}`", high), fmt::format("{}/{}", pointer, low));
}

}  // namespace

void section_has_text_or_fields(Walk& walk, const json::object& section, const std::string& pointer) {
  if (count_of_keys(section, {"text", "fields"}) == 0) walk.complain("must define either `text` or `fields`", pointer);
}

void image_has_one_source(Walk& walk, const json::object& image, const std::string& pointer) {
  if (count_of_keys(image, {"image_url", "slack_file"}) != 1)
    walk.complain("must define either `image_url` or `slack_file`", pointer);
}

void slack_file_has_one_name(Walk& walk, const json::object& file, const std::string& pointer) {
  if (count_of_keys(file, {"id", "url"}) != 1) walk.complain("must define either `id` or `url`", pointer);
}

void card_has_content(Walk& walk, const json::object& card, const std::string& pointer) {
  if (count_of_keys(card, {"hero_image", "title", "actions", "body"}) == 0)
    walk.complain("must define at least one of `hero_image`, `title`, `actions` or `body`", pointer);
}

void container_has_title(Walk& walk, const json::object& container, const std::string& pointer) {
  if (count_of_keys(container, {"title", "rich_text_title"}) == 0)
    walk.complain("must define either `title` or `rich_text_title`", pointer);
  const bool collapsible = is_true(container, "is_collapsible");
  if (is_true(container, "default_collapsed") && !collapsible)
    walk.complain("requires `is_collapsible`", pointer + "/default_collapsed");
  if (is_true(container, "has_header_divider") && collapsible)
    walk.complain("cannot be used with `is_collapsible`", pointer + "/has_header_divider");
}

void input_is_noted(Walk& walk, const json::object& input, const std::string& pointer) {
  if (walk.seen.first_input.empty()) walk.seen.first_input = pointer;
  // Only text fields say when they dispatch; Slack would wait for a key that is never pressed in any other.
  const auto* const element = find_object(input, "element");
  if (element != nullptr && has(*element, "dispatch_action_config") && !is_true(input, "dispatch_action"))
    walk.complain("requires `dispatch_action`", pointer + "/element/dispatch_action_config");
}

void table_begins(Walk& walk, const json::object&, const std::string& pointer) {
  if (++walk.seen.tables > 1) walk.complain("only_one_table_allowed", pointer);
  walk.seen.before = walk.seen.shown;
}

void table_ends(Walk& walk, const json::object&, const std::string& pointer) {
  if (walk.seen.shown - walk.seen.before > kMaxTableCharacters)
    walk.complain(fmt::format("must be less than {} characters", kMaxTableCharacters + 1), pointer + "/rows");
}

void data_table_is_rectangular(Walk& walk, const json::object& table, const std::string& pointer) {
  const auto* const rows = find_array(table, "rows");
  if (rows == nullptr || rows->empty() || !rows->front().is_array()) return;
  const auto& header = rows->front().get_array();
  for (std::size_t i = 0; i < header.size(); ++i) {
    const auto* const cell = header[i].if_object();
    if (cell != nullptr && text_at(*cell, "type") == "rich_text")
      walk.complain("unsupported type: rich_text", fmt::format("{}/rows/0/{}/type", pointer, i));
  }
  for (std::size_t i = 1; i < rows->size(); ++i) {
    const auto* const row = (*rows)[i].if_array();
    if (row != nullptr && row->size() != header.size())
      walk.complain("all rows must have the same number of cells", fmt::format("{}/rows/{}", pointer, i));
  }
  if (const auto* const index = table.if_contains("row_header_column_index")) {
    const auto column = as_whole(*index);
    if (column && *column >= static_cast<std::int64_t>(header.size()))
      walk.complain(fmt::format("must be less than {}", header.size()), pointer + "/row_header_column_index");
  }
}

void element_is_focused_once(Walk& walk, const json::object& element, const std::string& pointer) {
  if (is_true(element, "focus_on_load") && ++walk.seen.focused > 1)
    walk.complain("only one element can have `focus_on_load`", pointer + "/focus_on_load");
}

void options_are_consistent(Walk& walk, const json::object& element, const std::string& pointer) {
  element_is_focused_once(walk, element, pointer);
  const auto type = text_at(element, "type");
  const bool is_menu = type == "static_select" || type == "multi_static_select";
  if (is_menu && count_of_keys(element, {"options", "option_groups"}) != 1)
    walk.complain("must define either `options` or `option_groups`", pointer);
  const auto options = options_of(element);
  options_are_distinct(walk, options, pointer + (has(element, "option_groups") ? "/option_groups" : "/options"));
  if (!type.ends_with("external_select")) initial_options_are_offered(walk, options, element, pointer);
  const auto* const initial = find_array(element, "initial_options");
  const auto* const most = element.if_contains("max_selected_items");
  const auto limit = most == nullptr ? std::nullopt : as_whole(*most);
  if (initial != nullptr && limit && *limit >= 0 && std::cmp_greater(initial->size(), *limit))
    walk.complain(fmt::format("no more than {} items allowed", *limit), pointer + "/initial_options");
}

void response_url_is_for_inputs(Walk& walk, const json::object& element, const std::string& pointer) {
  element_is_focused_once(walk, element, pointer);
  if (has(element, "response_url_enabled") && walk.seen.block != "input")
    walk.complain("invalid additional property: response_url_enabled", pointer);
}

void lengths_are_ordered(Walk& walk, const json::object& element, const std::string& pointer) {
  element_is_focused_once(walk, element, pointer);
  in_order(walk, element, "min_length", "max_length", pointer);
}

void lines_are_ordered(Walk& walk, const json::object& element, const std::string& pointer) {
  element_is_focused_once(walk, element, pointer);
  in_order(walk, element, "min_lines", "max_lines", pointer);
}

void numbers_are_ordered(Walk& walk, const json::object& element, const std::string& pointer) {
  element_is_focused_once(walk, element, pointer);
  const bool decimal = is_true(element, "is_decimal_allowed");
  const auto number = [&](std::string_view key) -> std::optional<double> {
    const auto* const given = find_string(element, key);
    if (given == nullptr || !is_number(as_view(*given))) return std::nullopt;
    if (!decimal && given->find('.') != json::string::npos)
      walk.complain("must be a whole number", fmt::format("{}/{}", pointer, key));
    return std::strtod(given->c_str(), nullptr);
  };
  const auto least = number("min_value");
  const auto most = number("max_value");
  const auto initial = number("initial_value");
  if (least && most && *least > *most) walk.complain("cannot be greater than `max_value`", pointer + "/min_value");
  if (initial && ((least && *initial < *least) || (most && *initial > *most)))
    walk.complain("must be between `min_value` and `max_value`", pointer + "/initial_value");
}

void filter_says_something(Walk& walk, const json::object& filter, const std::string& pointer) {
  if (filter.empty()) walk.complain("must define at least one filter", pointer);
}

void attachment_has_content(Walk& walk, const json::object& attachment, const std::string& pointer) {
  if (count_of_keys(attachment, {"blocks", "text", "fallback", "title", "pretext", "fields", "image_url"}) == 0)
    walk.complain("must define at least one of `blocks`, `text` or `fallback`", pointer);
  if (!has(attachment, "blocks")) return;
  // Beside blocks only the colour bar and the fallback mean anything; Slack drops the rest without a word.
  for (const auto& member : attachment) {
    const auto key = as_view(member.key());
    if (key != "blocks" && key != "color" && key != "fallback")
      walk.complain(fmt::format("invalid additional property: {}", cut_characters(key, 100)), pointer);
  }
}

bool is_not_blank(std::string_view text) { return !trim(text).empty(); }

bool is_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const int year = digits(text.substr(0, 4)), month = digits(text.substr(5, 2)), day = digits(text.substr(8, 2));
  if (year < 0 || month < 0 || day < 0) return false;
  return std::chrono::year_month_day(std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                     std::chrono::day(static_cast<unsigned>(day)))
      .ok();
}

bool is_time(std::string_view text) {
  if (text.size() != 5 || text[2] != ':') return false;
  const int hour = digits(text.substr(0, 2)), minute = digits(text.substr(3));
  return hour >= 0 && hour < 24 && minute >= 0 && minute < 60;
}

bool is_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const auto point = text.find('.');
  const auto whole = text.substr(0, point);
  const auto fraction = point == std::string_view::npos ? std::string_view("0") : text.substr(point + 1);
  return !whole.empty() && !fraction.empty() && std::ranges::all_of(whole, is_digit) &&
         std::ranges::all_of(fraction, is_digit);
}

bool is_hex_color(std::string_view text) { return text.size() == 7 && text[0] == '#' && all_hex(text.substr(1)); }

bool is_attachment_color(std::string_view text) {
  return text == "good" || text == "warning" || text == "danger" || is_hex_color(text);
}

}  // namespace deputy::sim::slack
