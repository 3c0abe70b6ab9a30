#include "tools/code/git_output.h"

#include <charconv>

#include "base/text.h"

namespace deputy::tools {

namespace {

std::optional<std::uint64_t> number_in(std::string_view text) {
  text = trim(text);
  std::uint64_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Takes the text before `separator`, and the separator, away.
std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t at = std::min(text.find(separator), text.size());
  const std::string_view taken = text.substr(0, at);
  text.remove_prefix(std::min(text.size(), at + 1));
  return taken;
}

}  // namespace

bool is_object_id(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::vector<TreeFile> parse_tree(std::string_view output) {
  std::vector<TreeFile> files;
  while (!output.empty()) {
    std::string_view path = take_until(output, '\0');
    std::string_view about = take_until(path, '\t');
    const std::string_view mode = take_until(about, ' ');
    const std::string_view type = take_until(about, ' ');
    const std::string_view blob = take_until(about, ' ');
    const auto bytes = number_in(about);
    if (!mode.starts_with("100") || type != "blob" || !is_object_id(blob) || !bytes || path.empty()) continue;
    files.push_back({std::string(path), std::string(blob), *bytes});
  }
  return files;
}

std::map<std::string, std::string> parse_blobs(std::string_view output) {
  std::map<std::string, std::string> blobs;
  while (!output.empty()) {
    std::string_view head = take_until(output, '\n');
    const std::string_view id = take_until(head, ' ');
    const std::string_view type = take_until(head, ' ');
    if (type == "missing") continue;
    const auto bytes = number_in(head);
    if (!is_object_id(id) || !bytes || *bytes > output.size()) break;
    if (type == "blob") blobs.emplace(id, output.substr(0, *bytes));
    output.remove_prefix(std::min<std::size_t>(output.size(), *bytes + 1));
  }
  return blobs;
}

}  // namespace deputy::tools
