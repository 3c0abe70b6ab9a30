#include "gateway/sending.h"

namespace deputy::gateway {
namespace {

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
  return then(redraw.ref, channel.redraw(std::move(conversation), redraw.ref, std::move(redraw.card)));
}
Task<Result<MessageRef>> perform(Attach attach, std::string conversation, channel::DeliveryKey key,
                                 channel::Channel& channel) {
  attach.file.key = std::move(key);
  return bounded(channel.attach(std::move(conversation), std::move(attach.file)));
}
Task<Result<MessageRef>> perform(Sign sign, std::string conversation, const channel::DeliveryKey&,
                                 channel::Channel& channel) {
  return then("", channel.working(std::move(conversation), std::move(sign.request), sign.working));
}

}  // namespace

Task<Result<MessageRef>> send_piece(Piece piece, channel::DeliveryKey key, channel::Channel& channel) {
  return std::visit(
      [&](auto& what) { return perform(std::move(what), std::move(piece.conversation), std::move(key), channel); },
      piece.what);
}

Piece in_two_steps(Piece piece, const std::optional<MessageRef>& first_line) {
  auto* const post = std::get_if<Post>(&piece.what);
  if (post == nullptr) return piece;
  if (first_line) {
    piece.what = Edit{*first_line, std::move(post->message)};
    piece.need = Need::if_possible;  // not posted in its place: that would not be in two steps
  } else {
    post->message.markdown = first_line_of(post->message.markdown);
    post->message.footer.clear();
  }
  return piece;
}

}  // namespace deputy::gateway
