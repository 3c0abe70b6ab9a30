// A runner without a world: performs what plan says with made-up outcomes, in any order, with mail and crashes in
// between. What handlers do is counted, so that a test can see what happened twice, or without approval.
#pragma once

#include <functional>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "support/journal.h"

namespace deputy::run {

struct SimulationOptions {
  bool crashes = false;
  bool notes = false;
  bool cancel = false;
  bool only_repeatable = false;
  int turns = 3;
};

class Simulation {
 public:
  Simulation(unsigned script, unsigned order, SimulationOptions options);
  /// Goes on from a journal that another one left behind.
  Simulation(unsigned script, unsigned order, SimulationOptions options, Journal journal);

  /// Runs to the end. False when it has not ended after very many steps.
  bool run();

  const Journal& journal() const { return journal_; }

  /// How often a call that must not act twice did, or was handed over.
  const std::map<std::string, int>& effects() const { return effects_; }
  /// What went against the rules while it ran.
  const std::vector<std::string>& wrong() const { return wrong_; }

 private:
  using Event = std::function<void()>;

  void perform(const Action& action);
  void rule(const Rule& rule);
  void ask(const Ask& ask);
  void answer(const std::string& call, bool form);
  void start_background(const std::string& call);
  void check_let_through(const CallState& call);
  void start(const RunStep& step);
  void end(const RunStep& step);
  void reply(int turn);
  void crash();
  void later(Event event) { in_flight_.push_back(std::move(event)); }
  // The same word for the same question, whatever the order things happen in.
  unsigned scripted(const std::string& question, unsigned of) const;

  unsigned script_;
  std::mt19937 order_;
  SimulationOptions options_;
  Journal journal_;
  std::vector<Event> in_flight_;     // lost in a crash
  std::vector<Event> mail_;          // never lost
  std::set<std::string> under_way_;  // looks and answers to delegates, by "call/handler"
  std::map<std::string, int> effects_;
  std::vector<std::string> wrong_;
  int crashes_left_ = 6;
};

}  // namespace deputy::run
