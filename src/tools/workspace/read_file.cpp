// read_file = [ read ]
#include "tools/lines.h"
#include "tools/worker_step.h"
#include "tools/workspace/root_path.h"
#include "tools/workspace/workspace.h"

namespace deputy::tools {

namespace {

struct ReadFileParams {
  std::string path;
  std::optional<int> start_line;
  std::optional<int> end_line;

  template <class Fields>
  static void fields(Fields& f) {
    using P = ReadFileParams;
    f.required(&P::path, "path", "The file, relative to the workspace")
        .characters(1, kLongestPath)
        .kind(toolkit::Kind::path);
    f.optional(&P::start_line, "start_line", "The first line to read, counted from 1").in_range(1, 100'000'000);
    f.optional(&P::end_line, "end_line", "The last line to read").in_range(1, 100'000'000);
  }
  void check(FieldReader& reader) const {
    if (start_line && end_line && *start_line > *end_line) reader.problem("`start_line` is after `end_line`");
  }
};

Result<std::string> read_lines(const Root& root, const ReadFileParams& params) {
  TRY(const std::string text, root.read(params.path, kMostFile));
  return lines_of_file(text, shown_path(params.path), params.start_line, params.end_line);
}

}  // namespace

std::shared_ptr<const toolkit::Tool> read_file_tool(const WorkspaceSetup& setup) {
  toolkit::ToolSpec spec = workspace_spec(
      setup, "read_file", "Reads a text file of the workspace, or some of its lines", toolkit::Effect::read);
  spec.topics = {.words = {"file", "read", "cat"}, .examples = {"read the file {path}"}, .working = "Reading {path}"};
  return toolkit::make_tool<ReadFileParams>(std::move(spec), [setup](const ReadFileParams& params) {
    toolkit::Pipeline pipeline;
    pipeline.then({.name = "read", .repeatable = true, .call = [setup, params](toolkit::CallContext& context) {
                     auto job = [root = setup.root, params](const std::stop_token&) {
                       return read_lines(*root, params);
                     };
                     return text_on_worker(*setup.workers, context.time_left(), std::move(job));
                   }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  });
}

}  // namespace deputy::tools
