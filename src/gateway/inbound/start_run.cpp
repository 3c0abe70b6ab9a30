#include "gateway/inbound/start_run.h"

#include <fmt/format.h>

#include "base/text.h"
#include "gateway/inbound/routing_facts.h"
#include "intent/intent.h"
#include "intent/suspicion.h"
#include "run/journal/delivery.h"
#include "run/journal/stored_rows.h"
#include "run/prompt/enrich.h"

namespace deputy::gateway {

namespace {

std::string paused_words(const store::BrakeRow& brake, const interaction::Zone& zone) {
  return fmt::format("I was paused by {} at {}, so I did not start this. Ask again once I am resumed.", brake.by,
                     interaction::time_in(zone, brake.at));
}

constexpr std::size_t kCharactersAToken = 4;

// The beginning and the end: in a log, what matters is at the end.
std::string without_middle(const std::string& text, std::size_t max_characters) {
  const std::size_t characters = count_characters(text);
  if (characters <= max_characters) return text;
  const std::string_view begin = cut_characters(text, max_characters / 2);
  const std::size_t hidden = characters - max_characters;
  const std::string_view end = std::string_view(text).substr(
      begin.size() + cut_characters(std::string_view(text).substr(begin.size()), hidden).size());
  return fmt::format("{}\n[… {} characters in the middle are not shown …]\n{}", begin, hidden, end);
}

store::DeliveryRow acknowledgement(const InboundDependencies& parts, const run::Received& received,
                                   channel::MessageRef sign, const RunId& run, Timestamp at) {
  const std::shared_ptr<const run::Rules> rules = parts.rules();
  const intent::Vocabulary words = run::vocabulary_of(*rules, parts.registry.known_tools(rules->tools), at);
  const run::AcknowledgementDelivery body{
      std::move(sign), intent::acknowledgement(intent::extract(received.text, words), words), received.account};
  return run::owe(body, received.conversation, at, run);
}

}  // namespace

store::DeliveryRow alert(std::string_view reason, std::string_view person, std::string_view conversation,
                         const RunId& run, Timestamp at) {
  run::NoticeDelivery notice{
      fmt::format("A suspicious request from {} in {}: {}. Every write of run {} needs approval.", person, conversation,
                  reason, run.text())};
  return run::owe(notice, std::string(run::kAlertConversation), at);
}

Task<Result<Beginning>> begin_run(InboundDependencies& parts, run::Received received, channel::MessageRef sign,
                                  Timestamp at) {
  CO_TRY(const store::BrakeRow brake, co_await parts.store.brake());
  if (brake.brake == store::Pause::all) {
    co_return Paused{paused_words(brake, run::zone_of(*parts.rules(), received.time_zone.value_or("")))};
  }
  const RunId run = RunId::make(at);
  CO_TRY(CleanText kept, co_await keep(std::move(received.text), parts.redaction.of(run)));
  received.text = std::move(kept.text);
  if (received.piped) {
    // Redacted as a whole before it is cut.
    CO_TRY(const std::string clean, co_await redact_inbound(*std::move(received.piped), parts.redaction.of(run)));
    received.piped =
        without_middle(clean, static_cast<std::size_t>(parts.rules()->limits.thread_tokens) * kCharactersAToken);
  }
  if (const auto suspicion = intent::suspicious(received.text)) received.suspicion = std::string(suspicion->reason);
  Begun begun;
  begun.held_secret = kept.held_secret;
  begun.effects.deliveries = {acknowledgement(parts, received, std::move(sign), run, at)};
  if (received.suspicion) {
    begun.effects.deliveries.push_back(alert(*received.suspicion, received.requester, received.conversation, run, at));
  }
  begun.row = run::new_run(run, received, at);
  begun.text = std::move(received.text);
  co_return begun;
}

}  // namespace deputy::gateway
