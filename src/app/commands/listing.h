// Shared by the commands that read the store.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "app/build.h"
#include "app/context.h"
#include "app/settings.h"
#include "base/clock.h"
#include "gateway/requests.h"
#include "run/plan/rules.h"
#include "store/store.h"
#include "toolkit/registry.h"

namespace deputy::app {

/// Opens the store, runs the task that `begin` makes, and prints its error if it fails.
template <class Begin>
ExitCode with_store(const Context& context, Begin begin) {
  const auto process = Process::open(context);
  if (!process) return print_failure(context, process.error());
  const Result<ExitCode> code = (*process)->wait(begin(**process));
  return code ? *code : print_failure(context, code.error(), Stage::working);
}

/// The same for a task that uses requests.
template <class Begin>
ExitCode with_requests(const Context& context, Begin begin) {
  const auto process = Process::open(context);
  if (!process) return print_failure(context, process.error());
  if (const Result<> composed = (*process)->compose_requests(); !composed)
    return print_failure(context, composed.error());
  const Result<ExitCode> code = (*process)->wait(begin(**process));
  return code ? *code : print_failure(context, code.error(), Stage::working);
}

/// The state of a run in one word: open, parked, or its outcome.
inline std::string_view state_of(const store::RunRow& run) {
  switch (run.state) {
    case store::RunStatus::open:
      return "open";
    case store::RunStatus::parked:
      return "parked";
    case store::RunStatus::finished:
      return run.outcome;
  }
  return {};
}

/// Prints a list: with --json one array of `as_json` of each row, otherwise `as_text` of each row, or `when_empty` if
/// there are no rows.
template <class Row, class AsJson, class AsText>
ExitCode print_rows(const Context& context, const std::vector<Row>& rows, std::string_view when_empty, AsJson as_json,
                    AsText as_text) {
  std::ostream& out = context.outside.out;
  if (context.json) {
    json::array list;
    for (const Row& row : rows) list.push_back(as_json(row));
    out << json::serialize(list) << "\n";
    return ExitCode::done;
  }
  if (rows.empty()) out << when_empty;
  for (const Row& row : rows) out << as_text(row);
  return ExitCode::done;
}

/// Adds a command that takes one argument.
inline CLI::App* add_with_word(CLI::App& group, Context& context, const char* name, const char* what, const char* word,
                               const char* of_word, ExitCode (*run)(const Context&, const std::string&)) {
  CLI::App* command = group.add_subcommand(name, what);
  command->fallthrough();
  auto given = std::make_shared<std::string>();
  command->add_option(word, *given, of_word)->required();
  command->callback(
      [&context, given, run] { context.action = [&context, given, run] { return run(context, *given); }; });
  return command;
}

inline CLI::App* add_plain(CLI::App& group, Context& context, const char* name, const char* what,
                           ExitCode (*run)(const Context&)) {
  CLI::App* command = group.add_subcommand(name, what);
  command->fallthrough();
  command->callback([&context, run] { context.action = [&context, run] { return run(context); }; });
  return command;
}

}  // namespace deputy::app
