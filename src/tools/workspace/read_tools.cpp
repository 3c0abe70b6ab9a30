// read_file, list_files and search_files.
#include <fmt/format.h>
#include <re2/re2.h>

#include "base/text.h"
#include "toolkit/cut.h"
#include "tools/common_steps.h"
#include "tools/workspace/root.h"
#include "tools/workspace/walk.h"
#include "tools/workspace/workspace.h"

namespace deputy::tools {

namespace {

// Of what is listed or searched: what the rules of read_file forbid is left out, and counted.
struct Readable {
  std::function<bool(std::string_view path, bool several_names)> may_read;
  int left_out = 0;

  bool lets_through(const WalkEntry& entry) {
    if (!may_read || may_read(entry.path, entry.several_names)) return true;
    ++left_out;
    return false;
  }
  std::string message() const {
    return left_out == 0 ? "" : fmt::format("… left out by the rules of read_file: {}\n", count_of(left_out, "file"));
  }
};

}  // namespace

// read_file = [ read ]

namespace {

struct ReadFileParams {
  std::string path;
  std::optional<int> start_line;
  std::optional<int> end_line;

  template <class Fields>
  static void fields(Fields& f) {
    using P = ReadFileParams;
    f.required(&P::path, "path", "Path of the file, relative to the workspace, such as src/main.py")
        .characters(1, kMaxPath)
        .kind(toolkit::Kind::path);
    f.optional(&P::start_line, "start_line", "First line to read, counted from 1").in_range(1, 100'000'000);
    f.optional(&P::end_line, "end_line", "Last line to read, inclusive").in_range(1, 100'000'000);
  }
  void check(FieldReader& reader) const {
    if (start_line && end_line && *start_line > *end_line) reader.problem("`start_line` is after `end_line`");
  }
};

// Redacts the whole file before taking lines of it: a private key is known by its first line.
Result<std::string> read_lines(const Root& root, const ReadFileParams& params, const std::string& path,
                               const toolkit::Redact& redact) {
  TRY(std::string text, root.read(path, kMaxFile));
  if (!text.contains('\0')) text = toolkit::redact_or_withhold(text, redact);
  return lines_of_file(text, shown_path(params.path), params.start_line, params.end_line);
}

}  // namespace

std::shared_ptr<const toolkit::Tool> read_file_tool(const WorkspaceSetup& setup) {
  toolkit::ToolSpec spec = workspace_spec(setup, "read_file", 2,
                                          "Returns a text file of the workspace, or a range of its lines, unchanged. "
                                          "Files up to 8 MB; for large ones ask for a range.",
                                          toolkit::Effect::read);
  spec.probe = {{"path", "deputy-doctor"}};
  spec.topics = {.words = {"file", "read", "cat"}, .examples = {"read the file {path}"}, .working = "Reading {path}"};
  return toolkit::make_tool<ReadFileParams>(std::move(spec), [setup](const ReadFileParams& params) {
    toolkit::Pipeline pipeline;
    pipeline.then({.name = "read", .repeatable = true, .call = [setup, params](toolkit::CallContext& context) {
                     auto job = [root = setup.root, params, path = context.path_of("path"), redact = context.redact](
                                    const std::stop_token&) { return read_lines(*root, params, path, redact); };
                     return text_on_worker(*setup.workers, context.time_left(), std::move(job));
                   }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  });
}

// list_files = [ list ]

namespace {

constexpr int kMaxListed = 1000;

struct ListFilesParams {
  std::string path;
  std::string glob;

  template <class Fields>
  static void fields(Fields& f) {
    using P = ListFilesParams;
    f.optional(&P::path, "path", "Folder relative to the workspace; the workspace itself by default")
        .characters(0, kMaxPath)
        .kind(toolkit::Kind::path);
    f.optional(&P::glob, "glob",
               "Files to list at any depth, such as *.cpp or src/**/*.h; only the folder itself by default")
        .characters(0, 500);
  }
};

Result<std::string> list(const Root& root, const ListFilesParams& params, Readable readable, int most,
                         const std::stop_token& stop) {
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
            if (!readable.lets_through(entry)) return Next::go_on;
            if (count == kMaxListed) return Next::enough;
            ++count;
            const std::string detail = entry.kind == Kind::folder ? "/"
                                       : entry.kind == Kind::link ? " (link)"
                                       : entry.kind == Kind::file ? fmt::format("  {} bytes", entry.bytes)
                                                                  : " (not an ordinary file)";
            listed += to_valid_utf8(entry.path) + detail + "\n";
            return Next::go_on;
          }));
  if (count == 0 && readable.left_out == 0 && end.why == WalkEnd::Why::all) {
    return depth == Depth::this_folder ? "the folder is empty" : "no file matches; .git is not searched";
  }
  if (end.why == WalkEnd::Why::enough) listed += fmt::format("… there is more: only the first {} are listed\n", count);
  return listed + readable.message() + not_looked_at(end, most);
}

}  // namespace

std::shared_ptr<const toolkit::Tool> list_files_tool(const WorkspaceSetup& setup) {
  toolkit::ToolSpec spec = workspace_spec(setup, "list_files", 2,
                                          "Lists one folder of the workspace, or every file below it that matches a "
                                          "glob. Returns names with sizes, at most 1,000.",
                                          toolkit::Effect::read);
  spec.path_rules_of = "read_file";
  spec.topics = {.words = {"files", "folder", "directory", "workspace"},
                 .examples = {"which files are there?", "list the files"},
                 .working = "Listing files"};
  return toolkit::make_tool<ListFilesParams>(std::move(spec), [setup](const ListFilesParams& params) {
    toolkit::Pipeline pipeline;
    pipeline.then({.name = "list", .repeatable = true, .call = [setup, params](toolkit::CallContext& context) {
                     ListFilesParams judged = params;
                     judged.path = context.path_of("path");
                     auto job = [root = setup.root, most = setup.max_walked, judged,
                                 readable = Readable{context.may_read}](const std::stop_token& stop) {
                       return list(*root, judged, readable, most, stop);
                     };
                     return text_on_worker(*setup.workers, context.time_left(), std::move(job));
                   }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  });
}

// search_files = [ search ]

namespace {

constexpr int kMaxMatches = 200;
constexpr std::size_t kMaxLine = 300;          // characters shown of a line
constexpr std::size_t kLookedAtForNul = 8192;  // a file with a NUL in its first bytes is not text

struct SearchFilesParams {
  std::string pattern;
  std::string path;
  std::string glob;

  template <class Fields>
  static void fields(Fields& f) {
    using P = SearchFilesParams;
    f.required(&P::pattern, "pattern", "Regular expression (RE2 syntax), matched against each line")
        .characters(1, 1000)
        .kind(toolkit::Kind::query);
    f.optional(&P::path, "path", "Folder to search, relative to the workspace; all of it by default")
        .characters(0, kMaxPath)
        .kind(toolkit::Kind::path);
    f.optional(&P::glob, "glob", "Files to search, such as *.cpp or src/**/*.h; all by default").characters(0, 500);
  }
};

struct Search {
  const re2::RE2& expression;
  const toolkit::Redact& redact;
  std::string found;
  int matches = 0;
  int files = 0;
  int too_large = 0;
  int not_text = 0;

  // Matches the redacted file, as read_file shows it: a pattern on the file itself would tell whether a guess at a
  // secret is right.
  Next in_file(const std::string& path, const std::string_view whole) {
    ++files;
    const std::string redacted = toolkit::redact_or_withhold(whole, redact);
    std::string_view text = redacted;
    for (int number = 1; !text.empty(); ++number) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = text.substr(0, end);
      if (re2::RE2::PartialMatch(re2::StringPiece(line.data(), line.size()), expression)) {
        if (matches == kMaxMatches) return Next::enough;
        ++matches;
        found += fmt::format("{}:{}: {}\n", to_valid_utf8(path), number, cut_with_mark(line, kMaxLine));
      }
      text.remove_prefix(std::min(text.size(), end + 1));
    }
    return Next::go_on;
  }
};

Result<std::string> search(const Root& root, const SearchFilesParams& params, Readable readable, int most,
                           const toolkit::Redact& redact, const std::stop_token& stop) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_encoding(re2::RE2::Options::EncodingUTF8);
  const re2::RE2 expression(params.pattern, options);
  if (!expression.ok()) {
    return fail(ErrorKind::invalid_input,
                fmt::format("`pattern` is not a valid regular expression: {}", expression.error()),
                "use RE2 syntax: no back-references, no look-around");
  }
  TRY(const Glob glob, Glob::parse(params.glob));
  Search searching{expression, redact};
  TRY(const WalkEnd end, walk(
                             root, params.path, Depth::all_below, most, stop,
                             [&](const WalkEntry& entry) {
                               if (entry.kind != WalkEntry::Kind::file || !glob.matches(entry.path)) return Next::go_on;
                               if (!readable.lets_through(entry)) return Next::go_on;
                               if (entry.bytes > kMaxFile) {
                                 ++searching.too_large;
                                 return Next::go_on;
                               }
                               const Result<std::string> text = root.read(entry.path, kMaxFile);
                               if (!text || std::string_view(*text).substr(0, kLookedAtForNul).contains('\0')) {
                                 ++searching.not_text;
                                 return Next::go_on;
                               }
                               return searching.in_file(entry.path, *text);
                             }));
  std::string found = std::move(searching.found);
  if (searching.matches == 0) found = fmt::format("no line matches in {}\n", count_of(searching.files, "file"));
  if (end.why == WalkEnd::Why::enough)
    found += fmt::format("… there is more: the search ended after {} matches\n", searching.matches);
  if (searching.too_large > 0)
    found += fmt::format("… too large to search: {}\n", count_of(searching.too_large, "file"));
  if (searching.not_text > 0)
    found += fmt::format("… {} could not be read as text\n", count_of(searching.not_text, "file"));
  return found + readable.message() + not_looked_at(end, most);
}

}  // namespace

std::shared_ptr<const toolkit::Tool> search_files_tool(const WorkspaceSetup& setup) {
  toolkit::ToolSpec spec =
      workspace_spec(setup, "search_files", 2,
                     "Searches the text files of the workspace line by line with an RE2 regular expression. Returns "
                     "file:line: text, at most 200 matches; narrow it with path or glob.",
                     toolkit::Effect::read);
  spec.primary_param = "pattern";
  spec.path_rules_of = "read_file";
  spec.topics = {.words = {"files", "workspace", "grep"},
                 .examples = {"which files mention {query}?"},
                 .working = "Searching files"};
  return toolkit::make_tool<SearchFilesParams>(std::move(spec), [setup](const SearchFilesParams& params) {
    toolkit::Pipeline pipeline;
    pipeline.then({.name = "search", .repeatable = true, .call = [setup, params](toolkit::CallContext& context) {
                     SearchFilesParams judged = params;
                     judged.path = context.path_of("path");
                     auto job = [root = setup.root, most = setup.max_walked, judged,
                                 readable = Readable{context.may_read},
                                 redact = context.redact](const std::stop_token& stop) {
                       return search(*root, judged, readable, most, redact, stop);
                     };
                     return text_on_worker(*setup.workers, context.time_left(), std::move(job));
                   }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  });
}

}  // namespace deputy::tools
