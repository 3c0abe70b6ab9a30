#include "gateway/inbound/dispatcher.h"

#include <fmt/format.h>

#include "base/failpoint.h"
#include "base/log.h"
#include "base/text.h"
#include "gateway/inbound/answers.h"
#include "gateway/inbound/approvals.h"
#include "gateway/inbound/commands.h"
#include "gateway/inbound/forms.h"
#include "gateway/inbound/missed.h"
#include "gateway/inbound/settle.h"
#include "gateway/inbound/start_run.h"
#include "intent/suspicion.h"
#include "policy/persons.h"
#include "run/journal/delivery.h"
#include "run/journal/entry.h"
#include "run/journal/stored_rows.h"

namespace deputy::gateway {

namespace {

using channel::InboundMessage;

constexpr std::chrono::hours kRefusalPause{1};
constexpr std::chrono::seconds kMaxWhisper{10};

constexpr std::string_view kHelp =
    "Tell me what you want to know or have done, such as *why has checkout been failing since noon?* I look into it "
    "with my tools, and I ask before I change anything.\n\n"
    "I also know these words, each as a whole message:\n"
    "- `stop` what I am doing here\n"
    "- `status` of what runs here, `show RUN`, `tasks` in the background, `cost`\n"
    "- `approvals` that wait for you, `grants` of this thread\n"
    "- `delete` my last answer\n"
    "- `feedback helpful`, or `feedback wrong` and why\n"
    "- `mute 2h`, `unmute`: here; `pause`, `resume`: everywhere, for approvers";
constexpr std::string_view kRotate =
    "Your message contained what looks like a secret. I did not store it, but others may have seen it: rotate it. Next "
    "time, tell me where the secret is kept instead.";

// A run is told of the files of its request only.
std::string not_read(const std::vector<run::AttachedFile>& files, const redact::Redactor& redactor) {
  std::string words;
  for (const run::AttachedFile& file : files) {
    words += fmt::format("\n[Attached file {}: not read]",
                         json::serialize(json::value(cut_with_mark(redactor.redact(file.name), 100))));
  }
  return words;
}

Task<Result<>> send_whisper(channel::Channel& channel, std::string conversation, policy::Account account,
                            std::string words) {
  channel::Message message;
  message.markdown = std::move(words);
  CO_TRY((co_await channel.whisper(std::move(conversation), std::move(account), std::move(message))));
  co_return Result<>{};
}

Task<> remove_within(channel::Channel& channel, std::string conversation, std::vector<channel::MessageRef> refs) {
  for (channel::MessageRef& ref : refs) {
    const Result<> removed = co_await with_timeout<void>(kMaxWhisper, channel.remove(conversation, std::move(ref)));
    if (!removed) log::warning("an answer could not be deleted", {{"error", describe(removed.error())}});
  }
}

Task<> whisper_within(channel::Channel& channel, std::string conversation, policy::Account account, std::string words) {
  const Result<> sent = co_await with_timeout<void>(
      kMaxWhisper, send_whisper(channel, std::move(conversation), std::move(account), std::move(words)));
  if (!sent) log::info("a private message was not shown", {{"error", describe(sent.error())}});
}

}  // namespace

Dispatched taken_by(RunId run, store::Admitted::How how) {
  Dispatched dispatched = how;
  dispatched.run = run;
  return dispatched;
}

store::DeliveryRow Dispatcher::notice(std::string words, std::string conversation, Timestamp at) {
  return run::owe(run::NoticeDelivery{std::move(words)}, std::move(conversation), at);
}

store::AuditRow Dispatcher::audit(std::string kind, const Facts& facts, const InboundMessage& message,
                                  std::optional<RunId> run) {
  const json::object body{{"account", facts.account}, {"conversation", message.conversation}};
  return {.at = facts.now, .kind = std::move(kind), .person = facts.person, .run = run, .body = json::serialize(body)};
}

Task<Result<>> Dispatcher::message(InboundMessage message) {
  CO_TRY((co_await dispatch(std::move(message), std::nullopt)));
  co_return Result<>{};
}

Task<Result<Dispatched>> Dispatcher::dispatch(InboundMessage message, std::optional<policy::Identity> sender) {
  message.text = to_valid_utf8(std::move(message.text));
  for (int attempt = 0; attempt < kTries; ++attempt) {
    CO_TRY(store::ConversationRow conversation, co_await parts_.store.conversation(message.conversation));
    if (std::optional<policy::Account> bot = alerting_bot(message)) {
      message.sender = *std::move(bot);
      Result<Dispatched> seen = co_await take_alert(message, std::move(conversation));
      const bool again = seen ? seen->how == How::moved : seen.error().kind == ErrorKind::conflict;
      if (!again) co_return seen;
      continue;
    }
    // Ignore messages in conversations without a run of ours, and do not look up their senders.
    const bool has_part = conversation.newest_run || !conversation.pending.empty();
    if (message.spoken != channel::AddressedTo::to_deputy && !has_part) co_return Dispatched();
    if (!sender) sender = co_await parts_.people.who(message.sender);
    CO_TRY(RoutingInput gathered, co_await gather(parts_, message, std::move(conversation), *sender));
    Decision decision = route(gathered.facts);
    const Here here = std::make_shared<const MessageContext>(message, *sender, std::move(gathered));
    Task<Result<Dispatched>> acting =
        std::visit([&](auto&& one) { return act(std::forward<decltype(one)>(one), here); }, std::move(decision));
    CO_TRY(Dispatched dispatched, co_await std::move(acting));
    if (dispatched.how != How::moved) co_return dispatched;
  }
  co_return std::unexpected(too_busy());
}

Task<Result<channel::Verdict>> Dispatcher::answer(channel::InboundAnswer answer) {
  std::vector<store::MarkRow> controls;
  if (interaction::is_token(answer.token)) {
    CO_TRY(controls, co_await parts_.store.marks({std::string(kControlMark), {answer.token}}));
  }
  if (!controls.empty()) co_return co_await press(std::move(answer), std::move(controls.front()));
  co_return co_await answer_click(parts_, std::move(answer), std::nullopt);
}

Task<Result<Dispatcher::How>> Dispatcher::admit(Here here, store::Route route, store::Effects effects) {
  const store::InboundRow row{here->message.key, here->message.conversation, here->facts().conversation.version};
  failpoint("gateway.admit.before");
  CO_TRY(const store::Admitted admitted, co_await parts_.store.admit(row, std::move(route), std::move(effects)));
  failpoint("gateway.admit.after");
  co_return admitted.how;
}

Task<Result<std::string>> Dispatcher::cursor(std::string channel) { return parts_.store.cursor(std::move(channel)); }

Task<Result<>> Dispatcher::set_cursor(std::string channel, std::string cursor) {
  return parts_.store.set_cursor(std::move(channel), std::move(cursor));
}

Task<Result<std::vector<channel::ConversationKey>>> Dispatcher::conversations(std::string channel, Timestamp since,
                                                                              int most) {
  return parts_.store.active_conversations(std::move(channel), since, most);
}

// Nobody else saw what was said, so nobody else needs the reply.
Task<Result<Dispatched>> Dispatcher::say(Here here, std::string words, store::Effects effects) {
  if (here->message.unposted) co_return co_await say_privately(here, std::move(words), std::move(effects));
  effects.deliveries.push_back(notice(words, here->message.conversation, here->facts().now));
  CO_TRY(Dispatched said, co_await admit(here, store::ToNobody{}, std::move(effects)));
  said.not_accepted.message = std::move(words);
  co_return said;
}

Answerer Dispatcher::answerer(const MessageContext& here) {
  return {.identity = here.sender,
          .place = here.message.place,
          .name = here.facts().name,
          .message = store::ConsumedRow{here.message.key, here.message.conversation}};
}

Task<Result<Dispatched>> Dispatcher::finish(Here here, RunId run, Result<AnswerResult> outcome) {
  if (!outcome) co_return std::unexpected(outcome.error());
  if (std::holds_alternative<channel::AnswerTaken>(outcome->verdict)) co_return taken_by(run, How::routed);
  co_return co_await say_privately(here, words_of(outcome->verdict), {.audit = outcome->audit});
}

bool Dispatcher::can_whisper(const MessageContext& here) const {
  const channel::Channel* channel = parts_.channels.of(here.message.conversation);
  return channel != nullptr && channel->capabilities().whisper;
}

// The decision has been made, so the reply no longer depends on the state of the conversation.
Task<Result<Dispatched>> Dispatcher::say_privately(Here here, std::string words, store::Effects effects) {
  const bool whispers = can_whisper(*here);
  if (!whispers) effects.deliveries.push_back(notice(words, here->message.conversation, here->facts().now));
  const store::ConsumedRow taken{here->message.key, here->message.conversation};
  CO_TRY(const store::Admitted admitted, co_await take_in(parts_, taken, store::ToNobody{}, std::move(effects)));
  Dispatched said = admitted.how;
  said.not_accepted.message = words;
  if (whispers && admitted.how == How::routed) co_await whisper(here, std::move(words));
  co_return said;
}

Task<> Dispatcher::whisper(Here here, std::string words) {
  channel::Channel* channel = parts_.channels.of(here->message.conversation);
  if (channel == nullptr) co_return;
  const auto executor = co_await asio::this_coro::executor;
  spawn(executor, "whisper",
        whisper_within(*channel, here->message.conversation, here->message.sender, std::move(words)));
}

Task<> Dispatcher::warn_of_secret(Here here) { return whisper(std::move(here), std::string(kRotate)); }

Task<Result<Dispatched>> Dispatcher::act(Ignore, Here) { co_return How::routed; }

Task<Result<Dispatched>> Dispatcher::act(Refuse decision, Here here) {
  store::Effects effects;
  effects.audit = {audit("message_refused", here->facts(), here->message)};
  CO_TRY(const How how, co_await admit(here, store::ToNobody{}, std::move(effects)));
  Dispatched refused = how;
  refused.not_accepted = {NotAccepted::Why::no_access, decision.why};
  if (how != How::routed) co_return refused;
  const Timestamp* last = refused_.find(here->facts().account);
  if (last == nullptr || here->facts().now - *last >= kRefusalPause) {
    refused_.put(here->facts().account, here->facts().now);
    co_await whisper(here, std::move(decision.why));
  }
  co_return refused;
}

Task<Result<Dispatched>> Dispatcher::act(Help, Here here) { return say(std::move(here), std::string(kHelp)); }

Task<Result<Dispatched>> Dispatcher::act(NothingToStop, Here here) {
  return say(std::move(here), "There is nothing to stop here.");
}

Task<Result<Dispatched>> Dispatcher::act(Say decision, Here here) {
  return say(std::move(here), std::move(decision.words));
}

Task<Result<Dispatched>> Dispatcher::act(Stop decision, Here here) {
  const policy::Identity requester = co_await parts_.people.who(run::account_of(decision.account));
  const Result<> may = policy::may_stop(here->sender, here->message.place, requester, parts_.rules()->policy.settings);
  if (!may) {
    // People also say "stop" to each other.
    if (!decision.spoken_to_us) co_return How::routed;
    co_return co_await say_privately(here, sentence(may.error()),
                                     {.audit = {audit("stop_refused", here->facts(), here->message, decision.run)}});
  }
  const store::MailRow mail{decision.run, run::encode(run::CancelRequested{here->facts().person}, here->facts().now)};
  store::Effects effects;
  effects.audit = {audit("stopped", here->facts(), here->message, decision.run)};
  CO_TRY(const How how, co_await admit(here, mail, std::move(effects)));
  co_return taken_by(decision.run, how);
}

Task<Result<Dispatched>> Dispatcher::act(Decide decision, Here here) {
  const std::string who = here->facts().person + " " + here->message.conversation;
  const int* before = wrong_codes_.find(who);
  const int wrong_before = before == nullptr ? 0 : *before;
  const auto row = with_code(here->gathered, decision.code, wrong_before);
  if (!row) {
    CO_TRY(Dispatched said, co_await say_privately(here, interaction::words(row.error(), wrong_before),
                                                   {.audit = {audit("wrong_code", here->facts(), here->message)}}));
    if (said.how == How::routed && row.error() == interaction::CodeRefusal::no_such_code) {
      wrong_codes_.put(who, wrong_before + 1);
    }
    co_return said;
  }
  wrong_codes_.forget(who);
  Result<AnswerResult> outcome = co_await answer_approval(parts_, *row, wish_of(decision, *row), answerer(*here));
  co_return co_await finish(here, row->run, std::move(outcome));
}

Task<Result<Dispatched>> Dispatcher::act(GoOn decision, Here here) {
  const store::InteractionRow row = here->gathered.interactions.at(decision.form.text());
  CO_TRY(const run::InteractionBody asking, run::read_interaction_body(row));
  const Timestamp at = here->facts().now;
  store::Effects effects;
  effects.drafts = {{row.id, interaction::write_draft(decision.draft)}};
  const channel::Channel* channel = parts_.channels.of(row.conversation);
  if (channel == nullptr || channel->capabilities().edit) {
    effects.deliveries = {redraw(row, asking, at)};
  } else {
    std::string next = ask_current(row, asking, decision.draft, gateway::zone_of(*parts_.rules(), asking));
    effects.deliveries = {notice(std::move(next), row.conversation, at)};
  }
  CO_TRY(const How how, co_await admit(here, store::ToNobody{}, std::move(effects)));
  co_return taken_by(row.run, how);
}

Task<Result<Dispatched>> Dispatcher::act(Complete decision, Here here) {
  const store::InteractionRow row = here->gathered.interactions.at(decision.form.text());
  Result<AnswerResult> outcome = co_await complete_form(parts_, row, std::move(decision.result), answerer(*here));
  co_return co_await finish(here, row.run, std::move(outcome));
}

Task<Result<Dispatched>> Dispatcher::act(Note decision, Here here) {
  const Facts& facts = here->facts();
  CO_TRY(CleanText kept, co_await keep(facts.text, parts_.redaction.of(decision.run)));
  run::Noted noted;
  noted.writer = facts.person;
  noted.account = facts.account;
  noted.name = here->message.sender_name;
  noted.edits_request = decision.edits_request;
  store::Effects effects;
  effects.audit = {audit("noted", facts, here->message, decision.run)};
  if (const auto suspicion = intent::suspicious(kept.text)) {
    noted.suspicion = std::string(suspicion->reason);
    effects.deliveries = {alert(suspicion->reason, facts.person, here->message.conversation, decision.run, facts.now)};
  }
  noted.text = std::move(kept.text);
  if (const auto files = files_of(here->message)) noted.text += not_read(*files, parts_.redaction.of(decision.run));
  const store::MailRow mail{decision.run, run::encode(noted, facts.now)};
  CO_TRY(const How how, co_await admit(here, mail, std::move(effects)));
  if (how == How::routed && kept.held_secret) co_await warn_of_secret(here);
  co_return taken_by(decision.run, how);
}

interaction::Zone Dispatcher::zone_of(const MessageContext& here) const {
  return run::zone_of(*parts_.rules(), here.sender.time_zone);
}

Task<Result<Dispatched>> Dispatcher::act(Muted decision, Here here) {
  std::string words = muted_words(decision.until, zone_of(*here));
  return say(std::move(here), std::move(words));
}

Task<Result<Dispatched>> Dispatcher::act(Command decision, Here here) {
  if (decision.kind == Command::Kind::run_now) co_return co_await run_missed(here, std::nullopt);
  CO_TRY(CommandReply reply, co_await carry_out(parts_, decision, here->message, here->sender, here->facts()));
  if (reply.pause) {
    const bool privately = here->message.unposted && can_whisper(*here);
    if (!privately)
      reply.effects.deliveries.push_back(notice(reply.words, here->message.conversation, here->facts().now));
    CO_TRY(Dispatched set, co_await set_pause(here, *reply.pause, std::move(reply.effects)));
    if (privately && set.how == How::routed) co_await whisper(here, reply.words);
    set.not_accepted.message = std::move(reply.words);
    co_return set;
  }
  const bool privately = reply.to == CommandReply::To::sender;
  Task<Result<Dispatched>> saying = privately ? say_privately(here, std::move(reply.words), std::move(reply.effects))
                                              : say(here, std::move(reply.words), std::move(reply.effects));
  CO_TRY(Dispatched said, co_await std::move(saying));
  channel::Channel* channel = parts_.channels.of(here->message.conversation);
  if (!reply.remove.empty() && channel != nullptr && said.how == How::routed) {
    const auto executor = co_await asio::this_coro::executor;
    spawn(executor, "remove", remove_within(*channel, std::move(reply.remove_in), std::move(reply.remove)));
  }
  co_return said;
}

Task<Result<Dispatched>> Dispatcher::set_pause(Here here, store::BrakeRow pause, store::Effects effects) {
  effects.consumed = {{here->message.key, here->message.conversation}};
  const Result<> set = co_await parts_.store.set_brake(std::move(pause), std::move(effects));
  if (set) co_return How::routed;
  if (set.error().kind == ErrorKind::conflict) co_return How::duplicate;
  co_return std::unexpected(set.error());
}

}  // namespace deputy::gateway
