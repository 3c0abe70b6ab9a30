#include "gateway/outbound/delivery_parts.h"

#include <algorithm>

#include "base/fields_codec.h"
#include "base/text.h"
#include "base/workers.h"
#include "channel/markdown.h"
#include "channel/plot.h"
#include "gateway/run_controls.h"
#include "run/journal/stored_rows.h"

namespace deputy::gateway {

namespace {

using channel::Message;

constexpr std::string_view kAnsweredBelow = "*Answered below.*";
constexpr std::string_view kSeeAbove = "*See above.*";
constexpr std::string_view kRestarted = "*I was restarted. I go on below.*";

Message plain_message(std::string markdown, Message::Kind kind = Message::Kind::notice) {
  return {.markdown = std::move(markdown), .kind = kind};
}

DeliveryParts posts(std::string_view markdown, const std::string& conversation,
                    const channel::Capabilities& capabilities) {
  DeliveryParts pieces;
  for (std::string& part : channel::split_markdown(markdown, capabilities.max_message)) {
    pieces.push_back({conversation, Post{plain_message(std::move(part))}});
  }
  return pieces;
}

DeliveryPart stream_for(const std::string& account, std::string line, const std::string& conversation) {
  Message message = plain_message(std::move(line), Message::Kind::answer);
  if (!account.empty()) message.mention = run::account_of(account);
  return {conversation, BeginStream{std::move(message)}};
}

// A part that is posted as a first line and then edited must fit into an edit too.
std::size_t limit_of(const channel::Capabilities& capabilities, Copies copies) {
  const bool is_edited = way_of(capabilities, copies) == DoubtMethod::first_line;
  return is_edited ? std::min(capabilities.max_message, capabilities.max_edit) : capabilities.max_message;
}

/// An answer is complete without its pictures: one that cannot be read or sent is left out.
void add_plots(const run::AnswerDelivery& body, const std::string& conversation, DeliveryParts& pieces) {
  for (const json::object& given : body.plots.value_or(std::vector<json::object>())) {
    if (auto plot = parse_arguments<Plot>(given)) {
      pieces.push_back({conversation, AttachPlot{*std::move(plot)}, OnRefusal::best_effort});
    }
  }
}

using channel::MessageRef;

Task<Result<MessageRef>> then(MessageRef ref, Task<Result<>> task) {
  CO_TRY(co_await bounded(std::move(task)));
  co_return ref;
}

Task<Result<MessageRef>> perform(Post post, std::string conversation, channel::DeliveryKey key,
                                 channel::Channel& channel) {
  post.message.key = std::move(key);
  return bounded(channel.post(std::move(conversation), std::move(post.message)));
}
Task<Result<MessageRef>> perform(Edit edit, std::string conversation, channel::DeliveryKey key,
                                 channel::Channel& channel) {
  edit.message.key = std::move(key);
  return then(edit.ref, channel.edit(std::move(conversation), edit.ref, std::move(edit.message)));
}
Task<Result<MessageRef>> perform(Show show, std::string conversation, channel::DeliveryKey key,
                                 channel::Channel& channel) {
  show.card.key = std::move(key);
  return bounded(channel.show(std::move(conversation), std::move(show.card)));
}
Task<Result<MessageRef>> perform(Redraw redraw, std::string conversation, const channel::DeliveryKey&,
                                 channel::Channel& channel) {
  // No new message: who redraws again must not find two.
  return then("", channel.redraw(std::move(conversation), redraw.ref, std::move(redraw.card)));
}
Task<Result<MessageRef>> perform(Attach attach, std::string conversation, channel::DeliveryKey key,
                                 channel::Channel& channel) {
  attach.file.key = std::move(key);
  return bounded(channel.attach(std::move(conversation), std::move(attach.file)));
}
Task<Result<MessageRef>> perform(AttachPlot attach, std::string conversation, channel::DeliveryKey key,
                                 channel::Channel& channel) {
  std::string title = attach.plot.title;
  std::move_only_function<Result<std::string>(std::stop_token)> draw =
      [plot = std::move(attach.plot)](const std::stop_token&) { return channel::draw_plot(plot); };
  CO_TRY(std::string picture, co_await on_worker<std::string>(large_text_workers(), kMaxSend, std::move(draw)));
  channel::File file{
      .name = "plot.png", .content = std::move(picture), .title = std::move(title), .key = std::move(key)};
  co_return co_await bounded(channel.attach(std::move(conversation), std::move(file)));
}
Task<Result<MessageRef>> perform(BeginStream begin, std::string conversation, channel::DeliveryKey key,
                                 channel::Channel& channel) {
  begin.message.key = std::move(key);
  return bounded(channel.begin_stream(std::move(conversation), std::move(begin.message)));
}
Task<Result<MessageRef>> perform(EndStream end, std::string conversation, const channel::DeliveryKey&,
                                 channel::Channel& channel) {
  return then(end.ref, channel.end_stream(std::move(conversation), end.ref, std::move(end.message)));
}
Task<Result<MessageRef>> perform(Sign sign, std::string conversation, const channel::DeliveryKey&,
                                 channel::Channel& channel) {
  return then("", channel.working(std::move(conversation), std::move(sign.request), sign.working));
}

}  // namespace

channel::Message* message_of(DeliveryPart& piece) {
  if (auto* post = std::get_if<Post>(&piece.what)) return &post->message;
  if (auto* edit = std::get_if<Edit>(&piece.what)) return &edit->message;
  if (auto* begin = std::get_if<BeginStream>(&piece.what)) return &begin->message;
  auto* end = std::get_if<EndStream>(&piece.what);
  return end == nullptr ? nullptr : &end->message;
}

DoubtMethod way_of(const DeliveryPart& piece, const channel::Capabilities& capabilities) {
  if (const auto* const post = std::get_if<Post>(&piece.what)) return way_of(capabilities, post->copies);
  const bool may_be_new = std::holds_alternative<Show>(piece.what) || std::holds_alternative<Attach>(piece.what) ||
                          std::holds_alternative<AttachPlot>(piece.what) ||
                          std::holds_alternative<BeginStream>(piece.what);
  return may_be_new ? way_of(capabilities, Copies::rather_than_none) : DoubtMethod::again;
}

bool keeps_streams(const channel::Capabilities& capabilities) { return capabilities.stream && !capabilities.progress; }

DeliveryParts pieces_of(const run::AcknowledgementDelivery& body, Drawn drawn, const std::string& conversation,
                        const channel::Capabilities& capabilities) {
  if (keeps_streams(capabilities) && drawn == Drawn::card) return {stream_for(body.account, body.line, conversation)};
  DeliveryParts pieces;
  if (!capabilities.working) pieces = posts(body.line, conversation, capabilities);
  if (capabilities.working || capabilities.marks_request) {
    pieces.push_back(
        {conversation, Sign{body.request, channel::Working{.on = true, .words = body.line}}, OnRefusal::best_effort});
  }
  return pieces;
}

DeliveryParts pieces_of(const run::RestartDelivery& body, Drawn drawn, const MessageRef& stream,
                        const std::string& conversation) {
  DeliveryParts pieces{
      {conversation, EndStream{stream, plain_message(std::string(kRestarted))}, OnRefusal::if_possible}};
  if (drawn == Drawn::card) pieces.push_back(stream_for(body.account, "", conversation));
  return pieces;
}

DeliveryParts pieces_of(const run::NoticeDelivery& body, const std::string& conversation,
                        const channel::Capabilities& capabilities) {
  DeliveryParts pieces = posts(body.text, conversation, capabilities);
  if (pieces.empty()) return pieces;
  channel::Mentions& mentions = std::get<Post>(pieces.front().what).message.mentions;
  for (const std::string& account : body.accounts) mentions.accounts.push_back(run::account_of(account));
  mentions.groups = body.groups;
  for (DeliveryPart& piece : pieces) message_of(piece)->was_shown = body.ends_call.value_or(false);
  if (!body.controls || !capabilities.buttons) return pieces;
  Message& last = std::get<Post>(pieces.back().what).message;
  for (const run::NoticeControl& control : *body.controls) last.controls.push_back({control.label, control.token});
  return pieces;
}

DeliveryParts pieces_of(const run::AnswerDelivery& body, const std::string& conversation,
                        const channel::Capabilities& capabilities, const channel::Hosts& known,
                        const std::optional<Acknowledged>& acknowledged, const std::optional<RunId>& run) {
  const std::string text = channel::make_safe(body.text, known);
  const auto files = capabilities.files ? channel::Files::can_be_sent : channel::Files::cannot;
  const bool into_stream = acknowledged && acknowledged->stream && capabilities.stream;
  // A stream that has ended already is edited.
  const std::size_t limit =
      into_stream ? std::min(capabilities.max_message, capabilities.max_edit) : limit_of(capabilities, Copies::never);
  channel::Layout layout = channel::lay_out(text, limit, files);
  // What does not fit into an edit is posted.
  const bool fits = !layout.parts.empty() && layout.parts.front().size() <= capabilities.max_edit;
  const bool into_line = acknowledged && acknowledged->line && acknowledged->is_last && capabilities.edit && fits;
  DeliveryParts pieces;
  for (std::string& part : layout.parts) {
    Message message = plain_message(std::move(part), Message::Kind::answer);
    if (pieces.empty() && into_stream) {
      pieces.push_back({conversation, EndStream{*acknowledged->stream, std::move(message)}});
      continue;
    }
    if (pieces.empty() && into_line) {
      pieces.push_back({conversation, Edit{*acknowledged->line, std::move(message)}});
      continue;
    }
    if (pieces.empty() && !body.account.empty()) message.mention = run::account_of(body.account);
    pieces.push_back({conversation, Post{std::move(message), Copies::never}});
  }
  if (!pieces.empty()) {
    message_of(pieces.back())->footer = body.footer;
    if (capabilities.feedback && run) message_of(pieces.back())->controls = controls_of(*run);
  }
  if (layout.whole_as_file) {
    pieces.push_back(
        {conversation, Attach{{.name = "answer.md", .content = text, .title = "The whole answer", .key = ""}}});
  }
  if (capabilities.files) add_plots(body, conversation, pieces);
  if (!acknowledged || into_stream) return pieces;
  if (acknowledged->line && !into_line && capabilities.edit) {
    pieces.push_back(
        {conversation, Edit{*acknowledged->line, plain_message(std::string(kAnsweredBelow))}, OnRefusal::best_effort});
  }
  const bool has_sign = acknowledged->line ? capabilities.marks_request : capabilities.working;
  if (has_sign) {
    pieces.push_back(
        {conversation, Sign{acknowledged->request, channel::Working{.on = false}}, OnRefusal::best_effort});
  }
  return pieces;
}

DeliveryParts pieces_of(const channel::Card& card, Drawn drawn, const std::string& conversation,
                        const channel::Capabilities& capabilities) {
  if (drawn == Drawn::card && capabilities.buttons && channel::fits(card, capabilities.form))
    return {{conversation, Show{card}}};
  DeliveryParts pieces = posts(channel::text_of(card), conversation, capabilities);
  if (!pieces.empty()) std::get<Post>(pieces.front().what).message.mentions = card.approvers;
  return pieces;
}

DeliveryParts redraw_pieces(const channel::Card& card, const std::vector<channel::MessageRef>& refs,
                            const std::string& conversation, const channel::Capabilities& capabilities) {
  const bool is_card = refs.size() == 1 && capabilities.buttons && channel::fits(card, capabilities.form);
  if (is_card) return {{conversation, Redraw{refs[0], card}, OnRefusal::if_possible}};
  if (!capabilities.edit) return posts(channel::text_of(card), conversation, capabilities);
  channel::Capabilities edits = capabilities;
  edits.max_message = std::min(capabilities.max_message, capabilities.max_edit);
  DeliveryParts pieces = posts(channel::text_of(card), conversation, edits);
  for (std::size_t i = 0; i < refs.size(); ++i) {
    if (i == pieces.size()) pieces.push_back({conversation, Post{plain_message(std::string(kSeeAbove))}});
    Message message = std::get<Post>(pieces[i].what).message;
    pieces[i] = {conversation, Edit{refs[i], std::move(message)}, OnRefusal::if_possible};
  }
  return pieces;
}

std::string first_line_of(std::string_view markdown) {
  const std::string_view line = trim(markdown.substr(0, markdown.find('\n')));
  if (line.empty() || channel::opens_fence(line)) return "…";
  return line.size() == trim(markdown).size() ? std::string(line) : std::string(cut_bytes(line, 200)) + " …";
}

Task<Result<MessageRef>> send_piece(DeliveryPart piece, channel::DeliveryKey key, channel::Channel& channel) {
  return std::visit(
      [&](auto& what) { return perform(std::move(what), std::move(piece.conversation), std::move(key), channel); },
      piece.what);
}

DeliveryPart in_two_steps(DeliveryPart piece, const std::optional<MessageRef>& first_line) {
  auto* const post = std::get_if<Post>(&piece.what);
  if (post == nullptr) return piece;
  if (first_line) {
    piece.what = Edit{*first_line, std::move(post->message)};
    piece.need = OnRefusal::if_possible;  // not posted in its place: that would not be in two steps
  } else {
    post->message.markdown = first_line_of(post->message.markdown);
    post->message.footer.clear();
  }
  return piece;
}

}  // namespace deputy::gateway
