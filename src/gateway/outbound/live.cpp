#include "gateway/outbound/live.h"

#include <fmt/format.h>

#include <boost/asio/as_tuple.hpp>
#include <deque>

#include "base/log.h"
#include "base/text.h"
#include "run/plan/messages.h"
#include "run/plan/plan_call.h"
#include "toolkit/cut.h"
#include "toolkit/step.h"

namespace deputy::gateway {

namespace {

using channel::Message;
using channel::ProgressLine;

constexpr std::string_view kEllipsis = "…";
constexpr std::size_t kMaxArgument = 100;
constexpr std::size_t kMaxSaid = 4000;  // bytes
constexpr std::chrono::seconds kMaxShow{10};

// Questions and answers to people have no progress line.
bool has_line(std::string_view tool) { return tool != run::kAskUser && tool != run::kRespondDirectly; }

ProgressLine::State state_of(run::CallStatus status) {
  if (status == run::CallStatus::success) return ProgressLine::State::done;
  if (status == run::CallStatus::denied || status == run::CallStatus::cancelled) return ProgressLine::State::denied;
  return ProgressLine::State::failed;
}

void keep_end(std::string& said, std::string_view part) {
  said += part;
  if (said.size() > kMaxSaid) said.erase(0, said.size() - kMaxSaid);
}

std::string last_line(std::string_view said) {
  while (said.ends_with('\n') || said.ends_with('\r')) said.remove_suffix(1);
  const std::size_t end = said.find_last_of("\n\r");
  return to_valid_utf8(std::string(end == std::string_view::npos ? said : said.substr(end + 1)));
}

// In a few words: the headline of its result, or what went wrong.
std::string outcome_of(const ProgressLine& line) {
  if (line.exit_code != 0) return fmt::format("exit code {}", line.exit_code);
  if (line.state == ProgressLine::State::done) return cut_with_mark(headline(line.detail), kMaxArgument);
  if (line.state == ProgressLine::State::failed) return cut_with_mark(last_line(line.detail), kMaxArgument);
  return line.state == ProgressLine::State::denied ? "not done" : std::string();
}

}  // namespace

std::string call_line(const std::string& tool, const json::object& arguments, const toolkit::Registry& registry) {
  std::string argument;
  const auto found = registry.find(tool);
  const json::value* primary = found ? arguments.if_contains((*found)->spec().primary_param) : nullptr;
  if (primary != nullptr) {
    argument = as_text(*primary);
  } else {
    for (const auto& [name, value] : arguments)
      argument += fmt::format("{}{}={}", argument.empty() ? "" : " ", as_view(name), as_text(value));
  }
  return argument.empty() ? tool : tool + " " + cut_with_mark(argument, kMaxArgument);
}

std::string headline(std::string_view result) {
  result = trim(result);
  if (result.starts_with('{') || result.starts_with('[')) return {};
  const std::size_t lines = split(result, "\n").size();
  const std::string_view first = trim(result.substr(0, result.find('\n')));
  const bool tells_it = lines == 1 || (!first.empty() && is_digit(first.front()));
  return tells_it ? std::string(first) : count_of(static_cast<std::int64_t>(lines), "line");
}

std::string working_words(const std::string& tool, const json::object& arguments, const toolkit::Registry& registry) {
  const auto found = registry.find(tool);
  std::string words = found ? toolkit::working_line((*found)->spec(), arguments) : std::string();
  if (words.empty()) words = call_line(tool, arguments, registry);
  words = cut_with_mark(to_valid_utf8(words.substr(0, words.find('\n'))), kMaxArgument);
  if (!words.ends_with(kEllipsis)) words += kEllipsis;
  return words;
}

// ---- Outbox.

class Live::Outbox : public std::enable_shared_from_this<Live::Outbox> {
 public:
  Outbox(const Channels& channels, asio::any_io_executor loop)
      : channels_(channels), loop_(std::move(loop)), emptied_(loop_) {}

  /// A part of a stream, and its end.
  struct Part {
    RunId run;
    std::string text;
  };
  struct End {
    RunId run;
    std::string text;
  };
  using Item = std::variant<Message, Part, End>;

  void push(std::string_view conversation, Item item) {
    std::deque<Item>& queue = queues_[std::string(conversation)];
    auto* part = std::get_if<Part>(&item);
    auto* before = queue.size() < 2 ? nullptr : std::get_if<Part>(&queue.back());  // the first may be in flight
    if (part != nullptr && before != nullptr && before->run == part->run) {
      before->text += part->text;
      return;
    }
    queue.push_back(std::move(item));
    if (queue.size() == 1) spawn(loop_, "live", drain(shared_from_this(), std::string(conversation)));
  }

  static Task<> flush(std::shared_ptr<Outbox> self, std::string conversation) {
    while (self->queues_.contains(conversation)) {
      self->emptied_.expires_at(std::chrono::steady_clock::time_point::max());
      co_await self->emptied_.async_wait(asio::as_tuple(asio::use_awaitable));
    }
  }

 private:
  static Task<> drain(std::shared_ptr<Outbox> self, std::string conversation) {
    for (;;) {
      const auto queue = self->queues_.find(conversation);
      if (queue == self->queues_.end()) co_return;
      const std::shared_ptr<channel::Channel> channel = self->channel_of(conversation);
      const Result<> sent =
          channel ? co_await with_timeout<void>(kMaxShow, self->send(*channel, conversation, queue->second.front()))
                  : Result<>{};
      if (!sent) log::debug("progress was not shown", {{"error", describe(sent.error())}});
      queue->second.pop_front();
      if (!queue->second.empty()) continue;
      self->queues_.erase(queue);
      self->emptied_.cancel();
    }
  }

  std::shared_ptr<channel::Channel> channel_of(std::string_view conversation) const {
    const auto found = channels_.all().find(channel::kind_of(conversation));
    return found == channels_.all().end() ? nullptr : found->second;
  }

  Task<Result<>> send(channel::Channel& channel, std::string conversation, Item item) {
    if (auto* message = std::get_if<Message>(&item)) {
      CO_TRY((co_await channel.post(std::move(conversation), std::move(*message))));
      co_return Result<>{};
    }
    if (auto* part = std::get_if<Part>(&item)) {
      auto stream = streams_.find(part->run);
      if (stream == streams_.end()) {
        Message message{.key = "stream:" + part->run.text(), .kind = Message::Kind::answer, .run = part->run};
        CO_TRY(channel::MessageRef ref, co_await channel.begin_stream(conversation, std::move(message)));
        stream = streams_.emplace(part->run, std::move(ref)).first;
      }
      co_return co_await channel.append(std::move(conversation), stream->second, std::move(part->text));
    }
    auto& end = std::get<End>(item);
    const auto stream = streams_.extract(end.run);
    if (!stream) co_return Result<>{};
    Message message{.markdown = std::move(end.text), .kind = Message::Kind::progress, .run = end.run};
    co_return co_await channel.end_stream(std::move(conversation), stream.mapped(), std::move(message));
  }

  const Channels& channels_;
  asio::any_io_executor loop_;
  std::map<std::string, std::deque<Item>> queues_;  // by conversation; the first of each is in flight
  std::map<RunId, channel::MessageRef> streams_;
  asio::steady_timer emptied_;  // cancelled when a queue becomes empty
};

Live::Live(const Channels& channels, const toolkit::Registry& registry, const asio::any_io_executor& loop)
    : channels_(channels), registry_(registry), outbox_(std::make_shared<Outbox>(channels, loop)) {}

Live::~Live() = default;

Task<> Live::flush(std::string conversation) {
  if (signs_ != nullptr) co_await signs_->flush(conversation);
  co_await Outbox::flush(outbox_, std::move(conversation));
}

// ---- Followers.

// A callback may add or remove followers, so the container is a list.
template <class Tell>
void Live::each(Tell tell) {
  for (auto at = followers_.begin(); at != followers_.end();) {
    if (const std::shared_ptr<Follower> follower = at->lock()) {
      tell(*follower);
      ++at;
    } else {
      at = followers_.erase(at);
    }
  }
}

Following Live::follow(Follower follower) {
  auto shared = std::make_shared<Follower>(std::move(follower));
  followers_.emplace_back(shared);
  return Following(std::move(shared));
}

void Live::tell() {
  each([](const Follower& follower) { follower.changed(); });
}

// ---- What runs do.

bool Live::hears_thinking() const {
  for (const auto& [name, channel] : channels_.all()) {
    if (channel->capabilities().progress) return true;
  }
  return false;
}

void Live::add_call(RunId run, const run::CallRequested& call) {
  Call& added = calls_[{run, call.id}];
  added.line = call_line(call.tool, call.arguments, registry_);
  added.words = working_words(call.tool, call.arguments, registry_);
  added.talks = !has_line(call.tool);
}

void Live::know_call(RunId run, const run::CallRequested& call) {
  if (has_line(call.tool)) by_hand_.emplace(run, std::string());
  add_call(run, call);
}

void Live::know(RunId run, const run::RunState& state) {
  if (state.finished) return;
  const run::Received& received = state.request();
  if (const Result<RunId> parent = RunId::parse(received.parent.value_or(""))) roots_.emplace(run, *parent);
  for (const auto& [id, call] : state.calls) {
    if (call.finished) continue;
    add_call(run, call.request);
    calls_[{run, id}].of_background = received.parent && received.only_call;
  }
}

void Live::show(RunId run, std::string_view conversation, const std::string& call, State state, std::string detail) {
  ProgressLine line{.call = call, .line = {}, .state = state, .detail = std::move(detail)};
  const auto root = roots_.find(run);
  line.is_child = root != roots_.end();
  if (const auto found = calls_.find({run, call}); found != calls_.end()) {
    line.line = found->second.line;
    line.in_background = found->second.of_background || found->second.in_background;
    line.exit_code = found->second.exit_code;
  }
  const RunId asked = root == roots_.end() ? run : root->second;
  each([&](const Follower& follower) {
    if (follower.progress) follower.progress(asked, run, line);
  });
  if (signs_ != nullptr) show_sign(asked, run, line);
  const channel::Channel* channel = channels_.of(conversation);
  if (channel == nullptr || !channel->capabilities().progress) return;
  outbox_->push(conversation, Message{.kind = Message::Kind::progress, .run = run, .progress = std::move(line)});
}

// Calls only: that its model thinks is no news, and the output of a call is for those who follow it.
void Live::show_sign(RunId root, RunId run, const ProgressLine& line) {
  const auto found = calls_.find({run, line.call});
  if (found == calls_.end() || found->second.talks || line.state == State::thinking) return;
  if (line.state == State::running && !line.detail.empty()) return;
  if (line.state == State::running) signs_->says(root, found->second.words);
  ProgressLine part = line;
  part.line = found->second.words;
  if (line.state != State::running && part.line.ends_with(kEllipsis))
    part.line.resize(part.line.size() - kEllipsis.size());
  part.detail = outcome_of(line);
  if (line.state == State::done && line.exit_code != 0) part.state = State::failed;
  if (run != root) part.call = run.text() + ":" + line.call;
  signs_->call(root, std::move(part));
}

void Live::on_text(RunId run, std::string_view conversation, std::string_view part) {
  each([&](const Follower& follower) {
    if (follower.text) follower.text(run, part);
  });
  if (roots_.contains(run)) return;  // the text of a child run is not for people
  if (signs_ != nullptr) signs_->text(run, part);
  // A channel that keeps the streamed text has the answer in the run's one message.
  const channel::Channel* channel = channels_.of(conversation);
  if (channel == nullptr || !channel->capabilities().stream || !channel->capabilities().progress) return;
  if (streaming_.insert(run).second) said_[run].clear();
  said_[run] += part;
  outbox_->push(conversation, Outbox::Part{run, std::string(part)});
}

void Live::end_stream(RunId run, std::string_view conversation) {
  if (streaming_.erase(run) > 0) outbox_->push(conversation, Outbox::End{run, said_[run]});
}

void Live::on_thinking(RunId run, std::string_view conversation, std::string_view part) {
  const auto found = thinking_.find(run);
  if (found == thinking_.end() || roots_.contains(run)) return;
  keep_end(found->second, part);
  show(run, conversation, {}, State::thinking, last_line(found->second));
}

void Live::on_delta(RunId run, std::string_view conversation, std::string_view call, std::string_view part) {
  const auto found = calls_.find({run, std::string(call)});
  if (found == calls_.end() || !found->second.started || found->second.talks) return;
  keep_end(found->second.said, part);
  show(run, conversation, std::string(call), State::running, last_line(found->second.said));
}

void Live::on_turn(RunId run, std::string_view conversation, const run::ModelReplied& replied) {
  thinking_.erase(run);
  if (signs_ != nullptr) signs_->end_of_turn(run);
  show(run, conversation, {}, State::gone);
  // An answer that was cut continues in the same stream.
  if (replied.stop != run::ReplyStop::max_tokens) end_stream(run, conversation);
  for (const run::CallRequested& call : replied.calls) add_call(run, call);
}

void Live::on_started(RunId run, std::string_view conversation, const std::string& call) {
  const auto found = calls_.find({run, call});
  if (found == calls_.end() || found->second.started || found->second.talks) return;
  found->second.started = true;
  show(run, conversation, call, State::running);
}

void Live::on_delegated(RunId run, std::string_view conversation, const run::Delegated& delegated) {
  const Result<RunId> child = RunId::parse(delegated.child.value_or(""));
  const auto found = calls_.find({run, delegated.call});
  if (!child || found == calls_.end()) return;
  const auto root = roots_.find(run);
  roots_.emplace(*child, root == roots_.end() ? run : root->second);
  const bool is_handed_over = delegated.kind == run::DelegateTo::background && delegated.payload.empty();
  if (!is_handed_over) return;
  found->second.in_background = true;
  Call& handed_over = calls_[{*child, delegated.call}];
  handed_over.line = found->second.line;
  handed_over.of_background = true;
  handed_over.started = true;
  show(run, conversation, delegated.call, State::handed_over, child->text());
  show(*child, conversation, delegated.call, State::running);
}

void Live::on_finished(RunId run, std::string_view conversation, const run::CallFinished& finished) {
  const std::string text = toolkit::for_people(finished.text);
  if (const auto by_hand = by_hand_.find(run); by_hand != by_hand_.end()) by_hand->second = text;
  const auto found = calls_.find({run, finished.call});
  if (found == calls_.end()) return;
  const bool is_shown = !found->second.talks && !found->second.in_background;
  // That it may have happened is said by a notice or by the answer; what it did until then only here.
  const bool is_cut_off = finished.status == run::CallStatus::unknown && text == run::message_for_unknown();
  const std::string detail = is_cut_off ? to_valid_utf8(found->second.said) : text;
  if (is_shown) show(run, conversation, finished.call, state_of(finished.status), detail);
  const bool is_whole = finished.status == run::CallStatus::success && found->second.of_background;
  if (is_shown && is_whole && shows_results(conversation)) shown_.insert(run);
  calls_.erase(found);
}

bool Live::shows_results(std::string_view conversation) const {
  const channel::Channel* channel = channels_.of(conversation);
  return channel != nullptr && channel->capabilities().progress;
}

void Live::on_replied(RunId run, std::string_view conversation, const run::Replied& replied) {
  if (signs_ != nullptr) signs_->close(run);
  end_stream(run, conversation);
  const auto said = said_.extract(run);
  const auto by_hand = by_hand_.extract(run);
  // A stream that broke off and began again has more before it.
  const bool streamed = said && trim(said.mapped()).ends_with(trim(replied.text));
  const bool is_result = shows_results(conversation) && by_hand && trim(by_hand.mapped()) == trim(replied.text);
  if (streamed || is_result) shown_.insert(run);
}

void Live::on_left(RunId run, Left how) {
  if (signs_ == nullptr) return;
  signs_->leave(run, how == Left::waits ? WorkSigns::Leaving::waits : WorkSigns::Leaving::for_others);
}

void Live::on_delivered(RunId run) {
  if (signs_ != nullptr) signs_->delivered(run);
}

void Live::on_end(RunId run, std::string_view conversation) {
  show(run, conversation, {}, State::ended);
  thinking_.erase(run);
  std::erase_if(calls_, [&](const auto& one) { return one.first.first == run; });
  end_stream(run, conversation);
  said_.erase(run);
  by_hand_.erase(run);
  roots_.erase(run);
}

void Live::on_entry(RunId run, std::string_view conversation, const run::EntryBody& body) {
  if (const auto* taken = std::get_if<run::TakenUp>(&body); taken != nullptr && signs_ != nullptr) {
    const bool is_new = taken->after == run::TakenAfter::new_run;
    if (!roots_.contains(run))
      signs_->begin(run, conversation, is_new ? WorkSigns::Taking::first : WorkSigns::Taking::again);
  }
  if (observer_) observer_(run, roots_.contains(run) ? RunKind::child : RunKind::request, body);
  if (std::holds_alternative<run::ModelCalled>(body)) {
    thinking_[run].clear();
    show(run, conversation, {}, State::thinking);
  }
  if (const auto* replied = std::get_if<run::ModelReplied>(&body)) on_turn(run, conversation, *replied);
  if (const auto* started = std::get_if<run::StepStarted>(&body)) on_started(run, conversation, started->call);
  if (const auto* done = std::get_if<run::StepDone>(&body); done != nullptr && done->data) {
    const json::value* code = done->data->if_contains(toolkit::kExitCode);
    const auto found = calls_.find({run, done->call});
    if (found != calls_.end() && code != nullptr && code->is_int64())
      found->second.exit_code = static_cast<int>(code->as_int64());
  }
  // A call that waits for people is not shown as running.
  if (const auto* asked = std::get_if<run::Asked>(&body)) {
    if (const auto found = calls_.find({run, asked->call}); found != calls_.end() && found->second.started) {
      found->second.started = false;
      show(run, conversation, asked->call, State::gone);
    }
  }
  if (const auto* delegated = std::get_if<run::Delegated>(&body)) on_delegated(run, conversation, *delegated);
  if (const auto* finished = std::get_if<run::CallFinished>(&body)) on_finished(run, conversation, *finished);
  if (const auto* replied = std::get_if<run::Replied>(&body)) on_replied(run, conversation, *replied);
  if (std::holds_alternative<run::Finished>(body)) on_end(run, conversation);
  tell();
}

}  // namespace deputy::gateway
