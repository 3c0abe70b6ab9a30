#include "run/drive/ask.h"

#include <fmt/format.h>

#include "base/secret.h"
#include "base/text.h"
#include "interaction/codes.h"
#include "interaction/lifecycle.h"
#include "policy/grants.h"
#include "run/journal/delivery.h"
#include "run/journal/interaction_body.h"
#include "run/journal/stored_rows.h"
#include "run/plan/known_answers.h"

namespace deputy::run {

namespace {

void add_dues(interaction::Kind kind, const store::InteractionRow& row, store::Effects& effects) {
  for (const interaction::Due& due : interaction::dues(kind, row.created_at, row.expires_at)) {
    const std::string_view name = due.kind == interaction::Due::Kind::expiry ? kExpiryDue : kReminderDue;
    effects.dues.push_back({.kind = std::string(name), .id = row.id.text(), .at = due.at, .stops_while_down = true});
  }
}

std::string fresh_code() {
  std::array<std::uint8_t, 4> random{};
  fill_random(random);
  return interaction::make_code(random);
}

store::InteractionRow row_for(RunId run, const RunState& state, const CallState& call, interaction::Kind kind,
                              Timestamp now, std::chrono::milliseconds expiry) {
  store::InteractionRow row;
  row.id = InteractionId::make(now);
  row.run = run;
  row.call = call.request.id;
  row.conversation = state.request().conversation;
  row.kind = name(kind);
  row.created_at = now;
  row.expires_at = now + expiry;
  return row;
}

InteractionBody asking_for(const RunState& state, const CallState& call, const InteractionId& card) {
  InteractionBody asking;
  asking.card = card.text();
  asking.requester = state.request().requester;
  asking.askers = askers_of(state, call.request.id);
  asking.suspicious = state.request().suspicion.has_value();
  asking.place = state.request().place;
  asking.time_zone = state.request().time_zone;
  return asking;
}

store::AuditRow audit_of(const store::InteractionRow& row, const Received& received) {
  return {
      .at = row.created_at,
      .kind = "asked",
      .person = received.requester,
      .run = row.run,
      .digest = row.digest,
      .body = json::serialize(json::object{{"interaction", row.id.text()}, {"call", row.call}, {"kind", row.kind}})};
}

std::string target_in_words(const toolkit::ToolSpec& spec, const json::object& arguments) {
  std::string words = words_of(spec, arguments).target;
  if (!words.empty()) return words;
  // What it acts on comes first: people read it in a notification. A command line is shown whole, among the arguments.
  constexpr std::size_t kMaxSubject = 80;
  const json::value* subject = spec.primary_is_command_line ? nullptr : arguments.if_contains(spec.primary_param);
  if (subject != nullptr) words = cut_with_mark(as_text(*subject), kMaxSubject);
  for (const auto& part : spec.target) {
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", as_view(part.key()), as_text(part.value()));
  }
  return words;
}

// The change in a word, such as the commit: `change` in the data of the handler that made the preview.
std::string change_of(const CallState& call) {
  std::string change;
  const auto before_gate = static_cast<std::size_t>(call.gate().value_or(0));
  for (std::size_t i = 0; i < before_gate && i < call.steps.size(); ++i) {
    const std::optional<StepDone>& done = call.steps[i].done;
    if (done && done->output) change = done->data ? text_at(*done->data, "change") : std::string();
  }
  return change;
}

bool may_grant(const policy::ApprovalRequest& approval, const RunState& state, const Rules& rules, Timestamp now) {
  const Received& received = state.request();
  const policy::Place place = read_place(received.place).value_or(policy::Place{});
  const policy::GrantTerms terms{GrantId{}, received.conversation, approval.askers.front(), now,
                                 lasting_at(place, rules)};
  return policy::grant_from(approval, terms, rules.policy.settings).has_value();
}

Task<interaction::Approval> approval_for(const RunDependencies& dependencies, RunId run, const RunState& state,
                                         const CallState& call, const PreparedCall& prepared, const Rules& rules) {
  const Received& received = state.request();
  policy::ApprovalRequest about{prepared.call, {}, received.suspicion.has_value()};
  for (const std::string& account : askers_of(state, call.request.id)) {
    policy::Identity identity = co_await dependencies.lookups.who(account_of(account));
    about.askers.push_back(std::move(identity));
  }
  interaction::Approval approval;
  approval.run = run.text();
  approval.requester = received.name.empty() ? received.requester : received.name;
  approval.tool = prepared.spec().name;
  approval.target = target_in_words(prepared.spec(), prepared.arguments);
  approval.environment = prepared.call.environment.value_or("");
  approval.arguments = prepared.arguments;
  approval.preview = preview_of(call);
  approval.change = change_of(call);
  approval.chain = prepared.chain;
  approval.background = prepared.mode == toolkit::CallMode::background;
  approval.why.push_back(call.ruling()->words);
  if (received.suspicion) approval.why.push_back(*received.suspicion);
  approval.approvers = policy::named_approvers(prepared.call, rules.policy.settings);
  approval.may_grant = may_grant(about, state, rules, dependencies.clock.now());
  co_return approval;
}

Ruled changed(const CallState& call, const Error& error) {
  Ruled ruled;
  ruled.call = call.request.id;
  ruled.verdict = Verdict::refused;
  ruled.rule = "call";
  ruled.words = describe(error);
  ruled.after_gate = true;
  return ruled;
}

CallFinished not_asked(const CallState& call, CallStatus status, std::string text) {
  return {call.request.id, status, std::move(text)};
}

}  // namespace

Task<Opened> ask_approvals(const RunDependencies& dependencies, RunId run, const RunState& state,
                           std::vector<const CallState*> calls) {
  const std::shared_ptr<const Rules> rules = dependencies.rules();
  const Timestamp now = dependencies.clock.now();
  const policy::Place place = read_place(state.request().place).value_or(policy::Place{});
  Opened opened;
  std::optional<InteractionId> card;
  std::vector<InteractionBody> askings;
  for (const CallState* call : calls) {
    Result<PreparedCall> prepared = prepare(call->request, dependencies.registry, *rules, place);
    if (prepared && prepared->call.digest != call->rulings.front().digest)
      prepared = fail(ErrorKind::conflict, std::string(kChangedWhileItWaited));
    if (!prepared) {
      opened.entries.emplace_back(changed(*call, prepared.error()));
      continue;
    }
    store::InteractionRow row =
        row_for(run, state, *call, interaction::Kind::approval, now, rules->policy.settings.approvals.expiry);
    if (!card) card = row.id;
    InteractionBody asking = asking_for(state, *call, *card);
    asking.approval = co_await approval_for(dependencies, run, state, *call, *prepared, *rules);
    row.digest = interaction::digest_of(*asking.approval);
    row.code = fresh_code();
    opened.entries.emplace_back(Asked{row.call, row.id.text(), AskKind::approval, row.digest, card->text()});
    std::vector<store::TokenRow> tokens = make_tokens(row.id, asking, row.digest, asking.tokens);
    add_dues(interaction::Kind::approval, row, opened.effects);
    opened.effects.audit.push_back(audit_of(row, state.request()));
    opened.effects.interactions.push_back({std::move(row), std::move(tokens)});
    askings.push_back(std::move(asking));
  }
  if (askings.size() > 1) {
    std::vector<interaction::Acted> all;
    all.reserve(askings.size());
    for (const store::NewInteractionRow& row : opened.effects.interactions)
      all.push_back({row.interaction.id.text(), row.interaction.digest});
    store::TokenRow approve_all = make_approve_all(std::move(all), askings.back().tokens);
    opened.effects.interactions.back().tokens.push_back(std::move(approve_all));
  }
  for (std::size_t i = 0; i < askings.size(); ++i)
    opened.effects.interactions[i].interaction.body = write_interaction_body(askings[i]);
  if (card) {
    const bool is_on_network = place.kind != policy::PlaceKind::terminal && place.kind != policy::PlaceKind::own;
    if (is_on_network) opened.effects.dues.push_back({.kind = std::string(kReachDue), .id = card->text(), .at = now});
    store::DeliveryRow delivery = owe(CardDelivery{}, state.request().conversation, now, run);
    delivery.interaction = card;
    opened.effects.deliveries.push_back(std::move(delivery));
  }
  co_return opened;
}

Task<Opened> ask_questions(const RunDependencies& dependencies, RunId run, const RunState& state,
                           const CallState& call) {
  const Timestamp now = dependencies.clock.now();
  const Received& received = state.request();
  Opened opened;
  const auto ends = [&](CallStatus status, std::string text) {
    opened.entries.emplace_back(not_asked(call, status, std::move(text)));
    return std::move(opened);
  };
  Result<interaction::Form> form = interaction::parse_form(call.request.arguments);
  if (!form) co_return ends(CallStatus::error, describe(form.error()));
  if (state.forms_asked >= interaction::kMaxFormsARun) {
    co_return ends(CallStatus::error,
                   fmt::format("a run asks at most {} forms; go on with what you know, and say what is missing",
                               interaction::kMaxFormsARun));
  }
  const policy::Identity requester = co_await dependencies.lookups.who(account_of(received.account));
  if (requester.standing == policy::AccountKind::service || requester.bot) {
    const auto nobody = interaction::unanswered(interaction::Unanswered::cannot_ask, "", {});
    co_return ends(CallStatus::success, json::serialize(interaction::to_result(nobody)));
  }
  store::InteractionRow row =
      row_for(run, state, call, interaction::Kind::questions, now, interaction::kQuestionsExpiry);
  InteractionBody asking = asking_for(state, call, row.id);
  asking.questions = with_known_answers(*std::move(form), dependencies.registry, *dependencies.rules());
  std::vector<store::TokenRow> tokens = make_tokens(row.id, asking, "", asking.tokens);
  row.body = write_interaction_body(asking);

  const auto pending = co_await dependencies.store.interactions({.conversation = received.conversation});
  const bool another_is_open = !pending || std::ranges::any_of(*pending, [](const store::InteractionRow& one) {
    return one.kind == name(interaction::Kind::questions);
  });
  if (another_is_open) {
    // Whoever takes this due shows the form once the others are settled.
    opened.effects.dues.push_back({.kind = std::string(kShowFormDue), .id = row.id.text(), .at = now});
  } else {
    store::DeliveryRow delivery = owe(CardDelivery{}, received.conversation, now, run);
    delivery.interaction = row.id;
    opened.effects.deliveries.push_back(std::move(delivery));
  }
  opened.entries.emplace_back(Asked{row.call, row.id.text(), AskKind::questions, {}, row.id.text()});
  add_dues(interaction::Kind::questions, row, opened.effects);
  opened.effects.audit.push_back(audit_of(row, received));
  opened.effects.interactions.push_back({std::move(row), std::move(tokens)});
  co_return opened;
}

void withdraw(const CallState& call, const Received& received, std::string by, Timestamp now, store::Effects& effects) {
  if (!call.asked || call.answered) return;
  const Result<InteractionId> id = InteractionId::parse(call.asked->interaction);
  if (!id) return;
  effects.settled.push_back(
      {*id, {.state = store::InteractionState::cancelled, .response = "{}", .by = std::move(by), .at = now}});
  store::DeliveryRow redraw = owe(RedrawDelivery{call.asked->card}, received.conversation, now);
  redraw.interaction = InteractionId::parse(call.asked->card).value_or(*id);
  effects.deliveries.push_back(std::move(redraw));
  std::ranges::move(dues_of(call.asked->interaction), std::back_inserter(effects.dues_ended));
}

}  // namespace deputy::run
