// What a tool gave back, as every provider writes it to a model: between marks that name it as data, so that text in it
// that looks like an instruction is seen to stand inside. The system prompt says what the marks mean.
#pragma once

#include <string>
#include <string_view>

#include "model/model.h"

namespace deputy::model {

/// `text` with every closing tag in it broken up: one would let what follows pretend to stand outside.
std::string without_closing_tags(std::string_view text);

/// `<tool_result tool="search_logs">`, the text, `</tool_result>`, each in lines of their own. Closing marks inside the
/// text are broken up, and bytes that are not UTF-8 replaced. Never empty.
std::string as_data(const CallResult& result, std::string_view tool);

}  // namespace deputy::model
