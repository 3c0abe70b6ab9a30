// The report of an investigation. A claim is a paragraph, or an item of a list with what is indented below it.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <set>

#include "base/text.h"
#include "tools/investigation.h"

namespace deputy::tools {

namespace {

constexpr std::array<std::string_view, 4> kSections{"Summary", "Evidence", "Root-cause hypothesis",
                                                    "Recommended actions"};
constexpr std::string_view kActions = kSections.back();
constexpr std::size_t kMaxVerdict = 300;
constexpr std::size_t kMaxArgument = 60;
constexpr std::size_t kLinesQuoted = 6;
constexpr std::size_t kMaxLine = 200;

struct Call {
  std::string id;
  std::string tool;
  json::object arguments;
  std::string status;
  std::string text;

  bool succeeded() const { return status == "success"; }
};

struct Answer {
  std::string run;
  std::string text;
  std::vector<Call> calls;
};

Answer read_answer(std::string_view given) {
  const Result<json::object> read = parse_json_object(given);
  const json::value* calls = read ? read->if_contains("calls") : nullptr;
  if (calls == nullptr || !calls->is_array()) return {{}, std::string(given), {}};
  Answer answer{text_at(*read, "run"), text_at(*read, "answer"), {}};
  for (const json::value& one : calls->get_array()) {
    if (!one.is_object()) continue;
    const json::object& call = one.get_object();
    const json::object* arguments = find_object(call, "arguments");
    answer.calls.push_back({text_at(call, "id"), text_at(call, "tool"),
                            arguments == nullptr ? json::object{} : *arguments, text_at(call, "status"),
                            text_at(call, "text")});
  }
  return answer;
}

// ---- What was called.

std::string in_a_line(std::string_view text, std::size_t most) {
  std::string line = cut_with_mark(trim(text), most);
  std::ranges::replace_if(line, [](char c) { return c == '`' || static_cast<unsigned char>(c) < ' '; }, '\'');
  return line;
}

std::string called(const Call& call) {
  std::vector<std::string> arguments;
  for (const auto& [name, value] : call.arguments)
    arguments.push_back(fmt::format("{}={}", as_view(name), in_a_line(as_text(value), kMaxArgument)));
  return fmt::format("`{}({})`", call.tool, join(arguments, ", "));
}

/// The first line of a result is its verdict.
std::string verdict(const Call& call) {
  const std::string_view text = call.text;
  const std::string line = in_a_line(text.substr(0, std::min(text.find('\n'), text.size())), kMaxVerdict);
  if (!call.succeeded()) return fmt::format("no result: {}", line.empty() ? call.status : line);
  return line.empty() ? "nothing was found" : line;
}

std::string list_of_calls(const Answer& answer) {
  std::string text;
  for (const Call& call : answer.calls) text += fmt::format("\n- [{}] {}: {}", call.id, called(call), verdict(call));
  return text;
}

// ---- A report by rule alone: what the calls gave.

std::string quote_rest(const Call& call) {
  std::vector<std::string_view> lines = split(call.text, "\n");
  lines.erase(lines.begin());
  std::erase_if(lines, [](std::string_view line) { return trim(line).empty(); });
  if (lines.empty()) return {};
  std::string quoted;
  for (const std::string_view line : lines | std::views::take(kLinesQuoted))
    quoted += fmt::format("{}\n", cut_with_mark(line, kMaxLine));
  if (lines.size() > kLinesQuoted) quoted += "…\n";
  const std::string fence(std::max<std::size_t>(3, longest_run_of_backticks(quoted) + 1), '`');
  return fmt::format("\n{0}\n{1}{0}", fence, quoted);
}

std::string report_by_rule(const Answer& answer) {
  std::string summary, evidence, actions;
  for (const Call& call : answer.calls) {
    if (call.succeeded()) {
      summary += fmt::format("\n- {} [{}]", verdict(call), call.id);
      evidence += fmt::format("\n\n{} [{}]: {}{}", called(call), call.id, verdict(call), quote_rest(call));
    } else {
      evidence += fmt::format("\n\n{} [{}] gave {}", called(call), call.id, verdict(call));
      actions += fmt::format("\n- `{}` gave {} [{}]", call.tool, verdict(call), call.id);
    }
  }
  if (summary.empty()) summary = "\nNothing could be looked at.";
  if (evidence.empty()) evidence = "\nNone.";
  if (actions.empty()) actions = "\nNone by rule.";
  return fmt::format(
      "## Summary{}\n\n## Evidence{}\n\n## Root-cause hypothesis\nNone: no model concluded, and a rule draws none.\n\n"
      "## Recommended actions{}",
      summary, evidence.starts_with("\n\n") ? evidence.substr(1) : evidence, actions);
}

// ---- A model's report: each claim is held against the calls.

std::optional<std::string_view> section_of(std::string_view line) {
  const bool is_heading = line.starts_with('#') || (line.starts_with('*') && !line.starts_with("* "));
  const std::size_t begin = line.find_first_not_of("#* \t");
  if (!is_heading || begin == std::string_view::npos) return std::nullopt;
  const std::string words = to_lower(line.substr(begin));
  const auto found =
      std::ranges::find_if(kSections, [&](std::string_view one) { return words.starts_with(to_lower(one)); });
  return found == kSections.end() ? std::nullopt : std::optional(*found);
}

bool is_word(char c) { return is_letter_or_digit(c) || c == '_'; }

/// What a claim says of calls: the words that are ids or tools of calls, and ids of calls that are not there.
struct Cited {
  bool supported = false;
  std::set<std::string> failed, unknown;
};

Cited cited_in(std::string_view claim, const std::vector<Call>& calls) {
  Cited cited;
  for (std::size_t at = 0; at < claim.size();) {
    if (!is_word(claim[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < claim.size() && is_word(claim[end])) ++end;
    const std::string word(claim.substr(at, end - at));
    at = end;
    const auto meant = [&](const Call& call) { return call.id == word || call.tool == word; };
    const bool is_known = std::ranges::any_of(calls, meant);
    const auto gave_a_result = [&](const Call& call) { return meant(call) && call.succeeded(); };
    if (!is_known && word.starts_with("call_")) cited.unknown.insert(word);
    if (!is_known) continue;
    if (std::ranges::any_of(calls, gave_a_result)) {
      cited.supported = true;
    } else {
      cited.failed.insert(word);
    }
  }
  return cited;
}

std::string names_of(const std::set<std::string>& names) { return join(std::vector(names.begin(), names.end()), ", "); }

/// What is said behind a claim; empty where it rests on a call that gave a result.
std::string mark_for(std::string_view claim, const std::vector<Call>& calls) {
  const Cited cited = cited_in(claim, calls);
  if (!cited.unknown.empty())
    return fmt::format(" _(unsupported: there is no {} in this investigation)_", names_of(cited.unknown));
  if (cited.supported) return {};
  if (!cited.failed.empty()) return fmt::format(" _({} gave no result)_", names_of(cited.failed));
  return " _(unsupported: it names no call)_";
}

bool begins_item(std::string_view line) {
  if (line.starts_with("- ") || line.starts_with("* ") || line.starts_with("+ ")) return true;
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  return digits > 0 && (line.substr(digits).starts_with(". ") || line.substr(digits).starts_with(") "));
}

/// Puts its mark behind each claim of the sections that make claims.
class Marking {
 public:
  explicit Marking(const std::vector<Call>& calls) : calls_(calls) {}

  std::string mark(std::string_view text) {
    for (const std::string_view line : split(text, "\n")) take(line);
    end_claim();
    return join(lines_, "\n");
  }

 private:
  void take(std::string_view line) {
    const bool is_fence = trim(line).starts_with("```") || trim(line).starts_with("~~~");
    if (is_fence) in_fence_ = !in_fence_;
    const bool is_quoted = is_fence || in_fence_;
    if (!is_quoted) {
      if (const auto section = section_of(line)) {
        end_claim();
        claims_ = *section != kActions;
      } else if (trim(line).empty() || begins_item(line) || line.starts_with('#') || line.starts_with('|')) {
        end_claim();
      }
    }
    lines_.emplace_back(line);
    const bool is_text = !is_quoted && !trim(line).empty() && !line.starts_with('#') && !line.starts_with('|') &&
                         !section_of(line) && claims_;
    if (is_quoted && !claim_.empty()) claim_ += line;  // a quote below a claim is part of it
    if (!is_text) return;
    claim_ += fmt::format("{}\n", line);
    last_ = lines_.size() - 1;
  }

  void end_claim() {
    const std::string_view claim = trim(claim_);
    // A line that leads to a list claims nothing itself.
    if (!claim.empty() && !claim.ends_with(':')) lines_[last_] += mark_for(claim, calls_);
    claim_.clear();
  }

  const std::vector<Call>& calls_;
  std::vector<std::string> lines_;
  std::string claim_;
  std::size_t last_ = 0;  // its last line of text
  bool claims_ = false;
  bool in_fence_ = false;
};

std::string report_of_model(const Answer& answer, const std::set<std::string_view>& there) {
  std::string text = Marking(answer.calls).mark(answer.text);
  for (const std::string_view section : kSections) {
    if (!there.contains(section)) text += fmt::format("\n\n## {}\nNone was given.", section);
  }
  return text;
}

std::set<std::string_view> sections_in(std::string_view text) {
  std::set<std::string_view> sections;
  for (const std::string_view line : split(text, "\n")) {
    if (const auto section = section_of(line)) sections.insert(*section);
  }
  return sections;
}

}  // namespace

std::string report_of_investigation(std::string_view given) {
  const Answer answer = read_answer(given);
  const auto succeeded = std::ranges::count_if(answer.calls, &Call::succeeded);
  const std::string first =
      fmt::format("Investigated with {}, {} of which gave a result{}", count_of(answer.calls.size(), "call"), succeeded,
                  answer.run.empty() ? "" : fmt::format(" (run {})", answer.run));
  const std::set<std::string_view> sections = sections_in(answer.text);
  if (sections.empty()) {
    const std::string said = in_a_line(answer.text, kMaxVerdict);
    return fmt::format("{}\n\n{}{}", first, report_by_rule(answer),
                       said.empty() ? "" : fmt::format("\n\nThe investigation ended with: {}", said));
  }
  return fmt::format("{}\n\n{}\n\n## Calls{}", first, report_of_model(answer, sections), list_of_calls(answer));
}

}  // namespace deputy::tools
