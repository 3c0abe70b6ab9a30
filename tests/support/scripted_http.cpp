#include "support/scripted_http.h"

#include <stdexcept>

namespace deputy::test {

namespace {

class ScriptedStream final : public net::ResponseStream {
 public:
  ScriptedStream(ScriptedResponse response, std::shared_ptr<int> open)
      : response_(std::move(response)), open_(std::move(open)) {
    ++*open_;
  }
  ~ScriptedStream() override { --*open_; }

  int status() const override { return response_.status; }
  const std::vector<net::Header>& headers() const override { return response_.headers; }

  Task<Result<std::string>> read() override {
    if (next_ < response_.pieces.size()) co_return response_.pieces[next_++];
    if (response_.hangs) co_await sleep_for(kMaxWait);
    if (response_.breaks) co_return std::unexpected(*response_.breaks);
    co_return std::string();
  }

 private:
  ScriptedResponse response_;
  std::size_t next_ = 0;
  std::shared_ptr<int> open_;
};

}  // namespace

ScriptedHttp& ScriptedHttp::answers(ScriptedResponse response) {
  script_.emplace_back(std::move(response));
  return *this;
}

ScriptedHttp& ScriptedHttp::fails(Error error) {
  script_.emplace_back(std::unexpected(std::move(error)));
  return *this;
}

Task<Result<net::Response>> ScriptedHttp::send(net::Request request) {
  CO_TRY(const std::unique_ptr<net::ResponseStream> stream, co_await open(std::move(request)));
  net::Response response{stream->status(), stream->headers(), {}};
  while (true) {
    CO_TRY(const std::string piece, co_await stream->read());
    if (piece.empty()) co_return response;
    response.body += piece;
  }
}

Task<Result<std::unique_ptr<net::ResponseStream>>> ScriptedHttp::open(net::Request request) {
  asked_.push_back(std::move(request));
  if (script_.empty()) throw std::logic_error("the script has no answer to this request");
  Result<ScriptedResponse> response = std::move(script_.front());
  script_.pop_front();
  if (!response) co_return std::unexpected(response.error());
  co_return std::make_unique<ScriptedStream>(*std::move(response), open_streams_);
}

}  // namespace deputy::test
