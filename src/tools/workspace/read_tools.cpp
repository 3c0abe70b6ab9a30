// read_file = [ read ]
#include <fmt/format.h>
#include <re2/re2.h>

#include "base/text.h"
#include "tools/common_steps.h"
#include "tools/workspace/walk.h"
#include "tools/workspace/root.h"
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

// list_files = [ list ]

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

// search_files = [ search ]

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
