// An HTTP client whose streams arrive in pieces that the test chose, whatever the socket made of them: a socket may
// join what its peer sent apart, and then a boundary would be met only by luck.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "net/http.h"

namespace deputy::test {

/// How many bytes the next piece has, told how many came before it.
using Cut = std::function<std::size_t(std::size_t before)>;

/// Pieces of so many bytes.
Cut every(std::size_t bytes);
/// Two pieces.
Cut once_at(std::size_t bytes);

class CutClient final : public net::HttpClient {
 public:
  explicit CutClient(net::HttpClient& client) : client_(client) {}

  /// Of streams that are opened from now on.
  void cut(Cut cut) { cut_ = std::move(cut); }
  /// What the last stream held, as far as it was read.
  const std::string& seen() const { return *seen_; }
  /// From now on answers with that again, and asks nobody.
  void play_again();

  Task<Result<net::Response>> send(net::Request request) override;
  Task<Result<std::unique_ptr<net::ResponseStream>>> open(net::Request request) override;

 private:
  net::HttpClient& client_;
  Cut cut_ = every(1);
  std::shared_ptr<std::string> seen_ = std::make_shared<std::string>();
  int status_ = 0;
  std::vector<net::Header> headers_;
  std::optional<std::string> recorded_;
};

}  // namespace deputy::test
