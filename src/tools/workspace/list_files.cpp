// list_files = [ list ]
#include <fmt/format.h>

#include "base/text.h"
#include "tools/worker_step.h"
#include "tools/workspace/glob.h"
#include "tools/workspace/root_path.h"
#include "tools/workspace/walk.h"
#include "tools/workspace/workspace.h"

namespace deputy::tools {

namespace {

constexpr int kMostListed = 1000;

struct ListFilesParams {
  std::string path;
  std::string glob;

  template <class Fields>
  static void fields(Fields& f) {
    using P = ListFilesParams;
    f.optional(&P::path, "path", "The folder, relative to the workspace; nothing is the workspace itself")
        .characters(0, kLongestPath)
        .kind(toolkit::Kind::path);
    f.optional(&P::glob, "glob", "Which files, at any depth, such as *.cpp or src/**/*.h; nothing is all in the folder")
        .characters(0, 500);
  }
};

Result<std::string> list(const Root& root, const ListFilesParams& params, int most, const std::stop_token& stop) {
  TRY(const Glob glob, Glob::parse(params.glob));
  const Depth depth = params.glob.empty() ? Depth::this_folder : Depth::all_below;
  std::string listed;
  int count = 0;
  TRY(const WalkEnd end,
      walk(
          root, params.path, depth, most, stop,
          [&](const WalkEntry& entry) {
            using Kind = WalkEntry::Kind;
            if (depth == Depth::all_below && (entry.kind == Kind::folder || !glob.matches(entry.path))) {
              return Next::go_on;
            }
            if (count == kMostListed) return Next::enough;
            ++count;
            const std::string detail = entry.kind == Kind::folder ? "/"
                                       : entry.kind == Kind::link ? " (link)"
                                       : entry.kind == Kind::file ? fmt::format("  {} bytes", entry.bytes)
                                                                  : " (not an ordinary file)";
            listed += to_valid_utf8(entry.path) + detail + "\n";
            return Next::go_on;
          }));
  if (count == 0 && end.why == WalkEnd::Why::all) {
    return depth == Depth::this_folder ? "the folder is empty" : "no file matches; .git is not looked into";
  }
  if (end.why == WalkEnd::Why::enough) listed += fmt::format("… there is more: only the first {} are listed\n", count);
  return listed + not_looked_at(end, most);
}

}  // namespace

std::shared_ptr<const toolkit::Tool> list_files_tool(const WorkspaceSetup& setup) {
  toolkit::ToolSpec spec =
      workspace_spec(setup, "list_files", "Lists a folder of the workspace, or the files below it that match a pattern",
                     toolkit::Effect::read);
  spec.topics = {.words = {"files", "folder", "directory", "workspace"},
                 .examples = {"which files are there?", "list the files"},
                 .working = "Listing files"};
  return toolkit::make_tool<ListFilesParams>(std::move(spec), [setup](const ListFilesParams& params) {
    toolkit::Pipeline pipeline;
    pipeline.then({.name = "list", .repeatable = true, .call = [setup, params](toolkit::CallContext& context) {
                     auto job = [root = setup.root, most = setup.most_walked, params](const std::stop_token& stop) {
                       return list(*root, params, most, stop);
                     };
                     return text_on_worker(*setup.workers, context.time_left(), std::move(job));
                   }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  });
}

}  // namespace deputy::tools
