// The summary turn: when the turns do not fit the model even with their results cut short, the model is asked what it
// has found so far, and its summary stands for those turns from then on. The journal keeps everything, and read_result
// still reads the results.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "model/model.h"
#include "redact/redact.h"
#include "run/journal/state.h"

namespace deputy::run {

/// The parts of a summary: the request, an earlier summary, and every turn since with its results and notes.
struct SummaryWork {
  struct Passage {
    std::string heading;
    std::string text;
  };
  std::string request;
  std::vector<Passage> passages;
  std::size_t items = 0;       // of the transcript that it will stand for: whole turns only
  std::size_t characters = 0;  // with how many to try first
  int max_tokens = 0;
};

SummaryWork summary_work(const RunState& state, int max_tokens);

/// At most about `characters` of it; what is older is left out first, and said. It holds no calls.
model::Request summary_request(const SummaryWork& work, std::size_t characters);

/// Asks with half as much each time that it does not fit. Always an entry: the summary, or why there is none.
Task<Summarised> ask_for_summary(std::shared_ptr<model::Model> model, SummaryWork work, redact::Redactor redactor);

}  // namespace deputy::run
