#include "gateway/inbound/routing.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "gateway/inbound/missed.h"
#include "interaction/escape.h"

namespace deputy::gateway {

namespace {

using channel::AddressedTo;
using channel::InboundKind;
using store::RunStatus;

bool is_pending_on(const Facts& facts, const RunId& run) {
  return std::ranges::any_of(facts.pending, [&](const PendingFact& one) { return one.run == run; });
}

const RunFact* newest_of(const Facts& facts) {
  const auto found =
      std::ranges::find_if(facts.runs, [&](const RunFact& one) { return one.run == facts.conversation.newest_run; });
  return found == facts.runs.end() ? nullptr : &*found;
}

// The newest run is listed even if it has finished, for its requester.
bool is_unfinished(const Facts& facts, const RunFact& run) {
  return run.run != facts.conversation.newest_run || facts.conversation.newest_state != RunStatus::finished;
}

const RunFact* newest_unfinished(const Facts& facts) {
  const auto found = std::ranges::find_if(facts.runs, [&](const RunFact& one) { return is_unfinished(facts, one); });
  return found == facts.runs.end() ? nullptr : &*found;
}

// In a thread, the sender may continue without a mention.
bool is_followed(const Facts& facts) {
  if (!facts.conversation.newest_run) return false;
  if (facts.begins_thread || (facts.first_asked && facts.at < *facts.first_asked)) return false;
  if (facts.listens_to_all) return true;
  switch (facts.follow) {
    case policy::Follow::mention:
      return false;
    case policy::Follow::all:
      return true;
    case policy::Follow::requester: {
      const RunFact* newest = newest_of(facts);
      return newest != nullptr && newest->requester == facts.person && facts.now - newest->last_asked <= kFollowTime;
    }
  }
  return false;
}

bool is_spoken_to_us(const Facts& facts) {
  switch (facts.spoken) {
    case AddressedTo::to_deputy:
      return true;
    case AddressedTo::to_someone_else:
      return false;
    case AddressedTo::to_nobody:
      return is_followed(facts);
  }
  return false;
}

// A word can look like a code ("deny access"). If no approval is pending and none had that code, it is just a word.
std::optional<Decision> as_decision(const Facts& facts) {
  const bool asks_approval = std::ranges::any_of(
      facts.pending, [](const PendingFact& one) { return one.kind == interaction::Kind::approval; });
  if (!asks_approval && facts.codes.empty()) return std::nullopt;
  const interaction::TypedDecision typed = interaction::read_decision(facts.text);
  if (const auto* approve = std::get_if<interaction::TypedApprove>(&typed)) return Decide{approve->code, std::nullopt};
  if (const auto* deny = std::get_if<interaction::TypedDeny>(&typed)) return Decide{deny->code, deny->reason};
  if (const auto* wrong = std::get_if<interaction::TypedWrong>(&typed)) return Say{wrong->words};
  return std::nullopt;
}

// Outside a thread only the sender's own run can be meant, and only if there is one.
Decision stop_elsewhere(const Facts& facts) {
  if (facts.own_runs.size() == 1) return Stop{facts.own_runs[0].run, facts.own_runs[0].account, true};
  constexpr std::size_t kMaxLine = 100;
  std::string words = fmt::format("You have {} runs here, so I stopped none. Write *stop* in the thread of the one:",
                                  facts.own_runs.size());
  for (const RunFact& run : facts.own_runs) {
    words += fmt::format("\n- {} (run `{}`)", interaction::plain(cut_with_mark(run.text, kMaxLine)), run.run.text());
  }
  return Say{std::move(words)};
}

Decision stop(const Facts& facts) {
  if (const RunFact* run = newest_unfinished(facts)) return Stop{run->run, run->account, is_spoken_to_us(facts)};
  if (!facts.own_runs.empty()) return stop_elsewhere(facts);
  if (is_spoken_to_us(facts)) return NothingToStop{};
  return Ignore{};
}

std::optional<Decision> as_form_answer(const Facts& facts) {
  if (!facts.form || !facts.form->sender_may_answer) return std::nullopt;
  const OpenForm& form = *facts.form;
  const bool to_us = facts.spoken == AddressedTo::to_deputy ||
                     (facts.spoken == AddressedTo::to_nobody && (facts.only_writer || form.is_replied_to));
  const auto addressed = to_us ? interaction::Addressed::yes : interaction::Addressed::no;
  interaction::Typed typed = interaction::take_typed(form.form, form.draft, form.typed, addressed, facts.name);
  if (auto* draft = std::get_if<interaction::Draft>(&typed)) return GoOn{form.id, std::move(*draft)};
  if (auto* result = std::get_if<interaction::FormResult>(&typed)) return Complete{form.id, std::move(*result)};
  if (auto* not_taken = std::get_if<interaction::NotTaken>(&typed)) return Say{std::move(not_taken->words)};
  if (std::holds_alternative<interaction::StopRun>(typed)) return stop(facts);
  return std::nullopt;
}

// A parked run that has no question to people waits for a child run, and takes notes meanwhile.
std::optional<RunId> takes_notes(const Facts& facts) {
  const auto& [version, newest, state, pending] = facts.conversation;
  if (!newest || state == RunStatus::finished) return std::nullopt;
  if (state == RunStatus::parked && is_pending_on(facts, *newest)) return std::nullopt;
  return newest;
}

bool is_too_late(const Facts& facts) { return facts.missed && facts.now - facts.at > kRunsBy; }

// Only to a message that is for us without doubt: people say "delete" and "pause" to each other too.
std::optional<Decision> as_command(const Facts& facts) {
  std::optional<Command> command = read_command(facts.text);
  if (!command) return std::nullopt;
  const bool ends_listening = command->kind == Command::Kind::stop_listening && facts.listens_to_all;
  const bool is_for_us =
      facts.spoken == AddressedTo::to_deputy || (facts.spoken == AddressedTo::to_nobody && ends_listening);
  if (!is_for_us) return std::nullopt;
  if (is_too_late(facts)) return Ignore{};
  if (command->kind == Command::Kind::help) return Help{};
  return *std::move(command);
}

Decision as_message(const Facts& facts) {
  if (!is_spoken_to_us(facts)) return Ignore{};
  if (facts.muted_until) {
    if (facts.spoken == AddressedTo::to_deputy) return Muted{*facts.muted_until};
    return Ignore{};
  }
  const std::optional<RunId> run = takes_notes(facts);
  const bool says_nothing = trim(facts.text).empty();
  if (says_nothing && !facts.has_files && (run || !facts.follows_something)) return Help{};
  if (run) return Note{*run};
  if (is_too_late(facts)) return AskWhetherToRun{};
  StartRun start;
  for (const PendingFact& one : facts.pending) start.pending.push_back(one.description);
  return start;
}

Decision route_posted(const Facts& facts) {
  if (facts.why_no_access) {
    if (facts.spoken == AddressedTo::to_deputy) return Refuse{*facts.why_no_access};
    return Ignore{};
  }
  if (auto decision = as_decision(facts)) return *std::move(decision);
  if (auto answer = as_form_answer(facts)) return *std::move(answer);
  if (interaction::is_stop(facts.text)) return stop(facts);
  if (auto command = as_command(facts)) return *std::move(command);
  return as_message(facts);
}

// An edit or deletion matters only for a message that started a run which is not finished.
Decision route_changed(const Facts& facts) {
  if (facts.why_no_access || facts.ref.empty()) return Ignore{};
  const auto started = std::ranges::find_if(
      facts.runs, [&](const RunFact& one) { return is_unfinished(facts, one) && one.request == facts.ref; });
  if (started == facts.runs.end()) return Ignore{};
  if (facts.kind == InboundKind::deleted) return Stop{started->run, started->account, false};
  // Platforms also report an edit when they only add a link preview.
  const bool says_something_new =
      facts.account == started->account && !trim(facts.text).empty() && started->edited != started->text;
  if (!says_something_new) return Ignore{};
  return Note{started->run, true};
}

}  // namespace

bool wants_runs(const Facts& facts) {
  if (!facts.conversation.newest_run) return false;
  if (facts.kind != InboundKind::posted) return true;
  return facts.spoken != AddressedTo::to_deputy || interaction::is_stop(facts.text);
}

bool wants_own_runs(const Facts& facts) {
  return !facts.conversation.newest_run && facts.kind == InboundKind::posted &&
         facts.spoken == AddressedTo::to_deputy && interaction::is_stop(facts.text);
}

Decision route(const Facts& facts) {
  return facts.kind == InboundKind::posted ? route_posted(facts) : route_changed(facts);
}

}  // namespace deputy::gateway
