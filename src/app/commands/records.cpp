// deputy usage | audit | forget: what was spent, what was done, and removing what was said.
#include <fmt/format.h>

#include <map>
#include <set>

#include "app/chat/session.h"
#include "app/command_line.h"
#include "app/commands/listing.h"
#include "app/commands/named.h"
#include "app/foreground.h"
#include "base/text.h"
#include "channel/terminal/styled_text.h"
#include "channel/terminal/terminal_channel.h"
#include "policy/persons.h"
#include "run/plan/budget.h"

namespace deputy::app {

namespace {

constexpr const char* kUsageExamples = R"(Examples:
  deputy usage               the last 7 days, by person
  deputy usage --days 30)";
constexpr const char* kAuditExamples = R"(Examples:
  deputy audit               the newest entries
  deputy audit --run RUN     who asked, what policy decided and why, who approved, what the result was
  deputy audit --person ana)";
constexpr const char* kForgetExamples = R"(Examples:
  deputy forget --run RUN
  deputy forget --conversation terminal:ana:01K…
  deputy forget --person terminal:ana   as `deputy runs list` calls them

Text, results and search rows are removed, also those of child runs; ids, times, digests and approvers stay.
Grants of a conversation or a person end. Unfinished runs are left alone.)";

constexpr int kAuditPage = 1000;
constexpr std::size_t kNamesShown = 10;     // in a message about an unknown name
constexpr std::size_t kMaxArguments = 500;  // characters on a line
constexpr int kRunsLookedAt = 1000;         // for the people who asked for them

json::object spend_json(const store::SpendRow& row) {
  return {{"day", row.day}, {"scope", row.scope}, {"millionths_usd", row.millionths}};
}

std::string spend_line(const store::SpendRow& row) {
  return fmt::format("{}  ${:.4f}  {}\n", row.day, static_cast<double>(row.millionths) / 1e6,
                     channel::one_line(row.scope));
}

Task<Result<ExitCode>> print_usage(const Context& context, Process& process, int days) {
  const Timestamp now = process.clock().now();
  CO_TRY(const std::vector<store::SpendRow> rows,
         co_await process.store().spent(run::day_of(now - std::chrono::hours(24) * (days - 1)), run::day_of(now)));
  co_return print_rows(context, rows, "nothing was spent\n", spend_json, spend_line);
}

struct AuditWish {
  std::string run;
  std::string person;
  int most = 100;
};

// The newest, in the order in which they happened.
Task<Result<std::vector<store::AuditRow>>> newest(store::Store& store, store::AuditFilter filter, int most) {
  std::vector<store::AuditRow> rows;
  while (std::ssize(rows) < most) {
    filter.most = std::min(kAuditPage, most - static_cast<int>(rows.size()));
    CO_TRY(std::vector<store::AuditRow> page, co_await store.audit(filter));
    if (page.empty()) break;
    filter.before = page.back().number;
    std::ranges::move(page, std::back_inserter(rows));
  }
  std::ranges::reverse(rows);
  co_return rows;
}

/// An entry with the arguments of the call it is about. They are in the journal, so that forgetting a run removes them.
struct AuditEntry {
  store::AuditRow row;
  std::optional<json::object> arguments;
};

std::string call_in(const store::AuditRow& row) {
  const Result<json::object> body = parse_json_object(row.body);
  const json::value* call = body ? body->if_contains("call") : nullptr;
  return call != nullptr && call->is_string() ? std::string(as_view(call->get_string())) : std::string();
}

Task<std::vector<AuditEntry>> with_arguments(store::Store& store, std::vector<store::AuditRow> rows) {
  std::map<RunId, std::map<std::string, json::object>> calls;
  std::vector<AuditEntry> entries;
  for (store::AuditRow& row : rows) {
    const std::string call = call_in(row);
    if (row.run && !call.empty() && !calls.contains(*row.run)) {
      auto& of_run = calls[*row.run];
      const Result<gateway::RunView> view = co_await gateway::read_run(store, *row.run);
      if (view) {
        for (const auto& [id, state] : view->state.calls) of_run.emplace(id, state.request.arguments);
      }
    }
    std::optional<json::object> arguments;
    if (row.run && !call.empty()) {
      const auto& of_run = calls[*row.run];
      if (const auto found = of_run.find(call); found != of_run.end()) arguments = found->second;
    }
    entries.push_back({std::move(row), std::move(arguments)});
  }
  co_return entries;
}

json::object audit_json(const AuditEntry& of) {
  const store::AuditRow& row = of.row;
  json::object entry{{"number", row.number},
                     {"at", format_timestamp(row.at)},
                     {"kind", row.kind},
                     {"person", row.person},
                     {"digest", row.digest}};
  if (row.run) entry["run"] = row.run->text();
  const Result<json::value> body = parse_json(row.body);
  if (body) entry["body"] = *body;
  if (of.arguments) entry["arguments"] = *of.arguments;
  return entry;
}

std::string audit_line(const AuditEntry& entry) {
  const store::AuditRow& row = entry.row;
  const std::string arguments = entry.arguments
                                    ? "  arguments " + cut_with_mark(json::serialize(*entry.arguments), kMaxArguments)
                                    : std::string();
  return channel::one_line(fmt::format("{}  {:<16}  {:<16}  {}  {}{}", format_timestamp(row.at), row.kind, row.person,
                                       row.run ? channel::short_id(*row.run) : "", row.body, arguments)) +
         "\n";
}

// For a person without entries: who it may be in place of them.
Task<Result<std::string>> nobody_of_that_name(store::Store& store, std::string person) {
  store::AuditFilter filter;
  filter.most = kAuditPage;
  CO_TRY(const std::vector<store::AuditRow> rows, co_await store.audit(filter));
  std::set<std::string> people;
  for (const store::AuditRow& row : rows) people.insert(row.person);
  people.erase("");
  const std::vector<std::string> names(people.begin(), people.end());
  const std::string_view near = nearest(person, names);
  std::string text = fmt::format("notice: no entries of `{}`", channel::one_line(person));
  if (!near.empty()) {
    text += fmt::format("; did you mean `{}`?", channel::one_line(near));
  } else if (!names.empty()) {
    text += "; there are entries of " +
            channel::one_line(join(std::span(names).first(std::min(names.size(), kNamesShown)), ", "));
  }
  co_return text + "\n";
}

Task<Result<ExitCode>> print_audit(const Context& context, store::Store& store, AuditWish wish) {
  store::AuditFilter filter;
  if (!wish.person.empty()) filter.person = wish.person;
  if (!wish.run.empty()) {
    CO_TRY(filter.run, co_await run_named(store, wish.run));
  }
  CO_TRY(std::vector<store::AuditRow> rows, co_await newest(store, std::move(filter), wish.most));
  if (rows.empty() && !wish.person.empty()) {
    CO_TRY(const std::string text, co_await nobody_of_that_name(store, wish.person));
    context.outside.errors << text;
  }
  const std::vector<AuditEntry> entries = co_await with_arguments(store, std::move(rows));
  co_return print_rows(context, entries, "", audit_json, audit_line);
}

ExitCode audit(const Context& context, const AuditWish& wish) {
  return with_store(context, [&](Process& process) { return print_audit(context, process.store(), wish); });
}

struct ForgetWish {
  std::string run;
  std::string conversation;
  std::string person;
};

Task<Result<store::ForgetScope>> scope_of(store::Store& store, ForgetWish wish) {
  store::ForgetScope scope;
  if (!wish.run.empty()) {
    CO_TRY(scope.run, co_await run_named(store, wish.run));
  }
  if (!wish.conversation.empty()) scope.conversation = wish.conversation;
  if (!wish.person.empty()) scope.person = wish.person;
  const int named = static_cast<int>(scope.run.has_value()) + static_cast<int>(scope.conversation.has_value()) +
                    static_cast<int>(scope.person.has_value());
  if (named == 1) co_return scope;
  co_return fail(ErrorKind::invalid_input, "say what to forget, one of --run, --conversation and --person");
}

bool is_at_this_terminal(const std::string& conversation) {
  return conversation.starts_with(channel::terminal_conversation(os_user(), ""));
}

// True if the person is the one at this terminal.
Task<Result<bool>> is_this_user(Process& process, std::string person) {
  const policy::Identity identity = channel::local_user(os_user());
  if (person == identity.account.key() || person == policy::person_of(identity, process.settings().for_policy()).id)
    co_return true;
  // Settings may have given them another name when they asked.
  CO_TRY(const std::vector<store::RunRow> theirs,
         co_await process.store().runs({.requester = std::move(person), .most = kRunsLookedAt}));
  co_return std::ranges::any_of(theirs, is_at_this_terminal, &store::RunRow::conversation);
}

// Others that share the store get their turn between two batches.
constexpr int kForgottenAtOnce = 200;
constexpr std::chrono::milliseconds kBetweenBatches{10};
constexpr int kLooksAtReaders = 100;

Task<Result<store::Forgotten>> forget_all(store::Store& store, store::ForgetScope scope, store::Effects effects) {
  store::Forgotten all;
  for (;;) {
    CO_TRY(const store::Forgotten some,
           co_await store.forget(scope, std::exchange(effects, store::Effects{}), kForgottenAtOnce));
    all.runs += some.runs;
    all.unfinished += some.unfinished;
    if (!some.last) co_return all;
    scope.after = *some.last;
    co_await sleep_for(kBetweenBatches);
  }
}

// Repeats until nothing is left, or another process reads the database's log for too long.
Task<Result<store::Traces>> wipe_all(store::Store& store) {
  for (int looks = 0;;) {
    CO_TRY(const store::Traces traces, co_await store.wipe());
    if (traces.left == store::Traces::Left::none) co_return traces;
    if (traces.left == store::Traces::Left::being_read && ++looks == kLooksAtReaders) co_return traces;
    co_await sleep_for(kBetweenBatches);
  }
}

// Lines typed in chats are also in the history file of this OS user. For a run, the line that requested it is removed.
// The file does not say which conversation a line belongs to, so forgetting one of this user's conversations, or the
// user, removes all lines. Other people's lines are not in this file.
struct Typed {
  bool is_here = false;
  std::optional<std::string> line = std::nullopt;  // of a run; nothing when its journal cannot be read
};

// Must be called before the run is forgotten: afterwards its line is unknown.
Task<Result<Typed>> find_typed(Process& process, store::ForgetScope scope) {
  if (scope.conversation) co_return Typed{.is_here = is_at_this_terminal(*scope.conversation)};
  if (scope.person) {
    CO_TRY(const bool is_here, co_await is_this_user(process, *scope.person));
    co_return Typed{.is_here = is_here};
  }
  CO_TRY(const std::vector<store::RunRow> runs, co_await process.store().runs({.run = scope.run}));
  if (runs.empty() || !is_at_this_terminal(runs.front().conversation)) co_return Typed{};
  const Result<gateway::RunView> view = co_await gateway::read_run(process.store(), runs.front().run);
  if (!view) co_return Typed{.is_here = true};
  co_return Typed{.is_here = true, .line = view->state.request().text};
}

// True if everything in scope was forgotten. A run may be forgotten while a child run is not, and the other way round.
Task<Result<bool>> is_gone(store::Store& store, store::ForgetScope scope, std::int64_t unfinished) {
  if (!scope.run) co_return unfinished == 0;
  CO_TRY(const std::vector<store::RunRow> runs, co_await store.runs({.run = scope.run}));
  co_return !runs.empty() && runs.front().forgotten;
}

enum class TypedLeft { no, maybe };

// Removes only lines of runs that were forgotten.
Task<Result<TypedLeft>> forget_typed(Process& process, store::ForgetScope scope, Typed typed, std::int64_t unfinished) {
  const std::filesystem::path file = process.data() / kChatHistory;
  std::error_code not_there;
  const bool is_empty = std::filesystem::is_empty(file, not_there);
  if (!typed.is_here || not_there || is_empty) co_return TypedLeft::no;
  CO_TRY(const bool can_go, co_await is_gone(process.store(), scope, unfinished));
  const bool is_known = !scope.run || typed.line;
  if (!can_go || !is_known) co_return TypedLeft::maybe;
  const Result<> written = HistoryFile(file).forget(typed.line);
  if (written) co_return TypedLeft::no;
  co_return fail(
      written.error().kind,
      "the runs are forgotten, but the lines typed for them could not be removed: " + written.error().message,
      fmt::format("delete it from {}", file.string()));
}

struct ForgetEnd {
  store::Forgotten forgotten;
  store::Traces traces;
  TypedLeft typed = TypedLeft::no;
};

void print_forgotten(const Context& context, const std::filesystem::path& data, const ForgetEnd& end) {
  const auto& [forgotten, traces, typed] = end;
  std::ostream& out = context.outside.out;
  const bool is_read = traces.left == store::Traces::Left::being_read;
  if (context.json) {
    json::array copies;
    for (const std::string& copy : traces.copies) copies.emplace_back(copy);
    out << json::serialize(json::object{{"runs", forgotten.runs},
                                        {"unfinished", forgotten.unfinished},
                                        {"log_is_read", is_read},
                                        {"typed_may_be_left", typed == TypedLeft::maybe},
                                        {"copies", std::move(copies)}})
        << "\n";
    return;
  }
  out << fmt::format("Forgot {}.\n", count_of(forgotten.runs, "run"));
  if (forgotten.unfinished > 0)
    out << fmt::format("{} not finished and not forgotten: cancel first.\n", count_of(forgotten.unfinished, "run"));
  if (typed == TypedLeft::maybe)
    out << fmt::format("{} may still contain what was typed for it\n", (data / kChatHistory).string());
  if (is_read)
    out << "another process still reads the database's log; the text is removed from the log once it has finished\n";
  for (const std::string& copy : traces.copies)
    out << fmt::format("{} is a backup from before an upgrade and still has all text: delete it\n", copy);
}

Task<Result<>> nobody_is_called(store::Store& store, std::string person) {
  CO_TRY(const std::vector<store::RunRow> newest, co_await store.runs({.most = kRunsLookedAt}));
  std::set<std::string> known;
  for (const store::RunRow& run : newest) {
    if (known.size() < kNamesShown) known.insert(channel::one_line(run.requester));
  }
  const std::vector<std::string> names(known.begin(), known.end());
  co_return fail(ErrorKind::not_found,
                 fmt::format("nobody called `{}` has asked for anything", channel::one_line(person)),
                 names.empty() ? "" : "use a name as shown in `deputy runs list`, such as " + list_names(names));
}

// A mistyped name must be an error, not a success that forgot nothing. For a run the store reports it.
Task<Result<>> check_is_known(store::Store& store, store::ForgetScope scope) {
  if (scope.run) co_return Result<>{};
  CO_TRY(const std::vector<store::RunRow> runs,
         co_await store.runs({.conversation = scope.conversation, .requester = scope.person, .most = 1}));
  if (!runs.empty()) co_return Result<>{};
  // Retention may have removed the runs but not the grants.
  CO_TRY(const std::vector<store::GrantRow> granted,
         co_await store.grants(
             {.conversation = scope.conversation, .holder = scope.person, .live_only = false, .most = 1}));
  if (!granted.empty()) co_return Result<>{};
  if (scope.person) co_return co_await nobody_is_called(store, *scope.person);
  co_return fail(
      ErrorKind::not_found,
      fmt::format("nothing was asked in a conversation `{}`", channel::one_line(scope.conversation.value_or(""))),
      "`deputy runs show RUN` shows the conversation of a run");
}

Task<Result<ExitCode>> forget_it(const Context& context, Process& process, ForgetWish wish) {
  CO_TRY(store::ForgetScope scope, co_await scope_of(process.store(), std::move(wish)));
  CO_TRY(co_await check_is_known(process.store(), scope));
  CO_TRY(const Typed typed, co_await find_typed(process, scope));
  store::Effects effects;
  effects.audit = {
      {.at = process.clock().now(), .kind = "forgotten", .person = "terminal:" + os_user(), .run = scope.run}};
  CO_TRY(const store::Forgotten forgotten, co_await forget_all(process.store(), scope, std::move(effects)));
  const Result<TypedLeft> left = co_await forget_typed(process, std::move(scope), typed, forgotten.unfinished);
  CO_TRY(const store::Traces traces, co_await wipe_all(process.store()));  // also where the file could not be changed
  CO_TRY(const TypedLeft typed_left, left);
  print_forgotten(context, process.data(), {forgotten, traces, typed_left});
  co_return forgotten.unfinished == 0 ? ExitCode::done : ExitCode::failed;
}

ExitCode forget(const Context& context, const ForgetWish& wish) {
  return with_store(context, [&](Process& process) { return forget_it(context, process, wish); });
}

}  // namespace

void add_usage(CLI::App& program, Context& context) {
  CLI::App* command = program.add_subcommand("usage", "What models cost");
  command->fallthrough();
  command->footer(kUsageExamples);
  auto days = std::make_shared<int>(7);
  command->add_option("--days", *days, "How many days, today included")->check(CLI::Range(1, 400));
  command->callback([&context, days] {
    context.action = [&context, days] {
      return with_store(context, [&](Process& process) { return print_usage(context, process, *days); });
    };
  });
}

void add_audit(CLI::App& program, Context& context) {
  CLI::App* command = program.add_subcommand("audit", "Who asked, what policy decided, who approved, what ran");
  command->fallthrough();
  command->footer(kAuditExamples);
  auto wish = std::make_shared<AuditWish>();
  command->add_option("--run", wish->run, "Of this run only");
  command->add_option("--person", wish->person, "Of this person only");
  command->add_option("--most", wish->most, "How many of the newest")->check(CLI::Range(1, 100'000));
  command->callback([&context, wish] { context.action = [&context, wish] { return audit(context, *wish); }; });
}

void add_forget(CLI::App& program, Context& context) {
  CLI::App* command =
      program.add_subcommand("forget", "Remove the text of runs, and keep the record that they happened");
  command->fallthrough();
  command->footer(kForgetExamples);
  auto wish = std::make_shared<ForgetWish>();
  command->add_option("--run", wish->run, "A run");
  command->add_option("--conversation", wish->conversation, "All runs of a conversation");
  command->add_option("--person", wish->person, "All runs of a person");
  command->callback([&context, wish] { context.action = [&context, wish] { return forget(context, *wish); }; });
}

}  // namespace deputy::app
