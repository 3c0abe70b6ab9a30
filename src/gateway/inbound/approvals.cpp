#include "gateway/inbound/approvals.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "gateway/inbound/settle.h"
#include "interaction/lifecycle.h"
#include "policy/grants.h"
#include "policy/persons.h"
#include "run/journal/stored_rows.h"
#include "run/plan/messages.h"
#include "run/plan/prepare.h"

namespace deputy::gateway {

namespace {

constexpr std::string_view kChanged =
    "The tool or its settings changed while this was waiting, so it can no longer be approved. It can still be "
    "denied.";

constexpr std::size_t kMaxArguments = 500;  // characters of them kept with a grant

/// The approval as it would be asked now.
struct Now {
  policy::ApprovalRequest approval;
  bool as_shown = false;  // what would run is what was shown
};

// If the call can no longer be prepared, only its tool and environment are known.
policy::Call call_by_name(const interaction::Approval& approval, const toolkit::Registry& registry) {
  policy::Call call;
  call.tool = approval.tool;
  if (const auto tool = registry.find(approval.tool)) call.category = (*tool)->spec().category;
  if (!approval.environment.empty()) call.environment = approval.environment;
  return call;
}

Now prepare_again(const InboundDependencies& parts, const run::Rules& rules, const store::InteractionRow& row,
                  const run::InteractionBody& asking, const interaction::Approval& approval) {
  const auto place = run::read_place(asking.place);
  if (!place) return {{call_by_name(approval, parts.registry), {}, asking.suspicious}};
  const auto prepared = run::prepare(run::call_of(row.call, approval), parts.registry, rules, *place);
  if (!prepared) return {{call_by_name(approval, parts.registry), {}, asking.suspicious}};
  interaction::Approval now = approval;
  now.tool = prepared->spec().name;
  now.arguments = prepared->arguments;
  now.chain = prepared->chain;
  now.background = prepared->mode == toolkit::CallMode::background;
  const bool as_shown = prepared->chain == approval.chain && interaction::digest_of(now) == row.digest;
  return {{prepared->call, {}, asking.suspicious}, as_shown};
}

Task<std::vector<policy::Identity>> look_up(InboundDependencies& parts, std::vector<std::string> accounts) {
  std::vector<policy::Identity> identities;
  identities.reserve(accounts.size());
  for (const std::string& account : accounts) {
    identities.push_back(co_await parts.people.who(run::account_of(account)));
  }
  co_return identities;
}

interaction::ApprovalEvent event_of(const ApprovalAnswer& wish, std::string person, std::string reason, Timestamp at) {
  if (wish.approve) return interaction::Approve{std::move(person), true, wish.digest, at, wish.scope};
  return interaction::Deny{std::move(person), true, at, std::move(reason)};
}

std::string words_for(const interaction::Settled& settled) {
  if (settled.state != interaction::State::approved) return "Denied.";
  return settled.scope == interaction::Scope::once ? "Approved." : "Approved for this thread.";
}

}  // namespace

std::string sentence(const Error& error) {
  std::string text = error.message;
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  if (!error.hint.empty()) text += fmt::format(" ({})", error.hint);
  return text + ".";
}

AnswerResult refuse(const store::InteractionRow& row, const Answerer& by, std::string person, std::string why,
                    Timestamp at) {
  const json::object body{
      {"interaction", row.id.text()}, {"call", row.call}, {"account", by.identity.account.key()}, {"why", why}};
  return {channel::Refused{std::move(why)},
          {{.at = at,
            .kind = "answer_refused",
            .person = std::move(person),
            .run = row.run,
            .digest = row.digest,
            .body = json::serialize(body)}}};
}

interaction::Zone zone_of(const run::Rules& rules, const Answerer& by) {
  return run::zone_of(rules, by.identity.time_zone);
}

channel::Verdict already(const store::InteractionRow& row, const interaction::Zone& zone) {
  const Timestamp at = row.responded_at.value_or(row.expires_at);
  const std::string by = answered_by(row);
  const interaction::Settled settled{.state = from_row(row.state), .by = by, .at = at};
  return channel::AlreadyAnswered{by, at, interaction::words(interaction::Refusal::already_settled, settled, zone)};
}

AnswerResult not_settled(const store::AnswerStored& answered, const interaction::Zone& zone) {
  if (answered.how == store::AnswerStored::How::already) return {already(answered.interaction, zone)};
  return {channel::Refused{"This message was already processed."}};
}

Task<Result<>> may_decide(InboundDependencies& parts, store::InteractionRow row, run::InteractionBody asking,
                          policy::Identity identity, policy::Place place) {
  if (!asking.approval) co_return fail(ErrorKind::invalid_input, "this is not an approval");
  const std::shared_ptr<const run::Rules> rules = parts.rules();
  Now now = prepare_again(parts, *rules, row, asking, *asking.approval);
  now.approval.askers = co_await look_up(parts, asking.askers);
  co_return policy::may_approve(identity, place, now.approval, rules->policy.settings);
}

Task<Result<AnswerResult>> answer_approval(InboundDependencies& parts, store::InteractionRow row, ApprovalAnswer wish,
                                           Answerer by) {
  const std::shared_ptr<const run::Rules> rules = parts.rules();
  const policy::Settings& settings = rules->policy.settings;
  CO_TRY(const run::InteractionBody asking, run::read_interaction_body(row));
  if (!asking.approval) co_return AnswerResult{channel::Refused{"This is not an approval."}};
  if (row.state != store::InteractionState::pending) co_return AnswerResult{already(row, zone_of(*rules, by))};

  const std::string person = policy::person_of(by.identity, settings).id;
  Now now = prepare_again(parts, *rules, row, asking, *asking.approval);
  now.approval.askers = co_await look_up(parts, asking.askers);
  const Timestamp at = parts.clock.now();
  if (const Result<> may = policy::may_approve(by.identity, by.place, now.approval, settings); !may) {
    co_return refuse(row, by, person, sentence(may.error()), at);
  }
  if (wish.approve && !now.as_shown) co_return refuse(row, by, person, std::string(kChanged), at);

  CO_TRY(const std::string reason, co_await redact_inbound(wish.reason, parts.redaction.of(row.run)));
  const interaction::ApprovalState standing = standing_of(row, *asking.approval);
  const interaction::Decision decision = interaction::decide(standing, event_of(wish, person, reason, at));
  const auto* settled = std::get_if<interaction::Settled>(&decision.standing);
  if (decision.refusal || settled == nullptr) {
    const auto refusal = decision.refusal.value_or(interaction::Refusal::not_an_approver);
    co_return refuse(row, by, person, interaction::words(refusal, decision.standing, zone_of(*rules, by)), at);
  }

  Ending ending{.answered = {}, .name = by.name, .account = by.identity.account.key(), .at = at};
  std::optional<std::string> grant_id;
  if (settled->state == interaction::State::approved && settled->scope == interaction::Scope::for_thread) {
    const policy::GrantTerms terms{GrantId::make(at), row.conversation, by.identity, at,
                                   run::lasting_at(by.place, *rules)};
    const auto grant = policy::grant_from(now.approval, terms, settings);
    if (!grant)
      co_return refuse(row, by, person, "This cannot be approved for the thread: " + grant.error().message + ".", at);
    const std::string shown = cut_with_mark(json::serialize(asking.approval->arguments), kMaxArguments);
    ending.effects.grants = {run::write_grant({*grant, by.identity.account, shown}, at)};
    grant_id = grant->id.text();
  }
  ending.answered = interaction::answered(row.id.text(), row.call, *settled, std::move(grant_id));
  // Settings have no name for this person.
  if (person == by.identity.account.key() && !by.name.empty())
    ending.answered.response["name"] = run::name_in_a_line(by.name);
  if (by.message) ending.effects.consumed = {*by.message};
  CO_TRY(const store::AnswerStored answered, co_await settle(parts, row, asking, std::move(ending)));
  if (answered.how != store::AnswerStored::How::settled) co_return not_settled(answered, zone_of(*rules, by));
  co_return AnswerResult{channel::AnswerTaken{words_for(*settled)}};
}

std::expected<store::InteractionRow, interaction::CodeRefusal> with_code(const RoutingInput& gathered,
                                                                         std::string_view code, int wrong_before) {
  std::vector<interaction::PendingCode> codes;
  codes.reserve(gathered.with_code.size());
  for (const store::InteractionRow& row : gathered.with_code) codes.push_back({row.id.text(), row.code});
  const auto found = interaction::find_by_code(codes, code, wrong_before);
  if (!found) return std::unexpected(found.error());
  return *std::ranges::find(gathered.with_code, *found, [](const auto& row) { return row.id.text(); });
}

ApprovalAnswer wish_of(const Decide& decision, const store::InteractionRow& row) {
  if (decision.denied_because) return {false, interaction::Scope::once, {}, *decision.denied_because};
  return {true, interaction::Scope::once, row.digest, {}};
}

std::string words_of(const channel::Verdict& verdict) {
  if (const auto* settled = std::get_if<channel::AnswerTaken>(&verdict)) return settled->words;
  if (const auto* refused = std::get_if<channel::Refused>(&verdict)) return refused->why;
  if (const auto* already = std::get_if<channel::AlreadyAnswered>(&verdict)) return already->words;
  if (const auto* shows = std::get_if<channel::ShowText>(&verdict)) return shows->markdown;
  return {};
}

}  // namespace deputy::gateway
