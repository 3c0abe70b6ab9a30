// What the commands that look into the store share.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "app/build.h"
#include "app/context.h"

namespace deputy::app {

/// Opens the store, waits for what `begin` starts over it, and prints an error where there is one.
template <class Begin>
ExitCode with_store(const Context& context, Begin begin) {
  const auto process = Process::open(context);
  if (!process) return print_failure(context, process.error());
  const Result<ExitCode> code = (*process)->wait(begin(**process));
  return code ? *code : print_failure(context, code.error());
}

/// A command of a group that takes one word.
inline void add_with_word(CLI::App& group, Context& context, const char* name, const char* what, const char* word,
                          const char* of_word, ExitCode (*run)(const Context&, const std::string&)) {
  CLI::App* command = group.add_subcommand(name, what);
  command->fallthrough();
  auto given = std::make_shared<std::string>();
  command->add_option(word, *given, of_word)->required();
  command->callback(
      [&context, given, run] { context.action = [&context, given, run] { return run(context, *given); }; });
}

inline CLI::App* add_plain(CLI::App& group, Context& context, const char* name, const char* what,
                           ExitCode (*run)(const Context&)) {
  CLI::App* command = group.add_subcommand(name, what);
  command->fallthrough();
  command->callback([&context, run] { context.action = [&context, run] { return run(context); }; });
  return command;
}

/// The id that was typed, or an error that says where ids are listed.
template <class Id>
Result<Id> typed_id(const std::string& text, const char* what, const char* listed_by) {
  const Result<Id> id = Id::parse(text);
  if (id) return *id;
  return fail(ErrorKind::not_found, std::string("`") + text + "` is no " + what,
              std::string("`") + listed_by + "` names them");
}

}  // namespace deputy::app
