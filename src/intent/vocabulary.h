// All that the rules know about the outside: services, environments, tools, and the requester's time. None of it is
// built in; the caller fills it for each request.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"

namespace deputy::intent {

/// What a tool's parameter means. Rules fill only parameters that have a kind; models and people fill the others.
enum class ParameterKind {
  path,
  url,
  service,
  environment,
  channel,
  person,
  command,
  query,  // words to look for
  from,
  to,
  hours,  // how far back
  count,
  id,    // of a task, a ticket, a repository
  text,  // the request in its own words
};

constexpr auto choices_of(ParameterKind) {
  using enum ParameterKind;
  return std::to_array<std::pair<ParameterKind, std::string_view>>({{path, "path"},
                                                                    {url, "url"},
                                                                    {service, "service"},
                                                                    {environment, "environment"},
                                                                    {channel, "channel"},
                                                                    {person, "person"},
                                                                    {command, "command"},
                                                                    {query, "query"},
                                                                    {from, "from"},
                                                                    {to, "to"},
                                                                    {hours, "hours"},
                                                                    {count, "count"},
                                                                    {id, "id"},
                                                                    {text, "text"}});
}

/// What a tool is about. Words of a request are compared without their endings: "failing" matches "fail".
struct ToolTopics {
  std::vector<std::string> words;     // "errors", "exception"; the first is its title in answers
  std::vector<std::string> verbs;     // if any, the tool matches only when one is ordered; a writing tool needs one
  std::vector<std::string> examples;  // "errors in {service} {environment}": shown as help; each must match this tool
  std::string working;                // "Searching logs of {service}": shown while it works
};

struct KnownParameter {
  std::string name;
  ParameterKind kind = ParameterKind::text;
  bool required = false;
};

struct KnownTool {
  std::string name;
  ToolTopics topics;
  bool reads = true;  // changes nothing, whatever its arguments are
  std::vector<KnownParameter> parameters;

  bool takes(ParameterKind kind) const;
};

struct KnownService {
  std::string key;
  std::string full_name;
  std::vector<std::string> aliases;
};

struct Vocabulary {
  std::vector<KnownService> services;
  std::map<std::string, std::vector<std::string>> environments;  // name -> its other names, as in settings
  std::vector<KnownTool> tools;                                  // only these are suggested
  Timestamp now{};
  /// The offset of the requester's time zone from UTC at a moment; empty means UTC. A function, because of summer time.
  std::function<std::chrono::seconds(Timestamp)> utc_offset;
};

}  // namespace deputy::intent
