#include "gateway/details.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "gateway/run_controls.h"
#include "interaction/arguments.h"
#include "interaction/escape.h"
#include "run/plan/messages.h"
#include "toolkit/cut.h"

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

// Who or what let it run: a person, else a rule.
std::string ruling_of(const run::CallState& call) {
  const run::Ruled* ruling = call.ruling();
  if (call.answered && !call.answered->by.empty())
    return fmt::format("{} by **{}**", interaction::name(call.answered->state),
                       interaction::plain(run::answered_by(*call.answered)));
  if (ruling == nullptr) return "not judged yet";
  const std::string rule = interaction::code_span(ruling->rule);
  if (ruling->verdict == run::Verdict::allow) return "allowed by " + rule;
  return ruling->verdict == run::Verdict::ask ? "needs approval by " + rule : "denied by " + rule;
}

std::string text_of(std::size_t number, const std::string& id, const run::CallState& call, const Durations& durations) {
  std::string text = fmt::format("**{}. {}** · {}", number, interaction::plain(call.request.tool),
                                 call.finished ? run::name(call.finished->status) : "open");
  if (const auto took = durations.find(id); took != durations.end())
    text += fmt::format(" · {:.1f} s", static_cast<double>(took->second.count()) / 1000);
  text += fmt::format(" · {}\n", ruling_of(call));
  const std::string arguments = interaction::show_arguments(call.request.arguments, {.total = kMaxArguments}).text;
  if (!arguments.empty()) text += interaction::fenced(arguments) + "\n";
  if (call.finished && !trim(call.finished->text).empty())
    text += "Result:\n" + block(toolkit::for_people(call.finished->text), kMaxResult);
  return text;
}

}  // namespace

channel::ShowText details_of(const RunId& run, const run::RunState& state, const std::vector<store::EntryRow>& entries,
                             std::size_t page) {
  const Durations durations = durations_of(entries);
  const std::size_t pages = std::max<std::size_t>(1, (state.calls.size() + kCallsOfAPage - 1) / kCallsOfAPage);
  page = std::min(page, pages - 1);
  channel::ShowText shown;
  const run::Received& request = state.request();
  const std::string& who = request.name.empty() ? request.requester : request.name;
  shown.markdown = fmt::format("**{}** asked: {}\nRun `{}`\n\n", interaction::plain(who),
                               interaction::plain(cut_with_mark(request.text, kMaxRequest)), run.text());
  if (state.calls.empty()) shown.markdown += "It made no calls.";
  std::size_t position = 0;
  for (const auto& [id, call] : state.calls) {
    if (position++ / kCallsOfAPage == page) shown.markdown += text_of(position, id, call, durations) + "\n";
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
