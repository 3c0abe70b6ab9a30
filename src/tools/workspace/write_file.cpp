// write_file = [ preview, AWAIT APPROVAL, write ]
#include "tools/workspace/change.h"
#include "tools/workspace/root_path.h"
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

}  // namespace deputy::tools
