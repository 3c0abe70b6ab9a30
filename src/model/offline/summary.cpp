#include "model/offline/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/text.h"
#include "model/offline/choose.h"
#include "model/offline/evidence.h"
#include "model/offline/words.h"

namespace deputy::model::offline {

namespace {

constexpr std::string_view kSignature =
    "_This is the offline planner: it picks tools by rule and quotes what they say, without judging it. Set a model "
    "key "
    "(such as `ANTHROPIC_API_KEY`) for real answers._";
constexpr std::string_view kHowToSet =
    "Whoever runs Deputy sets this in its settings file, `deputy.yaml`: `deputy config init` writes one with comments, "
    "`deputy doctor` says what is set up and what is not.";
constexpr std::size_t kLongestArgument = 120;
constexpr std::size_t kLeastEvidence = 120;
constexpr std::size_t kWordsAroundEvidence = 450;  // characters, a result
constexpr std::size_t kToolsTold = 8;              // with a sentence each
constexpr std::size_t kToolsNamed = 30;            // and others by their names
constexpr std::size_t kLongestError = 600;

/// Text inside backticks that cannot end them.
std::string as_code(std::string_view text) {
  std::string code(text);
  std::ranges::replace(code, '`', '\'');
  std::ranges::replace(code, '\n', ' ');
  return fmt::format("`{}`", to_valid_utf8(std::move(code)));
}

std::string arguments_in_words(const json::object& arguments) {
  std::string words;
  for (const auto& member : arguments) {
    if (!words.empty()) words += ", ";
    const std::string value = json::serialize(member.value());
    words += fmt::format("{}: {}", as_view(member.key()), cut_with_mark(value, kLongestArgument));
  }
  return words;
}

std::string name_of(const Done& done) {
  const std::string arguments = arguments_in_words(done.call.arguments);
  return as_code(arguments.empty() ? done.call.tool : fmt::format("{} {}", done.call.tool, arguments));
}

/// How much there is, of what: "3 items", "12 lines"; empty when it cannot be counted.
std::string amount_of(std::string_view text, const json::value* parsed) {
  const auto counted = [](std::size_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
  };
  if (parsed != nullptr && parsed->is_array()) return counted(parsed->get_array().size(), "item");
  if (parsed != nullptr && parsed->is_object()) {
    std::string amounts;
    for (const auto& member : parsed->get_object()) {
      if (!member.value().is_array()) continue;
      amounts += fmt::format("{}{} in {}", amounts.empty() ? "" : ", ",
                             counted(member.value().get_array().size(), "item"), as_view(member.key()));
    }
    return std::string(cut_characters(amounts, kLongestArgument));
  }
  std::size_t lines = 0;
  for (const std::string_view line : split(text, "\n")) lines += trim(line).empty() ? 0 : 1;
  return lines > 1 ? counted(lines, "line") : "";
}

bool is_empty(const json::value& value) {
  if (value.is_null()) return true;
  if (value.is_array()) return value.get_array().empty();
  if (!value.is_object()) return false;
  return std::ranges::all_of(value.get_object(), [](const auto& member) {
    return member.value().is_null() || (member.value().is_array() && member.value().get_array().empty());
  });
}

std::string say(const Done& done, std::size_t room) {
  const std::string text = to_valid_utf8(std::string(trim(done.text)));
  const std::string name = name_of(done);
  const auto told = [&] { return cut_with_mark(text.empty() ? "without a reason" : text, kLongestError); };
  switch (done.outcome) {
    case Outcome::denied:
      return fmt::format("{} was not run. {}", name, told());
    case Outcome::may_have_happened:
      return fmt::format("{}: its outcome is not known. {}", name, told());
    case Outcome::not_set_up:
      return fmt::format("{}\n{}", told(), kHowToSet);
    case Outcome::needs_environment:
    case Outcome::no_such_service:
    case Outcome::failed:
      return fmt::format("{} failed: {}", name, told());
    case Outcome::succeeded:
      break;
  }
  const Result<json::value> parsed = parse_json(text);
  if (text.empty() || (parsed && is_empty(*parsed))) return fmt::format("{} found nothing.", name);
  const std::string amount = amount_of(text, parsed ? &*parsed : nullptr);
  return fmt::format("{}{}:\n{}", name, amount.empty() ? "" : " gave " + amount, quote(text, room));
}

std::string first_sentence(std::string_view description) {
  const std::size_t end = std::min(description.find(". "), description.find('\n'));
  std::string_view sentence = cut_characters(description.substr(0, end), kLongestArgument);
  while (sentence.ends_with('.')) sentence.remove_suffix(1);
  return to_valid_utf8(std::string(sentence));
}

std::string named(const ToolDescription& tool) { return as_code(cut_characters(tool.name, 100)); }

/// What people ask for first, then what looks after Deputy's own work.
std::vector<const ToolDescription*> by_worth(const std::vector<ToolDescription>& tools) {
  static constexpr std::string_view kOwnWork[] = {"background", "sub"};
  std::vector<const ToolDescription*> first;
  std::vector<const ToolDescription*> last;
  for (const ToolDescription& tool : tools) {
    if (is_talk_tool(tool)) continue;
    const bool own_work =
        std::ranges::any_of(parts_of(tool.name), [](const std::string& part) { return contains(kOwnWork, part); });
    (own_work ? last : first).push_back(&tool);
  }
  first.insert(first.end(), last.begin(), last.end());
  return first;
}

}  // namespace

std::string summarize(const Conversation& conversation, std::size_t room) {
  std::vector<const Done*> told;
  for (const Done& done : conversation.done) {
    // A call that was made again with what it lacked has nothing more to say.
    const bool made_again =
        done.outcome == Outcome::needs_environment && std::ranges::any_of(conversation.done, [&](const Done& later) {
          return later.turn > done.turn && later.call.tool == done.call.tool;
        });
    if (!made_again) told.push_back(&done);
  }
  if (told.empty()) return fmt::format("I have called no tool for this.\n\n{}", kSignature);
  const std::size_t around = kSignature.size() + told.size() * kWordsAroundEvidence;
  const std::size_t share = room > around ? (room - around) / told.size() : 0;
  const std::size_t evidence = std::clamp(share, kLeastEvidence, kMostEvidence);
  std::string text;
  for (const Done* done : told) text += say(*done, evidence) + "\n\n";
  return text + std::string(kSignature);
}

std::string summarize_without(const Conversation& conversation, std::string_view missing, std::size_t room) {
  const std::string sentence = to_valid_utf8(cut_with_mark(missing, kLongestError));
  if (conversation.done.empty()) return fmt::format("{}\n\n{}", sentence, kSignature);
  return fmt::format("{}\n\n{}", sentence,
                     summarize(conversation, room > sentence.size() ? room - sentence.size() : 0));
}

std::string say_what_is_possible(const Conversation& conversation, const std::vector<ToolDescription>& tools) {
  const bool acts = conversation.intent.type == intent::IntentType::act;
  std::string text = acts
                         ? "None of my tools does that, so nothing was changed."
                         : "I can answer questions by looking things up, and make changes after someone approves them.";
  const std::vector<const ToolDescription*> worth_naming = by_worth(tools);
  const std::size_t told = std::min(worth_naming.size(), kToolsTold);
  if (told > 0) text += " What I can use:";
  for (const ToolDescription* tool : std::span(worth_naming).first(told)) {
    text += fmt::format("\n- {}: {}", named(*tool), first_sentence(tool->description));
  }
  std::vector<std::string> others;
  for (const ToolDescription* tool : std::span(worth_naming).subspan(told)) {
    if (others.size() < kToolsNamed) others.push_back(named(*tool));
  }
  const std::size_t left = worth_naming.size() - told - others.size();
  if (!others.empty()) text += fmt::format("\n- and {}", join(others, ", "));
  if (left > 0) text += fmt::format(" and {} more", left);
  if (told == 0) text += " At the moment I have no tools.";
  return fmt::format("{}\n\n{}", text, kSignature);
}

}  // namespace deputy::model::offline
