// write_file = [ preview, AWAIT APPROVAL, write ]
#include <fmt/format.h>

#include "tools/workspace/change.h"
#include "tools/workspace/root.h"
#include "tools/workspace/workspace.h"

namespace deputy::tools {

namespace {

struct WriteFileParams {
  std::string path;
  std::string content;

  template <class Fields>
  static void fields(Fields& f) {
    using P = WriteFileParams;
    f.required(&P::path, "path", "The file, relative to the workspace; its folders are made")
        .characters(1, kLongestPath)
        .kind(toolkit::Kind::path);
    f.required(&P::content, "content", "The whole text of the file").characters(0, kMostFile);
  }
};

}  // namespace

std::shared_ptr<const toolkit::Tool> write_file_tool(const WorkspaceSetup& setup) {
  toolkit::ToolSpec spec = workspace_spec(
      setup, "write_file", "Writes a whole text file of the workspace, new or in place of the one that is there",
      toolkit::Effect::write);
  spec.topics = {.words = {"file"}, .verbs = {"write", "create", "save"}, .working = "Writing {path}"};
  return toolkit::make_tool<WriteFileParams>(
      std::move(spec), [setup](const WriteFileParams& params) -> Result<toolkit::Pipeline> {
        TRY(normal_path(params.path));
        return change_pipeline(setup, {params.path, [content = params.content](const std::optional<std::string>&) {
                                         return Result<std::string>(content);
                                       }});
      });
}

// edit_file = [ preview, AWAIT APPROVAL, write ]

namespace {

struct EditFileParams {
  std::string path;
  std::vector<Edit> edits;

  template <class Fields>
  static void fields(Fields& f) {
    using P = EditFileParams;
    f.required(&P::path, "path", "The file, relative to the workspace")
        .characters(1, kLongestPath)
        .kind(toolkit::Kind::path);
    f.required(&P::edits, "edits", "What to replace, one after the other").items(1, 100);
  }
};

Result<std::string> edited(const std::string& path, const std::vector<Edit>& edits,
                           const std::optional<std::string>& before) {
  if (!before) {
    return fail(ErrorKind::not_found, fmt::format("there is no {} in the workspace", shown_path(path)),
                "to make a new file use write_file");
  }
  return apply_edits(*before, edits);
}

}  // namespace

std::shared_ptr<const toolkit::Tool> edit_file_tool(const WorkspaceSetup& setup) {
  toolkit::ToolSpec spec = workspace_spec(
      setup, "edit_file", "Replaces passages of a text file of the workspace, each of which stands there once",
      toolkit::Effect::write);
  spec.topics = {.words = {"file"}, .verbs = {"edit", "change", "replace"}, .working = "Editing {path}"};
  return toolkit::make_tool<EditFileParams>(
      std::move(spec), [setup](const EditFileParams& params) -> Result<toolkit::Pipeline> {
        TRY(normal_path(params.path));
        return change_pipeline(setup, {params.path, [params](const std::optional<std::string>& before) {
                                         return edited(params.path, params.edits, before);
                                       }});
      });
}

}  // namespace deputy::tools
