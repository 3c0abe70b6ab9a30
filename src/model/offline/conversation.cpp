#include "model/offline/conversation.h"

#include <algorithm>
#include <unordered_map>

#include "base/text.h"
#include "intent/context_section.h"
#include "model/offline/roles.h"

namespace deputy::model::offline {

namespace {

constexpr std::size_t kMostChoices = 25;
constexpr std::size_t kLongestChoice = 60;
constexpr std::string_view kEnvironmentRequired = "ENVIRONMENT_REQUIRED";
constexpr std::string_view kNoSuchService = "there is no service ";
constexpr std::string_view kNotSetUp = "is not set up here";

bool holds_results(const Turn& turn) {
  return std::ranges::any_of(turn.blocks, [](const Block& block) { return std::holds_alternative<CallResult>(block); });
}

bool holds_text(const Turn& turn) {
  return std::ranges::any_of(turn.blocks, [](const Block& block) {
    const Text* text = std::get_if<Text>(&block);
    return text != nullptr && !trim(text->text).empty();
  });
}

/// The turn of the user's that holds the request: the last one with text and no result, else the first with text.
std::size_t find_request(const std::vector<Turn>& turns) {
  for (std::size_t at = turns.size(); at-- > 0;) {
    if (turns[at].role == Role::user && holds_text(turns[at]) && !holds_results(turns[at])) return at;
  }
  for (std::size_t at = 0; at < turns.size(); ++at) {
    if (turns[at].role == Role::user && holds_text(turns[at])) return at;
  }
  return turns.size();
}

/// The block of a turn that is the request: the last with a context section, else the last. Those before it are quoted
/// messages of others.
std::string_view request_block(const Turn& turn) {
  std::string_view last;
  std::string_view with_section;
  for (const Block& block : turn.blocks) {
    const Text* text = std::get_if<Text>(&block);
    if (text == nullptr || trim(text->text).empty()) continue;
    last = text->text;
    if (intent::read_context_section(text->text)) with_section = text->text;
  }
  return with_section.empty() ? last : with_section;
}

/// The words of the person, without the lines in square brackets that describe the channel.
std::string words_of(std::string_view block) {
  std::string words;
  for (const std::string_view line : split(intent::without_context_section(block), "\n")) {
    const std::string_view text = trim(line);
    if (text.starts_with('[') && text.ends_with(']')) continue;
    if (!words.empty()) words += '\n';
    words += line;
  }
  return std::string(trim(words));
}

/// The environments that tools offer in their schemas.
std::map<std::string, std::vector<std::string>> environments_of(const std::vector<ToolDescription>& tools) {
  std::map<std::string, std::vector<std::string>> environments;
  for (const ToolDescription& tool : tools) {
    for (const Parameter& parameter : parameters_of(tool.params)) {
      if (parameter.choices.empty() || role_of(tool, parameter) != ParameterRole::environment) continue;
      for (const json::value& choice : parameter.choices) environments[as_text(choice)];
    }
  }
  return environments;
}

/// Read from the request alone. There is no clock here: how far back a time lies is taken as far as it may be, and
/// moments are not told at all.
intent::Intent read_intent(std::string_view request, const std::vector<ToolDescription>& tools) {
  constexpr std::chrono::milliseconds kEndOfADay = std::chrono::hours(24 * 366) - std::chrono::minutes(1);
  intent::Vocabulary vocabulary;
  vocabulary.environments = environments_of(tools);
  for (const ToolDescription& tool : tools) vocabulary.tools.push_back(tool.name);
  vocabulary.now = Timestamp(kEndOfADay);
  intent::Intent intent = intent::extract(request, vocabulary);
  intent.parameters.time_range.from.reset();
  intent.parameters.time_range.to.reset();
  intent.parameters.time_range.problem.clear();
  return intent;
}

Outcome outcome_of(const CallResult& result) {
  const std::string_view text = trim(result.text);
  if (text.contains(kEnvironmentRequired) && result.failed) return Outcome::needs_environment;
  if (text.contains("It may have happened")) return Outcome::may_have_happened;
  if (!result.failed) return Outcome::succeeded;
  if (text.starts_with("Denied") || text.starts_with("Cancelled")) return Outcome::denied;
  if (text.contains(kNoSuchService)) return Outcome::no_such_service;
  if (text.contains(kNotSetUp)) return Outcome::not_set_up;
  return Outcome::failed;
}

void read_form(const Call& call, const CallResult& result, FormAnswers& answers) {
  if (const json::value* questions = call.arguments.if_contains("questions"); questions && questions->is_array()) {
    for (const json::value& question : questions->get_array()) {
      const json::value* label = question.is_object() ? question.get_object().if_contains("label") : nullptr;
      if (label != nullptr && label->is_string()) answers.asked.emplace_back(as_view(label->get_string()));
    }
  }
  answers.not_answered.clear();
  const Result<json::object> given = parse_json_object(result.text);
  if (result.failed || !given) {
    answers.not_answered = result.text.empty() ? "it gave no answer" : result.text;
    return;
  }
  const json::value* completed = given->if_contains("completed");
  if (completed == nullptr || !completed->is_bool() || !completed->get_bool()) {
    const json::value* reason = given->if_contains("reason");
    answers.not_answered = reason != nullptr && reason->is_string() ? as_text(*reason) : "it was not answered";
  }
  const json::value* list = given->if_contains("answers");
  if (list == nullptr || !list->is_array()) return;
  for (const json::value& item : list->get_array()) {
    if (!item.is_object()) continue;
    const json::value* label = item.get_object().if_contains("question_label");
    const json::value* answer = item.get_object().if_contains("answer");
    if (label == nullptr || answer == nullptr || !label->is_string() || !answer->is_string()) continue;
    answers.by_label[as_text(*label)] = as_text(*answer);
  }
}

void add_environments(std::string_view text, std::vector<std::string>& environments) {
  for (std::string& name : choices_named(text)) {
    if (!contains(environments, name)) environments.push_back(std::move(name));
  }
}

/// Reads the turns behind the request.
void read_turns(const std::vector<Turn>& turns, std::size_t first, Conversation& into) {
  std::unordered_map<std::string_view, const Call*> open;  // by id, which is unique within a turn
  for (std::size_t at = first; at < turns.size(); ++at) {
    if (turns[at].role == Role::assistant) {
      ++into.turns;
      open.clear();
    }
    for (const Block& block : turns[at].blocks) {
      if (const Call* call = std::get_if<Call>(&block); call != nullptr && turns[at].role == Role::assistant) {
        open[call->id] = call;
      } else if (const CallResult* result = std::get_if<CallResult>(&block)) {
        const auto found = open.find(result->call);
        if (found == open.end()) continue;
        const Call& call = *found->second;
        if (call.tool == kAskUser) {
          read_form(call, *result, into.answers);
        } else {
          into.done.push_back({call, result->text, outcome_of(*result), into.turns});
          if (into.done.back().outcome == Outcome::needs_environment) add_environments(result->text, into.environments);
        }
      } else if (const Text* note = std::get_if<Text>(&block);
                 note != nullptr && turns[at].role == Role::user && !trim(note->text).empty()) {
        into.request += "\n" + words_of(note->text);
      }
    }
  }
}

/// Where a text begins to list: behind "known", else behind its last colon.
std::string_view list_in(std::string_view text) {
  const std::string lower = to_lower(text);
  std::string_view list;
  if (const std::size_t known = lower.rfind("known"); known != std::string::npos) {
    list = text.substr(known + std::string_view("known").size());
    for (bool skipped = true; skipped;) {
      skipped = false;
      list = trim(list);
      for (const std::string_view word : {"environments", "ones", "are", ":"}) {
        if (!list.starts_with(word)) continue;
        list.remove_prefix(word.size());
        skipped = true;
      }
    }
  } else if (const std::size_t colon = text.rfind(": "); colon != std::string_view::npos) {
    list = text.substr(colon + 2);
  }
  return list.substr(0, list.find_first_of("\n.?;()[]{}"));
}

}  // namespace

std::vector<std::string> choices_named(std::string_view text) {
  std::vector<std::string> names;
  std::string_view list = list_in(text);
  std::string name;
  const auto end_name = [&] {
    const std::string_view cleaned = trim(name);
    const bool plain = !cleaned.empty() && cleaned.size() <= kLongestChoice &&
                       cleaned.find_first_of(" :={}<>") == std::string_view::npos;
    if (plain && names.size() < kMostChoices && is_valid_utf8(cleaned) && !contains(names, cleaned)) {
      names.emplace_back(cleaned);
    }
    name.clear();
  };
  for (const std::string_view word : split(list, " ")) {
    if (word == "or" || word == "and") {
      end_name();
      continue;
    }
    for (const char c : word) {
      if (c == ',') {
        end_name();
      } else if (c != '`' && c != '"' && c != '\'') {
        name += c;
      }
    }
    name += ' ';
  }
  end_name();
  return names;
}

Conversation read_conversation(const Request& request) {
  Conversation conversation;
  const std::size_t at = find_request(request.turns);
  if (at < request.turns.size()) {
    const std::string_view block = request_block(request.turns[at]);
    conversation.request = words_of(block);
    if (std::optional<intent::Intent> given = intent::read_context_section(block)) {
      conversation.intent = *std::move(given);
      conversation.intent_was_given = true;
    }
    read_turns(request.turns, at + 1, conversation);
  }
  if (!conversation.intent_was_given) conversation.intent = read_intent(conversation.request, request.tools);
  for (const std::string& question : conversation.intent.clarifications_needed) {
    if (to_lower(question).contains("environment")) add_environments(question, conversation.environments);
  }
  return conversation;
}

}  // namespace deputy::model::offline
