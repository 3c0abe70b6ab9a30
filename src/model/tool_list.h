// The tools that a request offers. Requests that offer the same share one list, and what is asked of the whole list for
// each request (its text, digest and size) is computed once.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace deputy::model {

/// A tool as offered to the model.
struct ToolDescription {
  std::string name;
  std::string description;
  json::object params;  // JSON Schema

  bool operator==(const ToolDescription&) const = default;
};

/// Immutable; a copy costs a pointer. Sorted by name, so that the start of the prompt stays the same.
class ToolList {
 public:
  ToolList() = default;
  ToolList(std::vector<ToolDescription> tools);  // NOLINT: a list of tools is one
  ToolList(std::initializer_list<ToolDescription> tools) : ToolList(std::vector(tools)) {}

  auto begin() const { return tools().begin(); }
  auto end() const { return tools().end(); }
  std::size_t size() const { return tools().size(); }
  bool empty() const { return tools().empty(); }

  /// As the journal keeps it: a JSON array of {name, description, params}.
  std::string_view text() const;
  /// SHA-256 of the text.
  std::string_view digest() const;

  bool operator==(const ToolList& other) const { return text() == other.text(); }

 private:
  struct Shared {
    std::vector<ToolDescription> tools;
    std::string text;
    std::string digest;
  };
  const std::vector<ToolDescription>& tools() const;

  std::shared_ptr<const Shared> shared_;  // null: empty
};

Result<ToolList> read_tools(std::string_view text);

}  // namespace deputy::model
