#include "channel/terminal/card_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "base/text.h"
#include "channel/terminal/styled_text.h"
#include "channel/terminal/window.h"
#include "interaction/arguments.h"
#include "interaction/escape.h"

namespace deputy::channel {

namespace {

constexpr std::size_t kFoldedValue = 10;  // lines of an argument: the head of the card shall stay in the window
constexpr std::size_t kFoldedDiff = 30;   // lines
constexpr std::size_t kFoldedDiffCharacters = 6000;
constexpr std::size_t kMaxTarget = 300;  // characters
constexpr std::size_t kMaxTargetInPrompt = 40;
constexpr std::size_t kMaxCoveredShown = 3;

std::string prose(std::string_view text) { return interaction::escape(text, interaction::Showing::as_prose); }

// Columns of a character, at most: what a terminal draws wider than expected must not leave the gutter.
std::size_t columns_of(std::string_view character) { return character.size() == 1 ? 1 : 2; }

// Draws lines behind a gutter and wraps them inside it, so that nothing in them can stand where a card or a prompt
// begins. The text must be escaped already.
class Gutter {
 public:
  Gutter(std::size_t width, Colours colours) : width_(std::max(width, kMinWidth)), colours_(colours) {}

  void head(std::string_view text) {
    add(text, "? ", [&](std::string_view row) { return as(row, Style::yellow); });
  }
  void line(std::string_view text) {
    add(text, "│ ", [](std::string_view row) { return std::string(row); });
  }
  void line(std::string_view text, Style style) {
    add(text, "│ ", [&](std::string_view row) { return as(row, style); });
  }
  /// Words of our own.
  void about(std::string_view text, Style style) {
    add(text, "│ ", [&](std::string_view row) { return as(row, style); }, Break::at_words);
  }
  void diff(std::string_view text) {
    const char sign = text.empty() ? ' ' : text.front();
    add(text, "│ ", [&](std::string_view row) {
      if (sign == '+') return as(row, Style::green);
      if (sign == '-') return as(row, Style::red);
      return sign == '@' ? as(row, Style::cyan) : std::string(row);
    });
  }
  void lines(std::string_view text) {
    while (text.ends_with('\n')) text.remove_suffix(1);
    if (text.empty()) return;
    for (const std::string_view one : split(text, "\n")) line(one);
  }
  std::string text() && { return std::move(text_); }

 private:
  static constexpr std::size_t kMinWidth = 20;
  static constexpr std::size_t kMargin = 3;  // the gutter, and the last column, after which some terminals wrap

  std::string as(std::string_view row, Style style) const { return styled(row, style, colours_); }

  enum class Break { anywhere, at_words };

  void add(std::string_view text, std::string_view sign, const auto& set, Break where = Break::anywhere) {
    do {
      std::size_t bytes = 0;
      for (std::size_t used = 0; bytes < text.size();) {
        const std::size_t next = decode_utf8(text.substr(bytes)).bytes;
        used += columns_of(text.substr(bytes, next));
        if (used > width_ - kMargin) break;
        bytes += next;
      }
      const std::size_t space = text.substr(0, bytes).rfind(' ');
      const bool has_word = bytes < text.size() && space != std::string_view::npos && space > bytes / 2;
      if (where == Break::at_words && has_word) bytes = space + 1;
      text_ += sign;
      text_ += set(text.substr(0, bytes));
      text_ += '\n';
      text.remove_prefix(bytes);
      sign = "┊ ";
    } while (!text.empty());
  }

  std::size_t width_;
  Colours colours_;
  std::string text_;
};

struct Part {
  std::vector<std::string_view> lines;
  std::size_t hidden = 0;  // characters that are not shown
};

// As much of a text as the fold shows.
Part shown_part(std::string_view text, const interaction::Fold& fold) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  const std::string_view part = cut_characters(text, fold.characters);
  Part shown{split(part, "\n")};
  std::size_t bytes = part.size();
  if (shown.lines.size() > fold.lines) {
    shown.lines.resize(fold.lines);
    bytes = static_cast<std::size_t>(shown.lines.back().data() + shown.lines.back().size() - text.data());
  }
  shown.hidden = count_characters(text.substr(bytes));
  return shown;
}

void add_folded(Gutter& card, std::size_t hidden) {
  if (hidden > 0)
    card.about(fmt::format("… {} not shown; x shows all", count_of(hidden, "more character")), Style::bold);
}

// The exact command, line by line.
void add_command(Gutter& card, std::string_view command, const interaction::Fold& fold) {
  const Part part = shown_part(command, fold);
  for (const std::string_view line : part.lines) card.line("$ " + interaction::escape_line(line), Style::bold);
  add_folded(card, part.hidden);
}

void add_change(Gutter& card, const json::value& preview, const interaction::Fold& fold) {
  if (!preview.is_string()) return card.lines(interaction::show_value(preview, fold).text);
  interaction::Fold diff = fold;
  diff.lines = std::max(diff.lines, kFoldedDiff);
  diff.characters = std::max(diff.characters, kFoldedDiffCharacters);
  const Part part = shown_part(as_view(preview.get_string()), diff);
  for (const std::string_view line : part.lines) card.diff(interaction::escape_line(line));
  add_folded(card, part.hidden);
}

// What `always` would allow, and what it would have allowed so far.
void add_grant(Gutter& card, const ShownApproval& asked) {
  std::vector<std::string> pins;
  pins.reserve(asked.pins.size());
  for (const auto& [name, value] : asked.pins)
    pins.push_back(fmt::format("{} `{}`", one_line(name), interaction::escape_with_spaces(value)));
  const std::string what = pins.empty()
                               ? "exactly these arguments"
                               : fmt::format("{} with {}", one_line(asked.view.approval.tool), join(pins, ", "));
  card.about(fmt::format("always: {}, until this session ends", what), Style::dim);
  if (asked.covered.empty()) return;
  std::vector<std::string> earlier;
  for (const std::string& one : asked.covered | std::views::take(kMaxCoveredShown))
    earlier.push_back(interaction::escape_with_spaces(cut_with_mark(one, kMaxTarget)));
  card.about(
      fmt::format("  would have covered {}: {}", count_of(asked.covered.size(), "earlier call"), join(earlier, " · ")),
      Style::dim);
}

interaction::Fold fold_of(Much much) {
  return much == Much::whole ? interaction::Fold::nothing() : interaction::Fold{};
}

// The command line that an approval runs; nothing if it runs none.
std::optional<std::string_view> command_of(const ShownApproval& asked) {
  const json::value* command =
      asked.command_param.empty() ? nullptr : asked.view.approval.arguments.if_contains(asked.command_param);
  if (command == nullptr || !command->is_string()) return std::nullopt;
  return as_view(command->get_string());
}

// That a command runs where commands run is no news.
void erase_root(json::object& arguments) {
  for (auto argument = arguments.begin(); argument != arguments.end();)
    argument = argument->value() == "." ? arguments.erase(argument) : std::next(argument);
}

std::string expiry_line(const Card& card, const ShownInteraction& shown) {
  return fmt::format("Expires at {}.\n", interaction::time_in(card.zone, expires_at(shown)));
}

}  // namespace

std::string approval_lines(const ShownApproval& asked, Much much, Colours colours, std::size_t width) {
  const interaction::Approval& approval = asked.view.approval;
  const interaction::Fold fold = fold_of(much);
  Gutter card(width, colours);
  std::string head = one_line(approval.tool);
  if (!approval.environment.empty()) head += " in " + one_line(approval.environment);
  if (approval.background) head += " [bg]";
  card.head(head);
  if (!approval.target.empty())
    card.line(interaction::escape_with_spaces(cut_with_mark(approval.target, kMaxTarget)), Style::dim);
  json::object arguments = approval.arguments;
  if (const std::optional<std::string_view> command = command_of(asked)) {
    add_command(card, *command, fold);
    arguments.erase(asked.command_param);
    erase_root(arguments);
  }
  interaction::Fold of_values = fold;
  if (much == Much::folded) of_values.lines = kFoldedValue;
  const interaction::Preformatted shown = interaction::show_arguments(arguments, of_values);
  card.lines(shown.text);
  if (!shown.whole) card.about("(shortened; x shows all of it)", Style::bold);
  if (!approval.preview.is_null()) add_change(card, approval.preview, fold);
  for (const std::string& why : approval.why) card.about("asks because " + one_line(why), Style::dim);
  if (approval.may_grant) add_grant(card, asked);
  return std::move(card).text();
}

std::string approval_choices(const interaction::Approval& approval) {
  return approval.may_grant ? "[y]es / [n]o / [a]lways / e(x)plain " : "[y]es / [n]o / e(x)plain ";
}

std::string approval_prompt(const ShownApproval& asked, std::size_t width) {
  const interaction::Approval& approval = asked.view.approval;
  std::string target(command_of(asked).value_or(approval.target));
  if (const std::string_view part = cut_characters(target, kMaxTargetInPrompt); part.size() < target.size())
    target = std::string(part) + "…";
  const std::string tool = one_line(approval.tool);
  const std::string in = approval.environment.empty() ? "" : " in " + one_line(approval.environment);
  const std::string choices = approval_choices(approval);
  std::string shown = target.empty() ? "" : " " + interaction::escape_with_spaces(target);
  if (width_of(tool + shown + in + "? " + choices) < width) return tool + shown + in + "? " + choices;
  const std::size_t rest = width_of(tool + in) + 4;
  shown = cut_to_width(shown, std::max(width, rest) - rest);
  return tool + shown + in + "?\n" + choices;
}

std::string grant_words(const ShownApproval& shown) {
  return shown.view.approval.may_grant ? std::string() : "`always` is not offered for this.\n";
}

std::string listed_approval(const interaction::Approval& approval, std::size_t width) {
  Gutter card(width, Colours::off);
  card.head("Approval needed: " + interaction::notification_line(approval));
  for (const std::string& why : approval.why) card.line("Why it asks: " + prose(why));
  const interaction::Fold whole = interaction::Fold::nothing();
  card.line("Arguments:");
  card.lines(indented(interaction::show_arguments(approval.arguments, whole).text));
  if (approval.preview.is_null()) {
    card.line("What it will change is not known in advance.");
  } else {
    card.line("What it will change:");
    card.lines(indented(interaction::show_value(approval.preview, whole).text));
  }
  return std::move(card).text();
}

std::string question_lines(const interaction::Form& form, const interaction::Draft& draft) {
  const interaction::Question& question = interaction::current_question(form, draft);
  std::string text = form.questions.size() == 1
                         ? std::string()
                         : fmt::format("Question {} of {}: ", draft.current + 1, form.questions.size());
  text += prose(question.question) + "\n";
  for (std::size_t i = 0; i < question.options.size(); ++i) {
    const interaction::Option& option = question.options[i];
    text += fmt::format("  {}  {}", interaction::position_word(question, i), prose(option.label));
    if (option.answer() != option.label) text += fmt::format(" ({})", prose(option.answer()));
    if (!option.description.empty()) text += ": " + prose(option.description);
    text += "\n";
  }
  if (question.multi_select) text += "You can choose several, such as 1,2.\n";
  if (question.allow_custom) text += question.options.empty() ? "" : "You can also type your own answer.\n";
  return text;
}

interaction::Draft first_draft(const ShownInteraction& shown) {
  const auto* asked = std::get_if<ShownQuestions>(&shown.what);
  return asked == nullptr ? interaction::Draft{} : interaction::begin(asked->form);
}

Timestamp expires_at(const ShownInteraction& shown) {
  if (const auto* asked = std::get_if<ShownQuestions>(&shown.what)) return asked->expires_at;
  return std::get<ShownApproval>(shown.what).view.expires_at;
}

std::string waiting_text(const Card& card, const ShownInteraction& shown, const interaction::Draft& draft,
                         std::size_t width) {
  const auto* asked = std::get_if<ShownQuestions>(&shown.what);
  const std::string text = asked == nullptr ? listed_approval(std::get<ShownApproval>(shown.what).view.approval, width)
                                            : question_lines(asked->form, draft);
  return text + expiry_line(card, shown);
}

std::string whole_text(const Card& card, const ShownInteraction& shown, std::size_t width) {
  const auto* asked = std::get_if<ShownQuestions>(&shown.what);
  if (asked == nullptr) return waiting_text(card, shown, {}, width);
  std::string text;
  interaction::Draft draft;
  for (draft.current = 0; draft.current < asked->form.questions.size(); ++draft.current)
    text += question_lines(asked->form, draft);
  return text + expiry_line(card, shown);
}

std::string how_to_approve(const ShownInteraction& shown) {
  const auto* asked = std::get_if<ShownApproval>(&shown.what);
  if (asked == nullptr) return {};
  return fmt::format("Only `approve {0}` or `deny {0} REASON` answers it here.\n", asked->view.code);
}

std::string answers_text(const interaction::Form& form, const interaction::FormResult& result) {
  std::string text;
  for (const interaction::Answer& answer : result.answers) {
    const auto question = std::ranges::find(form.questions, answer.question_label, &interaction::Question::label);
    if (question == form.questions.end()) continue;
    std::vector<std::string> said = answer.selected_values.value_or(std::vector{answer.answer});
    for (std::string& one : said) {
      const auto option = std::ranges::find(question->options, one, &interaction::Option::answer);
      if (option != question->options.end()) one = option->label;
    }
    text += fmt::format("? {} {}\n", one_line(question->question), one_line(join(said, ", ")));
  }
  return text;
}

std::string settled_line(const Card& card, InteractionId id) {
  const auto shown = std::ranges::find(card.interactions, id, &ShownInteraction::id);
  if (shown == card.interactions.end()) return {};
  std::string markdown;
  if (const auto* approval = std::get_if<ShownApproval>(&shown->what); approval != nullptr && approval->settled)
    markdown = interaction::settled_text(approval->view, *approval->settled, card.zone);
  if (const auto* asked = std::get_if<ShownQuestions>(&shown->what); asked != nullptr && asked->settled)
    markdown = interaction::settled_text(asked->form, *asked->settled, asked->settled_by, asked->settled_at, card.zone);
  const std::string line = plain_text(std::string_view(markdown).substr(0, markdown.find('\n')));
  return std::string(trim(line));
}

}  // namespace deputy::channel
