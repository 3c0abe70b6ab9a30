#include "support/source_failpoints.h"

#include <filesystem>
#include <set>
#include <stdexcept>

#include "support/temporary_folder.h"

namespace deputy::test {

std::vector<std::string> failpoints_in_source(const std::string& folder) {
  constexpr std::string_view kCall = "failpoint(\"";
  std::set<std::string> names;
  for (const auto& file :
       std::filesystem::recursive_directory_iterator(std::filesystem::path(SOURCE_FOLDER) / "src" / folder)) {
    if (file.path().extension() != ".cpp") continue;
    const std::string text = read_file(file.path());
    for (std::size_t at = text.find(kCall); at != std::string::npos; at = text.find(kCall, at + 1)) {
      const std::size_t begin = at + kCall.size();
      names.insert(text.substr(begin, text.find('"', begin) - begin));
    }
  }
  if (names.empty()) throw std::runtime_error("no failpoint in src/" + folder);
  return {names.begin(), names.end()};
}

}  // namespace deputy::test
