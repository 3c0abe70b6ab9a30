#include "run/delegates.h"

#include <fmt/format.h>

#include "base/fields_codec.h"
#include "base/text.h"
#include "run/steps.h"

namespace deputy::run {

namespace {

struct Answer {
  std::string text;
  std::int64_t cost = 0;
  std::int64_t tokens = 0;
};

struct ModelPayload {
  std::string system;
  std::string prompt;
  int max_tokens = 1200;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&ModelPayload::system, "system", "What it is to do");
    f.required(&ModelPayload::prompt, "prompt", "The question, with its data");
    f.optional(&ModelPayload::max_tokens, "max_tokens", "The limit of the reply").in_range(1, 100'000);
  }
};

struct ResultPayload {
  std::string call_id;
  std::size_t offset = 0;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&ResultPayload::call_id, "call_id", "Whose result");
    f.optional(&ResultPayload::offset, "offset", "From which character on");
  }
};

struct HistoryPayload {
  std::string query;
  int most = 10;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&HistoryPayload::query, "query", "Words to look for").characters(1, 1000);
    f.optional(&HistoryPayload::most, "most", "How many at most").in_range(1, 50);
  }
};

struct TasksPayload {
  std::string action;
  std::string id;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&TasksPayload::action, "action", "What to do").one_of({"list", "get", "cancel"});
    f.optional(&TasksPayload::id, "id", "Which task");
  }
};

Task<Result<Answer>> ask_model(const Services& services, const DelegateWork& work) {
  CO_TRY(ModelPayload payload, parse_arguments<ModelPayload>(work.delegated.payload));
  const std::shared_ptr<model::Model> model = services.model();
  model::Request request{payload.system, {{model::Role::user, {model::Text{payload.prompt}}}}, {}, payload.max_tokens};
  CO_TRY(const model::Reply reply, co_await model->ask(std::move(request), {}));
  const redact::Redactor redactor = services.redaction.of(work.run);
  co_return Answer{redactor.redact(to_valid_utf8(model::text_of(reply))), model->cost_of(reply.usage).value_or(0),
                   reply.usage.tokens()};
}

// Of this run's calls only: the key of a result is (run, call).
Task<Result<Answer>> read_result(const Services& services, const DelegateWork& work) {
  CO_TRY(const ResultPayload payload, parse_arguments<ResultPayload>(work.delegated.payload));
  CO_TRY(const std::string whole, co_await services.store.result(work.run, payload.call_id));
  co_return Answer{toolkit::page_of(whole, payload.call_id, payload.offset)};
}

// What others said elsewhere is not for this conversation's readers: what is left out is counted, not named.
Task<Result<Answer>> search_history(const Services& services, const DelegateWork& work) {
  CO_TRY(const HistoryPayload payload, parse_arguments<HistoryPayload>(work.delegated.payload));
  CO_TRY(const std::vector<store::Found> found, co_await services.store.search(payload.query, payload.most));
  std::string text;
  int left_out = 0;
  for (const store::Found& one : found) {
    if (one.run == work.run) continue;
    if (one.conversation != work.conversation) {
      ++left_out;
      continue;
    }
    text += fmt::format("{} {}: {}\n", format_timestamp(one.created_at), one.run.text(), one.snippet);
  }
  if (text.empty()) text = "Nothing was found.\n";
  if (left_out > 0) text += fmt::format("{} more were found in other conversations and are not shown.\n", left_out);
  co_return Answer{std::move(text)};
}

std::string line_of(const store::RunRow& run) {
  const std::string_view state = run.state == store::RunStatus::finished ? std::string_view(run.outcome)
                                 : run.state == store::RunStatus::parked ? "waiting"
                                                                         : "working";
  return fmt::format("{} {}: {}\n", run.run.text(), state, run.headline);
}

Task<Result<Answer>> cancel_task(const Services& services, const DelegateWork& work, const store::RunRow& task) {
  if (task.state == store::RunStatus::finished) co_return Answer{"It has finished already."};
  if (task.requester != work.requester) {
    co_return fail(ErrorKind::permission, "this task was started for somebody else",
                   "they, or an approver, stop it with its Stop button or the word stop");
  }
  CancelRequested cancel{work.requester};
  CO_TRY(co_await services.store.mail({task.run, encode(std::move(cancel), services.clock.now())}, {}));
  co_return Answer{fmt::format("{} is being stopped.", task.run.text())};
}

// The tasks of this conversation, whichever of its runs started them.
Task<Result<Answer>> look_after_tasks(const Services& services, const DelegateWork& work) {
  CO_TRY(const TasksPayload payload, parse_arguments<TasksPayload>(work.delegated.payload));
  store::RunFilter filter;
  filter.conversation = work.conversation;
  filter.most = 200;
  CO_TRY(std::vector<store::RunRow> runs, co_await services.store.runs(std::move(filter)));
  std::erase_if(runs, [](const store::RunRow& run) { return !run.parent; });
  if (payload.action == "list") {
    std::string text;
    for (const store::RunRow& run : runs) text += line_of(run);
    co_return Answer{text.empty() ? "There are no background tasks here.\n" : std::move(text)};
  }
  const auto task = std::ranges::find_if(runs, [&](const store::RunRow& run) { return run.run.text() == payload.id; });
  if (task == runs.end()) {
    co_return fail(ErrorKind::not_found, fmt::format("there is no task `{}` here", cut_with_mark(payload.id, 40)),
                   "list_background_tasks names them");
  }
  if (payload.action == "cancel") co_return co_await cancel_task(services, work, *task);
  std::string text = line_of(*task);
  CO_TRY(const std::vector<store::EntryRow> journal, co_await services.store.journal(task->run, 1));
  for (const store::EntryRow& row : journal) {
    const Result<Entry> entry = decode(row);
    if (!entry) continue;
    if (const auto* reply = std::get_if<Replied>(&entry->body)) text += reply->text + "\n";
  }
  co_return Answer{std::move(text)};
}

Task<Result<Answer>> answer(const Services& services, const DelegateWork& work) {
  using Answerer = Task<Result<Answer>> (*)(const Services&, const DelegateWork&);
  static const std::map<std::string_view, Answerer> kAnswerers{
      {"model", &ask_model}, {"result", &read_result}, {"history", &search_history}, {"tasks", &look_after_tasks}};
  const auto answerer = kAnswerers.find(work.delegated.kind);
  if (answerer == kAnswerers.end()) {
    co_return fail(ErrorKind::internal, fmt::format("nobody answers a delegate of kind `{}`", work.delegated.kind));
  }
  co_return co_await answerer->second(services, work);
}

}  // namespace

Task<Outcome> answer_delegate(const Services& services, DelegateWork work) {
  Result<Answer> given = co_await answer(services, work);
  Outcome outcome;
  if (!given) {
    outcome.entries.emplace_back(step_failed(work.delegated.call, work.delegated.handler, "error", given.error()));
  } else {
    outcome.entries.emplace_back(
        DelegateAnswered{work.delegated.call, std::move(given->text), given->cost, given->tokens});
  }
  co_return outcome;
}

}  // namespace deputy::run
