#include "toolkit/settings_check.h"

#include <fmt/format.h>

#include "base/contains.h"
#include "base/text.h"

namespace deputy::toolkit {

namespace {

constexpr std::size_t kMostOfAName = 64;

Problem unknown(std::string path, std::string_view what, std::string_view given, std::span<const std::string> known) {
  std::string message = fmt::format("there is no {} `{}`", what, cut_with_mark(given, kMostOfAName));
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
    // A category without a tool has nothing to tell a name by.
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
