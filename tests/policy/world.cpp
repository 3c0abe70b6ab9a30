#include "policy/world.h"

#include <ostream>

#include "policy/rulings.h"

namespace deputy::policy {

void PrintTo(const Ruling& ruling, std::ostream* out) {
  *out << (ruling.say == RulingKind::allow ? "allow"
           : ruling.say == RulingKind::ask ? "ask"
                                           : "deny")
       << " by " << ruling.rule << ": " << ruling.words;
}

}  // namespace deputy::policy

namespace deputy::policy::test {

Known known() {
  return {{"prod", "staging", "dev"},
          {"log_tools", "pipeline_tools", "slack_tools", "workspace_tools", "talk_tools"},
          {"slack", "telegram", "terminal"},
          {{"search_logs", ValueKind::plain},
           {"run_pipeline", ValueKind::plain},
           {"stop_pipeline", ValueKind::plain},
           {"post_slack_message", ValueKind::plain},
           {"fetch_url", ValueKind::plain},
           {"respond_directly", ValueKind::plain},
           {"ask_user", ValueKind::plain},
           {"shell", ValueKind::command_line}}};
}

namespace {

Settings read(std::string_view text, std::vector<std::string>& problems) {
  const auto document = parse_json_object(text);
  if (!document) {
    problems.push_back(describe(document.error()));
    return {};
  }
  FieldReader reader(FieldReader::Scalars::typed, "setting");
  Settings settings;
  FieldCodec<Settings>::read_object(*document, settings, reader);
  check(settings, known(), reader);
  for (const Problem& problem : reader.take_problems()) problems.push_back(problem.path + ": " + problem.message);
  return settings;
}

}  // namespace

std::vector<std::string> problems_of(std::string_view text) {
  std::vector<std::string> problems;
  read(text, problems);
  return problems;
}

Settings settings(std::string_view text) {
  std::vector<std::string> problems;
  Settings settings = read(text, problems);
  EXPECT_EQ(problems, std::vector<std::string>{}) << text;
  return settings;
}

Policy policy(std::string_view text) {
  Result<Policy> made = Policy::make(settings(text));
  EXPECT_TRUE(made.has_value());
  return made ? *std::move(made) : Policy{};
}

std::string with_people(std::string_view rest) {
  return "{" + std::string(kPeople) + (rest.empty() ? "" : ", ") + std::string(rest) + "}";
}

Identity member(std::string_view id, std::set<std::string> groups) {
  Identity identity{{"slack", std::string(id)}, AccountKind::member};
  identity.groups = std::move(groups);
  return identity;
}
Identity ana() { return member("T1/U1"); }
Identity bo() { return member("T1/U2"); }
Identity cy() { return member("T1/U3"); }
Identity ana_on_telegram() { return {{"telegram", "42"}}; }
Identity guest() { return {{"slack", "T1/U7"}, AccountKind::guest}; }
Identity outsider() {
  Identity identity{{"slack", "T2/U8"}, AccountKind::outsider};
  identity.team = "T2";
  return identity;
}
Identity bot() {
  Identity identity{{"slack", "T1/B1"}, AccountKind::member};
  identity.bot = true;
  return identity;
}
Identity local_user() { return {{"terminal", "root"}, AccountKind::local_user}; }
Identity service(std::set<std::string> roles) {
  Identity identity{{"service", "nightly"}, AccountKind::service};
  identity.roles = std::move(roles);
  return identity;
}

Identity deactivated(Identity identity) {
  identity.deactivated = true;
  return identity;
}
Identity in_group(Identity identity) {
  identity.groups = {"S1"};
  return identity;
}

Place channel(std::string_view id) {
  return {"slack", std::string(id), PlaceKind::public_channel, false, OpenTo::members};
}
Place direct_message() { return {"slack", "D1", PlaceKind::direct, false, OpenTo::members}; }
Place terminal() { return {"terminal", "", PlaceKind::terminal}; }
Place telegram() { return {"telegram", "-100", PlaceKind::private_channel}; }

Call search_logs(std::optional<std::string> environment) {
  Call call{"search_logs", "log_tools", Effect::read, std::move(environment), "query"};
  call.values["query"] = {"timeout"};
  call.digest = "digest of search_logs";
  return call;
}
Call run_pipeline(std::optional<std::string> environment) {
  Call call{"run_pipeline", "pipeline_tools", Effect::write, std::move(environment), "repo"};
  call.values["repo"] = {"cast-core"};
  call.digest = "digest of run_pipeline";
  call.pins = {{"repo", "cast-core"}, {"ref", "main"}};
  return call;
}
Call shell(std::string_view command) {
  Call call{"shell", "workspace_tools", Effect::write, std::nullopt, "command"};
  call.values["command"] = {std::string(command), ValueKind::command_line};
  call.values["working_dir"] = {".", ValueKind::path};
  call.place = "working_dir";
  call.digest = "digest of " + std::string(command);
  call.free_text = true;
  return call;
}
Call call_of(std::string_view tool, std::string_view value, ValueKind kind) {
  Call call;
  call.tool = tool;
  call.primary = "value";
  call.values["value"] = {std::string(value), kind};
  return call;
}

}  // namespace deputy::policy::test
