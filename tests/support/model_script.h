// A model that says what a test wrote down, turn by turn:
//
//   auto model = ModelScript().calls("search_logs", {{"query", "timeout"}}).then_says("Two errors.").make();
//
// Each verb is one reply; `saying`, `uses` and `when` say more of the reply before them.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/model.h"

namespace deputy::test {

struct ScriptedCall {
  std::string tool;
  json::object arguments;
  std::optional<std::string> fault = {};
};

/// One reply of a script.
struct ScriptStep {
  std::vector<std::string> parts;  // its text, streamed one by one
  std::vector<ScriptedCall> calls;
  model::Stop stop = model::Stop::end_turn;
  model::Usage usage{.input_tokens = 100, .output_tokens = 20};
  std::optional<Error> error;
  bool hangs = false;
  std::function<bool(const model::Request&)> expects;
};

class ScriptedModel final : public model::Model {
 public:
  /// Which reply a request gets.
  enum class Order {
    asked,     // the next one; keeps count
    by_turns,  // told by the request alone, so that a process that starts again in the middle goes on there
  };

  ScriptedModel(std::vector<ScriptStep> steps, Order order, std::optional<std::int64_t> cost)
      : steps_(std::move(steps)), order_(order), cost_(cost) {}

  std::string_view name() const override { return "scripted"; }
  bool takes_images() const override { return sees_images; }
  Task<Result<model::Reply>> ask(model::Request request, model::OnText on_text) override;
  using model::Model::cost_of;
  std::optional<std::int64_t> cost_of(const model::Usage&) const override { return cost_; }

  /// Every request it saw, in order.
  const std::vector<model::Request>& requests() const { return requests_; }
  /// How many requests hang now.
  int waiting() const { return waiting_; }

  bool sees_images = false;

 private:
  std::vector<ScriptStep> steps_;
  Order order_;
  std::optional<std::int64_t> cost_;
  std::vector<model::Request> requests_;
  std::size_t asked_ = 0;
  int waiting_ = 0;
};

class ModelScript {
 public:
  ModelScript& calls(std::string tool, json::object arguments = {});
  /// Several calls in one turn.
  ModelScript& calls(std::initializer_list<ScriptedCall> calls);
  ModelScript& says(std::string text);
  ModelScript& then_says(std::string text) { return says(std::move(text)); }
  ModelScript& streams(std::vector<std::string> parts);
  ModelScript& is_cut_in_a_call();
  ModelScript& stops_at_the_limit(std::string text);
  ModelScript& refuses();
  ModelScript& overflows();
  ModelScript& fails(Error error);
  /// Never answers; hears cancellation.
  ModelScript& hangs();

  /// Text before the calls of the reply before this.
  ModelScript& saying(std::string text);
  ModelScript& uses(model::Usage usage);
  /// The reply before this is only given to such a request; another gets an error of kind internal.
  ModelScript& when(std::function<bool(const model::Request&)> expects);
  /// What every reply costs, in millionths of a dollar. Without it no price is known.
  ModelScript& costs(std::int64_t millionths);

  /// Asked beyond its end it answers an error of kind internal.
  std::shared_ptr<ScriptedModel> make() const;
  /// The same script without a memory: the number of the reply is how many turns of the assistant's follow the request,
  /// the last turn of the user's that has text and no results.
  std::shared_ptr<ScriptedModel> make_by_turns() const;

 private:
  ScriptStep& add() { return steps_.emplace_back(); }

  std::vector<ScriptStep> steps_;
  std::optional<std::int64_t> cost_;
};

}  // namespace deputy::test
