#include "tools/json_file.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

namespace deputy::tools {

Result<json::value> read_json_file(const std::filesystem::path& file, std::string_view setting) {
  const std::string hint = fmt::format("check {}", setting);
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    return fail(ErrorKind::not_configured, fmt::format("there is no file `{}`", file.string()), hint);
  if (std::filesystem::file_size(file, error) > kMaxJsonFile)
    return fail(ErrorKind::invalid_input, fmt::format("`{}` is larger than {} MB", file.string(), kMaxJsonFile >> 20),
                hint);
  std::ifstream in(file, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (!in.is_open() || in.bad())
    return fail(ErrorKind::permission, fmt::format("`{}` cannot be read", file.string()),
                fmt::format("let Deputy's account read it, or check {}", setting));
  Result<json::value> document = parse_json(text);
  if (!document)
    return fail(ErrorKind::invalid_input, fmt::format("`{}`: {}", file.string(), document.error().message), hint);
  return document;
}

std::unexpected<Error> holds_no(std::string_view what, const std::filesystem::path& file, std::string_view setting) {
  return fail(ErrorKind::invalid_input, fmt::format("`{}` holds no {}", file.string(), what),
              fmt::format("check {}; docs/backends/files.md shows what it holds", setting));
}

}  // namespace deputy::tools
