// A tool of the tests that searches logs as long as a test wants it to, with the words that people see meanwhile.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "toolkit/tool.h"

namespace deputy::test {

/// Closed, it lets nobody through.
using Gate = std::shared_ptr<std::atomic<bool>>;
inline Gate make_gate(bool is_open) { return std::make_shared<std::atomic<bool>>(is_open); }

struct SearchLogsParams {
  std::string service;
  std::string environment;
  std::string query;

  template <class Fields>
  static void fields(Fields& f) {
    using P = SearchLogsParams;
    f.required(&P::service, "service", "Which service").kind(toolkit::Kind::service);
    f.optional(&P::environment, "environment", "Where it runs").kind(toolkit::Kind::environment);
    f.optional(&P::query, "query", "Words to look for").kind(toolkit::Kind::query);
  }
};

inline Task<toolkit::Step> search_behind(Gate gate, std::string result) {
  while (!*gate) co_await sleep_for(std::chrono::milliseconds(5));
  co_return toolkit::Output{std::move(result), {}};
}

inline std::shared_ptr<const toolkit::Tool> search_logs(Gate gate, std::string result) {
  toolkit::ToolSpec spec{
      .name = "search_logs",
      .version = 1,
      .description = "Searches the logs of a service",
      .category = "log_tools",
      .effect = toolkit::Effect::read,
      .primary_param = "query",
      .topics = {.words = {"logs"}, .examples = {"what is failing?"}, .working = "Searching logs of {service}"}};
  return toolkit::make_tool<SearchLogsParams>(std::move(spec), [gate, result](const SearchLogsParams&) {
    toolkit::Pipeline pipeline;
    pipeline.then({.name = "search", .repeatable = true, .call = [gate, result](toolkit::CallContext&) {
                     return search_behind(gate, result);
                   }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  });
}

}  // namespace deputy::test
