#include "channel/channel.h"

#include <fmt/format.h>

namespace deputy::channel {

namespace {

template <class T>
Task<Result<T>> not_possible(std::string what) {
  co_return fail(ErrorKind::not_configured, "this channel cannot " + what);
}

}  // namespace

Task<Result<std::string>> Receiver::cursor(std::string) { co_return std::string(); }
Task<Result<>> Receiver::set_cursor(std::string, std::string) { co_return Result<>{}; }
Task<Result<std::vector<ConversationKey>>> Receiver::conversations(std::string, Timestamp, int) {
  co_return std::vector<ConversationKey>{};
}

Task<Result<Welcome>> Receiver::welcome(policy::Account) { co_return Welcome{}; }

Capabilities Channel::capabilities_in(const ConversationKey&) const { return capabilities(); }

Task<Result<>> Channel::edit(ConversationKey, MessageRef, Message) { return not_possible<void>("edit messages"); }
Task<Result<MessageRef>> Channel::show(ConversationKey, Card) { return not_possible<MessageRef>("show cards"); }
Task<Result<>> Channel::redraw(ConversationKey, MessageRef, Card) { return not_possible<void>("redraw cards"); }
Task<Result<MessageRef>> Channel::attach(ConversationKey, File) { return not_possible<MessageRef>("send files"); }
Task<Result<PostedRequest>> Channel::post_request(ConversationKey, policy::Account, std::string) {
  return not_possible<PostedRequest>("show a request that was not written here");
}
Task<Result<MessageRef>> Channel::begin_stream(ConversationKey, Message) { return not_possible<MessageRef>("stream"); }
Task<Result<>> Channel::append(ConversationKey, MessageRef, StreamPart) { return not_possible<void>("stream"); }
Task<Result<>> Channel::end_stream(ConversationKey, MessageRef, Message) { return not_possible<void>("stream"); }
Task<Result<>> Channel::working(ConversationKey, MessageRef, Working) {
  return not_possible<void>("show that it works");
}
Task<Result<>> Channel::set_title(ConversationKey, std::string) { return not_possible<void>("name threads"); }
Task<Result<>> Channel::whisper(ConversationKey, policy::Account, Message) {
  return not_possible<void>("show a message to one person only");
}
Task<Result<std::optional<MessageRef>>> Channel::find(ConversationKey, DeliveryKey) {
  return not_possible<std::optional<MessageRef>>("look messages up");
}
Task<Result<>> Channel::remove(ConversationKey, MessageRef) { return not_possible<void>("remove messages"); }
Task<Result<std::string>> Channel::download(InboundFile, std::size_t) {
  return not_possible<std::string>("read files");
}
Task<Result<ConversationKey>> Channel::direct(policy::Account) {
  return not_possible<ConversationKey>("write to one person");
}
Task<Result<std::set<std::string>>> Channel::members(policy::Place) {
  return not_possible<std::set<std::string>>("tell who is a member");
}
Task<Result<std::set<std::string>>> Channel::members_of_group(std::string) {
  return not_possible<std::set<std::string>>("tell who is in a group");
}

ConversationKey Channel::conversation_in(std::string_view channel_id) const {
  return fmt::format("{}:{}", name(), channel_id);
}

std::string_view kind_of(std::string_view conversation) { return conversation.substr(0, conversation.find(':')); }

}  // namespace deputy::channel
