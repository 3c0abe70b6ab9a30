#include "gateway/inbound/dispatcher.h"

#include <fmt/format.h>

#include "base/failpoint.h"
#include "base/log.h"
#include "base/text.h"
#include "gateway/inbound/answers.h"
#include "gateway/inbound/approvals.h"
#include "gateway/inbound/forms.h"
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
    "with the tools I have and ask before I change anything. *stop* stops what I am doing here.";
constexpr std::string_view kRotate =
    "Your message contained what looks like a secret. I did not store it, but others may have seen it: rotate it. Next "
    "time, tell me where the secret is kept instead.";

store::DeliveryRow notice(std::string words, std::string conversation, Timestamp at) {
  return run::owe(run::NoticeDelivery{std::move(words)}, std::move(conversation), at);
}

store::AuditRow audit(std::string kind, const Facts& facts, const InboundMessage& message,
                      std::optional<RunId> run = std::nullopt) {
  const json::object body{{"account", facts.account}, {"conversation", message.conversation}};
  return {.at = facts.now, .kind = std::move(kind), .person = facts.person, .run = run, .body = json::serialize(body)};
}

Dispatched taken_by(RunId run, store::Admitted::How how) {
  Dispatched dispatched = how;
  dispatched.run = run;
  return dispatched;
}

Task<Result<>> send_whisper(channel::Channel& channel, std::string conversation, policy::Account account,
                            std::string words) {
  channel::Message message;
  message.markdown = std::move(words);
  CO_TRY((co_await channel.whisper(std::move(conversation), std::move(account), std::move(message))));
  co_return Result<>{};
}

Task<> whisper_within(channel::Channel& channel, std::string conversation, policy::Account account, std::string words) {
  const Result<> sent = co_await with_timeout<void>(
      kMaxWhisper, send_whisper(channel, std::move(conversation), std::move(account), std::move(words)));
  if (!sent) log::info("a private message was not shown", {{"error", describe(sent.error())}});
}

}  // namespace

Task<Result<>> Dispatcher::message(InboundMessage message) {
  CO_TRY((co_await dispatch(std::move(message), std::nullopt)));
  co_return Result<>{};
}

Task<Result<Dispatched>> Dispatcher::dispatch(InboundMessage message, std::optional<policy::Identity> sender) {
  message.text = to_valid_utf8(std::move(message.text));
  for (int attempt = 0; attempt < kTries; ++attempt) {
    CO_TRY(store::ConversationRow conversation, co_await parts_.store.conversation(message.conversation));
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
  return answer_click(parts_, std::move(answer), std::nullopt);
}

Task<Result<Dispatcher::How>> Dispatcher::admit(Here here, store::Route route, store::Effects effects) {
  const store::InboundRow row{here->message.key, here->message.conversation, here->facts().conversation.version};
  failpoint("gateway.admit.before");
  CO_TRY(const store::Admitted admitted, co_await parts_.store.admit(row, std::move(route), std::move(effects)));
  failpoint("gateway.admit.after");
  co_return admitted.how;
}

Task<Result<Dispatched>> Dispatcher::say(Here here, std::string words) {
  store::Effects effects;
  effects.deliveries = {notice(words, here->message.conversation, here->facts().now)};
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
  co_return co_await say_privately(here, words_of(outcome->verdict), outcome->audit);
}

bool Dispatcher::can_whisper(const MessageContext& here) const {
  const channel::Channel* channel = parts_.channels.of(here.message.conversation);
  return channel != nullptr && channel->capabilities().whisper;
}

// The decision has been made, so the reply no longer depends on the state of the conversation.
Task<Result<Dispatched>> Dispatcher::say_privately(Here here, std::string words, std::vector<store::AuditRow> audit) {
  store::Effects effects;
  effects.audit = std::move(audit);
  const bool whispers = can_whisper(*here);
  if (!whispers) effects.deliveries = {notice(words, here->message.conversation, here->facts().now)};
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
                                     {audit("stop_refused", here->facts(), here->message, decision.run)});
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
                                                   {audit("wrong_code", here->facts(), here->message)}));
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
    std::string next = ask_current(row, asking, decision.draft, parts_.rules()->zone);
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
  const store::MailRow mail{decision.run, run::encode(noted, facts.now)};
  CO_TRY(const How how, co_await admit(here, mail, std::move(effects)));
  if (how == How::routed && kept.held_secret) co_await whisper(here, std::string(kRotate));
  co_return taken_by(decision.run, how);
}

Task<Result<Dispatched>> Dispatcher::act(StartRun decision, Here here) {
  const Facts& facts = here->facts();
  const InboundMessage& message = here->message;
  run::Received received;
  received.text = facts.text;
  if (!message.piped.empty()) received.piped = message.piped;
  received.requester = facts.person;
  received.conversation = message.conversation;
  received.account = facts.account;
  received.name = message.sender_name;
  received.place = run::write_place(message.place);
  if (!message.ref.empty()) received.request = message.ref;
  if (!decision.pending.empty()) received.pending = std::move(decision.pending);
  CO_TRY(Beginning beginning, co_await begin_run(parts_, std::move(received), message.ref, facts.now));
  if (const auto* paused = std::get_if<Paused>(&beginning)) {
    CO_TRY(Dispatched said, co_await say(here, paused->words));
    said.not_accepted.why = NotAccepted::Why::paused;
    co_return said;
  }
  auto& begun = std::get<Begun>(beginning);
  begun.effects.audit = {audit("requested", facts, message, begun.row.run)};
  if (message.stays_here) begun.row.home = parts_.store.instance();
  const RunId run = begun.row.run;
  CO_TRY(const How how, co_await admit(here, std::move(begun.row), std::move(begun.effects)));
  if (how == How::routed && begun.held_secret) co_await whisper(here, std::string(kRotate));
  co_return taken_by(run, how);
}

}  // namespace deputy::gateway
