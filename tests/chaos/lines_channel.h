// A channel that takes JSON lines on standard input. What people see is a file that every process of a test appends to,
// one write a line: it is there whole or not at all, whatever happens to the process afterwards, and two posts of one
// key are two. A stream that has ended stays so. Standard output has receipts, a line whenever there is something new
// to see, and one when it begins and one when it ends to receive.
#pragma once

#include <boost/asio/posix/stream_descriptor.hpp>
#include <string>

#include "base/json.h"
#include "channel/channel.h"

namespace deputy::chaos {

class LinesChannel final : public channel::Channel {
 public:
  /// How answers are shown: as posts and edits, or as streams.
  enum class Form { posts, streams };
  LinesChannel(const asio::any_io_executor& loop, std::string platform, Form form);

  std::string_view name() const override { return "lines"; }
  channel::Capabilities capabilities() const override;
  Task<Result<>> run(channel::Receiver& receiver) override;

  Task<Result<channel::MessageRef>> post(std::string conversation, channel::Message message) override;
  Task<Result<>> edit(std::string conversation, channel::MessageRef ref, channel::Message message) override;
  Task<Result<channel::MessageRef>> show(std::string conversation, channel::Card card) override;
  Task<Result<>> redraw(std::string conversation, channel::MessageRef ref, channel::Card card) override;
  Task<Result<channel::MessageRef>> begin_stream(std::string conversation, channel::Message message) override;
  Task<Result<>> append(std::string conversation, channel::MessageRef ref, channel::StreamPart part) override;
  Task<Result<>> end_stream(std::string conversation, channel::MessageRef ref, channel::Message message) override;
  Task<Result<std::optional<channel::MessageRef>>> find(std::string conversation, channel::DeliveryKey key) override;
  Task<Result<channel::ConversationContext>> context(std::string conversation, channel::MessageRef before,
                                                     int most) override;
  Task<Result<policy::Identity>> who(policy::Account account) override;
  Task<Result<channel::Diagnosis>> diagnose() override;

 private:
  Task<> take(channel::Receiver& receiver, std::string line);
  void show_people(const json::object& line) const;
  /// True if people saw a line in which one of these keys has this value.
  bool was_shown(std::initializer_list<const char*> keys, const std::string& value) const;

  std::string platform_;
  Form form_;
  asio::any_io_executor loop_;
  asio::posix::stream_descriptor input_;
};

}  // namespace deputy::chaos
