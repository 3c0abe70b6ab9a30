// What the slash commands of a chat do.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "app/chat/chat.h"
#include "app/commands/listing.h"
#include "app/models.h"
#include "app/settings.h"
#include "base/text.h"
#include "channel/terminal/styled_text.h"
#include "gateway/inbound/reports.h"
#include "gateway/requests.h"
#include "policy/grants.h"
#include "run/plan/rules.h"
#include "store/store.h"
#include "toolkit/registry.h"

namespace deputy::app {

namespace {

constexpr int kMaxListed = 15;
constexpr std::size_t kMaxHeadline = 70;

std::string when_it_ends(const store::GrantRow& grant, const interaction::Zone& zone) {
  if (grant.ends_at == policy::kWithTheSession) return "until this session ends";
  return "until " + interaction::time_in(zone, grant.ends_at);
}

std::string shown_call(const std::string& tool, const json::object& arguments, const toolkit::Registry& registry) {
  return channel::one_line(gateway::call_line(tool, arguments, registry));
}

}  // namespace

bool is_slash(std::string_view line) { return trim(line).starts_with('/'); }

Result<SlashCommand> read_slash(std::string_view line) {
  const std::string_view typed = trim(line).substr(1);
  const std::size_t space = typed.find(' ');
  const std::string name = to_lower(typed.substr(0, space));
  const std::string_view rest = space == std::string_view::npos ? std::string_view() : trim(typed.substr(space));
  const auto* found = std::ranges::find(kSlashCommands, name, &SlashRow::name);
  if (found != kSlashCommands.end()) {
    if (rest.empty() || !found->takes.empty()) return SlashCommand{found->command, std::string(rest)};
    return fail(ErrorKind::invalid_input, fmt::format("/{} takes no arguments", found->name));
  }
  std::vector<std::string> names;
  names.reserve(kSlashCommands.size());
  for (const SlashRow& row : kSlashCommands) names.emplace_back(row.name);
  const std::string_view near = nearest(name, names);
  return fail(ErrorKind::invalid_input, fmt::format("there is no command /{}", cut_with_mark(name, 40)),
              near.empty() ? std::string("/help lists the commands") : fmt::format("did you mean /{}?", near));
}

std::string slash_help() {
  std::string text;
  for (const SlashRow& row : kSlashCommands)
    text += fmt::format("  {:<18} {}\n", fmt::format("/{}{}{}", row.name, row.takes.empty() ? "" : " ", row.takes),
                        row.words);
  return text +
         "Anything else is a message to Deputy; while it works, the message is a note for the running request. Ctrl-C "
         "stops what it does; Ctrl-C twice or Ctrl-D leaves.\n";
}

Task<Result<Chat::Going>> Chat::command(SlashCommand wish) {
  if (is_for_one_request())
    co_return fail(ErrorKind::invalid_input, "commands are for a conversation", "`deputy chat` begins one");
  switch (wish.command) {
    case Slash::help:
      print_wrapped(slash_help());
      break;
    case Slash::tools:
      co_return co_await list_tools();
    case Slash::call:
      CO_TRY(co_await call_tool(std::move(wish.rest)));
      break;
    case Slash::tasks:
      CO_TRY(co_await list_tasks());
      break;
    case Slash::approvals:
      CO_TRY(co_await list_approvals());
      break;
    case Slash::runs:
      CO_TRY(co_await list_runs());
      break;
    case Slash::result:
      co_return co_await show_result(std::move(wish.rest));
    case Slash::diff:
      co_return co_await show_changes();
    case Slash::resume:
      co_return co_await go_to_conversation(std::move(wish.rest));
    case Slash::cost:
      CO_TRY(co_await show_cost());
      break;
    case Slash::model:
      CO_TRY(co_await set_model(std::move(wish.rest)));
      break;
    case Slash::compact:
      CO_TRY(co_await compact());
      break;
    case Slash::yolo:
      switch_asking();
      break;
    case Slash::clear:
      CO_TRY(co_await clear());
      break;
    case Slash::quit:
      co_return Going::leaves;
  }
  co_return Going::on;
}

Task<Result<Chat::Going>> Chat::list_tools() {
  std::string lines;
  for (const toolkit::ToolListing& tool : process_.registry().list(process_.settings().tools.by_category())) {
    if (!tool.enabled) continue;
    const std::string& what = tool.configured ? tool.description : tool.missing;
    const std::string_view sentence = std::string_view(what).substr(0, what.find(". "));
    lines +=
        channel::cut_to_width(fmt::format("  {:<24} {:<12} {}", tool.name, tool.configured ? tool.effect : "not set up",
                                          channel::one_line(sentence)),
                              screen_->width()) +
        "\n";
  }
  co_return co_await show_long("tools; `deputy tools list` shows all about them", std::move(lines));
}

Task<Result<>> Chat::call_tool(std::string rest) {
  const std::size_t space = rest.find(' ');
  const std::string name = rest.substr(0, space);
  if (name.empty())
    co_return fail(ErrorKind::invalid_input, "a tool is missing",
                   "write it like /call list_services {}; /tools lists them");
  auto tool_found = process_.registry().find(name);
  if (!tool_found) {
    tool_found.error().hint = "/tools lists them";  // the names of all would fill the screen
    co_return std::unexpected(tool_found.error());
  }
  const auto tool = *tool_found;
  const Result<json::object> arguments =
      parse_json_object(space == std::string::npos ? "{}" : std::string_view(rest).substr(space + 1));
  if (!arguments) {
    co_return fail(ErrorKind::invalid_input, "the arguments are not a JSON object",
                   fmt::format("write them like /call {} {{\"name\": \"value\"}}", name));
  }
  CO_TRY(const gateway::Started started,
         co_await process_.requests().call(local_caller(), {session_.conversation, tool->spec().name, *arguments}));
  if (const auto* not_accepted = std::get_if<gateway::NotAccepted>(&started))
    co_return std::unexpected(gateway::error_of(*not_accepted));
  if (const auto* accepted = std::get_if<gateway::Accepted>(&started)) by_hand_.insert(accepted->run);
  co_return Result<>{};
}

Task<Result<>> Chat::list_tasks() {
  CO_TRY(const std::vector<store::RunRow> rows, co_await runs_here());
  std::string text;
  for (const store::RunRow& row : rows) {
    if (!row.parent) continue;
    const Result<gateway::RunView> read = co_await process_.requests().read(local_caller(), row.run);
    if (!read) continue;
    const run::Received& received = read->state.request();
    const std::string what =
        received.only_call
            ? "[bg] " +
                  shown_call(received.only_call->call.tool, received.only_call->call.arguments, process_.registry())
            : "sub-run " + channel::one_line(cut_with_mark(received.label.value_or(received.text), kMaxHeadline));
    const Timestamp until = row.finished_at.value_or(process_.clock().now());
    text += fmt::format("  {}  {:<9}  {:>8}  {}\n", channel::short_id(row.run), state_of(row),
                        channel::elapsed(until - row.created_at), what);
  }
  print_wrapped(text.empty() ? "No background calls and no sub-runs here.\n" : text);
  co_return Result<>{};
}

Task<Result<>> Chat::list_approvals() {
  const interaction::Zone zone = process_.rules().zone;
  CO_TRY(const gateway::PendingCards pending,
         co_await process_.requests().pending(local_caller(), {.conversation = session_.conversation}));
  std::string text;
  for (const channel::Card& card : pending.cards) {
    for (const channel::ShownInteraction& shown : card.interactions) {
      if (channel::is_settled(shown)) continue;
      const auto* asked = std::get_if<channel::ShownApproval>(&shown.what);
      text += asked == nullptr ? std::string("? a question\n")
                               : channel::approval_lines(*asked, channel::Much::folded, kind_.colours,
                                                         editor_ ? channel::columns() : channel::kAnyWidth);
      text += fmt::format("  waits until {}  {}\n", interaction::time_in(card.zone, channel::expires_at(shown)),
                          channel::short_id(shown.id));
      asked_.erase(shown.id);  // so that it is asked again
    }
  }
  if (text.empty()) text = "Nothing waits for an answer.\n";
  store::GrantFilter granted;
  granted.conversation = session_.conversation;
  CO_TRY(const std::vector<store::GrantRow> grants, co_await process_.store().grants(granted));
  for (const store::GrantRow& grant : grants) {
    const std::string line = fmt::format("  ✓ {} is granted {}  {}\n",
                                         channel::one_line(fmt::format("{} {}", grant.tool, gateway::bound_to(grant))),
                                         when_it_ends(grant, zone), channel::short_id(grant.id));
    text += channel::wrapped_text(line, screen_->width());
  }
  if (!asks_) text += "  /yolo is on: only calls that always need approval ask.\n";
  print(text);
  co_return Result<>{};
}

Task<Result<>> Chat::list_runs() {
  store::RunFilter filter;
  filter.most = kMaxListed;
  CO_TRY(const std::vector<store::RunRow> rows, co_await process_.store().runs(filter));
  std::string text;
  for (const store::RunRow& row : rows) {
    text += fmt::format("  {}  {:<9}  {}{}\n", channel::short_id(row.run), state_of(row), row.parent ? "↳ " : "",
                        channel::one_line(cut_with_mark(row.headline, kMaxHeadline)));
  }
  print_wrapped(text.empty() ? "No runs yet.\n" : text);
  co_return Result<>{};
}

void Chat::switch_asking() {
  asks_ = !asks_;
  process_.set_session(asks_ ? Process::Yolo::off : Process::Yolo::on);
  print_wrapped(
      asks_ ? "It asks again before it changes something.\n"
            : "It no longer asks in this session, except for calls that always need approval. /yolo again turns asking "
              "back on.\n");
  set_usual_prompt();
}

}  // namespace deputy::app
