// write_file and edit_file.
#include <fmt/format.h>

#include "tools/workspace/change.h"
#include "tools/workspace/root.h"
#include "tools/workspace/workspace.h"

namespace deputy::tools {

// write_file = [ preview, AWAIT APPROVAL, write ]

namespace {

struct WriteFileParams {
  std::string path;
  std::string content;

  template <class Fields>
  static void fields(Fields& f) {
    using P = WriteFileParams;
    f.required(&P::path, "path", "Path of the file, relative to the workspace; missing folders are created")
        .characters(1, kMaxPath)
        .kind(toolkit::Kind::path);
    f.required(&P::content, "content", "The whole content of the file").characters(0, kMaxFile);
  }
};

}  // namespace

std::shared_ptr<const toolkit::Tool> write_file_tool(const WorkspaceSetup& setup) {
  toolkit::ToolSpec spec = workspace_spec(setup, "write_file", 2,
                                          "Writes a whole text file of the workspace: creates it or replaces it. Use "
                                          "edit_file to change part of a file. A person sees the diff and approves it.",
                                          toolkit::Effect::write);
  spec.path_rules_of = "read_file";  // the diff shows what the file holds
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
    f.required(&P::path, "path", "Path of the file, relative to the workspace, such as src/main.py")
        .characters(1, kMaxPath)
        .kind(toolkit::Kind::path);
    f.required(&P::edits, "edits", "The replacements, applied in this order").items(1, 100);
  }
};

Result<std::string> edited(const std::string& path, const std::vector<Edit>& edits,
                           const std::optional<std::string>& before) {
  if (!before) {
    return fail(ErrorKind::not_found, fmt::format("there is no {} in the workspace", shown_path(path)),
                "to create a file use write_file");
  }
  return apply_edits(*before, edits);
}

}  // namespace

std::shared_ptr<const toolkit::Tool> edit_file_tool(const WorkspaceSetup& setup) {
  toolkit::ToolSpec spec = workspace_spec(
      setup, "edit_file", 2,
      "Changes a text file of the workspace by replacing passages. Each old_string must occur exactly once: include "
      "enough lines around it. Read the file first. A person sees the diff and approves it. Up to 8 MB a file.",
      toolkit::Effect::write);
  spec.path_rules_of = "read_file";  // the same
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
