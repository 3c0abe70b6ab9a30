#include "chaos/slack/crowd.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/slack/people/elements.h"

namespace deputy::chaos {

namespace {

using sim::slack::Element;
using namespace std::chrono_literals;

constexpr const char* kBo = "U0BO0000001";
constexpr auto kClickAgain = 5s;

std::string person_id(int number) { return fmt::format("U0CROWD{:04}", number); }
std::string channel_id(int number) { return fmt::format("C0CROWD{:04}", number); }

/// The interactive elements of a message, by action.
std::map<std::string, Element> elements_by_action(const sim::slack::Message& message) {
  std::map<std::string, Element> found;
  const json::value* blocks = message.body.if_contains("blocks");
  if (blocks == nullptr || !blocks->is_array()) return found;
  for (Element& element : sim::slack::elements_of(blocks->get_array())) {
    std::string action = element.action_id();
    found.emplace(std::move(action), std::move(element));
  }
  return found;
}

/// The first option of a question, chosen.
json::object first_choice(const Element& question) {
  const json::value& option = question.element->at("options").as_array().front();
  const std::string value = text_at(option.as_object(), "value");
  return {{question.block_id, json::object{{question.action_id(), value}}}};
}

}  // namespace

Task<Result<json::object>> Crowd::control(std::string name, json::object body) {
  net::Request request{.method = "POST",
                       .url = simulator_.address() + "/control/" + name,
                       .headers = {{"Content-Type", "application/json"}},
                       .body = json::serialize(body)};
  CO_TRY(const net::Response response, co_await http_.send(std::move(request)));
  if (response.status != 200) co_return fail(ErrorKind::invalid_input, name + ": " + response.body);
  co_return parse_json_object(response.body);
}

Task<> Crowd::gather(CrowdSize size) {
  size_ = size;
  json::array everybody{kBo, simulator_.world().workspace.app.bot_user};
  for (int i = 0; i < size.people; ++i) {
    (void)co_await control("person", {{"id", person_id(i)}, {"name", fmt::format("person{}", i)}});
    everybody.emplace_back(json::string(person_id(i)));
  }
  for (int i = 0; i < size.channels; ++i) {
    (void)co_await control("channel",
                           {{"id", channel_id(i)}, {"name", fmt::format("room-{}", i)}, {"members", everybody}});
  }
  (void)co_await control("channel", {{"id", kWritesTo}, {"name", "writes"}, {"members", everybody}});
}

Task<> Crowd::ask(int number, CaseKind kind) {
  Case one{number, kind, person_id(number % size_.people), channel_id(number % size_.channels)};
  const Result<json::object> said = co_await control(
      "say", {{"user", one.user}, {"channel", one.channel}, {"text", request_of(number, kind)}, {"mention", true}});
  if (!said) throw std::runtime_error(describe(said.error()));
  one.ts = text_at(*said, "ts");
  cases_.push_back(std::move(one));
}

// ---- What they see.

void Crowd::each_message(const Case& one, const std::function<void(const Message&)>& look) const {
  auto& workspace = simulator_.world().workspace;
  for (const Message& message : workspace.channels.at(one.channel).messages) {
    if (message.thread_ts == one.ts && message.user == workspace.app.bot_user && message.only_for.empty())
      look(message);
  }
}

std::string Crowd::said_in(const Case& one) const {
  std::string all;
  each_message(one, [&](const Message& message) { all += json::serialize(message.body) + "\n"; });
  return all;
}

int Crowd::answers_in(const Case& one) const {
  int answers = 0;
  each_message(one, [&](const Message& message) {
    if (json::serialize(message.body).contains(answer_of(one.number))) ++answers;
  });
  return answers;
}

bool Crowd::was_given_up(const Case& one) const { return said_in(one).contains("I crashed three times"); }

int Crowd::given_up() const {
  return static_cast<int>(std::ranges::count_if(cases_, [&](const Case& one) { return was_given_up(one); }));
}

int Crowd::approved() const {
  return static_cast<int>(std::ranges::count_if(cases_, [](const Case& one) {
    return one.kind == CaseKind::write && one.clicked != std::chrono::steady_clock::time_point();
  }));
}

bool Crowd::waits(const Case& one) const {
  bool any = false;
  each_message(one, [&](const Message& message) {
    const auto elements = elements_by_action(message);
    any = any || elements.contains("approve_once") || elements.contains("send");
  });
  return any;
}

bool Crowd::all_done() const {
  return std::ranges::all_of(
      cases_, [&](const Case& one) { return (answers_in(one) > 0 || was_given_up(one)) && !waits(one); });
}

// ---- What they do.

void Crowd::answer_what_waits() {
  for (Case& one : cases_) {
    const bool has_card = one.kind == CaseKind::write || one.kind == CaseKind::denied || one.kind == CaseKind::form;
    if (has_card && std::chrono::steady_clock::now() - one.clicked > kClickAgain) answer(one);
  }
}

void Crowd::answer(Case& one) {
  json::object click;
  each_message(one, [&](const Message& message) {
    const auto elements = elements_by_action(message);
    const std::string action = one.kind == CaseKind::write    ? "approve_once"
                               : one.kind == CaseKind::denied ? "deny"
                                                              : "send";
    if (!elements.contains(action)) return;
    click = {{"user", one.kind == CaseKind::form ? one.user : kBo},
             {"channel", one.channel},
             {"ts", message.ts},
             {"action_id", action}};
    if (const auto question = elements.find("choose"); question != elements.end())
      click["state"] = first_choice(question->second);
  });
  if (click.empty()) return;
  ++clicks_;
  one.clicked = std::chrono::steady_clock::now();
  // A click that gets no answer is made again later.
  spawn(simulator_.world().executor, "click", [](Crowd& self, json::object what) -> Task<> {
    (void)co_await self.control("click", std::move(what));
  }(*this, std::move(click)));
}

// ---- What they judge.

std::vector<std::string> Crowd::judge() const {
  std::vector<std::string> wrong = doubled_posts();
  for (const Case& one : cases_) {
    const std::string name = fmt::format("{} in {} {}", request_of(one.number, one.kind), one.channel, one.ts);
    const int answers = answers_in(one);
    if (answers != (was_given_up(one) ? 0 : 1))
      wrong.push_back(fmt::format("{}: {} answers\n{}", name, answers, said_in(one)));
    if (waits(one)) wrong.push_back(name + ": a card still waits\n" + said_in(one));
    std::ranges::move(judge_writes(one), std::back_inserter(wrong));
  }
  return wrong;
}

std::vector<std::string> Crowd::judge_writes(const Case& one) const {
  const auto& messages = simulator_.world().workspace.channels.at(kWritesTo).messages;
  const auto times = std::ranges::count_if(
      messages, [&](const Message& message) { return json::serialize(message.body).contains(written_by(one.number)); });
  const std::string name = request_of(one.number, one.kind);
  if (one.kind != CaseKind::write) {
    if (times == 0) return {};
    return {fmt::format("{}: nobody approved it, and it was written {} times", name, times)};
  }
  // Where Slack's limits did not let it find out what to ask, nobody was asked.
  const bool was_approved = one.clicked != std::chrono::steady_clock::time_point();
  if (times == 0 && !was_approved) return {};
  const std::string said = said_in(one);
  const bool is_unknown = said.contains("`post_slack_message`: it may have happened");
  // Its connection failed, a look at the channel found nothing, and the model was told so: then it must be true.
  const bool did_not_happen = said.contains("It did not happen");
  if (times == 1 && !did_not_happen) return {};
  if (times == 0 && (is_unknown || did_not_happen || was_given_up(one))) return {};
  return {fmt::format("{}: it was written {} times\n{}", name, times, said)};
}

// Each post names the delivery, or the call, that it is.
std::vector<std::string> Crowd::doubled_posts() const {
  std::map<std::string, int> posts;
  for (const auto& [id, channel] : simulator_.world().workspace.channels) {
    for (const Message& message : channel.messages) {
      const json::object* metadata = find_object(message.body, "metadata");
      const json::object* payload = metadata == nullptr ? nullptr : find_object(*metadata, "event_payload");
      if (payload != nullptr) ++posts[text_at(*payload, "key") + " in " + id];
    }
  }
  std::vector<std::string> wrong;
  for (const auto& [key, count] : posts) {
    if (count > 1) wrong.push_back(fmt::format("{} stands {} times", key, count));
  }
  return wrong;
}

}  // namespace deputy::chaos
