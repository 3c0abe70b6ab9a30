#include "gateway/inbound/forms.h"

#include <fmt/format.h>

#include "base/text.h"
#include "gateway/inbound/settle.h"
#include "interaction/text_form.h"
#include "policy/persons.h"
#include "run/journal/stored_rows.h"

namespace deputy::gateway {

namespace {

using interaction::Control;
using interaction::Draft;

constexpr std::string_view kNoForm = "This is not a form.";

using GivenByLabel = std::map<std::string, interaction::Given>;

Task<Result<GivenByLabel>> redacted(GivenByLabel given, redact::Redactor redactor) {
  for (auto& [label, one] : given) {
    CO_TRY(one.own_words, co_await redact_inbound(std::move(one.own_words), redactor));
  }
  co_return given;
}

channel::Invalid invalid(const std::vector<Problem>& problems) {
  channel::Invalid verdict;
  for (const Problem& problem : problems) verdict.problems.emplace_back(problem.path, problem.message);
  return verdict;
}

// A control of an earlier question does nothing: the card was out of date, or the control was pressed twice.
std::optional<interaction::Moved> move_on(const interaction::Form& form, Draft draft,
                                          const interaction::Action& action) {
  if (action.question != draft.current) return std::nullopt;
  if (action.control == Control::done) return take_ticked(form, std::move(draft));
  const std::size_t option = action.option.value_or(interaction::kMaxOptions);
  if (option >= current_question(form, draft).options.size()) return std::nullopt;
  if (current_question(form, draft).multi_select) return toggle(form, std::move(draft), option);
  draft.ticked = {current_question(form, draft).options[option].answer()};
  return take_ticked(form, std::move(draft));
}

// One attempt to advance the draft; nothing if the conversation has changed meanwhile.
Task<Result<std::optional<AnswerResult>>> try_to_move(InboundDependencies& parts, store::InteractionRow seen,
                                                      interaction::Action action, std::string key, Answerer by) {
  const std::shared_ptr<const run::Rules> rules = parts.rules();
  CO_TRY(const store::ConversationRow conversation, co_await parts.store.conversation(seen.conversation));
  CO_TRY(const auto found, co_await find_interaction(parts, seen.id));
  const store::InteractionRow row = found.value_or(seen);
  if (row.state != store::InteractionState::pending) co_return AnswerResult{already(row, rules->zone)};
  CO_TRY(const run::InteractionBody asking, run::read_interaction_body(row));
  if (!asking.questions) co_return AnswerResult{channel::Refused{std::string(kNoForm)}};
  const interaction::Form& form = *asking.questions;
  CO_TRY(const Draft draft, interaction::read_draft(form, row.draft));
  std::optional<interaction::Moved> moved = move_on(form, draft, action);
  if (!moved) co_return AnswerResult{channel::ShowText{ask_current(row, asking, draft, rules->zone)}};
  if (const auto* result = std::get_if<interaction::FormResult>(&*moved)) {
    co_return co_await complete_form(parts, row, *result, by);
  }
  const Draft next = std::get<Draft>(*std::move(moved));
  store::Effects effects;
  effects.drafts = {{row.id, interaction::write_draft(next)}};
  effects.deliveries = {redraw(row, asking, parts.clock.now())};
  const store::InboundRow click{std::move(key), row.conversation, conversation.version};
  CO_TRY(const store::Admitted admitted, co_await parts.store.admit(click, store::ToNobody{}, std::move(effects)));
  if (admitted.how == store::Admitted::How::moved) co_return std::nullopt;
  // The platform sent the same click twice: the draft already has it.
  const Draft& shown = admitted.how == store::Admitted::How::duplicate ? draft : next;
  co_return AnswerResult{channel::ShowText{ask_current(row, asking, shown, rules->zone)}};
}

Task<Result<AnswerResult>> submit_form(InboundDependencies& parts, store::InteractionRow row, interaction::Form form,
                                       channel::InboundAnswer answer, Answerer by) {
  CO_TRY(const GivenByLabel given, co_await redacted(std::move(answer.given), parts.redaction.of(row.run)));
  const auto result = interaction::submit(form, given);
  if (!result) co_return AnswerResult{invalid(result.error())};
  co_return co_await complete_form(parts, std::move(row), *result, std::move(by));
}

Task<Result<AnswerResult>> move_draft(InboundDependencies& parts, store::InteractionRow row, interaction::Action action,
                                      std::string key, Answerer by) {
  for (int attempt = 0; attempt < kTries; ++attempt) {
    CO_TRY(std::optional<AnswerResult> outcome, co_await try_to_move(parts, row, action, key, by));
    if (outcome) co_return *std::move(outcome);
  }
  co_return std::unexpected(too_busy());
}

std::string how_to_use_own_words(const interaction::Question& question, interaction::Writers writers) {
  if (!question.allow_custom) return "This question accepts only one of its options.";
  if (writers == interaction::Writers::one) return "Type your own words as your next message.";
  return "Type your own words as a reply to the form, or mention me with them.";
}

}  // namespace

interaction::Writers writers_at(const run::InteractionBody& asking) {
  const auto place = run::read_place(asking.place);
  const bool is_shared =
      !place || place->kind == policy::PlaceKind::private_channel || place->kind == policy::PlaceKind::public_channel;
  return is_shared ? interaction::Writers::several : interaction::Writers::one;
}

std::string ask_current(const store::InteractionRow& row, const run::InteractionBody& asking, const Draft& draft,
                        const interaction::Zone& zone) {
  if (!asking.questions) return {};
  return interaction::question_text(*asking.questions, draft, row.expires_at, zone, writers_at(asking));
}

Task<Result<>> may_answer(InboundDependencies& parts, run::InteractionBody asking, policy::Identity identity,
                          policy::Place place) {
  if (asking.askers.empty()) co_return fail(ErrorKind::permission, "it is unknown who asked for this");
  const policy::Identity requester = co_await parts.people.who(run::account_of(asking.askers.front()));
  co_return policy::may_answer_question(identity, place, requester, parts.rules()->policy.settings);
}

Task<Result<AnswerResult>> complete_form(InboundDependencies& parts, store::InteractionRow row,
                                         interaction::FormResult result, Answerer by) {
  const std::shared_ptr<const run::Rules> rules = parts.rules();
  CO_TRY(const run::InteractionBody asking, run::read_interaction_body(row));
  const Timestamp at = parts.clock.now();
  if (row.state == store::InteractionState::pending && at >= row.expires_at) {
    co_return AnswerResult{channel::Refused{"This question has expired."}};
  }
  const std::string person = policy::person_of(by.identity, rules->policy.settings).id;
  Ending ending{.answered = interaction::answered(row.id.text(), row.call, result, person),
                .name = by.name,
                .account = by.identity.account.key(),
                .at = at};
  if (by.message) ending.effects.consumed = {*by.message};
  CO_TRY(const store::AnswerStored answered, co_await settle(parts, row, asking, std::move(ending)));
  if (answered.how != store::AnswerStored::How::settled) co_return not_settled(answered, rules->zone);
  co_return AnswerResult{channel::AnswerTaken{result.completed ? "Answered." : "Skipped."}};
}

Task<Result<AnswerResult>> press_form(InboundDependencies& parts, store::InteractionRow row, interaction::Action action,
                                      channel::InboundAnswer answer, Answerer by) {
  const std::shared_ptr<const run::Rules> rules = parts.rules();
  CO_TRY(const run::InteractionBody asking, run::read_interaction_body(row));
  if (!asking.questions) co_return AnswerResult{channel::Refused{std::string(kNoForm)}};
  if (row.state != store::InteractionState::pending) co_return AnswerResult{already(row, rules->zone)};
  if (const Result<> may = co_await may_answer(parts, asking, by.identity, by.place); !may) {
    const std::string person = policy::person_of(by.identity, rules->policy.settings).id;
    co_return refuse(row, by, person, sentence(may.error()), parts.clock.now());
  }
  CO_TRY(const Draft draft, interaction::read_draft(*asking.questions, row.draft));
  switch (action.control) {
    case Control::submit:
      co_return co_await submit_form(parts, row, *asking.questions, std::move(answer), std::move(by));
    case Control::skip: {
      auto result = interaction::unanswered(interaction::Unanswered::skipped, by.name, draft.answers);
      co_return co_await complete_form(parts, row, std::move(result), std::move(by));
    }
    case Control::option:
    case Control::done: {
      std::string key = "click:" + answer.key;
      co_return co_await move_draft(parts, row, action, std::move(key), std::move(by));
    }
    case Control::own_words: {
      const interaction::Question& question = current_question(*asking.questions, draft);
      co_return AnswerResult{channel::ShowText{how_to_use_own_words(question, writers_at(asking))}};
    }
    default:
      co_return AnswerResult{channel::ShowText{ask_current(row, asking, draft, rules->zone)}};
  }
}

}  // namespace deputy::gateway
