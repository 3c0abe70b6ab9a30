#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/command_line.h"
#include "policy/loose_readings.h"
#include "policy/rulings.h"
#include "policy/world.h"

namespace deputy::policy {
namespace {

void check(auto&& property) { ASSERT_TRUE(rc::check(property)); }

template <class T>
T one_of(std::vector<T> choices) {
  return *rc::gen::elementOf(choices);
}
bool coin() { return *rc::gen::arbitrary<bool>(); }

const std::string kThread = "slack:T1:C1:1";
const Timestamp kNow = from_millis(1'000'000);

std::string any_line() {
  static const std::vector<std::string> kPieces{
      "git status", "rm", "-rf", " ", "  ", ";",  "&&",   "||",       "|",    "&",  "\n",   "(",
      ")",          "{",  "}",   "'", "\"", "\\", "$(",   "`",        "$X",   "${", "<",    ">",
      "<<",         "#",  "=",   "x", "/",  "*",  "\x01", "\xC3\xA9", "\xFF", "if", "sudo", ","};
  std::string line;
  for (const std::string& piece : *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kPieces)))
    line += piece;
  return line;
}

Call any_call() {
  Call call;
  call.tool = one_of<std::string>({"search_logs", "run_pipeline", "shell", "ask_user", "respond_directly", "other"});
  call.category = one_of<std::string>({"log_tools", "pipeline_tools", "workspace_tools", "talk_tools"});
  call.effect = one_of<Effect>({Effect::read, Effect::write});
  call.environment = one_of<std::optional<std::string>>({std::nullopt, "", "prod", "dev"});
  call.primary = "value";
  if (coin()) call.values["value"] = {any_line(), one_of<ValueKind>({ValueKind::plain, ValueKind::command_line})};
  call.always_ask = coin();
  call.talk_tool = coin();
  call.off_until_listed = coin();
  if (one_of<int>({0, 0, 0, 1}) == 1) call.never = "never";
  call.digest = one_of<std::string>({"", "d1", "d2"});
  if (coin()) call.pins = {{"repo", one_of<std::string>({"a", "b"})}};
  call.free_text = coin();
  return call;
}

Identity any_identity() {
  return one_of<Identity>({test::ana(), test::bo(), test::cy(), test::ana_on_telegram(), test::guest(),
                           test::outsider(), test::bot(), test::local_user(), test::service(),
                           test::service({"oncall"}), test::member("T1/U4", {"S1"}), Identity{}});
}

Grant any_grant() {
  Grant grant;
  grant.tool = one_of<std::string>({"run_pipeline", "shell", "search_logs", ""});
  grant.digest = one_of<std::string>({"", "d1", "d2"});
  if (coin()) grant.pins = {{"repo", one_of<std::string>({"a", "b"})}};
  grant.environment = one_of<std::optional<std::string>>({std::nullopt, "", "prod", "dev"});
  grant.conversation = one_of<std::string>({kThread, "other", ""});
  grant.holder = one_of<std::string>({"ana", "bo", "slack:T1/U3", ""});
  grant.by = one_of<std::string>({"ana", "bo"});
  grant.ends_at = kNow + std::chrono::milliseconds(*rc::gen::inRange(-2, 3));
  if (coin()) grant.max_uses = *rc::gen::inRange(0, 3);
  grant.uses = *rc::gen::inRange(0, 3);
  grant.revoked = coin();
  return grant;
}

RulingContext any_situation() {
  RulingContext situation;
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) situation.askers.push_back(any_identity());
  situation.place = one_of<Place>(
      {test::channel("C1"), test::channel("C2"), test::direct_message(), test::terminal(), test::telegram()});
  situation.conversation = kThread;
  situation.now = kNow;
  situation.suspicious = coin();
  situation.after_unknown = coin();
  for (int i = *rc::gen::inRange(0, 3); i > 0; --i) situation.grants.push_back({any_grant(), any_identity()});
  situation.stop_asking = coin();
  situation.auto_confirm = coin();
  return situation;
}

Policy policy_of(const std::string& mode, const std::string& requester_may_approve) {
  return test::policy(test::with_people(
      R"("roles": {"oncall": {"people": ["ana"], "groups": ["S1"], "may": ["log_tools", "pipeline_tools"], "environments": ["prod"],
                              "approve": ["pipeline_tools"]}},
         "policy": {"mode": ")" +
      mode + R"(", "requester_may_approve": )" + requester_may_approve +
      R"(, "approvers": {"workspace_tools": ["bo"]}, "allowlist": ["run_pipeline", "shell"],
          "rules": [{"tool": "shell", "deny": ["^rm"], "allow": ["git status", ".*"]}, {"tool": "run_pipeline", "allow": ["x.*"]}],
          "hard_deny": [{"tool": "shell", "deny": ["sudo"]}]},
         "access": {"people": ["ana", "bo", "T1/U3"], "groups": ["S1"], "bots": ["T1/B1"]},
         "channels": {"C2": {"mode": "allow_all", "categories": ["workspace_tools", "log_tools"]}})"));
}

const std::vector<Policy>& policies() {
  static const std::vector<Policy> made = [] {
    std::vector<Policy> list;
    for (const char* mode : {"ask", "allow_all", "allowlist", "deny_all"}) {
      for (const char* requester_may_approve : {"true", "false"})
        list.push_back(policy_of(mode, requester_may_approve));
    }
    return list;
  }();
  return made;
}

Ruling any_ruling() {
  Ruling ruling{one_of<RulingKind>({RulingKind::allow, RulingKind::ask, RulingKind::deny}),
                one_of<std::string>({"a", "b"}), one_of<std::string>({"a", "b"})};
  if (coin()) ruling.grant = GrantId(Ulid::derive(kNow, one_of<std::string>({"a", "b"})));
  return ruling;
}

TEST(RulingsProperty, JudgeIsTotalAndSaysWhy) {
  check([] {
    const Ruling ruling = judge(one_of(policies()), any_call(), any_situation());
    RC_ASSERT(!ruling.rule.empty());
    RC_ASSERT(!ruling.words.empty());
    RC_ASSERT((!ruling.grant || ruling.say == RulingKind::allow));
  });
}

TEST(RulingsProperty, StricterIsCommutativeAssociativeAndIdempotent) {
  check([] {
    const Ruling a = any_ruling();
    const Ruling b = any_ruling();
    const Ruling c = any_ruling();
    RC_ASSERT(stricter(a, b) == stricter(b, a));
    RC_ASSERT(stricter(a, stricter(b, c)) == stricter(stricter(a, b), c));
    RC_ASSERT(stricter(a, a) == a);
    RC_ASSERT(stricter(a, b).say == std::max(a.say, b.say));
  });
}

TEST(RulingsProperty, ADenyPatternWinsOverEverythingAndSurvivesAnApproval) {
  check([] {
    Call call = any_call();
    call.tool = "shell";
    call.values["value"] = {
        one_of<std::string>({"rm x", "git status; rm x", "sudo ls", "echo $(rm x)", "git status && 'rm' x"}),
        ValueKind::command_line};
    RulingContext situation = any_situation();
    if (situation.askers.empty()) situation.askers.push_back(any_identity());
    RC_ASSERT(with_approval(judge(one_of(policies()), call, situation)).say == RulingKind::deny);
  });
}

TEST(RulingsProperty, MoreAskersNeverMakeARulingWider) {
  check([] {
    const Call call = any_call();
    RulingContext situation = any_situation();
    situation.stop_asking = false;  // an answer in advance is about all who asked
    if (situation.askers.empty()) situation.askers.push_back(any_identity());
    const Policy policy = one_of(policies());
    const RulingKind before = judge(policy, call, situation).say;
    situation.askers.push_back(any_identity());
    RC_ASSERT(judge(policy, call, situation).say >= before);
  });
}

TEST(RulingsProperty, WithoutAllowAllAWriteRunsOnlyByARuleAGrantOrASwitch) {
  check([] {
    Call call = any_call();
    call.effect = Effect::write;
    call.talk_tool = false;
    RulingContext situation = any_situation();
    situation.stop_asking = situation.auto_confirm = false;
    situation.grants.clear();
    situation.place = test::channel("C1");
    const Policy& asking = policies()[*rc::gen::inRange(0, 2)];
    const Ruling ruling = judge(asking, call, situation);
    RC_ASSERT((ruling.say != RulingKind::allow || ruling.rule.starts_with("policy.rules[")));
  });
}

TEST(GrantsProperty, AnyChangeOfWhatWasShownIsNotCovered) {
  check([] {
    const Settings settings = test::settings(test::with_people(""));
    Call call = test::run_pipeline();
    if (coin()) call.pins.clear();
    const GrantTerms terms{GrantId::make(kNow), kThread, test::bo(), kNow};
    const auto born = grant_from({call, {test::ana()}}, terms, settings);
    RC_ASSERT(born.has_value());
    Grant grant = *born;
    std::string conversation = kThread;
    std::string requester = "ana";
    Timestamp now = kNow + std::chrono::milliseconds(*rc::gen::inRange<std::int64_t>(0, 8 * 3600 * 1000));
    RC_ASSERT(covers(grant, call, conversation, requester, now));
    switch (*rc::gen::inRange(0, 9)) {
      case 0:
        call.tool += "x";
        break;
      case 1:  // the digest of exact arguments, or a pin
        if (call.pins.empty()) {
          call.digest += "x";
        } else {
          call.pins.begin()->second += "x";
        }
        break;
      case 2:
        call.environment = one_of<std::optional<std::string>>({std::nullopt, "", "dev"});
        break;
      case 3:
        conversation += "x";
        break;
      case 4:
        requester = "bo";
        break;
      case 5:
        now = grant.ends_at + std::chrono::milliseconds(*rc::gen::inRange(0, 1000));
        break;
      case 6:
        grant.uses = *grant.max_uses + *rc::gen::inRange(0, 3);
        break;
      case 7:
        grant.revoked = true;
        break;
      default:
        call.always_ask = true;
        break;
    }
    RC_ASSERT(!covers(grant, call, conversation, requester, now));
  });
}

TEST(GrantsProperty, APinMoreOrLessIsNotCovered) {
  check([] {
    const Settings settings = test::settings(test::with_people(""));
    Call call = test::run_pipeline();
    const auto grant = grant_from({call, {test::ana()}}, {GrantId::make(kNow), kThread, test::bo(), kNow}, settings);
    RC_ASSERT(grant.has_value());
    if (coin()) {
      call.pins["new"] = "x";
    } else {
      call.pins.erase(call.pins.begin());
    }
    RC_ASSERT(!covers(*grant, call, kThread, "ana", kNow));
  });
}

TEST(GrantsProperty, WhatAnyGrantCoversIsWhatItSays) {
  check([] {
    const Grant grant = any_grant();
    const Call call = any_call();
    const std::string requester = one_of<std::string>({"ana", "bo", "slack:T1/U3", ""});
    if (!covers(grant, call, kThread, requester, kNow)) return;
    RC_ASSERT(grant.tool == call.tool);
    RC_ASSERT(grant.environment == call.environment);
    RC_ASSERT((grant.digest.empty() ? !grant.pins.empty() && grant.pins == call.pins : grant.digest == call.digest));
    RC_ASSERT(grant.conversation == kThread);
    RC_ASSERT(grant.holder == requester);
    RC_ASSERT(!requester.empty());
    RC_ASSERT(kNow < grant.ends_at);
    RC_ASSERT((!grant.max_uses || grant.uses < *grant.max_uses));
    RC_ASSERT(!grant.revoked);
    RC_ASSERT(!call.always_ask);
  });
}

const std::vector<std::string> kAllowed{"git status", "git log", "echo ok", "ls a b"};
const std::vector<std::string> kOperators{";", " ; ", "&&", " && ", "||", " || ", "|", " | ", "\n", " & ", "&", " |& "};

RuleSet allowing() {
  return *RuleSet::compile({Rule{"shell", {}, {"git (status|log)", "echo \\w+", "ls( \\w+)*"}, {}}}, "policy.rules");
}

std::string allowed_line() {
  std::string line = one_of(kAllowed);
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) line += one_of(kOperators) + one_of(kAllowed);
  return coin() ? line : coin() ? "(" + line + ")" : "{ " + line + "; }";
}

TEST(CommandLineProperty, AllowedCommandsWithOneThatIsNotAreNotAllowed) {
  const RuleSet rules = allowing();
  check([&] {
    const std::string line = allowed_line();
    RC_ASSERT(rules.allow(test::call_of("shell", line, ValueKind::command_line)).has_value());
    const std::string other =
        one_of<std::string>({"rm x", "git push", "ls $(rm x)", "sudo git status", "echo ok > x", "X=1 ls", "l's'",
                             "ls `rm`", "sh -c 'git status'", "ls 'a", "ls \\", "ls <<E", "./git status"});
    RC_ASSERT(!rules.allow(test::call_of("shell", line + one_of(kOperators) + other, ValueKind::command_line)));
    RC_ASSERT(!rules.allow(test::call_of("shell", other + one_of(kOperators) + line, ValueKind::command_line)));
  });
}

TEST(CommandLineProperty, AnySuffixBeginningWithAnOperatorIsJudgedToo) {
  const RuleSet rules = allowing();
  check([&] {
    const std::string suffix = one_of(kOperators) + "rm " + any_line();
    RC_ASSERT(!rules.allow(test::call_of("shell", allowed_line() + suffix, ValueKind::command_line)));
  });
}

TEST(CommandLineProperty, WhatParsesIsThereWordForWord) {
  check([] {
    const std::string line = any_line();
    const auto commands = parse_command_line(line);
    if (!commands) return;
    std::size_t at = 0;
    for (const Command& command : *commands) {
      const std::size_t found = line.find(command.text, at);
      RC_ASSERT(found != std::string::npos);
      at = found + command.text.size();
      const auto alone = parse_command_line(command.text);
      RC_ASSERT(alone.has_value());
      RC_ASSERT(*alone == std::vector<Command>{command});
    }
  });
}

TEST(CommandLineProperty, ADeniedCommandIsFoundWhateverStandsAroundIt) {
  const RuleSet rules = *RuleSet::compile({Rule{"shell", {"^rm -rf"}, {}, {}}}, "policy.rules");
  check([&] {
    const std::string written =
        one_of<std::string>({"rm -rf x", "'rm' -rf x", "r\\m  -rf x", "rm\t-rf x", "/bin/rm -rf x"});
    const std::string before =
        one_of<std::string>({"", "ls; ", "sudo ", "env A=b ", "x | xargs ", "sh -c \"", "echo $(", "`", "a <(", "{ "});
    RC_ASSERT(rules.deny(test::call_of("shell", before + written + any_line(), ValueKind::command_line)).has_value());
  });
}

TEST(PatternsProperty, AllowPatternsMatchTheWholeValue) {
  const RuleSet rules = *RuleSet::compile({Rule{"fetch_url", {}, {"https://a/[a-z]+"}, {}}}, "policy.rules");
  check([&] {
    const std::string extra =
        *rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::elementOf(std::string("A/0 \n?#&.;"))));
    RC_ASSERT(rules.allow(test::call_of("fetch_url", "https://a/b", ValueKind::plain)).has_value());
    RC_ASSERT(!rules.allow(test::call_of("fetch_url", "https://a/b" + extra, ValueKind::plain)));
    RC_ASSERT(!rules.allow(test::call_of("fetch_url", extra + "https://a/b", ValueKind::plain)));
  });
}

}  // namespace
}  // namespace deputy::policy
