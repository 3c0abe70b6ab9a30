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

const FieldDoc* doc_of_path(std::span<const FieldDoc> docs, const std::string& path) {
  for (const FieldDoc& doc : docs) {
    if (doc.path == path || doc.path.starts_with(path + ".<")) return &doc;
  }
  return nullptr;
}

}  // namespace

std::string starter_yaml(const json::object& defaults, std::span<const FieldDoc> docs) {
  std::string text(kHead);
  walk_settings(defaults, [&](const SettingRow& row) {
    if (row.depth == 0) text += "\n";
    if (const FieldDoc* doc = doc_of_path(docs, row.path)) {
      text +=
          fmt::format("# {}{}\n", doc->doc, doc->choices.empty() ? "" : fmt::format(": {}", list_names(doc->choices)));
    }
    text += fmt::format("#{}\n", yaml_line(row));
  });
  return text;
}

}  // namespace deputy::config
