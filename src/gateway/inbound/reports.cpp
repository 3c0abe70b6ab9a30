#include "gateway/inbound/reports.h"

#include <fmt/format.h>

#include "base/text.h"
#include "interaction/escape.h"
#include "interaction/text_form.h"
#include "policy/visibility.h"
#include "run/drive/visibility.h"
#include "run/journal/fold.h"
#include "run/journal/stored_rows.h"
#include "run/plan/budget.h"

namespace deputy::gateway {

namespace {

using To = CommandReply::To;

constexpr int kMaxRead = 50;             // runs of a thread
constexpr std::size_t kMaxLines = 20;    // of a list
constexpr std::size_t kMaxWords = 100;   // characters of a headline
constexpr std::size_t kMaxValues = 300;  // characters of arguments
constexpr std::size_t kMaxText = 1500;   // characters of a request or an answer

/// One report as it is made. The references outlive it.
struct Asked {
  InboundDependencies& parts;
  const Command& command;
  const channel::InboundMessage& message;
  const policy::Identity& sender;
  const Facts& facts;
  std::shared_ptr<const run::Rules> rules;

  interaction::Zone zone() const { return run::zone_of(*rules, sender.time_zone); }
  std::string time(Timestamp at) const { return interaction::time_in(zone(), at); }
  /// Nobody but the sender sees the reply.
  bool is_private() const { return replies_privately(parts, message); }
};

CommandReply to_sender(std::string words) { return {.words = std::move(words), .to = To::sender}; }

std::string dollars(std::int64_t millionths) { return fmt::format("${:.2f}", static_cast<double>(millionths) / 1e6); }

std::string_view state_in_words(const store::RunRow& row) {
  if (row.state == store::RunStatus::finished) return row.outcome;
  return row.state == store::RunStatus::parked ? "waiting" : "working";
}

std::string listed(const std::vector<std::string>& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size() && i < kMaxLines; ++i) text += "\n- " + lines[i];
  if (lines.size() > kMaxLines) text += fmt::format("\n- and {} more", lines.size() - kMaxLines);
  return text;
}

// A run whose text was forgotten cannot be read.
Task<Result<run::RunState>> state_of(store::Store& store, RunId run) {
  CO_TRY(std::vector<store::EntryRow> journal, co_await store.journal(run, 1));
  co_return co_await run::read_state(std::move(journal));
}

Task<Result<std::vector<store::RunRow>>> runs_here(const Asked& asked) {
  store::RunFilter filter;
  filter.conversation = asked.message.conversation;
  filter.most = kMaxRead;
  return asked.parts.store.runs(std::move(filter));
}

// ---- show RUN

std::string line_of(const run::CallState& call) {
  const run::Ruled* ruling = call.ruling();
  std::string line =
      fmt::format("`{}` {}: {}", call.request.tool,
                  interaction::code_span(cut_with_mark(json::serialize(call.request.arguments), kMaxValues)),
                  call.finished ? name(call.finished->status) : "not finished");
  if (ruling != nullptr && !ruling->words.empty())
    line += fmt::format(" ({})", interaction::plain(cut_with_mark(ruling->words, kMaxWords)));
  return line;
}

std::string text_of(const Asked& asked, const store::RunRow& row, const run::RunState& state) {
  std::string text = fmt::format("Run `{}`: {}, asked by {} at {}", row.run.text(), state_in_words(row),
                                 interaction::plain(row.requester), asked.time(row.created_at));
  if (row.finished_at) text += fmt::format(", ended at {}", asked.time(*row.finished_at));
  text += fmt::format(". Cost: {}.\n\n{}", dollars(run::cost_so_far(state)),
                      interaction::plain(cut_with_mark(state.request().text, kMaxText)));
  std::vector<std::string> calls;
  for (const auto& [id, call] : state.calls) calls.push_back(line_of(call));
  if (!calls.empty()) text += "\n\nCalls:" + listed(calls);
  if (state.replied) text += "\n\nAnswer:\n\n" + interaction::plain(cut_with_mark(state.replied->text, kMaxText));
  return text;
}

CommandReply no_such_run(const std::string& run) {
  return to_sender(fmt::format("There is no run `{}` that you may see.", run));
}

// A run that the sender may not see is told as one that is not there.
Task<Result<CommandReply>> show_run(Asked asked) {
  const Result<RunId> id = RunId::parse(asked.command.run);
  if (!id) co_return no_such_run(asked.command.run);
  CO_TRY(const std::optional<run::Received> request, co_await run::request_of_run(asked.parts.store, *id));
  if (!request) co_return no_such_run(asked.command.run);
  const policy::Viewer viewer = policy::viewer_of(asked.sender, true, asked.rules->policy.settings);
  const policy::SeenConversation source =
      co_await run::seen_conversation(asked.parts.people, request->place, request->account, viewer);
  const policy::Visible visible = policy::may_see(viewer, source);
  if (visible == policy::Visible::no) co_return no_such_run(asked.command.run);
  if (!asked.is_private()) {
    const policy::SeenConversation here =
        co_await run::seen_conversation(asked.parts.people, asked.message.place, asked.facts.account, viewer);
    if (!policy::may_be_used(source, viewer, here))
      co_return to_sender("Others read this too, and they may not see that run. Ask me in a direct message.");
  }
  CO_TRY(const std::vector<store::RunRow> rows, co_await asked.parts.store.runs({.run = *id}));
  const Result<run::RunState> state = co_await state_of(asked.parts.store, *id);
  if (rows.empty() || !state) co_return no_such_run(asked.command.run);
  CommandReply reply = to_sender(text_of(asked, rows.front(), *state));
  if (visible == policy::Visible::as_admin)
    reply.effects.audit = {{.at = asked.facts.now, .kind = "seen_as_admin", .person = asked.facts.person, .run = *id}};
  co_return reply;
}

// ---- cost

Task<Result<CommandReply>> cost(Asked asked) {
  CO_TRY(const std::vector<store::RunRow> rows, co_await runs_here(asked));
  std::int64_t here = 0;
  for (const store::RunRow& row : rows) {
    const Result<run::RunState> state = co_await state_of(asked.parts.store, row.run);
    if (state) here += run::cost_so_far(*state);
  }
  std::string words = rows.empty()
                          ? "Nothing was asked in this thread."
                          : fmt::format("This thread: {} in {}.", dollars(here),
                                        count_of(std::ssize(rows), rows.size() < kMaxRead ? "run" : "newest run"));
  if (asked.is_private()) {
    const std::string today = run::day_of(asked.facts.now);
    CO_TRY(const std::vector<store::SpendRow> spent,
           co_await asked.parts.store.spent_on(today, {run::person_scope(asked.facts.person)}));
    const std::int64_t own = spent.empty() ? 0 : spent.front().millionths;
    words += fmt::format("\nYour requests today: {}", dollars(own));
    const double budget = asked.rules->budgets.person_day_usd;
    words += budget > 0 ? fmt::format(" of ${:.2f}.", budget) : ".";
  }
  co_return to_sender(std::move(words));
}

// ---- grants

std::string line_of(const Asked& asked, const store::GrantRow& grant) {
  const std::string uses = grant.max_uses ? fmt::format("{} of {}", grant.uses, count_of(*grant.max_uses, "use"))
                                          : count_of(grant.uses, "use");
  return fmt::format("`{}` {} for {} by {}: {}, until {}", grant.tool,
                     interaction::code_span(cut_with_mark(bound_to(grant), kMaxValues)),
                     interaction::plain(grant.holder), interaction::plain(grant.by), uses, asked.time(grant.ends_at));
}

// In a thread its own; elsewhere those of the sender, if nobody else reads the reply.
Task<Result<CommandReply>> grants(Asked asked) {
  const bool is_thread = asked.facts.conversation.newest_run.has_value();
  if (!is_thread && !asked.is_private())
    co_return to_sender("Ask in a thread for its grants, or in a direct message for yours.");
  store::GrantFilter filter;
  if (is_thread) filter.conversation = asked.message.conversation;
  if (!is_thread) filter.holder = asked.facts.person;
  CO_TRY(const std::vector<store::GrantRow> rows, co_await asked.parts.store.grants(std::move(filter)));
  std::vector<std::string> lines;
  for (const store::GrantRow& row : rows) lines.push_back(line_of(asked, row));
  if (lines.empty()) co_return to_sender(is_thread ? "Nothing is granted in this thread." : "You have no grants.");
  co_return to_sender((is_thread ? "Granted in this thread:" : "Your grants:") + listed(lines));
}

// ---- tasks

Task<Result<CommandReply>> tasks(Asked asked) {
  CO_TRY(const std::vector<store::RunRow> rows, co_await runs_here(asked));
  std::vector<std::string> lines;
  for (const store::RunRow& row : rows) {
    if (!row.parent) continue;
    lines.push_back(fmt::format("{}: {} (begun at {}, run `{}`)", state_in_words(row),
                                interaction::plain(cut_with_mark(row.headline, kMaxWords)), asked.time(row.created_at),
                                row.run.text()));
  }
  if (lines.empty()) co_return to_sender("There are no background tasks in this thread.");
  co_return to_sender("Background tasks of this thread:" + listed(lines));
}

}  // namespace

std::string bound_to(const store::GrantRow& grant) {
  const Result<run::StoredGrant> stored = run::read_grant(grant);
  if (!stored) return {};
  std::vector<std::string> pins;
  for (const auto& [name, value] : stored->grant.pins) pins.push_back(fmt::format("{}: {}", name, value));
  return pins.empty() ? "exactly " + stored->arguments : "with " + join(pins, ", ");
}

bool replies_privately(const InboundDependencies& parts, const channel::InboundMessage& message) {
  const channel::Channel* channel = parts.channels.of(message.conversation);
  return (channel != nullptr && channel->capabilities().whisper) || message.only_writer ||
         message.place.kind == policy::PlaceKind::direct;
}

Task<Result<CommandReply>> report(InboundDependencies& parts, Command command, channel::InboundMessage message,
                                  policy::Identity sender, Facts facts) {
  const Asked asked{parts, command, message, sender, facts, parts.rules()};
  switch (command.kind) {
    case Command::Kind::show:
      co_return co_await show_run(asked);
    case Command::Kind::cost:
      co_return co_await cost(asked);
    case Command::Kind::grants:
      co_return co_await grants(asked);
    case Command::Kind::tasks:
      co_return co_await tasks(asked);
    default:
      co_return fail(ErrorKind::internal, "this command is carried out elsewhere");
  }
}

}  // namespace deputy::gateway
