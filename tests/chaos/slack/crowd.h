// The people of the workspace: they mention Deputy, click on what it shows them, and click again where nothing came of
// it. They judge by what stands in Slack, never by what Deputy says of itself.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "chaos/slack/case_model.h"
#include "net/client.h"
#include "sim/slack/simulator.h"

namespace deputy::chaos {

struct CrowdSize {
  int people = 1;
  int channels = 1;
};

class Crowd {
 public:
  /// The references outlive it, and what it started on the loop.
  Crowd(sim::slack::Simulator& simulator, net::Client& http) : simulator_(simulator), http_(http) {}

  /// Invites everybody, before anything is asked.
  Task<> gather(CrowdSize size);

  /// A POST to the simulator's control API.
  Task<Result<json::object>> control(std::string name, json::object body);

  /// Mentions Deputy, each time in a new thread.
  Task<> ask(int number, CaseKind kind);

  /// Clicks on every card and form that waits, and again on one that still waits a while later.
  void answer_what_waits();

  /// True when every case has its answer and no card waits.
  bool all_done() const;
  std::size_t asked() const { return cases_.size(); }

  /// What went against the promises.
  std::vector<std::string> judge() const;
  /// Cases whose run was given up after three crashes, as their threads say.
  int given_up() const;
  int clicks() const { return clicks_; }
  /// Writes that somebody clicked to approve.
  int approved() const;

 private:
  struct Case {
    int number = 0;
    CaseKind kind = CaseKind::plain;
    std::string user;
    std::string channel;
    std::string ts;
    std::chrono::steady_clock::time_point clicked = {};
  };

  using Message = sim::slack::Message;
  void each_message(const Case& one, const std::function<void(const Message&)>& look) const;
  std::string said_in(const Case& one) const;
  int answers_in(const Case& one) const;
  bool was_given_up(const Case& one) const;
  bool waits(const Case& one) const;
  void answer(Case& one);
  std::vector<std::string> judge_writes(const Case& one) const;
  std::vector<std::string> doubled_posts() const;

  sim::slack::Simulator& simulator_;
  net::Client& http_;
  CrowdSize size_;
  std::vector<Case> cases_;
  int clicks_ = 0;
};

}  // namespace deputy::chaos
