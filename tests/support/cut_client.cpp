#include "support/cut_client.h"

#include <utility>

namespace deputy::test {

namespace {

class CutStream final : public net::ResponseStream {
 public:
  CutStream(std::unique_ptr<net::ResponseStream> stream, Cut cut, std::shared_ptr<std::string> seen)
      : stream_(std::move(stream)), cut_(std::move(cut)), seen_(std::move(seen)) {
    seen_->clear();
  }

  int status() const override { return stream_->status(); }
  const std::vector<net::Header>& headers() const override { return stream_->headers(); }

  Task<Result<std::string>> read() override {
    const std::size_t size = cut_(seen_->size());
    while (!ended_ && ahead_.size() < size) {
      CO_TRY(std::string more, co_await stream_->read());
      ended_ = more.empty();
      ahead_ += more;
    }
    std::string piece = ahead_.substr(0, size);
    ahead_.erase(0, piece.size());
    *seen_ += piece;
    co_return piece;
  }

 private:
  std::unique_ptr<net::ResponseStream> stream_;
  Cut cut_;
  std::shared_ptr<std::string> seen_;
  std::string ahead_;
  bool ended_ = false;
};

class RecordedStream final : public net::ResponseStream {
 public:
  RecordedStream(int status, std::vector<net::Header> headers, std::string body)
      : status_(status), headers_(std::move(headers)), body_(std::move(body)) {}

  int status() const override { return status_; }
  const std::vector<net::Header>& headers() const override { return headers_; }
  Task<Result<std::string>> read() override { co_return std::exchange(body_, {}); }

 private:
  int status_;
  std::vector<net::Header> headers_;
  std::string body_;
};

}  // namespace

Cut every(std::size_t bytes) {
  return [bytes](std::size_t) { return bytes; };
}

Cut once_at(std::size_t bytes) {
  return [bytes](std::size_t before) { return before < bytes ? bytes - before : std::size_t{1} << 40; };
}

Task<Result<net::Response>> CutClient::send(net::Request request) {
  co_return co_await client_.send(std::move(request));
}

void CutClient::play_again() { recorded_ = *seen_; }

Task<Result<std::unique_ptr<net::ResponseStream>>> CutClient::open(net::Request request) {
  if (recorded_) {
    co_return std::make_unique<CutStream>(std::make_unique<RecordedStream>(status_, headers_, *recorded_), cut_, seen_);
  }
  CO_TRY(auto stream, co_await client_.open(std::move(request)));
  status_ = stream->status();
  headers_ = stream->headers();
  co_return std::make_unique<CutStream>(std::move(stream), cut_, seen_);
}

}  // namespace deputy::test
