#include "config/starter.h"

#include <fmt/format.h>

#include "base/text.h"
#include "config/show.h"

namespace deputy::config {

namespace {

constexpr std::string_view kHead =
    "# Settings of Deputy. Every line below is a default: remove the `#` at its beginning, and of the keys around it, "
    "to change it.\n"
    "# Secrets are best written by reference: env:NAME, file:PATH or cmd:COMMAND. `deputy config check` finds every "
    "problem.\n";

std::string in_words(const FieldDoc& doc) {
  return doc.choices.empty() ? doc.doc : fmt::format("{}: {}", doc.doc, list_names(doc.choices));
}

// What stands above the line of `path`: what it is, and, of a key that holds entries of people's own, what each may
// say.
std::string prose(std::span<const FieldDoc> docs, const std::string& path) {
  std::string text;
  for (const FieldDoc& doc : docs) {
    const std::string_view below = std::string_view(doc.path).substr(std::min(path.size(), doc.path.size()));
    if (!doc.path.starts_with(path) || !(below.empty() || below.starts_with(".<") || below.starts_with("[]"))) continue;
    const bool is_entry_itself = below.find('.', 1) == std::string_view::npos;  // "log.level", "environments.<name>"
    text += is_entry_itself ? fmt::format("# {}\n", in_words(doc)) : fmt::format("# {}: {}\n", doc.path, in_words(doc));
  }
  return text;
}

}  // namespace

std::string starter_yaml(const json::object& defaults, std::span<const FieldDoc> docs) {
  std::string text(kHead);
  walk_settings(defaults, [&](const SettingRow& row) {
    if (row.depth == 0) text += "\n";
    text += prose(docs, row.path);
    text += fmt::format("#{}\n", yaml_line(row));
  });
  return text;
}

}  // namespace deputy::config
