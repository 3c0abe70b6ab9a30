// Rewrites a request's turns so that every API accepts them. APIs refuse a whole request for one call without its
// result, one empty text or one odd id, and would refuse it again on every retry. Text from tools is marked as data
// here too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace deputy::model {

/// Starts with a user's turn; roles alternate; no turn is empty and no text blank. An assistant's turn holds texts,
/// calls and thinking, never thinking alone, and does not end in white space. Call ids are unique across all turns,
/// stable, and at most 40 letters, digits, `_` and `-`; tool names are at most 64 of these. The turn after calls starts
/// with one result per call, in order, marked as data (as_data), or a failed result if there is none; texts follow. A
/// result without its call is dropped, and a line stands for an image without data. All text is UTF-8.
std::vector<Turn> sendable_turns(const std::vector<Turn>& turns);

/// A tool's name in the characters that APIs accept.
std::string sendable_name(std::string_view tool);

/// A tool's parameter schema, with type `object`.
json::object sendable_schema(const json::object& params);

/// A schema for structured replies: only types, members, items and choices, and no additional members.
json::object strict_schema(const json::object& schema);

/// For APIs without structured replies: the system prompt plus a request for the schema.
std::string system_with_format(const Request& request);

/// Breaks up every closing tag in `text`, so that nothing in it can appear to stand outside the marks.
std::string without_closing_tags(std::string_view text);

/// Marks a tool's result as data, so that instructions inside it are seen as data: `<tool_result tool="search_logs">`,
/// the text, `</tool_result>`, each on its own lines. The system prompt explains the marks. Closing tags in the text
/// are broken up and invalid UTF-8 is replaced. Never empty.
std::string as_data(const CallResult& result, std::string_view tool);

}  // namespace deputy::model
