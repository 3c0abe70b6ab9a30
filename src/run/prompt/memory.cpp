#include "run/prompt/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "model/thinking.h"
#include "run/journal/known_hosts.h"
#include "run/prompt/turns.h"

namespace deputy::run {

namespace {

constexpr std::size_t kMaxLines = 20;  // runs in a line each; older ones are counted
constexpr std::size_t kMaxRequest = 200;
constexpr std::size_t kMaxAnswer = 400;

std::string in_a_line(std::string_view text, std::size_t most) {
  std::string line = cut_with_mark(trim(text), most);
  std::ranges::replace_if(line, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return line;
}

std::string line_of(const RunState& state) {
  const std::string answer = state.replied ? state.replied->text : "(no answer)";
  return fmt::format("- {} asked: {}\n  You answered: {}\n", in_a_line(state.request().name, 100),
                     in_a_line(state.request().text, kMaxRequest), in_a_line(answer, kMaxAnswer));
}

// Without thinking: most of it no longer goes back once something before it has changed.
std::size_t size_of(const RunState& state, Results results) {
  Turns turns;
  turns.add_ended_run(state, results);
  model::Request request{.turns = turns.take()};
  model::drop_thinking(request.turns);
  return characters_of(request);
}

// A request is kept without the mention of the bot that it began with.
std::string_view without_mention(std::string_view text) {
  text = trim(text);
  if (!text.starts_with('@') && !text.starts_with("<@")) return text;
  return trim(text.substr(std::min(text.find(' '), text.size())));
}

/// The sizes of a run in each way of showing it.
struct Sizes {
  std::size_t whole = 0, shortened = 0, line = 0;
};

class Fitting {
 public:
  Fitting(MemoryShown shown, std::vector<Sizes> sizes) : shown_(std::move(shown)), sizes_(std::move(sizes)) {}

  MemoryShown take(std::size_t most, bool did_not_fit) {
    if (did_not_fit) most = std::min(most, total() / 2);
    if (total() > most) compact(most / 2);
    const std::size_t counted = shown_.summed_up - std::min(shown_.summed_up, kMaxLines);
    shown_.runs.erase(shown_.runs.begin(), shown_.runs.begin() + static_cast<std::ptrdiff_t>(counted));
    shown_.summed_up -= counted;
    shown_.shortened -= std::min(shown_.shortened, counted);
    shown_.left_out += counted;
    return std::move(shown_);
  }

 private:
  // The newest run is what people go on from: it is touched last.
  void compact(std::size_t most) {
    const std::size_t newest = sizes_.size() - 1;
    while (total() > most && shown_.shortened < newest) ++shown_.shortened;
    while (total() > most && shown_.summed_up < newest) ++shown_.summed_up;
    if (total() > most) shown_.shortened = sizes_.size();
    if (total() > 2 * most) shown_.summed_up = sizes_.size();
  }

  std::size_t total() const {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      if (i < shown_.summed_up) {
        sum += i + kMaxLines < shown_.summed_up ? 0 : sizes_[i].line;
      } else {
        sum += i < shown_.shortened ? sizes_[i].shortened : sizes_[i].whole;
      }
    }
    return sum;
  }

  MemoryShown shown_;
  std::vector<Sizes> sizes_;
};

std::optional<std::vector<std::string>> hosts_of(const MemoryShown& shown, const std::vector<EarlierRun>& earlier) {
  Hosts hosts;
  for (const EarlierRun& run : earlier) {
    if (run.state && contains(shown.runs, run.id)) hosts.merge(known_hosts(*run.state));
  }
  return hosts.empty() ? std::nullopt : std::optional(stored_hosts(hosts));
}

}  // namespace

MemoryShown remember(const MemoryShown& before, const std::vector<EarlierRun>& earlier, std::size_t most) {
  MemoryShown shown = before;
  // Of a journal that is damaged these may say anything.
  shown.summed_up = std::min(shown.summed_up, shown.runs.size());
  shown.shortened = std::min(shown.shortened, shown.runs.size());
  std::vector<Sizes> sizes;
  for (std::size_t i = 0; i < earlier.size(); ++i) {
    if (i >= before.runs.size()) {
      shown.runs.push_back(earlier[i].id);
      if (earlier[i].state) shown.calls += earlier[i].state->calls.size();
    }
    const RunState* state = earlier[i].state.get();
    sizes.push_back(state == nullptr ? Sizes{}
                                     : Sizes{.whole = size_of(*state, Results::as_sent),
                                             .shortened = size_of(*state, Results::shortened),
                                             .line = line_of(*state).size()});
  }
  if (sizes.empty()) return shown;
  // Memory that did not fit the newest run is compacted for good, or each run would find that out again.
  const RunState* newest = earlier.back().state.get();
  const bool did_not_fit = newest != nullptr && newest->memory_cut != MemoryCut::none;
  shown = Fitting(std::move(shown), std::move(sizes)).take(most, did_not_fit);
  shown.known_hosts = hosts_of(shown, earlier);
  return shown;
}

std::vector<model::Turn> memory_turns(MemoryShown shown, const std::vector<EarlierRun>& earlier, MemoryCut cut) {
  if (cut == MemoryCut::left_out) return memory_turns({.left_out = shown.left_out + earlier.size()}, {});
  if (cut >= MemoryCut::shortened) shown.shortened = earlier.size();
  if (cut >= MemoryCut::summed_up) shown.summed_up = earlier.size();
  const std::size_t first_line = shown.summed_up - std::min(shown.summed_up, kMaxLines);
  std::size_t left_out = shown.left_out;
  std::string lines;
  for (std::size_t i = 0; i < earlier.size(); ++i) {
    if (!earlier[i].state || i < first_line) {
      ++left_out;
    } else if (i < shown.summed_up) {
      lines += line_of(*earlier[i].state);
    }
  }
  Turns turns;
  if (left_out > 0) {
    turns.say(model::Role::user, fmt::format("({} earlier request{} of this conversation {} no longer shown.)",
                                             left_out, left_out == 1 ? "" : "s", left_out == 1 ? "is" : "are"));
  }
  if (!lines.empty()) {
    turns.say(model::Role::user, "(Of what came first in this conversation only this is still shown:)\n" +
                                     quoted("earlier_conversation", lines));
  }
  for (std::size_t i = shown.summed_up; i < earlier.size(); ++i) {
    if (!earlier[i].state) continue;
    turns.add_ended_run(*earlier[i].state, i < shown.shortened ? Results::shortened : Results::as_sent);
  }
  return turns.take();
}

std::vector<ThreadLine> not_in_memory(std::vector<ThreadLine> thread, const std::vector<EarlierRun>& earlier) {
  std::set<std::string, std::less<>> known;
  std::set<std::string, std::less<>> requests;
  const auto add = [&](std::string_view text) { known.emplace(trim(text)); };
  bool has_any = false;
  for (const EarlierRun& run : earlier) {
    if (!run.state) continue;
    has_any = true;
    const Received& received = run.state->request();
    if (received.request) requests.insert(*received.request);
    add(run.state->request().text);
    for (const TranscriptItem& item : run.state->transcript) {
      if (const auto* note = std::get_if<Noted>(&item)) add(note->text);
    }
    const std::optional<Enriched>& enriched = run.state->enriched;
    if (!enriched) continue;
    for (const ThreadLine& line : enriched->thread) add(line.text);
  }
  std::erase_if(thread, [&](const ThreadLine& line) {
    if (line.by_deputy) return has_any;
    if (!line.ref.empty() && requests.contains(line.ref)) return true;
    return known.contains(trim(line.text)) || known.contains(without_mention(line.text));
  });
  return thread;
}

}  // namespace deputy::run
