#include "model/offline/summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "model/offline/choose.h"

namespace deputy::model::offline {

namespace {

constexpr std::string_view kSignature =
    "_This is the offline planner: it picks tools by rule and quotes what they say, without judging it. Set a model "
    "key "
    "(such as `ANTHROPIC_API_KEY`) for real answers._";
constexpr std::size_t kLongestArgument = 120;
constexpr std::size_t kLeastEvidence = 120;
constexpr std::size_t kWordsAroundEvidence = 250;  // characters, a result
constexpr std::size_t kToolsNamed = 8;
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

/// Longer than any run of backticks in the text, so that the text cannot end it.
std::string fence_for(std::string_view text) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(std::max<std::size_t>(3, longest + 1), '`');
}

/// The beginning of a text, whole lines where possible.
std::string quote(std::string_view text, std::size_t most) {
  const std::size_t all = count_characters(text);
  std::string_view shown = cut_characters(text, most);
  if (shown.size() < text.size()) {
    if (const std::size_t line = shown.rfind('\n'); line != std::string_view::npos && line > shown.size() / 2) {
      shown = shown.substr(0, line);
    }
  }
  const std::string fence = fence_for(shown);
  std::string quoted = fmt::format("{0}\n{1}\n{0}", fence, shown);
  if (shown.size() < text.size()) {
    quoted += fmt::format("\n(cut: the first {} of {} characters are shown)", count_characters(shown), all);
  }
  return quoted;
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
  std::string names;
  std::size_t named = 0;
  std::size_t left = 0;
  for (const ToolDescription& tool : tools) {
    if (is_talk_tool(tool)) continue;
    if (named >= kToolsNamed) {
      ++left;
      continue;
    }
    ++named;
    names += fmt::format("\n- {}: {}", as_code(cut_characters(tool.name, 100)), first_sentence(tool.description));
  }
  if (named > 0) text += fmt::format(" What I can use:{}", names);
  if (left > 0) text += fmt::format("\n- and {} more", left);
  if (named == 0) text += " At the moment I have no tools.";
  return fmt::format("{}\n\n{}", text, kSignature);
}

}  // namespace deputy::model::offline
