// What a conversation costs to show: over forty exchanges the size of each request and the share of it that a prompt
// cache could serve, and the CPU to build a request with 2,000 entries behind it.

#include <fmt/format.h>

#include <ctime>

#include "model/messages.h"
#include "model/thinking.h"
#include "run/journal/fold.h"
#include "run/prompt/memory.h"
#include "run/prompt/prompt.h"
#include "sized.h"

namespace {

using namespace deputy;
using run::EarlierRun;
using run::RunState;

constexpr int kExchanges = 40;
constexpr std::size_t kMaxMemory = 40'000UL * 4;  // characters: limits.memory_tokens
constexpr double kTarget = 5;                     // ms
constexpr std::size_t kEntries = 2000;

double cpu_ms() { return static_cast<double>(std::clock()) * 1000 / CLOCKS_PER_SEC; }

/// One exchange as rows of a journal: a request, two calls with results, an answer.
class Exchange {
 public:
  explicit Exchange(int number, int tool_turns = 1) {
    add(run::Received{
        .text = fmt::format("show me the errors of service {}", number), .requester = "ana", .name = "Ana"});
    add(run::TakenUp{"bench", run::TakenAfter::new_run});
    add(run::Enriched{.context = "[It is 2026-11-16 08:00 UTC]"});
    for (int turn = 0; turn < tool_turns; ++turn) call(number, turn);
    add(run::ModelCalled{"bench", "p", "t", 16'000});
    const std::string answer =
        fmt::format("Service {} has 12 timeouts to the payment gateway, the last at 04:05.", number);
    add(run::ModelReplied{.text = answer, .calls = {}, .stop = run::ReplyStop::end_turn});
    add(run::Replied{answer});
    add(run::Finished{run::RunOutcome::answered});
  }

  const std::vector<store::EntryRow>& rows() const { return rows_; }

 private:
  void add(const run::EntryBody& body) { rows_.push_back(run::encode(body, from_millis(1'700'000'000'000))); }
  void call(int number, int turn) {
    add(run::ModelCalled{"bench", "p", "t", 16'000});
    run::ModelReplied reply{.text = "Looking.", .calls = {}, .stop = run::ReplyStop::calls};
    for (const int i : {1, 2}) {
      const std::string id = fmt::format("call_{}_{}_{}", number, turn, i);
      reply.calls.push_back(
          {id, "search_logs", {{"query", "timeout"}, {"service", fmt::format("service-{}", number)}}});
    }
    add(reply);
    for (const run::CallRequested& one : reply.calls) {
      std::string result;
      for (int line = 0; line < 20; ++line)
        result +=
            fmt::format("2026-11-16T04:{:02}:00Z error service-{} timeout after 30 s calling payments\n", line, number);
      add(run::CallFinished{one.id, run::CallStatus::success, result});
    }
  }

  std::vector<store::EntryRow> rows_;
};

std::shared_ptr<const RunState> state_of(const std::vector<store::EntryRow>& rows) {
  RunState state;
  for (const store::EntryRow& row : rows) state = fold(std::move(state), run::decode(row).value());
  return std::make_shared<const RunState>(std::move(state));
}

run::Prompt make_prompt() {
  std::vector<model::ToolDescription> tools;
  for (int i = 0; i < 25; ++i)
    tools.push_back({fmt::format("tool_{}", i), std::string(200, 'd'), {{"type", "object"}}});
  return {std::string(3000, 's'), std::move(tools)};
}

json::object body_of(model::Request request) {
  static const model::Manner kManner{.model = "claude-sonnet-5-5"};
  model::keep_own_thinking(request, "anthropic/claude-sonnet-5-5@bench");
  return model::body_in_messages(request, {.manner = kManner, .second_try = {}}).body;
}

/// Bytes of two bodies that are the same from the beginning on: system, tools, then whole messages.
std::size_t shared_bytes(const json::object& before, const json::object& now) {
  std::size_t shared = json::serialize(now.at("system")).size() + json::serialize(now.at("tools")).size();
  const json::array& old_messages = before.at("messages").as_array();
  const json::array& messages = now.at("messages").as_array();
  for (std::size_t i = 0; i < std::min(old_messages.size(), messages.size()); ++i) {
    json::value one = old_messages[i];
    json::value other = messages[i];
    for (json::value* message : {&one, &other}) {
      for (json::value& block : message->at("content").as_array()) block.as_object().erase("cache_control");
    }
    if (one != other) break;
    shared += json::serialize(other).size();
  }
  return shared;
}

void measure_conversation(int exchanges) {
  const run::Prompt prompt = make_prompt();
  std::vector<EarlierRun> all;
  run::MemoryShown shown;
  json::object before;
  double served = 0;
  double sent = 0;
  fmt::print("exchange  bytes  from cache\n");
  for (int i = 0; i < exchanges; ++i) {
    std::vector<EarlierRun> earlier(all.end() - std::min<std::ptrdiff_t>(std::ssize(all), std::ssize(shown.runs) + 1),
                                    all.end());
    if (!earlier.empty()) shown = run::remember(shown, earlier, kMaxMemory);
    earlier.erase(earlier.begin(), earlier.end() - std::ssize(shown.runs));
    const Exchange exchange(i);
    RunState state;
    for (std::size_t row = 0; row < 3; ++row) state = fold(std::move(state), run::decode(exchange.rows()[row]).value());
    json::object body =
        body_of(run::request_of(state, run::memory_turns(shown, earlier), prompt, 16'000, model::Calls::allowed));
    const std::size_t size = json::serialize(body).size();
    const std::size_t same = before.empty() ? 0 : shared_bytes(before, body);
    fmt::print("{:8} {:6}  {:3.0f} %{}\n", i + 1, size, 100.0 * static_cast<double>(same) / static_cast<double>(size),
               shown.shortened + shown.summed_up > 0
                   ? fmt::format("  (compacted: {} shortened, {} summed up, {} left out)", shown.shortened,
                                 shown.summed_up, shown.left_out)
                   : "");
    sent += static_cast<double>(size);
    served += static_cast<double>(same);
    before = std::move(body);
    all.push_back({fmt::format("r{:03}", i), state_of(exchange.rows())});
  }
  fmt::print("of all that was sent a cache could serve {:.0f} %\n", 100 * served / sent);
}

void measure_building(int rounds) {
  const run::Prompt prompt = make_prompt();
  // Forty runs of fifty entries: those before, and the one that is worked on.
  std::vector<Exchange> exchanges;
  std::size_t entries = 0;
  for (int i = 0; entries < kEntries; ++i) {
    exchanges.emplace_back(i, /*tool_turns=*/10);
    entries += exchanges.back().rows().size();
  }
  double reading = 0;
  double building = 0;
  for (int round = 0; round < rounds; ++round) {
    const double begun = cpu_ms();
    std::vector<EarlierRun> earlier;
    earlier.reserve(exchanges.size());
    for (std::size_t i = 0; i < exchanges.size(); ++i)
      earlier.push_back({fmt::format("r{:03}", i), state_of(exchanges[i].rows())});
    const run::MemoryShown shown = run::remember({}, earlier, kMaxMemory);
    const double read = cpu_ms();
    earlier.erase(earlier.begin(), earlier.end() - std::ssize(shown.runs));
    const RunState& state = *earlier.back().state;
    const json::object body =
        body_of(run::request_of(state, run::memory_turns(shown, earlier), prompt, 16'000, model::Calls::allowed));
    reading += read - begun;
    building += cpu_ms() - read;
    if (body.empty()) std::abort();
  }
  fmt::print(
      "a request with {} entries behind it: {:.2f} ms CPU to build (target {}), after {:.2f} ms once a run to read "
      "and fold their journals\n",
      entries, building / rounds, kTarget, reading / rounds);
}

}  // namespace

int main() {
  measure_conversation(deputy::bench::sized(kExchanges, 5));
  measure_building(deputy::bench::sized(50, 1));
  return 0;
}
