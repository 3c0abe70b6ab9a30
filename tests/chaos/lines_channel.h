// A channel that takes JSON lines on standard input. What people see is a file that every process of a test appends to,
// one write a line: it is there whole or not at all, whatever happens to the process afterwards, and two posts of one
// key are two. Standard output has receipts, and a line whenever there is something new to see.
#pragma once

#include <boost/asio/posix/stream_descriptor.hpp>
#include <string>

#include "base/json.h"
#include "channel/channel.h"

namespace deputy::chaos {

class LinesChannel final : public channel::Channel {
 public:
  LinesChannel(const asio::any_io_executor& loop, std::string platform);

  std::string_view name() const override { return "lines"; }
  channel::Capabilities capabilities() const override;
  Task<Result<>> run(channel::Receiver& receiver) override;

  Task<Result<channel::MessageRef>> post(std::string conversation, channel::Message message) override;
  Task<Result<>> edit(std::string conversation, channel::MessageRef ref, channel::Message message) override;
  Task<Result<channel::MessageRef>> show(std::string conversation, channel::Card card) override;
  Task<Result<>> redraw(std::string conversation, channel::MessageRef ref, channel::Card card) override;
  Task<Result<std::optional<channel::MessageRef>>> find(std::string conversation, channel::DeliveryKey key) override;
  Task<Result<channel::ConversationContext>> context(std::string conversation, channel::MessageRef before,
                                                     int most) override;
  Task<Result<policy::Identity>> who(policy::Account account) override;
  Task<Result<channel::Diagnosis>> diagnose() override;

 private:
  Task<> take(channel::Receiver& receiver, std::string line);
  void show_people(const json::object& line) const;

  std::string platform_;
  asio::any_io_executor loop_;
  asio::posix::stream_descriptor input_;
};

}  // namespace deputy::chaos
