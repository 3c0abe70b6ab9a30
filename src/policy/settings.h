// Settings about who may do what: `people`, `roles`, `access`, `policy`, `approvals`, `grants`, `questions`, and the
// rules that every key of `channels` may set. Each struct is one key; `Settings` holds all of them. Rules that involve
// more than one key are in check.h.
//
// Nothing here names a platform: each channel brings its own kind.
#pragma once

#include <array>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/fields.h"

namespace deputy::policy {

enum class Mode { allow_all, allowlist, ask, deny_all };

constexpr auto choices_of(Mode) {
  return std::to_array<std::pair<Mode, std::string_view>>({{Mode::allow_all, "allow_all"},
                                                           {Mode::allowlist, "allowlist"},
                                                           {Mode::ask, "ask"},
                                                           {Mode::deny_all, "deny_all"}});
}

/// Who may continue a thread without a mention.
enum class Follow { mention, requester, all };

constexpr auto choices_of(Follow) {
  return std::to_array<std::pair<Follow, std::string_view>>(
      {{Follow::mention, "mention"}, {Follow::requester, "requester"}, {Follow::all, "all"}});
}

/// Limit of entries in a list: far more than people write, few enough to compare one by one.
constexpr std::size_t kMaxEntries = 1000;

struct PersonSettings {
  std::string email;
  std::map<std::string, std::string> accounts;  // channel kind to account id

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&PersonSettings::email, "email", "Joins the accounts of full members that have this e-mail address");
    f.rest(&PersonSettings::accounts, "<channel>", "The account's id on that channel, such as T1/U1; never a name");
  }
};

struct RoleSettings {
  std::vector<std::string> people;
  std::vector<std::string> groups;
  std::vector<std::string> may;
  std::optional<std::vector<std::string>> environments;
  std::vector<std::string> approve;

  template <class Fields>
  static void fields(Fields& f) {
    using R = RoleSettings;
    f.optional(&R::people, "people", "Who is in it: names of people, account ids, e-mails").items(0, kMaxEntries);
    f.optional(&R::groups, "groups", "Ids of groups whose members are in it").items(0, kMaxEntries);
    f.optional(&R::may, "may", "The categories of tools they may use; none when left out").items(0, kMaxEntries);
    f.optional(&R::environments, "environments",
               "The environments in which they may use and approve; all when left out")
        .items(0, kMaxEntries);
    f.optional(&R::approve, "approve", "The categories or tools whose calls they may approve").items(0, kMaxEntries);
  }
};

struct AccessSettings {
  std::optional<std::vector<std::string>> people;
  std::optional<std::vector<std::string>> groups;
  std::optional<std::vector<std::string>> channels;
  bool direct_messages = true;
  std::vector<std::string> external;
  std::vector<std::string> bots;

  template <class Fields>
  static void fields(Fields& f) {
    using A = AccessSettings;
    f.optional(&A::people, "people", "Who may speak to Deputy: names of people, account ids, e-mails")
        .items(0, kMaxEntries);
    f.optional(&A::groups, "groups", "Ids of groups whose members may speak to Deputy").items(0, kMaxEntries);
    f.optional(&A::channels, "channels", "Ids of the channels Deputy answers in; all if left out")
        .items(0, kMaxEntries);
    f.optional(&A::direct_messages, "direct_messages", "Allows direct messages to Deputy");
    f.optional(&A::external, "external", "Ids of externally shared channels, and of other teams, that count as our own")
        .items(0, kMaxEntries);
    f.optional(&A::bots, "bots", "Account ids of bots and workflows that may start runs, with read tools only")
        .items(0, kMaxEntries);
  }
};

struct RuleExamples {
  std::vector<std::string> match;
  std::vector<std::string> not_match;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&RuleExamples::match, "match", "Values that a pattern of the rule must match").items(0, 100);
    f.optional(&RuleExamples::not_match, "not_match", "Values that no pattern of the rule may match").items(0, 100);
  }
};

struct Rule {
  std::string tool;
  std::vector<std::string> deny;
  std::vector<std::string> allow;
  RuleExamples examples;
  std::string param = {};

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&Rule::tool, "tool", "The tool whose calls are matched").characters(1, 100);
    f.optional(&Rule::param, "param", "The parameter that the patterns look at; the tool's primary one by default")
        .characters(0, 100);
    f.optional(&Rule::deny, "deny", "RE2 patterns; a value that contains a match is denied")
        .items(0, 100)
        .characters(1, 1000);
    f.optional(&Rule::allow, "allow", "RE2 patterns; a value that one matches as a whole is allowed")
        .items(0, 100)
        .characters(1, 1000);
    f.optional(&Rule::examples, "examples", "What the patterns are for, checked when settings load");
  }
};

struct PolicySettings {
  Mode mode = Mode::ask;
  std::map<std::string, std::vector<std::string>> approvers;
  bool requester_may_approve = true;
  std::vector<std::string> allowlist;
  std::vector<Rule> rules;
  std::vector<Rule> hard_deny;

  template <class Fields>
  static void fields(Fields& f) {
    using P = PolicySettings;
    f.optional(&P::mode, "mode", "What happens to a call that no rule matches");
    f.optional(&P::approvers, "approvers",
               "Who may approve calls of this category or tool: names of people and roles, account ids, e-mails, group "
               "ids; a tool's own entry counts instead of its category's")
        .items(1, kMaxEntries);
    f.optional(&P::requester_may_approve, "requester_may_approve", "false: every approval needs two people");
    f.optional(&P::allowlist, "allowlist", "The tools that run without asking in mode allowlist").items(0, kMaxEntries);
    f.optional(&P::rules, "rules", "Patterns over the arguments of tools").items(0, 200);
    f.optional(&P::hard_deny, "hard_deny", "Rules with deny patterns only, judged before anything else").items(0, 200);
  }
};

/// Rules that every key of `channels` may set, whether a channel kind or a platform's channel id. A kind with its own
/// settings derives from this and lists these fields next to them.
struct ChannelRules {
  std::optional<Mode> mode;
  std::optional<std::vector<std::string>> categories;
  std::optional<std::vector<std::string>> environments;
  std::string default_environment;
  std::optional<Follow> follow;
  std::string instead;
  std::string instructions;
  std::optional<bool> triage;
  std::string alert_channel;

  template <class Fields>
  static void fields(Fields& f) {
    using C = ChannelRules;
    f.optional(&C::mode, "mode", "The policy mode here; deny_all set anywhere above still holds");
    f.optional(&C::categories, "categories", "The categories of tools that may be used here; all when left out")
        .items(0, kMaxEntries);
    f.optional(&C::environments, "environments", "The environments that this channel may work on")
        .items(0, kMaxEntries);
    f.optional(&C::default_environment, "default_environment", "The environment meant when a request names none");
    f.optional(&C::follow, "follow", "Who may continue a thread without a mention");
    f.optional(&C::instead, "instead", "Where to send people who ask here");
    f.optional(&C::instructions, "instructions", "Added to the prompt of runs here").characters(0, 8000);
    f.optional(&C::triage, "triage", "Posts of the bots in `access.bots` are investigated here without a mention");
    f.optional(&C::alert_channel, "alert_channel",
               "Under a channel kind only: the id of the channel in which operators hear what is wrong with Deputy")
        .characters(0, 200);
  }
};

struct QuestionSettings {
  bool anyone = false;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&QuestionSettings::anyone, "anyone",
               "Lets anyone with access answer a question, not only the requester");
  }
};

struct GrantSettings {
  std::chrono::milliseconds expiry = std::chrono::hours(8);
  int uses = 5;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&GrantSettings::expiry, "expiry", "How long a grant lasts").check_with(within_a_week);
    f.optional(&GrantSettings::uses, "uses", "How many calls a grant allows").in_range(1, 100);
  }

 private:
  static void within_a_week(const std::chrono::milliseconds& expiry, FieldReader& reader);
};

struct ApprovalSettings {
  std::chrono::milliseconds expiry = std::chrono::minutes(30);
  std::string channel;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&ApprovalSettings::expiry, "expiry", "How long an approval may be given before it counts as denied")
        .check_with(a_minute_to_a_week);
    f.optional(
        &ApprovalSettings::channel, "channel",
        "Id of the channel where a card is shown too, if none of its approvers is a member of the public channel "
        "that asks; without it they get direct messages");
  }

 private:
  static void a_minute_to_a_week(const std::chrono::milliseconds& expiry, FieldReader& reader);
};

/// All of it but `channels`: a process that runs channels reads their own settings under the same key.
struct CommonSettings {
  std::map<std::string, PersonSettings> people;
  std::map<std::string, RoleSettings> roles;
  AccessSettings access;
  PolicySettings policy;
  QuestionSettings questions;
  GrantSettings grants;
  ApprovalSettings approvals;

  template <class Fields>
  static void fields(Fields& f) {
    using S = CommonSettings;
    f.optional(&S::people, "people", "Who is who: the accounts of one person");
    f.optional(&S::roles, "roles", "What people may use and approve");
    f.optional(&S::access, "access", "Who may speak to Deputy, and where");
    f.optional(&S::policy, "policy", "What runs, what asks, what is refused");
    f.optional(&S::questions, "questions", "Questions to people");
    f.optional(&S::grants, "grants", "What *Approve for this thread* gives");
    f.optional(&S::approvals, "approvals", "Approvals");
  }
};

struct Settings : CommonSettings {
  std::map<std::string, ChannelRules> channels;  // by kind or id

  template <class Fields>
  static void fields(Fields& f) {
    CommonSettings::fields(f);
    f.optional(&Settings::channels, "channels", "Rules for one channel, by its kind or id");
  }
};

}  // namespace deputy::policy
