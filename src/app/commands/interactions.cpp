// deputy interactions list | answer
#include <fmt/format.h>

#include <algorithm>

#include "app/command_line.h"
#include "app/commands/listing.h"
#include "app/commands/named.h"
#include "app/foreground.h"
#include "channel/terminal/card_text.h"
#include "channel/terminal/styled_text.h"
#include "channel/terminal/terminal_channel.h"
#include "channel/terminal/typed_answer.h"

namespace deputy::app {

namespace {

constexpr const char* kExamples = R"(Examples:
  deputy interactions list                           what waits for people
  deputy interactions answer --run ID prod           answer a question and finish its run here
  deputy interactions answer ID prod 'since noon'    a form takes one text per question
  deputy interactions answer ID yes                  approve once; `always` also approves the same later, if offered
  deputy interactions answer ID no 'not on Friday'   deny with a reason

Without --run it only answers. The process that holds the run continues it; if there is none, use
`deputy runs resume RUN`.)";

constexpr int kMaxListed = 100;

/// The text of the request that a run belongs to. A child run belongs to its parent's request.
Task<Result<std::string>> request_of(store::Store& store, RunId run) {
  CO_TRY(std::vector<store::RunRow> rows, co_await store.runs({.run = run}));
  if (!rows.empty() && rows.front().parent) {
    CO_TRY(rows, co_await store.runs({.run = rows.front().parent}));
  }
  co_return rows.empty() ? std::string() : rows.front().headline;
}

Task<Result<ExitCode>> print_list(const Context& context, Process& process) {
  CO_TRY(const gateway::PendingCards pending,
         co_await process.requests().pending(local_caller(), {.most = kMaxListed}));
  const std::vector<channel::Card>& cards = pending.cards;
  std::ostream& out = context.outside.out;
  json::array list;
  for (const channel::Card& card : cards) {
    CO_TRY(const std::string request, co_await request_of(process.store(), card.run));
    for (const channel::ShownInteraction& shown : card.interactions) {
      if (channel::is_settled(shown)) continue;
      if (context.json) {
        json::object waiting = waiting_json(card, shown, answering_command(context, shown.id.text()));
        waiting["request"] = request;
        list.push_back(std::move(waiting));
        continue;
      }
      const bool is_form = std::holds_alternative<channel::ShownQuestions>(shown.what);
      const std::string id = short_id_among(shown.id, cards);
      out << fmt::format("{}  {}  run {}\n", id, is_form ? "questions" : "approval", channel::short_id(card.run))
          << fmt::format("{} asked: {}\n", channel::one_line(card.requester), channel::one_line(request))
          << channel::whole_text(card, shown, width_of(context)) << how_to_answer(shown, answering_command(context, id))
          << "\n";
    }
  }
  if (context.json) {
    out << json::serialize(list) << "\n";
  } else if (cards.empty()) {
    out << "nothing waits for an answer\n";
  }
  co_return ExitCode::done;
}

ExitCode list(const Context& context) {
  return with_requests(context, [&](Process& process) { return print_list(context, process); });
}

struct Wish {
  std::string id;
  std::vector<std::string> texts;
  bool run = false;
};

// The pending interactions of a run and its child runs.
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

// Finds the interaction by its own id, or by the id of a run that has only one pending.
Task<Result<store::InteractionRow>> find_row(store::Store& store, InteractionId id) {
  CO_TRY(const std::vector<store::InteractionRow> rows,
         co_await store.interactions({.id = id, .pending_only = false, .most = 1}));
  if (!rows.empty()) co_return rows.front();
  CO_TRY(const RunId run, RunId::parse(id.text()));
  CO_TRY(const std::vector<store::InteractionRow> waiting, co_await waiting_in(store, run));
  if (waiting.size() == 1) co_return waiting.front();
  if (waiting.empty()) {
    co_return fail(ErrorKind::not_found,
                   fmt::format("there is no interaction {}, and no waiting run with that id", id.text()),
                   "`deputy interactions list` lists the pending ones");
  }
  co_return fail(ErrorKind::invalid_input, fmt::format("run {} waits for {} answers", id.text(), waiting.size()),
                 "use the id of one interaction; `deputy interactions list` lists them");
}

// Answers, and returns the run that gives the final answer: the parent of a child run.
Task<Result<store::RunRow>> answer_it(Process& process, std::string named, std::vector<std::string> texts) {
  gateway::Requests& requests = process.requests();
  CO_TRY(const InteractionId id, co_await interaction_named(process.store(), std::move(named)));
  CO_TRY(const store::InteractionRow row, co_await find_row(process.store(), id));
  CO_TRY(const std::optional<channel::Card> card, co_await requests.card(local_caller(), row.id));
  const auto shown = card ? std::ranges::find(card->interactions, row.id, &channel::ShownInteraction::id)
                          : std::vector<channel::ShownInteraction>::const_iterator();
  if (!card || shown == card->interactions.end())
    co_return fail(ErrorKind::not_found, fmt::format("interaction {} can no longer be read", row.id.text()));
  if (channel::is_settled(*shown))
    co_return fail(ErrorKind::conflict, "Already settled: " + channel::settled_line(*card, row.id));
  channel::ReadAnswer read = channel::read_answer(*card, *shown, texts);
  if (auto* error = std::get_if<Error>(&read)) co_return std::unexpected(std::move(*error));
  if (std::holds_alternative<channel::More>(read)) {
    const auto& form = std::get<channel::ShownQuestions>(shown->what).form;
    co_return fail(
        ErrorKind::invalid_input,
        fmt::format("the form has {} questions and was given {} answers", form.questions.size(), texts.size()),
        "give one text per question, in quotes if it has spaces");
  }
  CO_TRY(const gateway::AnswerReceipt receipt,
         co_await requests.answer(local_caller(), row.id, std::move(std::get<channel::Press>(read))));
  CO_TRY(check_settled(receipt.verdict));
  CO_TRY(store::RunRow run, co_await gateway::find_run(process.store(), receipt.run));
  if (!run.parent) co_return run;
  CO_TRY(store::RunRow parent, co_await gateway::find_run(process.store(), *run.parent));
  co_return parent;
}

ExitCode answer(const Context& context, const Wish& wish) {
  std::optional<store::RunRow> run;
  {
    const auto process = Process::open(context);
    if (!process) return print_failure(context, process.error());
    Foreground foreground(context, **process);
    if (const Result<> opened = foreground.open(); !opened) return print_failure(context, opened.error());
    const Result<store::RunRow> answered = (*process)->wait(answer_it(**process, wish.id, wish.texts));
    if (!answered) return print_failure(context, answered.error(), Stage::working);
    run = *answered;
  }
  const bool is_here = run->conversation.starts_with(channel::terminal_conversation(os_user(), ""));
  if (wish.run && is_here)
    return follow_in_foreground(context, *run, "notice: answered; the run continues in the terminal that has it open");
  if (context.json) {
    context.outside.out << json::serialize(json::object{{"run", run->run.text()}, {"answered", true}}) << "\n";
  } else {
    context.outside.out << "answered; run " << channel::short_id(run->run)
                        << (is_here ? " continues with `deputy runs resume " + channel::short_id(run->run) + "`\n"
                                    : std::string(" continues in the process that runs its channel\n"));
  }
  return ExitCode::done;
}

}  // namespace

void add_interactions(CLI::App& program, Context& context) {
  CLI::App* group =
      program.add_subcommand("interactions", "Approvals and questions that wait for people: list, answer");
  group->require_subcommand(1);
  group->fallthrough();
  group->footer(kExamples);
  add_plain(*group, context, "list", "Approvals and questions that wait", list);
  CLI::App* command = group->add_subcommand("answer", "Answer one");
  command->fallthrough();
  command->footer(kExamples);
  add_answers(*command, context);
  auto wish = std::make_shared<Wish>();
  command->add_option("ID", wish->id, "The interaction, or the run that waits for it")->required();
  command->add_option("ANSWER", wish->texts, "yes, no REASON, or one text per question")->required();
  command->add_flag("--run", wish->run, "Then finish its run here and print the answer");
  command->callback([&context, wish] { context.action = [&context, wish] { return answer(context, *wish); }; });
}

}  // namespace deputy::app
