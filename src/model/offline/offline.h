// The embedded default when no key is set: a model that plans by rule, from the request's own words, the intent and the
// tools it is offered. Deterministic: no clock, no chance, no I/O, nothing kept. It never concludes: it calls tools,
// asks for what it cannot find and quotes what it got, saying that it is the offline planner. What tools are about and
// what their parameters are it reads from the registry.
#pragma once

#include "model/model.h"
#include "toolkit/registry.h"

namespace deputy::model::offline {

class OfflineModel final : public Model {
 public:
  /// The registry outlives it.
  explicit OfflineModel(const toolkit::Registry& registry) : registry_(registry) {}

  std::string_view name() const override { return "offline"; }
  Task<Result<Reply>> ask(Request request, OnText on_text) override;
  using Model::cost_of;
  std::optional<std::int64_t> cost_of(const Usage&) const override { return 0; }

 private:
  const toolkit::Registry& registry_;
};

/// What it answers: the whole of the planner as a function.
Reply answer(const Request& request, const toolkit::Registry& registry);

}  // namespace deputy::model::offline
