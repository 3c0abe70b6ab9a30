// A run as turns of a conversation with its model: the thread, the request with its context, the model's text, thinking
// and calls, their results, and notes. The same state gives the same turns, and a longer journal the same beginning,
// until something no longer fits: prompt caches and thinking need that. Pure.
//
// Text of others stands between tags that name it as data. Nothing in it, nor in its writer's name, can end the tag.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"
#include "run/journal/state.h"

namespace deputy::run {

inline constexpr std::string_view kNoMoreTools =
    "(No more tool calls are possible. Answer with what you have found, and say what is missing.)";

/// The way to show an earlier run: as it was sent, or with shortened results and without thinking, which counts only
/// behind what was sent.
enum class Results { as_sent, shortened };

class Turns {
 public:
  explicit Turns(std::vector<model::Turn> before = {}) : turns_(std::move(before)) {}

  /// Neighbours of one role are one turn.
  void add(model::Role role, model::Block block);
  void say(model::Role role, std::string text);

  /// The thread, the request, and the turns so far. After an overflow older results are shown shorter; after a summary
  /// it stands for the turns it was made of.
  void add_run(const RunState& state, Results results = Results::as_sent);
  /// The same of a run that has ended, up to its answer and without its images.
  void add_ended_run(const RunState& state, Results results);

  std::vector<model::Turn> take() { return std::move(turns_); }

 private:
  void add_thread(const RunState& state);
  void add_images(const RunState& state);
  void add_summary(const RunState& state);
  void add_model_turn(std::size_t item, const RunState& state, Results results);
  void add_reply(const ModelTurn& turn, const RunState& state, Results results);

  std::vector<model::Turn> turns_;
};

/// <tag>, the text, </tag>.
std::string quoted(std::string_view tag, std::string_view text);

/// The same with the writer's name in the first tag.
std::string quoted_from(std::string_view tag, std::string_view writer, std::string_view text);

}  // namespace deputy::run
