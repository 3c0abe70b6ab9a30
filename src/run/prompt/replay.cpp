#include "run/prompt/replay.h"

#include <fmt/format.h>

#include "run/journal/fold.h"
#include "run/plan/consistency.h"
#include "run/plan/plan.h"
#include "run/prompt/prompt.h"

namespace deputy::run {

namespace {

// The tools of this very request: journals exist whose requests left them out when no more calls were possible.
Result<Prompt> kept_prompt(const ModelCalled& called, const KeptText& text) {
  Prompt prompt;
  TRY(prompt.system, text(called.prompt));
  TRY(const std::string tools, text(called.tools));
  TRY(prompt.tools, model::read_tools(tools));
  return prompt;
}

Result<ReplayedTurn> replay_turn(const RunState& before, Seq seq, const ModelCalled& called, const KeptText& text,
                                 const Memory& memory) {
  if (!before.received) return fail(ErrorKind::invalid_input, "the model is asked without a request");
  TRY(const Prompt prompt, kept_prompt(called, text));
  std::vector<model::Turn> remembered;
  if (const MemoryShown* shown = before.memory()) {
    TRY(remembered, memory(*shown, before.memory_cut));
  }
  return ReplayedTurn{seq, called.model,
                      request_of(before, std::move(remembered), prompt, called.max_tokens, calls_possible(before))};
}

std::string line_of(model::Role role, const model::Block& block) {
  struct Printer {
    std::string_view who;
    std::string operator()(const model::Text& text) const { return fmt::format("{}: {}", who, text.text); }
    std::string operator()(const model::Call& call) const {
      return fmt::format("{} calls {} as {}: {}", who, call.tool, call.id, json::serialize(call.arguments));
    }
    std::string operator()(const model::CallResult& result) const {
      return fmt::format("{} of {}: {}", result.failed ? "failure" : "result", result.call, result.text);
    }
    std::string operator()(const model::Image& image) const {
      return fmt::format("{} shows an image ({}, {})", who, image.media_type, image.digest.substr(0, 12));
    }
    std::string operator()(const model::Thinking&) const { return fmt::format("{} thought (not shown)", who); }
  };
  return std::visit(Printer{role == model::Role::user ? "user" : "assistant"}, block);
}

std::vector<std::string> lines_of(const model::Request& request) {
  std::vector<std::string> lines;
  for (const model::Turn& turn : request.turns) {
    for (const model::Block& block : turn.blocks) lines.push_back(line_of(turn.role, block));
  }
  return lines;
}

}  // namespace

Result<Replay> replay(std::span<const store::EntryRow> journal, const KeptText& text, const Memory& memory) {
  Replay replayed;
  RunState state;
  for (const store::EntryRow& row : journal) {
    TRY(const Entry entry, decode(row));
    const auto say = [&](const std::string& problem) {
      replayed.problems.push_back(fmt::format("entry {}: {}", row.seq, problem));
    };
    for (const std::string& problem : problems_of(state, entry)) say(problem);
    if (const auto* called = std::get_if<ModelCalled>(&entry.body)) {
      Result<ReplayedTurn> turn = replay_turn(state, row.seq, *called, text, memory);
      if (turn) {
        replayed.turns.push_back(*std::move(turn));
      } else {
        say(fmt::format("its request cannot be rebuilt: {}", describe(turn.error())));
      }
    }
    state = fold(std::move(state), entry);
  }
  for (const std::string& problem : problems_at_end(state)) replayed.problems.push_back("at the end: " + problem);
  if (state.finished) replayed.outcome = name(state.finished->outcome);
  return replayed;
}

std::string print(const Replay& replay) {
  std::string text;
  std::vector<std::string> before;
  for (std::size_t i = 0; i < replay.turns.size(); ++i) {
    const ReplayedTurn& turn = replay.turns[i];
    text += fmt::format("request {} (entry {}): {}, {} tools, at most {} tokens\n", i + 1, turn.seq, turn.model,
                        turn.request.tools.size(), turn.request.max_tokens);
    std::vector<std::string> lines = lines_of(turn.request);
    const auto first_new = std::ranges::mismatch(lines, before).in1;
    for (auto line = first_new; line != lines.end(); ++line) text += "  " + *line + "\n";
    before = std::move(lines);
  }
  text += fmt::format("outcome: {}\n", replay.outcome.empty() ? "not finished" : replay.outcome);
  for (const std::string& problem : replay.problems) text += "problem: " + problem + "\n";
  return text;
}

}  // namespace deputy::run
