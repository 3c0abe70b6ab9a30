// search_files = [ search ]
#include <fmt/format.h>
#include <re2/re2.h>

#include "base/text.h"
#include "tools/worker_step.h"
#include "tools/workspace/glob.h"
#include "tools/workspace/root_path.h"
#include "tools/workspace/walk.h"
#include "tools/workspace/workspace.h"

namespace deputy::tools {

namespace {

constexpr int kMostMatches = 200;
constexpr std::size_t kLongestLine = 300;      // characters shown of one
constexpr std::size_t kLookedAtForNul = 8192;  // bytes that tell a text from something else

struct SearchFilesParams {
  std::string pattern;
  std::string path;
  std::string glob;

  template <class Fields>
  static void fields(Fields& f) {
    using P = SearchFilesParams;
    f.required(&P::pattern, "pattern", "A regular expression (RE2), held against each line")
        .characters(1, 1000)
        .kind(toolkit::Kind::query);
    f.optional(&P::path, "path", "The folder to look in, relative to the workspace")
        .characters(0, kLongestPath)
        .kind(toolkit::Kind::path);
    f.optional(&P::glob, "glob", "Which files, such as *.cpp or src/**/*.h").characters(0, 500);
  }
};

struct Search {
  const re2::RE2& expression;
  std::string found;
  int matches = 0;
  int files = 0;
  int too_large = 0;
  int not_text = 0;

  Next in_file(const std::string& path, std::string_view text) {
    ++files;
    for (int number = 1; !text.empty(); ++number) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = text.substr(0, end);
      if (re2::RE2::PartialMatch(re2::StringPiece(line.data(), line.size()), expression)) {
        if (matches == kMostMatches) return Next::enough;
        ++matches;
        const std::string shown =
            cut_with_mark(to_valid_utf8(std::string(cut_bytes(line, 4 * kLongestLine))), kLongestLine);
        found += fmt::format("{}:{}: {}\n", to_valid_utf8(path), number, shown);
      }
      text.remove_prefix(std::min(text.size(), end + 1));
    }
    return Next::go_on;
  }
};

Result<std::string> search(const Root& root, const SearchFilesParams& params, int most, const std::stop_token& stop) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_encoding(re2::RE2::Options::EncodingUTF8);
  const re2::RE2 expression(params.pattern, options);
  if (!expression.ok()) {
    return fail(ErrorKind::invalid_input, fmt::format("the pattern cannot be read: {}", expression.error()),
                "write it for RE2: no back-references, no look-around");
  }
  TRY(const Glob glob, Glob::parse(params.glob));
  Search searching{expression};
  TRY(const WalkEnd end, walk(
                             root, params.path, Depth::all_below, most, stop,
                             [&](const WalkEntry& entry) {
                               if (entry.kind != WalkEntry::Kind::file || !glob.matches(entry.path)) return Next::go_on;
                               if (entry.bytes > kMostFile) {
                                 ++searching.too_large;
                                 return Next::go_on;
                               }
                               const Result<std::string> text = root.read(entry.path, kMostFile);
                               if (!text || std::string_view(*text).substr(0, kLookedAtForNul).contains('\0')) {
                                 ++searching.not_text;
                                 return Next::go_on;
                               }
                               return searching.in_file(entry.path, *text);
                             }));
  std::string found = std::move(searching.found);
  if (searching.matches == 0) found = fmt::format("no line matches in {} files\n", searching.files);
  if (end.why == WalkEnd::Why::enough)
    found += fmt::format("… there is more: the search ended after {} matches\n", searching.matches);
  if (searching.too_large > 0) found += fmt::format("… {} files were too large to search\n", searching.too_large);
  if (searching.not_text > 0) found += fmt::format("… {} files could not be read as text\n", searching.not_text);
  return found + not_looked_at(end, most);
}

}  // namespace

std::shared_ptr<const toolkit::Tool> search_files_tool(const WorkspaceSetup& setup) {
  toolkit::ToolSpec spec =
      workspace_spec(setup, "search_files",
                     "Finds lines in files of the workspace that match a regular expression, with file and line",
                     toolkit::Effect::read);
  spec.primary_param = "pattern";
  spec.topics = {.words = {"files", "workspace", "grep"},
                 .examples = {"which files mention {query}?"},
                 .working = "Searching files"};
  return toolkit::make_tool<SearchFilesParams>(std::move(spec), [setup](const SearchFilesParams& params) {
    toolkit::Pipeline pipeline;
    pipeline.then({.name = "search", .repeatable = true, .call = [setup, params](toolkit::CallContext& context) {
                     auto job = [root = setup.root, most = setup.most_walked, params](const std::stop_token& stop) {
                       return search(*root, params, most, stop);
                     };
                     return text_on_worker(*setup.workers, context.time_left(), std::move(job));
                   }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  });
}

}  // namespace deputy::tools
