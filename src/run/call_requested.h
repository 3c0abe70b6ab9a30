// One wish of the model, as journals hold it: in its reply, and where another run is to act on it.
#pragma once

#include <optional>
#include <string>

#include "base/fields.h"

namespace deputy::run {

/// One wish of the model. Its id is the run's own.
struct CallRequested {
  std::string id;
  std::string tool;
  json::object arguments;
  std::optional<std::string> fault = {};        // why it is not run as the model gave it, for the model
  std::optional<std::string> provider_id = {};  // what the model's API calls it, where that is something else

  template <class Fields>
  static void fields(Fields& f) {
    using B = CallRequested;
    f.required(&B::id, "id", "The call");
    f.required(&B::tool, "tool", "Which tool");
    f.required(&B::arguments, "arguments", "As the model gave them");
    f.optional(&B::fault, "fault", "What is wrong with it, so that it is not run");
    f.optional(&B::provider_id, "provider_id", "What the model's API calls it");
  }
};

}  // namespace deputy::run
