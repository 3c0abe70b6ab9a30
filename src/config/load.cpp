#include "config/load.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <ranges>

#include "base/secret.h"
#include "base/text.h"
#include "config/environment.h"
#include "config/files.h"
#include "config/reference.h"
#include "config/trust.h"
#include "config/yaml.h"
#include "redact/redact.h"

namespace deputy::config {

namespace {

// A hostile file could cause thousands; nobody reads that many, and each is a line of output.
constexpr std::size_t kMaxProblems = 500;

enum class Found { yes, no };

std::string how_to_mend(const Error& unreadable) {
  switch (unreadable.kind) {
    case ErrorKind::not_found:
      return "give an existing file; `deputy config init` creates one";
    case ErrorKind::permission:
      return "make it readable for the user that runs Deputy";
    case ErrorKind::invalid_input:
      return fmt::format("a settings file is plain text of at most {} bytes", kLargestFile);
    default:
      return "check the file and its disk";
  }
}

class Gathering {
 public:
  Gathering(const Sources& sources, std::span<const FieldDoc> docs) : sources_(sources), shapes_(docs) {}

  void read_files() {
    const std::vector<SettingsFile>& places = sources_.places.files;
    std::vector<std::filesystem::path> paths;
    for (const SettingsFile& place : places) std::ranges::copy(place.names, std::back_inserter(paths));
    if (!sources_.places.trusted_file.empty()) paths.push_back(sources_.places.trusted_file);
    gathered_.report.seen = fingerprint(paths);
    if (sources_.places.mode == LoadMode::command) {
      for (const SettingsFile& place : places) read_place(place);
    } else {
      for (const SettingsFile& place : places | std::views::reverse) {
        if (read_place(place) == Found::yes) break;
      }
    }
  }

  void add(Layer layer) {
    spread_objects(layer.document, shapes_);
    merge(gathered_.document, layer.document);
    std::ranges::move(layer.problems, std::back_inserter(gathered_.report.problems));
    std::ranges::move(layer.notices, std::back_inserter(gathered_.report.notices));
  }

  const Document& document() const { return gathered_.document; }
  MergedSources take() { return std::move(gathered_); }

 private:
  Found read_place(const SettingsFile& place) {
    for (const auto& path : place.names) {
      const Result<FileContent> content = read_or_why(path, kLargestFile);
      if (content) {
        notice_later_names(place, path);
        read_file(place.role, path, *content);
        return Found::yes;
      }
      if (content.error().kind == ErrorKind::not_found && place.role != Role::named) continue;
      if (place.role == Role::project) {
        ignore(path, fmt::format("cannot be read and is ignored: {}", content.error().message));
      } else {
        report(path, fmt::format("cannot read this file: {}", content.error().message), how_to_mend(content.error()));
      }
      return Found::yes;
    }
    return Found::no;
  }

  void read_file(Role role, const std::filesystem::path& path, const FileContent& content) {
    if (role == Role::project && !is_trusted(path, content.text)) return;
    if (others_can_write(content.owner, geteuid())) {
      return report(path, "others can write this file, or it belongs to someone else, so it is refused",
                    fmt::format("make it yours alone: `chmod 600 {}`, and check what it contains", path.string()));
    }
    const auto source = std::make_shared<const Source>(SourceKind::file, path.string(), path.parent_path(),
                                                       others_can_read(content.owner));
    ParsedFile parsed = parse_yaml(content.text, source);
    gathered_.report.files.push_back({path, trim(content.text).empty()});
    add({std::move(parsed.document), std::move(parsed.problems), {}});
  }

  bool is_trusted(const std::filesystem::path& path, std::string_view bytes) {
    const Result<TrustedFiles> list = TrustedFiles::read(sources_.places.trusted_file);
    if (!list) {
      report(sources_.places.trusted_file, list.error().message, list.error().hint);
      return false;
    }
    const Trust trust = list->judge(path, bytes);
    if (trust == Trust::trusted) return true;
    ignore(path, fmt::format("{} and is ignored; read it, then run `deputy config trust`",
                             trust == Trust::changed ? "has changed since it was trusted" : "is not trusted"));
    return false;
  }

  // An untrusted project file is never an error, whatever is wrong with it.
  void ignore(const std::filesystem::path& path, std::string_view why) {
    gathered_.report.untrusted.push_back(path);
    gathered_.report.notices.push_back(fmt::format("{} {}", path.string(), why));
  }

  void notice_later_names(const SettingsFile& place, const std::filesystem::path& taken) {
    for (const auto& path : place.names) {
      std::error_code ignored;
      if (path == taken || !std::filesystem::exists(path, ignored)) continue;
      gathered_.report.notices.push_back(
          fmt::format("{} is ignored because {} is there", path.string(), taken.string()));
    }
  }

  void report(const std::filesystem::path& path, std::string message, std::string hint) {
    gathered_.report.problems.push_back({{{}, std::move(message), std::move(hint)}, path.string(), 0});
  }

  const Sources& sources_;
  const Shapes shapes_;
  MergedSources gathered_;
};

// Problems show misplaced values and keys, which may be secrets. Redact only after every problem has its place, because
// places are found by the original path.
void redact_all(LoadReport& report) {
  const redact::Redactor redactor(random_bytes(32));
  const auto redact = [&](std::string& text) { text = redactor.redact(text); };
  for (LocatedProblem& problem : report.problems) {
    redact(problem.path);
    redact(problem.message);
    redact(problem.hint);
    redact(problem.source);
  }
  std::ranges::for_each(report.notices, redact);
}

}  // namespace

MergedSources gather(const Sources& sources, const std::vector<FieldDoc>& docs) {
  const auto& working_dir = sources.places.working_dir;
  Gathering gathering(sources, docs);
  gathering.read_files();
  gathering.add(from_vendor_variables(sources.environment, docs, working_dir));
  gathering.add(from_environment(sources.environment, gathering.document(), docs, working_dir));
  gathering.add(from_flags(sources.flags, working_dir));
  return gathering.take();
}

LoadReport finish_report(MergedSources gathered, std::vector<Problem> problems, SecretResolution& secrets,
                         const std::vector<FieldDoc>& docs) {
  LoadReport report = std::move(gathered.report);
  for (Problem& problem : problems) {
    const Origin origin = gathered.document.origins.of(problem.path);
    report.problems.push_back(locate(std::move(problem), origin));
  }
  std::ranges::sort(report.problems, {},
                    [](const LocatedProblem& problem) { return std::tie(problem.source, problem.line, problem.path); });
  if (report.problems.size() > kMaxProblems) {
    const std::size_t more = report.problems.size() - kMaxProblems;
    report.problems.resize(kMaxProblems);
    report.problems.push_back(
        {{{}, "and " + count_of(static_cast<std::int64_t>(more), "more problem"), "fix these first"}, {}, 0});
  }
  for (LocatedProblem& problem : report.problems) {
    if (problem.hint.empty()) problem.hint = what_belongs(problem.path, docs);
  }
  std::ranges::move(secrets.notices, std::back_inserter(report.notices));
  redact_all(report);
  std::ranges::move(secrets.seen, std::back_inserter(report.seen));
  report.secret_digests = std::move(secrets.digests);
  report.secret_missing = secrets.missing;
  report.provenance = std::move(gathered.document.origins);
  return report;
}

}  // namespace deputy::config
