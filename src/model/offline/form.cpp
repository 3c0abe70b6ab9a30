#include "model/offline/form.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace deputy::model::offline {

namespace {

constexpr std::size_t kMostQuestions = 10;
constexpr std::size_t kLeastOptions = 2;
constexpr std::size_t kMostOptions = 25;
constexpr std::size_t kLongestOption = 200;
constexpr std::size_t kLongestDoc = 300;

/// What may be chosen; empty where it is free text.
std::vector<std::string> options_of(const Missing& missing, const std::vector<std::string>& environments) {
  std::vector<std::string> options;
  const auto add = [&](std::string option) {
    const bool shown = !trim(option).empty() && count_characters(option) <= kLongestOption && is_valid_utf8(option);
    if (shown && !contains(options, option)) options.push_back(std::move(option));
  };
  for (const json::value& choice : missing.parameter.choices) add(as_text(choice));
  if (options.empty() && missing.parameter.kind == Kind::boolean) options = {"yes", "no"};
  if (options.empty() && missing.role == ParameterRole::environment) {
    for (const std::string& name : environments) add(name);
  }
  return options;
}

std::string question_of(const Missing& missing) {
  if (missing.role == ParameterRole::environment) return "Which environment?";
  if (missing.role == ParameterRole::service) return "Which service?";
  if (missing.role == ParameterRole::query) return "What should I look for?";
  std::string name(cut_characters(missing.parameter.name, 100));
  std::ranges::replace(name, '_', ' ');
  if (missing.parameter.doc.empty()) return to_valid_utf8(fmt::format("Which {}?", name));
  return to_valid_utf8(fmt::format("Which {}? ({})", name, cut_characters(missing.parameter.doc, kLongestDoc)));
}

/// Those that are asked for under a label of their own.
std::vector<const Missing*> distinct(const std::vector<Missing>& missing) {
  std::vector<const Missing*> kept;
  for (const Missing& one : missing) {
    const std::string label = label_of(one.role, one.parameter);
    const bool twice = std::ranges::any_of(
        kept, [&](const Missing* other) { return label_of(other->role, other->parameter) == label; });
    if (!twice && kept.size() < kMostQuestions && !trim(label).empty()) kept.push_back(&one);
  }
  return kept;
}

}  // namespace

json::object form_for(const std::vector<Missing>& missing, const std::vector<std::string>& environments) {
  json::array questions;
  for (const Missing* one : distinct(missing)) {
    json::object question{{"label", label_of(one->role, one->parameter)}, {"question", question_of(*one)}};
    const std::vector<std::string> options = options_of(*one, environments);
    // One option is no choice, and what is cut to fit hides the rest: then people say it in their own words.
    if (options.size() >= kLeastOptions && options.size() <= kMostOptions) {
      json::array offered;
      for (const std::string& option : options) offered.push_back(json::object{{"value", option}, {"label", option}});
      question["options"] = std::move(offered);
      question["allow_custom"] = one->parameter.choices.empty() && one->parameter.kind != Kind::boolean;
    }
    questions.push_back(std::move(question));
  }
  return {{"questions", std::move(questions)}};
}

std::string in_words(const std::vector<Missing>& missing, const std::vector<std::string>& environments) {
  std::string words;
  for (const Missing* one : distinct(missing)) {
    if (!words.empty()) words += ", ";
    words += fmt::format("`{}`", label_of(one->role, one->parameter));
    std::vector<std::string> options = options_of(*one, environments);
    if (options.empty()) continue;
    const std::size_t more = options.size() > kMostOptions ? options.size() - kMostOptions : 0;
    options.resize(options.size() - more);
    words += fmt::format(" ({}{})", join(options, ", "), more == 0 ? "" : fmt::format(" and {} more", more));
  }
  return words;
}

}  // namespace deputy::model::offline
