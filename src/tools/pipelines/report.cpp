#include "tools/pipelines/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "base/text.h"
#include "tools/shown.h"
#include "tools/time_range.h"

namespace deputy::tools::pipelines {

namespace {

constexpr std::size_t kMaxName = 100;
constexpr std::size_t kMaxTitle = 160;
constexpr std::size_t kMaxText = 400;
constexpr std::size_t kMaxDescription = 1500;
constexpr std::size_t kMaxLink = 300;
constexpr std::size_t kMaxLogText = 5000;
constexpr std::size_t kMaxJobs = 30;
constexpr std::size_t kMaxFiles = 30;
constexpr std::size_t kMaxComments = 10;
constexpr std::size_t kMaxCommits = 20;

std::string on(std::optional<Timestamp> at) { return at ? fmt::format(", {} UTC", moment(*at)) : ""; }

std::string took(std::optional<Timestamp> from, std::optional<Timestamp> to) {
  if (!from || !to || *to < *from) return "";
  return ", took " + format_duration(std::chrono::floor<std::chrono::seconds>(*to - *from));
}

std::string link_to(const std::string& link, const toolkit::Redact& redact) {
  return link.empty() ? "" : " " + shown(link, kMaxLink, redact);
}

/// The state, with the vendor's word where that says more: "failed (timed_out)".
std::string in_words(RunState state, std::string_view said, const toolkit::Redact& redact) {
  const std::string word(name(state));
  const std::string theirs = to_lower(said);
  const bool is_same =
      theirs.empty() || word.starts_with(theirs.substr(0, 4)) || theirs == "cancelled" || theirs == "in_progress";
  return is_same ? word : fmt::format("{} ({})", word, shown(theirs, kMaxName, redact));
}

std::string counts(const std::vector<PipelineRun>& runs) {
  std::vector<std::string> parts;
  for (const RunState state :
       {RunState::failed, RunState::succeeded, RunState::running, RunState::waiting, RunState::stopped}) {
    const auto count = std::ranges::count(runs, state, &PipelineRun::state);
    if (count > 0 || state == RunState::failed) parts.push_back(fmt::format("{} {}", count, name(state)));
  }
  return join(parts, ", ");
}

json::object data_of(const PipelineRun& run, const toolkit::Redact& redact) {
  return {{"id", shown(run.id, kMaxName, redact)},
          {"state", std::string(name(run.state))},
          {"ref", shown(run.ref, kMaxName, redact)},
          {"commit", shown(run.commit, kMaxName, redact)},
          {"link", shown(run.link, kMaxLink, redact)}};
}

void tell_job(const PipelineJob& job, const toolkit::Redact& redact, std::string& text) {
  text += fmt::format("- {} {}{}", in_words(job.state, job.said, redact), shown(job.name, kMaxName, redact),
                      took(job.started, job.ended));
  std::vector<std::string> failed;
  for (const PipelineJob& step : job.steps) {
    if (step.state == RunState::failed) failed.push_back(fmt::format("`{}`", shown(step.name, kMaxName, redact)));
  }
  if (!failed.empty()) text += fmt::format(", failed in {}", join(failed, ", "));
  if (job.state == RunState::failed || job.state == RunState::running) text += link_to(job.link, redact);
  text += "\n";
}

/// A line of a build's log without what colours a terminal.
std::string plain(std::string_view line) {
  std::string text;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '\x1b' && at + 1 < line.size() && line[at + 1] == '[') {
      at += 2;
      while (at < line.size() && !(line[at] >= '@' && line[at] <= '~')) ++at;
    } else if (static_cast<unsigned char>(line[at]) >= ' ' || line[at] == '\t') {
      text += line[at];
    }
  }
  return text;
}

/// The last lines that fit. The whole is redacted before it is cut.
std::string end_of_log(std::string_view log, const toolkit::Redact& redact) {
  std::string lines;
  for (const std::string_view line : split(log, "\n")) lines += plain(line) + "\n";
  const std::string text = toolkit::redact_or_withhold(trim(to_valid_utf8(std::move(lines))), redact);
  if (text.size() <= kMaxLogText) return text + "\n";
  const std::size_t from = text.find('\n', text.size() - kMaxLogText);
  return "…\n" + (from == std::string::npos ? std::string() : text.substr(from + 1)) + "\n";
}

void tell_notes(const std::vector<std::string>& notes, const toolkit::Redact& redact, std::string& text) {
  for (const std::string& note : notes) text += fmt::format("Not read: {}\n", shown(note, kMaxText, redact));
}

std::string line_of(const PullRequest& one, const toolkit::Redact& redact) {
  std::string line = fmt::format("#{} {} [{}]", shown(one.id, kMaxName, redact), shown(one.title, kMaxTitle, redact),
                                 shown(one.state, kMaxName, redact));
  if (!one.author.empty()) line += fmt::format(" by {}", shown(one.author, kMaxName, redact));
  if (!one.source.empty())
    line += fmt::format(", {} → {}", shown(one.source, kMaxName, redact), shown(one.target, kMaxName, redact));
  if (one.updated) line += fmt::format(", updated {} UTC", moment(*one.updated));
  return line + link_to(one.link, redact);
}

void tell_reviewers(const PullRequestDetails& details, const toolkit::Redact& redact, std::string& text) {
  std::vector<std::string> people;
  people.reserve(details.reviewers.size());
  for (const Reviewer& reviewer : details.reviewers)
    people.push_back(
        fmt::format("{} {}", shown(reviewer.name, kMaxName, redact), shown(reviewer.state, kMaxName, redact)));
  text += people.empty() ? "No reviewers\n" : fmt::format("Reviewers: {}\n", join(people, ", "));
}

void tell_checks(const PullRequestDetails& details, const toolkit::Redact& redact, std::string& text) {
  if (details.checks.empty()) return;
  const auto count = [&](RunState state) { return std::ranges::count(details.checks, state, &PipelineJob::state); };
  text += fmt::format("Checks: {} failed, {} succeeded, {} not ended\n", count(RunState::failed),
                      count(RunState::succeeded), count(RunState::running) + count(RunState::waiting));
  for (const PipelineJob& check : details.checks | std::views::take(kMaxJobs)) {
    if (check.state == RunState::succeeded) continue;
    text += fmt::format("- {} {}{}\n", in_words(check.state, check.said, redact), shown(check.name, kMaxName, redact),
                        link_to(check.link, redact));
  }
}

void tell_files(const PullRequestDetails& details, const toolkit::Redact& redact, std::string& text) {
  const std::int64_t all = std::max(details.all_files, static_cast<std::int64_t>(details.files.size()));
  text += fmt::format("{} changed\n", count_of(all, "file"));
  const auto told = std::min(kMaxFiles, details.files.size());
  for (const ChangedFile& file : details.files | std::views::take(kMaxFiles))
    text += fmt::format("- {} {} +{} −{}\n", shown(file.status, kMaxName, redact), shown(file.path, kMaxTitle, redact),
                        file.added, file.removed);
  if (all > static_cast<std::int64_t>(told))
    text += fmt::format("and {} more\n", all - static_cast<std::int64_t>(told));
}

void tell_comments(const PullRequestDetails& details, const toolkit::Redact& redact, std::string& text) {
  if (details.comments.empty()) return;
  const std::size_t left_out = details.comments.size() - std::min(kMaxComments, details.comments.size());
  text += fmt::format("{}, the newest last:\n", count_of(std::ssize(details.comments), "comment"));
  if (left_out > 0) text += fmt::format("({} older not shown)\n", left_out);
  for (const PullRequestComment& comment : details.comments | std::views::drop(left_out)) {
    text += fmt::format("- {}{}", shown(comment.author, kMaxName, redact), on(comment.at));
    if (!comment.about.empty()) text += fmt::format(", on {}", shown(comment.about, kMaxTitle, redact));
    text += fmt::format(": {}\n", shown(comment.text, kMaxText, redact));
  }
}

}  // namespace

std::string short_hash(std::string_view commit) { return std::string(cut_characters(commit, 8)); }

std::string run_line(const PipelineRun& run, const toolkit::Redact& redact) {
  std::string line = fmt::format("{} {}", in_words(run.state, run.said, redact), shown(run.id, kMaxName, redact));
  if (!run.pipeline.empty()) line += " " + shown(run.pipeline, kMaxName, redact);
  if (!run.ref.empty()) line += " on " + shown(run.ref, kMaxName, redact);
  if (!run.commit.empty()) line += " at " + shown(short_hash(run.commit), kMaxName, redact);
  if (!run.title.empty()) line += fmt::format(" \"{}\"", shown(run.title, kMaxTitle, redact));
  if (!run.environment.empty()) line += ", " + shown(run.environment, kMaxName, redact);
  if (!run.by.empty()) line += ", by " + shown(run.by, kMaxName, redact);
  line += on(run.started) + took(run.started, run.ended);
  return line + link_to(run.link, redact);
}

std::string changes_in_words(const Changes& changes, const toolkit::Redact& redact) {
  std::string text;
  if (changes.ahead == 0 && changes.behind == 0) text = "The same commit as the last run that succeeded\n";
  if (changes.behind > 0)
    text += fmt::format("It takes away {} that the last successful run had\n", count_of(changes.behind, "commit"));
  if (changes.ahead > 0) text += fmt::format("{} since the last successful run:\n", count_of(changes.ahead, "commit"));
  for (const Commit& commit : changes.commits | std::views::take(kMaxCommits))
    text += fmt::format("- {} {}{}\n", shown(short_hash(commit.hash), kMaxName, redact),
                        shown(commit.title, kMaxTitle, redact),
                        commit.by.empty() ? "" : ", " + shown(commit.by, kMaxName, redact));
  const auto told = static_cast<std::int64_t>(std::min(kMaxCommits, changes.commits.size()));
  if (changes.ahead > told) text += fmt::format("and {} more\n", changes.ahead - told);
  if (!changes.link.empty()) text += shown(changes.link, kMaxLink, redact) + "\n";
  return text;
}

toolkit::Output report(const StatusReport& status, Timestamp now, const toolkit::Redact& redact) {
  const std::vector<PipelineRun>& runs = status.found.runs;
  std::string text = shown(status.repo, kMaxName, redact);
  text += runs.empty() ? ": no pipelines have run"
                       : fmt::format(": {}{}: {}", status.found.has_more ? "the last " : "",
                                     count_of(std::ssize(runs), "pipeline run"), counts(runs));
  text += fmt::format("\nAs of {} UTC\n", moment(now));
  json::array list;
  const auto tell = [&](const PipelineRun& run) {
    text += fmt::format("- {}\n", run_line(run, redact));
    list.push_back(data_of(run, redact));
  };
  for (const PipelineRun& run : runs | std::views::take(status.told)) tell(run);
  std::size_t older = 0;
  for (const PipelineRun& run : runs | std::views::drop(std::min(status.told, runs.size()))) {
    if (run.state != RunState::failed || older == status.told) continue;
    if (older++ == 0) text += "Before these failed:\n";
    tell(run);
  }
  const auto failed = std::ranges::count(runs, RunState::failed, &PipelineRun::state);
  return {std::move(text), {{"count", std::ssize(runs)}, {"failed", failed}, {"runs", std::move(list)}}};
}

toolkit::Output report(const std::string& repo, const RunDetails& details, const toolkit::Redact& redact) {
  std::string text = fmt::format("{}: {}\n", shown(repo, kMaxName, redact), run_line(details.run, redact));
  if (!details.jobs.empty()) text += fmt::format("{}:\n", count_of(std::ssize(details.jobs), "job"));
  const auto failed = [](const PipelineJob& job) { return job.state == RunState::failed; };
  for (const PipelineJob& job : details.jobs | std::views::filter(failed) | std::views::take(kMaxJobs))
    tell_job(job, redact, text);
  for (const PipelineJob& job : details.jobs | std::views::filter(std::not_fn(failed)) | std::views::take(kMaxJobs))
    tell_job(job, redact, text);
  if (!trim(details.log).empty())
    text += fmt::format("The end of the log of {}:\n{}", shown(details.log_of, kMaxName, redact),
                        end_of_log(details.log, redact));
  tell_notes(details.notes, redact, text);
  return {std::move(text), data_of(details.run, redact)};
}

toolkit::Output report(const std::string& repo, const FoundPullRequests& found, const toolkit::Redact& redact) {
  const auto count = std::ssize(found.pull_requests);
  std::string text = count == 0 ? fmt::format("{}: no open pull requests\n", shown(repo, kMaxName, redact))
                                : fmt::format("{}: {}{}, the last updated first\n", shown(repo, kMaxName, redact),
                                              found.has_more ? "more than " : "", count_of(count, "open pull request"));
  json::array list;
  for (const PullRequest& one : found.pull_requests) {
    text += fmt::format("- {}\n", line_of(one, redact));
    list.push_back(
        json::object{{"id", shown(one.id, kMaxName, redact)}, {"title", shown(one.title, kMaxTitle, redact)}});
  }
  return {std::move(text), {{"count", count}, {"pull_requests", std::move(list)}}};
}

toolkit::Output report(const PullRequestDetails& details, const toolkit::Redact& redact) {
  const PullRequest& one = details.pull_request;
  std::string text = line_of(one, redact) + "\n";
  if (!details.merge.empty()) text += fmt::format("Merging: {}\n", shown(details.merge, kMaxName, redact));
  tell_reviewers(details, redact, text);
  tell_checks(details, redact, text);
  tell_files(details, redact, text);
  if (!trim(details.description).empty())
    text += fmt::format("Description: {}\n", shown(details.description, kMaxDescription, redact));
  tell_comments(details, redact, text);
  tell_notes(details.notes, redact, text);
  return {std::move(text), {{"id", shown(one.id, kMaxName, redact)}, {"state", shown(one.state, kMaxName, redact)}}};
}

toolkit::Output report(const RepositoryFacts& facts, const toolkit::Redact& redact) {
  std::string text = shown(facts.name, kMaxName, redact);
  std::vector<std::string> parts{facts.is_private ? "private" : "public"};
  if (facts.is_archived) parts.emplace_back("archived");
  if (!facts.default_branch.empty()) parts.push_back("default branch " + shown(facts.default_branch, kMaxName, redact));
  if (!facts.language.empty()) parts.push_back(shown(facts.language, kMaxName, redact));
  if (facts.updated) parts.push_back(fmt::format("last updated {} UTC", moment(*facts.updated)));
  text += fmt::format(": {}{}\n", join(parts, ", "), link_to(facts.link, redact));
  if (!trim(facts.description).empty()) text += shown(facts.description, kMaxText, redact) + "\n";
  return {std::move(text),
          {{"name", shown(facts.name, kMaxName, redact)},
           {"default_branch", shown(facts.default_branch, kMaxName, redact)}}};
}

}  // namespace deputy::tools::pipelines
