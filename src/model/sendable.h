// The turns of a request as any provider's API takes them. APIs refuse a whole request for one call without its result,
// one empty text or one id they do not like, and go on refusing it each time it is sent; here that is put right once
// for all of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace deputy::model {

/// Begins with the user's turn, roles alternate, no turn is without blocks, no text is blank. An assistant's turn holds
/// texts, calls and thinking, has more than thinking and ends in no white space; ids of calls are unique in all turns,
/// at most 40 characters of letters, digits, `_` and `-`, and the same each time; so are names of tools, at most 64.
/// The turn after calls begins with one result for each, in their order, its text written as data (data_text.h), and a
/// failed one where none is known; texts follow. A result without its call is left out. All text is UTF-8.
std::vector<Turn> sendable_turns(const std::vector<Turn>& turns);

/// The name of a tool as an API takes it.
std::string sendable_name(std::string_view tool);

/// The schema of a tool's parameters as an API takes it: that of an object.
json::object sendable_schema(const json::object& params);

/// A schema as APIs take it for a reply: types, members, items and choices alone, and no members but those named.
json::object strict_schema(const json::object& schema);

/// For an API that cannot hold a model to a schema: the system prompt with a request for it in words.
std::string system_with_format(const Request& request);

// What a tool gave back, as every provider writes it to a model: between marks that name it as data, so that text in it
// that looks like an instruction is seen to stand inside. The system prompt says what the marks mean.

/// `text` with every closing tag in it broken up: one would let what follows pretend to stand outside.
std::string without_closing_tags(std::string_view text);

/// `<tool_result tool="search_logs">`, the text, `</tool_result>`, each in lines of their own. Closing marks inside the
/// text are broken up, and bytes that are not UTF-8 replaced. Never empty.
std::string as_data(const CallResult& result, std::string_view tool);

}  // namespace deputy::model
