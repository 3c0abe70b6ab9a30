#include "app/run_metrics.h"

#include <algorithm>

namespace deputy::app {

namespace {

using observe::MetricName;

const MetricName kRequests{"deputy_requests_total", "Requests that ended, by outcome"};
const MetricName kResponse{"deputy_response_seconds", "Time from a request to its end, waiting for people included"};
const MetricName kReplies{"deputy_model_replies_total", "Replies of models, by why they stopped"};
const MetricName kTokens{"deputy_model_tokens_total", "Tokens that models used"};
const MetricName kDollars{"deputy_model_cost_dollars_total", "What models cost, where a price is known"};
const MetricName kCalls{"deputy_calls_total", "Calls of tools that ended, by tool and status"};
const MetricName kLimits{"deputy_limit_hits_total", "Runs that met a limit, by limit"};
const std::vector<double> kSeconds{0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 900, 3600};

// Losing it only makes calls count as those of an unknown tool.
constexpr std::size_t kMaxOpenCalls = 20'000;

template <class Choice>
std::string word_of(Choice value) {
  for (const auto& [choice, word] : choices_of(Choice{})) {
    if (choice == value) return std::string(word);
  }
  return "unknown";
}

}  // namespace

void RunMetrics::on_entry(RunId run, gateway::RunKind kind, const run::EntryBody& body) {
  if (const auto* replied = std::get_if<run::ModelReplied>(&body)) on_replied(run, *replied);
  if (const auto* finished = std::get_if<run::CallFinished>(&body)) on_call_finished(run, *finished);
  if (const auto* limited = std::get_if<run::Limited>(&body)) {
    metrics_.add(kLimits, {{"limit", word_of(limited->what)}});
    summary_.limit_hit();
  }
  if (const auto* finished = std::get_if<run::Finished>(&body)) on_finished(run, kind, *finished);
}

void RunMetrics::on_replied(RunId run, const run::ModelReplied& replied) {
  constexpr double kMillionths = 1e6;
  metrics_.add(kReplies, {{"stop", word_of(replied.stop)}});
  metrics_.add(kTokens, {}, static_cast<double>(std::max<std::int64_t>(replied.tokens, 0)));
  metrics_.add(kDollars, {}, static_cast<double>(std::max<std::int64_t>(replied.cost, 0)) / kMillionths);
  if (replied.stop == run::ReplyStop::max_tokens || replied.stop == run::ReplyStop::cut_call) summary_.truncation();
  if (tools_.size() > kMaxOpenCalls) tools_.clear();
  for (const run::CallRequested& call : replied.calls) tools_.insert_or_assign({run, call.id}, call.tool);
}

// A model may name any tool: only those that exist become labels.
void RunMetrics::on_call_finished(RunId run, const run::CallFinished& finished) {
  const auto found = tools_.find({run, finished.call});
  const auto tool = found == tools_.end() ? fail(ErrorKind::not_found, "") : registry_.find(found->second);
  metrics_.add(kCalls, {{"tool", tool ? (*tool)->spec().name : "unknown"}, {"status", word_of(finished.status)}});
  if (found != tools_.end()) tools_.erase(found);
}

void RunMetrics::on_finished(RunId run, gateway::RunKind kind, const run::Finished& finished) {
  tools_.erase(tools_.lower_bound({run, ""}),
               std::ranges::find_if(tools_.lower_bound({run, ""}), tools_.end(),
                                    [&](const auto& one) { return one.first.first != run; }));
  if (kind == gateway::RunKind::child) return;
  const auto took = std::max(clock_.now() - run.ulid().time(), std::chrono::milliseconds(0));
  metrics_.add(kRequests, {{"outcome", word_of(finished.outcome)}});
  metrics_.observe(kResponse, kSeconds, std::chrono::duration<double>(took).count());
  using End = observe::RequestSummary::End;
  summary_.request(finished.outcome == run::RunOutcome::failed ? End::failed : End::answered, took);
}

}  // namespace deputy::app
