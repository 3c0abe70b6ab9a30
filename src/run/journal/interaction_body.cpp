#include "run/journal/interaction_body.h"

#include <fmt/format.h>

#include "base/fields_codec.h"
#include "base/secret.h"
#include "toolkit/spec.h"

namespace deputy::run {

namespace {

Result<InteractionBody> read_body(std::string_view text) {
  TRY(const json::object body, parse_json_object(text));
  return parse_arguments<InteractionBody>(body);
}

using interaction::Control;

std::string_view name_of(Control control) {
  for (const auto& [value, name] : interaction::choices_of(Control{})) {
    if (value == control) return name;
  }
  return {};
}

// The name of an action in InteractionBody::tokens: "deny", "done:0", "option:0:2".
std::string key_of(const interaction::Action& action) {
  std::string key(name_of(action.control));
  if (action.question) key += fmt::format(":{}", *action.question);
  if (action.option) key += fmt::format(":{}", *action.option);
  return key;
}

// Everything that can be pressed on an interaction, whatever its state.
std::vector<interaction::Action> actions_of(const InteractionId& id, const InteractionBody& asking,
                                            const std::string& digest) {
  const std::vector<interaction::Acted> on{{id.text(), digest}};
  std::vector<interaction::Action> actions;
  const auto add = [&](Control control) { actions.push_back({control, on, std::nullopt, std::nullopt}); };
  if (asking.approval) {
    add(Control::approve_once);
    if (asking.approval->may_grant) add(Control::approve_for_thread);
    add(Control::deny);
    add(Control::deny_with_reason);
    add(Control::show_whole);
    add(Control::ask_again);
  }
  if (asking.questions) {
    const std::vector<interaction::Question>& questions = asking.questions->questions;
    for (std::size_t question = 0; question < questions.size(); ++question) {
      for (std::size_t option = 0; option < questions[question].options.size(); ++option) {
        actions.push_back({Control::option, on, question, option});
      }
      // Of one question, so that pressing it twice does not answer the next one.
      actions.push_back({Control::done, on, question, std::nullopt});
      if (questions[question].allow_custom) actions.push_back({Control::own_words, on, question, std::nullopt});
    }
    add(Control::own_words);
    add(Control::submit);
    add(Control::skip);
    add(Control::open_form);
  }
  return actions;
}

store::TokenRow make_row(const interaction::Action& action, json::object& tokens) {
  std::array<std::uint8_t, 13> random{};
  fill_random(random);
  store::TokenRow row{interaction::make_token(random), interaction::write_action(action)};
  tokens[key_of(action)] = row.token;
  return row;
}

}  // namespace

Result<InteractionBody> read_interaction_body(const store::InteractionRow& row) {
  Result<InteractionBody> asking = read_body(row.body);
  if (!asking) return store::damaged("interaction " + row.id.text(), asking.error());
  return asking;
}

std::string write_interaction_body(const InteractionBody& asking) { return json::serialize(to_json(asking)); }

CallRequested call_of(const std::string& call, const interaction::Approval& approval) {
  CallRequested wish{call, approval.tool, approval.arguments};
  if (approval.background) wish.arguments[toolkit::kBackground] = true;
  return wish;
}

std::vector<store::DueKey> dues_of(const std::string& interaction) {
  std::vector<store::DueKey> dues;
  for (const std::string_view kind : {kExpiryDue, kReminderDue, kShowFormDue, kReachDue}) {
    dues.push_back({std::string(kind), interaction});
  }
  return dues;
}

std::vector<store::TokenRow> make_tokens(const InteractionId& interaction, const InteractionBody& asking,
                                         const std::string& digest, json::object& tokens) {
  std::vector<store::TokenRow> rows;
  for (const interaction::Action& action : actions_of(interaction, asking, digest))
    rows.push_back(make_row(action, tokens));
  return rows;
}

store::TokenRow make_approve_all(std::vector<interaction::Acted> on, json::object& tokens) {
  return make_row({Control::approve_all, std::move(on), std::nullopt, std::nullopt}, tokens);
}

std::vector<ControlToken> controls_of(const InteractionId& interaction, const InteractionBody& asking,
                                      const std::string& digest) {
  std::vector<ControlToken> controls;
  for (interaction::Action& action : actions_of(interaction, asking, digest)) {
    if (std::string token = text_at(asking.tokens, key_of(action)); !token.empty()) {
      controls.push_back({std::move(action), std::move(token)});
    }
  }
  return controls;
}

std::string token_of(const InteractionBody& asking, interaction::Control control) {
  return text_at(asking.tokens, name_of(control));
}

}  // namespace deputy::run
