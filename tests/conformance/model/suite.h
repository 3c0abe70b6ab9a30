// What every Model must do. An implementation says how to have one that plays a part, and instantiates ModelTest with
// it (factories.cpp); the cases know nothing of it. A part has one request for all: a planner finds its part in the
// words and the tools, a script or a stand-in for a provider's API is told it.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

#include "model/model.h"

namespace deputy::model {

enum class Part {
  answers_in_words,
  makes_one_call,
  makes_two_calls,
  tells_what_it_found,  // after a call
  waits,                // does not answer
};

/// The request of a part.
Request request_for(Part part);

struct Implementation {
  std::string name;
  /// A model that plays the part in the next request; null when it cannot. The loop outlives it.
  std::function<std::shared_ptr<Model>(asio::io_context& loop, Part part)> make;
  /// The same request gets the same reply.
  bool deterministic = false;
  /// What it must say that this costs, in millionths of a dollar; nothing where no price is known.
  std::function<std::optional<std::int64_t>(const Usage& usage)> cost;
};

inline void PrintTo(const Implementation& implementation, std::ostream* out) { *out << implementation.name; }

class ModelTest : public testing::TestWithParam<Implementation> {};

}  // namespace deputy::model
