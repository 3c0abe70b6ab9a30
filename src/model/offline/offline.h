// The default model when no key is set: it plans by rules from the request, its intent and the offered tools.
// Deterministic: no clock, no randomness, no I/O, no state. It draws no conclusions: it calls tools, asks for what it
// cannot find and quotes the results, and it says that it is the offline planner. It reads the topics and parameters of
// tools from the registry.
#pragma once

#include "model/model.h"
#include "toolkit/registry.h"

namespace deputy::model::offline {

class OfflineModel final : public Model {
 public:
  /// The registry must outlive it.
  explicit OfflineModel(const toolkit::Registry& registry) : registry_(registry) {}

  std::string_view name() const override { return "offline"; }
  Task<Result<Reply>> ask(Request request, OnText on_text) override;
  bool concludes() const override { return false; }
  using Model::cost_of;
  std::optional<std::int64_t> cost_of(const Usage&) const override { return 0; }

 private:
  const toolkit::Registry& registry_;
};

/// The whole planner as a pure function.
Reply answer(const Request& request, const toolkit::Registry& registry);

}  // namespace deputy::model::offline
