#include "support/model_script.h"

#include <fmt/format.h>

#include <algorithm>

namespace deputy::test {

namespace {

using namespace model;

bool is_request(const Turn& turn) {
  if (turn.role != Role::user) return false;
  bool text = false;
  for (const Block& block : turn.blocks) {
    if (std::holds_alternative<CallResult>(block)) return false;
    text = text || std::holds_alternative<Text>(block);
  }
  return text;
}

std::size_t turns_since_request(const Request& request) {
  std::size_t turns = 0;
  for (const Turn& turn : request.turns) {
    if (is_request(turn)) turns = 0;
    if (turn.role == Role::assistant) ++turns;
  }
  return turns;
}

Reply reply_of(const ScriptStep& step, std::size_t number) {
  Reply reply{.blocks = {}, .stop = step.stop, .usage = step.usage};
  std::string text;
  for (const std::string& part : step.parts) text += part;
  if (!text.empty()) reply.blocks.emplace_back(Text{std::move(text)});
  for (const ScriptedCall& call : step.calls) {
    reply.blocks.emplace_back(Call{fmt::format("scripted_{}_{}", number + 1, reply.blocks.size() + 1), call.tool,
                                   call.arguments, call.fault});
  }
  return reply;
}

/// Waits for a moment that does not come; ends by cancellation.
Task<> wait_for_ever() {
  asio::steady_timer timer(co_await asio::this_coro::executor, asio::steady_timer::time_point::max());
  co_await timer.async_wait(asio::use_awaitable);
}

class Counted {
 public:
  explicit Counted(int& count) : count_(count) { ++count_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --count_; }

 private:
  int& count_;
};

}  // namespace

Task<Result<Reply>> ScriptedModel::ask(Request request, OnText on_text) {
  const std::size_t number = order_ == Order::by_turns ? turns_since_request(request) : asked_++;
  requests_.push_back(request);
  if (number >= steps_.size()) co_return fail(ErrorKind::internal, "the script is over");
  const ScriptStep& step = steps_[number];
  if (step.expects && !step.expects(request)) {
    co_return fail(ErrorKind::internal, fmt::format("reply {} of the script is for another request", number + 1));
  }
  if (on_text) {
    for (const std::string& part : step.parts) on_text(part);
  }
  if (step.hangs) {
    const Counted counted(waiting_);
    co_await wait_for_ever();
  }
  if (step.error) co_return std::unexpected(*step.error);
  co_return reply_of(step, number);
}

ModelScript& ModelScript::calls(std::string tool, json::object arguments) {
  ScriptStep& step = add();
  step.calls.push_back({std::move(tool), std::move(arguments)});
  step.stop = Stop::calls;
  return *this;
}

ModelScript& ModelScript::calls(std::initializer_list<ScriptedCall> calls) {
  ScriptStep& step = add();
  step.calls = calls;
  step.stop = Stop::calls;
  return *this;
}

ModelScript& ModelScript::says(std::string text) {
  add().parts.push_back(std::move(text));
  return *this;
}

ModelScript& ModelScript::streams(std::vector<std::string> parts) {
  add().parts = std::move(parts);
  return *this;
}

ModelScript& ModelScript::is_cut_in_a_call() {
  add().stop = Stop::cut_call;
  return *this;
}

ModelScript& ModelScript::stops_at_the_limit(std::string text) {
  says(std::move(text));
  steps_.back().stop = Stop::max_tokens;
  return *this;
}

ModelScript& ModelScript::refuses() {
  add().stop = Stop::refusal;
  return *this;
}

ModelScript& ModelScript::overflows() {
  add().stop = Stop::overflow;
  return *this;
}

ModelScript& ModelScript::fails(Error error) {
  add().error = std::move(error);
  return *this;
}

ModelScript& ModelScript::hangs() {
  add().hangs = true;
  return *this;
}

ModelScript& ModelScript::saying(std::string text) {
  steps_.at(steps_.size() - 1).parts = {std::move(text)};
  return *this;
}

ModelScript& ModelScript::uses(Usage usage) {
  steps_.at(steps_.size() - 1).usage = usage;
  return *this;
}

ModelScript& ModelScript::when(std::function<bool(const Request&)> expects) {
  steps_.at(steps_.size() - 1).expects = std::move(expects);
  return *this;
}

ModelScript& ModelScript::costs(std::int64_t millionths) {
  cost_ = millionths;
  return *this;
}

std::shared_ptr<ScriptedModel> ModelScript::make() const {
  return std::make_shared<ScriptedModel>(steps_, ScriptedModel::Order::asked, cost_);
}

std::shared_ptr<ScriptedModel> ModelScript::make_by_turns() const {
  return std::make_shared<ScriptedModel>(steps_, ScriptedModel::Order::by_turns, cost_);
}

}  // namespace deputy::test
