#include "policy/grants.h"

#include "policy/persons.h"

namespace deputy::policy {

bool covers(const Grant& grant, const Call& call, const std::string& conversation, const std::string& requester,
            Timestamp now) {
  if (grant.revoked || now >= grant.ends_at) return false;
  if (grant.max_uses && grant.uses >= *grant.max_uses) return false;
  if (call.always_ask || call.never) return false;
  if (grant.tool.empty() || grant.tool != call.tool || grant.environment != call.environment) return false;
  if (grant.conversation.empty() || grant.conversation != conversation) return false;
  if (grant.holder.empty() || grant.holder != requester) return false;
  if (!grant.digest.empty()) return grant.digest == call.digest;
  return !grant.pins.empty() && grant.pins == call.pins;
}

Result<Grant> grant_from(const ApprovalRequest& approval, const GrantTerms& terms, const Settings& settings) {
  const auto refuse = [](std::string why) { return fail(ErrorKind::permission, std::move(why)); };
  const Call& call = approval.call;
  if (call.always_ask) return refuse("this call needs approval every time");
  if (takes_two_persons(approval.suspicious, settings))
    return refuse("an approval that needs two people is valid once");
  if (approval.askers.size() != 1) return refuse("a grant is for one requester, and several asked for this call");
  const Person holder = person_of(approval.askers.front(), settings);
  if (holder.kind != PersonKind::human) return refuse("grants are for people");
  if (call.pins.empty() && call.digest.empty()) return refuse("there is nothing to bind the grant to");
  if ((call.pins.empty() || call.session_pins) && call.free_text && terms.lasting == GrantDuration::thread)
    return refuse("its arguments are free text, and the tool pins none of them");

  Grant grant;
  grant.id = terms.id;
  grant.tool = call.tool;
  grant.pins = call.pins;
  if (call.pins.empty()) grant.digest = call.digest;
  grant.environment = call.environment;
  grant.conversation = terms.conversation;
  grant.holder = holder.id;
  grant.by = person_of(terms.by, settings).id;
  grant.ends_at = terms.lasting == GrantDuration::session ? kWithTheSession : terms.now + settings.grants.expiry;
  if (terms.lasting == GrantDuration::thread) grant.max_uses = settings.grants.uses;
  return grant;
}

}  // namespace deputy::policy
