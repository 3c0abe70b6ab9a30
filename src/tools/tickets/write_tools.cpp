// jira_create_ticket and jira_add_comment.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "tools/common_steps.h"
#include "tools/tickets/report.h"
#include "tools/tickets/ticket_tools.h"

namespace deputy::tools {

namespace {

using Looked = toolkit::Looked;

constexpr std::size_t kMaxText = 30'000;  // characters; Jira takes 32,767 with the line about who asked
constexpr std::size_t kMaxShown = 200;
constexpr std::chrono::minutes kClocksDiffer{5};  // at most, ours and the tracker's

/// By this a write is found again whose reply was lost: the same arguments in another call give another mark.
std::string mark_of(const toolkit::CallContext& context) {
  const json::array parts{context.facts.conversation, context.facts.run, context.call_id,
                          canonical_json(context.arguments)};
  return "deputy-" + sha256_hex(json::serialize(parts)).substr(0, 16);
}

std::string name_of_person(std::string_view name) {
  std::string line(cut_characters(name, 100));
  std::ranges::replace_if(line, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '`'; }, ' ');
  return line.empty() ? "nobody" : line;
}

/// The text with a last line that says who is behind it.
std::string signed_text(const std::string& text, const toolkit::CallContext& context) {
  const toolkit::CallFacts& facts = context.facts;
  return fmt::format("{}\n\n---\n\nAsked by {}, approved by {}, run {} ({})", text,
                     name_of_person(facts.requester.person), name_of_person(facts.approved_by),
                     name_of_person(facts.run), mark_of(context));
}

const toolkit::Output* previewed(const toolkit::CallContext& context) { return context.output_of("preview"); }

std::unexpected<Error> nothing_previewed() {
  return fail(ErrorKind::internal, "the preview of this call is missing", "call the tool again");
}

Result<> check_not_blank(std::string_view parameter, std::string_view text) {
  if (!trim(text).empty()) return {};
  return fail(ErrorKind::invalid_input, fmt::format("`{}` cannot be empty", parameter), "write some text");
}

}  // namespace

// jira_create_ticket = [ preview, AWAIT APPROVAL, create ]

namespace {

struct CreateParams {
  std::string project;
  std::string summary;
  std::string description;
  std::string type = "Task";

  template <class Fields>
  static void fields(Fields& f) {
    using P = CreateParams;
    f.required(&P::project, "project", "The key of the project, such as ABC").characters(1, 60);
    f.required(&P::summary, "summary", "The title of the ticket, one line").characters(1, 255);
    f.required(&P::description, "description", "What it is about, in Markdown").characters(1, kMaxText);
    f.optional(&P::type, "type", "The type of the ticket as the project names it, such as Bug").characters(1, 60);
  }
};

Task<Result<toolkit::Step>> preview_ticket(Backends<TicketWriter> writers, CreateParams params,
                                           const toolkit::CallContext& context) {
  CO_TRY(const std::shared_ptr<TicketWriter> writer, writers.choose());
  CO_TRY(const TicketPlace place, co_await writer->place(params.project, params.type, context.time_left()));
  std::string text = fmt::format("Create a ticket of type {} in {} ({})\n{}\n",
                                 shown_line(place.type, kMaxShown, context.redact_picked), place.project,
                                 shown_line(place.project_name, kMaxShown, context.redact_picked),
                                 shown_line(params.summary, 255, context.redact_picked));
  co_return toolkit::Output{std::move(text),
                            {{"project", place.project}, {"type", place.type}, {"type_id", place.type_id}}};
}

toolkit::Output created(const WrittenTicket& ticket) {
  std::string text = fmt::format("Created {}", ticket.key);
  if (!ticket.link.empty()) text += " " + ticket.link;
  return {std::move(text), {{"key", ticket.key}, {"link", ticket.link}}};
}

Task<Result<toolkit::Step>> create_ticket(Backends<TicketWriter> writers, CreateParams params,
                                          const toolkit::CallContext& context) {
  const toolkit::Output* shown = previewed(context);
  if (shown == nullptr) co_return nothing_previewed();
  CO_TRY(const std::shared_ptr<TicketWriter> writer, writers.choose());
  const Result<TicketPlace> place = co_await writer->place(params.project, params.type, context.time_left());
  if (!place || place->project != text_at(shown->data, "project") || place->type_id != text_at(shown->data, "type_id"))
    co_return fail(ErrorKind::conflict, "the project or its ticket types changed since this was approved",
                   "call the tool again to see where the ticket would go now");
  CO_TRY(
      const WrittenTicket ticket,
      co_await writer->create(*place, params.summary, signed_text(params.description, context), context.time_left()));
  co_return created(ticket);
}

Task<Result<Looked>> look_for_ticket(Backends<TicketWriter> writers, const toolkit::CallContext& context) {
  const toolkit::Output* shown = previewed(context);
  if (shown == nullptr) co_return nothing_previewed();
  CO_TRY(const std::shared_ptr<TicketWriter> writer, writers.choose());
  CO_TRY(const std::optional<WrittenTicket> found,
         co_await writer->find_created(text_at(shown->data, "project"), mark_of(context),
                                       context.begun_at - kClocksDiffer, context.time_left()));
  if (found) co_return Looked{Looked::Answer::done, created(*found)};
  co_return Looked{Looked::Answer::not_done};
}

}  // namespace

std::shared_ptr<const toolkit::Tool> jira_create_ticket(const Backends<TicketWriter>& writers) {
  toolkit::ToolSpec spec = ticket_spec("jira_create_ticket",
                                       "Creates a Jira ticket with a description in Markdown. A person sees it and "
                                       "approves it first. Search for an existing ticket before.",
                                       toolkit::Effect::write, writers.target(), writers.missing());
  spec.primary_param = "project";
  spec.pins = {"project", "type"};
  spec.topics = {
      .words = {"ticket", "jira ticket"}, .verbs = {"create", "file", "raise"}, .working = "Creating a ticket"};
  return toolkit::make_tool<CreateParams>(
      std::move(spec), [writers](const CreateParams& params) -> Result<toolkit::Pipeline> {
        TRY(check_not_blank("project", params.project));
        TRY(check_not_blank("summary", params.summary));
        TRY(check_not_blank("description", params.description));
        if (params.summary.contains('\n'))
          return fail(ErrorKind::invalid_input, "`summary` has several lines", "put the rest into `description`");
        toolkit::Pipeline pipeline;
        pipeline
            .then({.name = "preview",
                   .repeatable = true,
                   .call =
                       [writers, params](toolkit::CallContext& context) {
                         return as_step(preview_ticket(writers, params, context));
                       }})
            .await_approval()
            .then({.name = "create",
                   .call =
                       [writers, params](toolkit::CallContext& context) {
                         return as_step(create_ticket(writers, params, context));
                       },
                   .look = [writers](toolkit::CallContext& context) { return look_for_ticket(writers, context); },
                   // Jira's search shows a new ticket after a while.
                   .look_after = std::chrono::seconds(60)});
        return pipeline;
      });
}

// jira_add_comment = [ preview, AWAIT APPROVAL, comment ]

namespace {

struct CommentParams {
  std::string issue_key;
  std::string text;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&CommentParams::issue_key, "issue_key", "The ticket, such as ABC-123")
        .characters(1, 60)
        .kind(toolkit::Kind::id);
    f.required(&CommentParams::text, "text", "The comment, in Markdown").characters(1, kMaxText);
  }
};

Task<Result<toolkit::Step>> preview_comment(Backends<TicketWriter> writers, std::string key,
                                            const toolkit::CallContext& context) {
  CO_TRY(const std::shared_ptr<TicketWriter> writer, writers.choose());
  CO_TRY(const Ticket ticket, co_await writer->ticket(key, context.time_left()));
  std::string text =
      fmt::format("Comment on {} [{}]: {}\n", ticket.key, shown_line(ticket.status, kMaxShown, context.redact_picked),
                  shown_line(ticket.summary, kMaxShown, context.redact_picked));
  co_return toolkit::Output{std::move(text), {{"key", ticket.key}, {"status", ticket.status}}};
}

toolkit::Output commented(const std::string& key) { return {fmt::format("Commented on {}", key), {{"key", key}}}; }

Task<Result<toolkit::Step>> add_comment(Backends<TicketWriter> writers, CommentParams params,
                                        const toolkit::CallContext& context) {
  const toolkit::Output* shown = previewed(context);
  if (shown == nullptr) co_return nothing_previewed();
  CO_TRY(const std::shared_ptr<TicketWriter> writer, writers.choose());
  const std::string key = text_at(shown->data, "key");
  const Result<Ticket> ticket = co_await writer->ticket(key, context.time_left());
  if (!ticket || ticket->key != key || ticket->status != text_at(shown->data, "status"))
    co_return fail(ErrorKind::conflict, fmt::format("{} changed since this was approved", key),
                   "read the ticket again before another try");
  CO_TRY((co_await writer->comment(key, signed_text(params.text, context), context.time_left())));
  co_return commented(key);
}

Task<Result<Looked>> look_for_comment(Backends<TicketWriter> writers, const toolkit::CallContext& context) {
  const toolkit::Output* shown = previewed(context);
  if (shown == nullptr) co_return nothing_previewed();
  CO_TRY(const std::shared_ptr<TicketWriter> writer, writers.choose());
  const std::string key = text_at(shown->data, "key");
  CO_TRY(const std::optional<bool> is_there,
         co_await writer->has_comment(key, mark_of(context), context.begun_at - kClocksDiffer, context.time_left()));
  if (!is_there) co_return Looked{Looked::Answer::cannot_tell};
  if (!*is_there) co_return Looked{Looked::Answer::not_done};
  co_return Looked{Looked::Answer::done, commented(key)};
}

}  // namespace

std::shared_ptr<const toolkit::Tool> jira_add_comment(const Backends<TicketWriter>& writers) {
  toolkit::ToolSpec spec =
      ticket_spec("jira_add_comment", "Adds a comment, in Markdown, to a Jira ticket. A person approves it first.",
                  toolkit::Effect::write, writers.target(), writers.missing());
  spec.primary_param = "issue_key";
  spec.pins = {"issue_key"};
  spec.topics = {.words = {"ticket comment"}, .verbs = {"comment"}, .working = "Commenting on {id}"};
  return toolkit::make_tool<CommentParams>(
      std::move(spec), [writers](const CommentParams& params) -> Result<toolkit::Pipeline> {
        TRY(check_not_blank("text", params.text));
        const std::string key = ticket_key_in(params.issue_key);
        if (key.empty())
          return fail(ErrorKind::invalid_input, "`issue_key` is not the key of a ticket", "write it as ABC-123");
        toolkit::Pipeline pipeline;
        pipeline
            .then({.name = "preview",
                   .repeatable = true,
                   .call =
                       [writers, key](toolkit::CallContext& context) {
                         return as_step(preview_comment(writers, key, context));
                       }})
            .await_approval()
            .then(
                {.name = "comment",
                 .call = [writers, params](
                             toolkit::CallContext& context) { return as_step(add_comment(writers, params, context)); },
                 .look = [writers](toolkit::CallContext& context) { return look_for_comment(writers, context); }});
        return pipeline;
      });
}

}  // namespace deputy::tools
