#include "toolkit/registry.h"

#include <fmt/format.h>

#include <set>

#include "base/text.h"
#include "toolkit/background.h"

namespace deputy::toolkit {

namespace {

constexpr std::size_t kMostOfAName = 64;

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
          fmt::format("the name `{}` is taken by `{}`", cut_with_mark(word, kMostOfAName), taken->second->spec().name));
    } else if (!own.insert(word).second) {
      problems.push_back(fmt::format("it has the name `{}` twice", cut_with_mark(word, kMostOfAName)));
    }
  }
  if (!problems.empty()) {
    return fail(ErrorKind::invalid_input, fmt::format("the tool `{}` is refused: {}",
                                                      cut_with_mark(spec.name, kMostOfAName), join(problems, "; ")));
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
  // An alias may be what was meant, and is answered with the name.
  std::vector<std::string> words = names;
  for (const auto& [word, tool] : by_word_) {
    if (is_enabled(settings, tool->spec()).yes) words.push_back(word);
  }
  const std::string_view near = nearest(name, words);
  return fail(
      ErrorKind::not_found,
      fmt::format("there is no tool `{}`{}", cut_with_mark(name, kMostOfAName),
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

}  // namespace deputy::toolkit
