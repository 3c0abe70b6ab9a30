#include "net/multi.h"

#include <curl/curl.h>
#include <openssl/x509.h>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <new>

namespace deputy::net {

namespace {

void set_up_library() {
  // Once per process, before any handle.
  static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (code != CURLE_OK) throw std::bad_alloc();
}

Error broken_proxy(long status) {
  if (status == 407) {
    return {ErrorKind::authentication, "the proxy rejected the credentials",
            "check the user and password of the proxy"};
  }
  return {ErrorKind::network, fmt::format("the proxy refused the connection with status {}", status),
          "check that the proxy may reach this host"};
}

std::string why_not_trusted(CurlEasy* easy) {
  long verified = X509_V_OK;
  curl_easy_getinfo(easy, CURLINFO_SSL_VERIFYRESULT, &verified);
  // libcurl reports the second when the chain is good but the name is not.
  if (verified == X509_V_OK || verified == X509_V_ERR_UNSPECIFIED) return "it is for another host";
  return X509_verify_cert_error_string(verified);
}

}  // namespace

// The socket is libcurl's: we wait for it and never close it.
struct Multi::Watch {
  explicit Watch(const asio::any_io_executor& executor, int socket) : descriptor(executor, socket) {}
  ~Watch() { let_go(); }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  void let_go() {
    if (descriptor.is_open()) descriptor.release();
  }

  asio::posix::stream_descriptor descriptor;
  bool wants_read = false;
  bool wants_write = false;
  bool waits_to_read = false;
  bool waits_to_write = false;
};

// libcurl's callbacks.
struct Multi::Callbacks {
  static int socket(CURL*, curl_socket_t socket, int what, void* self, void*) {
    auto& multi = *static_cast<Multi*>(self);
    if (what == CURL_POLL_REMOVE) {
      multi.forget(socket);
    } else {
      multi.watch(socket, (what & CURL_POLL_IN) != 0, (what & CURL_POLL_OUT) != 0);
    }
    return 0;
  }
  static int timer(CURLM*, long milliseconds, void* self) {
    static_cast<Multi*>(self)->set_timer(milliseconds);
    return 0;
  }
};

Multi::Multi(asio::any_io_executor executor, PoolLimits limits) : executor_(std::move(executor)), timer_(executor_) {
  set_up_library();
  handle_ = curl_multi_init();
  if (handle_ == nullptr) throw std::bad_alloc();
  curl_multi_setopt(handle_, CURLMOPT_SOCKETFUNCTION, &Callbacks::socket);
  curl_multi_setopt(handle_, CURLMOPT_SOCKETDATA, this);
  curl_multi_setopt(handle_, CURLMOPT_TIMERFUNCTION, &Callbacks::timer);
  curl_multi_setopt(handle_, CURLMOPT_TIMERDATA, this);
  curl_multi_setopt(handle_, CURLMOPT_MAX_HOST_CONNECTIONS, static_cast<long>(limits.per_host));
  curl_multi_setopt(handle_, CURLMOPT_MAX_TOTAL_CONNECTIONS, static_cast<long>(limits.all));
  curl_multi_setopt(handle_, CURLMOPT_MAXCONNECTS, static_cast<long>(limits.all));
}

Multi::~Multi() { curl_multi_cleanup(handle_); }

Result<> Multi::add(CurlEasy* easy) {
  const CURLMcode code = curl_multi_add_handle(handle_, easy);
  if (code == CURLM_OK) return {};
  return fail(ErrorKind::internal, fmt::format("cannot start a transfer: {}", curl_multi_strerror(code)));
}

void Multi::remove(CurlEasy* easy) { curl_multi_remove_handle(handle_, easy); }

void Multi::watch(int socket, bool readable, bool writable) {
  std::shared_ptr<Watch>& watch = watches_[socket];
  if (!watch) watch = std::make_shared<Watch>(executor_, socket);
  watch->wants_read = readable;
  watch->wants_write = writable;
  wait_for(socket, watch);
}

void Multi::forget(int socket) {
  const auto found = watches_.find(socket);
  if (found == watches_.end()) return;
  found->second->let_go();  // at once: libcurl closes it next, and its number may be reused
  watches_.erase(found);
}

void Multi::wait_for(int socket, const std::shared_ptr<Watch>& watch) {
  using Descriptor = asio::posix::stream_descriptor;
  const auto wait = [&](Descriptor::wait_type type, bool Watch::* wants, bool Watch::* waits, int events) {
    if (!((*watch).*wants) || (*watch).*waits) return;
    (*watch).*waits = true;
    watch->descriptor.async_wait(
        type, [weak = weak_from_this(), watch, socket, wants, waits, events](const boost::system::error_code& error) {
          (*watch).*waits = false;
          const std::shared_ptr<Multi> self = weak.lock();
          // Skip a socket that was forgotten meanwhile, or whose number now belongs to another socket.
          const auto is_current = [&] {
            const auto found = self->watches_.find(socket);
            return found != self->watches_.end() && found->second == watch;
          };
          if (error || !self || !is_current()) return;
          if ((*watch).*wants) self->act(socket, events);
          if (is_current()) self->wait_for(socket, watch);
        });
  };
  wait(Descriptor::wait_read, &Watch::wants_read, &Watch::waits_to_read, CURL_CSELECT_IN);
  wait(Descriptor::wait_write, &Watch::wants_write, &Watch::waits_to_write, CURL_CSELECT_OUT);
}

// libcurl may not be called from here, so even an expired timer goes through the loop.
void Multi::set_timer(long milliseconds) {
  if (milliseconds < 0) {
    timer_.cancel();
    return;
  }
  timer_.expires_after(std::chrono::milliseconds(milliseconds));
  timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    if (error) return;
    if (const auto self = weak.lock()) self->act(CURL_SOCKET_TIMEOUT, 0);
  });
}

void Multi::act(int socket, int events) {
  int running = 0;
  curl_multi_socket_action(handle_, socket, events, &running);
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(handle_, &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    CURL* const easy = message->easy_handle;
    const CURLcode code = message->data.result;
    void* listener = nullptr;
    curl_easy_getinfo(easy, CURLINFO_PRIVATE, &listener);
    static_cast<Listener*>(listener)->transfer_ended(code);
  }
}

Error describe_failure(int code, CurlEasy* easy, const std::string& place, bool through_proxy) {
  long proxy_status = 0;
  curl_easy_getinfo(easy, CURLINFO_HTTP_CONNECTCODE, &proxy_status);
  if (through_proxy && proxy_status >= 300) return broken_proxy(proxy_status);
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return {ErrorKind::network, fmt::format("the host name in `{}` was not found", place),
              "check the host name and this machine's DNS", true};
    case CURLE_COULDNT_RESOLVE_PROXY:
      return {ErrorKind::network, "the proxy's host name was not found", "check the proxy's address in the settings",
              true};
    case CURLE_COULDNT_CONNECT:
      return {ErrorKind::network,
              through_proxy ? "cannot connect to the proxy" : fmt::format("cannot connect to `{}`", place),
              "check that it runs and can be reached from here", true};
    case CURLE_OPERATION_TIMEDOUT:
      return {ErrorKind::timeout, fmt::format("`{}` did not answer in time", place), {}, true};
    case CURLE_PEER_FAILED_VERIFICATION:
      return {ErrorKind::network,
              fmt::format("the certificate of `{}` is not trusted: {}", place, why_not_trusted(easy)),
              "if you trust it, set SSL_CERT_FILE to the file of its certificate authority"};
    case CURLE_SSL_CACERT_BADFILE:
      return {ErrorKind::not_configured, "cannot read the CA certificate file", "check SSL_CERT_FILE"};
    case CURLE_SSL_CERTPROBLEM:
      return {ErrorKind::not_configured, fmt::format("the client certificate for `{}` cannot be used", place),
              "check that certificate and key are PEM and belong together"};
    case CURLE_SSL_CONNECT_ERROR:
      return {ErrorKind::network, fmt::format("could not set up TLS with `{}`", place),
              "check that it speaks TLS on this port", true};
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_BAD_CONTENT_ENCODING:
      return {ErrorKind::upstream, fmt::format("`{}` did not send valid HTTP", place)};
    default:
      // The library's own text, the same for every request.
      return {ErrorKind::network,
              fmt::format("the connection to `{}` closed before the whole response arrived ({})", place,
                          curl_easy_strerror(static_cast<CURLcode>(code))),
              {},
              true};
  }
}

}  // namespace deputy::net
