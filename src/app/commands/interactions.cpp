// deputy interactions list | answer
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "app/by_hand.h"
#include "app/command_line.h"
#include "app/commands/reading.h"
#include "app/foreground.h"
#include "app/waiting.h"
#include "channel/terminal/plain_text.h"
#include "channel/terminal/terminal_channel.h"

namespace deputy::app {

namespace {

constexpr const char* kExamples = R"(Examples:
  deputy interactions list                           what waits for people
  deputy interactions answer --run ID prod           answer a question and finish its run here
  deputy interactions answer ID prod 'since noon'    a form takes one text a question
  deputy interactions answer ID yes                  approve once; `always` approves the same again where that is offered
  deputy interactions answer ID no 'not on Friday'   deny with a reason

Without --run it only answers: whoever holds the run goes on, else `deputy runs resume RUN` does.)";

constexpr int kMostListed = 100;
constexpr int kMostRuns = 1000;  // of a conversation

/// Which request each run belongs to, in the words it was made in. A child run is about its parent's.
class Requests {
 public:
  explicit Requests(store::Store& store) : store_(store) {}

  Task<Result<std::string>> of(store::InteractionRow row) {
    if (!runs_.contains(row.conversation)) {
      store::RunFilter filter;
      filter.conversation = row.conversation;
      filter.most = kMostRuns;
      CO_TRY(runs_[row.conversation], co_await store_.runs(std::move(filter)));
    }
    const std::vector<store::RunRow>& runs = runs_[row.conversation];
    auto run = std::ranges::find(runs, row.run, &store::RunRow::run);
    const std::optional<RunId> parent = run == runs.end() ? std::nullopt : run->parent;
    if (parent) run = std::ranges::find(runs, *parent, &store::RunRow::run);
    co_return run == runs.end() ? std::string() : run->headline;
  }

 private:
  store::Store& store_;
  std::map<std::string, std::vector<store::RunRow>> runs_;  // by conversation
};

Task<Result<ExitCode>> print_list(const Context& context, Process& process) {
  store::InteractionFilter filter;
  filter.most = kMostListed;
  CO_TRY(const std::vector<store::InteractionRow> rows, co_await process.store().interactions(filter));
  std::ostream& out = context.outside.out;
  json::array list;
  Requests requests(process.store());
  for (const store::InteractionRow& row : rows) {
    const Result<run::InteractionBody> asking = run::read_interaction_body(row);
    if (!asking) continue;
    const std::string command = answering_command(context, row);
    CO_TRY(const std::string request, co_await requests.of(row));
    if (context.json) {
      json::object waiting = waiting_json(row, *asking, command);
      waiting["request"] = request;
      list.push_back(std::move(waiting));
      continue;
    }
    out << fmt::format("{}  {}  run {}\n", row.id.text(), row.kind, row.run.text())
        << fmt::format("{} asked: {}\n", channel::one_line(asking->requester), channel::one_line(request))
        << whole_text(row, *asking, process.rules().zone) << how_to_answer(*asking, command) << "\n";
  }
  if (context.json) {
    out << json::serialize(list) << "\n";
  } else if (rows.empty()) {
    out << "nothing waits for people\n";
  }
  co_return ExitCode::done;
}

ExitCode list(const Context& context) {
  return with_store(context, [&](Process& process) { return print_list(context, process); });
}

struct Wish {
  std::string id;
  std::vector<std::string> texts;
  bool run = false;
};

// What waits in a run or in its child runs.
Task<Result<std::vector<store::InteractionRow>>> waiting_in(store::Store& store, RunId run) {
  store::RunFilter children;
  children.parent = run;
  CO_TRY(const std::vector<store::RunRow> rows, co_await store.runs(std::move(children)));
  std::vector<RunId> runs{run};
  for (const store::RunRow& row : rows) runs.push_back(row.run);
  std::vector<store::InteractionRow> waiting;
  for (const RunId& one : runs) {
    CO_TRY(const std::vector<store::InteractionRow> found, co_await store.interactions({.run = one}));
    waiting.insert(waiting.end(), found.begin(), found.end());
  }
  co_return waiting;
}

// By its own id, or by that of a run in which nothing else waits: people have either at hand.
Task<Result<store::InteractionRow>> find_row(store::Store& store, InteractionId id) {
  CO_TRY(const std::vector<store::InteractionRow> rows,
         co_await store.interactions({.id = id, .pending_only = false, .most = 1}));
  if (!rows.empty()) co_return rows.front();
  CO_TRY(const RunId run, RunId::parse(id.text()));
  CO_TRY(const std::vector<store::InteractionRow> waiting, co_await waiting_in(store, run));
  if (waiting.size() == 1) co_return waiting.front();
  if (waiting.empty()) {
    co_return fail(ErrorKind::not_found,
                   fmt::format("there is no interaction {}, and no run of that id waits", id.text()),
                   "`deputy interactions list` names those that wait");
  }
  co_return fail(ErrorKind::invalid_input, fmt::format("run {} waits for {} answers", id.text(), waiting.size()),
                 "name the interaction: `deputy interactions list` does");
}

// The run whose end is the answer: that of a child run is its parent's.
Task<Result<store::RunRow>> answer_it(Process& process, InteractionId id, std::vector<std::string> texts) {
  CO_TRY(const store::InteractionRow row, co_await find_row(process.store(), id));
  CO_TRY(const run::InteractionBody asking, run::read_interaction_body(row));
  ReadAnswer read = read_answer(asking, texts, row.run);
  if (auto* error = std::get_if<Error>(&read)) co_return std::unexpected(std::move(*error));
  if (std::holds_alternative<More>(read)) {
    co_return fail(ErrorKind::invalid_input,
                   fmt::format("the form has {} questions and was given {} answers",
                               asking.questions.value_or(interaction::Form{}).questions.size(), texts.size()),
                   "give one text a question, quoted where it has spaces");
  }
  CO_TRY(co_await answer_by_hand(process, os_user(), row, std::move(std::get<Press>(read))));
  CO_TRY(store::RunRow run, co_await find_run(process.store(), row.run));
  if (!run.parent) co_return run;
  CO_TRY(store::RunRow parent, co_await find_run(process.store(), *run.parent));
  co_return parent;
}

ExitCode answer(const Context& context, const Wish& wish) {
  const auto id = typed_id<InteractionId>(wish.id, "interaction", "deputy interactions list");
  if (!id) return print_failure(context, id.error());
  std::optional<store::RunRow> run;
  {
    const auto process = Process::open(context);
    if (!process) return print_failure(context, process.error());
    Foreground foreground(context, **process);
    if (const Result<> opened = foreground.open(); !opened) return print_failure(context, opened.error());
    const Result<store::RunRow> answered = (*process)->wait(answer_it(**process, *id, wish.texts));
    if (!answered) return print_failure(context, answered.error(), Stage::working);
    run = *answered;
  }
  const bool is_here = run->conversation.starts_with(channel::terminal_conversation(os_user(), ""));
  if (wish.run && is_here) return carry_in_foreground(context, *run);
  if (context.json) {
    context.outside.out << json::serialize(json::object{{"run", run->run.text()}, {"answered", true}}) << "\n";
  } else {
    context.outside.out << "answered; run " << run->run.text()
                        << (is_here ? " goes on with `deputy runs resume " + run->run.text() + "`\n"
                                    : std::string(" goes on where its channel is on\n"));
  }
  return ExitCode::done;
}

}  // namespace

void add_interactions(CLI::App& program, Context& context) {
  CLI::App* group = program.add_subcommand("interactions", "What waits for people: list it, answer it");
  group->require_subcommand(1);
  group->fallthrough();
  group->footer(kExamples);
  add_plain(*group, context, "list", "Approvals and questions that wait", list);
  CLI::App* command = group->add_subcommand("answer", "Answer one");
  command->fallthrough();
  command->footer(kExamples);
  auto wish = std::make_shared<Wish>();
  command->add_option("ID", wish->id, "The interaction, or the run that waits for it")->required();
  command->add_option("ANSWER", wish->texts, "yes, no REASON, or one text a question")->required();
  command->add_flag("--run", wish->run, "Then finish its run here and print the answer");
  command->callback([&context, wish] { context.action = [&context, wish] { return answer(context, *wish); }; });
}

}  // namespace deputy::app
