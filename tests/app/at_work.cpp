#include "app/at_work.h"

#include <gtest/gtest.h>

#include <ostream>

#include "config/yaml.h"
#include "policy/rulings.h"
#include "support/results.h"
#include "support/sample_tools.h"

namespace deputy::app::test {

namespace {

// Field by field, so without what keys say of the real tools and channels: these rows have tools and channels of their
// own.
Settings read(std::string_view yaml) {
  const auto source = std::make_shared<const config::Source>(config::SourceKind::file, "row", "/", false);
  const config::ParsedFile parsed = config::parse_yaml(yaml, source);
  EXPECT_TRUE(parsed.problems.empty()) << yaml;
  FieldReader reader(FieldReader::Scalars::text, "setting");
  Settings settings;
  for (const auto& member : parsed.document.root) {
    const auto* field = fields_of<Settings>().find(as_view(member.key()));
    if (field == nullptr) {
      ADD_FAILURE() << "no setting: " << member.key();
      continue;
    }
    const FieldReader::Deeper inside(reader, field->info.name);
    field->read(member.value(), settings, reader, field->info);
  }
  for (const Problem& problem : reader.take_problems()) ADD_FAILURE() << problem.path << ": " << problem.message;
  return settings;
}

}  // namespace

World::World(std::string_view yaml) : settings(read(yaml)) {
  auto made = make_rules(settings);
  EXPECT_OK(made);
  rules = made ? *made : std::make_shared<const run::Rules>();
  const auto world = std::make_shared<deputy::test::SampleWorld>();
  EXPECT_OK(registry.add(deputy::test::search_notes(world)));
  EXPECT_OK(registry.add(deputy::test::restart_service(world)));
}

void PrintTo(const AtWork& row, std::ostream* out) { *out << row.path; }

std::vector<AtWork> all_at_work() {
  std::vector<AtWork> all;
  for (auto* part : {policy_at_work, tools_at_work, runs_at_work}) std::ranges::move(part(), std::back_inserter(all));
  return all;
}

policy::Identity ana() {
  policy::Identity identity{{"slack", "T1/U1"}, policy::AccountKind::member};
  identity.email = "ana@example.com";
  identity.groups = {"S1"};
  return identity;
}

policy::Identity bo() { return {{"slack", "T1/U2"}, policy::AccountKind::member}; }

policy::Place channel() { return {"slack", "C1", policy::PlaceKind::public_channel, false, policy::OpenTo::members}; }

run::CallRequested search(const std::string& query, const std::string& environment) {
  json::object arguments{{"query", query}};
  if (!environment.empty()) arguments["environment"] = environment;
  return {"c1", "search_notes", std::move(arguments)};
}

run::CallRequested restart(const std::string& service) {
  return {"c1", "restart_service", {{"service", service}, {"environment", "prod"}}};
}

std::string ruling(const World& world, const run::CallRequested& wish) {
  const auto prepared = run::prepare(wish, world.registry, *world.rules, channel());
  if (!prepared) return describe(prepared.error());
  policy::RulingContext situation{{ana()}, channel(), "slack:T1:C1:1", kNow};
  switch (judge(world.rules->policy, prepared->call, situation).say) {
    case policy::RulingKind::allow:
      return "allow";
    case policy::RulingKind::ask:
      return "ask";
    case policy::RulingKind::deny:
      return "deny";
  }
  return "";
}

std::string yes_or_no(const Result<>& result) { return result ? "yes" : "no"; }

}  // namespace deputy::app::test
