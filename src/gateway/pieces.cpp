#include "gateway/pieces.h"

#include "base/text.h"
#include "channel/fence.h"
#include "channel/split.h"
#include "run/journal/stored_rows.h"

namespace deputy::gateway {
namespace {

using channel::Message;

constexpr std::string_view kAnsweredBelow = "*Answered below.*";
constexpr std::string_view kSeeAbove = "*See above.*";

Message plain_message(std::string markdown) {
  return {.markdown = std::move(markdown), .mention = std::nullopt, .footer = "", .key = ""};
}

Pieces posts(std::string_view markdown, const std::string& conversation, const channel::Capabilities& capabilities) {
  Pieces pieces;
  for (std::string& part : channel::split_markdown(markdown, capabilities.longest_message)) {
    pieces.push_back({conversation, Post{plain_message(std::move(part))}});
  }
  return pieces;
}

}  // namespace

Way way_of(const Piece& piece, const channel::Capabilities& capabilities) {
  if (const auto* const post = std::get_if<Post>(&piece.what)) return way_of(capabilities, post->copies);
  const bool may_be_new = std::holds_alternative<Show>(piece.what) || std::holds_alternative<Attach>(piece.what);
  return may_be_new ? way_of(capabilities, Copies::rather_than_none) : Way::again;
}

Pieces pieces_of(const run::AcknowledgementDelivery& body, const std::string& conversation,
                 const channel::Capabilities& capabilities) {
  if (capabilities.working) {
    return {{conversation, Sign{body.request, channel::Working::on}, Need::best_effort}};
  }
  return posts(body.line, conversation, capabilities);
}

Pieces pieces_of(const run::NoticeDelivery& body, const std::string& conversation,
                 const channel::Capabilities& capabilities) {
  return posts(body.text, conversation, capabilities);
}

Pieces pieces_of(const run::AnswerDelivery& body, const std::string& conversation,
                 const channel::Capabilities& capabilities, const channel::Hosts& known,
                 const std::optional<Acknowledged>& acknowledged) {
  const std::string text = channel::make_safe(body.text, known);
  const auto files = capabilities.files ? channel::Files::can_be_sent : channel::Files::cannot;
  channel::Layout layout = channel::lay_out(text, capabilities.longest_message, files);
  const bool into_line = acknowledged && acknowledged->line && acknowledged->is_last && capabilities.edit;
  Pieces pieces;
  for (std::string& part : layout.parts) {
    Message message = plain_message(std::move(part));
    if (pieces.empty() && into_line) {
      pieces.push_back({conversation, Edit{*acknowledged->line, std::move(message)}});
      continue;
    }
    if (pieces.empty() && !body.account.empty()) message.mention = run::account_of(body.account);
    pieces.push_back({conversation, Post{std::move(message), Copies::never}});
  }
  if (!pieces.empty()) {
    auto& last = pieces.back().what;
    Message& message = std::holds_alternative<Edit>(last) ? std::get<Edit>(last).message : std::get<Post>(last).message;
    message.footer = body.footer;
  }
  if (layout.whole_as_file) {
    pieces.push_back(
        {conversation, Attach{{.name = "answer.md", .content = text, .title = "The whole answer", .key = ""}}});
  }
  if (!acknowledged) return pieces;
  if (acknowledged->line && !into_line && capabilities.edit) {
    pieces.push_back(
        {conversation, Edit{*acknowledged->line, plain_message(std::string(kAnsweredBelow))}, Need::best_effort});
  }
  if (!acknowledged->line && capabilities.working) {
    pieces.push_back({conversation, Sign{acknowledged->request, channel::Working::off}, Need::best_effort});
  }
  return pieces;
}

Pieces pieces_of(const channel::Card& card, Drawn drawn, const std::string& conversation,
                 const channel::Capabilities& capabilities) {
  if (drawn == Drawn::card && capabilities.buttons) return {{conversation, Show{card}}};
  return posts(channel::text_of(card), conversation, capabilities);
}

Pieces redraw_pieces(const channel::Card& card, const std::vector<channel::MessageRef>& refs,
                     const std::string& conversation, const channel::Capabilities& capabilities) {
  if (refs.size() == 1 && capabilities.buttons) return {{conversation, Redraw{refs[0], card}, Need::if_possible}};
  Pieces pieces = posts(channel::text_of(card), conversation, capabilities);
  if (!capabilities.edit) return pieces;
  for (std::size_t i = 0; i < refs.size(); ++i) {
    if (i == pieces.size()) pieces.push_back({conversation, Post{plain_message(std::string(kSeeAbove))}});
    Message message = std::get<Post>(pieces[i].what).message;
    pieces[i] = {conversation, Edit{refs[i], std::move(message)}, Need::if_possible};
  }
  return pieces;
}

std::string first_line_of(std::string_view markdown) {
  const std::string_view line = trim(markdown.substr(0, markdown.find('\n')));
  if (line.empty() || channel::opens_fence(line)) return "…";
  return line.size() == trim(markdown).size() ? std::string(line) : std::string(cut_bytes(line, 200)) + " …";
}

}  // namespace deputy::gateway
