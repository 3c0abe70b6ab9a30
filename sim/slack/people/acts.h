// What people and other bots do by themselves: write, edit, delete, react, upload, come and go, open the app's home,
// talk to its assistant, stop it. Each takes what the control API was given; an error means that they could not do it.
#pragma once

#include "sim/slack/world.h"

namespace deputy::sim::slack {

Result<json::object> say(World& world, const json::object& wanted);
Result<json::object> edit(World& world, const json::object& wanted);
Result<json::object> take_back(World& world, const json::object& wanted);
Result<json::object> react(World& world, const json::object& wanted);
Result<json::object> upload(World& world, const json::object& wanted);
Result<json::object> invite(World& world, const json::object& wanted);
Result<json::object> leave(World& world, const json::object& wanted);
Result<json::object> open_home(World& world, const json::object& wanted);
Result<json::object> open_assistant(World& world, const json::object& wanted);
Result<json::object> change_context(World& world, const json::object& wanted);
Result<json::object> stop_agent(World& world, const json::object& wanted);
Result<json::object> rename_session(World& world, const json::object& wanted);

}  // namespace deputy::sim::slack
