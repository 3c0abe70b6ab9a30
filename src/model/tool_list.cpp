#include "model/tool_list.h"

#include "base/fields_codec.h"
#include "base/text.h"

namespace deputy::model {

namespace {

constexpr std::string_view kEmpty = "[]";

struct StoredTool {
  std::string name;
  std::string description;
  json::object params;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&StoredTool::name, "name", "Its wire name");
    f.required(&StoredTool::description, "description", "What it does");
    f.required(&StoredTool::params, "params", "JSON Schema of its parameters");
  }
};

std::string write_tools(const std::vector<ToolDescription>& tools) {
  json::array list;
  for (const ToolDescription& tool : tools)
    list.push_back(to_json(StoredTool{tool.name, tool.description, tool.params}));
  return json::serialize(list);
}

}  // namespace

ToolList::ToolList(std::vector<ToolDescription> tools) {
  if (tools.empty()) return;
  std::string text = write_tools(tools);
  std::string digest = sha256_hex(text);
  shared_ = std::make_shared<const Shared>(Shared{std::move(tools), std::move(text), std::move(digest)});
}

std::string_view ToolList::text() const { return shared_ ? std::string_view(shared_->text) : kEmpty; }

std::string_view ToolList::digest() const {
  static const std::string kOfNone = sha256_hex(kEmpty);
  return shared_ ? shared_->digest : kOfNone;
}

const std::vector<ToolDescription>& ToolList::tools() const {
  static const std::vector<ToolDescription> kNone;
  return shared_ ? shared_->tools : kNone;
}

Result<ToolList> read_tools(std::string_view text) {
  TRY(const json::value list, parse_json(text));
  std::vector<ToolDescription> tools;
  if (!list.is_array()) return fail(ErrorKind::internal, "a stored tool list is no list");
  for (const json::value& item : list.get_array()) {
    if (!item.is_object()) return fail(ErrorKind::internal, "a stored tool is no object");
    TRY(StoredTool tool, parse_arguments<StoredTool>(item.get_object()));
    tools.push_back({std::move(tool.name), std::move(tool.description), std::move(tool.params)});
  }
  return ToolList(std::move(tools));
}

}  // namespace deputy::model
