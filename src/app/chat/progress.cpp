#include "app/chat/progress.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/chat/folded.h"
#include "base/text.h"
#include "channel/terminal/plain_text.h"
#include "run/plan/plan_call.h"

namespace deputy::app {

namespace {

using channel::Style;

constexpr std::size_t kLongestArgument = 100;
constexpr std::size_t kMostSaid = 400;  // bytes
constexpr std::size_t kLongestSaid = 60;

struct Mark {
  std::string_view sign;
  Style style;
};

Mark mark_of(run::CallStatus status) {
  if (status == run::CallStatus::success) return {"✓", Style::green};
  if (status == run::CallStatus::denied || status == run::CallStatus::cancelled) return {"⊘", Style::yellow};
  return {"✗", Style::red};
}

std::string last_line(std::string_view said) {
  while (said.ends_with('\n') || said.ends_with('\r')) said.remove_suffix(1);
  const std::size_t end = said.find_last_of("\n\r");
  const std::string_view line = end == std::string_view::npos ? said : said.substr(end + 1);
  return channel::one_line(cut_characters(to_valid_utf8(std::string(line)), kLongestSaid));
}

}  // namespace

bool has_line(std::string_view tool) { return tool != run::kAskUser && tool != run::kRespondDirectly; }

std::string call_line(const std::string& tool, const json::object& arguments, const toolkit::Registry& registry) {
  std::string argument;
  const auto found = registry.find(tool);
  const json::value* primary = found ? arguments.if_contains((*found)->spec().primary_param) : nullptr;
  if (primary != nullptr) {
    argument = as_text(*primary);
  } else {
    for (const auto& [name, value] : arguments)
      argument += fmt::format("{}{}={}", argument.empty() ? "" : " ", as_view(name), as_text(value));
  }
  std::string line = channel::one_line(tool);
  if (!argument.empty()) line += " " + channel::one_line(cut_with_mark(argument, kLongestArgument));
  return line;
}

std::string elapsed(std::chrono::milliseconds time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time).count();
  if (seconds < 10) return fmt::format("{:.1f} s", std::max<double>(static_cast<double>(time.count()), 0) / 1000);
  if (seconds < 60) return fmt::format("{} s", seconds);
  return fmt::format("{} min {} s", seconds / 60, seconds % 60);
}

void Progress::add_call(RunId run, const run::CallRequested& call) {
  Call& shown = calls_[{run, call.id}];
  shown.line = call_line(call.tool, call.arguments, registry_);
  shown.talks = !has_line(call.tool);
}

void Progress::know_call(RunId run, const run::CallRequested& call) { add_call(run, call); }

void Progress::know(RunId run, const run::RunState& state) {
  if (state.finished) return;
  const run::Received& received = state.request();
  if (received.parent) children_.insert(run);
  for (const auto& [id, call] : state.calls) {
    if (call.finished) continue;
    add_call(run, call.request);
    calls_[{run, id}].of_background = received.parent && received.only_call;
  }
}

std::string Progress::on_delegated(RunId run, const run::Delegated& delegated, Timestamp now) {
  const Result<RunId> child = RunId::parse(delegated.child.value_or(""));
  const auto found = calls_.find({run, delegated.call});
  if (!child || found == calls_.end()) return {};
  children_.insert(*child);
  if (delegated.kind != run::DelegateTo::background) return {};
  found->second.in_background = true;
  Call& shown = calls_[{*child, delegated.call}];
  shown.line = found->second.line;
  shown.of_background = true;
  shown.since = now;
  return fmt::format("{} [bg] {}  {}\n", styled("⚙", Style::cyan, colours_), shown.line,
                     styled("task " + child->text(), Style::dim, colours_));
}

std::string Progress::on_finished(RunId run, const run::CallFinished& finished, Timestamp now) {
  const auto found = calls_.find({run, finished.call});
  if (found == calls_.end()) return {};
  const Call call = std::move(found->second);
  calls_.erase(found);
  if (call.talks || call.in_background) return {};
  const Mark mark = mark_of(finished.status);
  std::string line = fmt::format("{}{} {}{}", children_.contains(run) && !call.of_background ? "  " : "",
                                 styled(mark.sign, mark.style, colours_), call.of_background ? "[bg] " : "", call.line);
  if (call.since) line += styled("  " + elapsed(now - *call.since), Style::dim, colours_);
  return line + "\n" + styled(folded(finished.text, "    "), Style::dim, colours_);
}

std::string Progress::on_entry(RunId run, const run::EntryBody& body, Timestamp now) {
  if (std::holds_alternative<run::ModelCalled>(body)) thinking_[run] = {now, {}};
  if (const auto* replied = std::get_if<run::ModelReplied>(&body)) {
    thinking_.erase(run);
    for (const run::CallRequested& call : replied->calls) add_call(run, call);
  }
  if (const auto* started = std::get_if<run::StepStarted>(&body)) {
    const auto found = calls_.find({run, started->call});
    if (found != calls_.end() && !found->second.since) found->second.since = now;
  }
  // Waiting for people is no running.
  if (const auto* asked = std::get_if<run::Asked>(&body)) {
    if (const auto found = calls_.find({run, asked->call}); found != calls_.end()) found->second.since.reset();
  }
  if (const auto* delegated = std::get_if<run::Delegated>(&body)) return on_delegated(run, *delegated, now);
  if (const auto* finished = std::get_if<run::CallFinished>(&body)) return on_finished(run, *finished, now);
  if (std::holds_alternative<run::Finished>(body)) {
    thinking_.erase(run);
    std::erase_if(calls_, [&](const auto& one) { return one.first.first == run; });
  }
  return {};
}

void Progress::on_delta(RunId run, std::string_view call, std::string_view part) {
  const auto found = calls_.find({run, std::string(call)});
  if (found == calls_.end()) return;
  std::string& said = found->second.said;
  said += part;
  if (said.size() > kMostSaid) said.erase(0, said.size() - kMostSaid);
}

void Progress::on_thinking(RunId run, std::string_view part) {
  const auto found = thinking_.find(run);
  if (found == thinking_.end()) return;
  std::string& summary = found->second.summary;
  summary += part;
  if (summary.size() > kMostSaid) summary.erase(0, summary.size() - kMostSaid);
}

std::string Progress::status(Timestamp now) const {
  const Call* first = nullptr;
  Timestamp since{};
  std::size_t running = 0;
  for (const auto& [key, call] : calls_) {
    if (!call.since || call.talks || call.in_background) continue;
    ++running;
    if (first != nullptr && *call.since >= since) continue;
    first = &call;
    since = *call.since;
  }
  if (first != nullptr) {
    const std::string more = running > 1 ? fmt::format("  (and {} more)", running - 1) : std::string();
    const std::string said = last_line(first->said);
    return fmt::format("⚙ {}{} · {}{}{}", first->of_background ? "[bg] " : "", first->line, elapsed(now - since), more,
                       said.empty() ? "" : "  │ " + said);
  }
  if (thinking_.empty()) return {};
  const Thinking& thinking = thinking_.begin()->second;
  const std::string summary = last_line(thinking.summary);
  return fmt::format("thinking · {}{}", elapsed(now - thinking.since), summary.empty() ? "" : "  │ " + summary);
}

}  // namespace deputy::app
