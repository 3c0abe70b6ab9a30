#include "channel/slack/blocks.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "channel/markdown.h"
#include "channel/slack/text.h"
#include "interaction/escape.h"

namespace deputy::channel::slack {

namespace {

using interaction::Control;

// Slack's limits, in characters.
constexpr std::size_t kMaxMarkdown = 12'000;
constexpr std::size_t kMaxFallback = 3'900;
constexpr std::size_t kMaxSection = 3'000;
constexpr std::size_t kMaxContext = 2'000;
constexpr std::size_t kMaxOptionText = 75;
constexpr std::size_t kMaxLabel = 200;
constexpr std::size_t kMaxModalTitle = 24;
constexpr std::size_t kMaxButtons = 10;      // options of radio buttons and checkboxes
constexpr std::size_t kMaxCardText = 9'000;  // of all preformatted parts of a card together
constexpr std::size_t kMaxModalSections = 90;

json::object plain_text(std::string_view text, std::size_t most) {
  return {{"type", "plain_text"}, {"text", cut_with_mark(text, most)}};
}
json::object mrkdwn(std::string_view text, std::size_t most = kMaxSection) {
  return {{"type", "mrkdwn"}, {"text", cut_with_mark(text, most)}};
}
json::object section(std::string_view text) { return {{"type", "section"}, {"text", mrkdwn(text)}}; }
json::object context(std::string_view text) {
  return {{"type", "context"}, {"elements", json::array{mrkdwn(text, kMaxContext)}}};
}
json::object markdown_block(const std::string& text) { return {{"type", "markdown"}, {"text", text}}; }

// Shown as it is: nothing in it is read as formatting.
json::object preformatted(std::string_view text) {
  json::object run{{"type", "text"}, {"text", std::string(text)}};
  json::object part{{"type", "rich_text_preformatted"}, {"elements", json::array{std::move(run)}}};
  return {{"type", "rich_text"}, {"elements", json::array{std::move(part)}}};
}

// Words of people and tools inside mrkdwn: no sign in them formats or links.
std::string as_code(std::string_view text) {
  std::string code = interaction::escape(text, interaction::Showing::exactly);
  std::ranges::replace(code, '`', '\'');
  return "`" + escape(code) + "`";
}
std::string words(std::string_view text) {
  std::string plain = escape(interaction::escape(text, interaction::Showing::as_prose));
  for (char& c : plain) {
    if (c == '*' || c == '_' || c == '~' || c == '`') c = '\'';
  }
  return plain;
}

std::string mention_of(const policy::Account& account) { return "<@" + user_of(account) + ">"; }

std::string mentions_of(const Mentions& mentions) {
  std::string text;
  for (const std::string& group : mentions.groups) text += (text.empty() ? "<!subteam^" : " <!subteam^") + group + ">";
  for (const policy::Account& account : mentions.accounts) text += (text.empty() ? "" : " ") + mention_of(account);
  return text;
}

json::object button(std::string_view label, const std::string& token, std::string_view name,
                    std::string_view style = "") {
  json::object one{
      {"type", "button"}, {"action_id", name}, {"text", plain_text(label, kMaxOptionText)}, {"value", token}};
  if (!style.empty()) one["style"] = style;
  return one;
}

// ---- Approvals.

std::string heading_of(const interaction::Approval& approval) {
  std::string text = fmt::format("*{} asks to use* {}", words(approval.requester), as_code(approval.tool));
  if (!approval.target.empty()) text += " on " + as_code(approval.target);
  text += approval.environment.empty() ? " · no environment named" : " · environment " + as_code(approval.environment);
  if (approval.background) text += " · in the background";
  return text;
}

class CardDrawer {
 public:
  explicit CardDrawer(const Card& card, interaction::Fold fold) : card_(card), fold_(fold) {}

  json::array draw() {
    if (card_.was_away) blocks_.push_back(section("_" + std::string(interaction::kWasAway) + "_"));
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
    blocks_.push_back(section(heading_of(approval)));
    for (const std::string& why : approval.why) blocks_.push_back(context("Why it asks: " + words(why)));
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
    if (shown_approval.settled) return settled(shown, *shown_approval.settled, position);
    ++pending_;
    std::string below = fmt::format("Run {} · expires at {}", as_code(approval.run),
                                    interaction::time_in(card_.zone, shown_approval.view.expires_at));
    if (const std::string whom = mentions_of(card_.approvers); !whom.empty()) below += " · may approve: " + whom;
    if (!is_whole) below += " · *not shown in full*";
    blocks_.push_back(context(below));
    buttons(shown, position, is_whole);
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

  void settled(const ShownInteraction& shown, const interaction::Settled& settled, std::size_t position) {
    const std::string by = settled.by.empty() ? "" : " by *" + words(settled.by) + "*";
    const std::string at = interaction::time_in(card_.zone, settled.at);
    using interaction::State;
    std::string outcome;
    if (settled.state == State::approved) {
      const bool is_once = settled.scope == interaction::Scope::once;
      outcome = fmt::format(":white_check_mark: *Approved*{} at {}, {}.", by, at, is_once ? "once" : "for this thread");
    } else if (settled.state == State::denied) {
      outcome = fmt::format(":no_entry: *Denied*{} at {}{}", by, at,
                            settled.reason.empty() ? "." : ": " + words(settled.reason));
    } else if (settled.state == State::expired) {
      outcome = fmt::format(":hourglass: *Expired* at {}: nobody answered in time, so it was denied.", at);
    } else {
      outcome = fmt::format(":heavy_minus_sign: *Cancelled*{} at {}.", by, at);
    }
    blocks_.push_back(section(outcome));
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
    inputs(shown, questions);
    const std::size_t last = questions_now(questions).empty() ? 0 : questions_now(questions).back() + 1;
    const bool is_last = last == questions.form.questions.size();
    json::array row;
    if (const std::string send = token_to_send(shown); !send.empty())
      row.push_back(button(is_last ? "Submit" : "Next", send, "send", "primary"));
    if (const std::string skip = token_of(shown, Control::skip); !skip.empty())
      row.push_back(button("Skip", skip, "skip"));
    blocks_.push_back(context(fmt::format("Expires at {}", interaction::time_in(card_.zone, questions.expires_at))));
    actions(0, std::move(row));
  }

  void inputs(const ShownInteraction& shown, const ShownQuestions& questions) {
    for (const std::size_t position : questions_now(questions)) {
      const interaction::Question& question = questions.form.questions[position];
      blocks_.push_back(section(words(question.question)));
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

// Slack has its own pair of buttons for feedback, under one name: only the value tells which was pressed.
void add_controls(json::array& blocks, const std::vector<MessageControl>& controls) {
  using Kind = MessageControl::Kind;
  json::array row;
  json::object pair{{"type", "feedback_buttons"}, {"action_id", kFeedback}};
  for (const MessageControl& control : controls) {
    const auto half = [&](std::string value) {
      return json::object{{"text", plain_text(control.label, kMaxOptionText)}, {"value", std::move(value)}};
    };
    if (control.kind == Kind::helpful) pair["positive_button"] = half(control.token);
    if (control.kind == Kind::wrong) pair["negative_button"] = half(std::string(kWrongPrefix) + control.token);
    if (control.kind == Kind::plain)
      row.push_back(button(control.label, control.token, fmt::format("control{}", row.size())));
  }
  if (pair.contains("positive_button") && pair.contains("negative_button"))
    blocks.push_back(json::object{{"type", "context_actions"}, {"elements", json::array{std::move(pair)}}});
  if (!row.empty()) blocks.push_back(json::object{{"type", "actions"}, {"elements", std::move(row)}});
}

json::object modal(std::string_view callback, std::string_view title, json::array blocks, const std::string& data) {
  json::object view{{"type", "modal"},
                    {"title", plain_text(title, kMaxModalTitle)},
                    {"close", plain_text("Close", kMaxModalTitle)},
                    {"private_metadata", data},
                    {"blocks", std::move(blocks)}};
  if (!callback.empty()) {
    view["callback_id"] = callback;
    view["submit"] = plain_text("Submit", kMaxModalTitle);
  }
  return view;
}

}  // namespace

std::string user_of(const policy::Account& account) {
  const std::size_t slash = account.id.find('/');
  return slash == std::string::npos ? account.id : account.id.substr(slash + 1);
}

std::string block_of_question(std::size_t question) { return fmt::format("question{}", question); }

Drawing draw_below(const Message& message) {
  Drawing drawing;
  if (!message.footer.empty()) drawing.blocks.push_back(context(escape(message.footer)));
  add_controls(drawing.blocks, message.controls);
  return drawing;
}

Drawing draw_message(const Message& message) {
  Drawing drawing;
  std::string whom = message.mention ? mention_of(*message.mention) : "";
  if (const std::string others = mentions_of(message.mentions); !others.empty())
    whom += (whom.empty() ? "" : " ") + others;
  if (!whom.empty()) drawing.blocks.push_back(section(whom));
  if (!trim(message.markdown).empty())
    drawing.blocks.push_back(markdown_block(cut_with_mark(message.markdown, kMaxMarkdown)));
  std::ranges::move(draw_below(message).blocks, std::back_inserter(drawing.blocks));
  drawing.text = cut_with_mark((whom.empty() ? "" : whom + " ") + to_mrkdwn(message.markdown), kMaxFallback);
  return drawing;
}

Drawing draw_request(const policy::Account& account, std::string_view text) {
  Drawing drawing;
  drawing.text = cut_with_mark(fmt::format("{} asks: {}", mention_of(account), words(text)), kMaxFallback);
  drawing.blocks.push_back(section(drawing.text));
  return drawing;
}

Drawing draw_card(const Card& card) {
  const interaction::Fold fold{.line = 160, .lines = 30, .characters = 1500, .total = 2500, .arguments = 60};
  Drawing drawing{CardDrawer(card, fold).draw(), escape(card.notification)};
  if (drawing.text.empty()) drawing.text = "Deputy asks something here.";
  return drawing;
}

json::object draw_modal(const Card& card, const std::string& data) {
  const bool is_form = std::ranges::any_of(card.interactions, [](const ShownInteraction& shown) {
    return std::holds_alternative<ShownQuestions>(shown.what);
  });
  if (!is_form) return draw_text_modal("Deputy asks", {text_of(card)}, "");
  return modal(kFormModal, "Deputy asks", CardDrawer(card, {}).draw_inputs(), data);
}

namespace {

json::object one_field(std::string_view name, std::string_view label, std::string_view filled_in) {
  json::object element{{"type", "plain_text_input"}, {"action_id", name}, {"multiline", true}, {"max_length", 1000}};
  if (!filled_in.empty()) element["initial_value"] = filled_in;
  return {
      {"type", "input"}, {"block_id", name}, {"label", plain_text(label, kMaxLabel)}, {"element", std::move(element)}};
}

}  // namespace

json::object draw_reason_modal(std::string_view title, std::string_view question, const std::string& data) {
  return modal(kReasonModal, title, {one_field("reason", question, "")}, data);
}

json::object draw_ask_modal(const std::string& data) {
  return modal(kAskModal, "Ask Deputy",
               {one_field("question", "Your question", "What is this about, and what should we do?")}, data);
}

std::string feedback_token(const json::object& message, MessageControl::Kind kind) {
  const json::value* blocks = message.if_contains("blocks");
  if (blocks == nullptr || !blocks->is_array()) return "";
  for (const json::value& block : blocks->get_array()) {
    const json::value* elements = block.is_object() ? block.get_object().if_contains("elements") : nullptr;
    if (elements == nullptr || !elements->is_array()) continue;
    for (const json::value& element : elements->get_array()) {
      if (!element.is_object() || text_at(element.get_object(), "type") != "feedback_buttons") continue;
      const bool is_wrong = kind == MessageControl::Kind::wrong;
      const json::object* half = find_object(element.get_object(), is_wrong ? "negative_button" : "positive_button");
      const std::string value = half == nullptr ? "" : text_at(*half, "value");
      return is_wrong ? value.substr(std::min(value.size(), kWrongPrefix.size())) : value;
    }
  }
  return "";
}

json::object draw_text_modal(std::string_view title, const ShowText& text, const std::string& data) {
  json::array blocks;
  for (std::string& part : split_markdown(to_mrkdwn(text.markdown), kMaxSection - 100)) {
    if (blocks.size() == kMaxModalSections) {
      blocks.push_back(section("_The rest does not fit here._"));
      break;
    }
    blocks.push_back(section(part));
  }
  if (blocks.empty()) blocks.push_back(section("_Nothing to show._"));
  add_controls(blocks, text.controls);
  return modal("", title, std::move(blocks), data);
}

}  // namespace deputy::channel::slack
