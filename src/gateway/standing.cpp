#include "gateway/standing.h"

#include <fmt/format.h>

#include "base/fields_codec.h"
#include "base/text.h"
#include "interaction/escape.h"
#include "interaction/text_form.h"

namespace deputy::gateway {

namespace {

constexpr std::string_view kName = "name";

// Whoever settled it may have written none, or another kind of one.
json::object response_of(const store::InteractionRow& row) {
  Result<json::object> response = parse_json_object(row.response);
  return response ? *std::move(response) : json::object{};
}

}  // namespace

store::InteractionState to_row(interaction::State state) {
  switch (state) {
    case interaction::State::pending:
      return store::InteractionState::pending;
    case interaction::State::approved:
      return store::InteractionState::approved;
    case interaction::State::denied:
      return store::InteractionState::denied;
    case interaction::State::answered:
      return store::InteractionState::answered;
    case interaction::State::expired:
      return store::InteractionState::expired;
    case interaction::State::cancelled:
      return store::InteractionState::cancelled;
  }
  return store::InteractionState::cancelled;
}

interaction::State from_row(store::InteractionState state) {
  for (const auto& [value, name] : interaction::choices_of(interaction::State{})) {
    if (to_row(value) == state) return value;
  }
  return interaction::State::cancelled;
}

std::string write_response(json::object response, const std::string& name) {
  if (!name.empty()) response[kName] = name;
  return json::serialize(response);
}

std::string answered_by(const store::InteractionRow& row) {
  std::string name = text_at(response_of(row), kName);
  return name.empty() ? row.responded_by : name;
}

interaction::Standing standing_of(const store::InteractionRow& row, const interaction::Approval& approval) {
  if (row.state == store::InteractionState::pending) {
    return interaction::Pending{row.digest, row.expires_at, approval.may_grant};
  }
  const json::object response = response_of(row);
  return interaction::Settled{
      .state = from_row(row.state),
      .by = answered_by(row),
      .at = row.responded_at.value_or(row.expires_at),
      .scope = text_at(response, "scope") == "thread" ? interaction::Scope::for_thread : interaction::Scope::once,
      .reason = text_at(response, "reason")};
}

interaction::FormResult form_result_of(const store::InteractionRow& row) {
  const json::object response = response_of(row);
  interaction::FormResult result;
  result.state = from_row(row.state);
  result.reason = text_at(response, "reason");
  const json::value* completed = response.if_contains("completed");
  result.completed = completed != nullptr && completed->is_bool() && completed->get_bool();
  const json::value* answers = response.if_contains("answers");
  if (answers == nullptr || !answers->is_array()) return result;
  for (const json::value& answer : answers->get_array()) {
    if (!answer.is_object()) continue;
    if (auto read = parse_arguments<interaction::Answer>(answer.get_object())) {
      result.answers.push_back(*std::move(read));
    }
  }
  return result;
}

std::string describe_pending(const run::InteractionBody& asking) {
  if (asking.approval) {
    return fmt::format("waiting for approval: {}", interaction::notification_line(*asking.approval));
  }
  if (!asking.questions || asking.questions->questions.empty()) return "waiting for an answer";
  const std::string& question = asking.questions->questions.front().question;
  return fmt::format("waiting for an answer of {}: {}", asking.requester,
                     interaction::escape(cut_with_mark(question, 200), interaction::Showing::as_prose));
}

}  // namespace deputy::gateway
