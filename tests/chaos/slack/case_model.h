// The model of the chaos in Slack, behind Anthropic's Messages API on a port of loopback. Its reply depends on the
// request alone, so it is the same whichever process asks, and however often: a request says "case 17 write".
#pragma once

#include <memory>
#include <string>

#include "net/server.h"

namespace deputy::chaos {

/// What a case asks for.
enum class CaseKind {
  plain,   // an answer
  read,    // a tool that reads, and an answer
  write,   // a message to another channel, which is approved
  denied,  // the same, which is not
  form,    // a question to the person who asks
};
inline constexpr int kCaseKinds = 5;

/// "case 17 write"
std::string request_of(int number, CaseKind kind);
/// In the answer to a case, and nowhere else.
std::string answer_of(int number);
/// The message that a case writes to the other channel.
std::string written_by(int number);

/// Where cases write to.
inline constexpr const char* kWritesTo = "C0WRITES001";

class CaseModel {
 public:
  static Result<std::unique_ptr<CaseModel>> start(const asio::any_io_executor& executor);

  std::string url() const;
  /// Await it before destroying the model.
  Task<> stop() { return server_->stop(std::chrono::milliseconds(0)); }

 private:
  std::unique_ptr<net::Server> server_;
};

}  // namespace deputy::chaos
