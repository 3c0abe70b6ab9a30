#include "toolkit/registry.h"

#include <fmt/format.h>

#include <set>

#include "base/text.h"
#include "toolkit/spec.h"

namespace deputy::toolkit {

namespace {

constexpr std::size_t kMaxName = 64;

std::string choices(const std::vector<std::string>& names) {
  return names.empty() ? "there are no tools" : "the tools are " + list_names(names);
}

}  // namespace

Result<> Registry::add(std::shared_ptr<const Tool> tool) {
  const ToolSpec& spec = tool->spec();
  std::vector<std::string> problems = check_spec(spec);
  std::vector<std::string> words = spec.aliases;
  words.push_back(spec.name);
  std::set<std::string_view> own;
  for (const std::string& word : words) {
    const auto taken = by_word_.find(word);
    if (taken != by_word_.end()) {
      problems.push_back(
          fmt::format("the name `{}` is taken by `{}`", cut_with_mark(word, kMaxName), taken->second->spec().name));
    } else if (!own.insert(word).second) {
      problems.push_back(fmt::format("it lists the name `{}` twice", cut_with_mark(word, kMaxName)));
    }
  }
  if (!problems.empty()) {
    return fail(ErrorKind::invalid_input,
                fmt::format("the tool `{}` is refused: {}", cut_with_mark(spec.name, kMaxName), join(problems, "; ")));
  }
  for (std::string& word : words) by_word_.emplace(std::move(word), tool);
  tools_.emplace(spec.name, std::move(tool));
  return {};
}

Result<std::shared_ptr<const Tool>> Registry::find(std::string_view name) const {
  const auto found = by_word_.find(name);
  if (found != by_word_.end()) return found->second;
  return find_enabled(name, {});
}

Result<std::shared_ptr<const Tool>> Registry::find_enabled(std::string_view name, const ToolsSettings& settings) const {
  const auto found = by_word_.find(name);
  if (found != by_word_.end()) {
    const Enabled enabled = is_enabled(settings, found->second->spec());
    if (enabled.yes) return found->second;
    return fail(ErrorKind::not_configured,
                fmt::format("the tool `{}` is turned off by `{}`", found->second->spec().name, enabled.setting),
                choices(enabled_names(settings)));
  }
  const std::vector<std::string> names = enabled_names(settings);
  // Match aliases too, but suggest the name.
  std::vector<std::string> words = names;
  for (const auto& [word, tool] : by_word_) {
    if (is_enabled(settings, tool->spec()).yes) words.push_back(word);
  }
  const std::string_view near = nearest(name, words);
  return fail(
      ErrorKind::not_found,
      fmt::format("there is no tool `{}`{}", cut_with_mark(name, kMaxName),
                  near.empty() ? "" : fmt::format("; did you mean `{}`?", by_word_.find(near)->second->spec().name)),
      choices(names));
}

std::string Registry::name_of(std::string_view word) const {
  const auto found = by_word_.find(word);
  return found == by_word_.end() ? std::string(word) : found->second->spec().name;
}

std::vector<std::shared_ptr<const Tool>> Registry::tools() const {
  std::vector<std::shared_ptr<const Tool>> tools;
  tools.reserve(tools_.size());
  for (const auto& [name, tool] : tools_) tools.push_back(tool);
  return tools;
}

std::vector<std::shared_ptr<const Tool>> Registry::enabled_tools(const ToolsSettings& settings) const {
  std::vector<std::shared_ptr<const Tool>> tools;
  for (const auto& [name, tool] : tools_) {
    if (is_enabled(settings, tool->spec()).yes) tools.push_back(tool);
  }
  return tools;
}

std::vector<std::string> Registry::enabled_names(const ToolsSettings& settings) const {
  std::vector<std::string> names;
  for (const std::shared_ptr<const Tool>& tool : enabled_tools(settings)) names.push_back(tool->spec().name);
  return names;
}

std::vector<intent::KnownTool> Registry::known_tools(const ToolsSettings& settings) const {
  std::vector<intent::KnownTool> known;
  for (const std::shared_ptr<const Tool>& tool : enabled_tools(settings)) known.push_back(known_tool(tool->spec()));
  return known;
}

std::vector<ToolListing> Registry::list(const ToolsSettings& settings) const {
  std::vector<ToolListing> listed;
  for (const auto& [name, tool] : tools_) {
    const ToolSpec& spec = tool->spec();
    listed.push_back({spec.name, spec.description, spec.category, std::string(effect_in_words(spec)),
                      offered_params(spec), is_enabled(settings, spec).yes, spec.missing.empty(), spec.missing});
  }
  return listed;
}

namespace {

Problem unknown(std::string path, std::string_view what, std::string_view given, std::span<const std::string> known) {
  std::string message = fmt::format("there is no {} `{}`", what, cut_with_mark(given, kMaxName));
  if (const std::string_view near = nearest(given, known); !near.empty()) {
    message += fmt::format("; did you mean `{}`?", near);
  }
  return {std::move(path), std::move(message), known.empty() ? std::string() : "known here: " + list_names(known)};
}

class Checker {
 public:
  Checker(const Registry& registry, const std::vector<std::string>& environments)
      : registry_(registry), environments_(environments) {}

  void check_category(const std::string& name, const CategorySettings& category) {
    const std::string path = "tools." + name;
    if (!is_known_category(name)) {
      problems_.push_back(unknown(path, "category", name, known_categories()));
      return;
    }
    for (const auto& [tool_name, tool] : category.tools)
      check_tool(fmt::format("{}.{}", path, tool_name), name, tool_name, tool);
  }

  std::vector<Problem> take() { return std::move(problems_); }

 private:
  void check_tool(const std::string& path, const std::string& category, const std::string& name,
                  const ToolSettings& settings) {
    std::vector<std::string> known;
    for (const auto& tool : registry_.tools()) {
      if (tool->spec().category == category) known.push_back(tool->spec().name);
    }
    const auto found = registry_.find(name);
    // In a category without tools there are no names to compare with.
    if (!found && known.empty()) return;
    if (!found) {
      problems_.push_back(unknown(path, fmt::format("tool in {}", category), name, known));
      return;
    }
    const ToolSpec& spec = (*found)->spec();
    if (spec.category != category) {
      problems_.push_back({path, fmt::format("`{}` is not in {}", name, category),
                           fmt::format("move it under tools.{}", spec.category)});
      return;
    }
    if (spec.name != name) {
      problems_.push_back({path, fmt::format("`{}` is another name of `{}`", name, spec.name),
                           fmt::format("write tools.{}.{}", category, spec.name)});
      return;
    }
    check_parameters(path, **found, settings.parameters);
    for (const auto& [environment, overrides] : settings.environments) {
      const std::string below = fmt::format("{}.environments.{}", path, environment);
      if (!contains(environments_, environment)) {
        problems_.push_back(unknown(below, "environment", environment, environments_));
      }
      check_parameters(below, **found, overrides.parameters);
    }
  }

  void check_parameters(const std::string& path, const Tool& tool, const json::object& parameters) {
    for (Problem& problem : tool.problems_of(parameters)) {
      problem.path = problem.path.empty() ? path + ".parameters" : fmt::format("{}.parameters.{}", path, problem.path);
      problems_.push_back(std::move(problem));
    }
  }

  const Registry& registry_;
  const std::vector<std::string>& environments_;
  std::vector<Problem> problems_;
};

}  // namespace

std::vector<Problem> check_settings(const ToolsSettings& settings, const Registry& registry,
                                    const std::vector<std::string>& environments) {
  Checker checker(registry, environments);
  for (const auto& [name, category] : settings) checker.check_category(name, category);
  return checker.take();
}

}  // namespace deputy::toolkit
