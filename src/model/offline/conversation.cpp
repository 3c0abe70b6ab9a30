#include "model/offline/conversation.h"

#include <algorithm>
#include <unordered_map>

#include "base/text.h"
#include "intent/context_section.h"

namespace deputy::model::offline {

namespace {

constexpr std::size_t kMaxChoices = 25;
constexpr std::size_t kMaxChoice = 60;

bool holds_results(const Turn& turn) {
  return std::ranges::any_of(turn.blocks, [](const Block& block) { return std::holds_alternative<CallResult>(block); });
}

bool is_said(const Turn& turn) {
  return turn.role == Role::user && std::ranges::any_of(turn.blocks, [](const Block& block) {
           const Text* text = std::get_if<Text>(&block);
           return text != nullptr && !trim(text->text).empty();
         });
}

/// The user turn with the request: the last one with text and without results, else the first one with text.
std::size_t find_request(const std::vector<Turn>& turns) {
  for (std::size_t at = turns.size(); at-- > 0;) {
    if (is_said(turns[at]) && !holds_results(turns[at])) return at;
  }
  return static_cast<std::size_t>(std::ranges::find_if(turns, is_said) - turns.begin());
}

/// The block of a turn that is the request: the last one with a context section, else the last one. The blocks before
/// it quote messages of other people.
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

/// What the person wrote, without the lines in square brackets that describe the channel.
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

std::string today_in(std::string_view block) {
  constexpr std::string_view kBefore = "\n[It is ";
  const std::size_t at = block.rfind(kBefore);
  return at == std::string_view::npos ? "" : std::string(block.substr(at + kBefore.size(), 10));
}

/// The intent from the request alone. A turn without a context section gives no names and no time either, so times are
/// dropped.
intent::Intent read_intent(std::string_view request, const toolkit::Registry& registry) {
  intent::Vocabulary vocabulary{.tools = registry.known_tools({})};
  intent::Intent intent = intent::extract(request, vocabulary);
  intent.parameters.time_range = {};
  return intent;
}

CallEnd outcome_of(const CallResult& result) {
  const std::string_view text = trim(result.text);
  if (text.contains("It may have happened")) return CallEnd::may_have_happened;
  if (!result.failed) return CallEnd::succeeded;
  if (text.starts_with("Denied") || text.starts_with("Cancelled")) return CallEnd::denied;
  return CallEnd::failed;
}

std::string member(const json::value& object, std::string_view key) {
  const json::value* value = object.is_object() ? object.get_object().if_contains(key) : nullptr;
  return value != nullptr && value->is_string() ? as_text(*value) : std::string();
}

const json::array& list_in(const json::object& object, std::string_view key) {
  static const json::array kNone;
  const json::value* list = object.if_contains(key);
  return list != nullptr && list->is_array() ? list->get_array() : kNone;
}

void read_form(const Call& call, const CallResult& result, FormAnswers& answers) {
  for (const json::value& question : list_in(call.arguments, "questions")) {
    if (std::string label = member(question, "label"); !label.empty()) answers.asked.push_back(std::move(label));
  }
  answers.not_answered.clear();
  const Result<json::object> given = parse_json_object(result.text);
  if (result.failed || !given) {
    answers.not_answered = result.text.empty() ? "no answer was given" : result.text;
    return;
  }
  const json::value* completed = given->if_contains("completed");
  if (completed == nullptr || *completed != json::value(true)) {
    const std::string reason = member(*given, "reason");
    answers.not_answered = reason.empty() ? "no answer was given" : reason;
  }
  for (const json::value& item : list_in(*given, "answers")) {
    const std::string label = member(item, "question_label");
    if (!label.empty()) answers.by_label[label] = member(item, "answer");
  }
}

/// Reads the calls made for the request, and notes that arrived in the meantime.
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
        if (found->second->tool == kAskUser) {
          read_form(*found->second, *result, into.answers);
        } else {
          into.done.push_back({*found->second, result->text, outcome_of(*result)});
        }
      } else if (const Text* note = std::get_if<Text>(&block);
                 note != nullptr && turns[at].role == Role::user && !trim(note->text).empty()) {
        into.request += "\n" + words_of(note->text);
      }
    }
  }
}

/// The calls of the last turn before `end` that made any.
std::vector<Call> calls_before(const std::vector<Turn>& turns, std::size_t end) {
  std::vector<Call> calls;
  while (calls.empty() && end-- > 0) {
    for (const Block& block : turns[end].blocks) {
      const Call* call = std::get_if<Call>(&block);
      if (call != nullptr && call->tool != kAskUser) calls.push_back(*call);
    }
  }
  return calls;
}

bool has_signed(const std::vector<Turn>& turns) {
  const auto is_signature = [](const Block& block) {
    const Text* text = std::get_if<Text>(&block);
    return text != nullptr && text->text.contains(kSignature);
  };
  return std::ranges::any_of(turns, [&](const Turn& turn) {
    return turn.role == Role::assistant && std::ranges::any_of(turn.blocks, is_signature);
  });
}

}  // namespace

std::vector<std::string> choices_named(std::string_view text) {
  text = text.substr(std::min(text.rfind(": ") + 2, text.size()));
  text = text.substr(0, text.find_first_of("\n.?;()[]{}"));
  std::vector<std::string> names;
  std::string list(text);
  for (std::size_t at = list.find(" or "); at != std::string::npos; at = list.find(" or ")) list.replace(at, 4, ",");
  for (const std::string_view part : split(list, ",")) {
    const std::string_view name = trim(part);
    const bool plain = !name.empty() && name.size() <= kMaxChoice && is_valid_utf8(name) &&
                       name.find_first_of(" :={}<>`\"'") == std::string_view::npos;
    if (plain && names.size() < kMaxChoices && !contains(names, name)) names.emplace_back(name);
  }
  return names;
}

Conversation read_conversation(const Request& request, const toolkit::Registry& registry) {
  Conversation conversation{.has_signed = has_signed(request.turns)};
  const std::size_t at = find_request(request.turns);
  if (at < request.turns.size()) {
    const std::string_view block = request_block(request.turns[at]);
    conversation.request = words_of(block);
    conversation.today = today_in(block);
    std::optional<intent::Intent> given = intent::read_context_section(block);
    conversation.intent = given ? *std::move(given) : read_intent(conversation.request, registry);
    conversation.before = calls_before(request.turns, at);
    read_turns(request.turns, at + 1, conversation);
  }
  for (const std::string& question : conversation.intent.clarifications_needed) {
    if (to_lower(question).contains("environment")) conversation.environments = choices_named(question);
  }
  return conversation;
}

}  // namespace deputy::model::offline
