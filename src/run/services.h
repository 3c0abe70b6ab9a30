// What runs work with. All of it outlives them.
#pragma once

#include <functional>
#include <memory>

#include "base/clock.h"
#include "model/model.h"
#include "run/person_slots.h"
#include "run/prompt.h"
#include "run/redaction.h"
#include "run/rules.h"
#include "run/surroundings.h"
#include "store/retry.h"
#include "store/store.h"
#include "toolkit/executor.h"
#include "toolkit/registry.h"

namespace deputy::run {

using CurrentModel = std::function<std::shared_ptr<model::Model>()>;

struct Services {
  store::Store& store;
  const Clock& clock;
  const toolkit::Registry& registry;
  toolkit::Executor& executor;
  Surroundings& surroundings;
  CurrentRules rules;
  CurrentModel model;
  Redaction redaction;
  Watcher* watcher = nullptr;    // nobody watches
  CurrentModel fast_model = {};  // for small questions; empty, or giving nothing: there is none
  std::shared_ptr<Prompts> prompts = std::make_shared<Prompts>();
  /// As the claims last read it: at most a second old.
  std::shared_ptr<store::BrakeRow> brake = std::make_shared<store::BrakeRow>();
  std::shared_ptr<PersonSlots> slots = std::make_shared<PersonSlots>();
  /// Of whoever owns a run with a store that is busy or full; it ends when this instance stops.
  std::shared_ptr<store::Patience> patience = std::make_shared<store::Patience>();
};

/// Nothing where there is none.
inline std::shared_ptr<model::Model> fast_model_of(const Services& services) {
  return services.fast_model ? services.fast_model() : nullptr;
}

}  // namespace deputy::run
