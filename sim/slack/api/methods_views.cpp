#include <algorithm>

#include "base/text.h"
#include "sim/slack/api/views.h"

namespace deputy::sim::slack {

namespace {

constexpr std::size_t kMaxStack = 3;

std::expected<Trigger*, Refusal> take_trigger(Call& call) {
  const std::string id = call.arguments.has("trigger_id") ? call.arguments.text("trigger_id")
                                                          : call.arguments.text("interactivity_pointer");
  if (id.empty()) return refuse("invalid_arguments", {"[ERROR] missing required field: trigger_id"});
  const auto found = call.workspace.triggers.find(id);
  if (found == call.workspace.triggers.end()) return refuse("invalid_trigger_id");
  if (found->second.used) return refuse("exchanged_trigger_id");
  if (call.workspace.clock.now() - found->second.made > call.world.timing.trigger) return refuse("expired_trigger_id");
  return &found->second;
}

Reply shown(Call& call, const View& view) { return json::object{{"view", call.workspace.show(view)}}; }

Reply open(Call& call) {
  TRY(Trigger* const trigger, take_trigger(call));
  TRY(json::object body, read_view(call.workspace, call.arguments.structured("view"), "modal", {}));
  trigger->used = true;
  return shown(call, add_view(call.workspace, trigger->user, std::move(body), {}));
}

Reply push(Call& call) {
  TRY(Trigger* const trigger, take_trigger(call));
  const auto below = call.workspace.views.find(trigger->view_id);
  if (below == call.workspace.views.end() || !below->second.open) return refuse("not_found");
  TRY(json::object body, read_view(call.workspace, call.arguments.structured("view"), "modal", {}));
  std::size_t depth = 1;
  for (auto at = below; !at->second.previous_id.empty(); at = call.workspace.views.find(at->second.previous_id))
    ++depth;
  if (depth >= kMaxStack) return refuse("push_limit_reached");
  trigger->used = true;
  return shown(call, add_view(call.workspace, trigger->user, std::move(body), below->first));
}

Reply update(Call& call) {
  View* view = nullptr;
  const std::string id = call.arguments.text("view_id");
  const std::string external_id = call.arguments.text("external_id");
  if (id.empty() == external_id.empty())
    return refuse("invalid_arguments", {"[ERROR] pass one of view_id and external_id"});
  for (auto& [key, candidate] : call.workspace.views) {
    if (candidate.open && (id.empty() ? text_at(candidate.body, "external_id") == external_id : key == id))
      view = &candidate;
  }
  if (view == nullptr) return refuse("not_found");
  if (call.arguments.has("hash") && call.arguments.text("hash") != view->hash) return refuse("hash_conflict");
  TRY(json::object body,
      read_view(call.workspace, call.arguments.structured("view"), text_at(view->body, "type"), view->id));
  change_view(call.workspace, *view, std::move(body));
  return shown(call, *view);
}

Reply publish(Call& call) {
  if (!call.workspace.app.home_tab) return refuse("not_enabled");
  const std::string user = call.arguments.text("user_id");
  const Person* person = call.workspace.person(user);
  if (person == nullptr || person->deleted) return refuse("invalid_arguments", {"[ERROR] invalid user_id"});
  const auto known = call.workspace.home_views.find(user);
  View* view = known == call.workspace.home_views.end() ? nullptr : &call.workspace.views.at(known->second);
  if (call.arguments.has("hash") && (view == nullptr || call.arguments.text("hash") != view->hash))
    return refuse("hash_conflict");
  TRY(json::object body,
      read_view(call.workspace, call.arguments.structured("view"), "home", view == nullptr ? "" : view->id));
  if (view == nullptr) {
    view = &add_view(call.workspace, user, std::move(body), {});
    call.workspace.home_views[user] = view->id;
  } else {
    change_view(call.workspace, *view, std::move(body));
  }
  return shown(call, *view);
}

}  // namespace

std::expected<json::object, Refusal> read_view(Workspace& workspace, const std::optional<json::value>& given,
                                               std::string_view type, std::string_view replaces) {
  if (!given || !given->is_object()) return refuse("invalid_arguments", {"[ERROR] view must be a JSON object"});
  TRY((blocks_are_fine(check_view(*given))));
  json::object body = given->get_object();
  if (text_at(body, "type") != type)
    return refuse("invalid_arguments",
                  {"[ERROR] view must be of type " + std::string(type) + " [json-pointer:/view/type]"});
  if (const std::string external_id = text_at(body, "external_id"); !external_id.empty()) {
    for (const auto& [id, view] : workspace.views) {
      if (view.open && id != replaces && text_at(view.body, "external_id") == external_id)
        return refuse("duplicate_external_id");
    }
  }
  if (json::value* blocks = body.if_contains("blocks"); blocks != nullptr && blocks->is_array())
    fill_ids(workspace, blocks->get_array());
  return body;
}

View& add_view(Workspace& workspace, const std::string& user, json::object body, const std::string& below) {
  View view = {.id = workspace.next_id("V0"), .user = user, .body = std::move(body)};
  if (const auto found = workspace.views.find(below); found != workspace.views.end()) {
    view.previous_id = below;
    view.root_id = found->second.root_id.empty() ? below : found->second.root_id;
  }
  const std::string id = view.id;
  change_view(workspace, view, std::move(view.body));
  return workspace.views[id] = std::move(view);
}

void change_view(Workspace& workspace, View& view, json::object body) {
  view.body = std::move(body);
  view.hash = workspace.next_ts().substr(0, 10) + "." + sha256_hex(workspace.next_id(view.id)).substr(0, 8);
}

std::span<const Method> view_methods() {
  static const std::vector<Method> kMethods = {
      {"views.open", Tier::four, kBot | kUser, {}, {}, {"view"}, {"interactivity_pointer", "trigger_id"}, open},
      {"views.push", Tier::four, kBot | kUser, {}, {}, {"view"}, {"interactivity_pointer", "trigger_id"}, push},
      {"views.update", Tier::four, kBot | kUser, {}, {}, {"view"}, {"external_id", "hash", "view_id"}, update},
      {"views.publish", Tier::four, kBot | kUser, {}, {}, {"user_id", "view"}, {"hash"}, publish},
  };
  return kMethods;
}

}  // namespace deputy::sim::slack
