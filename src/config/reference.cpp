#include "config/reference.h"

#include <fmt/format.h>

#include "base/text.h"

namespace deputy::config {

namespace {

std::string cell(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c == '\n' ? ' ' : c;
  }
  return escaped;
}

std::string type_of(const FieldDoc& doc) {
  std::string type = doc.choices.empty() ? doc.type : fmt::format("{}: {}", doc.type, list_names(doc.choices));
  return doc.required ? type + ", required" : type;
}

std::string default_of(const FieldDoc& doc) {
  if (doc.default_value.is_null()) return {};
  if (const json::string* text = doc.default_value.if_string())
    return text->empty() ? "" : fmt::format("`{}`", as_view(*text));
  if (const double* number = doc.default_value.if_double()) return fmt::format("`{}`", *number);  // 1 and not 1E0
  return fmt::format("`{}`", json::serialize(doc.default_value));
}

}  // namespace

std::string reference_markdown(std::span<const FieldDoc> docs) {
  std::string table = "| setting | what it is | type | default | variable |\n|---|---|---|---|---|\n";
  for (const FieldDoc& doc : docs) {
    table += fmt::format("| `{}` | {} | {} | {} | {} |\n", cell(doc.path), cell(doc.doc), cell(type_of(doc)),
                         cell(default_of(doc)), doc.variable.empty() ? "" : fmt::format("`{}`", doc.variable));
  }
  return table;
}

}  // namespace deputy::config
