// libcurl's multi handle on the loop: its sockets are descriptors of the loop, its timer is a timer of the loop. Also
// the errors of failed transfers. Used inside net only.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <map>
#include <memory>
#include <string>

#include "base/task.h"

namespace deputy::net {

/// libcurl's handles, opaque to us.
using CurlEasy = void;
using CurlMulti = void;

struct PoolLimits {
  int per_host = 16;
  int all = 128;
};

class Multi : public std::enable_shared_from_this<Multi> {
 public:
  /// A handle's private pointer must point to one.
  class Listener {
   public:
    virtual ~Listener() = default;
    /// Called on the loop, outside of libcurl, with the CURLcode.
    virtual void transfer_ended(int code) = 0;
  };

  Multi(asio::any_io_executor executor, PoolLimits limits);
  ~Multi();
  Multi(const Multi&) = delete;
  Multi& operator=(const Multi&) = delete;

  const asio::any_io_executor& executor() const { return executor_; }

  Result<> add(CurlEasy* easy);
  /// Do not call it inside a libcurl callback.
  void remove(CurlEasy* easy);

 private:
  struct Watch;
  struct Callbacks;

  void watch(int socket, bool readable, bool writable);
  void forget(int socket);
  void wait_for(int socket, const std::shared_ptr<Watch>& watch);
  void set_timer(long milliseconds);
  void act(int socket, int events);

  asio::any_io_executor executor_;
  asio::steady_timer timer_;
  std::map<int, std::shared_ptr<Watch>> watches_;
  CurlMulti* handle_;
};

/// The error of a failed transfer. `code` is a CURLcode, `place` the host and port; the error shows nothing else of the
/// request.
Error describe_failure(int code, CurlEasy* easy, const std::string& place, bool through_proxy);

}  // namespace deputy::net
