#include "gateway/inbound/cards.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "gateway/inbound/forms.h"
#include "gateway/inbound/reach.h"
#include "gateway/inbound/settle.h"
#include "gateway/inbound/triage.h"
#include "interaction/escape.h"
#include "run/journal/interaction_body.h"

namespace deputy::gateway {

namespace {

using channel::ShownInteraction;
using interaction::Control;

/// One interaction of a card.
struct Member {
  store::InteractionRow row;
  run::InteractionBody asking;
};

bool is_pending(const Member& member) { return member.row.state == store::InteractionState::pending; }

// An expired approval can be asked for again; other settled interactions have no controls.
bool may_be_pressed(const Member& member, Control control) {
  if (control == Control::ask_again) return member.row.state == store::InteractionState::expired;
  return is_pending(member);
}

std::vector<channel::ShownControl> controls_of(const Member& member) {
  std::vector<channel::ShownControl> controls;
  for (run::ControlToken& one : run::controls_of(member.row.id, member.asking, member.row.digest)) {
    if (may_be_pressed(member, one.action.control)) {
      controls.push_back({std::move(one.action), std::move(one.token)});
    }
  }
  return controls;
}

interaction::ApprovalView view_of(const Member& member) {
  return {member.asking.approval.value_or(interaction::Approval{}), member.row.code, member.row.expires_at, {}};
}

channel::ShownApproval shown_approval(const Member& member, const toolkit::Registry& registry) {
  channel::ShownApproval approval{view_of(member), std::nullopt};
  const auto tool = registry.find(approval.view.approval.tool);
  if (!tool) return approval;
  const toolkit::ToolSpec& spec = (*tool)->spec();
  if (spec.primary_is_command_line) approval.command_param = spec.primary_param;
  approval.pins = toolkit::pins_of(spec, approval.view.approval.arguments);
  return approval;
}

Result<ShownInteraction> show(const Member& member, const InboundDependencies& parts) {
  ShownInteraction shown;
  shown.id = member.row.id;
  shown.controls = controls_of(member);
  if (member.asking.approval) {
    channel::ShownApproval approval = shown_approval(member, parts.registry);
    const interaction::ApprovalState standing = standing_of(member.row, *member.asking.approval);
    if (const auto* settled = std::get_if<interaction::Settled>(&standing)) approval.settled = *settled;
    shown.what = std::move(approval);
    return shown;
  }
  channel::ShownQuestions questions;
  questions.form = member.asking.questions.value_or(interaction::Form{});
  TRY(questions.draft, interaction::read_draft(questions.form, member.row.draft));
  questions.expires_at = member.row.expires_at;
  questions.page = page_of(parts, member.row.conversation);
  if (!is_pending(member)) {
    questions.settled = form_result_of(member.row);
    questions.settled_by = answered_by(member.row);
    questions.settled_at = member.row.responded_at.value_or(member.row.expires_at);
  }
  shown.what = std::move(questions);
  return shown;
}

std::string notification_of(const run::InteractionBody& asking) {
  if (asking.approval) return interaction::notification_line(*asking.approval);
  if (!asking.questions) return {};
  const std::string& question = asking.questions->questions.front().question;
  return interaction::escape(cut_with_mark(question, 200), interaction::Showing::as_prose);
}

bool asks_something(const run::InteractionBody& asking) {
  return asking.approval || (asking.questions && !asking.questions->questions.empty());
}

// The interactions of one turn, in the order they were asked.
std::vector<Member> members_of(std::vector<store::InteractionRow> rows, const std::string& card) {
  std::vector<Member> members;
  for (store::InteractionRow& row : rows) {
    Result<run::InteractionBody> asking = run::read_interaction_body(row);
    if (asking && asking->card == card && asks_something(*asking)) {
      members.push_back({std::move(row), *std::move(asking)});
    }
  }
  std::ranges::sort(members, {}, [](const Member& member) { return member.row.id; });
  return members;
}

// Only if the button covers everything pending on this card, and all of it is shown in full.
bool offers_approve_all(const std::vector<Member>& members, const interaction::Action& action,
                        const interaction::Zone& zone) {
  std::vector<interaction::ApprovalView> views;
  for (const Member& member : members) {
    if (!is_pending(member)) continue;
    if (!member.asking.approval) return false;
    const interaction::Acted acted{member.row.id.text(), member.row.digest};
    if (!contains(action.on, acted)) return false;
    views.push_back(view_of(member));
  }
  return views.size() > 1 && interaction::approvals_text(views, zone).may_approve_all;
}

// Whoever answers after the alert is over should know that.
Task<Result<std::string>> note_about(InboundDependencies& parts, const std::vector<Member>& members,
                                     const interaction::Zone& zone) {
  const auto waits = [](const Member& member) { return is_pending(member) && member.asking.approval; };
  if (std::ranges::none_of(members, waits)) co_return std::string();
  const std::string& conversation = members.front().row.conversation;
  CO_TRY(const std::vector<store::MarkRow> resolved,
         co_await parts.store.marks({std::string(kResolvedMark), {conversation}}));
  if (resolved.empty()) co_return std::string();
  co_return fmt::format("The alert was resolved at {}. This still needs an answer.",
                        interaction::time_in(zone, resolved.front().at));
}

}  // namespace

Task<Result<std::optional<channel::Card>>> StoredCards::card(InteractionId id) {
  CO_TRY(const std::optional<store::InteractionRow> row, co_await find_interaction(parts_, id));
  if (!row) co_return std::nullopt;
  const Result<run::InteractionBody> asked = run::read_interaction_body(*row);
  if (!asked) co_return std::nullopt;
  store::InteractionFilter filter;
  filter.run = row->run;
  filter.pending_only = false;
  filter.most = 1000;
  CO_TRY(std::vector<store::InteractionRow> rows, co_await parts_.store.interactions(filter));
  const std::vector<Member> members = members_of(std::move(rows), asked->card);
  if (members.empty()) co_return std::nullopt;

  channel::Card card;
  card.run = row->run;
  card.conversation = row->conversation;
  card.requester = asked->requester;
  card.zone = zone_of(*parts_.rules(), *asked);
  CO_TRY(card.note, co_await note_about(parts_, members, card.zone));
  card.writers = writers_at(*asked);
  std::vector<std::string> lines;
  std::vector<std::string> approvers;
  for (const Member& member : members) {
    CO_TRY(ShownInteraction shown, show(member, parts_));
    if (const std::string token = run::token_of(member.asking, Control::approve_all); !token.empty()) {
      CO_TRY(const store::TokenMeaning meaning, co_await parts_.store.token(token));
      CO_TRY(interaction::Action action, interaction::read_action(meaning.body));
      if (offers_approve_all(members, action, card.zone)) shown.controls.push_back({std::move(action), token});
    }
    card.interactions.push_back(std::move(shown));
    lines.push_back(notification_of(member.asking));
    if (!member.asking.approval || !is_pending(member)) continue;
    for (const std::string& approver : member.asking.approval->approvers) {
      if (!contains(approvers, approver)) approvers.push_back(approver);
    }
  }
  if (!approvers.empty())
    card.approvers = to_mention(co_await approvers_on(parts_, row->conversation, std::move(approvers)));
  card.notification = join(lines, "; ");
  co_return card;
}

Task<Result<std::optional<channel::Card>>> card_to_open(InboundDependencies& parts, InteractionId id,
                                                        std::string conversation) {
  const channel::Channel* channel = parts.channels.of(conversation);
  if (channel == nullptr || !channel->capabilities().modals) co_return std::nullopt;
  StoredCards cards(parts);
  CO_TRY(std::optional<channel::Card> card, co_await cards.card(id));
  if (!card) co_return std::nullopt;
  std::erase_if(card->interactions, [&](const ShownInteraction& shown) { return shown.id != id; });
  card->whole = true;
  co_return card;
}

}  // namespace deputy::gateway
