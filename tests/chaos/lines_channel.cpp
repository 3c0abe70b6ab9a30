#include "chaos/lines_channel.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <fstream>

#include "base/json.h"

namespace deputy::chaos {

namespace {

// One write a line: it is there whole or not at all.
void print(const json::object& line) {
  const std::string text = json::serialize(line) + "\n";
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data() + at, text.size() - at);
    if (written <= 0) _exit(1);
    at += static_cast<std::size_t>(written);
  }
}

json::array controls_of(const channel::Card& card) {
  json::array controls;
  for (const channel::ShownInteraction& one : card.interactions) {
    for (const channel::ShownControl& control : one.controls) {
      for (const auto& [value, word] : choices_of(interaction::Control{})) {
        if (value != control.action.control) continue;
        controls.push_back(json::object{{"interaction", one.id.text()}, {"control", word}, {"token", control.token}});
      }
    }
  }
  return controls;
}

json::array arguments_of(const channel::Card& card) {
  json::array arguments;
  for (const channel::ShownInteraction& one : card.interactions) {
    const auto* approval = std::get_if<channel::ShownApproval>(&one.what);
    arguments.push_back(
        json::object{{"interaction", one.id.text()},
                     {"arguments", approval == nullptr ? json::object() : approval->view.approval.arguments}});
  }
  return arguments;
}

}  // namespace

LinesChannel::LinesChannel(const asio::any_io_executor& loop, std::string platform, Form form)
    : platform_(std::move(platform)), form_(form), loop_(loop), input_(loop, ::dup(STDIN_FILENO)) {}

void LinesChannel::show_people(const json::object& line) const {
  const std::string text = json::serialize(line) + "\n";
  const int file = ::open(platform_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0 || ::write(file, text.data(), text.size()) != static_cast<ssize_t>(text.size())) _exit(1);
  ::close(file);
  print({{"news", true}});
}

channel::Capabilities LinesChannel::capabilities() const {
  return {
      .buttons = true, .forms = true, .edit = true, .stream = form_ == Form::streams, .threads = true, .find = true};
}

Task<Result<>> LinesChannel::run(channel::Receiver& receiver) {
  print({{"ready", true}});
  std::string buffer;
  std::array<char, 4096> piece{};
  for (;;) {
    const auto [error, size] =
        co_await input_.async_read_some(asio::buffer(piece), asio::as_tuple(asio::use_awaitable));
    if (error) {
      print({{"left", true}});
      co_return Result<>{};
    }
    buffer.append(piece.data(), size);
    for (std::size_t end = buffer.find('\n'); end != std::string::npos; end = buffer.find('\n')) {
      std::string line = buffer.substr(0, end);
      buffer.erase(0, end + 1);
      spawn(loop_, "line", take(receiver, std::move(line)));
    }
  }
}

Task<> LinesChannel::take(channel::Receiver& receiver, std::string line) {
  const Result<json::object> parsed = parse_json_object(line);
  if (!parsed) co_return;
  const std::string key = text_at(*parsed, "key");
  const policy::Place place{.channel = "lines", .id = "C1", .open_to = policy::OpenTo::members};
  if (parsed->contains("text")) {
    channel::InboundMessage message;
    message.key = key;
    message.conversation = text_at(*parsed, "conversation");
    message.place = place;
    message.sender = {"lines", text_at(*parsed, "account")};
    message.text = text_at(*parsed, "text");
    message.ref = key;
    const Result<> stored = co_await receiver.message(std::move(message));
    if (stored) print({{"receipt", key}});
    co_return;
  }
  channel::InboundAnswer answer;
  answer.key = key;
  answer.conversation = text_at(*parsed, "conversation");
  answer.place = place;
  answer.sender = {"lines", text_at(*parsed, "account")};
  answer.token = text_at(*parsed, "token");
  if (const std::string value = text_at(*parsed, "value"); !value.empty()) answer.given["env"] = {.values = {value}};
  const Result<channel::Verdict> verdict = co_await receiver.answer(std::move(answer));
  if (verdict) print({{"receipt", key}, {"verdict", verdict->index()}});
}

Task<Result<channel::MessageRef>> LinesChannel::post(std::string conversation, channel::Message message) {
  show_people(
      {{"post", message.key}, {"conversation", conversation}, {"text", message.markdown}, {"footer", message.footer}});
  co_return message.key;
}

Task<Result<>> LinesChannel::edit(std::string conversation, channel::MessageRef ref, channel::Message message) {
  show_people({{"edit", ref}, {"conversation", conversation}, {"text", message.markdown}, {"footer", message.footer}});
  co_return Result<>{};
}

Task<Result<channel::MessageRef>> LinesChannel::show(std::string conversation, channel::Card card) {
  show_people({{"card", card.key},
               {"conversation", conversation},
               {"controls", controls_of(card)},
               {"about", arguments_of(card)}});
  co_return card.key;
}

Task<Result<>> LinesChannel::redraw(std::string conversation, channel::MessageRef ref, channel::Card card) {
  show_people({{"redraw", ref}, {"conversation", conversation}, {"controls", controls_of(card)}});
  co_return Result<>{};
}

Task<Result<channel::MessageRef>> LinesChannel::begin_stream(std::string conversation, channel::Message message) {
  show_people({{"begin", message.key}, {"conversation", conversation}});
  co_return message.key;
}

Task<Result<>> LinesChannel::append(std::string conversation, channel::MessageRef ref, channel::StreamPart part) {
  if (was_shown({"end"}, ref)) co_return fail(ErrorKind::conflict, "the stream has ended");
  const auto* const text = std::get_if<std::string>(&part);
  show_people({{"append", ref},
               {"conversation", conversation},
               {"text", text == nullptr ? std::get<channel::ProgressLine>(part).line : *text}});
  co_return Result<>{};
}

Task<Result<>> LinesChannel::end_stream(std::string conversation, channel::MessageRef ref, channel::Message message) {
  if (was_shown({"end"}, ref)) co_return fail(ErrorKind::conflict, "the stream has ended");
  show_people({{"end", ref}, {"conversation", conversation}, {"text", message.markdown}, {"footer", message.footer}});
  co_return Result<>{};
}

bool LinesChannel::was_shown(std::initializer_list<const char*> keys, const std::string& value) const {
  std::ifstream file(platform_);
  for (std::string line; std::getline(file, line);) {
    const Result<json::object> seen = parse_json_object(line);
    if (seen && std::ranges::any_of(keys, [&](const char* key) { return text_at(*seen, key) == value; })) return true;
  }
  return false;
}

Task<Result<std::optional<channel::MessageRef>>> LinesChannel::find(std::string, channel::DeliveryKey key) {
  const bool arrived = was_shown({"post", "card", "begin"}, key);
  co_return arrived ? std::optional<channel::MessageRef>(key) : std::nullopt;
}
Task<Result<channel::ConversationContext>> LinesChannel::context(std::string, channel::MessageRef, int) {
  co_return channel::ConversationContext{};
}
Task<Result<policy::Identity>> LinesChannel::who(policy::Account account) {
  co_return policy::Identity{.account = std::move(account), .standing = policy::AccountKind::member};
}
Task<Result<channel::Diagnosis>> LinesChannel::diagnose() { co_return channel::Diagnosis{}; }

}  // namespace deputy::chaos
