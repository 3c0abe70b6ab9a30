// Settings seen at work: each row is a setting, two settings files that differ in it alone, and what is seen under each
// through the rules that runs are judged by. To add a setting: a row in the table of its part.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/build.h"
#include "app/settings.h"
#include "policy/approvers.h"
#include "run/plan/prepare.h"
#include "toolkit/registry.h"

namespace deputy::test {}
namespace deputy::app::test {
using namespace deputy::test;  // `test::` means both here

/// One settings file made into rules, with the sample tools.
struct World {
  explicit World(std::string_view yaml);

  Settings settings;
  std::shared_ptr<const run::Rules> rules;
  toolkit::Registry registry;
};

struct AtWork {
  std::string path;  // as docs/settings.md writes it
  std::string without;
  std::string with;
  std::function<std::string(const World&)> see;
  std::string before;
  std::string after;
};
void PrintTo(const AtWork& row, std::ostream* out);

std::vector<AtWork> policy_at_work();
std::vector<AtWork> tools_at_work();
std::vector<AtWork> runs_at_work();
std::vector<AtWork> all_at_work();

/// On the platform "slack", full members: ana is T1/U1 and in the group S1, bo is T1/U2.
policy::Identity ana();
policy::Identity bo();
policy::Place channel();  // C1, open to members

const Timestamp kNow = std::chrono::sys_days(std::chrono::year(2026) / 11 / 15);

/// A search of notes (doc_tools, read) and a restart (service_tools, write), both in prod.
run::CallRequested search(const std::string& query = "checkout", const std::string& environment = "prod");
run::CallRequested restart(const std::string& service = "checkout");

/// What comes of a call that ana makes in C1: "allow", "ask", "deny", or why it cannot be made.
std::string ruling(const World& world, const run::CallRequested& wish);

std::string yes_or_no(const Result<>& result);

}  // namespace deputy::app::test
