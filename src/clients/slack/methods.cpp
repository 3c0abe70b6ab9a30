#include "clients/slack/methods.h"

#include <algorithm>
#include <array>

namespace deputy::clients::slack {

namespace {

constexpr int kTier1 = 1;
constexpr int kTier2 = 20;
constexpr int kTier3 = 50;
constexpr int kTier4 = 100;
constexpr int kSpecial = 300;

constexpr auto kMethods = std::to_array<Method>({
    {"apps.connections.open", kTier1, true},
    {"apps.manifest.create", kTier1},
    {"assistant.search.context", kTier2, true},
    {"assistant.threads.setStatus", kSpecial, true},
    {"assistant.threads.setSuggestedPrompts", kTier4, true},
    {"assistant.threads.setTitle", kTier4, true},
    {"auth.test", kSpecial, true},
    {"bots.info", kTier3, true},
    {"chat.appendStream", kTier4},
    {"chat.delete", kTier3, true},
    {"chat.getPermalink", kSpecial, true},
    {"chat.postEphemeral", kTier4},
    {"chat.postMessage", kSpecial, false, true},
    {"chat.startStream", kTier2},
    {"chat.stopStream", kTier2},
    {"chat.update", kTier3, true},
    {"conversations.history", kTier3, true},
    {"conversations.info", kTier3, true},
    {"conversations.list", kTier2, true},
    {"conversations.members", kTier4, true},
    {"conversations.open", kTier3, true},
    {"conversations.replies", kTier3, true},
    {"files.completeUploadExternal", kTier4},
    {"files.getUploadURLExternal", kTier4, true},
    {"files.info", kTier4, true},
    {"reactions.add", kTier3, true},
    {"reactions.remove", kTier2, true},
    {"search.messages", kTier2, true},
    {"team.info", kTier3, true},
    {"usergroups.list", kTier2, true},
    {"usergroups.users.list", kTier2, true},
    {"users.conversations", kTier3, true},
    {"users.info", kTier4, true},
    {"users.list", kTier2, true},
    {"users.lookupByEmail", kTier3, true},
    {"views.open", kTier4},
    {"views.publish", kTier4, true},
    {"views.push", kTier4},
    {"views.update", kTier4, true},
});
static_assert(std::ranges::is_sorted(kMethods, {}, &Method::name));

}  // namespace

const Method* find_method(std::string_view name) {
  const auto found = std::ranges::lower_bound(kMethods, name, {}, &Method::name);
  return found != kMethods.end() && found->name == name ? &*found : nullptr;
}

}  // namespace deputy::clients::slack
