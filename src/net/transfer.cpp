#include "net/transfer.h"

#include <curl/curl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/system/system_error.hpp>
#include <charconv>
#include <cstring>
#include <new>

#include "base/clock.h"
#include "base/text.h"
#include "net/multi.h"
#include "net/url.h"

namespace deputy::net {

namespace {

using std::chrono::steady_clock;

constexpr long kNoLimit = 24L * 3600 * 1000;  // milliseconds; zero would mean libcurl's default
constexpr std::size_t kMaxHeaderBytes = 256UL * 1024;
constexpr std::size_t kMaxUnread = 256UL * 1024;  // unread bytes of a stream before the peer has to wait

std::optional<asio::ip::address> address_of(const curl_sockaddr& peer) {
  if (peer.family == AF_INET) {
    sockaddr_in in{};
    std::memcpy(&in, &peer.addr, sizeof in);
    return asio::ip::address_v4(ntohl(in.sin_addr.s_addr));
  }
  if (peer.family == AF_INET6) {
    // libcurl stores the longer address in a sockaddr that has room for it behind it.
    sockaddr_in6 in{};
    std::memcpy(&in, reinterpret_cast<const char*>(&peer) + offsetof(curl_sockaddr, addr), sizeof in);
    asio::ip::address_v6::bytes_type bytes;
    std::memcpy(bytes.data(), &in.sin6_addr, bytes.size());
    return asio::ip::address_v6(bytes);
  }
  return std::nullopt;
}

}  // namespace

void Transfer::FreeEasy::operator()(CurlEasy* easy) const { curl_easy_cleanup(easy); }
void Transfer::FreeList::operator()(void* list) const { curl_slist_free_all(static_cast<curl_slist*>(list)); }

// libcurl's callbacks. None of them resumes a coroutine: they change the state, and the loop does the rest.
struct Transfer::Callbacks {
  static Transfer& of(void* self) { return *static_cast<Transfer*>(self); }

  static int resolving(void*, void*, void* self) {
    of(self).enter(Phase::connecting);
    return 0;
  }

  static curl_socket_t open_socket(void* self, curlsocktype, curl_sockaddr* peer) {
    Transfer& transfer = of(self);
    transfer.enter(Phase::connecting);
    if (!transfer.through_proxy_ && transfer.options_->allow_address) {
      const auto address = address_of(*peer);
      const Result<> allowed = address ? transfer.options_->allow_address(*address)
                                       : fail(ErrorKind::permission, "this is not an internet address");
      if (!allowed) {
        transfer.refusal_ = allowed.error();
        return CURL_SOCKET_BAD;
      }
    }
    return ::socket(peer->family, peer->socktype | SOCK_CLOEXEC, peer->protocol);
  }

  static int connected(void* self, char*, char*, int, int) {
    Transfer& transfer = of(self);
    // libcurl sends a request again when the pooled connection it took ends without an answer. What the peer may have
    // carried out is the caller's to repeat.
    const bool is_repeated = transfer.phase_ == Phase::exchanging;
    if (is_repeated && transfer.request_.method != "GET" && transfer.request_.method != "HEAD") {
      transfer.error_ =
          Error{ErrorKind::network, fmt::format("`{}` ended the connection without an answer", transfer.url_.place()),
                "it may have been carried out", true};
      return CURL_PREREQFUNC_ABORT;
    }
    transfer.enter(Phase::exchanging);
    return CURL_PREREQFUNC_OK;
  }

  static int progress(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t sent) {
    Transfer& transfer = of(self);
    if (sent != transfer.sent_) transfer.last_progress_ = steady_clock::now();
    transfer.sent_ = sent;
    return 0;
  }

  static std::size_t header(char* data, std::size_t, std::size_t size, void* self) {
    of(self).take_header_line({data, size});
    return of(self).error_ ? 0 : size;
  }

  static std::size_t body(char* data, std::size_t, std::size_t size, void* self) {
    Transfer& transfer = of(self);
    if (transfer.must_pause()) {
      transfer.paused_ = true;
      return CURL_WRITEFUNC_PAUSE;
    }
    return transfer.take_piece({data, size}) ? size : 0;
  }
};

Transfer::Transfer(std::shared_ptr<Multi> multi, std::shared_ptr<const ClientOptions> options, Url url, Request request,
                   Body body)
    : multi_(std::move(multi)),
      options_(std::move(options)),
      url_(std::move(url)),
      request_(std::move(request)),
      body_(body),
      through_proxy_(request_.proxy == ProxyUse::as_set && !options_->proxy.empty() &&
                     !goes_direct(url_, options_->no_proxy)),
      easy_(curl_easy_init()),
      clock_(multi_->executor()),
      changed_(multi_->executor()) {
  if (!easy_) throw std::bad_alloc();
  set_up();
}

Transfer::~Transfer() {
  if (added_) multi_->remove(easy_.get());
}

void Transfer::set_up() {
  CURL* const easy = easy_.get();
  curl_easy_setopt(easy, CURLOPT_PRIVATE, static_cast<Multi::Listener*>(this));
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  // Without it the loop blocks until a slow DNS lookup ends when the transfer is abandoned.
  curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
  curl_easy_setopt(easy, CURLOPT_RESOLVER_START_FUNCTION, &Callbacks::resolving);
  curl_easy_setopt(easy, CURLOPT_RESOLVER_START_DATA, this);
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, &Callbacks::open_socket);
  curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, this);
  curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, &Callbacks::connected);
  curl_easy_setopt(easy, CURLOPT_PREREQDATA, this);
  curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, &Callbacks::progress);
  curl_easy_setopt(easy, CURLOPT_XFERINFODATA, this);
  curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, &Callbacks::header);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, this);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &Callbacks::body);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, this);
  set_up_connection();
  set_up_request();
}

void Transfer::set_up_connection() {
  CURL* const easy = easy_.get();
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
  // Set both even when there is no proxy, or libcurl would read the environment.
  curl_easy_setopt(easy, CURLOPT_PROXY, through_proxy_ ? options_->proxy.reveal().c_str() : "");
  curl_easy_setopt(easy, CURLOPT_NOPROXY, "");
  curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  if (!options_->ca_file.empty()) {
    curl_easy_setopt(easy, CURLOPT_CAINFO, options_->ca_file.c_str());
    curl_easy_setopt(easy, CURLOPT_CAPATH, nullptr);
  }
  if (request_.tls) set_up_tls(*request_.tls);
  const bool http2 = options_->http2 == Http2::over_tls && url_.scheme == "https";
  curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1);
  // Wait for a connection that is being opened instead of opening another: it may serve both.
  curl_easy_setopt(easy, CURLOPT_PIPEWAIT, http2 ? 1L : 0L);
  curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
  // Our own timer counts: libcurl's would include the time in its queue.
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, kNoLimit);
}

// libcurl uses a pooled connection again only for the same authorities and the same certificate.
void Transfer::set_up_tls(const HostTls& tls) {
  CURL* const easy = easy_.get();
  const auto set = [easy](CURLoption option, const std::string& pem) {
    curl_blob blob{const_cast<char*>(pem.data()), pem.size(), CURL_BLOB_COPY};
    curl_easy_setopt(easy, option, &blob);
  };
  if (!tls.authorities.empty()) {
    set(CURLOPT_CAINFO_BLOB, tls.authorities);
    curl_easy_setopt(easy, CURLOPT_CAPATH, nullptr);
  }
  if (tls.certificate.empty()) return;
  set(CURLOPT_SSLCERT_BLOB, tls.certificate);
  set(CURLOPT_SSLKEY_BLOB, tls.key.reveal());
}

void Transfer::set_up_request() {
  CURL* const easy = easy_.get();
  curl_easy_setopt(easy, CURLOPT_URL, url_.text.c_str());
  curl_easy_setopt(easy, CURLOPT_PATH_AS_IS, request_.path == UrlPath::as_is ? 1L : 0L);
  curl_easy_setopt(easy, CURLOPT_USERAGENT, options_->user_agent.c_str());
  curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
  if (request_.method == "HEAD") {
    curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
  } else if (!request_.body.empty() || request_.method == "POST" || request_.method == "PUT" ||
             request_.method == "PATCH") {
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request_.body.c_str());
    curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request_.method.c_str());
  } else {
    curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request_.method.c_str());
  }
  const auto add = [this](const std::string& line) {
    auto* const lines = static_cast<curl_slist*>(header_lines_.get());
    curl_slist* const longer = curl_slist_append(lines, line.c_str());
    if (longer == nullptr) throw std::bad_alloc();
    if (lines == nullptr) header_lines_.reset(longer);  // later ones are appended to the first
  };
  add("Expect:");  // it would wait a second for a reply that few servers send
  if (!find_header(request_.headers, "content-type")) add("Content-Type:");  // else libcurl sends that of a form
  for (const Header& header : request_.headers) {
    // For libcurl, an empty value after the colon means that the header is not sent.
    const std::string_view value = trim(header.value);
    add(value.empty() ? header.name + ";" : fmt::format("{}: {}", header.name, value));
  }
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, static_cast<curl_slist*>(header_lines_.get()));
}

Result<> Transfer::allow_through_proxy() const {
  if (const auto address = url_.address()) {
    return options_->allow_address ? options_->allow_address(*address) : Result<>{};
  }
  return request_.allow_proxied_name ? request_.allow_proxied_name(url_) : Result<>{};
}

Result<> Transfer::start() {
  if (through_proxy_) TRY(allow_through_proxy());
  started_ = phase_began_ = last_progress_ = steady_clock::now();
  TRY(multi_->add(easy_.get()));
  added_ = true;
  watch_the_clock();
  return {};
}

void Transfer::transfer_ended(int code) {
  if (phase_ == Phase::ended) return;
  if (code != CURLE_OK && !error_) {
    const bool refused = refusal_ && code == CURLE_COULDNT_CONNECT;
    error_ = refused ? *refusal_ : describe_failure(code, easy_.get(), url_.place(), through_proxy_);
    const bool about_authorities = code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE;
    if (about_authorities && request_.tls && !request_.tls->authorities.empty())
      error_->hint = "check the certificate authority that is set for this host";
  } else if (code == CURLE_OK && !has_headers_) {
    error_ = Error{ErrorKind::upstream, fmt::format("`{}` answered without headers", url_.place())};
  }
  enter(Phase::ended);
}

void Transfer::enter(Phase phase) {
  if (phase <= phase_) return;  // a second address, or a second request of the same exchange
  phase_ = phase;
  phase_began_ = last_progress_ = steady_clock::now();
  if (phase_ == Phase::ended) {
    clock_.cancel();
    changed_.cancel();
  } else {
    watch_the_clock();
  }
}

// Do not call it inside a libcurl callback.
void Transfer::end_with(Error error) {
  error_ = std::move(error);
  if (added_) multi_->remove(easy_.get());
  added_ = false;
  enter(Phase::ended);
}

void Transfer::take_header_line(std::string_view line) {
  last_progress_ = steady_clock::now();
  header_bytes_ += line.size();
  if (header_bytes_ > kMaxHeaderBytes) {
    error_ = Error{ErrorKind::upstream, fmt::format("`{}` answered with too many headers", url_.place())};
    return;
  }
  if (has_headers_) return;  // trailers
  if (line.starts_with("HTTP/")) {
    status_ = 0;  // an interim response precedes the real one
    headers_.clear();
    const std::size_t space = std::min(line.find(' '), line.size() - 1);
    std::from_chars(line.data() + space + 1, line.data() + line.size(), status_);
    return;
  }
  line = trim(line);
  if (line.empty()) {
    if (status_ >= 200) take_last_header();
    return;
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  headers_.push_back({std::string(trim(line.substr(0, colon))), std::string(trim(line.substr(colon + 1)))});
}

void Transfer::take_last_header() {
  has_headers_ = true;
  changed_.cancel();
  const auto length = find_header(headers_, "content-length");
  if (!length || request_.method == "HEAD" || find_header(headers_, "content-encoding")) return;
  std::uint64_t bytes = 0;
  const auto [end, code] = std::from_chars(length->data(), length->data() + length->size(), bytes);
  const bool too_many = code == std::errc::result_out_of_range || (code == std::errc() && bytes > request_.max_body);
  if (too_many) error_ = too_large();
}

bool Transfer::must_pause() const { return body_ == Body::pieces && received_.size() > kMaxUnread; }

Error Transfer::too_large() const {
  return {ErrorKind::upstream,
          fmt::format("the response of `{}` is larger than {} bytes", url_.place(), request_.max_body)};
}

// False when it does not fit.
bool Transfer::take_piece(std::string_view piece) {
  last_progress_ = steady_clock::now();
  if (piece.size() > request_.max_body - body_bytes_) {
    error_ = too_large();
    return false;
  }
  body_bytes_ += piece.size();
  received_ += piece;
  if (body_ == Body::pieces) changed_.cancel();
  return true;
}

Transfer::Instant Transfer::deadline() const {
  const auto after = [](Instant begin, std::chrono::milliseconds limit) { return begin + std::min(limit, kMaxWait); };
  Instant first = after(started_, request_.timeouts.total);
  if (phase_ == Phase::connecting) first = std::min(first, after(phase_began_, request_.timeouts.connect));
  if (phase_ == Phase::exchanging && !paused_) first = std::min(first, after(last_progress_, request_.timeouts.idle));
  return first;
}

Error Transfer::timeout() const {
  const Timeouts& limits = request_.timeouts;
  const auto error = [&](std::string what, std::chrono::milliseconds limit) {
    return Error{ErrorKind::timeout, fmt::format("{} {}", what, format_duration(limit)), {}, true};
  };
  if (steady_clock::now() >= started_ + std::min(limits.total, kMaxWait)) {
    return error(fmt::format("the response of `{}` was not complete after", url_.place()), limits.total);
  }
  if (phase_ == Phase::connecting) {
    return error(fmt::format("could not connect to `{}` within", url_.place()), limits.connect);
  }
  return error(fmt::format("no data from `{}` for", url_.place()), limits.idle);
}

void Transfer::watch_the_clock() {
  clock_.expires_at(deadline());
  clock_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    const auto self = weak.lock();
    if (error || !self || self->phase_ == Phase::ended) return;
    if (steady_clock::now() < self->deadline()) return self->watch_the_clock();
    self->end_with(self->timeout());
  });
}

Task<> Transfer::wait_for_change() {
  changed_.expires_at(Instant::max());
  co_await changed_.async_wait(asio::as_tuple(asio::use_awaitable));
  const asio::cancellation_state cancellation = co_await asio::this_coro::cancellation_state;
  if (cancellation.cancelled() != asio::cancellation_type::none) {
    throw boost::system::system_error(asio::error::operation_aborted);
  }
}

Task<Result<>> Transfer::until_headers() {
  while (!has_headers_ && phase_ != Phase::ended) co_await wait_for_change();
  if (error_) co_return std::unexpected(*error_);
  co_return Result<>{};
}

Task<Result<>> Transfer::until_end() {
  while (phase_ != Phase::ended) co_await wait_for_change();
  if (error_) co_return std::unexpected(*error_);
  co_return Result<>{};
}

Task<Result<std::string>> Transfer::next_piece() {
  while (received_.empty() && phase_ != Phase::ended) co_await wait_for_change();
  std::string piece = std::exchange(received_, {});
  if (paused_ && phase_ != Phase::ended) {
    paused_ = false;
    last_progress_ = steady_clock::now();
    watch_the_clock();
    curl_easy_pause(easy_.get(), CURLPAUSE_CONT);  // may deliver buffered data at once
  }
  if (piece.empty() && error_) co_return std::unexpected(*error_);
  co_return piece;
}

}  // namespace deputy::net
