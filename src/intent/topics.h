// What a request touches, from its words and from what it names: the tables that suggest.cpp chooses tools by.
#pragma once

#include <bitset>

#include "intent/intent.h"
#include "intent/tokens.h"

namespace deputy::intent {

enum class Topic : std::size_t {
  errors,
  logs,
  pipelines,
  pull_requests,
  tickets,
  cves,
  docs,
  alarms,
  metrics,
  incidents,
  on_call,
  code,
  services,
  one_service,
  one_environment,
  conversation,
  decisions,
  history,
  tasks,
  workspace,
  aws,
  addresses,
  ticket_id,
  pr_id,
  incident_id,
  creating,
  commenting,
  posting,
  acknowledging,
  running,
  stopping,
  thread,
  broken,
  text_to_find,  // in what is looked through
  past_runs,
  listing,       // which files there are, not what they hold
  reading_file,  // what one of them holds
  command,       // a command line to run
  changed,       // what is different from before
  counted,       // how many there are, not one itself
};

class Topics {
 public:
  void set(Topic topic, bool touched = true) { touched_.set(static_cast<std::size_t>(topic), touched); }
  bool test(Topic topic) const { return touched_.test(static_cast<std::size_t>(topic)); }

 private:
  std::bitset<static_cast<std::size_t>(Topic::counted)> touched_;
};

/// Of a request whose parameters and context requirements have been found. Linear.
Topics find_topics(const Tokens& tokens, const Intent& intent);

}  // namespace deputy::intent
