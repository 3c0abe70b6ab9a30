#include "model/offline/fill.h"

#include <algorithm>

#include "base/text.h"
#include "model/offline/choose.h"
#include "model/offline/find_text.h"

namespace deputy::model::offline {

namespace {

constexpr std::size_t kMostOfADescription = 1000;  // characters

/// What the intent names of a role; empty for roles that it knows nothing of.
std::vector<std::string> named_of(const intent::Parameters& parameters, ParameterRole role) {
  switch (role) {
    case ParameterRole::ticket:
      return parameters.ticket_ids;
    case ParameterRole::pull_request:
      return parameters.pr_ids;
    case ParameterRole::incident:
      return parameters.incident_ids;
    case ParameterRole::url:
      return parameters.urls;
    default:
      return {};
  }
}

std::optional<json::value> all_of(const Parameter& parameter, const std::vector<std::string>& texts) {
  json::array values;
  for (const std::string& text : texts) {
    if (parameter.max_items && values.size() >= *parameter.max_items) break;
    std::optional<json::value> one = fit(parameter, text);
    if (!one || !one->is_array()) return std::nullopt;
    values.push_back(one->get_array().front());
  }
  if (values.empty()) return std::nullopt;
  return values;
}

class Filling {
 public:
  Filling(const ToolDescription& tool, const Conversation& conversation, std::size_t which)
      : tool_(tool),
        conversation_(conversation),
        named_(conversation.intent.parameters),
        which_(which),
        parameters_(parameters_of(tool.params)),
        text_(conversation, tool) {}

  Filled fill() && {
    std::vector<std::pair<const Parameter*, ParameterRole>> later;
    for (const Parameter& parameter : parameters_) {
      const ParameterRole role = role_of(tool_, parameter);
      // What is looked for is what is left when the names are taken out.
      if (role == ParameterRole::query) {
        later.emplace_back(&parameter, role);
      } else {
        add(parameter, role);
      }
    }
    for (const auto& [parameter, role] : later) add(*parameter, role);
    return std::move(filled_);
  }

 private:
  void add(const Parameter& parameter, ParameterRole role) {
    std::optional<json::value> value = value_of(parameter, role);
    if (!value && parameter.required && !parameter.default_value.is_null() && role != ParameterRole::environment) {
      value = parameter.default_value;
    }
    if (!value && parameter.required && parameter.choices.size() == 1 && parameter.kind != Kind::list) {
      value = parameter.choices.front();
    }
    if (value) {
      if (value->is_string()) text_.claim(as_view(value->get_string()));
      filled_.arguments[parameter.name] = *std::move(value);
    } else if (parameter.required) {
      filled_.missing.push_back({parameter, role});
    }
  }

  std::optional<json::value> value_of(const Parameter& parameter, ParameterRole role) const {
    if (const auto answer = conversation_.answers.by_label.find(label_of(role, parameter));
        answer != conversation_.answers.by_label.end()) {
      if (auto value = fit(parameter, answer->second)) return value;
    }
    if (const auto assigned = text_.assigned_to(parameter.name)) {
      if (auto value = fit(parameter, *assigned)) return value;
    }
    const std::vector<std::string> named = named_of(named_, role);
    if (!named.empty()) {
      return parameter.kind == Kind::list ? all_of(parameter, named)
                                          : fit(parameter, named[std::min(which_, named.size() - 1)]);
    }
    if (auto value = by_role(parameter, role)) return value;
    return by_words(parameter, role);
  }

  std::optional<json::value> fit_if(const Parameter& parameter, const std::optional<std::string>& text) const {
    return text ? fit(parameter, *text) : std::nullopt;
  }

  std::optional<json::value> by_role(const Parameter& parameter, ParameterRole role) const {
    switch (role) {
      case ParameterRole::environment:
        return environment(parameter);
      case ParameterRole::service:
        return service(parameter);
      case ParameterRole::minutes:
        return back(parameter, 60, 1);
      case ParameterRole::hours:
        return back(parameter, 1, 1);
      case ParameterRole::days:
        return back(parameter, 1, 24);
      case ParameterRole::from:
        return moment(parameter, named_.time_range.from);
      case ParameterRole::to:
        return moment(parameter, named_.time_range.to);
      case ParameterRole::limit:
        return limit(parameter);
      case ParameterRole::query:
        return query(parameter);
      case ParameterRole::repository:
        return repository(parameter);
      case ParameterRole::channel:
        return fit_if(parameter, text_.channel());
      case ParameterRole::path:
        return fit_if(parameter, text_.path());
      case ParameterRole::branch:
        return fit_if(parameter, text_.branch());
      case ParameterRole::command:
        return fit_if(parameter, text_.quoted());
      case ParameterRole::body:
        return fit_if(parameter, text_.body());
      case ParameterRole::title:
        return fit_if(parameter, text_.title());
      case ParameterRole::description:
        return fit(parameter, cut_characters(conversation_.request, kMostOfADescription));
      case ParameterRole::ticket:
      case ParameterRole::pull_request:
      case ParameterRole::incident:
      case ParameterRole::url:
      case ParameterRole::other:
        return std::nullopt;
    }
    return std::nullopt;
  }

  /// A value that the request says beside the parameter's own name, or one of its choices.
  std::optional<json::value> by_words(const Parameter& parameter, ParameterRole role) const {
    if (!parameter.choices.empty() && role != ParameterRole::environment && parameter.kind != Kind::boolean) {
      return text_.chosen(parameter);
    }
    if (role == ParameterRole::other || role == ParameterRole::incident || role == ParameterRole::pull_request ||
        role == ParameterRole::ticket) {
      return fit_if(parameter, text_.named_after(parameter.name));
    }
    return std::nullopt;
  }

  std::optional<json::value> environment(const Parameter& parameter) const {
    if (named_.environment) return fit(parameter, *named_.environment);
    // Who made the intent knows the environments and found none.
    if (conversation_.intent_was_given) return std::nullopt;
    return fit_if(parameter, text_.environment());
  }

  bool takes(ParameterRole role) const {
    return std::ranges::any_of(parameters_, [&](const Parameter& one) { return role_of(tool_, one) == role; });
  }

  /// A span is given by its ends where the tool takes both and they are known, else by how far back it begins.
  bool ends_are_given() const {
    if (!named_.time_range.from || !named_.time_range.to) return false;
    return takes(ParameterRole::from) && takes(ParameterRole::to);
  }

  std::optional<json::value> back(const Parameter& parameter, int times, int divided_by) const {
    if (!named_.time_range.hours_back || (ends_are_given() && !parameter.required)) return std::nullopt;
    const std::int64_t hours = *named_.time_range.hours_back;
    const std::int64_t amount = (hours * times + divided_by - 1) / divided_by;
    return fit(parameter, std::to_string(amount), Numbers::nearest);
  }

  std::optional<json::value> moment(const Parameter& parameter, std::optional<Timestamp> at) const {
    if (!at || !(ends_are_given() || parameter.required)) return std::nullopt;
    return fit(parameter, format_timestamp(*at));
  }

  std::optional<json::value> limit(const Parameter& parameter) const {
    std::optional<int> count = text_.count();
    if (!count) count = named_.message_count;
    if (!count) return std::nullopt;
    return fit(parameter, std::to_string(*count), Numbers::nearest);
  }

  std::optional<json::value> query(const Parameter& parameter) const {
    // What entries of a log must hold; other places are searched for what the whole request says.
    if (!named_.text.empty() && takes(ParameterRole::environment)) return fit(parameter, named_.text);
    if (!parameter.required) return fit_if(parameter, text_.quoted());
    return fit_if(parameter, text_.query());
  }

  /// A repository is often called like its service.
  std::optional<json::value> repository(const Parameter& parameter) const {
    if (auto value = fit_if(parameter, text_.named_after(parameter.name))) return value;
    return service(parameter);
  }

  std::optional<json::value> service(const Parameter& parameter) const {
    const std::vector<std::string> names = named_.services.empty() ? text_.services() : named_.services;
    if (names.empty()) return std::nullopt;
    if (parameter.kind == Kind::list) return all_of(parameter, names);
    return fit(parameter, names[std::min(which_, names.size() - 1)]);
  }

  const ToolDescription& tool_;
  const Conversation& conversation_;
  const intent::Parameters& named_;
  std::size_t which_;
  std::vector<Parameter> parameters_;
  TextFinder text_;
  Filled filled_;
};

}  // namespace

Filled fill(const ToolDescription& tool, const Conversation& conversation, std::size_t which) {
  return Filling(tool, conversation, which).fill();
}

std::size_t calls_needed(const ToolDescription& tool, const Conversation& conversation) {
  std::size_t needed = 1;
  for (const Parameter& parameter : parameters_of(tool.params)) {
    if (parameter.kind == Kind::list) continue;
    const ParameterRole role = role_of(tool, parameter);
    const intent::Parameters& named = conversation.intent.parameters;
    if (role == ParameterRole::service || role == ParameterRole::repository) {
      // A change is made twice only where two services are known to be meant.
      const bool by_form = named.services.empty() && !looks_like_writing(tool);
      needed = std::max(needed, by_form ? TextFinder(conversation, tool).services().size() : named.services.size());
    } else {
      needed = std::max(needed, named_of(named, role).size());
    }
  }
  return needed;
}

}  // namespace deputy::model::offline
