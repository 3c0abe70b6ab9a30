#include "gateway/details.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "gateway/run_controls.h"
#include "interaction/escape.h"

namespace deputy::gateway {

namespace {

constexpr std::size_t kCallsOfAPage = 5;
constexpr std::size_t kMaxArguments = 1'500;  // characters
constexpr std::size_t kMaxResult = 3'000;
constexpr std::size_t kMaxRequest = 500;

std::string block(std::string_view text, std::size_t most) {
  std::string shown;
  for (const std::string_view line : split(cut_with_mark(text, most), "\n"))
    shown += interaction::escape(line, interaction::Showing::as_prose) + "\n";
  return interaction::fenced(shown) + "\n";
}

using Durations = std::map<std::string, std::chrono::milliseconds, std::less<>>;

// From its first step to its result, waiting for people not counted where the gate comes first.
Durations durations_of(const std::vector<store::EntryRow>& rows) {
  std::map<std::string, Timestamp> begun;
  Durations durations;
  for (const store::EntryRow& row : rows) {
    if (row.kind != run::StepStarted::kKind && row.kind != run::CallFinished::kKind) continue;
    const Result<run::Entry> entry = run::decode(row);
    if (!entry) continue;
    if (const auto* started = std::get_if<run::StepStarted>(&entry->body)) begun.emplace(started->call, entry->at);
    const auto* finished = std::get_if<run::CallFinished>(&entry->body);
    if (finished != nullptr && begun.contains(finished->call))
      durations[finished->call] =
          std::chrono::duration_cast<std::chrono::milliseconds>(entry->at - begun.at(finished->call));
  }
  return durations;
}

std::string ruling_of(const run::CallState& call) {
  const run::Ruled* ruling = call.ruling();
  if (ruling == nullptr) return "not ruled";
  std::string text = fmt::format("{} by `{}`", run::name(ruling->verdict), ruling->rule);
  if (call.answered && !call.answered->by.empty())
    text += fmt::format(", answered by {}", interaction::plain(call.answered->by));
  return text;
}

std::string text_of(const std::string& id, const run::CallState& call, const Durations& durations) {
  std::string text =
      fmt::format("**{}** {} · {}", interaction::plain(call.request.tool), interaction::code_span(id), ruling_of(call));
  text += fmt::format(" · {}", call.finished ? run::name(call.finished->status) : "open");
  const auto took = durations.find(id);
  text +=
      took == durations.end() ? "\n" : fmt::format(" · {:.1f} s\n", static_cast<double>(took->second.count()) / 1000);
  if (!call.request.arguments.empty()) text += block(json::serialize(call.request.arguments), kMaxArguments);
  if (call.finished && !trim(call.finished->text).empty()) text += block(call.finished->text, kMaxResult);
  return text;
}

}  // namespace

channel::ShowText details_of(const RunId& run, const run::RunState& state, const std::vector<store::EntryRow>& entries,
                             std::size_t page) {
  const Durations durations = durations_of(entries);
  const std::size_t pages = std::max<std::size_t>(1, (state.calls.size() + kCallsOfAPage - 1) / kCallsOfAPage);
  page = std::min(page, pages - 1);
  channel::ShowText shown;
  shown.markdown =
      fmt::format("Run `{}`, asked by {}: {}\n\n", run.text(), interaction::plain(state.request().requester),
                  interaction::plain(cut_with_mark(state.request().text, kMaxRequest)));
  if (state.calls.empty()) shown.markdown += "It made no calls.";
  std::size_t position = 0;
  for (const auto& [id, call] : state.calls) {
    if (position++ / kCallsOfAPage == page) shown.markdown += text_of(id, call, durations) + "\n";
  }
  if (pages > 1) shown.markdown += fmt::format("Page {} of {}.", page + 1, pages);
  const auto add = [&](std::string label, std::size_t to) {
    shown.controls.push_back({std::move(label), token_of({RunPress::What::details, run, to})});
  };
  if (page > 0) add("Previous", page - 1);
  if (page + 1 < pages) add("Next", page + 1);
  return shown;
}

}  // namespace deputy::gateway
