// One exchange: a request being sent and its response as it arrives. Used inside net only.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "net/client.h"
#include "net/http.h"
#include "net/multi.h"
#include "net/url.h"

namespace deputy::net {

class Transfer final : public Multi::Listener, public std::enable_shared_from_this<Transfer> {
 public:
  enum class Body {
    whole,   // collected up to `max_body`
    pieces,  // read as it arrives; beyond a buffer the peer waits
  };

  Transfer(std::shared_ptr<Multi> multi, std::shared_ptr<const ClientOptions> options, Url url, Request request,
           Body body);
  /// Ends the exchange in any state, without waiting.
  ~Transfer() override;
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  Result<> start();

  // Call one of these at a time. Cancellation is thrown.
  Task<Result<>> until_headers();
  Task<Result<>> until_end();
  Task<Result<std::string>> next_piece();

  int status() const { return status_; }
  const std::vector<Header>& headers() const { return headers_; }
  Response take_response() { return {status_, std::move(headers_), std::move(received_)}; }

 private:
  using Instant = std::chrono::steady_clock::time_point;
  struct Callbacks;
  struct FreeEasy {
    void operator()(CurlEasy* easy) const;
  };
  struct FreeList {
    void operator()(void* list) const;
  };

  enum class Phase {
    queued,      // waits for a free connection
    connecting,  // from the DNS lookup to the end of the TLS handshake
    exchanging,
    ended,
  };

  void set_up();
  void set_up_connection();
  void set_up_tls(const HostTls& tls);
  void set_up_request();
  Result<> allow_through_proxy() const;

  void transfer_ended(int code) override;
  void enter(Phase phase);
  void end_with(Error error);
  void take_header_line(std::string_view line);
  void take_last_header();
  bool take_piece(std::string_view piece);
  bool must_pause() const;
  Error too_large() const;

  Instant deadline() const;
  Error timeout() const;
  void watch_the_clock();
  Task<> wait_for_change();

  std::shared_ptr<Multi> multi_;
  std::shared_ptr<const ClientOptions> options_;
  Url url_;
  Request request_;
  Body body_;
  bool through_proxy_;
  std::unique_ptr<CurlEasy, FreeEasy> easy_;
  std::unique_ptr<void, FreeList> header_lines_;
  bool added_ = false;

  Phase phase_ = Phase::queued;
  Instant started_;
  Instant phase_began_;
  Instant last_progress_;
  std::int64_t sent_ = 0;
  asio::steady_timer clock_;
  asio::steady_timer changed_;  // never expires; cancelled to wake the reader

  int status_ = 0;
  std::vector<Header> headers_;
  std::size_t header_bytes_ = 0;
  bool has_headers_ = false;
  std::string received_;
  std::size_t body_bytes_ = 0;
  bool paused_ = false;
  std::optional<Error> refusal_;  // the error that refused an address; others of the same host may be allowed
  std::optional<Error> error_;
};

}  // namespace deputy::net
