#include "gateway/inbound/commands.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "gateway/inbound/approvals.h"
#include "gateway/inbound/reach.h"
#include "gateway/inbound/reports.h"
#include "gateway/inbound/routing_facts.h"
#include "gateway/inbound/settle.h"
#include "gateway/inbound/triage.h"
#include "gateway/outbound/delivery_rules.h"
#include "interaction/escape.h"
#include "interaction/text_form.h"
#include "policy/approvers.h"
#include "run/drive/visibility.h"
#include "run/journal/delivery.h"
#include "run/journal/stored_rows.h"

namespace deputy::gateway {

namespace {

using To = CommandReply::To;

constexpr int kMaxRunsLookedAt = 50;
constexpr std::size_t kMaxListed = 10;
constexpr int kMaxPendingLookedAt = 50;
constexpr std::size_t kMaxLine = 100;
constexpr std::size_t kMaxArguments = 500;

/// One command as it is carried out. The references outlive it.
struct Work {
  InboundDependencies& parts;
  const Command& command;
  const channel::InboundMessage& message;
  const policy::Identity& sender;
  const Facts& facts;
  std::shared_ptr<const run::Rules> rules;

  interaction::Zone zone() const { return run::zone_of(*rules, sender.time_zone); }
  const policy::Settings& settings() const { return rules->policy.settings; }
  store::AuditRow audit(std::string kind, std::optional<RunId> run = std::nullopt) const {
    const json::object body{{"account", facts.account}, {"conversation", message.conversation}};
    return {
        .at = facts.now, .kind = std::move(kind), .person = facts.person, .run = run, .body = json::serialize(body)};
  }
};

CommandReply refused(const Error& why, store::AuditRow audit) {
  return {.words = sentence(why), .to = To::sender, .effects = {.audit = {std::move(audit)}}};
}

// ---- status

std::string line_of(const store::RunRow& row) {
  const std::string_view state = row.state == store::RunStatus::parked ? "waiting" : "working";
  return fmt::format("\n- {}: {} (asked by {}, run `{}`)", state,
                     interaction::plain(cut_with_mark(row.headline, kMaxLine)), interaction::plain(row.requester),
                     row.run.text());
}

Task<Result<std::vector<store::RunRow>>> unfinished_here(const Work& work) {
  std::vector<store::RunRow> rows;
  if (!work.facts.conversation.newest_run) {
    CO_TRY(rows, co_await own_runs_at(work.parts, work.message.place, work.facts.person));
    co_return rows;
  }
  store::RunFilter filter;
  filter.conversation = work.message.conversation;
  filter.most = kMaxRunsLookedAt;
  CO_TRY(rows, co_await work.parts.store.runs(std::move(filter)));
  std::erase_if(rows, [](const store::RunRow& row) { return row.parent || row.state == store::RunStatus::finished; });
  co_return rows;
}

Task<Result<CommandReply>> status(Work work) {
  CO_TRY(const std::vector<store::RunRow> rows, co_await unfinished_here(work));
  CO_TRY(const store::BrakeRow brake, co_await work.parts.store.brake());
  std::string words = rows.empty() ? "Nothing is running here." : count_of(std::ssize(rows), "run") + " here:";
  for (std::size_t i = 0; i < rows.size() && i < kMaxListed; ++i) words += line_of(rows[i]);
  if (rows.size() > kMaxListed) words += fmt::format("\n- and {} more", rows.size() - kMaxListed);
  if (!work.facts.pending.empty()) words += "\n\nWaiting for people:";
  for (std::size_t i = 0; i < work.facts.pending.size() && i < kMaxListed; ++i) {
    words += fmt::format("\n- {}", interaction::plain(work.facts.pending[i].description));
  }
  if (brake.brake != store::Pause::off) {
    words += fmt::format("\n\n{} paused by {} since {}. *resume* ends the pause.",
                         brake.brake == store::Pause::all ? "I am" : "Changes are", interaction::plain(brake.by),
                         interaction::time_in(work.zone(), brake.at));
  }
  if (work.facts.muted_until) words += "\n\n" + muted_words(*work.facts.muted_until, work.zone());
  co_return CommandReply{.words = std::move(words)};
}

// ---- approvals

std::string line_of(const store::InteractionRow& row, const interaction::Approval& approval, bool is_here,
                    const Work& work) {
  const std::string how =
      is_here ? fmt::format("`approve {0}` or `deny {0}`", row.code) : "answer it on its card, in its own thread";
  return fmt::format("\n- {}\n  {}\n  Expires at {}; {}.", interaction::plain(interaction::notification_line(approval)),
                     interaction::code_span(cut_with_mark(json::serialize(approval.arguments), kMaxArguments)),
                     interaction::time_in(work.zone(), row.expires_at), how);
}

// A reply that others can read shows only what this conversation shows already.
Task<Result<CommandReply>> approvals(Work work) {
  store::InteractionFilter filter;
  filter.most = kMaxPendingLookedAt;
  CO_TRY(const std::vector<store::InteractionRow> rows, co_await work.parts.store.interactions(filter));
  const bool is_private = replies_privately(work.parts, work.message);
  std::string lines;
  std::size_t listed = 0;
  std::size_t elsewhere = 0;
  for (const store::InteractionRow& row : rows) {
    const Result<run::InteractionBody> asking = run::read_interaction_body(row);
    if (!asking) continue;
    const std::optional<interaction::Approval> approval = asking->approval;
    const Result<> may = co_await may_decide(work.parts, row, *asking, work.sender, work.message.place);
    if (!may || !approval) continue;
    CO_TRY(const bool is_here, co_await is_asked_in(work.parts, row, work.message.conversation, work.message.place));
    if ((is_private || is_here) && listed < kMaxListed) {
      ++listed;
      lines += line_of(row, *approval, is_here, work);
    } else {
      ++elsewhere;
    }
  }
  std::string words = listed == 0 ? "No approval waits for you here." : "These wait for your approval:" + lines;
  if (elsewhere > 0)
    words += fmt::format("\n\n{} not shown here.", count_of(static_cast<std::int64_t>(elsewhere), "more approval"));
  co_return CommandReply{.words = std::move(words), .to = To::sender};
}

// ---- delete

std::vector<channel::MessageRef> answers_among(const std::vector<store::DeliveryRow>& deliveries) {
  std::vector<channel::MessageRef> refs;
  for (const store::DeliveryRow& row : deliveries) {
    // Of an answer that is still being sent, the parts that people see already.
    if (row.kind != run::AnswerDelivery::kKind) continue;
    for (channel::MessageRef& ref : refs_of(row.ref)) {
      if (!contains(refs, ref)) refs.push_back(std::move(ref));
    }
  }
  return refs;
}

/// The newest answered run of the thread; outside a thread, the newest that the sender asked for at this place.
struct LastAnswer {
  RunId run;
  std::string account;  // of its requester
  std::string conversation;
};

Task<Result<std::optional<LastAnswer>>> last_answer(const Work& work) {
  const bool is_thread = work.facts.conversation.newest_run || !work.message.begins_thread;
  store::RunFilter filter;
  if (is_thread) filter.conversation = work.message.conversation;
  if (!is_thread) filter.requester = work.facts.person;
  filter.state = store::RunStatus::finished;
  filter.most = kMaxRunsLookedAt;
  CO_TRY(const std::vector<store::RunRow> rows, co_await work.parts.store.runs(std::move(filter)));
  for (const store::RunRow& row : rows) {
    if (row.parent || row.forgotten) continue;
    CO_TRY(const std::optional<run::Received> received, co_await run::request_of_run(work.parts.store, row.run));
    if (received && (is_thread || was_asked_at(*received, work.message.place)))
      co_return LastAnswer{row.run, received->account, received->conversation};
  }
  co_return std::nullopt;
}

Task<Result<CommandReply>> remove_answer(Work work) {
  const channel::Channel* channel = work.parts.channels.of(work.message.conversation);
  if (channel == nullptr || !channel->capabilities().remove) {
    co_return CommandReply{.words = "I cannot delete messages here.", .to = To::sender};
  }
  CO_TRY(const std::optional<LastAnswer> last, co_await last_answer(work));
  if (!last) co_return CommandReply{.words = "There is no answer of mine to delete here.", .to = To::sender};
  const policy::Identity requester = co_await work.parts.people.who(run::account_of(last->account));
  const Result<> may = policy::may_stop(work.sender, work.message.place, requester, work.settings());
  if (!may) {
    const Error why{ErrorKind::permission, "only the person who asked, or an approver, may delete this answer"};
    co_return refused(why, work.audit("delete_refused", last->run));
  }
  CO_TRY(const std::vector<store::DeliveryRow> deliveries, co_await work.parts.store.deliveries({.run = last->run}));
  CommandReply reply{.words = "I am deleting my last answer.", .to = To::sender};
  reply.remove = answers_among(deliveries);
  reply.remove_in = last->conversation;
  if (reply.remove.empty()) reply.words = "There is no answer of mine to delete here.";
  reply.effects.audit = {work.audit("answer_deleted", last->run)};
  co_return reply;
}

// ---- mute, pause

CommandReply mute(const Work& work) {
  const bool is_thread = work.facts.conversation.newest_run || !work.message.begins_thread;
  const Timestamp until = work.facts.now + work.command.time;
  store::MarkRow mark{.kind = std::string(kMuteMark),
                      .key = is_thread ? mute_key(work.message) : mute_key(work.message.place),
                      .person = work.facts.person,
                      .at = work.facts.now,
                      .ends_at = until};
  CommandReply reply;
  reply.words = fmt::format("Muted in this {} until {}. *unmute* ends it.", is_thread ? "thread" : "channel",
                            interaction::time_in(work.zone(), until));
  reply.effects.marks = {std::move(mark)};
  reply.effects.audit = {work.audit("muted")};
  return reply;
}

CommandReply unmute(const Work& work) {
  if (!work.facts.muted_until) return {.words = "I am not muted here.", .to = To::sender};
  CommandReply reply{.words = "I am listening again."};
  for (std::string key : {mute_key(work.message), mute_key(work.message.place)}) {
    reply.effects.marks_ended.push_back({std::string(kMuteMark), std::move(key)});
  }
  reply.effects.audit = {work.audit("unmuted")};
  return reply;
}

Task<Result<CommandReply>> stop_listening(Work work) {
  const store::MarkKey mark{std::string(kListenMark), work.message.conversation};
  CO_TRY(const std::vector<store::MarkRow> listening, co_await work.parts.store.marks({mark.kind, {mark.key}}));
  CommandReply reply;
  if (listening.empty()) {
    reply.words = "I do not listen to everyone here.";
    reply.to = To::sender;
    co_return reply;
  }
  reply.words = "I no longer listen to everyone in this thread. Mention me if you need me.";
  reply.effects.marks_ended = {mark};
  reply.effects.audit = {work.audit("listening_stopped", work.facts.conversation.newest_run)};
  co_return reply;
}

Task<Result<CommandReply>> pause(Work work) {
  using Kind = Command::Kind;
  const bool ends = work.command.kind == Kind::resume;
  if (const Result<> may = policy::may_pause(work.sender, work.message.place, work.settings()); !may) {
    co_return refused(may.error(), work.audit(ends ? "resume_refused" : "pause_refused"));
  }
  CO_TRY(const store::BrakeRow before, co_await work.parts.store.brake());
  if (ends && before.brake == store::Pause::off) co_return CommandReply{.words = "I was not paused.", .to = To::sender};
  CommandReply reply;
  const store::Pause wanted = ends                                      ? store::Pause::off
                              : work.command.kind == Kind::pause_writes ? store::Pause::writes
                                                                        : store::Pause::all;
  reply.pause = store::BrakeRow{wanted, work.facts.name, work.facts.now};
  reply.words = ends                             ? "I am working again."
                : wanted == store::Pause::writes ? "Changes are paused everywhere. *resume* ends the pause."
                                                 : "I am paused everywhere. *resume* ends the pause.";
  reply.effects.audit = {work.audit(ends ? "resumed" : "paused")};
  co_return reply;
}

// ---- feedback

Task<Result<CommandReply>> feedback(Work work) {
  CO_TRY(const std::optional<LastAnswer> last, co_await last_answer(work));
  if (!last)
    co_return CommandReply{.words = "There is no answer of mine here that this could be about.", .to = To::sender};
  co_return co_await take_feedback(work.parts, {.run = last->run,
                                                .kind = work.command.kind,
                                                .why = work.command.why,
                                                .conversation = last->conversation,
                                                .account = work.facts.account,
                                                .person = work.facts.person,
                                                .name = work.facts.name});
}

}  // namespace

Task<Result<CommandReply>> take_feedback(InboundDependencies& parts, Feedback feedback) {
  const bool is_wrong = feedback.kind == Command::Kind::wrong;
  const Timestamp now = parts.clock.now();
  CO_TRY(const CleanText why, co_await keep(feedback.why, parts.redaction.of(feedback.run)));
  const json::object body{{"mark", is_wrong ? "wrong" : "helpful"}, {"why", why.text}, {"by", feedback.person}};
  CommandReply reply{.words = is_wrong ? "Thank you. I have marked my answer as wrong and told the operators."
                                       : "Thank you. I have marked my answer as helpful.",
                     .to = To::sender};
  reply.effects.marks = {{.kind = std::string(kFeedbackMark),
                          .key = fmt::format("{} {}", feedback.run.text(), feedback.person),
                          .conversation = feedback.conversation,
                          .person = feedback.person,
                          .run = feedback.run,
                          .body = json::serialize(body),
                          .at = now}};
  const json::object by{{"account", feedback.account}, {"conversation", feedback.conversation}};
  reply.effects.audit = {{.at = now,
                          .kind = is_wrong ? "feedback_wrong" : "feedback_helpful",
                          .person = feedback.person,
                          .run = feedback.run,
                          .body = json::serialize(by)}};
  if (is_wrong) {
    const std::string reason = why.text.empty() ? "" : ": " + interaction::plain(why.text);
    const run::NoticeDelivery alert{fmt::format("{} says that the answer of run `{}` in {} is wrong{}",
                                                interaction::plain(feedback.name), feedback.run.text(),
                                                interaction::plain(feedback.conversation), reason)};
    reply.effects.deliveries = {run::owe(alert, std::string(run::kAlertConversation), now)};
  }
  co_return reply;
}

std::string mute_key(const channel::InboundMessage& message) { return message.conversation; }
std::string mute_key(const policy::Place& place) { return fmt::format("place {}:{}", place.channel, place.id); }

std::string muted_words(Timestamp until, const interaction::Zone& zone) {
  return fmt::format("I am muted here until {}. *unmute* ends it.", interaction::time_in(zone, until));
}

Task<Result<CommandReply>> carry_out(InboundDependencies& parts, Command command, channel::InboundMessage message,
                                     policy::Identity sender, Facts facts) {
  using Kind = Command::Kind;
  const Work work{parts, command, message, sender, facts, parts.rules()};
  switch (command.kind) {
    case Kind::status:
      co_return co_await status(work);
    case Kind::show:
    case Kind::cost:
    case Kind::grants:
    case Kind::tasks:
      co_return co_await report(parts, command, message, sender, facts);
    case Kind::approvals:
      co_return co_await approvals(work);
    case Kind::remove:
      co_return co_await remove_answer(work);
    case Kind::mute:
      co_return mute(work);
    case Kind::unmute:
      co_return unmute(work);
    case Kind::stop_listening:
      co_return co_await stop_listening(work);
    case Kind::pause:
    case Kind::pause_writes:
    case Kind::resume:
      co_return co_await pause(work);
    case Kind::helpful:
    case Kind::wrong:
      co_return co_await feedback(work);
    case Kind::help:
    case Kind::run_now:
      break;
  }
  co_return fail(ErrorKind::internal, "this command is carried out elsewhere");
}

}  // namespace deputy::gateway
