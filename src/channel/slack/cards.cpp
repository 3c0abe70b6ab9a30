#include "channel/slack/cards.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "channel/slack/kit.h"
#include "channel/slack/text.h"

namespace deputy::channel::slack {

namespace {

using namespace kit;
using interaction::Control;

constexpr std::size_t kMaxButtons = 10;      // options of radio buttons and checkboxes
constexpr std::size_t kMaxCardText = 9'000;  // characters of all preformatted parts of a card together
constexpr std::size_t kMaxFormBlocks = 45;   // of the 50 of a message
constexpr std::size_t kMaxFormText = 9'000;  // characters

// ---- Approvals.

// `restart_service` on `checkout` in `prod`
std::string call_of(const interaction::Approval& approval) {
  std::string text = as_code(approval.tool);
  if (!approval.target.empty()) text += " on " + as_code(approval.target);
  text += approval.environment.empty() ? ", no environment named" : " in " + as_code(approval.environment);
  return text;
}

std::string outcome_of(const interaction::Settled& settled, const interaction::Zone& zone) {
  using interaction::State;
  const std::string by = settled.by.empty() ? "" : " by *" + as_words(settled.by) + "*";
  const std::string at = interaction::time_in(zone, settled.at);
  if (settled.state == State::approved) {
    const bool is_once = settled.scope == interaction::Scope::once;
    return fmt::format(":white_check_mark: *Approved {}*{} at {}", is_once ? "once" : "for this thread", by, at);
  }
  if (settled.state == State::denied) return fmt::format(":no_entry: *Denied*{} at {}", by, at);
  if (settled.state == State::expired) return fmt::format(":hourglass: *Expired* at {}, nobody answered in time", at);
  return fmt::format(":no_entry_sign: *Cancelled*{} at {}", by, at);
}

class CardDrawer {
 public:
  explicit CardDrawer(const Card& card, interaction::Fold fold) : card_(card), fold_(fold) {}

  json::array draw() {
    if (card_.was_away) blocks_.push_back(context(interaction::kWasAway));
    if (!card_.note.empty()) blocks_.push_back(section(":information_source: " + as_words(card_.note)));
    const std::size_t count = card_.interactions.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) blocks_.push_back(json::object{{"type", "divider"}});
      const ShownInteraction& shown = card_.interactions[i];
      if (const auto* approval = std::get_if<ShownApproval>(&shown.what)) draw_approval(shown, *approval, i);
      if (const auto* questions = std::get_if<ShownQuestions>(&shown.what)) draw_questions(shown, *questions);
    }
    approve_all();
    return std::move(blocks_);
  }

  /// The inputs of the form alone, for a modal.
  json::array draw_inputs() {
    for (const ShownInteraction& shown : card_.interactions) {
      if (const auto* questions = std::get_if<ShownQuestions>(&shown.what)) inputs(shown, *questions);
    }
    return std::move(blocks_);
  }

 private:
  void draw_approval(const ShownInteraction& shown, const ShownApproval& shown_approval, std::size_t position) {
    const interaction::Approval& approval = shown_approval.view.approval;
    const std::optional<interaction::Settled>& settled = shown_approval.settled;
    const std::string state = settled ? outcome_of(*settled, card_.zone) + ":" : ":lock: *Approval needed:*";
    std::string heading = state + " " + call_of(approval);
    if (settled && !settled->reason.empty()) heading += "\nReason: " + as_words(settled->reason);
    blocks_.push_back(section(heading));
    blocks_.push_back(context(fmt::format("Asked by *{}* · run {}{}", as_words(approval.requester), approval.run,
                                          approval.background ? " · in the background" : "")));
    for (const std::string& why : approval.why) blocks_.push_back(context("Why it asks: " + as_words(why)));
    const interaction::Preformatted arguments = interaction::show_arguments(approval.arguments, fold_);
    bool is_whole = details(arguments.text.empty() ? "no arguments" : arguments.text) && arguments.whole;
    if (approval.preview.is_null()) {
      blocks_.push_back(context("The changes are not known in advance."));
    } else {
      blocks_.push_back(section("*What it will change*"));
      const interaction::Preformatted change = interaction::show_value(approval.preview, fold_);
      is_whole = details(change.text) && change.whole && is_whole;
    }
    all_whole_ = all_whole_ && is_whole;
    if (settled) return ask_again(shown, position);
    ++pending_;
    buttons(shown, position, is_whole);
    const std::string whom = mentions_of(card_.approvers);
    blocks_.push_back(context(fmt::format("{}{}xpires at {}", is_whole ? "" : "*Not shown in full* · ",
                                          whom.empty() ? "E" : whom + " may approve · e",
                                          interaction::time_in(card_.zone, shown_approval.view.expires_at))));
  }

  // False if not all of it fits.
  bool details(std::string_view text) {
    const std::size_t room = kMaxCardText > text_used_ ? kMaxCardText - text_used_ : 0;
    const std::string_view shown = cut_characters(text, std::min<std::size_t>(room, kMaxSection - 100));
    text_used_ += count_characters(shown);
    const bool is_whole = shown.size() == text.size();
    if (!shown.empty()) blocks_.push_back(preformatted(is_whole ? std::string(shown) : std::string(shown) + "\n…"));
    return is_whole;
  }

  void ask_again(const ShownInteraction& shown, std::size_t position) {
    if (const std::string again = token_of(shown, Control::ask_again); !again.empty())
      actions(position, {button("Ask again", again, "ask_again")});
  }

  void buttons(const ShownInteraction& shown, std::size_t position, bool is_whole) {
    json::array row;
    const auto add = [&](Control control, std::string_view label, std::string_view name, std::string_view style = "") {
      if (const std::string token = token_of(shown, control); !token.empty())
        row.push_back(button(label, token, name, style));
    };
    add(Control::approve_once, "Approve once", "approve_once", "primary");
    add(Control::approve_for_thread, "Approve for this thread", "approve_for_thread");
    add(Control::deny, "Deny", "deny", "danger");
    add(Control::deny_with_reason, "Deny with a reason…", "deny_with_reason");
    if (!is_whole) add(Control::show_whole, "Show all of it", "show_whole");
    actions(position, std::move(row));
  }

  void actions(std::size_t position, json::array row) {
    if (row.empty()) return;
    blocks_.push_back(json::object{
        {"type", "actions"}, {"block_id", fmt::format("actions{}", position)}, {"elements", std::move(row)}});
  }

  void approve_all() {
    if (pending_ < 2 || !all_whole_) return;
    for (const ShownInteraction& shown : card_.interactions) {
      const std::string token = token_of(shown, Control::approve_all);
      if (token.empty()) continue;
      blocks_.push_back(json::object{{"type", "divider"}});
      actions(card_.interactions.size(), {button(fmt::format("Approve all {}", pending_), token, "approve_all")});
      return;
    }
  }

  // ---- Forms.

  void draw_questions(const ShownInteraction& shown, const ShownQuestions& questions) {
    if (questions.settled) {
      const std::string markdown = interaction::settled_text(questions.form, *questions.settled, questions.settled_by,
                                                             questions.settled_at, card_.zone);
      blocks_.push_back(section(to_mrkdwn(markdown)));
      return;
    }
    const json::array before = blocks_;
    inputs(shown, questions);
    const bool fits = blocks_.size() <= kMaxFormBlocks && text_in(blocks_) <= kMaxFormText;
    if (!fits) {
      blocks_ = before;
      list_questions(questions);
    }
    const std::string send = fits ? token_to_send(shown) : token_of(shown, Control::open_form);
    json::array row;
    if (!send.empty()) row.push_back(button(fits ? "Submit" : "Answer…", send, "send", "primary"));
    if (const std::string skip = token_of(shown, Control::skip); !skip.empty())
      row.push_back(button("Skip", skip, "skip"));
    actions(0, std::move(row));
    blocks_.push_back(context(fmt::format("Expires at {}", interaction::time_in(card_.zone, questions.expires_at))));
  }

  // In place of a form that does not fit into a message: it is opened with a button.
  void list_questions(const ShownQuestions& questions) {
    std::string text = fmt::format("*I have {} for you*", count_of(std::ssize(questions.form.questions), "question"));
    for (const interaction::Question& question : questions.form.questions) text += "\n• " + as_words(question.question);
    blocks_.push_back(section(text));
  }

  void inputs(const ShownInteraction& shown, const ShownQuestions& questions) {
    for (const std::size_t position : questions_now(questions)) {
      const interaction::Question& question = questions.form.questions[position];
      blocks_.push_back(section(as_words(question.question)));
      const bool is_current = position == questions.draft.current;
      if (!question.options.empty())
        input(position, question,
              options_of(shown, question, position, is_current ? questions.draft.ticked : preselected(question)));
      if (question.allow_custom) own_words(shown, question, position);
    }
  }

  static std::vector<std::string> preselected(const interaction::Question& question) {
    std::vector<std::string> ticked;
    for (const interaction::Option& option : question.options) {
      if (option.selected) ticked.push_back(option.answer());
    }
    return ticked;
  }

  struct Options {
    json::array all;
    json::array ticked;
  };
  static Options options_of(const ShownInteraction& shown, const interaction::Question& question, std::size_t position,
                            const std::vector<std::string>& ticked) {
    Options options;
    for (std::size_t i = 0; i < question.options.size(); ++i) {
      const interaction::Option& option = question.options[i];
      const std::string token = token_of(shown, position, i);
      if (token.empty()) continue;
      json::object one{{"text", plain_text(option.label, kMaxOptionText)}, {"value", token}};
      if (!trim(option.description).empty()) one["description"] = plain_text(option.description, kMaxOptionText);
      if (contains(ticked, option.answer())) options.ticked.push_back(one);
      options.all.push_back(std::move(one));
    }
    return options;
  }

  void input(std::size_t position, const interaction::Question& question, Options options) {
    const bool few = options.all.size() <= kMaxButtons;
    json::object element{{"action_id", "choose"}, {"options", std::move(options.all)}};
    if (question.multi_select) {
      element["type"] = few ? "checkboxes" : "multi_static_select";
      if (!options.ticked.empty()) element["initial_options"] = std::move(options.ticked);
    } else {
      element["type"] = few ? "radio_buttons" : "static_select";
      if (!options.ticked.empty()) element["initial_option"] = options.ticked.front();
    }
    add_input(block_of_question(position), question.label, std::move(element));
  }

  void own_words(const ShownInteraction& shown, const interaction::Question& question, std::size_t position) {
    const std::string token = token_of(shown, position, std::nullopt);
    if (token.empty()) return;
    json::object element{{"type", "plain_text_input"}, {"action_id", token}, {"max_length", interaction::kMaxOwnWords}};
    const bool is_only = question.options.empty();
    const std::string block = is_only ? block_of_question(position) : block_of_question(position) + "_words";
    add_input(block, is_only ? question.label : question.label + ", in your own words", std::move(element));
  }

  void add_input(const std::string& block, std::string_view label, json::object element) {
    blocks_.push_back(json::object{{"type", "input"},
                                   {"block_id", block},
                                   {"optional", true},
                                   {"label", plain_text(label, kMaxLabel)},
                                   {"element", std::move(element)}});
  }

  const Card& card_;
  interaction::Fold fold_;
  json::array blocks_;
  std::size_t text_used_ = 0;
  std::size_t pending_ = 0;
  bool all_whole_ = true;
};

}  // namespace

std::string block_of_question(std::size_t question) { return fmt::format("question{}", question); }

Drawing draw_card(const Card& card) {
  const interaction::Fold fold{.line = 160, .lines = 30, .characters = 1500, .total = 2500, .arguments = 60};
  Drawing drawing{CardDrawer(card, fold).draw(), notification(escape(card.notification))};
  if (drawing.text.empty()) drawing.text = "Deputy asks something here.";
  return drawing;
}

json::object draw_modal(const Card& card, const std::string& data) {
  const bool is_form = std::ranges::any_of(card.interactions, [](const ShownInteraction& shown) {
    return std::holds_alternative<ShownQuestions>(shown.what);
  });
  if (!is_form) return draw_text_modal("Deputy asks", {text_of(card)}, "");
  return form_modal(kFormModal, "Deputy asks", "Submit", CardDrawer(card, {}).draw_inputs(), data);
}

}  // namespace deputy::channel::slack
