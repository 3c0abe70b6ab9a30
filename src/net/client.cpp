#include "net/client.h"

#include "base/text.h"
#include "net/multi.h"
#include "net/request_check.h"
#include "net/transfer.h"

namespace deputy::net {

namespace {

class Pieces final : public ResponseStream {
 public:
  explicit Pieces(std::shared_ptr<Transfer> transfer) : transfer_(std::move(transfer)) {}

  int status() const override { return transfer_->status(); }
  const std::vector<Header>& headers() const override { return transfer_->headers(); }
  Task<Result<std::string>> read() override { return transfer_->next_piece(); }

 private:
  std::shared_ptr<Transfer> transfer_;
};

Result<std::shared_ptr<Transfer>> begin(std::shared_ptr<Multi> multi, std::shared_ptr<const ClientOptions> options,
                                        Request request, Transfer::Body body) {
  TRY(check_request(request));
  TRY(Url url, parse_url(request.url, request.path));
  auto transfer =
      std::make_shared<Transfer>(std::move(multi), std::move(options), std::move(url), std::move(request), body);
  TRY(transfer->start());
  return transfer;
}

}  // namespace

std::optional<std::string_view> find_header(const std::vector<Header>& headers, std::string_view name) {
  const std::string wanted = to_lower(name);
  for (const Header& header : headers) {
    if (header.name.size() == wanted.size() && to_lower(header.name) == wanted) return header.value;
  }
  return std::nullopt;
}

Client::Client(asio::any_io_executor executor, ClientOptions options)
    : executor_(std::move(executor)), options_(std::make_shared<const ClientOptions>(std::move(options))) {}

Client::~Client() = default;

// Made by the first request: TLS takes some megabytes, and most processes ask nobody.
const std::shared_ptr<Multi>& Client::multi() {
  if (!multi_) {
    multi_ =
        std::make_shared<Multi>(executor_, PoolLimits{options_->most_connections_per_host, options_->most_connections});
  }
  return multi_;
}

Task<Result<Response>> Client::send(Request request) {
  CO_TRY(const std::shared_ptr<Transfer> transfer, begin(multi(), options_, std::move(request), Transfer::Body::whole));
  CO_TRY(co_await transfer->until_end());
  co_return transfer->take_response();
}

Task<Result<std::unique_ptr<ResponseStream>>> Client::open(Request request) {
  CO_TRY(std::shared_ptr<Transfer> transfer, begin(multi(), options_, std::move(request), Transfer::Body::pieces));
  CO_TRY(co_await transfer->until_headers());
  co_return std::make_unique<Pieces>(std::move(transfer));
}

}  // namespace deputy::net
