// The part of Requests that serves one person: what waits for them, and the buttons under answers.
#include <fmt/format.h>

#include "base/text.h"
#include "gateway/details.h"
#include "gateway/inbound/approvals.h"
#include "gateway/inbound/commands.h"
#include "gateway/inbound/forms.h"
#include "gateway/requests.h"
#include "gateway/run_controls.h"
#include "interaction/escape.h"
#include "policy/access.h"
#include "policy/persons.h"

namespace deputy::gateway {

namespace {

constexpr int kMaxLookedAt = 200;
constexpr std::size_t kMaxExamples = 4;
constexpr std::string_view kNotSeen = "You may not see this run, or it is no longer kept.";

policy::Place own_page(const policy::Account& account) {
  return {.channel = account.channel,
          .id = account.id,
          .kind = policy::PlaceKind::direct,
          .open_to = policy::OpenTo::members};
}

std::string replaced(std::string text, std::string_view mark, std::string_view by) {
  if (const std::size_t at = text.find(mark); at != std::string::npos && !by.empty()) text.replace(at, mark.size(), by);
  return text;
}

// Of tools that only read and can work now, with the names of this installation.
std::vector<std::string> examples_for(const toolkit::Registry& registry, const run::Rules& rules) {
  const std::string service = rules.services.empty() ? "" : rules.services.front().key;
  const std::string environment = rules.environments.empty() ? "" : rules.environments.begin()->first;
  std::vector<std::string> examples;
  for (const auto& tool : registry.tools()) {
    const toolkit::ToolSpec& spec = tool->spec();
    if (spec.talk_tool() || !spec.missing.empty() || spec.topics.examples.empty()) continue;
    if (toolkit::effect_of(spec, {}) != toolkit::Effect::read) continue;
    const std::string example =
        replaced(replaced(spec.topics.examples.front(), "{service}", service), "{environment}", environment);
    if (!example.contains('{') && examples.size() < kMaxExamples) examples.push_back(example);
  }
  return examples;
}

std::string question_in(const run::InteractionBody& asking) {
  const bool has_one = asking.questions && !asking.questions->questions.empty();
  return "A question to you" + (has_one ? ": " + cut_with_mark(asking.questions->questions.front().question, 200) : "");
}

}  // namespace

Task<Result<channel::Welcome>> Requests::welcome(policy::Account account) {
  const policy::Identity identity = co_await parts_.people.who(account);
  const policy::Place place = own_page(account);
  const std::shared_ptr<const run::Rules> rules = parts_.rules();
  channel::Welcome welcome;
  if (!policy::may_speak(identity, place, rules->policy.settings)) co_return welcome;
  welcome.examples = examples_for(parts_.registry, *rules);
  CO_TRY(const std::vector<store::InteractionRow> rows, co_await parts_.store.interactions({.most = kMaxLookedAt}));
  for (const store::InteractionRow& row : rows) {
    const Result<run::InteractionBody> asking = run::read_interaction_body(row);
    if (!asking) continue;
    Task<Result<>> judging = asking->approval ? may_decide(parts_, row, *asking, identity, place)
                                              : may_answer(parts_, *asking, identity, place);
    const Result<> may = co_await std::move(judging);
    if (!may) continue;
    std::string text = asking->approval ? interaction::notification_line(*asking->approval) : question_in(*asking);
    welcome.waiting.push_back({interaction::plain(text), row.conversation, row.expires_at});
  }
  co_return welcome;
}

Task<Result<channel::Verdict>> Requests::answer(channel::InboundAnswer answer) {
  if (const std::optional<RunPress> press = read_run_press(answer.token))
    co_return co_await press_on_run(std::move(answer), *press);
  co_return co_await dispatcher_.answer(std::move(answer));
}

Task<Result<channel::Verdict>> Requests::press_on_run(channel::InboundAnswer answer, RunPress press) {
  Caller caller{
      .identity = co_await parts_.people.who(answer.sender), .place = answer.place, .name = answer.sender_name};
  const policy::Settings& settings = parts_.rules()->policy.settings;
  if (const Result<> may = policy::may_speak(caller.identity, caller.place, settings); !may)
    co_return channel::Verdict(channel::Refused{sentence(may.error())});
  const Result<RunView> view = co_await read(caller, press.run);
  if (!view && view.error().kind == ErrorKind::not_found)
    co_return channel::Verdict(channel::Refused{std::string(kNotSeen)});
  if (!view) co_return std::unexpected(view.error());
  if (press.what == RunPress::What::details)
    co_return channel::Verdict(details_of(press.run, view->state, view->entries, press.page));
  const std::string person = policy::person_of(caller.identity, settings).id;
  CO_TRY(CommandReply reply,
         co_await take_feedback(
             parts_, {.run = press.run,
                      .kind = press.what == RunPress::What::wrong ? Command::Kind::wrong : Command::Kind::helpful,
                      .why = answer.words,
                      .conversation = view->row.conversation,
                      .account = answer.sender.key(),
                      .person = person,
                      .name = answer.sender_name.empty() ? person : answer.sender_name}));
  const store::ConsumedRow once{answer.key, view->row.conversation};
  CO_TRY((co_await take_in(parts_, once, store::ToNobody{}, std::move(reply.effects))));
  co_return channel::Verdict(channel::AnswerTaken{std::move(reply.words)});
}

}  // namespace deputy::gateway
