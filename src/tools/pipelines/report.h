// Writes what the pipeline tools found: the verdict first, then one line each, with links to the vendor's pages. Texts
// that are cut are redacted first. Pure.
#pragma once

#include "toolkit/cut.h"
#include "toolkit/step.h"
#include "tools/pipelines/pipeline_backend.h"

namespace deputy::tools::pipelines {

/// What get_pipeline_status read, and how much of it is told.
struct StatusReport {
  std::string repo;
  FoundRuns found;
  std::size_t told = 5;
};
toolkit::Output report(const StatusReport& status, Timestamp now, const toolkit::Redact& redact);
toolkit::Output report(const std::string& repo, const RunDetails& details, const toolkit::Redact& redact);
toolkit::Output report(const std::string& repo, const FoundPullRequests& found, const toolkit::Redact& redact);
toolkit::Output report(const PullRequestDetails& details, const toolkit::Redact& redact);
toolkit::Output report(const RepositoryFacts& facts, const toolkit::Redact& redact);

/// "failed 4711 Deploy on main at a1b2c3d4 "Fix it", prod, by ana, 2026-11-18 10:00:00 UTC, took 3m https://…"
std::string run_line(const PipelineRun& run, const toolkit::Redact& redact);

/// The commits of a change, and whether it goes back.
std::string changes_in_words(const Changes& changes, const toolkit::Redact& redact);

std::string short_hash(std::string_view commit);

}  // namespace deputy::tools::pipelines
