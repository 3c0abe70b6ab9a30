// What the tables of Block Kit cannot say: how the fields of one block or element depend on each other. Each is a Rule
// (shape.h) of the shape it is named after.
#pragma once

#include "sim/slack/kit/shape.h"

namespace deputy::sim::slack {

// Blocks.
void section_has_text_or_fields(Walk& walk, const json::object& section, const std::string& pointer);
void image_has_one_source(Walk& walk, const json::object& image, const std::string& pointer);
void slack_file_has_one_name(Walk& walk, const json::object& file, const std::string& pointer);
void card_has_content(Walk& walk, const json::object& card, const std::string& pointer);
void container_has_title(Walk& walk, const json::object& container, const std::string& pointer);
void input_is_noted(Walk& walk, const json::object& input, const std::string& pointer);
void table_begins(Walk& walk, const json::object& table, const std::string& pointer);
void table_ends(Walk& walk, const json::object& table, const std::string& pointer);
void data_table_is_rectangular(Walk& walk, const json::object& table, const std::string& pointer);

// Elements.
void element_is_focused_once(Walk& walk, const json::object& element, const std::string& pointer);
void options_are_consistent(Walk& walk, const json::object& element, const std::string& pointer);
void response_url_is_for_inputs(Walk& walk, const json::object& element, const std::string& pointer);
void lengths_are_ordered(Walk& walk, const json::object& element, const std::string& pointer);
void lines_are_ordered(Walk& walk, const json::object& element, const std::string& pointer);
void numbers_are_ordered(Walk& walk, const json::object& element, const std::string& pointer);

// Parts.
void filter_says_something(Walk& walk, const json::object& filter, const std::string& pointer);
void attachment_has_content(Walk& walk, const json::object& attachment, const std::string& pointer);

// Formats of strings.
bool is_not_blank(std::string_view text);
bool is_date(std::string_view text);    // 2026-11-16
bool is_time(std::string_view text);    // 22:25
bool is_number(std::string_view text);  // -10, 0.25
bool is_hex_color(std::string_view text);
bool is_attachment_color(std::string_view text);

}  // namespace deputy::sim::slack
