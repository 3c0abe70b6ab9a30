#include "model/offline/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <span>

#include "base/text.h"
#include "intent/match.h"
#include "model/offline/arguments.h"

namespace deputy::model::offline {

namespace {

using toolkit::Kind;

constexpr std::size_t kMaxLine = 300;
constexpr std::size_t kMaxArgument = 80;
constexpr std::size_t kMaxError = 600;
constexpr std::size_t kExamples = 3;
constexpr std::size_t kAround = 700;  // characters reserved for everything but the evidence

std::string in_a_line(std::string_view text, std::size_t most) {
  std::string line = to_valid_utf8(cut_with_mark(trim(text), most));
  std::ranges::replace_if(line, [](char c) { return c == '`' || static_cast<unsigned char>(c) < ' '; }, '\'');
  return line;
}

/// "04:00–08:00 UTC" for two ISO times, with their dates unless they are today.
std::string span_in_words(std::string_view from, std::string_view to, std::string_view today) {
  const auto shown = [](std::string_view at) { return fmt::format("{} {}", at.substr(0, 10), at.substr(11, 5)); };
  if (from.size() < 16) return in_a_line(from, kMaxArgument);
  if (to.size() < 16) return fmt::format("since {} UTC", shown(from));
  if (from.substr(0, 10) != to.substr(0, 10)) return fmt::format("{} – {} UTC", shown(from), shown(to));
  const std::string_view first = from.substr(0, 10) == today ? from.substr(11, 5) : std::string_view();
  return fmt::format("{}–{} UTC", first.empty() ? shown(from) : std::string(first), to.substr(11, 5));
}

/// At most `most` lines in a code fence, and how to see the rest. A list that is sorted oldest first shows its last
/// lines.
std::string quote(std::string_view text, std::size_t most, std::size_t room) {
  std::vector<std::string_view> lines = split(text, "\n");
  std::erase_if(lines, [](std::string_view line) { return trim(line).empty(); });
  const std::size_t count = std::min(most, lines.size());
  if (count == 0) return {};
  const bool newest_last = std::ranges::any_of(std::span(lines).first(std::min<std::size_t>(lines.size(), 2)),
                                               [](std::string_view line) { return line.contains("oldest first:"); });
  std::string shown;
  for (const std::string_view line : newest_last ? std::span(lines).last(count) : std::span(lines).first(count))
    shown += cut_with_mark(line, std::min(kMaxLine, room / count)) + "\n";
  const std::string fence(std::max<std::size_t>(3, longest_run_of_backticks(shown) + 1), '`');
  std::string quoted = fmt::format("\n{0}\n{1}{0}\n", fence, shown);
  if (const std::size_t left = lines.size() - count; left > 0)
    quoted += fmt::format("{} in the details of this run.\n", count_of(left, "more line"));
  return quoted;
}

std::string say(const Done& done, const toolkit::Registry& registry, std::string_view today, std::size_t lines,
                std::size_t room) {
  const auto tool = registry.find(done.call.tool);
  const std::string what = tool ? understood((*tool)->spec(), done.call.arguments, today) : done.call.tool;
  std::string text = to_valid_utf8(std::string(trim(done.text)));
  // Its last line tells a model not to try again.
  if (done.outcome == CallEnd::denied && text.starts_with("Denied"))
    text.resize(std::min(text.rfind('\n'), text.size()));
  const std::string told = cut_with_mark(text.empty() ? "no reason was given" : text, kMaxError);
  if (done.outcome != CallEnd::succeeded) {
    const std::string_view how = done.outcome == CallEnd::denied              ? "Not run"
                                 : done.outcome == CallEnd::may_have_happened ? "Its outcome is not known"
                                                                              : "Failed";
    return fmt::format("{}\n{}: {}\n", what, how, told);
  }
  if (text.empty() || text == "[]" || text == "{}") return fmt::format("{}\nNothing was found.\n", what);
  // An answer of Deputy's own.
  if (tool && (*tool)->spec().starts_child_run) return fmt::format("{}\n{}\n", what, cut_with_mark(text, room));
  // The content of a file, a page or a command's output has no verdict line.
  const bool is_content = tool && std::ranges::any_of((*tool)->spec().kinds, [](const auto& one) {
                            return one.second == Kind::path || one.second == Kind::url || one.second == Kind::command;
                          });
  if (is_content) return fmt::format("{}\n{}", what, quote(text, lines, room));
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view all = text;
  return fmt::format("{}\n{}\n{}", what, in_a_line(all.substr(0, end), kMaxLine), quote(all.substr(end), lines, room));
}

std::string signed_once(const Conversation& conversation, std::string text) {
  if (!conversation.has_signed) return text + std::string(kSignature);
  text.resize(trim(text).size());
  return text;
}

constexpr std::pair<Kind, std::string_view> kTyped[] = {{Kind::service, "my-service"}, {Kind::environment, "prod"},
                                                        {Kind::query, "timeout"},      {Kind::text, "timeout"},
                                                        {Kind::path, "README.md"},     {Kind::command, "ls -l"}};

/// An example as a person would type it.
std::string as_typed(const std::string& example) {
  return intent::fill_in(example, [](Kind kind) {
    const auto* typed = std::ranges::find(kTyped, kind, &std::pair<Kind, std::string_view>::first);
    return typed == std::end(kTyped) ? std::string() : std::string(typed->second);
  });
}

}  // namespace

std::string understood(const toolkit::ToolSpec& spec, const json::object& arguments, std::string_view today) {
  std::string line = spec.topics.words.empty() ? spec.name : spec.topics.words.front();
  std::string from, to, hours;
  const auto add = [&](std::string_view part) { line += fmt::format(" · {}", part); };
  for (const Parameter& parameter : parameters_of(spec)) {
    const json::value* value = arguments.if_contains(parameter.name);
    const std::string text = value == nullptr ? "" : as_text(*value);
    if (parameter.kind == Kind::from) {
      from = text;
    } else if (parameter.kind == Kind::to) {
      to = text;
    } else if (parameter.kind == Kind::hours) {
      const json::value* usual = parameter.schema.if_contains("default");
      hours = !text.empty() ? text : usual == nullptr ? "" : as_text(*usual);
    } else if (parameter.kind == Kind::service) {
      add(text.empty() ? "all services" : in_a_line(text, kMaxArgument));
    } else if (parameter.kind == Kind::query || parameter.kind == Kind::command ||
               (parameter.kind == Kind::text && parameter.required && toolkit::always_reads(spec))) {
      if (!text.empty()) add(fmt::format("`{}`", in_a_line(text, kMaxArgument)));
    } else if (parameter.kind && parameter.kind != Kind::text && !text.empty()) {
      add(in_a_line(parameter.kind == Kind::count ? "at most " + text : text, kMaxArgument));
    } else if (!parameter.kind && !text.empty() && contains(parameter.choices(), text)) {
      add(text);
    }
  }
  if (!from.empty()) {
    add(span_in_words(from, to, today));
  } else if (!hours.empty()) {
    add(hours == "1" ? "last hour" : fmt::format("last {} hours", hours));
  }
  return line;
}

std::string answer_with(const Conversation& conversation, const toolkit::Registry& registry, std::string_view first,
                        std::size_t room) {
  std::string text = first.empty() ? std::string() : to_valid_utf8(cut_with_mark(first, kMaxError)) + "\n\n";
  const std::vector<Done>& told = conversation.done;
  if (told.empty() && first.empty()) text += "I did not call any tool for this.\n\n";
  const std::size_t lines = told.size() < 2 ? kMaxEvidence : std::max<std::size_t>(kMaxEvidence / told.size(), 3);
  const std::size_t share = room / std::max<std::size_t>(told.size(), 1);
  for (const Done& done : told)
    text += say(done, registry, conversation.today, lines, share > kAround ? share - kAround : 120) + "\n";
  return signed_once(conversation, std::move(text));
}

std::string not_understood(const Conversation& conversation, const ToolList& offered,
                           const toolkit::Registry& registry) {
  std::vector<std::shared_ptr<const toolkit::Tool>> tools;
  for (const ToolDescription& tool : offered) {
    const auto found = registry.find(tool.name);
    if (!found || (*found)->spec().topics.examples.empty()) continue;
    const std::string& example = (*found)->spec().topics.examples.front();
    // We cannot make up an id or a URL for the example.
    if (!example.contains("{id}") && !example.contains("{url}")) tools.push_back(*found);
  }
  // Tools with the most examples come first.
  std::ranges::sort(tools, {}, [](const auto& tool) {
    return std::pair(-static_cast<int>(tool->spec().topics.examples.size()), tool->spec().name);
  });
  std::vector<std::string> examples;
  for (const auto& tool : tools | std::views::take(kExamples))
    examples.push_back(fmt::format("“{}”", as_typed(tool->spec().topics.examples.front())));
  const bool acts = conversation.intent.type == intent::IntentType::act;
  std::string text =
      acts ? "None of my tools does that, so nothing was changed." : "Without a model I can only look things up.";
  text += examples.empty() ? " At the moment I have no tools." : fmt::format(" Try {}.", join(examples, ", "));
  return signed_once(conversation, text + "\n\n");
}

}  // namespace deputy::model::offline
