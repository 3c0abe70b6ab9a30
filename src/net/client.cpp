#include "net/client.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "net/multi.h"
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

constexpr std::size_t kMaxHeaders = 100;
constexpr std::size_t kMaxHeader = 32'000;

// Headers that the client sets itself, or that belong to a connection and not to a request.
constexpr auto kOurs =
    std::to_array<std::string_view>({"connection", "content-length", "expect", "host", "proxy-authorization", "te",
                                     "trailer", "transfer-encoding", "upgrade"});

bool is_token(std::string_view text) {
  const auto allowed = [](char c) { return is_letter_or_digit(c) || std::string_view("!#$%&'*+-.^_`|~").contains(c); };
  return !text.empty() && std::ranges::all_of(text, allowed);
}

bool is_value(std::string_view text) {
  return std::ranges::none_of(text,
                              [](char c) { return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == '\x7f'; });
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

// Created by the first request: TLS takes some megabytes, and most processes send no request.
const std::shared_ptr<Multi>& Client::multi() {
  if (!multi_) {
    multi_ =
        std::make_shared<Multi>(executor_, PoolLimits{options_->max_connections_per_host, options_->max_connections});
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

Result<> check_request(const Request& request) {
  if (!is_token(request.method) || request.method.size() > 20) {
    return fail(ErrorKind::invalid_input, "the method of a request is one word, like GET");
  }
  if (request.headers.size() > kMaxHeaders) return fail(ErrorKind::invalid_input, "the request has too many headers");
  for (const Header& header : request.headers) {
    if (!is_token(header.name) || header.name.size() > 200) {
      return fail(ErrorKind::invalid_input, "a header name is too long or has invalid characters");
    }
    if (header.value.size() > kMaxHeader || !is_value(header.value)) {
      return fail(ErrorKind::invalid_input,
                  fmt::format("the value of the header `{}` is too long or contains a control character", header.name));
    }
    if (contains(kOurs, to_lower(header.name))) {
      return fail(ErrorKind::invalid_input, fmt::format("the header `{}` is set by the client", header.name));
    }
  }
  return {};
}

}  // namespace deputy::net
