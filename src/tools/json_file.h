// Reads the JSON files of `files` backends. It blocks: call it on a worker.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/json.h"
#include "base/result.h"

namespace deputy::tools {

inline constexpr std::uintmax_t kMaxJsonFile = 32UL << 20;

/// `setting` names the file, for hints. Errors: not_configured if there is no such file, permission if it cannot be
/// read, invalid_input if it is larger than kMaxJsonFile or is not valid JSON.
Result<json::value> read_json_file(const std::filesystem::path& file, std::string_view setting);

/// The error for a document that is valid JSON and holds something else: "`x.json` holds no list of tickets".
std::unexpected<Error> holds_no(std::string_view what, const std::filesystem::path& file, std::string_view setting);

}  // namespace deputy::tools
