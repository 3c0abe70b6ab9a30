// WebSocket frames: a server reads whatever comes after the handshake. The messages are bounded, text is UTF-8, the
// connection ends, and what we answer is whole frames.
#include <boost/asio/io_context.hpp>
#include <cstdint>

#include "base/text.h"
#include "fuzz/complain.h"
#include "net/websocket_session.h"

namespace {

using namespace deputy;

constexpr std::size_t kMax = 300;

// Gives its bytes in pieces and then ends.
class Bytes final : public net::ByteStream {
 public:
  Bytes(const asio::any_io_executor& executor, std::string_view bytes, std::size_t step, std::string& written)
      : ByteStream(executor), bytes_(bytes), step_(step), written_(written) {}

  void start_receive(asio::mutable_buffer into, asio::cancellation_slot, Done done) override {
    const std::size_t size = asio::buffer_copy(into, asio::buffer(bytes_.substr(0, step_)));
    bytes_.remove_prefix(size);
    const boost::system::error_code error = is_closed_ ? asio::error::operation_aborted : boost::system::error_code();
    const bool is_end = size == 0 && into.size() > 0;
    finish_with(error ? error : is_end ? boost::system::error_code(asio::error::eof) : error, size, std::move(done));
  }
  void start_write(std::vector<asio::const_buffer> from, asio::cancellation_slot, Done done) override {
    for (const asio::const_buffer& buffer : from)
      written_.append(static_cast<const char*>(buffer.data()), buffer.size());
    finish_with({}, asio::buffer_size(from), std::move(done));
  }
  Task<> finish() override {
    is_closed_ = true;
    co_return;
  }
  void close() override { is_closed_ = true; }

 private:
  void finish_with(boost::system::error_code error, std::size_t size, Done done) {
    asio::post(executor(), [done = std::move(done), error, size]() mutable { done(error, size); });
  }

  std::string_view bytes_;
  std::size_t step_;
  std::string& written_;
  bool is_closed_ = false;
};

struct Heard {
  std::vector<net::WebSocketMessage> messages;
  std::string error;

  bool operator==(const Heard&) const = default;
};

Task<> serve(std::unique_ptr<net::ByteStream> stream, Heard& heard) {
  const net::ServerRequest request{.method = "GET",
                                   .path = "/",
                                   .headers = {{"Host", "h"},
                                               {"Connection", "Upgrade"},
                                               {"Upgrade", "websocket"},
                                               {"Sec-WebSocket-Version", "13"},
                                               {"Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="}}};
  const auto accepted = co_await net::accept_websocket(std::move(stream), request, {.max_message = kMax});
  if (!accepted) complain("the handshake failed");
  const std::shared_ptr<net::WebSocket>& socket = *accepted;
  for (;;) {
    const auto message = co_await socket->read();
    if (!message) {
      heard.error = message.error().message;
      co_return;
    }
    heard.messages.push_back(*message);
  }
}

// Frames of a server: not masked, each whole.
void check_written(std::string_view written) {
  written.remove_prefix(written.find("\r\n\r\n") + 4);
  while (!written.empty()) {
    if (written.size() < 2) complain("half a frame was written");
    const auto length = static_cast<unsigned char>(written[1]);
    if (length > 125) complain("a control frame is too long, or masked");
    if (written.size() < 2U + length) complain("half a frame was written");
    written.remove_prefix(2U + length);
  }
}

Heard read(std::string_view bytes, std::size_t step) {
  asio::io_context loop;
  Heard heard;
  std::string written;
  bool ended = false;
  asio::co_spawn(loop, serve(std::make_unique<Bytes>(loop.get_executor(), bytes, step, written), heard),
                 [&ended](const std::exception_ptr& thrown) { ended = !thrown; });
  loop.run();
  if (!ended) complain("the connection did not end");
  check_written(written);
  return heard;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Heard whole = read(bytes, std::max<std::size_t>(size, 1));
  for (const net::WebSocketMessage& message : whole.messages) {
    if (message.bytes.size() > kMax) complain("a message is too large");
    if (message.kind == net::WebSocketMessage::Kind::text && !is_valid_utf8(message.bytes))
      complain("text is not UTF-8");
  }
  const Heard cut = read(bytes, 3);
  if (cut.messages != whole.messages) complain("the cut changes the messages");
  return 0;
}
