// Tells the app what happened, as the Events API does: only what it subscribed to, has the scope for and may see. A
// mention in a channel is told twice, as `app_mention` and as `message`.
#pragma once

#include "sim/slack/world.h"

namespace deputy::sim::slack {

/// Sends `event` when the app subscribed to `subscription` and its bot token has `scope` (empty: none is needed).
void tell(World& world, std::string_view subscription, std::string_view scope, json::object event,
          const Channel* where = nullptr);

void tell_message(World& world, const Channel& in, const Message& message);
void tell_changed(World& world, const Channel& in, const Message& now, json::object before);
void tell_deleted(World& world, const Channel& in, json::object before);
void tell_reaction(World& world, const Channel& in, const Message& message, const std::string& user,
                   std::string_view name, bool added);
void tell_joined(World& world, const Channel& in, const std::string& user, const std::string& inviter);

}  // namespace deputy::sim::slack
