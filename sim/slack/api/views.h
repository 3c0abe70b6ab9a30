// Modals and App Homes: what views.* and the answers to submissions share.
#pragma once

#include "sim/slack/api/web_api.h"

namespace deputy::sim::slack {

/// Checks a view that the app sent. `replaces` is the view it takes the place of; empty: none.
std::expected<json::object, Refusal> read_view(Workspace& workspace, const std::optional<json::value>& given,
                                               std::string_view type, std::string_view replaces);

/// Opens a view for a person, on top of the view `below` (empty: none).
View& add_view(Workspace& workspace, const std::string& user, json::object body, const std::string& below);

/// Gives a view new content and with it a new hash.
void change_view(Workspace& workspace, View& view, json::object body);

}  // namespace deputy::sim::slack
