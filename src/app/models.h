// The models there are. To add one: implement Model in model/<name>/ and give it here where settings name it.
#pragma once

#include <memory>

#include "app/settings.h"
#include "model/model.h"

namespace deputy::app {

/// The model that settings name; the offline planner where no key is set.
std::shared_ptr<model::Model> make_model(const ModelsSettings& settings);

}  // namespace deputy::app
