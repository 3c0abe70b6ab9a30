// deputy runs list | show | replay | resume | cancel
#include <fmt/format.h>

#include "app/command_line.h"
#include "app/commands/listing.h"
#include "app/commands/named.h"
#include "app/foreground.h"
#include "base/text.h"
#include "channel/terminal/styled_text.h"
#include "channel/terminal/terminal_channel.h"
#include "run/prompt/memory.h"
#include "run/prompt/replay.h"
#include "toolkit/cut.h"

namespace deputy::app {

namespace {

constexpr const char* kRunsExamples = R"(Examples:
  deputy runs list                     the newest runs and their state
  deputy runs list --state parked      those that wait; also --person, --conversation, --most
  deputy runs show RUN                 one run: request, calls, answer
  deputy runs replay RUN               every request its model was sent, rebuilt from the journal
  deputy runs resume RUN               continue it here, after a crash or an answer
  deputy runs cancel RUN)";

json::object run_json(const store::RunRow& run) {
  json::object object{{"run", run.run.text()},      {"state", state_of(run)},
                      {"requester", run.requester}, {"conversation", run.conversation},
                      {"headline", run.headline},   {"created_at", format_timestamp(run.created_at)}};
  if (run.finished_at) object["finished_at"] = format_timestamp(*run.finished_at);
  if (run.parent) object["parent"] = run.parent->text();
  return object;
}

std::string run_line(const store::RunRow& run) {
  return fmt::format("{}  {}  {:<9}  {:<12}  {}{}\n", channel::short_id(run.run),
                     format_timestamp(run.created_at).substr(0, 19), state_of(run),
                     channel::one_line(cut_with_mark(run.requester, 30)), run.parent ? "↳ " : "",
                     channel::one_line(cut_with_mark(run.headline, 60)));
}

struct ListWish {
  std::string state;
  std::string person;
  std::string conversation;
  int most = 50;
};

// The names of `state_of`: outcomes are names for finished runs.
constexpr auto kOutcomes = std::to_array<std::string_view>({"answered", "failed", "cancelled", "unknown"});
constexpr int kMaxLookedAt = 10'000;
constexpr auto kStates = std::to_array<std::pair<std::string_view, store::RunStatus>>(
    {{"open", store::RunStatus::open}, {"parked", store::RunStatus::parked}, {"finished", store::RunStatus::finished}});

Task<Result<ExitCode>> print_list(const Context& context, store::Store& store, ListWish wish) {
  store::RunFilter filter;
  const bool by_outcome = std::ranges::find(kOutcomes, wish.state) != kOutcomes.end();
  filter.most = by_outcome ? kMaxLookedAt : wish.most;
  const auto* state = std::ranges::find(kStates, wish.state, &decltype(kStates)::value_type::first);
  if (state != kStates.end()) filter.state = state->second;
  if (by_outcome) filter.state = store::RunStatus::finished;
  if (!wish.person.empty()) filter.requester = wish.person;
  if (!wish.conversation.empty()) filter.conversation = wish.conversation;
  const bool filtered = filter.state || filter.requester || filter.conversation;
  CO_TRY(std::vector<store::RunRow> runs, co_await store.runs(filter));
  if (by_outcome) std::erase_if(runs, [&](const store::RunRow& run) { return run.outcome != wish.state; });
  runs.resize(std::min(runs.size(), static_cast<std::size_t>(wish.most)));
  co_return print_rows(context, runs, filtered ? "no such runs\n" : "no runs yet; `deputy ask \"…\"` starts one\n",
                       run_json, run_line);
}

void add_list(CLI::App& group, Context& context) {
  CLI::App* command = group.add_subcommand("list", "The newest runs and their state");
  command->fallthrough();
  auto wish = std::make_shared<ListWish>();
  command->add_option("--state", wish->state, "Only those that are open, parked or finished, or ended in this way")
      ->check(CLI::IsMember({"open", "parked", "finished", "answered", "failed", "cancelled", "unknown"}));
  command->add_option("--person", wish->person, "Only those of this person, as the list calls them");
  command->add_option("--conversation", wish->conversation, "Only those of this conversation");
  command->add_option("--most", wish->most, "How many")->check(CLI::Range(1, 10'000))->capture_default_str();
  command->callback([&context, wish] {
    context.action = [&context, wish] {
      return with_store(context, [&](Process& process) { return print_list(context, process.store(), *wish); });
    };
  });
}

void print_calls(std::ostream& out, const run::RunState& state) {
  for (const auto& [id, call] : state.calls) {
    out << fmt::format("  {} {} {}: {}\n", channel::one_line(id), channel::one_line(call.request.tool),
                       channel::one_line(cut_with_mark(json::serialize(call.request.arguments), 200)),
                       call.finished ? name(call.finished->status) : "open");
    if (!call.finished) continue;
    const std::string result = channel::without_codes(toolkit::for_people(call.finished->text));
    if (!trim(result).empty()) out << channel::indented(channel::indented(channel::shown_lines(result)));
  }
}

Task<Result<ExitCode>> print_run(const Context& context, store::Store& store, std::string named) {
  CO_TRY(const RunId id, co_await run_named(store, std::move(named)));
  CO_TRY(const gateway::RunView view, co_await gateway::read_run(store, id));
  const auto& [run, state, entries] = view;
  std::ostream& out = context.outside.out;
  if (context.json) {
    json::object object = run_json(run);
    json::array journal;
    for (const store::EntryRow& entry : entries) {
      CO_TRY(json::value body, parse_json(entry.body));
      journal.push_back({{"seq", entry.seq}, {"at", format_timestamp(entry.at)}, {"kind", entry.kind}, {"body", body}});
    }
    object["answer"] = state.replied ? json::value(state.replied->text) : json::value(nullptr);
    object["journal"] = std::move(journal);
    out << json::serialize(object) << "\n";
    co_return ExitCode::done;
  }
  out << fmt::format("run           {}\nstate         {}\nasked by      {} at {}\nconversation  {}\n\n{}", id.text(),
                     state_of(run), channel::one_line(run.requester), format_timestamp(run.created_at),
                     channel::one_line(run.conversation),
                     channel::plain_text(state.received.value_or(run::Received{}).text));
  if (!state.calls.empty()) out << "\ncalls\n";
  print_calls(out, state);
  if (state.replied) out << "\nanswer\n" << channel::plain_text(state.replied->text);
  co_return ExitCode::done;
}

ExitCode show(const Context& context, const std::string& run) {
  return with_store(context, [&](Process& process) { return print_run(context, process.store(), run); });
}

// Every text that the journal names by digest. A missing text is not an error here; the replay reports it.
Task<Result<std::map<std::string, std::string>>> kept_texts(store::Store& store, std::vector<store::EntryRow> entries) {
  std::map<std::string, std::string> texts;
  for (const store::EntryRow& row : entries) {
    const Result<run::Entry> entry = run::decode(row);
    const auto* called = entry ? std::get_if<run::ModelCalled>(&entry->body) : nullptr;
    if (called == nullptr) continue;
    for (const std::string& digest : {called->prompt, called->tools}) {
      if (texts.contains(digest)) continue;
      Result<std::string> text = co_await store.text(digest);
      if (text) texts.emplace(digest, *std::move(text));
    }
  }
  co_return texts;
}

// The earlier runs in this run's prompt. A run that no longer exists is left out, as when the run is resumed.
Task<std::vector<run::EarlierRun>> shown_before(store::Store& store, std::vector<store::EntryRow> entries) {
  std::vector<run::EarlierRun> earlier;
  for (const store::EntryRow& row : entries) {
    const Result<run::Entry> entry = run::decode(row);
    const auto* enriched = entry ? std::get_if<run::Enriched>(&entry->body) : nullptr;
    if (enriched == nullptr || !enriched->memory) continue;
    for (const std::string& id : enriched->memory->runs) {
      const Result<RunId> run = RunId::parse(id);
      Result<gateway::RunView> view = fail(ErrorKind::not_found, "it no longer exists");
      if (run) view = co_await gateway::read_run(store, *run);
      earlier.push_back({id, view ? std::make_shared<const run::RunState>(std::move(view->state)) : nullptr});
    }
    break;
  }
  co_return earlier;
}

Task<Result<ExitCode>> print_replay(const Context& context, store::Store& store, std::string named) {
  CO_TRY(const RunId id, co_await run_named(store, std::move(named)));
  CO_TRY(const std::vector<store::EntryRow> entries, co_await gateway::read_journal(store, id));
  CO_TRY(const auto texts, co_await kept_texts(store, entries));
  const run::KeptText text = [&](const std::string& digest) -> Result<std::string> {
    const auto found = texts.find(digest);
    if (found == texts.end()) return fail(ErrorKind::not_found, "the text with digest " + digest + " no longer exists");
    return found->second;
  };
  const std::vector<run::EarlierRun> earlier = co_await shown_before(store, entries);
  const run::Memory memory = [&](const run::MemoryShown& shown,
                                 run::MemoryCut cut) -> Result<std::vector<model::Turn>> {
    return run::memory_turns(shown, earlier, cut);
  };
  const Result<run::Replay> replayed = run::replay(entries, text, memory);
  if (!replayed) co_return std::unexpected(gateway::cannot_be_read(id, replayed.error()));
  const run::Replay& replay = *replayed;
  if (context.json) {
    json::array turns;
    for (const run::ReplayedTurn& turn : replay.turns)
      turns.push_back({{"seq", turn.seq}, {"model", turn.model}, {"turns", turn.request.turns.size()}});
    const json::object object{{"run", id.text()},
                              {"outcome", replay.outcome},
                              {"requests", turns},
                              {"problems", json::array(replay.problems.begin(), replay.problems.end())}};
    context.outside.out << json::serialize(object) << "\n";
  } else {
    context.outside.out << channel::shown_lines(run::print(replay));
  }
  co_return replay.problems.empty() ? ExitCode::done : ExitCode::failed;
}

ExitCode replay(const Context& context, const std::string& run) {
  return with_store(context, [&](Process& process) { return print_replay(context, process.store(), run); });
}

Task<Result<store::RunRow>> root_of(store::Store& store, RunId id) {
  CO_TRY(store::RunRow run, co_await gateway::find_run(store, id));
  if (!run.parent) co_return run;
  CO_TRY(store::RunRow parent, co_await gateway::find_run(store, *run.parent));
  co_return parent;
}

// A run of another channel belongs to the process of that channel: this one can neither reply nor look people up there.
Result<> must_be_of_this_terminal(const store::RunRow& run) {
  if (run.conversation.starts_with(channel::terminal_conversation(os_user(), ""))) return {};
  return fail(ErrorKind::conflict, fmt::format("run {} belongs to {}", channel::short_id(run.run), run.conversation),
              "it continues in the process that runs its channel");
}

// The runs to stop: the request, or, if it has ended, its runs that still work in the background.
Task<Result<std::vector<store::RunRow>>> what_works(store::Store& store, store::RunRow root, RunId named) {
  if (root.state != store::RunStatus::finished) co_return std::vector{root};
  store::RunFilter filter;
  filter.parent = root.run;
  CO_TRY(std::vector<store::RunRow> runs, co_await store.runs(std::move(filter)));
  std::erase_if(runs, [&](const store::RunRow& run) {
    return run.state == store::RunStatus::finished || (named != root.run && named != run.run);
  });
  co_return runs;
}

Task<Result<>> stop_what_works(Process& process, store::RunRow root, RunId named) {
  CO_TRY(const std::vector<store::RunRow> runs, co_await what_works(process.store(), root, named));
  if (runs.empty())
    co_return fail(ErrorKind::conflict, fmt::format("run {} has ended already", channel::short_id(named)),
                   fmt::format("deputy runs show {} prints what came out", channel::short_id(named)));
  for (const store::RunRow& run : runs) CO_TRY((co_await process.requests().stop(local_caller(), run.run)));
  co_return Result<>{};
}

enum class Before { nothing, cancel };

ExitCode go_on_with(const Context& context, const std::string& word, Before before) {
  std::optional<store::RunRow> run;
  {
    const auto process = Process::open(context);
    if (!process) return print_failure(context, process.error());
    const Result<RunId> id = (*process)->wait(run_named((*process)->store(), word));
    if (!id) return print_failure(context, id.error());
    const Result<store::RunRow> found = (*process)->wait(root_of((*process)->store(), *id));
    if (!found) return print_failure(context, found.error(), Stage::working);
    if (before == Before::cancel) {
      Result<> mailed = (*process)->compose_requests();
      if (mailed) mailed = (*process)->wait(stop_what_works(**process, *found, *id));
      if (!mailed) return print_failure(context, mailed.error(), Stage::working);
    }
    run = *found;
  }
  if (const Result<> may = must_be_of_this_terminal(*run); !may) {
    // The request to stop is stored; the process that holds the run reads it.
    if (before == Before::cancel) return ExitCode::done;
    return print_failure(context, may.error());
  }
  const ExitCode code = follow_in_foreground(
      context, *run, before == Before::cancel ? "notice: the terminal that has it open stops it" : "");
  // The run failed because it was cancelled, so the command succeeded.
  return before == Before::cancel && code == ExitCode::failed ? ExitCode::done : code;
}

ExitCode resume(const Context& context, const std::string& run) { return go_on_with(context, run, Before::nothing); }
ExitCode cancel(const Context& context, const std::string& run) { return go_on_with(context, run, Before::cancel); }

}  // namespace

void add_runs(CLI::App& program, Context& context) {
  CLI::App* group = program.add_subcommand("runs", "List, show, replay, resume and cancel runs");
  group->require_subcommand(1);
  group->fallthrough();
  group->footer(kRunsExamples);
  add_list(*group, context);
  add_with_word(*group, context, "show", "One run: request, calls, answer", "RUN", "Its id", show);
  add_with_word(*group, context, "replay", "Every request its model was sent, from the journal alone", "RUN", "Its id",
                replay);
  add_answers(
      *add_with_word(*group, context, "resume", "Continue a run here and print its answer", "RUN", "Its id", resume),
      context);
  add_with_word(*group, context, "cancel", "Stop a run", "RUN", "Its id", cancel);
}

}  // namespace deputy::app
