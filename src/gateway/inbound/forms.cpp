#include "gateway/inbound/forms.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "gateway/inbound/cards.h"
#include "gateway/inbound/settle.h"
#include "interaction/text_form.h"
#include "policy/persons.h"
#include "run/journal/stored_rows.h"

namespace deputy::gateway {

namespace {

using interaction::Control;
using interaction::Draft;

constexpr std::string_view kNoForm = "This is not a form.";

constexpr std::string_view kNotOfThisForm = "This form has changed. Please use the newest card.";

using GivenByLabel = std::map<std::string, interaction::Given>;

Task<Result<GivenByLabel>> redacted(GivenByLabel given, redact::Redactor redactor) {
  for (auto& [label, one] : given) {
    CO_TRY(one.own_words, co_await redact_inbound(std::move(one.own_words), redactor));
  }
  co_return given;
}

// What the person filled in, by question label. A token that is not of this form makes all of it invalid.
std::optional<GivenByLabel> given_in(const channel::InboundAnswer& answer, const store::InteractionRow& row,
                                     const run::InteractionBody& asking) {
  GivenByLabel given = answer.given;
  if ((answer.chosen.empty() && answer.written.empty()) || !asking.questions) return given;
  std::map<std::string, interaction::Action> actions;
  for (run::ControlToken& one : run::controls_of(row.id, asking, row.digest))
    actions.emplace(std::move(one.token), std::move(one.action));
  const std::vector<interaction::Question>& questions = asking.questions->questions;
  const auto action_of = [&](const std::string& token, Control control) -> const interaction::Action* {
    const auto found = actions.find(token);
    const bool is_of_question =
        found != actions.end() && found->second.control == control && found->second.question.has_value();
    return is_of_question ? &found->second : nullptr;
  };
  for (const std::string& token : answer.chosen) {
    const interaction::Action* action = action_of(token, Control::option);
    if (action == nullptr || !action->option) return std::nullopt;
    const interaction::Question& question = questions.at(*action->question);
    given[question.label].values.push_back(question.options.at(*action->option).answer());
  }
  for (const auto& [token, words] : answer.written) {
    const interaction::Action* action = action_of(token, Control::own_words);
    if (action == nullptr) return std::nullopt;
    given[questions.at(*action->question).label].own_words = words;
  }
  return given;
}

channel::Invalid invalid(const interaction::Form& form, const std::vector<Problem>& problems) {
  channel::Invalid verdict;
  for (const Problem& problem : problems) {
    const auto found = std::ranges::find(form.questions, problem.path, &interaction::Question::label);
    std::optional<std::size_t> position;
    if (found != form.questions.end()) position = static_cast<std::size_t>(found - form.questions.begin());
    verdict.problems.push_back({position, problem.path, problem.message});
  }
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

// A page of a form, sent with *Next*: what was filled in counts, not what is ticked in the draft.
bool sends_page(const InboundDependencies& parts, const store::InteractionRow& row, const interaction::Action& action) {
  const channel::Channel* channel = parts.channels.of(row.conversation);
  return action.control == Control::done && channel != nullptr && channel->capabilities().forms;
}

// One attempt to advance the draft; nothing if the conversation has changed meanwhile.
Task<Result<std::optional<AnswerResult>>> try_to_move(InboundDependencies& parts, store::InteractionRow seen,
                                                      interaction::Action action, channel::InboundAnswer answer,
                                                      Answerer by) {
  const std::shared_ptr<const run::Rules> rules = parts.rules();
  CO_TRY(const store::ConversationRow conversation, co_await parts.store.conversation(seen.conversation));
  CO_TRY(const auto found, co_await find_interaction(parts, seen.id));
  const store::InteractionRow row = found.value_or(seen);
  if (row.state != store::InteractionState::pending) co_return AnswerResult{already(row, zone_of(*rules, by))};
  CO_TRY(const run::InteractionBody asking, run::read_interaction_body(row));
  if (!asking.questions) co_return AnswerResult{channel::Refused{std::string(kNoForm)}};
  const interaction::Form& form = *asking.questions;
  CO_TRY(const Draft draft, interaction::read_draft(form, row.draft));
  std::optional<interaction::Moved> moved;
  if (!sends_page(parts, row, action)) {
    moved = move_on(form, draft, action);
  } else if (action.question == draft.current) {
    std::optional<GivenByLabel> filled = given_in(answer, row, asking);
    if (!filled) co_return AnswerResult{channel::Refused{std::string(kNotOfThisForm)}};
    CO_TRY(const GivenByLabel given, co_await redacted(*std::move(filled), parts.redaction.of(row.run)));
    auto taken = interaction::take_page(form, draft, page_of(parts, row.conversation), given);
    if (!taken) co_return AnswerResult{invalid(form, taken.error())};
    moved = *std::move(taken);
  }
  if (!moved) co_return AnswerResult{channel::ShowText{ask_current(row, asking, draft, zone_of(*rules, asking))}};
  if (const auto* result = std::get_if<interaction::FormResult>(&*moved)) {
    co_return co_await complete_form(parts, row, *result, by);
  }
  const Draft next = std::get<Draft>(*std::move(moved));
  store::Effects effects;
  effects.drafts = {{row.id, interaction::write_draft(next)}};
  effects.deliveries = {redraw(row, asking, parts.clock.now())};
  const store::InboundRow click{"click:" + answer.key, row.conversation, conversation.version};
  CO_TRY(const store::Admitted admitted, co_await parts.store.admit(click, store::ToNobody{}, std::move(effects)));
  if (admitted.how == store::Admitted::How::moved) co_return std::nullopt;
  // The platform sent the same click twice: the draft already has it.
  const Draft& shown = admitted.how == store::Admitted::How::duplicate ? draft : next;
  co_return AnswerResult{channel::ShowText{ask_current(row, asking, shown, zone_of(*rules, asking))}};
}

Task<Result<AnswerResult>> submit_form(InboundDependencies& parts, store::InteractionRow row,
                                       run::InteractionBody asking, Draft draft, channel::InboundAnswer answer,
                                       Answerer by) {
  const interaction::Form form = asking.questions.value_or(interaction::Form{});
  std::optional<GivenByLabel> filled = given_in(answer, row, asking);
  if (!filled) co_return AnswerResult{channel::Refused{std::string(kNotOfThisForm)}};
  CO_TRY(const GivenByLabel given, co_await redacted(*std::move(filled), parts.redaction.of(row.run)));
  // By label it is the whole form: a question that is not named was left unanswered.
  if (!answer.given.empty()) draft.answers.clear();
  const auto result = interaction::submit(form, draft, given);
  if (!result) co_return AnswerResult{invalid(form, result.error())};
  co_return co_await complete_form(parts, std::move(row), *result, std::move(by));
}

Task<Result<AnswerResult>> move_draft(InboundDependencies& parts, store::InteractionRow row, interaction::Action action,
                                      channel::InboundAnswer answer, Answerer by) {
  for (int attempt = 0; attempt < kTries; ++attempt) {
    CO_TRY(std::optional<AnswerResult> outcome, co_await try_to_move(parts, row, action, answer, by));
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

std::size_t page_of(const InboundDependencies& parts, const std::string& conversation) {
  const channel::Channel* channel = parts.channels.of(conversation);
  if (channel == nullptr) return interaction::kMaxQuestions;
  const channel::Capabilities can = channel->capabilities();
  return can.forms ? std::max<std::size_t>(can.form.questions, 1) : 1;
}

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
  if (answered.how != store::AnswerStored::How::settled) co_return not_settled(answered, zone_of(*rules, by));
  co_return AnswerResult{channel::AnswerTaken{result.completed ? "Answered." : "Skipped."}};
}

Task<Result<AnswerResult>> press_form(InboundDependencies& parts, store::InteractionRow row, interaction::Action action,
                                      channel::InboundAnswer answer, Answerer by) {
  const std::shared_ptr<const run::Rules> rules = parts.rules();
  CO_TRY(const run::InteractionBody asking, run::read_interaction_body(row));
  if (!asking.questions) co_return AnswerResult{channel::Refused{std::string(kNoForm)}};
  if (row.state != store::InteractionState::pending) co_return AnswerResult{already(row, zone_of(*rules, by))};
  if (const Result<> may = co_await may_answer(parts, asking, by.identity, by.place); !may) {
    const std::string person = policy::person_of(by.identity, rules->policy.settings).id;
    co_return refuse(row, by, person, sentence(may.error()), parts.clock.now());
  }
  CO_TRY(const Draft draft, interaction::read_draft(*asking.questions, row.draft));
  switch (action.control) {
    case Control::submit:
      co_return co_await submit_form(parts, row, asking, draft, std::move(answer), std::move(by));
    case Control::skip: {
      auto result = interaction::unanswered(interaction::Unanswered::skipped, by.name, draft.answers);
      co_return co_await complete_form(parts, row, std::move(result), std::move(by));
    }
    case Control::option:
    case Control::done:
      co_return co_await move_draft(parts, row, action, std::move(answer), std::move(by));
    case Control::own_words: {
      const interaction::Question& question = current_question(*asking.questions, draft);
      co_return AnswerResult{channel::ShowText{how_to_use_own_words(question, writers_at(asking))}};
    }
    default: {
      CO_TRY(std::optional<channel::Card> form, co_await card_to_open(parts, row.id, answer.conversation));
      if (form) co_return AnswerResult{channel::OpenCard{*std::move(form)}};
      co_return AnswerResult{channel::ShowText{ask_current(row, asking, draft, zone_of(*rules, asking))}};
    }
  }
}

}  // namespace deputy::gateway
